"""Terms as SMT-LIB 2 text.

A term is written once, however often it is used: a term with several uses gets a name, by a
`define-fun` of its own or, where there is nothing but one term, by a `let`.  So does a term at
every few dozen levels of nesting, so that no solver's parser meets deep nesting: a chain of
200,000 operators is a few thousand short definitions.

*What means the same everywhere.*  Solvent's `div`, `mod` and `/` are total, SMT-LIB leaves
division by zero open; so a divisor that may be zero is written with a test for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from solvent.errors import SolventError
from solvent.terms.arrays import CONST_ARRAY
from solvent.terms.classes import spelled_out
from solvent.terms.functions import APPLY, FunctionSymbol
from solvent.terms.ops import Op
from solvent.terms.smtlib.composer import NESTING, Bind, Composer
from solvent.terms.smtlib.literals import value_text
from solvent.terms.smtlib.logics import logic_of
from solvent.terms.smtlib.names import Named, Names
from solvent.terms.sorts import ArraySort, Sort, UninterpretedSort
from solvent.terms.term import Term
from solvent.terms.values import ArrayValue, Element

if TYPE_CHECKING:
    from solvent.terms.kinds import Concrete, Guard, Operand


class Writer:
    """Writes one term after the other, each time only what is new.

    `declarations_for` gives the commands that must come first, `reference` the text of the term.
    Scopes follow the solver's: call `push` and `pop` with it.  With `global_declarations` (which
    is the option of that name in SMT-LIB), declarations and definitions survive a `pop`.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> writer = Writer()
    >>> writer.declarations_for(x > 5), writer.reference(x > 5)
    (['(declare-const x Int)'], '(not (<= x 5))')
    >>> writer.declarations_for(x > y)
    ['(declare-const y Int)']
    """

    def __init__(self, *, global_declarations: bool = False) -> None:
        self.global_declarations = global_declarations
        self.names = Names()
        # The symbols of constants and the names of defined terms.
        self._symbols: dict[Term, str] = {}
        # The texts of terms that were asked for and have no name.
        self._texts: dict[Term, str] = {}
        # Terms that were written without a name; one that comes again gets a name.
        self._unnamed: set[Term] = set()
        self._declared: set[Named] = set()
        self._elements: dict[Sort[Term], list[str]] = {}
        # Assertions about elements that a pop took from the solver, but not their declarations.
        self._lost: list[str] = []
        # What undoes the additions of each open scope.
        self._scopes: list[list[Callable[[], object]]] = []
        self._number = 0
        # The heads that refer to nothing that is declared.
        self.heads: dict[Op[object], str] = {}
        self._sorts: dict[Sort[Term], str] = {}
        self._commands: list[str] = []

    # --- names ---------------------------------------------------------------------------------

    def name_of(self, constant: Named) -> str:
        """The symbol of a constant, function, uninterpreted sort or element.

        >>> from solvent.terms import Int
        >>> Writer().name_of(Int("loop counter"))
        '|loop counter|'
        """
        return self.names.of(constant)

    def constant_of(self, name: str) -> Named | None:
        """The constant, function, sort or element of a symbol, or None.

        >>> from solvent.terms import Int
        >>> writer = Writer()
        >>> writer.constant_of(writer.name_of(Int("and")))
        and
        """
        return self.names.object(name)

    def sort_text(self, sort: Sort[Term]) -> str:
        """A sort as text.

        >>> from solvent.terms import Array, BitVec, Bool
        >>> Writer().sort_text(Array(BitVec(8), Bool))
        '(Array (_ BitVec 8) Bool)'
        """
        text = self._sorts.get(sort)
        if text is None:
            if isinstance(sort, ArraySort):
                text = f"(Array {self.sort_text(sort.index)} {self.sort_text(sort.element)})"
            elif isinstance(sort, UninterpretedSort):
                text = self.names.of(sort)
            else:
                text = sort.smt
            self._sorts[sort] = text
        return text

    # --- scopes --------------------------------------------------------------------------------

    def push(self, levels: int = 1) -> None:
        """Open scopes, as the solver does."""
        self._scopes.extend([] for _ in range(levels))

    def pop(self, levels: int = 1) -> None:
        """Close scopes: what was declared in them is unknown to the solver again."""
        if levels > len(self._scopes):
            raise SolventError(f"{levels} scopes cannot be closed, as {len(self._scopes)} are open")
        for _ in range(levels):
            for undo in reversed(self._scopes.pop()):
                undo()
        if not self.global_declarations:
            self._unnamed.clear()

    def reset(self) -> None:
        """Forget all declarations and scopes, but keep the names."""
        self._symbols.clear()
        self._texts.clear()
        self._unnamed.clear()
        self._declared.clear()
        self._elements.clear()
        self._lost.clear()
        self._scopes.clear()

    def _until_pop(self, undo: Callable[..., object], *args: object) -> None:
        if self._scopes:
            self._scopes[-1].append(partial(undo, *args))

    # --- what the caller needs -----------------------------------------------------------------

    def declarations_for(self, *terms: Operand) -> list[str]:
        """The commands that the solver needs before the terms can be referred to.

        >>> from solvent.terms import Function, Int
        >>> f, x = Function("f", [Int], Int), Int("x")
        >>> for line in Writer().declarations_for(f(x) * f(x) == 2): print(line)
        (declare-const x Int)
        (declare-fun f (Int) Int)
        (define-fun $1 () Int (f x))
        """
        spelled = {term: spelled_out(term) for term in terms if isinstance(term, Term)}
        others = {old: new for old, new in spelled.items() if new is not old}
        if others:
            terms = tuple(spelled.get(t, t) if isinstance(t, Term) else t for t in terms)
            commands = self.declarations_for(*terms)
            self._keep(self._texts, {old: self.reference(new) for old, new in others.items()})
            return commands
        self._commands = []
        lost = list(self._lost)
        self._lost.clear()
        self._assert(lost)
        composer = Composer(self, self._define, self._symbols, self._unnamed)
        new = [term for term in terms if isinstance(term, Term) and term not in self._texts]
        composer.compose(new)
        self._keep(self._symbols, composer.named)
        written = composer.texts
        self._keep(self._texts, {term: written[term][0] for term in new if term in written})
        for value in terms:
            if not isinstance(value, Term):
                self.value_text(value)
        commands, self._commands = self._commands, []
        return commands

    def _keep(self, table: dict[Term, str], entries: Mapping[Term, str]) -> None:
        table.update(entries)
        if self._scopes and not self.global_declarations:
            for term in entries:
                self._until_pop(table.pop, term, None)

    def reference(self, term: Operand) -> str:
        """The text for a term whose declarations have been asked for, or for a concrete value."""
        if not isinstance(term, Term):
            return self.value_text(term)
        text = self._symbols.get(term) or self._texts.get(term)
        if text is None:
            raise SolventError(f"{term!r} is not declared; call declarations_for first")
        return text

    # --- declarations --------------------------------------------------------------------------

    def next_name(self) -> str:
        """A name for a term; no constant has one like it."""
        self._number += 1
        return f"${self._number}"

    def _define(self, sort: Sort[Term], text: str) -> str:
        name = self.next_name()
        self._commands.append(f"(define-fun {name} () {self.sort_text(sort)} {text})")
        return name

    def _declare(self, named: Named, command: str) -> None:
        self._commands.append(command)
        self._declared.add(named)
        if not self.global_declarations:
            self._until_pop(self._declared.discard, named)

    def declare_sort(self, sort: Sort[Term]) -> None:
        """Declare the uninterpreted sorts in a sort."""
        if isinstance(sort, ArraySort):
            self.declare_sort(sort.index)
            self.declare_sort(sort.element)
        elif isinstance(sort, UninterpretedSort) and sort not in self._declared:
            self._declare(sort, f"(declare-sort {self.names.of(sort)} 0)")

    def declare_constant(self, constant: Term | Element) -> str:
        """Declare a constant or an element, and its sort; its symbol."""
        name = self.names.of(constant)
        if constant not in self._declared:
            self.declare_sort(constant.sort)
            self._declare(constant, f"(declare-const {name} {self.sort_text(constant.sort)})")
        return name

    def declare_function(self, function: FunctionSymbol) -> str:
        """Declare a function, and its sorts; its symbol."""
        name = self.names.of(function)
        if function not in self._declared:
            for sort in (*function.domain, function.range):
                self.declare_sort(sort)
            domain = " ".join(self.sort_text(sort) for sort in function.domain)
            self._declare(
                function, f"(declare-fun {name} ({domain}) {self.sort_text(function.range)})"
            )
        return name

    def _declare_element(self, element: Element) -> str:
        """Declare an element, which differs from the others of its sort; its symbol.

        The difference is asserted, so it ends with its scope, whatever becomes of declarations.
        """
        name = self.declare_constant(element)
        others = self._elements.setdefault(element.sort, [])
        if name not in others:
            self._assert([f"(assert (not (= {other} {name})))" for other in others])
            others.append(name)
            if not self.global_declarations:
                self._until_pop(others.remove, name)
        return name

    def _assert(self, assertions: list[str]) -> None:
        """Assert something in this scope, and again outside when it is closed."""
        self._commands.extend(assertions)
        if self.global_declarations:
            self._until_pop(self._lost.extend, assertions)

    # --- text ----------------------------------------------------------------------------------

    def head(self, op: Op[object]) -> str:
        """What an application begins with; declares what that refers to."""
        if op.base is APPLY:
            return self.declare_function(op.params[0])
        if op.base is CONST_ARRAY:
            self.declare_sort(op.params[0])
            return f"(as const {self.sort_text(op.params[0])})"
        return self.heads.setdefault(op, op.smt)

    def value_text(self, value: Concrete, bind: Bind | None = None) -> str:
        """A concrete value as text; `bind` names the parts of a deeply nested one."""
        if isinstance(value, Element):
            return self._declare_element(value)
        if not isinstance(value, ArrayValue):
            return value_text(value)
        self.declare_sort(value.sort)
        text = f"((as const {self.sort_text(value.sort)}) {self.value_text(value.default, bind)})"
        for count, (index, element) in enumerate(value.items.items(), 1):
            text = f"(store {text} {self.value_text(index, bind)} {self.value_text(element, bind)})"
            if bind is not None and count % NESTING == 0:
                text = bind(value.sort, text)
        return text


def to_smtlib(term: Operand, writer: Writer | None = None) -> str:
    """One term, or value, as text; what is shared in it is named by `let`.

    The names of constants are those that `writer` gives, if there is one.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> to_smtlib((x + y) * (x + y))
    '(let (($1 (+ x y))) (* $1 $1))'
    """
    # What the writer has declared must not change, as nobody sends these declarations.
    scratch = Writer()
    if writer is not None:
        scratch.names = writer.names
    lets: list[str] = []

    def bind(sort: Sort[Term], text: str) -> str:
        name = scratch.next_name()
        lets.append(f"(let (({name} {text})) ")
        return name

    term = spelled_out(term)
    if not isinstance(term, Term):
        text = scratch.value_text(term, bind)
    else:
        composer = Composer(scratch, bind, {}, set())
        composer.compose([term])
        text, _ = composer.texts[term]
    return "".join(lets) + text + ")" * len(lets)


def write_script(
    assertions: Iterable[Guard],
    *,
    logic: str | None = None,
    check: bool = True,
    get_model: bool = False,
    options: Mapping[str, str] | None = None,
    writer: Writer | None = None,
) -> str:
    """A whole script: declarations, assertions, and the commands to check them.

    >>> from solvent.terms import Int
    >>> print(write_script([Int("x") > 5]), end="")
    (set-logic QF_LIA)
    (declare-const x Int)
    (assert (not (<= x 5)))
    (check-sat)
    """
    assertions = list(assertions)
    writer = writer if writer is not None else Writer()
    settings = dict(options or {})
    if get_model:
        settings.setdefault("produce-models", "true")
    lines = [f"(set-option :{name} {value})" for name, value in settings.items()]
    lines.append(f"(set-logic {logic if logic is not None else logic_of(assertions)})")
    lines.extend(writer.declarations_for(*assertions))
    lines.extend(f"(assert {writer.reference(assertion)})" for assertion in assertions)
    if check:
        lines.append("(check-sat)")
    if get_model:
        lines.append("(get-model)")
    return "\n".join(lines) + "\n"
