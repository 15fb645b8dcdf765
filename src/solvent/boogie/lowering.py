"""Boogie programs as control-flow-graph programs: structured statements become blocks and jumps.

A procedure is as its first implementation says; further ones are procedures of their own, named
`P#2` and so on.  Conditions of `where` clauses are assumed wherever a variable gets any value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from solvent.boogie import attributes
from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.checking import TypedProgram
from solvent.boogie.diagnostics import Position
from solvent.boogie.encoding import Encoder, Scope, order, updated
from solvent.boogie.sorts import sort_of, unbox
from solvent.boogie.symbols import ImplementationSymbol, ProcedureSymbol, Symbol
from solvent.boogie.tokens import deep_recursion
from solvent.boogie.types import MapType, open_map, resolved, substitute
from solvent.reach import program as cfg
from solvent.terms import Bool, and_, distinct, eq, forall, implies, not_, or_

# Attributes by which a file names the procedure to start from.
ENTRY = "entrypoint"


def lower(program: TypedProgram) -> cfg.Program:
    """The program as blocks over terms.

    >>> from solvent.boogie import check_program, parse_program
    >>> text = "var g: int; procedure P(x: int) modifies g; { if (x > 0) { g := g + x; } }"
    >>> print(lower(check_program(parse_program(text=text))).procedures["P"])
    procedure P(x: Int) {
    anon0:
      goto anon2_Then, anon2_Else;
    anon2_Then:
      assume x > 0;
      g := x + g;
      goto anon1;
    anon2_Else:
      assume x <= 0;
      goto anon1;
    anon1:
      return;
    }
    """
    with deep_recursion():
        return _Lowering(program).run()


class _Lowering:
    def __init__(self, program: TypedProgram) -> None:
        self.program = program
        self.encoder = Encoder(program)
        self.wheres: dict[Symbol, s.Expr] = {}

    def run(self) -> cfg.Program:
        program, encoder = self.program, self.encoder
        for symbol in program.globals.values():
            self.note_where(symbol)
        procedures: dict[str, cfg.Procedure] = {}
        for procedure in program.procedures.values():
            for made in self.procedure(procedure):
                procedures[made.name] = made
        axioms = [encoder.encode(axiom.condition, Scope({})) for axiom in program.axioms]
        axioms += [*_unique(program, encoder), *_ordering(program, encoder)]
        axioms += [*encoder.boxed, *encoder.axioms]
        variables = tuple(encoder.constant(symbol) for symbol in program.globals.values())
        return cfg.Program(variables, procedures, tuple(axioms))

    def note_where(self, symbol: Symbol) -> None:
        """Remember the condition of a variable."""
        declaration = symbol.declaration
        if isinstance(declaration, s.Variable) and declaration.where is not None:
            self.wheres[symbol] = declaration.where

    # --- procedures ---

    def procedure(self, procedure: ProcedureSymbol) -> Iterable[cfg.Procedure]:
        """The procedure with each of its bodies, or without any."""
        if not procedure.implementations:
            scope = self.scope((*procedure.parameters, *procedure.results))
            yield self.made(procedure, procedure.name, scope, None)
        for number, implementation in enumerate(procedure.implementations, 1):
            own = (
                *implementation.parameters,
                *implementation.results,
                *implementation.locals,
            )
            scope = self.scope(own)
            formal = (*procedure.parameters, *procedure.results)
            actual = (*implementation.parameters, *implementation.results)
            for one, other in zip(formal, actual, strict=True):
                scope[one] = scope[other]
            name = procedure.name if number == 1 else f"{procedure.name}#{number}"
            yield self.made(procedure, name, scope, implementation)

    def scope(self, symbols: Iterable[Symbol]) -> dict[Symbol, Any]:
        """The constants of local variables, with other names than global ones have."""
        taken = {*self.program.globals, *self.program.constants}
        found = {}
        for symbol in symbols:
            self.note_where(symbol)
            name = symbol.name
            while name in taken:
                name += "'"
            taken.add(name)
            found[symbol] = sort_of(symbol.type, symbol.declaration.position)(name)
        return found

    def made(
        self,
        procedure: ProcedureSymbol,
        name: str,
        values: dict[Symbol, Any],
        implementation: ImplementationSymbol | None,
    ) -> cfg.Procedure:
        """The procedure of a body."""
        scope = Scope(values)
        blocks: dict[str, cfg.Block] = {}
        held: list[Any] = []
        local: list[Any] = []
        if implementation is not None:
            local = [values[symbol] for symbol in implementation.locals]
            body = _Body(self, scope, implementation)
            blocks, held = body.run(), body.held
        at = (implementation or procedure).declaration.position
        parts = implementation or procedure
        return cfg.Procedure(
            name,
            tuple(values[symbol] for symbol in parts.parameters),
            tuple(values[symbol] for symbol in parts.results),
            (*local, *held),
            blocks,
            self.clauses(procedure.requires, scope, procedure.parameters),
            self.clauses(procedure.ensures, scope, procedure.results),
            tuple(self.encoder.constant(symbol) for symbol in procedure.modifies),
            place(at),
        )

    def clauses(
        self, clauses: Sequence[Any], scope: Scope, variables: Sequence[Symbol]
    ) -> tuple[cfg.Clause, ...]:
        """The clauses of a contract; conditions of variables are free ones."""
        found = []
        for symbol in variables:
            if symbol in self.wheres:
                condition = self.encode(self.wheres[symbol], scope)
                found.append(cfg.Clause(condition, True, place(symbol.declaration.position)))
        for clause in clauses:
            condition = self.encode(clause.condition, scope)
            found.append(cfg.Clause(condition, clause.free, place(clause.position)))
        return tuple(found)

    def encode(self, e: s.Expr, scope: Scope) -> Any:
        """A condition of a contract, together with the facts about what it boxes."""
        outside, self.encoder.boxed = self.encoder.boxed, {}
        condition = self.encoder.encode(e, scope)
        facts, self.encoder.boxed = list(self.encoder.boxed), outside
        self.encoder.boxed.update(dict.fromkeys(facts))
        return condition


def place(position: Position) -> cfg.Position:
    """A position as control-flow graphs have it."""
    return cfg.Position(position.file, position.line, position.column)


# --- bodies ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A block that is being written."""

    label: str
    where: Position
    commands: list[cfg.Command] = field(default_factory=list)
    invariants: tuple[cfg.Clause, ...] = ()


