"""The language server, driven by a client over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from solvent.cli import lsp, main
from tests.patience import FOREVER

PROGRAM = """import helper

def half(n: int) -> int:
    return 1 // n

def good(x: int) -> None:
    assert x == x

def calls(x: int) -> int:
    return helper.third(x)

def hidden(x: int) -> None:
    assert locals()["x"] == x

def untold(x):
    return x

def shift(x: int) -> int:
    y = x - 1
    assert y > x
    return y
"""
HELPER = "def third(n: int) -> int:\n    return 1 // (n - 3)\n"
HARD = """def hard(x: int, y: int, z: int) -> None:
    if x > 0 and y > 0 and z > 0:
        assert x**3 + y**3 != z**3
"""


class Client(LanguageClient):
    """An editor: what it was told so far."""

    def __init__(self) -> None:
        super().__init__("test", "1")
        self.told: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: asyncio.Queue[str] = asyncio.Queue()
        self.documents: list[str] = []

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(given: types.PublishDiagnosticsParams) -> None:
            self.told.put_nowait(given)

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def show(given: types.ShowMessageParams) -> None:
            self.messages.put_nowait(given.message)

        @self.feature(types.WINDOW_SHOW_DOCUMENT)
        def document(given: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.documents.append(given.uri)
            return types.ShowDocumentResult(success=True)

    async def diagnostics(self) -> list[types.Diagnostic]:
        found = await asyncio.wait_for(self.told.get(), FOREVER)
        return list(found.diagnostics)

    async def message(self) -> str:
        return await asyncio.wait_for(self.messages.get(), FOREVER)

    def open(self, path: Path) -> str:
        uri = path.as_uri()
        item = types.TextDocumentItem(uri, "python", 1, path.read_text())
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def edit(self, uri: str, text: str, version: int) -> None:
        document = types.VersionedTextDocumentIdentifier(version, uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def save(self, uri: str) -> None:
        document = types.TextDocumentIdentifier(uri)
        self.text_document_did_save(types.DidSaveTextDocumentParams(document))

    async def run(self, command: str, *arguments: str) -> Any:
        params = types.ExecuteCommandParams(command, list(arguments))
        return await asyncio.wait_for(self.workspace_execute_command_async(params), FOREVER)


Use = Callable[[Client], Awaitable[None]]


def edited(folder: Path, use: Use, **options: object) -> None:
    """Start a server in a folder, and let an editor use it."""

    async def session() -> None:
        client = Client()
        await client.start_io(sys.executable, "-m", "solvent", "lsp", cwd=folder)
        window = types.WindowClientCapabilities(
            show_document=types.ShowDocumentClientCapabilities(support=True)
        )
        await asyncio.wait_for(
            client.initialize_async(
                types.InitializeParams(
                    capabilities=types.ClientCapabilities(window=window),
                    root_uri=folder.as_uri(),
                    initialization_options=options or None,
                )
            ),
            FOREVER,
        )
        client.initialized(types.InitializedParams())
        try:
            await use(client)
            await asyncio.wait_for(client.shutdown_async(None), FOREVER)
            client.exit(None)
        except BaseException:
            # It would be waited for, and nobody has told it to end.
            client._server.kill()  # type: ignore[union-attr]
            raise
        finally:
            await client.stop()

    asyncio.run(session())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.py").write_text(PROGRAM)
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "hard.py").write_text(HARD)
    return tmp_path


def shown(found: list[types.Diagnostic]) -> dict[int, tuple[str, types.DiagnosticSeverity | None]]:
    return {one.range.start.line + 1: (one.message, one.severity) for one in found}


def test_diagnostics_hover_and_lenses(folder: Path) -> None:
    async def use(client: Client) -> None:
        uri = client.open(folder / "p.py")
        found = await client.diagnostics()
        lines = shown(found)
        error, note = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Information
        # On the line that fails, with the call.
        assert lines[4][0].endswith("when calling half(n=0)")
        assert lines[4][1] is error
        failing = next(one for one in found if one.range.start.line == 3)
        assert (failing.range.start.character, failing.range.end.character) == (4, 17)
        assert (failing.code, failing.source) == ("ZeroDivisionError", "solvent")
        # In another file: on the function, and the other place beside it.
        assert "when calling calls(x=3)" in lines[9][0]
        elsewhere = next(one for one in found if one.range.start.line == 8)
        (related,) = elsewhere.related_information or []
        assert related.location.uri == (folder / "helper.py").as_uri()
        assert related.location.range.start.line == 1
        assert lines[12][1] is note
        assert next(one.code for one in found if one.range.start.line == 11) == "S112"
        assert set(lines) == {4, 9, 12, 20}

        document = types.TextDocumentIdentifier(uri)
        texts = []
        for line in (6, 3, 11, 14, 0):
            place = types.HoverParams(document, types.Position(line, 6))
            hover = await client.text_document_hover_async(place)
            assert hover is None or isinstance(hover.contents, types.MarkupContent)
            texts.append("" if hover is None else hover.contents.value)  # type: ignore[union-attr]
        assert "**good**: verified" in texts[0]
        assert "covered: all inputs, by merged execution" in texts[0]
        assert "half(n=0)" in texts[1]
        assert "`locals()` is not lifted" in texts[2]
        assert "not checked: its parameter `x` has no annotation" in texts[3]
        assert texts[4] == ""

        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
        assert lenses is not None
        titles = [lens.command.title for lens in lenses if lens.command is not None]
        assert titles == ["prove", "debug", "write tests"] * 6

    edited(folder, use)


def test_commands(folder: Path) -> None:
    async def use(client: Client) -> None:
        uri = client.open(folder / "p.py")
        await client.diagnostics()
        found = await client.run("solvent.prove", uri, "good")
        assert found["verdict"] == "holds"
        assert "**good**: verified" in await client.message()
        await client.diagnostics()
        found = await client.run("solvent.debug", uri, "shift")
        assert found["command"] == "debug"
        warnings: list[types.Diagnostic] = []
        while not warnings:
            marked = await client.diagnostics()
            warnings = [one for one in marked if one.severity is types.DiagnosticSeverity.Warning]
        assert {one.range.start.line for one in warnings} == {18}
        await client.run("solvent.debug", uri, "half")
        assert "no values of its expressions avoid the failure" in await client.message()
        found = await client.run("solvent.test", uri, "half")
        output = folder / "test_p_half.py"
        assert client.documents == [output.as_uri()]
        assert "ZeroDivisionError" in output.read_text()
        assert await client.run("solvent.test", uri, "half") is None
        assert "is there already" in await client.message()
        await client.run("solvent.prove", uri, "missing")
        assert "there is no function 'missing'" in await client.message()

    edited(folder, use)


def children() -> set[str]:
    """The processes of checks that there are now, by what they check."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"solvent" in words and b"verify" in words:
                found.update(os.fsdecode(word) for word in words)
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc")
def test_an_edit_ends_the_check(folder: Path) -> None:
    async def use(client: Client) -> None:
        path = folder / "hard.py"
        uri = client.open(path)
        # The first check has ended without an answer, the second takes long.
        assert "unknown" in (await client.diagnostics())[0].message
        while f"{path}::hard" not in children():
            await asyncio.sleep(0.05)
        client.edit(uri, "def easy(x: int) -> None:\n    assert x != 7\n", 2)
        while f"{path}::hard" in children():
            await asyncio.sleep(0.05)
        path.write_text("def easy(x: int) -> None:\n    assert x != 7\n")
        client.save(uri)
        (found,) = await client.diagnostics()
        assert found.message.endswith("when calling easy(x=7)")
        client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )
        assert await client.diagnostics() == []

    edited(folder, use, budget=FOREVER)


