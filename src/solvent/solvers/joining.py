"""A check that takes longer than expected is joined by other solvers; the first answer counts.

No solver is the best on everything, and two of them on one machine slow each other down.  So the
one that suits the query is asked alone at first.  It goes on when others join.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context

from solvent.errors import SolverError, SolverMissingError, UnsupportedError
from solvent.solvers.choose import Spec, expected_seconds, others
from solvent.solvers.context import Context, Frame
from solvent.solvers.questions import Attempt
from solvent.terms.kinds import Guard
from solvent.verdicts import Deadline

# Where somebody else decided a check before the solver that was asked first, others join the next
# one so early.
_AGAIN_SECONDS = 0.1
_SLICE_SECONDS = 0.02


class Late:
    """The solvers that may join the checks of one context.

    >>> from solvent.terms import Int
    >>> frame = Frame()
    >>> frame.entries = [(Int("x") * Int("x") == 49, None)]
    >>> first = Context(None, 0)
    >>> late = Late(first, 0)
    >>> late.check([frame], (), None, lambda: False), late.winner.name
    (('sat', ''), 'z3')
    >>> late.close()
    """

    def __init__(self, first: Context, memory: int) -> None:
        self.first = first
        self.winner = first
        self._memory = memory
        self._contexts: dict[Spec, Context] = {}
        # Who has joined the last check.
        self._joined: list[Context] = []

    @property
    def contexts(self) -> list[Context]:
        """Those of all solvers that have ever joined."""
        return list(self._contexts.values())

    @property
    def attempts(self) -> Sequence[Attempt]:
        """What those did that have joined the last check."""
        return [attempt for context in self._joined for attempt in context.attempts]

    def forget(self) -> None:
        """What was done belongs to an earlier check."""
        self._joined = []

    def check(
        self,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        seconds: float | None,
        interrupted: Callable[[], bool],
    ) -> tuple[str, str]:
        """What the first solver says, or one of those that join later."""
        joining = _Joining(self, frames, assumptions, Deadline(seconds), interrupted)
        self._joined = []
        try:
            answer = self.first.check(frames, assumptions, seconds, joining.is_over)
            if answer[0] == "unknown":
                joining.wait()
        finally:
            joining.end()
        self.winner = self.first
        if answer[0] != "unknown" or joining.winner is None:
            return answer
        self.winner = joining.winner
        return joining.answer

    def expected(self) -> float:
        """After how many seconds others join."""
        if self.winner is not self.first:
            return _AGAIN_SECONDS
        first = self.first
        return expected_seconds(first.specs[0], first.encoder.features, first.nodes)

    def joiners(self, wants_model: bool) -> list[Context]:
        """Those who may join, by what the query contains."""
        first = self.first.specs[0]
        found = []
        for spec in others(first, self.first.encoder.features):
            context = self._contexts.get(spec)
            if context is None:
                context = self._contexts[spec] = Context([spec], self._memory)
            context.wants_model = wants_model
            found.append(context)
        self._joined = found
        return found

    def close(self) -> None:
        """Let the processes forget the query."""
        for context in (self.first, *self.contexts):
            context.close()


class _Joining:
    """One check, which others may join."""

    def __init__(
        self,
        late: Late,
        frames: Sequence[Frame],
        assumptions: Sequence[Guard],
        deadline: Deadline,
        interrupted: Callable[[], bool],
    ) -> None:
        self._late = late
        self._query = frames, assumptions
        self._deadline = deadline
        self._interrupted = interrupted
        self._begun = time.perf_counter()
        # After how long others join: not known until the query has been looked at.
        self._expected: float | None = None
        self._have_joined = False
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._failures: list[BaseException] = []
        # Who has answered first of those that joined.
        self.winner: Context | None = None
        self.answer = ("unknown", "")

    def is_over(self) -> bool:
        """Whether the first solver is to stop; it asks often, so others join from here."""
        if not self._have_joined:
            self._join_in_time()
        return self._over.is_set() or self._interrupted()

    def _join_in_time(self) -> None:
        since = self._late.first.asked_since
        if since is None:
            # The process of the first solver is still starting.
            return
        if self._expected is None:
            self._expected = self._late.expected()
        if time.perf_counter() > since + self._expected:
            self._have_joined = True
            for context in self._late.joiners(self._late.first.wants_model):
                run = copy_context().run
                thread = threading.Thread(target=run, args=(self._ask, context), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _ask(self, context: Context) -> None:
        frames, assumptions = self._query
        try:
            answer = context.check(
                frames,
                assumptions,
                self._deadline.left(),
                lambda: self._over.is_set() or self._interrupted(),
            )
        except (SolverMissingError, UnsupportedError):
            # Who cannot help leaves the question to the others.
            return
        except SolverError:
            context.abandon()
            return
        except BaseException as error:
            context.abandon()
            self._failures.append(error)
            self._over.set()
            return
        if answer[0] != "unknown":
            with self._lock:
                if self.winner is None:
                    self.winner, self.answer = context, answer
            self._over.set()

    def wait(self) -> None:
        """The first solver has given up: the others have as long again as it took."""
        end = self._deadline.limited(self._patience())
        while not (self._over.is_set() or self._interrupted() or end.is_over):
            if not any(thread.is_alive() for thread in self._threads):
                return
            self._over.wait(_SLICE_SECONDS)

    def _patience(self) -> float:
        return time.perf_counter() - self._begun

    def end(self) -> None:
        """Stop those who have joined; a mistake of our own is not hidden."""
        self._over.set()
        for thread in self._threads:
            thread.join()
        if self._failures:
            raise self._failures[0]