class _Body:
    """Writes the blocks of one body."""

    def __init__(self, lowering: _Lowering, scope: Scope, owner: ImplementationSymbol) -> None:
        self.lowering = lowering
        self.encoder = lowering.encoder
        self.program = lowering.program
        self.scope = scope
        self.owner = owner
        self.blocks: dict[str, cfg.Block] = {}
        self.numbers = count()
        self.used = {f.name for f in _labels(owner.body.statements)}
        self.open: _Open | None = _Open(self.fresh(), owner.body.position)
        # Variables that the program does not have.
        self.held: list[Any] = []
        # For each statement that a break may leave, the block after it.
        self.after: dict[st.Statement, str] = {}

    def run(self) -> dict[str, cfg.Block]:
        body = self.owner.body
        self.start()
        self.statements(body.statements)
        if self.open is not None:
            self.finish((), body.position)
        return self.blocks

    def start(self) -> None:
        """What holds of variables at the entry."""
        symbols = (
            *self.program.globals.values(),
            *self.owner.results,
            *self.owner.locals,
        )
        self.assume_wheres(symbols, self.owner.body.position)

    # --- blocks ---

    def fresh(self, suffix: str = "") -> str:
        """A label that nobody else has."""
        while True:
            label = f"anon{next(self.numbers)}{suffix}"
            if label not in self.used:
                self.used.add(label)
                return label

    def begin(self, label: str, where: Position) -> None:
        """Start a new block."""
        self.open = _Open(label, where)

    def finish(self, targets: Sequence[str], where: Position) -> None:
        """End the open block."""
        found = self.open
        assert found is not None
        self.blocks[found.label] = cfg.Block(
            found.label,
            tuple(found.commands),
            tuple(dict.fromkeys(targets)),
            place(found.where),
            found.invariants,
            place(where),
        )
        self.open = None

    def emit(self, command: cfg.Command, where: Position) -> None:
        """Add a command, after the facts that it needs."""
        if self.open is None:
            # Nothing jumps here, but it is a part of the program.
            self.begin(self.fresh("_Unreachable"), where)
        assert self.open is not None
        for fact in self.encoder.boxed:
            self.open.commands.append(cfg.Assume(fact, place(where)))
        self.encoder.boxed = {}
        self.open.commands.append(command)

    def jump(self, label: str, where: Position) -> None:
        """End the open block, if there is one, with a jump."""
        if self.open is not None:
            self.finish((label,), where)

    # --- statements ---

    def statements(self, block: Sequence[st.Statement]) -> None:
        for statement in block:
            if self.open is None and not isinstance(statement, st.Label):
                self.begin(self.fresh("_Unreachable"), statement.position)
            getattr(self, f"do_{type(statement).__name__}")(statement)

    def encode(self, e: s.Expr) -> Any:
        return self.encoder.encode(e, self.scope)

    def do_Label(self, statement: st.Label) -> None:
        self.jump(statement.name, statement.position)
        self.begin(statement.name, statement.position)

    def do_Assert(self, statement: st.Assert) -> None:
        where = statement.position
        self.emit(cfg.Assert(self.encode(statement.condition), place(where)), where)

    def do_Assume(self, statement: st.Assume) -> None:
        where = statement.position
        self.emit(cfg.Assume(self.encode(statement.condition), place(where)), where)

    def do_Havoc(self, statement: st.Havoc) -> None:
        symbols = [self.program.symbol_of(variable) for variable in statement.variables]
        where = statement.position
        self.emit(cfg.Havoc(tuple(map(self.variable, symbols)), place(where)), where)
        self.assume_wheres(symbols, where)

    def variable(self, symbol: Symbol) -> Any:
        return self.encoder.variable(symbol, self.scope)

    def assume_wheres(self, symbols: Iterable[Symbol], where: Position) -> None:
        """Assume the conditions of variables that have got any value."""
        for symbol in symbols:
            condition = self.lowering.wheres.get(symbol)
            if condition is not None:
                self.emit(cfg.Assume(self.encode(condition), place(where)), where)

    def do_Assign(self, statement: st.Assign) -> None:
        values = [self.encode(value) for value in statement.values]
        new: dict[Any, Any] = {}
        for target, value in zip(statement.targets, values, strict=True):
            variable = self.variable(self.program.symbol_of(target.variable))
            new[variable] = self.assigned(target, variable, value)
        where = statement.position
        self.emit(cfg.Assign(tuple(new), tuple(new.values()), place(where)), where)

    def assigned(self, target: st.Target, variable: Any, value: Any) -> Any:
        """The new value of the variable of a target."""
        type_ = resolved(self.program.symbol_of(target.variable).type)
        instances = list(self.program.instances_of(target))
        steps: list[Any] = []
        for indices in target.indices:
            assert isinstance(type_, MapType)
            own, instances = instances[: type_.parameters], instances[type_.parameters :]
            arguments, result = open_map(type_, own)
            for index, actual, declared in zip(indices, arguments, type_.arguments, strict=True):
                found = self.encode(index)
                steps.append(self.encoder.converted(found, actual, declared, target.position))
            inner, type_ = type_.result, resolved(result)
        if target.indices:
            value = self.encoder.converted(value, type_, inner, target.position)
        return updated(variable, steps, value)

    def do_Call(self, statement: st.Call) -> None:
        procedure = self.program.procedure(statement)
        where = statement.position
        instances = self.program.instances_of(statement)
        replaced = dict(zip(procedure.type_parameters, instances, strict=False))
        inputs = [
            self.encoder.converted(self.encode(value), substitute(p.type, replaced), p.type, where)
            for value, p in zip(statement.arguments, procedure.parameters, strict=True)
        ]
        symbols = [self.program.symbol_of(result) for result in statement.results]
        outputs, unboxed = [], {}
        for symbol, declared in zip(symbols, procedure.results, strict=True):
            variable = self.variable(symbol)
            sort = sort_of(declared.type, where)
            if sort is not variable.sort:
                # The procedure gives a value of any type: it is taken out of its box.
                held = sort(self.fresh(f"_{symbol.name}"))
                self.held.append(held)
                unboxed[variable] = unbox(held, variable.sort)
                variable = held
            outputs.append(variable)
        call = cfg.Call(procedure.name, tuple(inputs), tuple(outputs), place(where))
        self.emit(call, where)
        if unboxed:
            values = tuple(unboxed.values())
            self.emit(cfg.Assign(tuple(unboxed), values, place(where)), where)
        self.assume_wheres((*symbols, *procedure.modifies), where)

    # --- control ---

    def do_Goto(self, statement: st.Goto) -> None:
        self.finish(statement.labels, statement.position)

    def do_Return(self, statement: st.Return) -> None:
        self.finish((), statement.position)

    def do_Break(self, statement: st.Break) -> None:
        self.finish((self.after[self.program.left_by(statement)],), statement.position)

    def do_If(self, statement: st.If) -> None:
        after, number = self.fresh(), self.fresh()
        then, otherwise = f"{number}_Then", f"{number}_Else"
        self.after[statement] = after
        condition = None if statement.condition is None else self.encode(statement.condition)
        self.finish((then, otherwise), statement.position)
        for label, block, test in (
            (then, statement.then, condition),
            (
                otherwise,
                statement.otherwise or (),
                not_(condition) if condition is not None else None,
            ),
        ):
            self.begin(label, statement.position)
            if test is not None:
                self.emit(cfg.Assume(test, place(statement.position)), statement.position)
            self.statements(block)
            self.jump(after, statement.position)
        self.begin(after, statement.position)

    def do_While(self, statement: st.While) -> None:
        name = self.fresh()
        head, body, done = (f"{name}_Loop{part}" for part in ("Head", "Body", "Done"))
        # A break does not wait until the condition is false.
        self.after[statement] = after = self.fresh()
        self.jump(head, statement.position)
        self.begin(head, statement.position)
        assert self.open is not None
        self.open.invariants = tuple(
            cfg.Clause(self.encode(found.condition), found.free, place(found.position))
            for found in statement.invariants
        )
        self.finish((body, done), statement.position)
        self.begin(body, statement.position)
        if statement.condition is not None:
            condition = self.encode(statement.condition)
            self.emit(cfg.Assume(condition, place(statement.position)), statement.position)
        self.statements(statement.body)
        self.jump(head, statement.position)
        self.begin(done, statement.position)
        if statement.condition is not None:
            condition = not_(self.encode(statement.condition))
            self.emit(cfg.Assume(condition, place(statement.position)), statement.position)
        self.jump(after, statement.position)
        self.begin(after, statement.position)


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


