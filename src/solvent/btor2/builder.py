"""From terms back to BTOR2: each different term is one node.

Booleans and bitvectors of one bit are the same here.  BTOR2 has no constant array: it becomes a
state that starts with its element everywhere and stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from solvent.btor2.errors import ModelError
from solvent.btor2.syntax import AnySort, Model, Node
from solvent.terms.arrays import CONST_ARRAY, SELECT, STORE
from solvent.terms.bitvector_ops import (
    BVADD,
    BVAND,
    BVASHR,
    BVLSHR,
    BVMUL,
    BVNEG,
    BVNOT,
    BVOR,
    BVSDIV,
    BVSHL,
    BVSLE,
    BVSMOD,
    BVSREM,
    BVUDIV,
    BVULE,
    BVUREM,
    BVXOR,
    CONCAT,
    EXTRACT,
    SIGN_EXTEND,
    ZERO_EXTEND,
)
from solvent.terms.booleans import AND, EQ, ITE, NOT, OR
from solvent.terms.graph import reachable
from solvent.terms.kinds import BitVecLike, Concrete, Guard, Operand
from solvent.terms.ops import Op
from solvent.terms.sorts import ArraySort, BitVecSort, Bool, array_sort, bitvec_sort
from solvent.terms.sorts import describe as describe_term
from solvent.terms.term import CONSTANT, Term
from solvent.terms.values import BV, ArrayValue, sort_of

# A condition of a property: one bit.
Bit = Guard | BitVecLike

_NAMES: dict[Op[object], str] = {
    AND: "and",
    OR: "or",
    NOT: "not",
    EQ: "eq",
    BVADD: "add",
    BVMUL: "mul",
    BVNEG: "neg",
    BVAND: "and",
    BVOR: "or",
    BVXOR: "xor",
    BVNOT: "not",
    BVSHL: "sll",
    BVLSHR: "srl",
    BVASHR: "sra",
    BVUDIV: "udiv",
    BVUREM: "urem",
    BVSDIV: "sdiv",
    BVSREM: "srem",
    BVSMOD: "smod",
    BVULE: "ulte",
    BVSLE: "slte",
    CONCAT: "concat",
    SELECT: "read",
    STORE: "write",
    ITE: "ite",
    EXTRACT: "slice",
    ZERO_EXTEND: "uext",
    SIGN_EXTEND: "sext",
}


class Builder:
    """Builds a model line by line; equal lines are one.

    >>> from solvent.terms import BitVec
    >>> from solvent.btor2 import print_model
    >>> builder, x = Builder(), BitVec("x", 8)
    >>> builder.input(x)
    2
    >>> builder.bad(x * x == 9, "square")
    >>> print(print_model(builder.model), end="")
    1 sort bitvec 8
    2 input 1 x
    3 mul 1 2 2
    4 constd 1 9
    5 sort bitvec 1
    6 eq 5 3 4
    7 bad 6 square
    """

    def __init__(self, name: str = "<terms>") -> None:
        self.model = Model(name)
        self._next_id = 1
        self._lines: dict[tuple[object, ...], int] = {}
        self._terms: dict[Term, int] = {}
        self._arrays: dict[tuple[AnySort, int], int] = {}

    # --- lines -------------------------------------------------------------------------------

    def comment(self, text: str) -> None:
        """A comment on a line of its own, after the lines so far."""
        self.model.comments.setdefault(len(self.model.nodes), []).append(f" {text}")

    def skip_to(self, number: int) -> None:
        """Let the next line have this number, or a larger one."""
        self._next_id = max(self._next_id, number)

    def _line(
        self,
        op: str,
        sort: AnySort | None = None,
        args: tuple[int, ...] = (),
        numbers: tuple[int, ...] = (),
        symbol: str = "",
        sid: int | None = None,
    ) -> int:
        found = self.sort(sort) if sid is None and sort is not None else sid or 0
        node = Node(self._next_id, op, found, sort, args, numbers, _printable(symbol))
        self._next_id += 1
        node.line = node.id
        self.model.append(node)
        return node.id

    def _shared(
        self, op: str, sort: AnySort, args: tuple[int, ...] = (), numbers: tuple[int, ...] = ()
    ) -> int:
        key = (op, sort, args, numbers)
        found = self._lines.get(key)
        if found is None:
            found = self._lines[key] = self._line(op, sort, args, numbers)
        return found

    def sort(self, sort: AnySort) -> int:
        """The number of a sort's line."""
        found = self._lines.get(("sort", sort))
        if found is None:
            args: tuple[int, ...] = ()
            if isinstance(sort, ArraySort):
                args = (self.sort(sort.index), self.sort(sort.element))
            found = self._line("sort", sort, args, sid=0)
            self._lines["sort", sort] = found
        return found

    def input(self, now: Term, symbol: str | None = None) -> int:
        """Declare the input that a constant stands for."""
        return self._declare("input", now, symbol)

    def state(self, now: Term, symbol: str | None = None) -> int:
        """Declare the state that a constant stands for."""
        return self._declare("state", now, symbol)

    def _declare(self, op: str, now: Term, symbol: str | None) -> int:
        if not isinstance(now, Term) or now.op is not CONSTANT:
            raise ModelError(f"a constant must stand for a {op}, not {describe_term(now)}")
        if now in self._terms:
            raise ModelError(f"{describe_term(now)} is declared twice")
        name = now.name if symbol is None else symbol
        number = self._line(op, node_sort(now), symbol=name)
        self._terms[now] = number
        return number

    def init(self, state: Term, value: Operand) -> None:
        """Let a state start with a value; an array also with one element everywhere."""
        sort = node_sort(state)
        node = self.node(value if not isinstance(value, int) else of_sort(value, sort))
        self._line("init", sort, (self._terms[state], node))

    def next(self, state: Term, value: Operand) -> None:
        """Let a state become a value."""
        sort = node_sort(state)
        node = self.node(of_sort(value, sort))
        self._line("next", sort, (self._terms[state], node))

    def bad(self, condition: Bit, symbol: str = "") -> None:
        """Add a state that must not be reached."""
        self._property("bad", condition, symbol)

    def constraint(self, condition: Bit, symbol: str = "") -> None:
        """Add a condition that always holds."""
        self._property("constraint", condition, symbol)

    def fair(self, condition: Bit, symbol: str = "") -> None:
        """Add a condition that holds again and again."""
        self._property("fair", condition, symbol)

    def output(self, value: Operand, symbol: str = "") -> None:
        """Give a value a name."""
        self._line("output", None, (self.node(value),), symbol=symbol)

    def justice(self, conditions: Iterable[Bit], symbol: str = "") -> None:
        """Add conditions each of which must not hold again and again, all in one run."""
        nodes = tuple(self.node(of_sort(c, bitvec_sort(1))) for c in conditions)
        self._line("justice", None, nodes, symbol=symbol)

    def _property(self, op: str, condition: Bit, symbol: str) -> None:
        node = self.node(of_sort(condition, bitvec_sort(1)))
        self._line(op, None, (node,), symbol=symbol)

    # --- terms -------------------------------------------------------------------------------

    def node(self, value: Operand) -> int:
        """The number of the node for a term or a concrete value."""
        if not isinstance(value, Term):
            return self._literal(value)
        if value not in self._terms:
            for term in reachable([value]):
                if term not in self._terms:
                    self._terms[term] = self._apply(term)
        return self._terms[value]

    def _argument(self, value: Operand) -> int:
        return self._terms[value] if isinstance(value, Term) else self._literal(value)

    def _apply(self, term: Term) -> int:
        op = term.op
        if op is CONSTANT:
            node_sort(term)
            raise ModelError(f"{describe_term(term)} is neither a state nor an input of the model")
        if op.base is CONST_ARRAY:
            return self._constant_array(term.sort, term.key[1])
        name = _NAMES.get(op.base)
        if name is None or any(_sort_or_none(arg) is None for arg in term.key[1:]):
            raise ModelError(
                f"BTOR2 has no operator for {op} in {describe_term(term)}; "
                "only Booleans, bitvectors and arrays of bitvectors can be used"
            )
        special = _SPECIAL.get(op.base)
        if special is not None:
            found = special(self, term)
            if found is not None:
                return found
        args = tuple([self._argument(arg) for arg in term.key[1:]])
        numbers = op.params if op.base in _NUMBERED else ()
        return self._shared(name, node_sort(term), args, numbers)

    def _choice(self, term: Term) -> int | None:
        """A choice between the two values of one bit is the condition or its complement."""
        _, test, a, b = term.key
        if (
            node_sort(term) is bitvec_sort(1)
            and not isinstance(a, Term)
            and not isinstance(b, Term)
        ):
            node = self._argument(test)
            return node if int(a) else self._shared("not", bitvec_sort(1), (node,))
        return None

    def _equation(self, term: Term) -> int | None:
        """An equation of one bit with a constant is the bit or its complement."""
        _, a, b = term.key
        if not isinstance(b, Term) and node_sort(a) is bitvec_sort(1):
            node = self._argument(a)
            return node if int(b) else self._shared("not", bitvec_sort(1), (node,))
        return None

    def _complement(self, term: Term) -> int | None:
        """`not a <= b` is `a > b`."""
        inner = term.key[1]
        name = {BVULE: "ugt", BVSLE: "sgt", EQ: "neq"}.get(inner.op)
        if name is None or (inner.op is EQ and self._equation(inner) is not None):
            return None
        args = tuple([self._argument(arg) for arg in inner.key[1:]])
        return self._shared(name, bitvec_sort(1), args)

    def _literal(self, value: Concrete) -> int:
        if isinstance(value, ArrayValue):
            return self._array(value)
        sort = node_sort(value)
        number = value.value if isinstance(value, BV) else int(value)  # type: ignore[arg-type]
        assert isinstance(sort, BitVecSort)
        if number == 0:
            return self._shared("zero", sort, (), (0,))
        if number == 1:
            return self._shared("one", sort, (), (1,))
        if number == sort.mask:
            return self._shared("ones", sort, (), (number,))
        return self._shared("constd", sort, (), (number,))

    def _array(self, value: ArrayValue) -> int:
        result = self._constant_array(value.sort, value.default)
        for index, element in value.items.items():
            args = (result, self._literal(index), self._literal(element))
            result = self._shared("write", value.sort, args)
        return result

    def _constant_array(self, sort: AnySort, element: Operand) -> int:
        """The state that is a constant array for ever."""
        if isinstance(element, Term):
            raise ModelError(
                f"BTOR2 has no array of which all elements are {describe_term(element)}"
            )
        number = self.node(element)
        found = self._arrays.get((sort, number))
        if found is None:
            found = self._line("state", sort)
            self._line("init", sort, (found, number))
            self._line("next", sort, (found, found))
            self._arrays[sort, number] = found
        return found


