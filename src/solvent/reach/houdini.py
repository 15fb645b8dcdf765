"""Houdini: which candidates of contracts and invariants hold together.

Candidates are guarded by Boolean constants: `ensures b ==> e`.  All guards are taken to be true; an
assertion that fails although its guard is true takes the guard away, until none fails any more.
What is left is the strongest inductive set of candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from solvent.reach.graphs import components
from solvent.reach.modular import Verification, Violation, passive_form
from solvent.reach.program import Program
from solvent.terms import BoolTerm


@dataclass(frozen=True, slots=True)
class Inferred:
    """The guards with their values, what still fails with them, and why a solver gave up."""

    guards: dict[BoolTerm, bool]
    violations: dict[str, tuple[Violation, ...]]
    reasons: dict[str, str]
    checks: int


def infer(
    program: Program,
    candidates: Iterable[BoolTerm],
    names: Sequence[str] | None = None,
    timeout: float | None = None,
    begin: Callable[[str], object] = lambda name: None,
) -> Inferred:
    """Find the values of guards, and verify the procedures with them; `begin` is told of each.

    >>> from solvent.reach.program import Assert, Block, Procedure
    >>> from solvent.terms import Bool, Int, implies
    >>> x, right, wrong = Int("x"), Bool("right"), Bool("wrong")
    >>> commands = (Assert(implies(right, x * x >= 0)), Assert(implies(wrong, x > 0)))
    >>> p = Procedure("p", (x,), blocks={"a": Block("a", commands, ())})
    >>> infer(Program((), {"p": p}), [right, wrong]).guards
    {right: True, wrong: False}
    """
    guards = dict.fromkeys(candidates, True)
    chosen = names if names is not None else [n for n, p in program.procedures.items() if p.blocks]
    open_: dict[str, Verification] = {}
    callers = _callers(program)
    # Procedures are verified again when a guard of a contract that they rely on is lost.
    waiting = dict.fromkeys(_bottom_up(program, chosen))
    violations: dict[str, tuple[Violation, ...]] = {}
    reasons: dict[str, str] = {}
    try:
        while waiting:
            name = next(iter(waiting))
            del waiting[name]
            begin(name)
            if name not in open_:
                open_[name] = Verification(program, passive_form(program, name), timeout=timeout)
            found, lost = open_[name].under(guards)
            if lost:
                again = [name, *callers.get(name, ()), *_called(program, name)]
                waiting.update(dict.fromkeys(one for one in again if one in chosen))
            violations[name], reasons[name] = found.violations, found.reason
        checks = sum(one.checks for one in open_.values())
    finally:
        for one in open_.values():
            one.close()
    return Inferred(guards, violations, {n: r for n, r in reasons.items() if r}, checks)


def _callers(program: Program) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, procedure in program.procedures.items():
        for call in procedure.calls:
            found.setdefault(call.procedure, []).append(name)
    return found


def _called(program: Program, name: str) -> list[str]:
    return [call.procedure for call in program.procedures[name].calls]


def _bottom_up(program: Program, names: Sequence[str]) -> list[str]:
    """Callees before their callers, which may lose what they relied on."""
    graph = {
        name: [call.procedure for call in procedure.calls if call.procedure in program.procedures]
        for name, procedure in program.procedures.items()
    }
    wanted = set(names)
    return [name for part in components(graph) for name in part if name in wanted]