# --- constants ---------------------------------------------------------------------------------


def _unique(program: TypedProgram, encoder: Encoder) -> Iterable[Any]:
    """Unique constants of one sort differ from each other."""
    groups: dict[Any, list[Any]] = {}
    for declaration in program.program.declarations:
        if isinstance(declaration, st.ConstantDecl) and declaration.unique:
            constant = encoder.constant(program.constants[declaration.name])
            groups.setdefault(constant.sort, []).append(constant)
    for group in groups.values():
        if len(group) > 1:
            yield distinct(*group)


def _ordering(program: TypedProgram, encoder: Encoder) -> Iterable[Any]:
    """The axioms of the partial order, where it occurs, and what `extends` says."""
    declared = [
        (encoder.constant(program.constants[found.name]), found)
        for found in program.program.declarations
        if isinstance(found, st.ConstantDecl)
    ]
    ordered = [(one, found) for one, found in declared if found.parents is not None]
    for sort in dict.fromkeys(one.sort for one, _ in ordered):
        yield from _partial_order(sort)
    for one, found in ordered:
        parents = [
            encoder.constant(program.symbol_of(parent.name)) for parent in found.parents or ()
        ]
        below = order(one.sort)
        yield from (below(one, parent) for parent in parents)
        x = one.sort(f"above {one.name}")
        above = or_([eq(one, x), *(below(parent, x) for parent in parents)])
        yield forall([x], implies(below(one, x), above), [below(one, x)])
        if found.complete:
            children = [
                child
                for child, other in ordered
                if any(
                    encoder.constant(program.symbol_of(p.name)) is one for p in other.parents or ()
                )
            ]
            under = or_([eq(one, x), *(below(x, child) for child in children)])
            yield forall([x], implies(below(x, one), under), [below(x, one)])


def _partial_order(sort: Any) -> Iterable[Any]:
    below = order(sort)
    x, y, z = sort("x"), sort("y"), sort("z")
    yield forall([x], below(x, x), [below(x, x)])
    both = and_(below(x, y), below(y, x))
    yield forall([x, y], implies(both, eq(x, y)), [(below(x, y), below(y, x))])
    chain = and_(below(x, y), below(y, z))
    yield forall([x, y, z], implies(chain, below(x, z)), [(below(x, y), below(y, z))])


# --- what attributes say -----------------------------------------------------------------------


def entry_points(program: TypedProgram) -> list[str]:
    """The procedures with a body that `{:entrypoint}` marks."""
    return [
        name
        for name, procedure in program.procedures.items()
        if attributes.flag(procedure.declaration.attributes, ENTRY) and procedure.implementations
    ]


def existentials(program: TypedProgram) -> list[Any]:
    """The Boolean constants that `{:existential true}` marks, as terms."""
    return [
        Bool(declaration.name)
        for declaration in program.program.declarations
        if isinstance(declaration, st.ConstantDecl)
        and attributes.flag(declaration.attributes, "existential")
    ]
