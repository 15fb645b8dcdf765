"""What an exploration finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from solvent.explore.composing import SummaryUse
from solvent.explore.coverage import Coverage
from solvent.explore.directing import Decision
from solvent.explore.searching import End, Unexplored
from solvent.queries.replay import Replay, described, relative, shown
from solvent.queries.run import Run
from solvent.verdicts.rendering import Json
from solvent.vm.values import Guard, Value


@dataclass(frozen=True, slots=True)
class ExploredPath:
    """One path: the inputs that take it, an example of them, and what comes of it."""

    decisions: tuple[Decision, ...]
    # What is true of the inputs that take this path, and of no others.
    condition: Guard
    inputs: Mapping[str, Value]
    # The arguments of the example, by place and by name.
    args: tuple[Value, ...]
    named: Mapping[str, Value]
    call: str
    # The result with the example, as the symbolic run predicts it; `None` if it raises.
    value: Value
    exception: BaseException | None
    # What CPython did with the plain function on the example.
    replay: Replay | None
    confirmed: bool
    end: End = field(repr=False)
    # Whether CPython did the same again.
    repeatable: bool = True
    # The inputs as Python text.
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def concretized(self) -> tuple[str, ...]:
        """Where values of the example were taken for symbolic ones: nothing is known of others."""
        return self.end.concretized

    @property
    def result(self) -> Value:
        """The result as a value that may be symbolic."""
        return self.end.run.outcome.value

    @property
    def outcome(self) -> str:
        """What happens, in words."""
        if self.exception is not None:
            return f"raises {described(self.exception)}"
        return f"returns {shown(self.value)}"

    def as_dict(self) -> Json:
        """The path for JSON."""
        result: Json = {
            "condition": str(self.condition),
            "decisions": [
                {"position": relative(d.position), "condition": str(d.condition)}
                for d in self.decisions
            ],
            "inputs": {
                name: self.texts.get(name) or shown(value) for name, value in self.inputs.items()
            },
            "call": self.call,
            "outcome": self.outcome,
            "confirmed": self.confirmed,
            "replay": None if self.replay is None else str(self.replay),
        }
        if self.concretized:
            result["concretized"] = [relative(note) for note in self.concretized]
        return result

    def __str__(self) -> str:
        return f"{self.call} {self.outcome}, where {self.condition}"


@dataclass(frozen=True, slots=True)
class MergedRun:
    """The same function run once by the merging machine.

    `states` counts how it can end: normally, and with each failure; every path that is explored
    ends in one of them.
    """

    states: int
    joins: int
    unions: int
    terms: int
    seconds: float
    run: Run = field(repr=False)

    def as_dict(self) -> Json:
        """The figures for JSON."""
        return {
            "states": self.states,
            "joins": self.joins,
            "unions": self.unions,
            "terms": self.terms,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        return f"{self.states} state{'s' * (self.states != 1)} after {self.joins} joins"


@dataclass(frozen=True, slots=True)
class ExploreStats:
    """What an exploration cost."""

    runs: int
    checks: int
    solver_seconds: float
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.seconds:.2f} s: {self.runs} runs, {self.checks} checks in "
            f"{self.solver_seconds:.2f} s"
        )


@dataclass(frozen=True, slots=True)
class Exploration:
    """All paths of a function that were found."""

    function: str
    paths: tuple[ExploredPath, ...]
    # What was not followed to its end; if there is nothing, the paths are all there are.
    unexplored: tuple[Unexplored, ...]
    # What the function and the spaces of its inputs assume.
    assumed: Guard
    stats: ExploreStats
    coverage: Coverage | None = None
    # `None` unless asked for; if the function cannot be run with merging, the reason.
    merged: MergedRun | str | None = None
    summaries: tuple[SummaryUse, ...] = ()
    derived: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every input that is assumed takes one of the paths."""
        return not self.unexplored

    @property
    def confirmed(self) -> bool:
        """Whether CPython does on every example what the symbolic run says."""
        return all(path.confirmed for path in self.paths)

    def as_dict(self) -> Json:
        """The exploration for JSON."""
        result: Json = {
            "function": self.function,
            "complete": self.complete,
            "paths": [path.as_dict() for path in self.paths],
            "unexplored": [
                {"reason": u.reason, "condition": str(u.condition)} for u in self.unexplored
            ],
            "stats": {
                "runs": self.stats.runs,
                "checks": self.stats.checks,
                "solver_seconds": self.stats.solver_seconds,
                "seconds": self.stats.seconds,
            },
        }
        if self.derived:
            result["derived"] = dict(self.derived)
        if self.coverage is not None:
            result["coverage"] = self.coverage.as_dict()
        if self.merged is not None:
            found = self.merged
            result["merged"] = found if isinstance(found, str) else found.as_dict()
        if self.summaries:
            result["summaries"] = [use.as_dict() for use in self.summaries]
        return result

    def __str__(self) -> str:
        count = len(self.paths)
        extent = "all of them" if self.complete else "not all of them"
        lines = [f"{self.function}: {count} path{'s' * (count != 1)}, {extent}"]
        for path in self.paths:
            mark = "" if path.confirmed or path.replay is None else " NOT confirmed: CPython"
            lines.append(f"{path.call} {path.outcome}{f'{mark} {path.replay}' if mark else ''}")
        lines += [f"not followed: {found.reason}" for found in self.unexplored]
        if isinstance(self.merged, str):
            lines.append(f"merged: not possible, {self.merged}")
        elif self.merged is not None:
            lines.append(f"merged: {count} paths are {self.merged}")
        lines += [f"summary: {use}" for use in self.summaries]
        if self.coverage is not None:
            lines += f"coverage: {self.coverage}".split("\n  ")
        return "\n  ".join(lines)
