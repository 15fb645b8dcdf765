"""Putting the texts of terms together, each term once.

A term with several uses gets a name, and so does one at every few dozen levels of nesting.

*Bound variables.*  A constant has one symbol, bound or free, so the text of a term does not
depend on where it stands.  A definition does: it refers to the free constant.  Therefore, in the
body of a quantifier, terms that mention some bound variable are shared by `let` inside the body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from solvent.terms.graph import reachable
from solvent.terms.groups import pattern_groups
from solvent.terms.integers import DIV, MOD
from solvent.terms.ops import Op
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.reals import RDIV
from solvent.terms.sorts import Sort
from solvent.terms.term import CONSTANT, Term

if TYPE_CHECKING:
    from solvent.terms.kinds import Operand
    from solvent.terms.smtlib.writer import Writer

# Terms are nested in one line of text at most so deep.
NESTING = 40

# Names a text of some sort.
Bind = Callable[[Sort[Term], str], str]
# The text of each term and how deep it is nested.
Texts = dict[Term, tuple[str, int]]

_by_id = attrgetter("id")


# What SMT-LIB leaves open, with Solvent's results at a zero divisor; None is the dividend.
_DIVISIONS: dict[Op[object], tuple[str, str | None]] = {
    DIV: ("0", "0"),
    MOD: ("0", None),
    RDIV: ("0.0", "0.0"),
}


def _is_nonzero(divisor: Operand) -> bool:
    return not isinstance(divisor, Term) and divisor != 0


class Composer:
    """Puts the texts of terms together, arguments first.

    `bind` gives a name to a text; `known` has the symbols of terms that were written before, and
    `unnamed` the terms that were written without a name.
    """

    def __init__(
        self, writer: Writer, bind: Bind, known: Mapping[Term, str], unnamed: set[Term]
    ) -> None:
        self.writer = writer
        self.bind = bind
        self.known = known
        self.unnamed = unnamed
        self.named: dict[Term, str] = {}
        self.texts: Texts = {}
        self.binders: Binders | None = None
        self.quantifiers: dict[Term, str] = {}

    def compose(self, roots: Sequence[Term]) -> None:
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

    def _new_terms(self, roots: Sequence[Term]) -> tuple[list[Term], dict[Term, int]]:
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

    def _used(self, term: Term) -> Sequence[Operand]:
        """The terms and values whose texts the text of a term contains, once for each time."""
        op = term.op
        args: tuple[Operand, ...] = term.key[1:]
        if op in _DIVISIONS and not _is_nonzero(args[1]):
            return args + args
        if self.binders is not None and op.base in QUANTIFIERS:
            return self.binders.used(term)
        return args

    def _text(self, term: Term, texts: Texts) -> tuple[str, int]:
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

    def _quantifier(self, term: Term) -> str:
        """The text of a quantifier that stands where its free constants are free, too."""
        assert self.binders is not None
        for constant in self.binders.free_constants(term):
            self.writer.declare_constant(constant)
        for inner in self.binders.inside(term):
            if inner not in self.quantifiers:
                self.quantifiers[inner] = self._closed(inner)
        return self._closed(term)

    def _closed(self, term: Term) -> str:
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

    def _scoped(self, root: Term, sharing: bool = True) -> str:
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

    def __init__(self, roots: Sequence[Term]) -> None:
        terms = reachable(roots)
        bound: set[Term] = set()
        for term in terms:
            if term.op.base in QUANTIFIERS:
                bound.update(term.op.params[0])
        # The bound variables that are free in an open term.
        self._free: dict[Term, frozenset[Term]] = {}
        nothing: frozenset[Term] = frozenset()
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

    def free_constants(self, term: Term) -> list[Term]:
        """The constants free in a term that some quantifier binds elsewhere."""
        return sorted(self._free.get(term, ()), key=_by_id)

    def region(self, roots: Sequence[Term]) -> tuple[list[Term], dict[Term, int]]:
        """The open terms in the roots up to the next quantifiers, arguments first; their uses."""
        uses: dict[Term, int] = {}
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

    def inside(self, quantifier: Term) -> list[Term]:
        """The open quantifiers at any depth in a quantifier, inner ones first."""
        found: set[Term] = set()
        stack = [quantifier]
        while stack:
            for term in self.region(stack.pop().key[1:])[0]:
                if term.op.base in QUANTIFIERS and term not in found:
                    found.add(term)
                    stack.append(term)
        return sorted(found, key=_by_id)

    def used(self, quantifier: Term) -> list[Term]:
        """The terms that are not open and that open terms in a quantifier refer to."""
        found: list[Term] = []
        for inner in (*self.inside(quantifier), quantifier):
            args = inner.key[1:]
            for term in (*self.region(args)[0], inner):
                if term is inner or term.op.base not in QUANTIFIERS:
                    found.extend(
                        arg for arg in term.args if isinstance(arg, Term) and arg not in self._free
                    )
        return found
