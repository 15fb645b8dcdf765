"""Loops and recursion by constrained Horn clauses: the unbounded engine of section 3.

The set of states at a block is an unknown predicate over its variables; each way from one block to
another is a clause, and so is what may never happen.  A solution of the clauses is an invariant for
each block.  Spacer, which is part of Z3, looks for one; if there is none, the error can be reached.
A recursive procedure has a predicate for its blocks too, over its variables and what the global
variables were at its entry, and one for what it returns: its summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from solvent.logic import notation
from solvent.logic.flat import Flat, FlatBlock, flatten, recursive
from solvent.logic.method import Questions
from solvent.reach.passive import renamed
from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Call,
    Havoc,
    Program,
    Variable,
    has_quantifiers,
)
from solvent.solvers import portfolio
from solvent.solvers.status import Status
from solvent.terms import (
    Bool,
    BoolTerm,
    Function,
    and_,
    applied_functions,
    constants,
    forall,
    implies,
    not_,
)
from solvent.terms.functions import APPLY
from solvent.terms.kinds import Guard, Operand
from solvent.terms.term import Term
from solvent.verdicts import Answer, Verdict

SOLVERS = ("z3:HORN", "z3:HORN-global")


@dataclass(slots=True)
class _Unit:
    """A procedure of its own: the first one, or a recursive one with its entry and summary."""

    flat: Flat
    # Whether it is called, so that it has a summary.
    called: bool = False
    # What the global variables were at the entry; they never change.
    entered: dict[Variable, Variable] = field(default_factory=dict)
    live: dict[str, list[Variable]] = field(default_factory=dict)


class HornClauses:
    """The clauses of a program."""

    def __init__(self, program: Program, main: str, questions: Questions) -> None:
        self.questions = questions
        self.program = program
        self.clauses: list[Guard] = []
        # The same as they are read.
        self.rules: list[str] = []
        # The predicates that are about nothing, which are constants but not bound.
        self.propositions: set[Term] = set()
        self.fresh = iter(range(1 << 60))
        self.main = main
        first = flatten(program, main, keep=recursive(program))
        self.source = first.source
        self.kept = recursive(first.source)
        self.units = {main: _Unit(first)}
        # The first procedure may be called again, without its preconditions.
        names = {name: f"{name} again" if name == main else name for name in self.kept}
        self.again = names
        for name, copy in names.items():
            flat = flatten(_without_requires(first.source, name), name, keep=self.kept)
            entered = {g: g.sort(f"{g.name} entered") for g in self.source.globals}
            self.units[copy] = _Unit(flat, True, entered)
        self.rigid = self._rigid()
        for unit in self.units.values():
            unit.live = live(unit.flat, self.returned(unit))

    # --- what the predicates are about ---

    def _rigid(self) -> list[Term]:
        """The constants that are no variables: they mean the same everywhere."""
        terms: list[Operand] = list(self.source.axioms)
        variables: set[Variable] = set()
        for unit in self.units.values():
            variables.update(unit.flat.inputs, unit.flat.variables)
            for block in unit.flat.blocks.values():
                for step in block.commands:
                    terms += _terms(step)
        return [one for one in constants(*terms) if one not in variables]

    def returned(self, unit: _Unit) -> list[Variable]:
        """What a procedure gives back."""
        if not unit.called:
            return []
        procedure = self.source.procedure(unit.flat.main)
        return [*procedure.outputs, *procedure.modifies]

    def at(self, name: str, label: str, store: Mapping[Variable, Operand]) -> BoolTerm:
        """The predicate of a block, for some values."""
        unit = self.units[name]
        names = [*self.rigid, *unit.flat.inputs, *unit.entered.values(), *unit.live[label]]
        return self.applied(f"{name}.{label}", names, [store.get(one, one) for one in names])

    def summary(
        self,
        name: str,
        inputs: Sequence[Operand],
        before: Sequence[Operand],
        after: Sequence[Operand],
    ) -> BoolTerm:
        """The summary of a recursive procedure, for some values."""
        unit = self.units[self.again[name]]
        names = [*self.rigid, *unit.flat.inputs, *self.source.globals, *self.returned(unit)]
        values = [*self.rigid, *inputs, *before, *after]
        return self.applied(f"{name} returns", names, values)

    def applied(
        self, name: str, variables: Sequence[Variable], values: Sequence[Operand]
    ) -> BoolTerm:
        """An unknown predicate, applied to values."""
        if variables:
            found: BoolTerm = Function(name, [one.sort for one in variables], Bool)(*values)
            return found
        self.propositions.add(Bool(name))
        return Bool(name)

    # --- clauses ---

    def run(self, seconds: float) -> Answer:
        """Ask Spacer for a solution."""
        problem = self.problem()
        if problem:
            return Answer(reason=problem)
        self.build()
        self.questions.measure(*self.clauses)
        self.questions.statistics.calls += 1
        with portfolio(SOLVERS, timeout=seconds) as solver:
            solver.add(*self.clauses)
            status = solver.check()
            reason = solver.reason
        if status is Status.SAT:
            reason = f"the {len(self.clauses)} Horn clauses have a solution"
            return Answer(verdict=Verdict.HOLDS, reason=reason)
        if status is Status.UNSAT:
            return Answer(verdict=Verdict.VIOLATED, reason="the Horn clauses have no solution")
        return Answer(reason=f"no solution of the Horn clauses was found: {reason}")

    def problem(self) -> str:
        """Why there are no Horn clauses for a program, if so."""
        terms: list[Operand] = list(self.source.axioms)
        for unit in self.units.values():
            for block in unit.flat.blocks.values():
                for step in block.commands:
                    terms += _terms(step)
        if any(map(has_quantifiers, terms)):
            return "Horn clauses cannot have quantifiers inside"
        if applied_functions(*terms):
            return "Horn clauses cannot have uninterpreted functions"
        return ""

    def build(self) -> list[Guard]:
        """All clauses."""
        main = self.units[self.main]
        self.add(self.source.axioms, self.at(self.main, main.flat.entry, {}))
        for name, unit in self.units.items():
            for block in unit.flat.blocks.values():
                self.block(name, unit, block)
        return self.clauses

    def add(self, conditions: Iterable[Guard], then: Guard) -> None:
        """The clause that the conditions imply something."""
        given = [one for one in conditions if one is not True]
        clause = implies(and_(given), then)
        if clause is not True:
            bound = [one for one in constants(clause) if one not in self.propositions]
            self.clauses.append(forall(bound, clause))
            parts = [_text(one) for one in (*given, then)]
            self.rules.append(f"{' ∧ '.join(parts[:-1]) or 'true'} ⇒ {parts[-1]}")

    def block(self, name: str, unit: _Unit, block: FlatBlock) -> None:
        """The clauses of one block: its failures, calls, and ways to others."""
        store: dict[Variable, Operand] = {}
        path: list[Guard] = [self.at(name, block.label, store)]
        for step in block.commands:
            match step:
                case Assume(condition):
                    path.append(renamed(condition, store))
                case Assert(condition):
                    term = renamed(condition, store)
                    self.add([*path, not_(term)], False)
                    path.append(term)
                case Assign(targets, values):
                    found = [renamed(value, store) for value in values]
                    store.update(zip(targets, found, strict=True))
                case Havoc(variables):
                    store.update({v: self.new(v) for v in variables})
                case Call():
                    self.call(step, store, path)
        for target in block.targets:
            self.add(path, self.at(name, target, store))
        if not block.targets and unit.called:
            results = [store.get(v, v) for v in self.returned(unit)]
            before = [unit.entered[g] for g in self.source.globals]
            self.add(path, self.summary(unit.flat.main, unit.flat.inputs, before, results))

    def call(self, call: Call, store: dict[Variable, Operand], path: list[Guard]) -> None:
        """The callee may be entered with these values, and returns what its summary says."""
        callee = self.source.procedure(call.procedure)
        name = self.again[call.procedure]
        unit = self.units[name]
        inputs = [renamed(value, store) for value in call.inputs]
        before = [store.get(g, g) for g in self.source.globals]
        start: dict[Variable, Operand] = {v: self.new(v) for v in unit.flat.variables}
        start.update(zip(callee.inputs, inputs, strict=True))
        start.update(zip(self.source.globals, before, strict=True))
        start.update(zip(unit.entered.values(), before, strict=True))
        self.add(path, self.at(name, unit.flat.entry, start))
        outputs = [self.new(v) for v in callee.outputs]
        modified = {g: self.new(g) for g in callee.modifies}
        after = [*outputs, *modified.values()]
        path.append(self.summary(callee.name, inputs, before, after))
        store.update(modified)
        store.update(zip(call.outputs, outputs, strict=True))

    def new(self, variable: Variable) -> Variable:
        """A constant that a clause binds."""
        return variable.sort(f"{variable.name} {next(self.fresh)}")


def _without_requires(program: Program, name: str) -> Program:
    changed = replace(program.procedure(name), requires=())
    return replace(program, procedures={**program.procedures, name: changed})


def _text(formula: Operand) -> str:
    """A condition or a predicate of a rule."""
    if isinstance(formula, Term) and formula.op.base is APPLY:
        return str(formula)
    text = notation.literal(formula)
    return f"({text})" if " " in text else text


def _terms(step: object) -> list[Operand]:
    match step:
        case Assume(condition) | Assert(condition):
            return [condition]
        case Assign(_, values):
            return list(values)
        case Call(inputs=inputs):
            return list(inputs)
        case _:
            return []


def live(flat: Flat, at_exit: Iterable[Variable]) -> dict[str, list[Variable]]:
    """For each block the variables whose values may still be used, in the order of the program."""
    known = set(flat.variables)
    everything = set(flat.source.globals)
    found: dict[str, set[Variable]] = {label: set() for label in flat.blocks}
    changed = True
    while changed:
        changed = False
        for label, block in [*flat.blocks.items()][::-1]:
            now: set[Variable] = set(at_exit) if not block.targets else set()
            for target in block.targets:
                now |= found[target]
            for step in reversed(block.commands):
                match step:
                    case Assign(targets):
                        now -= set(targets)
                    case Havoc(variables):
                        now -= set(variables)
                    case Call(outputs=outputs):
                        now -= set(outputs)
                        now |= everything
                now |= {one for one in constants(*_terms(step)) if one in known}
            if now != found[label]:
                found[label], changed = now, True
    return {label: [v for v in flat.variables if v in live] for label, live in found.items()}