_SPECIAL: dict[Op[object], Callable[[Builder, Term], int | None]] = {
    ITE: Builder._choice,
    EQ: Builder._equation,
    NOT: Builder._complement,
}
_NUMBERED = (EXTRACT, ZERO_EXTEND, SIGN_EXTEND)


def _sort_or_none(value: Operand) -> AnySort | None:
    """The sort of a term's node; None if BTOR2 has no such values."""
    return _translated(sort_of(value))


def _translated(sort: AnySort) -> AnySort | None:
    if sort is Bool:
        return bitvec_sort(1)
    if isinstance(sort, ArraySort):
        index, element = _translated(sort.index), _translated(sort.element)
        return None if index is None or element is None else array_sort(index, element)
    return sort if isinstance(sort, BitVecSort) else None


def node_sort(value: Operand) -> AnySort:
    """The sort of the node for a term or a concrete value."""
    sort = _sort_or_none(value)
    if sort is None:
        raise ModelError(f"BTOR2 has no values of sort {sort_of(value)}: {describe_term(value)}")
    return sort


def of_sort(value: Operand, sort: AnySort) -> Operand:
    """A value that has, or can have, the sort of a node."""
    if isinstance(value, int) and not isinstance(value, bool):
        wanted = sort.element if isinstance(sort, ArraySort) else sort
        required: Operand = wanted.require(value)
        return required
    if node_sort(value) is not sort:
        raise ModelError(f"{describe_term(value)} is used where {sort} is needed")
    return value


def _printable(symbol: str) -> str:
    """A symbol without white space, which would end it."""
    text = "_".join(symbol.split())
    return f"_{text}" if text.startswith(";") else text
