"""The encodings of a program without loops as formulas over the same inputs.

Every choice of a flat program becomes an input: what `havoc` gives is assigned from a constant, and
blocks between begin with the conditions of choices.  So the methods can be asked for which inputs
an assertion fails, and a solver whether the answers are the same.
"""

from __future__ import annotations

from typing import Any

from solvent.logic.branches import Branches, given_input
from solvent.logic.concolic import Outcome
from solvent.logic.dse import DynamicSymbolicExecution, Search, fails
from solvent.logic.flat import Flat, Tell
from solvent.logic.layers import unroll
from solvent.logic.method import Limits, Questions
from solvent.logic.ssa import encode
from solvent.reach.equations import may_fail
from solvent.reach.passive import passify
from solvent.reach.program import Assign, Assume, Block, Havoc, Procedure, Program
from solvent.reach.weakest import weakest_precondition
from solvent.terms import not_, or_, substitute


def deterministic(flat: Flat) -> Procedure:
    """A flat program as a procedure in which inputs make all choices."""
    branches = Branches(flat.blocks)
    blocks: dict[str, Block] = {}
    for label, block in flat.blocks.items():
        commands: list[Any] = []
        place = 0
        for step in block.steps:
            if isinstance(step, Havoc):
                values = tuple(given_input(v, label, place) for v in step.variables)
                commands.append(Assign(step.variables, values))
                place += 1
            elif not isinstance(step, Tell):
                commands.append(step)
        targets = []
        for edge in branches.edges(label):
            between = f"{label}=>{edge.target}" if edge.chosen else edge.target
            targets.append(between)
            if edge.chosen:
                blocks[between] = Block(between, (Assume(edge.condition),), (edge.target,))
        blocks[label] = Block(label, tuple(commands), tuple(targets))
    ordered = {flat.entry: blocks[flat.entry], **blocks}
    return Procedure(flat.main, flat.inputs, (), flat.variables, ordered)


def by_paths(flat: Flat, seconds: float = 5) -> tuple[Search, Any]:
    """The disjunction of the failing paths, after all paths have been executed."""
    questions = Questions(Limits(seconds))
    search = DynamicSymbolicExecution(stop=False).explore(flat, questions)
    assert all(run.outcome is not Outcome.UNWOUND for run in search.runs)
    return search, or_(fails(search))


def by_equations(flat: Flat) -> Any:
    """The negation of the verification condition; incarnations are constants of their own."""
    procedure = deterministic(flat)
    return may_fail(passify(procedure, Program((), {procedure.name: procedure}))).formula


def by_weakest_precondition(flat: Flat) -> Any:
    """The same over inputs only, by Dijkstra's transformer."""
    return not_(weakest_precondition(deterministic(flat).blocks))


def by_versions(flat: Flat) -> tuple[Any, Any]:
    """C, which defines all versions, and the negation of P."""
    encoding = encode(unroll(flat, 0))
    first = {version: variable for variable, version in encoding.first.items()}
    assumptions = [substitute(one, first) for one in encoding.assumptions]
    return assumptions, not_(substitute(_all(encoding.assertions), first))


def _all(conditions: list[Any]) -> Any:
    return not_(or_([not_(one) for one in conditions]))
