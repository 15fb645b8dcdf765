"""Boogie programs as control-flow-graph programs.

A procedure is as its first implementation says; further ones are procedures of their own, named
`P#2` and so on.  Conditions of `where` clauses are assumed wherever a variable gets any value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from solvent.boogie import attributes
from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.checking import TypedProgram
from solvent.boogie.code import CodeExpressions
from solvent.boogie.constants import order_axioms, unique_axioms
from solvent.boogie.encoding import Encoder
from solvent.boogie.running import RunningBody
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import UnsupportedError, sort_of
from solvent.boogie.symbols import ImplementationSymbol, ProcedureSymbol, Symbol
from solvent.boogie.tokens import deep_recursion
from solvent.boogie.type_terms import TypeValues
from solvent.boogie.types import TypeVariable, variables_in
from solvent.reach import program as cfg
from solvent.reach.splitting import with_checked_invariants, with_single_entries
from solvent.terms import Bool, BoolTerm, and_
from solvent.terms.kinds import Guard
from solvent.terms.term import Term

# Attributes by which a file names the procedure to start from.
ENTRY = "entrypoint"

# Attributes of procedures that run beside others, whose interference is more than a contract.
LAYERED = ("yields", "layer", "atomic", "left", "right", "both", "linear")


def lower(
    program: TypedProgram, *, threads: bool = False, modular: bool = False, subsumption: int = 2
) -> cfg.Program:
    """The program as blocks over terms; one that starts threads is refused unless they may.

    What only means something where procedures are verified one by one is refused too, unless this
    is `modular`; and then what only the verifier of layered concurrent programs checks.

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
        return _Lowering(program, threads, modular, subsumption).run()


