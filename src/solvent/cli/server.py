"""The language server: checks what is open in an editor, in processes of their own.

A file is checked when it is opened and when it is saved: first all of its functions for a second,
then those that are not known for longer.  An edit ends the check, since its answer would be about
what is not there any more.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.exceptions import FeatureRequestError
from pygls.lsp.server import LanguageServer

import solvent
from solvent.cli.checks import asked
from solvent.cli.diagnostics import SOURCE, Known, described, functions
from solvent.errors import SolventError
from solvent.queries.replay import described as exception_in_words

PROVE, DEBUG, TEST = "solvent.prove", "solvent.debug", "solvent.test"
LENSES = {PROVE: "prove", DEBUG: "debug", TEST: "write tests"}

# Seconds for each function in the first check, in the second, and if somebody asks for it.
FIRST_BUDGET = 1.0
SECOND_BUDGET = 5.0
ASKED_BUDGET = 30.0

# What JSON-RPC calls a message that cannot be parsed, and one that is none.
PARSE_ERROR, INVALID_REQUEST = -32700, -32600
# No message is longer.
_LONGEST = 1 << 28

_HEADER = re.compile(rb"[A-Za-z][A-Za-z-]*: [^\r\n]*\r\n")
_LENGTH = re.compile(rb"Content-Length: (\d{1,12})\r\n")


class Server(LanguageServer):
    """What is known about the files that are open, and the checks that are going on."""

    def __init__(self) -> None:
        super().__init__("solvent", solvent.__version__)
        self.known: dict[str, Known] = {}
        self.running: dict[str, asyncio.Task[None]] = {}
        self.budget = SECOND_BUDGET

    # --- checks ---------------------------------------------------------------------------------

    def check(self, uri: str) -> None:
        """Check a file anew; the check that is going on is ended."""
        self.cancel(uri)
        self._start(uri, self._check(uri))

    def _start(self, uri: str, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self.running[uri] = task

    def cancel(self, uri: str) -> None:
        """End the check of a file."""
        task = self.running.pop(uri, None)
        if task is not None:
            task.cancel()

    async def _check(self, uri: str) -> None:
        path = path_of(uri)
        if path is None or path.suffix != ".py":
            return
        known = Known(path, self.folder(path))
        try:
            await self._learn(uri, known, [str(path)], min(FIRST_BUDGET, self.budget))
            still_open = known.open_functions()
            if still_open and self.budget > FIRST_BUDGET:
                targets = [f"{path}::{name}" for name in still_open]
                await self._learn(uri, known, targets, self.budget)
        except SolventError as error:
            self.say(str(error))

    async def _learn(self, uri: str, known: Known, targets: list[str], budget: float) -> None:
        arguments = ["verify", *targets, "--quiet", "--budget", f"{budget:g}"]
        known.learn(await asked(arguments, known.folder))
        self.known[uri] = known
        self.publish(uri, known.diagnostics(self.text(uri)))

    def publish(self, uri: str, found: list[types.Diagnostic]) -> None:
        """Tell the editor what to show."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found))

    def say(self, text: str, kind: types.MessageType = types.MessageType.Error) -> None:
        """Show somebody a sentence."""
        self.window_show_message(types.ShowMessageParams(kind, text))

    def text(self, uri: str) -> str:
        """The text of a document as the editor has it; none if there is no such document."""
        try:
            return str(self.workspace.get_text_document(uri).source)
        except (OSError, UnicodeDecodeError):
            return ""

    def folder(self, path: Path) -> Path:
        """Where the checks of a file run: the folder that is open, or that of the file."""
        root = self.workspace.root_path
        if root and path.is_relative_to(root):
            return Path(root)
        return path.parent

    # --- what is wrong with a message ------------------------------------------------------------

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A message could not be understood: say so as JSON-RPC does, and go on."""
        if source is FeatureRequestError:
            # The request itself was answered so.
            return
        is_json = not isinstance(error, ValueError)
        self.refuse(INVALID_REQUEST if is_json else PARSE_ERROR, exception_in_words(error))

    def refuse(self, code: int, text: str) -> None:
        """Answer something that has no number with an error."""
        message = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": text}}
        body = json.dumps(message).encode()
        writer = self.protocol.writer
        if writer is not None:
            writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


class Messages:
    """Standard input, without the lines between messages that are nothing."""

    def __init__(self, stream: BinaryIO, refuse: Callable[[int, str], None]) -> None:
        self._stream = stream
        self._refuse = refuse

    def readline(self) -> bytes:
        """The next line of a header, or the empty one after it."""
        while True:
            line = self._stream.readline()
            if not line or line == b"\r\n":
                return line
            if _is_header(line):
                return line
            self._refuse(PARSE_ERROR, f"this is no header of a message: {line[:80]!r}")

    def read(self, size: int) -> bytes:
        """So many bytes of a message."""
        return self._stream.read(size)


def _is_header(line: bytes) -> bool:
    """Whether a line is one of a header, with a length that can be meant.

    >>> _is_header(b"Content-Length: 20\\r\\n"), _is_header(b"Content-Length: x\\r\\n")
    (True, False)
    """
    if not line.startswith(b"Content-Length"):
        return _HEADER.fullmatch(line) is not None
    length = _LENGTH.fullmatch(line)
    return length is not None and int(length[1]) <= _LONGEST


def path_of(uri: str) -> Path | None:
    """The file that a URI names, if it names one.

    >>> path_of("file:///tmp/a%20b.py"), path_of("untitled:Untitled-1")
    (PosixPath('/tmp/a b.py'), None)
    """
    parts = urlsplit(uri)
    return Path(unquote(parts.path)) if parts.scheme == "file" else None


def serve() -> None:
    """Serve the editor at standard input and output until it says that it is enough."""
    # What goes wrong is told to the editor; nobody reads standard error.
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False
    server = made()
    server.start_io(Messages(sys.stdin.buffer, server.refuse), sys.stdout.buffer)  # type: ignore[arg-type]


def made() -> Server:
    """A server with all that it can do."""
    server = Server()
    _add_documents(server)
    _add_reading(server)
    for name, action in ((PROVE, _prove), (DEBUG, _debug), (TEST, _test)):
        _add_command(server, name, action)
    return server


def _add_documents(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        given = params.initialization_options
        budget = given.get("budget") if isinstance(given, dict) else None
        if isinstance(budget, (int, float)) and budget > 0:
            server.budget = float(budget)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(given: types.DidOpenTextDocumentParams) -> None:
        server.check(given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(given: types.DidSaveTextDocumentParams) -> None:
        server.check(given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def edited(given: types.DidChangeTextDocumentParams) -> None:
        server.cancel(given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(given: types.DidCloseTextDocumentParams) -> None:
        uri = given.text_document.uri
        server.cancel(uri)
        server.known.pop(uri, None)
        server.publish(uri, [])

    @server.feature(types.SHUTDOWN)
    def shut_down(_: None) -> None:
        for uri in list(server.running):
            server.cancel(uri)


def _add_reading(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(given: types.HoverParams) -> types.Hover | None:
        uri = given.text_document.uri
        known = server.known.get(uri)
        row = known.at_line(given.position.line, server.text(uri)) if known else None
        if row is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, described(row)))

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(given: types.CodeLensParams) -> list[types.CodeLens]:
        uri = given.text_document.uri
        found = []
        for function in functions(server.text(uri)):
            place = types.Position(function.start, 0)
            for name, title in LENSES.items():
                command = types.Command(title, name, arguments=[uri, function.name])
                found.append(types.CodeLens(types.Range(place, place), command))
        return found


# --- commands -----------------------------------------------------------------------------------

Action = Callable[[Server, str, Path, str], Awaitable[Any]]


def _add_command(server: Server, name: str, action: Action) -> None:
    @server.command(name)
    async def command(uri: str, function: str) -> Any:
        path = path_of(uri)
        if path is None:
            server.say(f"{uri} is no file; save it first")
            return None
        try:
            return await action(server, uri, path, function)
        except SolventError as error:
            server.say(str(error))
            return None


async def _prove(server: Server, uri: str, path: Path, function: str) -> Any:
    """Check one function for longer, and show what is known then."""
    server.cancel(uri)
    known = server.known.get(uri) or Known(path, server.folder(path))
    arguments = ["verify", f"{path}::{function}", "--quiet", "--budget", f"{ASKED_BUDGET:g}"]
    found = await asked(arguments, known.folder)
    if "error" in found:
        server.say(str(found["error"]))
        return found
    known.learn(found)
    server.known[uri] = known
    server.publish(uri, known.diagnostics(server.text(uri)))
    rows: Any = found["results"]
    server.say(described(rows[0]).replace("\n\n", "; "), types.MessageType.Info)
    return found


async def _debug(server: Server, uri: str, path: Path, function: str) -> Any:
    """Find the expressions that are responsible for a failure, and mark them."""
    folder = server.folder(path)
    found: Any = await asked(["debug", f"{path}::{function}", "--quiet"], folder)
    if "error" in found or not found.get("cores"):
        text = found.get("error") or found["reason"] or f"{function} does not fail"
        server.say(str(text), types.MessageType.Info)
        return found
    known = server.known.get(uri)
    shown = known.diagnostics(server.text(uri)) if known else []
    for one in found["cores"][0]:
        if (folder / one["file"]).resolve() != path.resolve():
            continue
        text = f"{one['text']} was {', '.join(one['values'])}"
        if one["instead"]:
            text += f"; succeeds with {', '.join(one['instead'])}"
        start = types.Position(one["line"] - 1, one["column"])
        end = types.Position(one["end_line"] - 1, one["end_column"])
        warning = types.DiagnosticSeverity.Warning
        shown.append(
            types.Diagnostic(types.Range(start, end), text, severity=warning, source=SOURCE)
        )
    if not found["cores"][0]:
        text = f"{function}: no values of its expressions avoid the failure"
        server.say(text, types.MessageType.Info)
    server.publish(uri, shown)
    return found


async def _test(server: Server, uri: str, path: Path, function: str) -> Any:
    """Write a test for each path of a function beside its file, and show them."""
    output = path.parent / f"test_{path.stem}_{function.replace('.', '_').lower()}.py"
    if output.exists():
        server.say(f"{output} is there already; remove it first")
        return None
    arguments = ["test", f"{path}::{function}", "-o", str(output), "--quiet"]
    found = await asked(arguments, server.folder(path))
    if "error" in found or not output.exists():
        server.say(str(found.get("error") or found["reason"]))
        return found
    capabilities = server.client_capabilities.window
    if capabilities is not None and capabilities.show_document is not None:
        server.window_show_document(types.ShowDocumentParams(output.as_uri(), take_focus=True))
    else:
        server.say(f"wrote {found['tests']} tests to {output}", types.MessageType.Info)
    return found
