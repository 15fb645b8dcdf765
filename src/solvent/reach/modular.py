"""Modular verification: each procedure against contracts, loops by their invariants.

A procedure is passified, with calls replaced by what the contract of the callee says, and turned
into block equations (figure 2 of "From Program to Logic").  A model of their negation is a failing
execution.  For more errors the assertion that failed is taken out, and the same solver is asked
again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from solvent.reach.equations import Equations, may_fail
from solvent.reach.loops import cut, unroll
from solvent.reach.objectives import best, objectives, wanted
from solvent.reach.passive import CallRule, Maker, Passive, Statement, passify, renamed
from solvent.reach.program import (
    POSTCONDITION,
    PRECONDITION,
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Clause,
    Position,
    Procedure,
    Program,
    Variable,
    has_quantifiers,
    is_aside,
    old_value,
)
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import Bool, BoolTerm, and_, constants, eq, not_
from solvent.terms.kinds import Concrete, Guard, Operand
from solvent.terms.model import Model
from solvent.verdicts import Answer, Finding, Verdict

DEFAULT_ERRORS = 5


@dataclass(frozen=True, slots=True)
class Value:
    """A variable and what it is after a step of a trace."""

    where: Position
    variable: Variable
    value: Concrete


@dataclass(frozen=True, slots=True)
class Violation:
    """An assertion that fails, and how: the blocks, and the values given on the way.

    There is no execution of the whole program that could confirm it.
    """

    message: str
    where: Position
    related: tuple[tuple[Position, str], ...]
    blocks: tuple[tuple[Position, str], ...]
    inputs: tuple[tuple[Variable, Concrete], ...]
    values: tuple[Value, ...]

    def finding(self) -> Finding:
        """The violation in the words of all engines."""
        file, line, _ = self.where
        inputs = {str(variable): str(value) for variable, value in self.inputs}
        trace = tuple(f"{where}: {label}" for where, label in self.blocks)
        return Finding(self.message, file, line, inputs, trace)


@dataclass(frozen=True, slots=True)
class ProcedureAnswer(Answer):
    """What the verification of a procedure came to; a reason says why the solver gave up."""

    procedure: str
    violations: tuple[Violation, ...] = ()
    checks: int = 0

    @classmethod
    def of(
        cls,
        procedure: str,
        violations: tuple[Violation, ...] = (),
        reason: str = "",
        checks: int = 0,
        seconds: float = 0.0,
    ) -> ProcedureAnswer:
        """The answer that violations, or a solver that gave up, amount to."""
        verdict = Verdict.UNKNOWN if reason else Verdict.HOLDS
        return cls(
            procedure,
            violations,
            checks,
            verdict=Verdict.VIOLATED if violations else verdict,
            reason=reason,
            seconds=seconds,
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The violations."""
        return tuple(one.finding() for one in self.violations)


# --- contracts ---------------------------------------------------------------------------------


def by_contract(program: Program) -> CallRule:
    """What becomes of a call: the callee's preconditions are asserted, its postconditions hold."""

    def rule(
        call: Call, known: dict[Variable, Variable], maker: Maker
    ) -> tuple[list[Statement], dict[Variable, Variable], None]:
        callee = program.procedure(call.procedure)
        inputs = [renamed(value, known) for value in call.inputs]
        # The contract knows only these; the caller may have variables of the same names.
        before: dict[Variable, Operand] = {g: known[g] for g in program.globals}
        before.update(zip(callee.inputs, inputs, strict=True))
        changed = {g: maker.fresh(g) for g in callee.modifies}
        given = {v: maker.fresh(v) for v in call.outputs}
        after = {**before, **{old_value(g): known[g] for g in program.globals}, **changed}
        after.update(zip(callee.outputs, given.values(), strict=True))
        new = {**changed, **given}
        statements = [
            _precondition(clause, renamed(clause.condition, before), call)
            for clause in callee.requires
            if clause.always or not (clause.free or call.free)
        ]
        statements.append(Statement(True, origin=call, values=tuple(new.items()), where=call.where))
        statements += [
            Statement(renamed(clause.assumption, after), origin=call, where=call.where)
            for clause in callee.ensures
        ]
        return statements, new, None

    return rule


def _is_aim_before(statement: Statement, variable: Variable) -> bool:
    """Whether a variable is an objective that has no value yet."""
    return not isinstance(statement.origin, Assign) and wanted(variable.name) is not None


def _precondition(clause: Clause, condition: Guard, call: Call) -> Statement:
    if clause.free:
        return Statement(condition, origin=call, where=call.where)
    related = ((clause.where, "This is the precondition that might not hold."),)
    aside = is_aside(call.subsumption, clause.condition)
    return Statement(condition, True, call, (), PRECONDITION, call.where, related, aside)