class _Lowering:
    def __init__(
        self, program: TypedProgram, threads: bool, modular: bool, subsumption: int
    ) -> None:
        self.program = program
        self.threads = threads
        self.modular = modular
        self.subsumption = subsumption
        self.encoder = Encoder(program)
        self.encoder.code = code = CodeExpressions(self.encoder, self.procedure_of)
        self.encoder.check_code = code.check
        # The conditions of variables with `where`, and those of global variables as terms.
        self.wheres: dict[Symbol, s.Expr] = {}
        self.global_wheres: dict[Term, Guard] = {}

    def run(self) -> cfg.Program:
        program, encoder = self.program, self.encoder
        self.note_wheres(program.globals.values())
        self.global_wheres = self.where_terms(program.globals.values(), Scope({}), {})
        procedures: dict[str, cfg.Procedure] = {}
        for procedure in program.procedures.values():
            for made in self.procedure(procedure):
                procedures[made.name] = made
        axioms = [
            encoder.condition(axiom.condition, Scope({}, assumed=True)) for axiom in program.axioms
        ]
        axioms += [*unique_axioms(program, encoder), *order_axioms(program, encoder)]
        axioms += encoder.boxes.facts
        axioms += encoder.boxes.map_axioms()
        axioms += encoder.axioms
        variables = tuple(encoder.constant(symbol) for symbol in program.globals.values())
        if self.threads:
            procedures[cfg.YIELD] = cfg.Procedure(cfg.YIELD)
        own = tuple(map(encoder.constant, thread_locals(program)))
        return cfg.Program(variables, procedures, tuple(axioms), own)

    # --- conditions of variables ---

    def note_wheres(self, symbols: Iterable[Symbol]) -> None:
        """Remember the conditions of variables."""
        for symbol in symbols:
            declaration = symbol.declaration
            if isinstance(declaration, s.Variable) and declaration.where is not None:
                self.wheres[symbol] = declaration.where

    def where_terms(
        self, symbols: Iterable[Symbol], scope: Scope, typing: Mapping[Symbol, Guard]
    ) -> dict[Term, Guard]:
        """What is known of variables with any value, by the variables."""
        encoder = self.encoder
        found: dict[Term, Guard] = {}
        for symbol in symbols:
            known = [typing[symbol]] if symbol in typing else []
            if symbol in self.wheres:
                known.append(encoder.hypothesis(self.wheres[symbol], scope))
            if known:
                variable = encoder.variable(symbol, scope)
                assert isinstance(variable, Term)
                found[variable] = and_(known)
        return found

    def typing(self, symbols: Iterable[Symbol], scope: Scope) -> dict[Symbol, Guard]:
        """That variables have their types, where these have type variables."""
        found: dict[Symbol, Guard] = {}
        for symbol in symbols:
            type_, position = symbol.type, symbol.declaration.position
            is_known = all(one in scope.types for one in variables_in([type_]))
            boxes = self.encoder.boxes
            if boxes.typed and type_.has_variable and is_known:
                value = scope.values[symbol]
                assert isinstance(value, Term)
                fact = boxes.type_fact(value, type_, scope.types, position)
                if fact is not True:
                    found[symbol] = fact
        return found

    # --- procedures ---

    def procedure_of(self, name: str) -> cfg.Procedure:
        """A procedure without its body, by its contract alone."""
        procedure = self.program.procedures[name]
        scope = self.scope((*procedure.parameters, *procedure.results))
        return self.made(procedure, name, scope, None)

    def procedure(self, procedure: ProcedureSymbol) -> Iterable[cfg.Procedure]:
        """The procedure with each of its bodies, or without any."""
        formal = (*procedure.parameters, *procedure.results)
        self.note_wheres(formal)
        if not procedure.implementations:
            yield self.made(procedure, procedure.name, self.scope(formal), None)
        for number, implementation in enumerate(procedure.implementations, 1):
            actual = (*implementation.parameters, *implementation.results)
            scope = self.scope((*actual, *implementation.locals))
            for one, other in zip(formal, actual, strict=True):
                scope[one] = scope[other]
                if one in self.wheres:
                    self.wheres[other] = self.wheres[one]
            name = implementation_name(procedure, number)
            yield self.made(procedure, name, scope, implementation)

    def scope(self, symbols: Iterable[Symbol]) -> dict[Symbol, Term]:
        """The constants of local variables, with other names than global ones have."""
        symbols = tuple(symbols)
        self.note_wheres(symbols)
        taken = {*self.program.globals, *self.program.constants}
        found = {}
        for symbol in symbols:
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
        values: dict[Symbol, Term],
        implementation: ImplementationSymbol | None,
    ) -> cfg.Procedure:
        """The procedure of a body."""
        parts = implementation or procedure
        scope = Scope(values, types=self.types_in(procedure, implementation, values))
        blocks: dict[str, cfg.Block] = {}
        local: tuple[Term, ...] = ()
        wheres = self.global_wheres
        selective = False
        if implementation is not None:
            selective = self.is_selective(procedure, implementation)
            own = (*implementation.results, *implementation.locals)
            typing = self.typing(own, scope)
            body = RunningBody(self.encoder, scope, implementation.body, self.wheres, typing)
            body.threads = self.threads
            body.modular = self.modular
            body.subsumption = self.subsumption
            blocks = with_checked_invariants(with_single_entries(body.run(own)))
            local = (*(values[symbol] for symbol in implementation.locals), *body.held)
            wheres = {**wheres, **self.where_terms(own, scope, typing)}
        requires, ensures = self.contract(procedure, scope)
        return cfg.Procedure(
            name,
            tuple(values[symbol] for symbol in parts.parameters),
            tuple(values[symbol] for symbol in parts.results),
            local,
            blocks,
            requires,
            ensures,
            tuple(self.encoder.constant(symbol) for symbol in procedure.modifies),
            parts.declaration.position,
            wheres,
            selective,
        )

    def is_selective(
        self, procedure: ProcedureSymbol, implementation: ImplementationSymbol
    ) -> bool:
        """Whether a part of the assertions only is checked, which only verification does."""
        for found in (procedure.declaration, implementation.declaration):
            for name in LAYERED if self.modular else ():
                if attributes.find(found.attributes, name) is not None:
                    message = f"{{:{name}}} asks for checks between threads, which only"
                    raise UnsupportedError(found.position, f"{message} 'solvent reach' makes")
            if attributes.flag(found.attributes, "selective_checking"):
                if self.modular:
                    return True
                message = "{:selective_checking} is for 'solvent boogie verify' only"
                raise UnsupportedError(found.position, f"{message}; take it away")
        return False

    def types_in(
        self,
        procedure: ProcedureSymbol,
        implementation: ImplementationSymbol | None,
        values: dict[Symbol, Term],
    ) -> TypeValues:
        """What the type variables of a procedure are, as its inputs tell."""
        both: list[ProcedureSymbol | ImplementationSymbol] = [procedure]
        if implementation is not None:
            both.append(implementation)
        found: dict[TypeVariable, Term] = {}
        for parts in both:
            inputs = {symbol: values[symbol] for symbol in parts.parameters}
            found.update(self.encoder.told(parts.type_parameters, inputs, Scope({})))
        return found

    def contract(
        self, procedure: ProcedureSymbol, scope: Scope
    ) -> tuple[tuple[cfg.Clause, ...], tuple[cfg.Clause, ...]]:
        """The clauses of a contract; conditions of variables are free ones."""
        before = (*self.program.globals.values(), *procedure.parameters)
        after = (*procedure.modifies, *procedure.results)
        return (
            (
                *self.typed(procedure.parameters, scope),
                *self.clauses(procedure.requires, scope, before),
            ),
            (
                *self.typed(procedure.results, scope),
                *(
                    replace(clause, aside=cfg.is_aside(self.subsumption, clause.condition))
                    for clause in self.clauses(procedure.ensures, scope, after)
                ),
            ),
        )

    def typed(self, symbols: Sequence[Symbol], scope: Scope) -> Iterable[cfg.Clause]:
        """That inputs or outputs have their types, as free clauses."""
        for symbol, fact in self.typing(symbols, scope).items():
            yield cfg.Clause(fact, True, symbol.declaration.position, declared=True)

    def clauses(
        self,
        clauses: Sequence[st.Requires | st.Ensures],
        scope: Scope,
        variables: Sequence[Symbol],
    ) -> tuple[cfg.Clause, ...]:
        """Preconditions or postconditions, after the conditions of variables."""
        clause = self.encoder.clause
        return (
            *(
                replace(
                    clause(self.wheres[symbol], scope, True, symbol.declaration.position),
                    declared=True,
                )
                for symbol in variables
                if symbol in self.wheres
            ),
            *(
                replace(
                    clause(one.condition, scope, one.free, one.position),
                    always=one.free and attributes.flag(one.attributes, "always_assume"),
                )
                for one in clauses
            ),
        )


