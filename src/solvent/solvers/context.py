"""A query's context in one or several solver processes: what has been sent, and the race.

The stack of assertions lives in this process.  A context is a cache of it elsewhere: if a process
was killed, is busy with another query or has forgotten the context, everything is sent again.
With several members (a portfolio) all get the same requests and the first answer counts.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

from solvent.errors import UnsupportedError
from solvent.solvers.choose import Spec
from solvent.solvers.encode import Encoder
from solvent.solvers.process import (
    GRACE_SECONDS,
    INTERRUPT_SECONDS,
    Reply,
    SolverProcess,
    pool,
    wait_for_any,
)

_numbers = itertools.count()
# How often a waiting check looks whether it has been interrupted.
_SLICE_SECONDS = 0.05


class Frame:
    """The assertions and objectives between two pushes."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        # A formula with None, or an objective with whether it is to be maximized.
        self.entries: list[tuple[Any, bool | None]] = []


class Context:
    """What the processes of some solvers know of a query."""

    def __init__(self, specs: Sequence[Spec], memory: int) -> None:
        self.specs = list(specs)
        self._memory = memory
        self._processes: list[SolverProcess | None] = [None] * len(self.specs)
        self._winner = 0
        self.reset()

    def reset(self) -> None:
        """Forget what was sent: the next check sends everything again."""
        self._number = next(_numbers)
        self._open = False
        self._sent: list[tuple[Frame, int]] = []
        self.encoder = Encoder()

    @property
    def is_open(self) -> bool:
        """Whether anything has been sent."""
        return self._open

    @property
    def winner(self) -> Spec:
        """The member that gave the last answer."""
        return self.specs[self._winner]

    def prepare(
        self, frames: Sequence[Frame], assumptions: Sequence[Any]
    ) -> tuple[list[Any], list[int]]:
        """The commands that bring the processes up to date, and the assumptions' numbers."""
        stack: list[Any] = []
        common = 0
        while common < min(len(self._sent), len(frames)) and self._sent[common][0] is frames[common]:
            common += 1
        if common < len(self._sent):
            stack.append(("pop", len(self._sent) - common))
            del self._sent[common:]
        for position, frame in enumerate(frames):
            if position == len(self._sent):
                # The lowest frame is there without a push.
                if position:
                    stack.append(("push",))
                self._sent.append((frame, 0))
            new = frame.entries[self._sent[position][1] :]
            for (_, maximize), number in zip(new, self.encoder.encode(t for t, _ in new), strict=True):
                if maximize is None:
                    stack.append(("assert_formula", number))
                else:
                    stack.append(("optimize", number, maximize))
            self._sent[position] = (frame, len(frame.entries))
        numbers = self.encoder.encode(assumptions)
        return [("define", *self.encoder.take()), *stack], numbers

    def lease(self) -> bool:
        """Take processes for a check; False if one of them does not know the context."""
        known = list(self._processes)
        self._processes = [
            pool.lease(spec.name, self._memory, prefer=process)
            for spec, process in zip(self.specs, known, strict=True)
        ]
        return not self._open or self._processes == known

    def start(self, commands: list[Any], assumptions: list[int], seconds: float | None) -> None:
        """Send the commands and a check to all members."""
        for spec, process in zip(self.specs, self._processes, strict=True):
            assert process is not None
            opening = [] if self._open else [("open", spec.mode)]
            process.send(self._number, [*opening, *commands, ("check", assumptions, seconds)])
        self._open = True

    def finish(self, seconds: float | None, interrupted: Callable[[], bool]) -> Reply | None:
        """Wait for the first answer; None if a process had forgotten the context.

        The other members are stopped, and all processes are given back.
        """
        deadline = None if seconds is None else time.monotonic() + seconds + GRACE_SECONDS
        given_up: float | None = None
        racing = {p: k for k, p in enumerate(self._processes) if p is not None}
        answer = Reply(reason="timeout")
        refusals: list[UnsupportedError] = []
        while racing:
            now = time.monotonic()
            if given_up is None and interrupted():
                given_up = now + INTERRUPT_SECONDS
                for process in racing:
                    process.request_interrupt()
            limits = [limit for limit in (deadline, given_up) if limit is not None]
            if limits and now >= min(limits):
                if given_up is not None:
                    answer = Reply(reason="interrupted")
                break
            for process in wait_for_any(racing, min([_SLICE_SECONDS, *(x - now for x in limits)])):
                try:
                    reply = process.receive()
                except UnsupportedError as error:
                    refusals.append(error)
                    del racing[process]
                    continue
                if reply is None:
                    continue
                if reply.result == "forgotten":
                    self._release()
                    return None
                index = racing.pop(process)
                answer = reply if reply.result is not None else Reply(("unknown", reply.reason))
                if answer.result[0] != "unknown":
                    self._winner = index
                    racing = {}
                    break
        if refusals and len(refusals) == len(self.specs):
            self._release()
            self.reset()
            raise refusals[0]
        self._release()
        return answer

    def _release(self) -> None:
        for index, process in enumerate(self._processes):
            if process is not None and not pool.give_back(process):
                self._processes[index] = None

    def abandon(self) -> None:
        """End all processes, whatever they are doing."""
        for process in self._processes:
            if process is not None:
                process.kill()
        self._processes = [None] * len(self.specs)
        self.reset()

    def ask(self, *command: Any) -> Any:
        """Ask the winner of the last check about its answer; None if it has forgotten."""
        known = self._processes[self._winner]
        if known is None:
            return None
        process = pool.lease(self.winner.name, self._memory, prefer=known)
        try:
            if process is not known:
                return None
            process.send(self._number, [command])
            while True:
                for ready in wait_for_any([process], None):
                    reply = ready.receive()
                    if reply is not None:
                        return None if reply.result == "forgotten" else reply.result
        except BaseException:
            process.kill()
            raise
        finally:
            pool.give_back(process)

    def close(self) -> None:
        """Let the processes forget the context."""
        if not self._open:
            return
        for process in self._processes:
            if process is not None:
                process.forget(self._number)
