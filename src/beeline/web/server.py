"""The page on this machine only: loopback, a random token in the address, nothing but the page itself."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

LOOPBACK = "127.0.0.1"
HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Viewer(ThreadingHTTPServer):
    """Serves one page at `address`; other programs on this machine and pages of other sites get nothing.

    The name in Host must be this server's: a site that lets its own name point to 127.0.0.1 is refused."""

    daemon_threads = True

    def __init__(self, page: str, port: int = 0) -> None:
        self.page = page.encode()
        self.token = secrets.token_urlsafe(32)
        super().__init__((LOOPBACK, port), _Handler)

    @property
    def hosts(self) -> tuple[str, ...]:
        return f"{LOOPBACK}:{self.server_port}", f"localhost:{self.server_port}"

    @property
    def address(self) -> str:
        return f"http://{self.hosts[0]}/?token={self.token}"


class _Handler(BaseHTTPRequestHandler):
    server: Viewer
    server_version = "Beeline"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        refusal = self._refusal()
        if refusal is not None:
            self._answer(refusal, f"{refusal.phrase}\n".encode(), {"Content-Type": "text/plain"})
        else:
            self._answer(HTTPStatus.OK, self.server.page, {})

    do_HEAD = do_GET

    def _refusal(self) -> HTTPStatus | None:
        """Why a request is not answered, or None."""
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0].lower() not in self.server.hosts:
            return HTTPStatus.MISDIRECTED_REQUEST
        origins = self.headers.get_all("Origin") or []
        if any(origin not in {f"http://{host}" for host in self.server.hosts} for origin in origins):
            return HTTPStatus.FORBIDDEN
        asked = urlsplit(self.path)
        given = parse_qs(asked.query).get("token", [])
        if len(given) != 1 or not secrets.compare_digest(given[0].encode(), self.server.token.encode()):
            return HTTPStatus.FORBIDDEN
        return None if asked.path == "/" and not asked.netloc else HTTPStatus.NOT_FOUND

    def _answer(self, status: HTTPStatus, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Silent: requests carry the token."""