def implementation_name(procedure: ProcedureSymbol, number: int) -> str:
    """What a body of a procedure is called; the first one is the procedure itself."""
    return procedure.name if number == 1 else f"{procedure.name}#{number}"


# --- what attributes say -----------------------------------------------------------------------


def entry_points(program: TypedProgram) -> list[str]:
    """The procedures with a body that `{:entrypoint}` marks."""
    return [
        name
        for name, procedure in program.procedures.items()
        if procedure.implementations
        and any(
            attributes.flag(declaration.attributes, ENTRY)
            for declaration in (
                procedure.declaration,
                *(one.declaration for one in procedure.implementations),
            )
        )
    ]


def thread_locals(program: TypedProgram) -> list[Symbol]:
    """The global variables that `{:thread_local}` marks."""
    return [
        symbol
        for symbol in program.globals.values()
        if isinstance(symbol.declaration, s.Variable)
        and attributes.flag(symbol.declaration.attributes, "thread_local")
    ]


def inline_depths(program: TypedProgram) -> dict[str, int]:
    """How deep `{:inline N}` says that calls of procedures are inlined.

    >>> from solvent.boogie import check_program, parse_program
    >>> text = "procedure {:inline 2} P() { call P(); } procedure Q() { call P(); }"
    >>> inline_depths(check_program(parse_program(text=text)))
    {'P': 2}
    """
    found = {}
    for name, procedure in program.procedures.items():
        declarations = [one.declaration for one in procedure.implementations[:1]]
        for declaration in (*declarations, procedure.declaration):
            depth = attributes.number(declaration.attributes, "inline")
            if depth is not None:
                # What the procedure says counts more than what its implementation does.
                found[name] = depth
    return found


def unverified(program: TypedProgram) -> set[str]:
    """The procedures, as they are called after lowering, that `{:verify false}` excludes."""
    return {
        implementation_name(procedure, number)
        for procedure in program.procedures.values()
        for number, implementation in enumerate(procedure.implementations, 1)
        for declaration in (procedure.declaration, implementation.declaration)
        if not attributes.flag(declaration.attributes, "verify", default=True)
    }


def existentials(program: TypedProgram) -> list[BoolTerm]:
    """The Boolean constants that `{:existential true}` marks, as terms."""
    return [
        Bool(declaration.name)
        for declaration in program.program.declarations
        if isinstance(declaration, st.ConstantDecl)
        and attributes.flag(declaration.attributes, "existential")
    ]
