"""The server gives the page to those who know the token and come the straight way, and nothing to others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse

import pytest

from beeline.web.server import Viewer


@pytest.fixture
def server() -> Iterator[Viewer]:
    with Viewer("<p>the page</p>") as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def ask(server: Viewer, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    sent = {"Host": server.hosts[0], **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection.request(method, path, headers=sent)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_the_token_opens_the_page(server: Viewer) -> None:
    answer, body = ask(server, f"/?token={server.token}")
    assert (answer.status, body) == (200, b"<p>the page</p>")
    assert answer.getheader("Cache-Control") == "no-store"
    assert answer.getheader("Referrer-Policy") == "no-referrer"
    assert answer.getheader("X-Frame-Options") == "DENY"
    assert server.address == f"http://127.0.0.1:{server.server_port}/?token={server.token}"


def test_it_listens_on_loopback_only(server: Viewer) -> None:
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", "?other=1", "?token=%ff", "?token={0}&token={0}",
                                   "?token={0}x"])  # fmt: skip
def test_without_the_token_nothing_is_given(server: Viewer, query: str) -> None:
    answer, body = ask(server, "/" + query.format(server.token))
    assert answer.status == 403
    assert b"page" not in body


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "",
                                  "127.0.0.1:{port}.evil.example"])  # fmt: skip
def test_foreign_names_are_refused(server: Viewer, host: str) -> None:
    answer, body = ask(server, f"/?token={server.token}", Host=host.format(port=server.server_port))
    assert answer.status == 421
    assert b"page" not in body


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_foreign_origins_are_refused(server: Viewer, origin: str) -> None:
    answer, body = ask(server, f"/?token={server.token}", Origin=origin)
    assert answer.status == 403
    assert b"page" not in body


def test_its_own_origin_and_the_name_localhost_are_fine(server: Viewer) -> None:
    answer, _ = ask(server, f"/?token={server.token}", Origin=f"http://{server.hosts[0]}")
    assert answer.status == 200
    answer, _ = ask(server, f"/?token={server.token}", Host=f"localhost:{server.server_port}")
    assert answer.status == 200


@pytest.mark.parametrize("path", ["/index.html", "/../etc/passwd", "/%2e%2e/etc/passwd", "//evil", "/page.py", "/."])
def test_there_are_no_other_paths(server: Viewer, path: str) -> None:
    answer, body = ask(server, f"{path}?token={server.token}")
    assert answer.status == 404
    assert b"page" not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_only_reading_is_possible(server: Viewer, method: str) -> None:
    answer, body = ask(server, f"/?token={server.token}", method)
    assert answer.status == 501
    assert b"the page" not in body


def test_head_has_no_body(server: Viewer) -> None:
    answer, body = ask(server, f"/?token={server.token}", "HEAD")
    assert (answer.status, body) == (200, b"")


def test_tokens_differ() -> None:
    with Viewer("") as one, Viewer("") as other:
        assert one.token != other.token
        assert len(one.token) >= 40
