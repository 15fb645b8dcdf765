"""The formula of a procedure with open calls: VCGEN of section 5 of "Reachability Modulo Theories".

A call becomes the assumption that a fresh Boolean constant is true (figure 7), so that it can be
blocked, or let do anything, or be given the formula of the callee later.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvent.reach.equations import Equations, may_return
from solvent.reach.passive import CallRule, CallSite, Maker, Passive, Statement, passify, renamed
from solvent.reach.program import Call, Program, Variable
from solvent.terms import Bool
from solvent.terms.kinds import Guard, Operand
from solvent.terms.term import Term


@dataclass(frozen=True, slots=True)
class Template:
    """VCGEN(f): the formula of a procedure, and its open calls."""

    passive: Passive
    equations: Equations
    formula: Guard
    # The constants that each instance has of its own.
    inner: tuple[Term, ...]


def open_call(program: Program) -> CallRule:
    """What becomes of a call: an assumption that a fresh Boolean constant is true (figure 7)."""
    counter = iter(range(1 << 60))

    def rule(
        call: Call, known: dict[Variable, Variable], maker: Maker
    ) -> tuple[list[Statement], dict[Variable, Variable], CallSite]:
        callee = program.procedure(call.procedure)
        taken = Bool(f"call {next(counter)}")
        outputs = tuple(maker.fresh(variable) for variable in call.outputs)
        after = {variable: maker.fresh(variable) for variable in callee.modifies}
        site = CallSite(
            taken,
            call.procedure,
            tuple(renamed(value, known) for value in call.inputs),
            {variable: known[variable] for variable in program.globals},
            outputs,
            after,
            where=call.where,
        )
        new = {**after, **dict(zip(call.outputs, outputs, strict=True))}
        statement = Statement(taken, origin=call, values=tuple(new.items()), where=call.where)
        return [statement], new, site

    return rule


def template(program: Program, name: str) -> Template:
    """The formula of a procedure, made once for all its instances."""
    passive = passify(program.procedure(name), program, open_call(program), results=True)
    found = may_return(passive)
    procedure = passive.procedure
    # Constants that are no variables mean the same everywhere.
    own: list[Operand] = [*procedure.outputs, *procedure.locals, *found.constants.values()]
    for site in passive.calls:
        # A global variable that gets an output is changed twice by the call.
        own += [site.taken, *site.outputs, *site.after.values()]
    for block in passive.blocks.values():
        for statement in block.statements:
            own += [incarnation for _, incarnation in statement.values]
    shared = {*program.globals, *procedure.inputs, *passive.exit_values.values()}
    inner = tuple(one for one in dict.fromkeys(own) if isinstance(one, Term) and one not in shared)
    return Template(passive, found, found.formula, inner)
