"""The language server, spoken to as an editor does: a process of its own, by its standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed: no language server")
from lsprotocol import types
from pygls.lsp.client import LanguageClient

BROKEN = "byte x;\nactive proctype P() { x = yy }"
COMMAND = [sys.executable, "-c", "from beeline.start import command; command()", "language-server"]


class Editor:
    """As much of an editor as opens and changes one document."""

    def __init__(self, client: LanguageClient, uri: str) -> None:
        self.client, self.uri = client, uri
        self.told: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def hear(told: types.PublishDiagnosticsParams) -> None:
            self.told.put_nowait(told)

    def open(self, text: str) -> None:
        document = types.TextDocumentItem(self.uri, "promela", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))

    def change(self, text: str, version: int) -> None:
        document = types.VersionedTextDocumentIdentifier(uri=self.uri, version=version)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    def close(self) -> None:
        document = types.TextDocumentIdentifier(self.uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    async def hears(self) -> types.PublishDiagnosticsParams:
        return await asyncio.wait_for(self.told.get(), 60)


def talk(file: Path, act: Callable[[Editor], Awaitable[None]]) -> None:
    """Opens an editor on a file that need not be there."""

    async def session() -> None:
        client = LanguageClient("editor", "1")
        await client.start_io(*COMMAND)
        editor = Editor(client, file.as_uri())
        await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
        client.initialized(types.InitializedParams())
        server = client._server  # there is no other way to its exit code
        await act(editor)
        await client.shutdown_async(None)
        client.exit(None)
        assert server is not None and await asyncio.wait_for(server.wait(), 60) == 0
        await client.stop()  # type: ignore[no-untyped-call]

    asyncio.run(session())


def test_mistakes_come_and_go_as_one_types(tmp_path: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open(BROKEN)
        (found,) = (await editor.hears()).diagnostics
        assert (found.range.start, found.range.end) == (types.Position(1, 26), types.Position(1, 28))
        assert "yy" in found.message and found.source == "beeline"
        editor.change(BROKEN.replace("yy", "1"), 2)
        told = await editor.hears()
        assert (told.version, list(told.diagnostics)) == (2, [])
        editor.change(BROKEN, 3)
        assert (await editor.hears()).diagnostics
        editor.close()
        assert not (await editor.hears()).diagnostics

    talk(tmp_path / "m.pml", act)


def test_of_quick_changes_only_the_last_is_read(tmp_path: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open(BROKEN)
        await editor.hears()
        for version in range(2, 12):
            editor.change(BROKEN + " " * version, version)
        editor.change("active proctype P() { skip }", 12)
        told = await editor.hears()
        assert (told.version, list(told.diagnostics)) == (12, [])

    talk(tmp_path / "m.pml", act)


def test_columns_are_those_of_the_protocol(tmp_path: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open("/* \N{HONEYBEE} */ byte x = yy;")
        (found,) = (await editor.hears()).diagnostics
        assert found.range.start.character == 18, "the bee counts as two"

    talk(tmp_path / "m.pml", act)
