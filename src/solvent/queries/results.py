"""What queries answer."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from solvent.lift.origins import is_library_file
from solvent.queries.coverage import Coverage
from solvent.queries.explaining import Explanation, explained
from solvent.queries.replay import Replay, described, message_of, relative, shown
from solvent.queries.spelling import LONGEST_INPUT, spelled
from solvent.solvers.questions import Question
from solvent.solvers.status import Status
from solvent.terms.model import Model
from solvent.verdicts import Answer, Finding, Verdict, as_json, color, lines
from solvent.verdicts.cells import in_cells
from solvent.verdicts.rendering import Json
from solvent.vm.report import Stats
from solvent.vm.state import Failure
from solvent.vm.values import Value

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


def verdict_of(status: Status, good: Status) -> Verdict:
    """What the status of a query's formula means, if one of them is good news.

    >>> verdict_of(Status.UNSAT, good=Status.SAT)
    <Verdict.VIOLATED: 'violated'>
    """
    if status is Status.UNKNOWN:
        return Verdict.UNKNOWN
    return Verdict.HOLDS if status is good else Verdict.VIOLATED


@dataclass(frozen=True, slots=True)
class QueryStats:
    """What a query cost: the symbolic run, and the solver."""

    run: Stats
    solver: str = ""
    checks: int = 0
    solver_seconds: float = 0.0
    seconds: float = 0.0
    # The question that took longest, if it took long or has no answer.
    hardest: Question | None = None

    def as_dict(self) -> Json:
        """The figures, for JSON."""
        return {
            "seconds": self.seconds,
            "solver": self.solver,
            "checks": self.checks,
            "solver_seconds": self.solver_seconds,
            "run": self.run.as_dict(),
        }

    def __str__(self) -> str:
        parts = []
        if self.run.terms or self.run.joins:
            made = f"{self.run.terms:,} terms and {self.run.joins:,} joins"
            parts.append(f"{made} in {self.run.seconds:.2f} s")
        if self.checks:
            checks = f"{self.checks} check{'s' * (self.checks != 1)}"
            parts.append(f"{checks} by {self.solver} in {self.solver_seconds:.2f} s")
        return f"{self.seconds:.2f} s{': ' * bool(parts)}{', '.join(parts)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Answer):
    """The answer to a query.

    `status` is that of the formula the query asks about: `sat` means that what was searched for
    exists and is in `model`, `unsat` that it does not, `unknown` that `reason` says why not.  Which
    of them is good depends on the query, and so does the verdict.
    """

    # The status that means that all is well: what was searched for is wanted.
    GOOD: ClassVar[Status] = Status.SAT

    function: str
    status: Status
    stats: QueryStats
    verdict: Verdict = field(init=False)
    model: Model | None = None
    # The inputs under the model, by the names of the parameters or of the variables around.
    inputs: Mapping[str, Value] = field(default_factory=dict)
    # The call to paste, and the imports that it needs beside those of the function's module.
    call: str = ""
    setup: str = ""
    # The inputs as Python text, as far as it takes more than they say of themselves.
    texts: Mapping[str, str] = field(default_factory=dict)
    # What CPython did with the plain function on these inputs.
    replay: Replay | None = None
    confirmed: bool = False
    # What was made from annotations, in words.
    derived: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", verdict_of(self.status, self.GOOD))
        object.__setattr__(self, "seconds", self.stats.seconds)

    @property
    def found(self) -> bool:
        """Whether what was searched for exists."""
        return self.status is Status.SAT

    def __bool__(self) -> bool:
        raise TypeError(
            f"a result is neither true nor false: ask for .{_QUESTIONS.get(type(self), 'found')}"
        )

    def headline(self) -> str:
        """The answer in a few words."""
        return f"{self.function}: {self.status}"

    def spelled(self) -> dict[str, str]:
        """The inputs by name, as texts that are not too long."""
        return {name: self.text_of(name, value) for name, value in self.inputs.items()}

    def text_of(self, name: str, value: Value) -> str:
        """The text of one of the inputs."""
        return self.texts[name] if name in self.texts else spelled(value, most=LONGEST_INPUT)

    def explain(self) -> Explanation:
        """Why the answer is unknown, or where the time went.

        >>> from solvent import verify
        >>> def double(n: int) -> None:
        ...     assert 2 * n == n + n
        >>> print(verify(double).explain())  # doctest: +ELLIPSIS
        double: verified, no inputs fail
          ...
        """
        return explained(self.headline(), self.reason, self.stats)

    def details(self) -> Iterator[str]:
        """What there is to say about it, line by line."""
        if self.derived:
            spaces = "; ".join(f"{name}: {space}" for name, space in self.derived.items())
            yield f"inputs tried: {spaces}"
        if self.status is Status.UNKNOWN:
            yield f"reason: {in_cells(self.reason)}"
        if self.setup:
            yield f"setup: {self.setup}"
        if self.call:
            yield f"call: {self.call}"
        for name, value in self.inputs.items():
            if not self.call or name not in self.call:
                yield f"{name} = {self.text_of(name, value)}"
        if self.replay is not None:
            yield f"{'confirmed' if self.confirmed else 'NOT confirmed'}: CPython {self.replay}"

    def as_dict(self) -> Json:
        """The answer for JSON."""
        result: Json = {"function": self.function, "status": str(self.status)}
        result |= as_json(self)
        if self.model is not None:
            result["inputs"] = self.spelled()
            result["setup"] = self.setup
            result["call"] = self.call
            result["confirmed"] = self.confirmed
            result["replay"] = None if self.replay is None else str(self.replay)
        if self.derived:
            result["derived"] = dict(self.derived)
        result["stats"] = self.stats.as_dict()
        return result

    def __str__(self) -> str:
        return "\n".join(lines(self))

    __repr__ = __str__

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        headline, *details = lines(self)
        yield Text(headline, style=f"bold {color(self.verdict)}")
        yield from map(Text, details)
        yield Text(f"  {self.stats}", style="dim")

    def _repr_html_(self) -> str:
        rows = "".join(f"<li><code>{html.escape(line)}</code></li>" for line in self.details())
        return (
            f'<div><b style="color:{color(self.verdict)}">{html.escape(self.headline())}</b>'
            f"<ul>{rows}</ul><small>{html.escape(str(self.stats))}</small></div>"
        )


def place_of(result: Result, failure: Failure) -> str:
    """The line of the program where a failure is: not that of a library which it has called."""
    replay = result.replay
    if replay is not None and replay.called and result.confirmed:
        file, _, _ = failure.position.rpartition(":")
        if is_library_file(file):
            return relative(replay.called)
    return relative(failure.position)


def findings_of(result: Result, failure: Failure | None) -> tuple[Finding, ...]:
    """A failure of a function, with the inputs that lead to it."""
    if failure is None:
        return ()
    file, _, line = place_of(result, failure).rpartition(":")
    return (
        Finding(
            described(failure.exception),
            file,
            int(line) if line.isdecimal() else 0,
            result.spelled(),
            (result.call,),
            result.confirmed,
            type(failure.exception).__name__,
        ),
    )


def failure_as_dict(failure: Failure) -> dict[str, str]:
    """A failure for JSON."""
    return {
        "position": relative(failure.position),
        "exception": type(failure.exception).__name__,
        "message": message_of(failure.exception),
    }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Solution(Result):
    """The answer to `solve`: inputs with which the function ends without failure."""

    value: Value = None

    def headline(self) -> str:
        if self.status is Status.SAT:
            return f"{self.function}: found inputs that succeed, with result {shown(self.value)}"
        if self.status is Status.UNSAT:
            return f"{self.function}: no inputs succeed"
        return f"{self.function}: unknown"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Verification(Result):
    """The answer to `verify`: inputs with which the function fails, if there are any."""

    GOOD: ClassVar[Status] = Status.UNSAT

    failure: Failure | None = None
    # What was covered, if the check had a budget.
    coverage: Coverage | None = None
    # The exceptions that are no failures, by name, with who says so.
    meant: Mapping[str, str] = field(default_factory=dict)
    # Whether only failing assertions are failures.
    assertions_only: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The failure, if there is one."""
        return findings_of(self, self.failure)

    def details(self) -> Iterator[str]:
        yield from Result.details(self)
        if self.coverage is not None and self.status is not Status.SAT:
            yield from self.coverage.lines()
        by_who: dict[str, list[str]] = {}
        for name, who in self.meant.items():
            by_who.setdefault(who, []).append(name)
        for who, names in by_who.items():
            yield f"{', '.join(names)} {'are' if names[1:] else 'is'} meant, as {who} says"
        if self.assertions_only:
            yield "only failing assertions are failures"

    def headline(self) -> str:
        if self.status is Status.SAT:
            return self.finding()
        if self.status is Status.UNSAT:
            return f"{self.function}: verified, no inputs fail"
        return f"{self.function}: unknown"

    def finding(self) -> str:
        """The failure as compilers print errors: `file:line: message when calling f(x=-1)`."""
        assert self.failure is not None
        where = place_of(self, self.failure)
        return f"{where}: {described(self.failure.exception)} when calling {self.call}"

    def as_dict(self) -> Json:
        result = Result.as_dict(self)
        if self.failure is not None:
            result["failure"] = failure_as_dict(self.failure)
        if self.coverage is not None:
            result["coverage"] = self.coverage.as_dict()
        if self.meant:
            result["raises"] = dict(self.meant)
        if self.assertions_only:
            result["assertions_only"] = True
        return result


_QUESTIONS: dict[type, str] = {Verification: "holds"}