def with_contract(procedure: Procedure) -> Procedure:
    """The procedure that assumes its preconditions at first and asserts its postconditions."""
    start = tuple(Assume(clause.assumption, clause.where) for clause in procedure.requires)
    blocks = {
        label: block if block.targets else _checked(block, procedure.ensures)
        for label, block in procedure.blocks.items()
    }
    label = f"{procedure.entry}~requires"
    entry = Block(label, start, (procedure.entry,), procedure.where, source="")
    return replace(procedure, blocks={label: entry, **blocks})


def _checked(block: Block, ensures: Iterable[Clause]) -> Block:
    checks = tuple(
        Assume(clause.assumption, block.end)
        if clause.free
        else Assert(
            clause.condition,
            block.end,
            POSTCONDITION,
            ((clause.where, "This is the postcondition that might not hold."),),
            clause.aside,
        )
        for clause in ensures
        if clause.always or not clause.free
    )
    return replace(block, commands=(*block.commands, *checks))


# --- verification ------------------------------------------------------------------------------


def passive_form(program: Program, name: str, unrolled: int | None = None) -> Passive:
    """A procedure as modular verification reads it: with its contract, without loops and calls."""
    procedure = program.procedure(name)
    acyclic = cut(procedure, program) if unrolled is None else unroll(procedure, unrolled)
    passive = passify(with_contract(acyclic), program, by_contract(program))
    return selected(passive) if procedure.selective else passive


def selected(passive: Passive) -> Passive:
    """The passive form in which only what comes after a start of checking is checked.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> body = (Assert(x > 0), Assume(True, starts=True), Assert(x > 1))
    >>> one = Procedure("p", (x,), blocks={"a": Block("a", body, ())}, selective=True)
    >>> print(passive_form(Program((), {"p": one}), "p").blocks["a"])
    a:
      assume x > 0;
      assume True;
      assert x > 1;
      return;
    """
    checking: set[str] = set()
    blocks = {}
    # In topological order: what leads to a block comes before it.
    for label, block in passive.blocks.items():
        statements = []
        inside = label in checking
        for found in block.statements:
            inside = inside or (isinstance(found.origin, Assume) and found.origin.starts)
            statements.append(found if inside else replace(found, is_assert=False))
        if inside:
            checking.update(block.targets)
        blocks[label] = replace(block, statements=tuple(statements))
    return replace(passive, blocks=blocks)


def verify(
    program: Program,
    name: str,
    *,
    unrolled: int | None = None,
    errors: int | None = DEFAULT_ERRORS,
    timeout: float | None = None,
    settings: Sequence[str] = (),
) -> ProcedureAnswer:
    """Verify a procedure; `errors` is how many are sought, None for all.

    There may be `settings` of Z3, such as `rlimit=100000`, which is asked alone then.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> body = {"a": Block("a", (Assume(x > 3), Assert(x > 4), Assert(x > 2)), ())}
    >>> found = verify(Program((), {"p": Procedure("p", (x,), blocks=body)}), "p")
    >>> [(violation.message, violation.inputs) for violation in found.violations]
    [('This assertion might not hold.', ((x, 4),))]
    """
    found = Verification(program, passive_form(program, name, unrolled), errors, timeout, settings)
    try:
        return found.run()
    finally:
        found.close()


