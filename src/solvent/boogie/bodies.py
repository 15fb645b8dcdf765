"""Bodies of procedures as blocks: structured statements become jumps.

As in Boogie a block without a label of its own is where its first statement is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from solvent.boogie import attributes
from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.encoding import Encoder
from solvent.boogie.marks import is_assumption
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import UnsupportedError, sort_of
from solvent.boogie.symbols import Symbol
from solvent.boogie.types import MapType, resolved, substitute
from solvent.boogie.values import recorded_name
from solvent.reach import program as cfg
from solvent.reach.objectives import objective_name
from solvent.reach.positions import Position
from solvent.terms import Bool, BoolTerm, not_, or_
from solvent.terms.kinds import Guard, Operand
from solvent.terms.term import Term
from solvent.terms.values import sort_of as value_sort

# Where a procedure with {:selective_checking} begins to check.
START = "start_checking_here"
VERIFIED_UNDER = "verified_under"

# A condition, or what makes it where it is needed; None holds always.
Test = Guard | Callable[[], Guard] | None


@dataclass(slots=True)
class _Open:
    """A block that is being written."""

    label: str
    where: Position
    # Whether the first statement still has to say where the block is.
    unplaced: bool = True
    commands: list[cfg.Command] = field(default_factory=list)
    invariants: tuple[cfg.Clause, ...] = ()


class Body:
    """Writes the blocks of one body.

    `wheres` and `typing` say what holds of variables that get any value.
    """

    def __init__(
        self,
        encoder: Encoder,
        scope: Scope,
        body: st.Body,
        wheres: Mapping[Symbol, s.Expr],
        typing: Mapping[Symbol, Guard] | None = None,
    ) -> None:
        self.encoder = encoder
        self.program = encoder.program
        self.scope = self.inside(scope)
        self.body = body
        self.wheres = wheres
        self.typing = typing or {}
        self.blocks: dict[str, cfg.Block] = {}
        self.numbers = count()
        self.used = {found.name for found in _labels(body.statements)}
        self.open: _Open | None = _Open(self.fresh(), body.end)
        # Variables that the program does not have.
        self.held: list[Term] = []
        # Whether it may start threads, and wait for others.
        self.threads = False
        # Whether procedures are verified one by one, so that a counterexample may be the best one.
        self.modular = False
        # Whether what is asserted is assumed then: 0 never, 1 without quantifiers, 2 always.
        self.subsumption = 2
        # For each statement that a break may leave, the block after it.
        self.after: dict[st.Statement, str] = {}

    def run(self, local: Sequence[Symbol]) -> dict[str, cfg.Block]:
        """The blocks; variables of its own start with any value."""
        where = self.body.position
        self.assume_wheres(local, where)
        for symbol in filter(is_assumption, local):
            self.emit(cfg.Assume(Bool.require(self.variable(symbol)), where), where)
        self.statements(self.body.statements)
        if self.open is not None:
            self.finish((), self.body.end)
        return self.blocks

    # --- blocks ---

    def fresh(self, suffix: str = "") -> str:
        """A label that nobody else has."""
        while True:
            label = f"anon{next(self.numbers)}{suffix}"
            if label not in self.used:
                self.used.add(label)
                return label

    def label(self, name: str) -> str:
        """The block that a label of the program names."""
        return name

    def begin(self, label: str, where: Position, placed: bool = False) -> None:
        """Start a new block."""
        self.open = _Open(label, where, not placed)

    def finish(self, targets: Sequence[str], where: Position) -> None:
        """End the open block."""
        found = self.open
        assert found is not None
        self.blocks[found.label] = cfg.Block(
            found.label,
            tuple(found.commands),
            tuple(dict.fromkeys(targets)),
            found.where,
            found.invariants,
            where,
        )
        self.open = None

    def emit(self, command: cfg.Command, where: Position) -> None:
        """Add a command, after the facts that it needs."""
        self.facts(where)
        assert self.open is not None
        self.open.commands.append(command)

    def facts(self, where: Position) -> None:
        """Assume what is known about the values that were boxed."""
        assert self.open is not None
        for fact in self.encoder.boxes.facts:
            self.open.commands.append(cfg.Assume(fact, where))
        self.encoder.boxes.facts = {}

    def jump(self, label: str, where: Position) -> None:
        """End the open block, if there is one, with a jump."""
        if self.open is not None:
            self.finish((label,), where)

    # --- statements ---

    def statements(self, block: Sequence[st.Statement]) -> None:
        """Write some statements."""
        for statement in block:
            if not isinstance(statement, st.Label):
                if self.open is None:
                    # Nothing jumps here, but it is a part of the program.
                    self.begin(self.fresh("_Unreachable"), statement.position)
                elif self.open.unplaced:
                    self.open.where = statement.position
                assert self.open is not None
                self.open.unplaced = False
            getattr(self, f"do_{type(statement).__name__}")(statement)

    def inside(self, scope: Scope) -> Scope:
        """The scope of statements: what is not asserted is assumed."""
        return replace(scope, assumed=True, mixed=False, runs=None)

    def assumed(self, e: s.Expr) -> Guard:
        """A condition that is assumed."""
        return self.encoder.condition(e, self.scope)

    def asserted(self, e: s.Expr) -> Guard:
        """A condition that is checked."""
        return self.encoder.condition(e, self.scope.inside_assumption(False))

    def value(self, e: s.Expr) -> Operand:
        """The value of an expression."""
        found = self.encoder.value(e, self.scope)
        self.choose_all()
        return found

    def choose(self, variable: BoolTerm, condition: Guard) -> None:
        """Give a variable any value for which a condition holds."""
        where = self.body.position
        self.held.append(variable)
        self.emit(cfg.Havoc((variable,), where), where)
        self.emit(cfg.Assume(condition, where), where)

    def choose_all(self) -> None:
        """Choose the values of code expressions that no condition has closed."""
        chosen, self.encoder.choices = self.encoder.choices, []
        for one in chosen:
            self.choose(one.constant, one.condition)

    def tests(self, e: s.Expr | None, where: Position) -> tuple[Test, Test]:
        """What is assumed where a condition holds, and where it does not."""
        if e is None:
            return None, None
        if self.encoder.touching.code(e):
            # The code is run on both sides.
            return lambda: self.assumed(e), lambda: not_(self.asserted(e))
        holds = self.assumed(e)
        self.facts(where)
        return holds, not_(holds)

    def assume(self, test: Test, where: Position) -> None:
        """Assume a test, if there is one."""
        if callable(test):
            test = test()
        if test is not None:
            self.emit(cfg.Assume(test, where), where)

    def do_Label(self, statement: st.Label) -> None:
        name = self.label(statement.name)
        self.jump(name, statement.position)
        self.begin(name, statement.position, placed=True)

    def show(self, found: Sequence[s.Attribute], where: Position) -> None:
        """Let traces have what `{:print "x is ", x}` says, as values of variables of its own."""
        printed = attributes.find(found, "print")
        text = ""
        for argument in () if printed is None else printed.arguments:
            if isinstance(argument, s.StringLiteral):
                text += argument.value
            else:
                self.record(text, self.value(argument), where)
                text = ""
        if text:
            self.record(text, None, where)

    def record(self, text: str, value: Operand | None, where: Position) -> None:
        """Give a value to a variable that a trace shows under a text."""
        number = next(self.encoder.numbers)
        sort = Bool if value is None else value_sort(value)
        variable = sort(recorded_name(number, text, value is None))
        self.held.append(variable)
        given: Operand = True if value is None else value
        self.emit(cfg.Assign((variable,), (given,), where), where)

    def aim(self, found: Sequence[s.Attribute], where: Position) -> None:
        """Note what a counterexample should have the least or the greatest value of."""
        for attribute in found if self.modular else ():
            if attribute.name in ("minimize", "maximize"):
                (argument,) = attribute.arguments
                value = self.value(argument)
                name = objective_name(next(self.encoder.numbers), attribute.name == "maximize")
                variable = value_sort(value)(name)
                self.held.append(variable)
                self.emit(cfg.Assign((variable,), (value,), where), where)

    def do_Assert(self, statement: st.Assert) -> None:
        where = statement.position
        self.show(statement.attributes, where)
        self.aim(statement.attributes, where)
        message = attributes.string(statement.attributes, "msg") or cfg.ASSERTION
        if attributes.find(statement.attributes, START) is not None:
            self.emit(cfg.Assume(True, where, True), where)
        condition = self.asserted(statement.condition)
        aside = cfg.is_aside(self.subsumed(statement.attributes), condition)
        under = attributes.find(statement.attributes, VERIFIED_UNDER)
        if under is None:
            self.emit(cfg.Assert(condition, where, message, (), aside), where)
            return
        # Where it is known to hold nothing is checked, but it is assumed everywhere.
        (known,) = under.arguments
        checked = or_(self.assumed(known), condition)
        self.emit(cfg.Assert(checked, where, message, (), aside), where)
        if not aside:
            self.emit(cfg.Assume(self.assumed(statement.condition), where), where)

    def subsumed(self, found: tuple[s.Attribute, ...]) -> int:
        """Whether a statement with these attributes is assumed after it was checked."""
        own = attributes.number(found, "subsumption")
        return self.subsumption if own is None else own

    def do_Assume(self, statement: st.Assume) -> None:
        where = statement.position
        self.show(statement.attributes, where)
        self.aim(statement.attributes, where)
        starts = attributes.find(statement.attributes, START) is not None
        self.emit(cfg.Assume(self.assumed(statement.condition), where, starts), where)

    def do_Havoc(self, statement: st.Havoc) -> None:
        symbols = [self.program.symbol_of(variable) for variable in statement.variables]
        where = statement.position
        self.emit(cfg.Havoc(tuple(map(self.variable, symbols)), where), where)
        self.assume_wheres(symbols, where)

    def variable(self, symbol: Symbol) -> Term:
        """The variable of a symbol."""
        return self.encoder.variable(symbol, self.scope)  # type: ignore[return-value]

    def assume_wheres(self, symbols: Iterable[Symbol], where: Position) -> None:
        """Assume the conditions of variables that have got any value."""
        symbols = tuple(symbols)
        for symbol in symbols:
            if symbol in self.typing:
                self.emit(cfg.Assume(self.typing[symbol], where), where)
        for symbol in symbols:
            condition = self.wheres.get(symbol)
            if condition is not None:
                self.emit(cfg.Assume(self.assumed(condition), where), where)

    def do_Assign(self, statement: st.Assign) -> None:
        values = [self.value(value) for value in statement.values]
        new: dict[Term, Operand] = {}
        for target, value in zip(statement.targets, values, strict=True):
            variable = self.variable(self.program.symbol_of(target.variable))
            new[variable] = self.assigned(target, variable, value)
        where = statement.position
        self.emit(cfg.Assign(tuple(new), tuple(new.values()), where), where)

    def assigned(self, target: st.Target, variable: Operand, value: Operand) -> Operand:
        """The new value of the variable of a target."""
        encoder, scope, where = self.encoder, self.scope, target.position
        type_ = resolved(self.program.symbol_of(target.variable).type)
        instances = encoder.instances_of(target, scope)
        # From the outside to the inside what is read, and back again what is written.
        steps = []
        for place, brackets in enumerate(target.indices):
            assert isinstance(type_, MapType)
            own, instances = instances[: type_.parameters], instances[type_.parameters :]
            indices = [self.value(index) for index in brackets]
            steps.append((variable, type_, indices, own))
            if place < len(target.indices) - 1:
                variable, result = encoder.element(variable, type_, indices, own, scope, where)
                type_ = resolved(result)
        for array, map_type, indices, own in reversed(steps):
            value = encoder.updated(array, map_type, indices, own, value, scope, where)
        return value

    def thread(self, where: Position) -> None:
        """Refuse what only threads do, where there are none."""
        if not self.threads:
            message = "threads (async, par and yield) are for 'solvent reach', outside of code"
            raise UnsupportedError(where, f"{message} expressions")

    def do_Yield(self, statement: st.Yield) -> None:
        self.thread(statement.position)
        self.emit(cfg.Call(cfg.YIELD, where=statement.position), statement.position)

    def do_Parallel(self, statement: st.Parallel) -> None:
        self.thread(statement.position)
        for following, call in reversed([*enumerate(reversed(statement.calls))]):
            self.call(call, following)

    def do_Call(self, statement: st.Call) -> None:
        if statement.asynchronous:
            self.thread(statement.position)
        self.call(statement, None)

    def call(self, statement: st.Call, arms: int | None) -> None:
        """A call, perhaps an arm of a parallel one that others follow."""
        procedure = self.program.procedure(statement)
        where = statement.position
        if attributes.find(statement.attributes, VERIFIED_UNDER) is not None:
            message = "{:verified_under} at a call is not followed; write it to an assertion"
            raise UnsupportedError(where, message)
        instances = self.program.instances_of(statement)
        replaced = dict(zip(procedure.type_parameters, instances, strict=False))
        boxes = self.encoder.boxes
        inputs = [
            boxes.converted(self.value(value), substitute(p.type, replaced), p.type, where)
            for value, p in zip(statement.arguments, procedure.parameters, strict=True)
        ]
        self.show(statement.attributes, where)
        name = attributes.string(statement.attributes, "cexpr")
        if name is not None and inputs:
            # What a translator tells about an expression of the source.
            self.record(f"{name} = ", inputs[0], where)
        symbols = [self.program.symbol_of(result) for result in statement.results]
        outputs, boxed = [], {}
        for symbol, declared in zip(symbols, procedure.results, strict=True):
            variable = self.variable(symbol)
            sort = sort_of(declared.type, where)
            if sort is not variable.sort:
                if arms is not None:
                    message = "an arm of 'par' cannot have results of a polymorphic type"
                    raise UnsupportedError(where, message)
                # The procedure gives a value of any type: it is taken out of its box.
                boxed[variable] = sort(self.fresh(f"_{symbol.name}")), symbol.type
                variable = boxed[variable][0]
                self.held.append(variable)
            outputs.append(variable)
        call = cfg.Call(
            procedure.name,
            tuple(inputs),
            tuple(outputs),
            where,
            statement.free,
            statement.asynchronous,
            arms,
            self.subsumed(statement.attributes),
        )
        self.emit(call, where)
        if boxed:
            values = tuple(boxes.unboxed(held, type_, where) for held, type_ in boxed.values())
            self.emit(cfg.Assign(tuple(boxed), values, where), where)

    # --- control ---

    def do_Goto(self, statement: st.Goto) -> None:
        self.finish([self.label(name) for name in statement.labels], statement.position)

    def do_Return(self, statement: st.Return) -> None:
        self.finish((), statement.position)

    def do_Break(self, statement: st.Break) -> None:
        self.finish((self.after[self.program.left_by(statement)],), statement.position)

    def do_If(self, statement: st.If) -> None:
        where = statement.position
        after, number = self.fresh(), self.fresh()
        then, otherwise = f"{number}_Then", f"{number}_Else"
        self.after[statement] = after
        holds, fails = self.tests(statement.condition, where)
        self.finish((then, otherwise), where)
        for label, test, block in (
            (then, holds, statement.then),
            (otherwise, fails, statement.otherwise or ()),
        ):
            self.begin(label, where)
            self.assume(test, where)
            self.statements(block)
            self.jump(after, where)
        self.begin(after, where)

    def invariant(self, found: st.Invariant, scope: Scope) -> cfg.Clause:
        """An invariant, as its attributes say: they are those of assertions."""
        clause = self.encoder.clause(found.condition, scope, found.free, found.position)
        under = attributes.find(found.attributes, VERIFIED_UNDER)
        if under is not None and not found.free:
            known = self.encoder.condition(under.arguments[0], scope)
            checked = or_(known, clause.condition)
            clause = replace(clause, condition=checked, assumed=clause.assumption)
        aside = cfg.is_aside(self.subsumed(found.attributes), clause.condition)
        return replace(clause, aside=aside)

    def do_While(self, statement: st.While) -> None:
        where = statement.position
        name = self.fresh()
        head, body, done = (f"{name}_Loop{part}" for part in ("Head", "Body", "Done"))
        # A break does not wait until the condition is false.
        self.after[statement] = after = self.fresh()
        self.jump(head, where)
        self.begin(head, where, placed=True)
        assert self.open is not None
        still = replace(self.scope, runs=None)
        self.open.invariants = tuple(self.invariant(found, still) for found in statement.invariants)
        holds, fails = self.tests(statement.condition, where)
        self.finish((body, done), where)
        self.begin(body, where)
        self.assume(holds, where)
        self.statements(statement.body)
        self.jump(head, where)
        self.begin(done, where, placed=True)
        self.assume(fails, where)
        self.jump(after, where)
        self.begin(after, where)


def declared_wheres(symbols: Iterable[Symbol]) -> dict[Symbol, s.Expr]:
    """The conditions of variables, as they are declared."""
    return {
        symbol: symbol.declaration.where
        for symbol in symbols
        if isinstance(symbol.declaration, s.Variable) and symbol.declaration.where is not None
    }


def _labels(block: Sequence[st.Statement]) -> Iterable[st.Label]:
    """All labels in some statements."""
    stack = [block]
    while stack:
        for statement in stack.pop():
            if isinstance(statement, st.Label):
                yield statement
            elif isinstance(statement, st.If):
                stack += [statement.then, statement.otherwise or ()]
            elif isinstance(statement, st.While):
                stack.append(statement.body)
