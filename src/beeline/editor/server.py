"""A language server: tells editors what is wrong with a model while it is written. Nothing of a model is run, and
models in Python, which would be, are left alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from beeline import __version__
from beeline.editor.mistakes import Mistake, mistakes_in

PAUSE = 0.25
"""Seconds without a keystroke after which a text is read."""


class Watched:
    """The open documents: of each, the last wish to read it."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self._wishes: dict[str, asyncio.Task[None]] = {}

    def look(self, uri: str, pause: float = 0.0) -> None:
        """Reads a document after a pause, unless it is changed again before."""
        self._forget(uri)
        self._wishes[uri] = asyncio.get_running_loop().create_task(self._look(uri, pause))

    def _forget(self, uri: str) -> None:
        if wish := self._wishes.pop(uri, None):
            wish.cancel()

    async def _look(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        document = self.server.workspace.get_text_document(uri)
        version, text, path = document.version, document.source, Path(to_fs_path(uri) or "")
        found = await asyncio.to_thread(mistakes_in, text, path)
        self._tell(uri, [self._diagnostic(one, text) for one in found], version)

    def _diagnostic(self, one: Mistake, text: str) -> types.Diagnostic:
        place = types.Range(types.Position(one.line, one.start), types.Position(one.line, one.end))
        place = self.server.workspace.position_codec.range_to_client_units(text.split("\n"), place)
        return types.Diagnostic(place, one.message, severity=types.DiagnosticSeverity.Error, source="beeline")

    def _tell(self, uri: str, found: list[types.Diagnostic], version: int | None = None) -> None:
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def close(self, uri: str) -> None:
        """A document that is closed shows no mistakes."""
        self._forget(uri)
        self._tell(uri, [])


def make_server() -> LanguageServer:
    """The server, ready to be started."""
    server = LanguageServer("beeline", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    watched = Watched(server)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        watched.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        watched.look(params.text_document.uri, PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        watched.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        watched.close(params.text_document.uri)

    return server