class Verification:
    """The verification of one procedure, with one solver for all its questions."""

    def __init__(
        self,
        program: Program,
        passive: Passive,
        errors: int | None = DEFAULT_ERRORS,
        timeout: float | None = None,
        settings: Sequence[str] = (),
    ) -> None:
        self.program = program
        self.passive = passive
        self.errors = errors
        self.timeout = timeout
        asserts = [
            statement
            for block in passive.blocks.values()
            for statement in block.statements
            if statement.is_assert
        ]
        self.skips = {
            id(statement): Bool(f"skip {place}") for place, statement in enumerate(asserts)
        }
        # A condition with quantifiers cannot be evaluated under a model, but a name for it can.
        self.names = {
            id(statement): Bool(f"holds {place}")
            for place, statement in enumerate(asserts)
            if has_quantifiers(statement.condition)
        }
        self.equations: Equations = may_fail(passive, self.skips, self.names)
        self.skipped: set[int] = set()
        self.checks = 0
        named = [
            eq(self.names[id(statement)], statement.condition)
            for statement in asserts
            if id(statement) in self.names
        ]
        formula = and_([self.equations.formula, *named])
        if has_quantifiers(formula) or any(map(has_quantifiers, program.axioms)):
            # As for Boogie: what the triggers do not prove counts as an error.
            self.solver = Solver(" ".join(["z3:triggers", *settings]), timeout=timeout)
        elif settings:
            self.solver = Solver(" ".join(["z3:", *settings]), timeout=timeout)
        else:
            self.solver = Solver.for_query([formula, *program.axioms], timeout=timeout)
        self.solver.add(*program.axioms, formula)

    def close(self) -> None:
        """Let the solver go."""
        self.solver.close()

    def run(self) -> ProcedureAnswer:
        """All errors, up to the limit."""
        found, _ = self.under({})
        return found

    def under(self, guards: dict[BoolTerm, bool]) -> tuple[ProcedureAnswer, list[BoolTerm]]:
        """All errors under values of guards; those that depend on a true guard take it away."""
        started = time.monotonic()
        found: list[Violation] = []
        lost: list[BoolTerm] = []
        reason = ""
        self.skipped = set()
        while self.errors is None or len(found) < self.errors:
            known = [guard if value else not_(guard) for guard, value in guards.items()]
            status = self.solver.check_for_model(*known, *self.assumptions())
            self.checks += 1
            model = self.solver.model() if status is Status.SAT else self.solver.candidate()
            if status is Status.UNKNOWN and model is None:
                reason = self.solver.reason or "unknown"
            if model is None:
                break
            described = self.violation(model)
            if described is None:
                reason = self.solver.reason or "unknown"
                break
            violation, statement = described
            guilty = [
                one
                for one in constants(statement.condition)
                if isinstance(one, BoolTerm) and guards.get(one, False)
            ]
            if guilty:
                guards.update(dict.fromkeys(guilty, False))
                lost += guilty
                self.skipped.discard(id(statement))
            else:
                found.append(self.best(violation, statement, model, known))
        seconds = time.monotonic() - started
        name = self.passive.procedure.name
        return ProcedureAnswer.of(name, tuple(found), reason, self.checks, seconds), lost

    def assumptions(self) -> list[Guard]:
        """Which assertions may fail."""
        return [skip if key in self.skipped else not_(skip) for key, skip in self.skips.items()]

    def best(
        self, found: Violation, statement: Statement, model: Model, known: Sequence[Guard]
    ) -> Violation:
        """The violation of the same assertion with the best values of objectives, if any."""
        goals = objectives([self.passive.blocks[label] for label in self.path(model)], statement)
        if not goals:
            return found
        self.skipped.discard(id(statement))
        only = [not_(skip) if key == id(statement) else skip for key, skip in self.skips.items()]
        better = best([*self.solver.assertions, *known, *only], goals, self.timeout)
        described = None if better is None else self.violation(better)
        self.skipped.add(id(statement))
        if better is None or described is None or described[1] is not statement:
            return found
        taken = [self.passive.blocks[label] for label in self.path(better)]
        # Where another way leads to the failure, the objectives on the first one say nothing.
        return described[0] if objectives(taken, statement) == goals else found

    def path(self, model: Model) -> list[str]:
        """The blocks through which the failing execution of a model goes, and perhaps more."""
        labels = [self.passive.entry]
        while True:
            targets = self.passive.blocks[labels[-1]].targets
            label = next((t for t in targets if self.may_fail_after(t, model)), None)
            if label is None:
                return labels
            labels.append(label)

    def violation(self, model: Model) -> tuple[Violation, Statement] | None:
        """The failing execution of a model; its assertion may not fail again.

        With what a solver was left with when it gave up there need not be one.
        """
        blocks: list[tuple[Position, str]] = []
        values: list[Value] = []
        label: str | None = self.passive.entry
        while label is not None:
            block = self.passive.blocks[label]
            blocks.append((block.where, label))
            for statement in block.statements:
                if statement.is_assert and self.fails(statement, model):
                    self.skipped.add(id(statement))
                    return self.described(statement, blocks, values, model), statement
                values += [
                    Value(statement.where, variable, model.evaluate(incarnation))
                    for variable, incarnation in statement.values
                    if statement.origin is not None and not _is_aim_before(statement, variable)
                ]
            label = next((t for t in block.targets if self.may_fail_after(t, model)), None)
        return None

    def fails(self, statement: Statement, model: Model) -> bool:
        """Whether an assertion fails that may."""
        named = id(statement) in self.names
        condition = self.names[id(statement)] if named else statement.condition
        holds = model.evaluate(condition) is True
        return not holds and id(statement) not in self.skipped

    def may_fail_after(self, label: str, model: Model) -> bool:
        """Whether the execution goes on to a block."""
        return model.evaluate(self.equations.constants[label]) is False

    def described(
        self,
        statement: Statement,
        blocks: list[tuple[Position, str]],
        values: list[Value],
        model: Model,
    ) -> Violation:
        """The violation in words."""
        procedure = self.passive.procedure
        start: Mapping[Variable, Operand] = self.passive.entry_values
        inputs = tuple(
            (variable, model.evaluate(start[variable]))
            for variable in (*self.program.globals, *procedure.inputs)
        )
        shown = tuple((where, label) for where, label in blocks if self.is_source(label))
        return Violation(
            statement.message, statement.where, statement.related, shown, inputs, tuple(values)
        )

    def is_source(self, label: str) -> bool:
        """Whether a block is one of the source program."""
        block = self.passive.procedure.blocks.get(label)
        return block is not None and bool(block.original)
