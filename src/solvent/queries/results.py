"""What queries answer."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solvent.queries.replay import Replay, described, message_of, relative, shown
from solvent.solvers.status import Status
from solvent.terms.model import Model
from solvent.vm.report import Stats
from solvent.vm.state import Failure

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


@dataclass(frozen=True, slots=True)
class QueryStats:
    """What a query cost: the symbolic run, and the solver."""

    run: Stats
    solver: str = ""
    checks: int = 0
    solver_seconds: float = 0.0
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """The figures, for JSON."""
        return {
            "seconds": self.seconds,
            "solver": self.solver,
            "checks": self.checks,
            "solver_seconds": self.solver_seconds,
            "run": self.run.as_dict(),
        }

    def __str__(self) -> str:
        return (
            f"{self.seconds:.2f} s: {self.run.terms:,} terms and {self.run.joins:,} joins in "
            f"{self.run.seconds:.2f} s, {self.checks} checks by {self.solver or 'no solver'} in "
            f"{self.solver_seconds:.2f} s"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The answer to a query.

    `status` is that of the formula the query asks about: `sat` means that what was searched for
    exists and is in `model`, `unsat` that it does not, `unknown` that `reason` says why not.
    """

    function: str
    status: Status
    stats: QueryStats
    reason: str = ""
    model: Model | None = None
    # The inputs under the model, by the names of the parameters or of the variables around.
    inputs: Mapping[str, Any] = field(default_factory=dict)
    # The call to paste.
    call: str = ""
    # What CPython did with the plain function on these inputs.
    replay: Replay | None = None
    confirmed: bool = False
    # What was made from annotations, in words.
    derived: Mapping[str, str] = field(default_factory=dict)

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

    def details(self) -> Iterator[str]:
        """What there is to say about it, line by line."""
        if self.derived:
            spaces = "; ".join(f"{name}: {space}" for name, space in self.derived.items())
            yield f"inputs tried: {spaces}"
        if self.status is Status.UNKNOWN:
            yield f"reason: {self.reason}"
        if self.call:
            yield f"call: {self.call}"
        for name, value in self.inputs.items():
            if not self.call or name not in self.call:
                yield f"{name} = {shown(value)}"
        if self.replay is not None:
            yield f"{'confirmed' if self.confirmed else 'NOT confirmed'}: CPython {self.replay}"

    def as_dict(self) -> dict[str, Any]:
        """The answer for JSON."""
        result: dict[str, Any] = {"function": self.function, "status": str(self.status)}
        if self.status is Status.UNKNOWN:
            result["reason"] = self.reason
        if self.model is not None:
            result["inputs"] = {name: shown(value) for name, value in self.inputs.items()}
            result["call"] = self.call
            result["confirmed"] = self.confirmed
            result["replay"] = None if self.replay is None else str(self.replay)
        if self.derived:
            result["derived"] = dict(self.derived)
        result["stats"] = self.stats.as_dict()
        return result

    def __str__(self) -> str:
        return "\n  ".join([self.headline(), *self.details()])

    __repr__ = __str__

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        yield Text(self.headline(), style=f"bold {self.color()}")
        for line in self.details():
            yield Text("  " + line)
        yield Text(f"  {self.stats}", style="dim")

    def _repr_html_(self) -> str:
        rows = "".join(f"<li><code>{html.escape(line)}</code></li>" for line in self.details())
        return (
            f'<div><b style="color:{self.color()}">{html.escape(self.headline())}</b>'
            f"<ul>{rows}</ul><small>{html.escape(str(self.stats))}</small></div>"
        )

    def color(self) -> str:
        """Good, bad, or not known."""
        return {Status.SAT: "green", Status.UNSAT: "red"}.get(self.status, "yellow")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Solution(Result):
    """The answer to `solve`: inputs with which the function ends without failure."""

    value: Any = None

    def headline(self) -> str:
        if self.status is Status.SAT:
            return f"{self.function}: found inputs that succeed, with result {shown(self.value)}"
        if self.status is Status.UNSAT:
            return f"{self.function}: no inputs succeed"
        return f"{self.function}: unknown"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Verification(Result):
    """The answer to `verify`: inputs with which the function fails, if there are any."""

    failure: Failure | None = None

    @property
    def holds(self) -> bool:
        """Whether no inputs fail."""
        return self.status is Status.UNSAT

    def headline(self) -> str:
        if self.status is Status.SAT:
            return self.finding()
        if self.status is Status.UNSAT:
            return f"{self.function}: verified, no inputs fail"
        return f"{self.function}: unknown"

    def finding(self) -> str:
        """The failure as compilers print errors: `file:line: message when calling f(x=-1)`."""
        assert self.failure is not None
        where = relative(self.failure.position)
        return f"{where}: {described(self.failure.exception)} when calling {self.call}"

    def as_dict(self) -> dict[str, Any]:
        result = Result.as_dict(self)
        if self.failure is not None:
            result["failure"] = {
                "position": relative(self.failure.position),
                "exception": type(self.failure.exception).__name__,
                "message": message_of(self.failure.exception),
            }
        return result

    def color(self) -> str:
        return {Status.SAT: "red", Status.UNSAT: "green"}.get(self.status, "yellow")


_QUESTIONS: dict[type, str] = {Verification: "holds"}