def test_a_file_that_is_no_program(folder: Path) -> None:
    async def use(client: Client) -> None:
        path = folder / "broken.py"
        path.write_text("x = 1\ndef broken(:\n")
        client.open(path)
        (found,) = await client.diagnostics()
        assert found.range.start.line == 1
        assert found.severity is types.DiagnosticSeverity.Error

    edited(folder, use)


# --- garbage ------------------------------------------------------------------------------------


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def request(number: int, method: str, **params: object) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return framed(json.dumps(message).encode())


GARBAGE = [
    b"hello\n",
    b"\x00\xff\xfe\n",
    framed(b"{not json"),
    framed(b"\xff\xfe"),
    framed(b"[]"),
    framed(b'{"a": 1}'),
    framed(b"3"),
    b"Content-Length: many\r\n\r\n",
    b"Content-Length: 99999999999999999999\r\n\r\n",
    framed(b'{"jsonrpc": "2.0", "id": 5, "method": "textDocument/hover", "params": {"x": 1}}'),
]


# What each of them is answered with, in this order.
CODES = [-32700, -32700, -32700, -32700, -32600, -32600, -32600, -32700, -32700, -32600]


async def conversation(given: bytes) -> list[dict[str, Any]]:
    """The answers of a server to some bytes, after which its input ends."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "solvent", "lsp"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await asyncio.wait_for(process.communicate(given), FOREVER)
    assert process.returncode == 0
    assert errors == b""
    return list(messages(out))


def messages(out: bytes) -> Iterator[dict[str, Any]]:
    while out:
        header, _, out = out.partition(b"\r\n\r\n")
        length = int(header.partition(b"Content-Length: ")[2].split(b"\r\n")[0])
        yield json.loads(out[:length])
        out = out[length:]


def test_garbage_is_answered_and_the_server_goes_on() -> None:
    start = request(1, "initialize", processId=None, rootUri=None, capabilities={})
    given = b"".join(GARBAGE)
    # A document that was never opened, and is no file.
    lenses = request(4, "textDocument/codeLens", textDocument={"uri": "untitled:1"})
    end = request(3, "no/such") + lenses + request(2, "shutdown")
    found = asyncio.run(conversation(start + given + end))
    by_number = {one["id"]: one for one in found if one.get("id")}
    assert by_number[1]["result"]["capabilities"]["hoverProvider"]
    assert by_number[2] == {"id": 2, "jsonrpc": "2.0", "result": None}
    assert by_number[3]["error"]["code"] == -32601
    assert by_number[4]["result"] == []
    errors = [one["error"]["code"] for one in found if one.get("id", 0) is None]
    assert errors == CODES


def test_without_pygls(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(lsp.importlib.util, "find_spec", lambda name: None)
    assert main(["lsp"]) == 2
    assert "pip install 'solvent[lsp]'" in capsys.readouterr().err
