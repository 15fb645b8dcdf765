"""What happens in the process in which a solver runs; `start_worker.py` is its program.

Why a process of its own: Bitwuzla and cvc5 hold Python's global lock while they check, Z3 swallows
the interrupt of Ctrl-C, and any of them may crash or eat all memory.  A process can always be
given up: its owner kills it and starts another, and what it knew can be sent again.

The process keeps several contexts, one for each solver object that uses it, and forgets the least
recently used ones.  Requests are read by a thread, so that an interrupt arrives during a check.

The process starts quickly, since a query waits for it: this module and the engines import only what
they need, and nothing of Solvent but plain data.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import queue
import resource
import signal
import sys
import threading
from collections import OrderedDict

from solvent.solvers.engines.base import Engine, OutOfMemory, Unsupported
from solvent.solvers.rows import Command, Data
from solvent.solvers.wire import MessageReader, write_message

ENGINES = {
    "z3": ("solvent.solvers.engines.z3_engine", "Z3Engine"),
    "bitwuzla": ("solvent.solvers.engines.bitwuzla_engine", "BitwuzlaEngine"),
    "cvc5": ("solvent.solvers.engines.cvc5_engine", "Cvc5Engine"),
}
# How many contexts a process keeps.
CONTEXTS = 32
# The number of the first message, which says that requests are read from now on.
READY = -1


def engine_class(name: str) -> type[Engine]:
    """The engine of a solver, whose package must be installed."""
    module, cls = ENGINES[name]
    return getattr(importlib.import_module(module), cls)  # type: ignore[no-any-return]


class Worker:
    """Answers requests about contexts of one kind of solver."""

    def __init__(self, engine: type[Engine], output: int) -> None:
        self._engine = engine
        self._output = output
        self._contexts: OrderedDict[int, Engine] = OrderedDict()
        self._requests: queue.SimpleQueue[Data] = queue.SimpleQueue()
        # An interrupt must reach the check that it is meant for, or nothing: what Z3 is told after
        # a check ends its next steps, such as reading the model.
        self._interrupting = threading.Lock()
        self._running: Engine | None = None
        # Requests up to this number have been given up by the owner.
        self._cancelled = -1

    def listen(self, reader: MessageReader) -> None:
        """Pass requests on; an interrupt takes effect at once, and so does the owner's end."""
        while True:
            message = reader.wait()
            if message is not None and message[0] == "interrupt":
                with self._interrupting:
                    self._cancelled = message[1]
                    if self._running is not None:
                        self._running.interrupt()
                continue
            if message is None:
                # Nobody waits for an answer; solvers take their time to tidy up.
                os._exit(0)
            self._requests.put(message)

    def serve(self) -> None:
        """Answer requests as long as somebody wants to know."""
        while True:
            number, context, commands = self._requests.get()
            try:
                reply = ("ok", self._run(number, context, commands))
            except Unsupported as error:
                self._drop(context)
                reply = ("unsupported", str(error))
            except (MemoryError, OutOfMemory):
                self._drop(context)
                reply = ("unknown", "out of memory")
            except Exception as error:  # a solver's own exceptions have no common base
                self._drop(context)
                reply = ("failed", f"{type(error).__name__}: {error}")
            write_message(self._output, (number, *reply))

    def _drop(self, context: int) -> None:
        """Forget a context and give its memory back."""
        engine = self._contexts.pop(context, None)
        if engine is not None:
            engine.forget()

    def _run(self, number: int, context: int, commands: list[Command]) -> Data:
        result = None
        for command, *arguments in commands:
            if command == "open":
                self._contexts[context] = self._engine(*arguments)
                while len(self._contexts) > CONTEXTS:
                    self._drop(next(iter(self._contexts)))
                continue
            if command == "close":
                for closed in arguments[0]:
                    self._drop(closed)
                continue
            engine = self._contexts.get(context)
            if engine is None:
                return "forgotten"
            self._contexts.move_to_end(context)
            if command in ("check", "check_for_model"):
                result = self._check(number, engine, arguments)
                if result is None:
                    self._drop(context)
                    return ("unknown", "interrupted")
                if command == "check_for_model" and result[0] == "sat":
                    result = (*result, _model_of(engine))
            else:
                result = getattr(engine, command)(*arguments)
        return result

    def _check(self, number: int, engine: Engine, arguments: list[Data]) -> Data:
        """The answer of a check, `None` if it is given up; no interrupt comes after it.

        An interrupted one may have an answer and no model, or fail; nobody waits for it.
        """
        with self._interrupting:
            if self._cancelled >= number:
                return None
            self._running = engine
        try:
            answer = engine.check(*arguments)
        except Exception:
            if self._cancelled < number:
                raise
            answer = None
        finally:
            with self._interrupting:
                self._running = None
        return answer if self._cancelled < number else None


def _model_of(engine: Engine) -> Data:
    """The model of a check, if it can be had; who asks for it again is told why not."""
    try:
        return engine.model()
    except Exception:
        return None


def _die_with(owner: int) -> None:
    """On Linux, be killed when the owner dies in the middle of a check.

    To the kernel the owner is the thread that started this process, hence `process.Starter`.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != owner:
        # It died before it could be noticed.
        os._exit(0)


def main(name: str, memory: int, owner: int) -> None:
    """Serve the connection on standard input and output."""
    # Ctrl-C in a terminal reaches every process; the owner decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with(owner)
    # A unit of work has a limit of its own, which is one for its solvers, too.
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY:
        memory = min(memory or allowed, allowed)
    if memory:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # Solvers pass large integers as decimal text.
    sys.set_int_max_str_digits(0)
    # What a solver prints must not get between the messages.
    output = os.dup(1)
    os.dup2(2, 1)
    worker = Worker(engine_class(name), output)
    gc.freeze()
    gc.disable()
    threading.Thread(target=worker.listen, args=(MessageReader(0),), daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        write_message(output, (READY, "ready", None))
        worker.serve()
    os._exit(0)
