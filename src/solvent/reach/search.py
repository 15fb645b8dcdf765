"""Reachability of failing assertions: from a program to a verdict and a confirmed execution.

Loops become procedures, assertions an error flag, and stratified (or static) inlining searches for
an execution that leaves the first procedure with the flag set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from solvent.reach.counting import counts
from solvent.reach.errors import ERROR, failing, with_error_flag
from solvent.reach.executions import Execution, events, execution
from solvent.reach.interpreter import Confirmation, Interpreter
from solvent.reach.loops import extract
from solvent.reach.passive import renamed
from solvent.reach.program import (
    Assert,
    Assume,
    Block,
    Havoc,
    Procedure,
    Program,
    ProgramError,
)
from solvent.reach.stratified import Answer, Node, StratifiedInlining, Verdict
from solvent.terms import and_, not_
from solvent.terms.model import Model


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to; a bug comes with its execution, which has been confirmed or not."""

    verdict: Verdict
    answer: Answer
    execution: Execution | None = None
    confirmation: Confirmation | None = None

    @property
    def failed(self) -> Assert | None:
        """The assertion that fails."""
        return None if self.confirmation is None else self.confirmation.failed


DEFAULT_BOUND = 3


def search(
    program: Program,
    main: str,
    bound: int = DEFAULT_BOUND,
    *,
    static: bool = False,
    timeout: float | None = None,
    bounds: Mapping[str, int] | None = None,
) -> Found:
    """Search for a failing assertion of a procedure and of those that it calls.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> blocks = {"a": Block("a", (Havoc((x,)), Assume(x > 3), Assert(x > 4)), ())}
    >>> found = search(Program((), {"p": Procedure("p", (), (), (x,), blocks)}), "p")
    >>> found.verdict, found.confirmation.confirmed, found.execution.visits[0].steps[0].values
    (<Verdict.BUG: 'bug'>, True, {x: 4})
    """
    if not program.procedure(main).blocks:
        raise ProgramError(f"the procedure {main} has no body to search")
    source = with_bodies(program)
    bounds = {**counts(source), **(bounds or {})}
    flagged = with_error_flag(extract(source))
    if main not in failing(source):
        # There is no assertion that could fail: nothing to search for.
        flagged = replace(flagged, axioms=(*flagged.axioms, False))
    engine = StratifiedInlining(flagged, main, bound, _goal(program, main), bounds, timeout=timeout)
    try:
        answer = engine.run_static() if static else engine.run()
    finally:
        engine.close()
    if answer.verdict is not Verdict.BUG or answer.model is None:
        return Found(answer.verdict, answer)
    found = execution(answer.root, answer.model)
    return Found(answer.verdict, answer, found, confirm(source, main, found, answer.model))


def _goal(program: Program, main: str) -> Callable[[Node], Any]:
    """The flag is not set at the start, and set at the exit; the preconditions hold."""

    def goal(root: Node) -> Any:
        assert root.template is not None
        passive = root.template.passive
        required = [
            renamed(clause.condition, passive.entry_values)
            for clause in program.procedure(main).requires
        ]
        end = passive.exit_values.get(ERROR, False)
        return and_([not_(root.value(ERROR)), root.value(end), *map(root.value, required)])

    return goal


def with_bodies(program: Program) -> Program:
    """The program in which a procedure without a body does what its contract allows."""
    procedures = {
        name: procedure if procedure.blocks else _from_contract(procedure)
        for name, procedure in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def _from_contract(procedure: Procedure) -> Procedure:
    changed = (*procedure.outputs, *procedure.modifies)
    commands = (
        *((Havoc(changed, procedure.where),) if changed else ()),
        *(Assume(clause.condition, clause.where) for clause in procedure.ensures),
    )
    label = "body"
    return replace(procedure, blocks={label: Block(label, commands, (), procedure.where)})


def confirm(program: Program, main: str, found: Execution, model: Model) -> Confirmation:
    """Run the source program along an execution."""
    told = events(found, program.procedures)
    return Interpreter(program, told, {key: model[key] for key in model}).run(main)
