"""The encodings of a program without loops as formulas over the same inputs.

Every choice of a flat program becomes an input: what `havoc` gives is assigned from a constant, and
blocks between begin with the conditions of choices.  So the methods can be asked for which inputs
an assertion fails, and a solver whether the answers are the same.
"""

from __future__ import annotations

import linecache
from typing import Any

from solvent import assume
from solvent.lift import execute
from solvent.logic.branches import Branches, given_input
from solvent.logic.concolic import Outcome
from solvent.logic.dse import DynamicSymbolicExecution, Search, fails
from solvent.logic.flat import Flat, Tell
from solvent.logic.layers import unroll
from solvent.logic.method import Limits, Questions
from solvent.logic.ssa import encode
from solvent.reach.equations import may_fail
from solvent.reach.graphs import topological
from solvent.reach.passive import passify
from solvent.reach.program import Assert, Assign, Assume, Block, Havoc, Procedure, Program
from solvent.reach.weakest import weakest_precondition
from solvent.terms import and_, constants, not_, or_, substitute


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
    search = DynamicSymbolicExecution(stop=False).explore(flat, questions, questions.deadline)
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


def by_virtual_machine(flat: Flat) -> Any:
    """The condition under which the program fails as a Python function, run with merged states."""
    procedure = deterministic(flat)
    source = as_python(procedure)
    namespace: dict[str, Any] = {"assume": assume}
    code = compile(source, "program.py", "exec")
    linecache.cache["program.py"] = (len(source), None, source.splitlines(True), "program.py")
    exec(code, namespace)
    names = _names(procedure)
    outcome = execute(namespace["main"], *names)
    return and_(outcome.assumes, not_(outcome.asserts))


def _names(procedure: Procedure) -> dict[Any, str]:
    """A Python name for each constant that a procedure reads or assigns."""
    used: dict[Any, None] = dict.fromkeys((*procedure.inputs, *procedure.locals))
    for command in procedure.commands:
        match command:
            case Assume(condition) | Assert(condition):
                used.update(dict.fromkeys(constants(condition)))
            case Assign(targets, values):
                used.update(dict.fromkeys((*targets, *constants(*values))))
    return {variable: f"v{place}" for place, variable in enumerate(used)}


def as_python(procedure: Procedure) -> str:
    """A procedure without loops as a Python function that goes through its blocks in order."""
    names = _names(procedure)
    graph = {label: block.targets for label, block in procedure.blocks.items()}
    order = topological(graph, procedure.entry)
    numbers = {label: place for place, label in enumerate(order)}
    renaming = {variable: variable.sort(name) for variable, name in names.items()}

    def text(expression: Any) -> str:
        return str(substitute(expression, renaming))

    lines = [f"def main({', '.join(names.values())}):", "    at = 0"]
    for label in order:
        block = procedure.blocks[label]
        lines.append(f"    if at == {numbers[label]}:")
        for command in block.commands:
            match command:
                case Assume(condition):
                    lines.append(f"        assume({text(condition)})")
                case Assert(condition):
                    lines.append(f"        assert {text(condition)}")
                case Assign(targets, values):
                    left = ", ".join(names[target] for target in targets)
                    lines.append(f"        {left} = {', '.join(map(text, values))}")
        lines.append(f"        at = {_next(procedure, block, numbers, text)}")
    return "\n".join([*lines, ""])


def _next(procedure: Procedure, block: Block, numbers: Any, text: Any) -> str:
    """Where a block leads: to the first target whose first assumption holds, or else the last."""
    if not block.targets:
        return "-1"
    *others, last = block.targets
    result = str(numbers[last])
    for target in reversed(others):
        first = next(iter(procedure.blocks[target].commands), None)
        guard = text(first.condition) if isinstance(first, Assume) else "True"
        result = f"{numbers[target]} if {guard} else ({result})"
    return result
