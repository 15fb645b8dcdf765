"""Terms as SMT-LIB 2 text.

A term is written once, however often it is used: a term with several uses gets a name, by a
`define-fun` of its own or, where there is nothing but one term, by a `let`.  So does a term at
every few dozen levels of nesting, so that no solver's parser meets deep nesting: a chain of
200,000 operators is a few thousand short definitions.

*What means the same everywhere.*  Solvent's `div`, `mod` and `/` are total, SMT-LIB leaves
division by zero open; so a divisor that may be zero is written with a test for it.

*Bound variables.*  A constant has one symbol, bound or free, so the text of a term does not
depend on where it stands.  A definition does: it refers to the free constant.  Therefore, in the
body of a quantifier, terms that mention some bound variable are shared by `let` inside the body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from solvent.errors import SolventError
from solvent.terms.arrays import CONST_ARRAY
from solvent.terms.functions import APPLY, FunctionSymbol
from solvent.terms.graph import reachable
from solvent.terms.integers import DIV, MOD
from solvent.terms.ops import Op
from solvent.terms.quantifiers import QUANTIFIERS, pattern_groups
from solvent.terms.reals import RDIV
from solvent.terms.smtlib.literals import value_text
from solvent.terms.smtlib.logics import logic_of
from solvent.terms.smtlib.names import Names
from solvent.terms.sorts import ArraySort, Sort, UninterpretedSort
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import ArrayValue, Element

# Terms are nested in one line of text at most so deep.
NESTING = 40

# Names a text of some sort.
Bind = Callable[[Sort[Any], str], str]
# The text of each term and how deep it is nested.
Texts = dict[Any, tuple[str, int]]

_by_id = attrgetter("id")


# What SMT-LIB leaves open, with Solvent's results at a zero divisor; None is the dividend.
_DIVISIONS: dict[Op, tuple[str, str | None]] = {
    DIV: ("0", "0"),
    MOD: ("0", None),
    RDIV: ("0.0", "0.0"),
}


def _is_nonzero(divisor: Any) -> bool:
    return not isinstance(divisor, Term) and divisor != 0


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
        self._symbols: dict[Any, str] = {}
        # The texts of terms that were asked for and have no name.
        self._texts: dict[Any, str] = {}
        # Terms that were written without a name; one that comes again gets a name.
        self._unnamed: set[Any] = set()
        self._declared: set[Any] = set()
        self._elements: dict[Sort[Any], list[str]] = {}
        # Assertions about elements that a pop took from the solver, but not their declarations.
        self._lost: list[str] = []
        # What undoes the additions of each open scope.
        self._scopes: list[list[Callable[[], object]]] = []
        self._number = 0
        # The heads that refer to nothing that is declared.
        self.heads: dict[Op, str] = {}
        self._sorts: dict[Sort[Any], str] = {}
        self._commands: list[str] = []

    # --- names ---------------------------------------------------------------------------------

    def name_of(self, constant: Any) -> str:
        """The symbol of a constant, function, uninterpreted sort or element.

        >>> from solvent.terms import Int
        >>> Writer().name_of(Int("loop counter"))
        '|loop counter|'
        """
        return self.names.of(constant)

    def constant_of(self, name: str) -> Any:
        """The constant, function, sort or element of a symbol, or None.

        >>> from solvent.terms import Int
        >>> writer = Writer()
        >>> writer.constant_of(writer.name_of(Int("and")))
        and
        """
        return self.names.object(name)

    def sort_text(self, sort: Sort[Any]) -> str:
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

    def _until_pop(self, undo: Callable[..., object], *args: Any) -> None:
        if self._scopes:
            self._scopes[-1].append(partial(undo, *args))

    # --- what the caller needs -----------------------------------------------------------------

    def declarations_for(self, *terms: Any) -> list[str]:
        """The commands that the solver needs before the terms can be referred to.

        >>> from solvent.terms import Function, Int
        >>> f, x = Function("f", [Int], Int), Int("x")
        >>> for line in Writer().declarations_for(f(x) * f(x) == 2): print(line)
        (declare-const x Int)
        (declare-fun f (Int) Int)
        (define-fun $1 () Int (f x))
        """
        self._commands = []
        lost = list(self._lost)
        self._lost.clear()
        self._assert(lost)
        composer = Composer(self, self._define, self._symbols, self._unnamed)
        new = [term for term in terms if isinstance(term, Term) and term not in self._texts]
        composer.compose(new)
        for symbols, kept in (
            (self._symbols, composer.named),
            (
                self._texts,
                {term: composer.texts[term][0] for term in new if term in composer.texts},
            ),
        ):
            symbols.update(kept)
            if not self.global_declarations:
                for term in kept if self._scopes else ():
                    self._until_pop(symbols.pop, term, None)
        for value in terms:
            if not isinstance(value, Term):
                self.value_text(value)
        commands, self._commands = self._commands, []
        return commands

    def reference(self, term: Any) -> str:
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

    def _define(self, sort: Sort[Any], text: str) -> str:
        name = self.next_name()
        self._commands.append(f"(define-fun {name} () {self.sort_text(sort)} {text})")
        return name

    def _declare(self, named: Any, command: str) -> None:
        self._commands.append(command)
        self._declared.add(named)
        if not self.global_declarations:
            self._until_pop(self._declared.discard, named)

    def declare_sort(self, sort: Sort[Any]) -> None:
        """Declare the uninterpreted sorts in a sort."""
        if isinstance(sort, ArraySort):
            self.declare_sort(sort.index)
            self.declare_sort(sort.element)
        elif isinstance(sort, UninterpretedSort) and sort not in self._declared:
            self._declare(sort, f"(declare-sort {self.names.of(sort)} 0)")

    def declare_constant(self, constant: Any) -> str:
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

    def head(self, op: Op) -> str:
        """What an application begins with; declares what that refers to."""
        if op.base is APPLY:
            return self.declare_function(op.params[0])
        if op.base is CONST_ARRAY:
            self.declare_sort(op.params[0])
            return f"(as const {self.sort_text(op.params[0])})"
        return self.heads.setdefault(op, op.smt)

    def value_text(self, value: Any, bind: Bind | None = None) -> str:
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


class Composer:
    """Puts the texts of terms together, arguments first.

    `bind` gives a name to a text; `known` has the symbols of terms that were written before, and
    `unnamed` the terms that were written without a name.
    """

    def __init__(
        self, writer: Writer, bind: Bind, known: Mapping[Any, str], unnamed: set[Any]
    ) -> None:
        self.writer = writer
        self.bind = bind
        self.known = known
        self.unnamed = unnamed
        self.named: dict[Any, str] = {}
        self.texts: Texts = {}
        self.binders: Binders | None = None
        self.quantifiers: dict[Any, str] = {}

    def compose(self, roots: Sequence[Any]) -> None:
        """Write the terms in the roots that are not known."""
        terms, uses = self._new_terms(roots)
        if any(term.op.base in QUANTIFIERS for term in terms):
            self.binders = Binders(roots)
            terms, uses = self._new_terms(roots)
        texts, unnamed, named = self.texts, self.unnamed, self.named
        for term in terms:
            if term.op is CONSTANT:
                name = named[term] = self.writer.declare_constant(term)
                texts[term] = (name, 0)
                continue
            text, height = written = self._text(term, texts)
            if uses[term] > 1 or height >= NESTING or term in unnamed:
                name = named[term] = self.bind(term.sort, text)
                texts[term] = (name, 0)
            else:
                texts[term] = written
                unnamed.add(term)

    def _new_terms(self, roots: Sequence[Any]) -> tuple[list[Any], dict[Any, int]]:
        """The terms to write, arguments first, and how often each is used."""
        known = self.known
        stack = [root for root in dict.fromkeys(roots) if root not in known]
        uses = dict.fromkeys(stack, 0)
        found = []
        while stack:
            term = stack.pop()
            found.append(term)
            if term.op is CONSTANT:
                continue
            for used in self._used(term):
                if isinstance(used, Term):
                    if used in uses:
                        uses[used] += 1
                    elif used not in known:
                        uses[used] = 1
                        stack.append(used)
        found.sort(key=_by_id)
        return found, uses

    def _used(self, term: Any) -> Sequence[Any]:
        """The terms and values whose texts the text of a term contains, once for each time."""
        op = term.op
        args: tuple[Any, ...] = term.key[1:]
        if op in _DIVISIONS and not _is_nonzero(args[1]):
            return args + args
        if self.binders is not None and op.base in QUANTIFIERS:
            return self.binders.used(term)
        return args

    def _text(self, term: Any, texts: Texts) -> tuple[str, int]:
        """The text of an application, and how deep it is nested."""
        op = term.op
        if op.base in QUANTIFIERS:
            return self._quantifier(term), 1
        parts = [self.writer.heads.get(op) or self.writer.head(op)]
        height = 0
        for arg in term.key[1:]:
            if isinstance(arg, Term):
                # What is not among the texts belongs to the surroundings, or was written before.
                text, deep = texts.get(arg) or self.texts.get(arg) or (self.known[arg], 0)
                if deep > height:
                    height = deep
            else:
                text = self.writer.value_text(arg, self.bind)
            parts.append(text)
        if len(parts) == 1:
            return parts[0], 0
        text = f"({' '.join(parts)})"
        if op in _DIVISIONS and not _is_nonzero(term.key[2]):
            zero, at_zero = _DIVISIONS[op]
            text = f"(ite (= {parts[2]} {zero}) {at_zero or parts[1]} {text})"
        return text, height + 1

    # --- quantifiers ---------------------------------------------------------------------------

    def _quantifier(self, term: Any) -> str:
        """The text of a quantifier that stands where its free constants are free, too."""
        assert self.binders is not None
        for constant in self.binders.free_constants(term):
            self.writer.declare_constant(constant)
        for inner in self.binders.inside(term):
            if inner not in self.quantifiers:
                self.quantifiers[inner] = self._closed(inner)
        return self._closed(term)

    def _closed(self, term: Any) -> str:
        """The text of a quantifier the inner quantifiers of which have been written."""
        variables, sizes = term.op.params
        _, body, *patterns = term.key
        for variable in variables:
            self.writer.declare_sort(variable.sort)
        listed = " ".join(
            f"({self.writer.name_of(variable)} {self.writer.sort_text(variable.sort)})"
            for variable in variables
        )
        text = self._scoped(body)
        if patterns:
            groups = (
                " ".join(self._scoped(pattern, sharing=False) for pattern in group)
                for group in pattern_groups(sizes, patterns)
            )
            text = f"(! {text} {' '.join(f':pattern ({group})' for group in groups)})"
        return f"({term.op.name} ({listed}) {text})"

    def _scoped(self, root: Any, sharing: bool = True) -> str:
        """The text of a term inside a quantifier, what is shared in it named by `let`."""
        if not isinstance(root, Term):
            return self.writer.value_text(root, self.bind)
        assert self.binders is not None
        terms, uses = self.binders.region([root])
        texts: Texts = {}
        lets: list[str] = []
        for term in terms:
            if term.op is CONSTANT:
                texts[term] = (self.writer.name_of(term), 0)
                continue
            if term.op.base in QUANTIFIERS:
                written = (self.quantifiers[term], 1)
            else:
                written = self._text(term, texts)
            if sharing and (uses[term] > 1 or written[1] >= NESTING):
                name = self.writer.next_name()
                lets.append(f"(let (({name} {written[0]})) ")
                written = (name, 0)
            texts[term] = written
        text, _ = texts.get(root) or self.texts.get(root) or (self.known[root], 0)
        return "".join(lets) + text + ")" * len(lets)


class Binders:
    """Which terms in the roots mention variables that some quantifier in the roots binds.

    These are called open.  In a quantifier only the others can be referred to by definitions.
    """

    def __init__(self, roots: Sequence[Any]) -> None:
        terms = reachable(roots)
        bound: set[Any] = set()
        for term in terms:
            if term.op.base in QUANTIFIERS:
                bound.update(term.op.params[0])
        # The bound variables that are free in an open term.
        self._free: dict[Any, frozenset[Any]] = {}
        nothing: frozenset[Any] = frozenset()
        for term in terms:
            if term.op is CONSTANT:
                free = frozenset((term,)) if term in bound else nothing
            else:
                args = (arg for arg in term.key[1:] if isinstance(arg, Term))
                free = nothing.union(*(self._free.get(arg, nothing) for arg in args))
                if term.op.base in QUANTIFIERS:
                    free = free.difference(term.op.params[0])
            if free:
                self._free[term] = free

    def free_constants(self, term: Any) -> list[Any]:
        """The constants free in a term that some quantifier binds elsewhere."""
        return sorted(self._free.get(term, ()), key=_by_id)

    def region(self, roots: Sequence[Any]) -> tuple[list[Any], dict[Any, int]]:
        """The open terms in the roots up to the next quantifiers, arguments first; their uses."""
        uses: dict[Any, int] = {}
        found = []
        stack = [root for root in roots if isinstance(root, Term)]
        while stack:
            term = stack.pop()
            if term in uses:
                uses[term] += 1
            elif term in self._free:
                uses[term] = 1
                found.append(term)
                if term.op is not CONSTANT and term.op.base not in QUANTIFIERS:
                    args = term.key[1:]
                    if term.op in _DIVISIONS and not _is_nonzero(args[1]):
                        args += args
                    stack.extend(arg for arg in args if isinstance(arg, Term))
        found.sort(key=_by_id)
        return found, uses

    def inside(self, quantifier: Any) -> list[Any]:
        """The open quantifiers at any depth in a quantifier, inner ones first."""
        found: set[Any] = set()
        stack = [quantifier]
        while stack:
            for term in self.region(stack.pop().key[1:])[0]:
                if term.op.base in QUANTIFIERS and term not in found:
                    found.add(term)
                    stack.append(term)
        return sorted(found, key=_by_id)

    def used(self, quantifier: Any) -> list[Any]:
        """The terms that are not open and that open terms in a quantifier refer to."""
        found: list[Any] = []
        for inner in (*self.inside(quantifier), quantifier):
            args = inner.key[1:]
            for term in (*self.region(args)[0], inner):
                if term is inner or term.op.base not in QUANTIFIERS:
                    found.extend(
                        arg for arg in term.args if isinstance(arg, Term) and arg not in self._free
                    )
        return found


def to_smtlib(term: Any, writer: Writer | None = None) -> str:
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

    def bind(sort: Sort[Any], text: str) -> str:
        name = scratch.next_name()
        lets.append(f"(let (({name} {text})) ")
        return name

    if not isinstance(term, Term):
        text = scratch.value_text(term, bind)
    else:
        composer = Composer(scratch, bind, {}, set())
        composer.compose([term])
        text, _ = composer.texts[term]
    return "".join(lets) + text + ")" * len(lets)


def write_script(
    assertions: Iterable[Any],
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
