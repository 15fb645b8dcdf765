"""Any solver that reads SMT-LIB 2 on its standard input, run as a process of its own.

The process is as disposable as the others: it is killed at a time limit, at Ctrl-C, or when the
query outgrows the logic that it was told, and a new one is sent everything again.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from collections.abc import Callable, Sequence

from solvent.errors import (
    NoModelError,
    SmtLibError,
    SolverError,
    SolverMissingError,
    UnsupportedError,
)
from solvent.solvers.choose import Spec
from solvent.solvers.context import Backend, Entries, Frame, ModelParts, changes
from solvent.solvers.rows import Data, Figures
from solvent.terms.functions import FunctionSymbol
from solvent.terms.kinds import Guard, Operand
from solvent.terms.smtlib.answers import read_model, read_symbols
from solvent.terms.smtlib.logics import logic_of
from solvent.terms.smtlib.writer import Writer
from solvent.terms.term import CONSTANT, Term
from solvent.verdicts import Deadline

# How often a waiting check looks whether it has been interrupted.
_SLICE_SECONDS = 0.05
_PREAMBLE = (
    "(set-option :print-success false)",
    "(set-option :produce-models true)",
    "(set-option :produce-unsat-assumptions true)",
    "(set-option :global-declarations true)",
)

# What some solvers say to options.
_NO_ANSWERS = (b"success", b"unsupported")


class _Stopped(Exception):
    """No answer came: a limit, an interrupt, or the end of the process."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TextContext(Backend):
    """A query in a process that is spoken to in SMT-LIB."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._process: subprocess.Popen[bytes] | None = None
        self._output = b""
        self._seconds: float | None = None
        self._deadline = Deadline()
        self._interrupted: Callable[[], bool] = lambda: False
        self.reset()

    @property
    def name(self) -> str:
        return str(self._spec)

    @property
    def nodes(self) -> int:
        return self._nodes

    def reset(self) -> None:
        self._kill()
        # Whether it is known what has been sent: not during an exchange, and if one never ended.
        self._settled = True
        self._writer = Writer(global_declarations=True)
        self._sent: list[tuple[Frame, int]] = []
        self._logic = ""
        self._nodes = 0
        self._assumptions: dict[str, Guard] = {}
        self._literals: dict[Guard, str] = {}

    def abandon(self) -> None:
        self.reset()

    def close(self) -> None:
        self._kill()

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
            self._process = None
        self._output = b""
        self._ended = False

    def check(
        self,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        seconds: float | None,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str]:
        self._seconds = seconds
        terms = [term for frame in frames for term, _ in frame.entries]
        logic = logic_of([*terms, *assumptions])
        commands: list[str] = []
        usable = self._settled and self._process is not None and self._process.poll() is None
        if not usable or logic != self._logic:
            self.reset()
            self._logic = logic
            self._start()
            commands += [*_PREAMBLE, f"(set-logic {logic})"]
        self._settled = False
        started = time.perf_counter()
        commands += self._update(frames)
        names = [self._literal(term, commands) for term in assumptions]
        self.conversion_seconds += time.perf_counter() - started
        self._assumptions = dict(zip(names, assumptions, strict=True))
        listed = " ".join(names)
        commands.append(f"(check-sat-assuming ({listed}))" if names else "(check-sat)")
        self._limit(seconds, interrupted)
        try:
            answer = self._ask(commands)
        except _Stopped as stopped:
            self.reset()
            return "unknown", stopped.reason
        self._settled = True
        if answer not in ("sat", "unsat", "unknown"):
            raise SolverError(f"{self.name} answered {answer!r} instead of sat, unsat or unknown")
        return answer, "incomplete" if answer == "unknown" else ""

    def _limit(self, seconds: float | None, interrupted: Callable[[], bool]) -> None:
        """Let the following exchange take no longer."""
        self._deadline = Deadline(seconds)
        self._interrupted = interrupted

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(
                self._spec.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Ctrl-C in the terminal is for us, not for the solver.
                start_new_session=True,
            )
        except (FileNotFoundError, PermissionError) as error:
            raise SolverMissingError(
                f"the solver {self._spec.command[0]!r} cannot be run: {error.strerror}"
            ) from None

    def _update(self, frames: Sequence[Frame]) -> list[str]:
        """The commands that bring the process up to date with the frames."""
        commands: list[str] = []
        for change in changes(self._sent, frames):
            match change:
                case Entries():
                    for term, goal in change:
                        if goal is not None:
                            raise UnsupportedError(f"{self.name} has no optimisation here; use z3")
                        self._declare(term, commands)
                        commands.append(f"(assert {self._writer.reference(term)})")
                case ("pop", count):
                    commands.append(f"(pop {count})")
                    self._literals.clear()
                case ("push",):
                    commands.append("(push 1)")
        return commands

    def _declare(self, term: Operand, commands: list[str]) -> None:
        declarations = self._writer.declarations_for(term)
        self._nodes += len(declarations)
        commands.extend(declarations)

    def _literal(self, term: Guard, commands: list[str]) -> str:
        """A symbol that stands for an assumption: the standard allows no terms there."""
        if isinstance(term, Term) and term.op is CONSTANT:
            self._declare(term, commands)
            return self._writer.reference(term)
        name = self._literals.get(term)
        if name is None:
            self._declare(term, commands)
            name = self._literals[term] = self._writer.next_name()
            commands.append(f"(declare-const {name} Bool)")
            commands.append(f"(assert (= {name} {self._writer.reference(term)}))")
        return name

    # --- conversation ------------------------------------------------------------------------

    def _send(self, commands: Sequence[str]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        data = memoryview("".join(f"{command}\n" for command in commands).encode())
        descriptor = self._process.stdin.fileno()
        os.set_blocking(descriptor, False)
        while data:
            # A solver may answer while it is still being written to.
            readable, writable = self._wait([descriptor])
            if readable and not self._ended:
                self._read()
            if writable:
                try:
                    data = data[os.write(descriptor, data) :]
                except BlockingIOError:
                    continue
                except BrokenPipeError:
                    # It has ended, perhaps after saying why.
                    return

    def _wait(self, writers: Sequence[int]) -> tuple[bool, bool]:
        assert self._process is not None
        assert self._process.stdout is not None
        while True:
            if self._interrupted():
                raise _Stopped("interrupted")
            if self._deadline.is_over:
                raise _Stopped("timeout")
            left = self._deadline.up_to(_SLICE_SECONDS)
            readable, writable, _ = select.select([self._process.stdout], writers, [], left)
            if readable or writable:
                return bool(readable), bool(writable)

    def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        data = os.read(self._process.stdout.fileno(), 1 << 16)
        self._ended = not data
        self._output += data

    def _cause(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return "the solver closed its output"
        return f"the solver ended with exit code {code}"

    def _ask(self, commands: Sequence[str]) -> str:
        """Send commands and return the one answer, an atom or a list."""
        self._send(commands)
        while True:
            answer, rest = _split_answer(self._output)
            if answer is not None:
                self._output = rest
                if answer in _NO_ANSWERS:
                    continue
                break
            if self._ended:
                raise _Stopped(self._cause())
            self._wait([])
            self._read()
        text = answer.decode(errors="replace")
        if text.startswith("(error"):
            raise SolverError(f"{self.name} complains: {text[6:-1].strip()}")
        return text

    def _ask_again(self, command: str) -> str | None:
        """Ask about the answer of the last check, whose limit holds for it too."""
        if self._process is None:
            return None
        self._limit(self._seconds, lambda: False)
        try:
            return self._ask([command])
        except _Stopped as stopped:
            self.reset()
            if stopped.reason == "timeout":
                raise NoModelError(
                    f"{self.name} gave its answer but none to {command} "
                    f"within {self._seconds} seconds"
                ) from None
            return None
        except SolverError:
            raise
        except BaseException:
            self.reset()
            raise

    def model(self, wanted: Sequence[Term] | None = None) -> ModelParts | None:
        text = self._ask_again("(get-model)")
        if text is None:
            return None
        try:
            model = read_model(text, self._writer, self.name)
        except SmtLibError as error:
            raise UnsupportedError(f"the model of {self.name} cannot be read: {error}") from error
        values = {key: model.internal(key) for key in model}
        functions = {k: v for k, v in values.items() if isinstance(k, FunctionSymbol)}
        constants = {k: v for k, v in values.items() if isinstance(k, Term)}
        return constants, functions, list(model.inexact)

    def core(self) -> list[Guard] | None:
        text = self._ask_again("(get-unsat-assumptions)")
        if text is None:
            return None
        return [self._assumptions[name] for name in read_symbols(text, self.name)]

    def objectives(self) -> list[Data] | None:
        raise UnsupportedError(f"{self.name} has no optimisation here; use z3")

    def figures(self) -> Figures:
        return {}


def _split_answer(data: bytes) -> tuple[bytes | None, bytes]:
    """The first complete answer, and what follows it.

    >>> _split_answer(b"sat\\n((x 1)"), _split_answer(b' ("a)" b)\\nsat\\n')
    ((b'sat', b'((x 1)'), (b'("a)" b)', b'sat\\n'))
    """
    text = data.lstrip()
    if not text.startswith(b"("):
        atom, newline, rest = text.partition(b"\n")
        return (atom.strip(), rest) if newline and atom.strip() else (None, data)
    depth = 0
    quote = 0
    for position, character in enumerate(text):
        if quote:
            quote = 0 if character == quote else quote
        elif character in b'"|':
            quote = character
        elif character == 0x28:
            depth += 1
        elif character == 0x29:
            depth -= 1
            if depth == 0:
                return text[: position + 1], text[position + 1 :].lstrip()
    return None, data
