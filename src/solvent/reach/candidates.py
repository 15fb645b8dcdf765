"""Candidates for summaries: what the file says, and a few templates over the interface.

Contracts and loop invariants are taken for candidates, so that a wrong one does no harm.  The
templates say that a procedure does not fail, leaves variables as they were, moves them one way
only, or gives back an argument; from any state, or from one in which a Boolean variable, or one
that is compared with constants, has a certain value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from solvent.reach.errors import ERROR
from solvent.reach.loops import loop_input, loop_name, loops_of
from solvent.reach.passive import renamed
from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Procedure,
    Program,
    Variable,
    old_value,
)
from solvent.terms import (
    BoolTerm,
    Int,
    IntTerm,
    RealTerm,
    and_,
    constants,
    eq,
    implies,
    not_,
    or_,
)
from solvent.terms.arithmetic import LE
from solvent.terms.booleans import EQ
from solvent.terms.graph import reachable
from solvent.terms.kinds import Guard, Operand
from solvent.terms.sorts import BitVecSort
from solvent.terms.term import Term

# At most so many templates for one procedure, and constants that a variable is compared with.
TEMPLATES = 80
CONSTANTS = 3

Candidates = dict[str, list[Guard]]


def candidates(
    source: Program, program: Program, names: Iterable[str], given: Mapping[Variable, Operand]
) -> Candidates:
    """The candidates of some procedures of a program, which has been made from `source`.

    Some constants of the source are given a value: those that guard candidates of a contract.
    """
    found = _from_contracts(source)
    for name, more in _from_invariants(source, program).items():
        found.setdefault(name, []).extend(more)
    values = _compared(program)
    limits = _limits(source)
    away = set(source.globals).difference(program.globals)
    lost = {*away, *map(old_value, away)}
    result: Candidates = {}
    for name in names:
        procedure = program.procedure(name)
        own = [renamed(condition, given) for condition in found.get(name, ())]
        own = [one for one in own if lost.isdisjoint(constants(one))]
        templates = list(_templates(procedure, program, values, limits))[:TEMPLATES]
        result[name] = [one for one in dict.fromkeys([*own, *templates]) if isinstance(one, Term)]
    return result


# --- what the file says ------------------------------------------------------------------------


def _from_contracts(source: Program) -> Candidates:
    """If the preconditions hold, so does each postcondition; and without a failure it does."""
    before = {variable: old_value(variable) for variable in source.globals}
    result: Candidates = {}
    for name, procedure in source.procedures.items():
        required = and_([renamed(clause.condition, before) for clause in procedure.requires])
        result[name] = [implies(required, clause.condition) for clause in procedure.ensures]
        checked = [clause for clause in procedure.ensures if not clause.free]
        result[name] += [or_(ERROR, clause.condition) for clause in checked]
        if procedure.requires:
            result[name].append(implies(required, not_(ERROR)))
    return result


def _from_invariants(source: Program, program: Program) -> Candidates:
    """If an invariant holds before some iterations of a loop, it does after them."""
    before = {variable: old_value(variable) for variable in source.globals}
    olds = set(before.values())
    result: Candidates = {}
    for name, procedure in source.procedures.items():
        for loop in loops_of(procedure):
            made = program.procedures.get(loop_name(name, loop.head))
            clauses = procedure.blocks[loop.head].invariants
            if made is None or not clauses:
                continue
            start = {**before, **{variable: loop_input(variable) for variable in made.outputs}}
            # In a loop procedure `old` would mean the start of the loop.
            usable = [
                clause.condition
                for clause in clauses
                if olds.isdisjoint(constants(clause.condition))
            ]
            together = and_([renamed(condition, start) for condition in usable])
            result[made.name] = [implies(together, condition) for condition in usable]
    return result


# --- templates ---------------------------------------------------------------------------------


def _templates(
    procedure: Procedure,
    program: Program,
    values: Mapping[Variable, list[Operand]],
    limits: Sequence[int],
) -> Iterator[Guard]:
    changed = {variable for variable in procedure.modifies if variable is not ERROR}
    ends = [fact for v in program.globals if v in changed for fact in _ends(v, values)]
    if ERROR in set(procedure.modifies):
        # Procedures are called only where the flag is not set.
        ends.insert(0, not_(ERROR))
    starts = [fact for v in program.globals if v is not ERROR for fact in _starts(v, values)]
    yield from ends
    yield from _results(procedure)
    for start in starts:
        yield from (implies(start, end) for end in ends)
    if ERROR in set(procedure.modifies):
        for start in _within(procedure, program, limits):
            yield implies(start, not_(ERROR))


def _starts(variable: Variable, values: Mapping[Variable, list[Operand]]) -> Iterator[Guard]:
    """What may be so before a call."""
    old = old_value(variable)
    if isinstance(old, BoolTerm):
        yield from (old, not_(old))
    yield from (eq(old, value) for value in values.get(variable, ()))


def _within(procedure: Procedure, program: Program, limits: Sequence[int]) -> Iterator[Guard]:
    """What may bound integers before a call, if it is not to fail."""
    numbers = [one for one in procedure.inputs if isinstance(one, IntTerm)]
    numbers += [old_value(one) for one in program.globals if isinstance(one, IntTerm)]
    for number in numbers:
        for limit in limits:
            yield from (number <= limit, number > limit)


def _ends(variable: Variable, values: Mapping[Variable, list[Operand]]) -> Iterator[Guard]:
    """What may be so after a call."""
    old = old_value(variable)
    yield eq(variable, old)
    if isinstance(variable, BoolTerm) and isinstance(old, BoolTerm):
        yield from (variable, not_(variable), implies(old, variable), implies(variable, old))
    elif isinstance(variable, IntTerm | RealTerm) and isinstance(old, IntTerm | RealTerm):
        yield from (variable >= old, variable <= old)
    yield from (eq(variable, value) for value in values.get(variable, ()))


def _results(procedure: Procedure) -> Iterator[Guard]:
    """How the outputs may depend on the inputs."""
    for output in procedure.outputs:
        if isinstance(output, BoolTerm):
            yield from (output, not_(output))
        elif isinstance(output, IntTerm | RealTerm):
            yield output >= 0
        for one in procedure.inputs:
            if one.sort is not output.sort:
                continue
            yield eq(output, one)
            if isinstance(one, IntTerm | RealTerm) and isinstance(output, IntTerm | RealTerm):
                yield from (output >= one, output <= one)


def _compared(program: Program) -> dict[Variable, list[Operand]]:
    """The constants that global variables are compared with or set to, the commonest first."""
    found: dict[Variable, Counter[Operand]] = {
        variable: Counter()
        for variable in program.globals
        if variable.sort is Int or isinstance(variable.sort, BitVecSort)
    }
    for procedure in program.procedures.values():
        for command in procedure.commands:
            match command:
                case Assume(condition) | Assert(condition):
                    for term in reachable([condition]):
                        if term.op is EQ:
                            _count(found, *term.key[1:])
                case Assign(targets, values):
                    for target, value in zip(targets, values, strict=True):
                        _count(found, target, value)
    return {
        variable: [value for value, _ in counter.most_common(CONSTANTS)]
        for variable, counter in found.items()
    }


def _limits(source: Program) -> list[int]:
    """The integers that assertions compare with, the commonest first."""
    found: Counter[int] = Counter()
    for procedure in source.procedures.values():
        for command in procedure.commands:
            if isinstance(command, Assert):
                for term in reachable([command.condition]):
                    if term.op is LE:
                        found.update(one for one in term.key[1:] if type(one) is int)
    return [limit for limit, _ in found.most_common(CONSTANTS)]


def _count(found: Mapping[Variable, Counter[Operand]], left: Operand, right: Operand) -> None:
    for variable, value in ((left, right), (right, left)):
        if isinstance(variable, Term) and variable in found and not isinstance(value, Term):
            found[variable][value] += 1
