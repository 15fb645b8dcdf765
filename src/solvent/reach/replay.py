"""Following an execution through another program with the same blocks and calls.

An execution of an abstract program need not be one of the program.  Along its path every command
of the program is a fact about incarnations; if the facts are satisfiable, the execution is real,
and otherwise those that are not satisfiable together say what the abstraction has to know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from solvent.depth import deep_recursion
from solvent.errors import SolverError
from solvent.reach.efforts import ENDLESS, efforts, is_exhausted, prefers_facts, solver_at
from solvent.reach.executions import Execution, Step, Visit
from solvent.reach.passive import renamed
from solvent.reach.program import (
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Havoc,
    Procedure,
    Program,
    Variable,
    has_quantifiers,
    old_value,
)
from solvent.solvers import Solver
from solvent.solvers.status import Status
from solvent.terms import Bool, conjuncts, constants, eq, implies
from solvent.terms.kinds import Guard, Operand
from solvent.terms.model import Model
from solvent.terms.term import Term
from solvent.verdicts import Deadline


@dataclass(frozen=True, slots=True)
class Fact:
    """What a command says about incarnations, and the variables that it is about."""

    condition: Guard
    about: frozenset[Variable]


@dataclass(frozen=True, slots=True)
class Replayed:
    """Whether an execution is real; if so with its values, else what excludes it."""

    status: Status
    execution: Execution | None = None
    model: Model | None = None
    # The variables in the facts that contradict each other.
    about: frozenset[Variable] = frozenset()
    # Whether the solver could not decide about quantifiers, and this is what it was left with.
    guessed: bool = False


@dataclass(slots=True)
class Replay:
    """The facts of one execution."""

    program: Program
    # Variables that are any value at the start, and conditions on them.
    facts: list[Fact] = field(default_factory=list)
    globals: dict[Variable, Operand] = field(default_factory=dict)
    count: int = 0

    def fresh(self, variable: Variable) -> Variable:
        """A new incarnation."""
        self.count += 1
        return variable.sort(f"{variable.name}@{self.count}")

    def state(self, condition: Guard, *about: Operand) -> None:
        """Add facts about some expressions over variables."""
        for part in conjuncts(condition):
            self.facts.append(Fact(part, frozenset(constants(*about))))

    # --- following ---

    def follow(
        self, found: Execution, given: Mapping[Variable, Operand]
    ) -> tuple[Execution, dict[Variable, Operand]]:
        """An activation: the same with incarnations for values, and its variables at the end."""
        procedure = self.program.procedure(found.procedure)
        values = self.frame(procedure, given)
        start = {**self.globals, **values}
        visits = [
            self.visit(visit, procedure.blocks.get(visit.label), values) for visit in found.visits
        ]
        inputs = {variable: values[variable] for variable in procedure.inputs}
        return Execution(procedure.name, inputs, start, tuple(visits)), values

    def frame(
        self, procedure: Procedure, given: Mapping[Variable, Operand]
    ) -> dict[Variable, Operand]:
        """The variables of a new activation."""
        own = (*procedure.inputs, *procedure.outputs, *procedure.locals)
        values = {v: given[v] if v in given else self.fresh(v) for v in own}
        values.update({old_value(g): value for g, value in self.globals.items()})
        return values

    def visit(self, visit: Visit, block: Block | None, values: dict[Variable, Operand]) -> Visit:
        """A block; those between blocks, where paths only meet, say nothing."""
        steps = []
        calls = iter([step.call for step in visit.steps if step.call is not None])
        for command in block.commands if block is not None else ():
            new, inner = self.command(command, values, calls)
            steps.append(Step(command, command.where, new, inner))
        return Visit(visit.label, visit.original, visit.where, tuple(steps))

    def command(
        self, command: Command, values: dict[Variable, Operand], calls: Iterator[Execution]
    ) -> tuple[dict[Variable, Operand], Execution | None]:
        """A command: what it gives to variables, and the execution of its call."""
        known = {**self.globals, **values}
        new: dict[Variable, Operand] = {}
        inner = None
        match command:
            case Assume(condition):
                for part in conjuncts(condition):
                    self.state(renamed(part, known), part)
            case Assign(targets, expressions):
                for variable, expression in zip(targets, expressions, strict=True):
                    new[variable] = self.fresh(variable)
                    equal = eq(new[variable], renamed(expression, known))
                    self.state(equal, variable, expression)
            case Havoc(variables):
                new = {variable: self.fresh(variable) for variable in variables}
            case Call():
                new, inner = self.call(command, known, next(calls))
        for variable, value in new.items():
            (self.globals if variable in self.globals else values)[variable] = value
        return new, inner

    def call(
        self, call: Call, known: Mapping[Variable, Operand], found: Execution
    ) -> tuple[dict[Variable, Operand], Execution]:
        """A call, whose arguments and results are facts as well."""
        callee = self.program.procedure(call.procedure)
        given = {}
        for variable, expression in zip(callee.inputs, call.inputs, strict=True):
            given[variable] = self.fresh(variable)
            self.state(eq(given[variable], renamed(expression, known)), expression)
        inner, values = self.follow(found, given)
        new = {v: self.globals[v] for v in callee.modifies}
        for variable, output in zip(call.outputs, callee.outputs, strict=True):
            new[variable] = self.fresh(variable)
            self.state(eq(new[variable], values[output]), variable)
        return new, inner


def replay(
    program: Program,
    found: Execution,
    start: Guard,
    end: Guard,
    timeout: float | None = None,
) -> Replayed:
    """Follow an execution from where `start` holds to where `end` does.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> commands = (Assign((x,), (y,)), Assume(y < 3))
    >>> p = Procedure("p", blocks={"a": Block("a", commands, ())}, modifies=(x,))
    >>> path = Execution("p", {}, {}, (Visit("a", "a", p.where, ()),))
    >>> replay(Program((x, y), {"p": p}), path, True, x > 5).about == {x, y}
    True
    >>> replay(Program((x, y), {"p": p}), path, True, x > 1).execution.visits[0].steps[0].values
    {x: 2}
    """
    one = Replay(program)
    one.globals = {variable: one.fresh(variable) for variable in program.globals}
    given = {v: one.fresh(v) for v in program.procedure(found.procedure).inputs}
    for part in conjuncts(start):
        one.state(renamed(part, {**one.globals, **given}), part)
    with deep_recursion():
        made, _ = one.follow(found, given)
    for part in conjuncts(end):
        one.state(renamed(part, one.globals), part)
    return _decided(program, one.facts, made, timeout)


def _decided(
    program: Program, facts: list[Fact], made: Execution, timeout: float | None
) -> Replayed:
    if any(fact.condition is False for fact in facts):
        about = next(fact.about for fact in facts if fact.condition is False)
        return Replayed(Status.UNSAT, about=about)
    switches: dict[Guard, Fact] = {Bool(f"fact {place}"): fact for place, fact in enumerate(facts)}
    conditions = [fact.condition for fact in facts]
    quantified = any(map(has_quantifiers, (*program.axioms, *conditions)))
    deadline = Deadline(timeout)
    rules = [implies(switch, fact.condition) for switch, fact in switches.items()]
    for effort in efforts() if quantified else (ENDLESS,):
        with solver_at(effort) if quantified else Solver("z3") as solver:
            solver.add(*program.axioms, *rules)
            status = _asked(solver, list(switches), effort, deadline)
            if effort == ENDLESS or not is_exhausted(solver, deadline):
                return _told(solver, status, switches, made)
    raise AssertionError("the last effort has no limit")


def _asked(solver: Solver, facts: Sequence[Guard], effort: int, deadline: Deadline) -> Status:
    """Whether facts hold together; if they do not, they are asked as assumptions, for a core."""
    if prefers_facts(effort):
        solver.push()
        solver.add(*facts)
        status = solver.check_for_model(timeout=deadline.left())
        if status is not Status.UNSAT:
            return status
        solver.pop()
    return solver.check_for_model(*facts, timeout=deadline.left())


def _told(
    solver: Solver, status: Status, switches: Mapping[Guard, Fact], made: Execution
) -> Replayed:
    """What the answer of a solver says about an execution."""
    if status is Status.UNSAT:
        core = [switches[switch].about for switch in solver.unsat_core()]
        return Replayed(status, about=frozenset().union(*core))
    model = solver.model() if status is Status.SAT else _candidate(solver)
    if model is None:
        return Replayed(status)
    with deep_recursion():
        valued = _valued(made, model)
    return Replayed(status, valued, model, guessed=status is Status.UNKNOWN)


def _candidate(solver: Solver) -> Model | None:
    """What a solver was left with that gave up, if that can be read."""
    try:
        return solver.candidate()
    except SolverError:
        return None


def _valued(found: Execution, model: Model) -> Execution:
    """The execution with the values of a model for its incarnations."""

    def values(known: Mapping[Variable, Operand]) -> dict[Variable, Operand]:
        return {
            variable: model.evaluate(value) if isinstance(value, Term) else value
            for variable, value in known.items()
        }

    visits = tuple(
        Visit(
            visit.label,
            visit.original,
            visit.where,
            tuple(
                Step(
                    step.command,
                    step.where,
                    values(step.values),
                    None if step.call is None else _valued(step.call, model),
                )
                for step in visit.steps
            ),
        )
        for visit in found.visits
    )
    return Execution(found.procedure, values(found.inputs), values(found.start), visits)
