"""Reading BTOR2: the grammar of figure 7, with every sort checked as figure 8 says.

One pass, as nothing is used before it is defined.  A line is split into symbols at once; their
columns are only looked up when there is a mistake to report.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from pathlib import Path

from solvent.btor2.digits import from_decimal
from solvent.btor2.errors import Btor2Error
from solvent.btor2.operators import BIT, OPERATORS, Operator, SortProblem, result_sort
from solvent.btor2.syntax import PROPERTIES, AnySort, Model, Node, describe
from solvent.terms.sorts import ArraySort, BitVecSort, array_sort, bitvec_sort

_COMMENT = re.compile(r"(?:^|(?<=\s));")
_BITS = re.compile(r"[01]+")
_DECIMAL = re.compile(r"-?[0-9]+")
_HEX = re.compile(r"[0-9a-fA-F]+")
_NUMBER = re.compile(r"[0-9]+")
# Names of operators in older files.
_ALIASES = {"ne": "neq"}

# Widths beyond this are a mistake rather than a model: a few numbers of them would fill the memory.
WIDEST = 1 << 20
# Numbers of lines, widths and the like have at most so many digits.
_MOST_DIGITS = 18


class _Problem(Exception):
    """A mistake in the current line: the position of the symbol, and the message."""


class _Reader:
    """Reads the lines of one model."""

    def __init__(self, name: str) -> None:
        self.model = Model(name)
        self.nodes = self.model.nodes
        self.parts: list[str] = []
        self.used = 0

    # --- symbols -----------------------------------------------------------------------------

    def symbol(self, position: int, what: str) -> str:
        """The symbol at a position of the line."""
        if position < len(self.parts):
            return self.parts[position]
        raise _Problem(position, f"{what} is expected, but the line ends")

    def number(self, position: int, what: str, least: int = 0) -> int:
        """The number at a position of the line."""
        text = self.symbol(position, what)
        if not _NUMBER.fullmatch(text):
            raise _Problem(position, f"{what} is expected, but {text!r} is found")
        if len(text) > _MOST_DIGITS:
            raise _Problem(position, f"{what} is expected, but {text} is too large")
        value = int(text)
        if value < least:
            raise _Problem(position, f"{what} is expected, which is at least {least}, not {text}")
        return value

    def sort(self, position: int) -> AnySort:
        """The sort whose number stands at a position."""
        number = self.number(position, "the number of a sort", 1)
        node = self.nodes.get(number)
        if node is None:
            raise _Problem(position, f"sort {number} is not defined")
        if node.op != "sort":
            raise _Problem(position, f"a sort is expected, but {number} is a node ({node.op})")
        assert node.sort is not None
        return node.sort

    def argument(self, position: int) -> int:
        """The node, possibly negated, whose number stands at a position."""
        text = self.symbol(position, "the number of a node")
        if not _DECIMAL.fullmatch(text) or not text.strip("-0"):
            raise _Problem(position, f"the number of a node is expected, but {text!r} is found")
        number = int(text) if len(text) <= _MOST_DIGITS else 0
        node = self.nodes.get(abs(number))
        if node is None:
            raise _Problem(position, f"node {text.lstrip('-')} is not defined")
        if node.op == "sort":
            raise _Problem(position, f"a node is expected, but {abs(number)} is a sort")
        if node.sort is None or node.op in ("init", "next"):
            raise _Problem(position, f"node {abs(number)} is a {node.op} and has no value")
        if number < 0 and not isinstance(node.sort, BitVecSort):
            raise _Problem(position, f"only bitvectors can be negated, not {describe(node.sort)}")
        return number

    def arguments(self, position: int, count: int) -> tuple[int, ...]:
        """Some nodes, from a position on."""
        nodes = self.nodes
        try:
            found = tuple([int(part) for part in self.parts[position : position + count]])
            if len(found) == count:
                for number in found:
                    if number <= 0 or nodes[number].sort is None or nodes[number].op in _NO_VALUE:
                        break
                else:
                    return found
        except (KeyError, ValueError):
            pass
        return tuple([self.argument(position + offset) for offset in range(count)])

    # --- lines -------------------------------------------------------------------------------

    def read(self, parts: list[str], line: int) -> Node:
        """The node of one line."""
        self.parts = parts
        number = self.number(0, "the number of a node", 1)
        if number in self.nodes:
            earlier = self.nodes[number].line
            raise _Problem(0, f"{number} is already defined, in line {earlier}")
        op = self.symbol(1, "a keyword or an operator")
        op = _ALIASES.get(op, op)
        operator = OPERATORS.get(op)
        if operator is not None:
            node = self.operation(number, operator)
        else:
            handler = _HANDLERS.get(op)
            if handler is None:
                raise _Problem(1, f"a keyword or an operator is expected, but {op!r} is found")
            node = handler(self, number, op)
        if len(parts) > self.used:
            node.symbol = parts[self.used]
            if len(parts) > self.used + 1:
                extra = parts[self.used + 1]
                raise _Problem(
                    self.used + 1, f"the end of the line is expected, but {extra!r} is found"
                )
        node.line = line
        return node

    def usual(self, parts: list[str], line: int) -> Node | None:
        """The node of a line of the commonest kind, if there is nothing to complain about."""
        operator = OPERATORS.get(parts[1]) if len(parts) > 4 else None
        if operator is None or operator.shape not in ("same", "comparison"):
            return None
        if len(parts) != 3 + operator.arity:
            return None
        nodes = self.nodes
        try:
            number, sid, *args = [int(parts[0]), *map(int, parts[2:])]
            sort = nodes[args[0]].sort
            result = sort if operator.shape == "same" else BIT
            if (
                number <= 0
                or number in nodes
                or nodes[sid].op != "sort"
                or nodes[sid].sort is not result
                or sort.__class__ is not BitVecSort
            ):
                return None
            for arg in args:
                node = nodes[arg]
                if node.sort is not sort or node.op in _NO_VALUE:
                    return None
        except (KeyError, ValueError):
            return None
        return Node(number, operator.name, sid, result, tuple(args), (), "", "", line)

    def operation(self, number: int, operator: Operator) -> Node:
        """An operator of figure 8 with its arguments."""
        sort = self.sort(2)
        arity = operator.arity
        args = self.arguments(3, arity)
        numbers: tuple[int, ...] = ()
        if operator.numbers:
            names = ("the upper bit", "the lower bit") if operator.numbers == 2 else ("a width",)
            numbers = tuple(self.number(4 + i, name) for i, name in enumerate(names))
        nodes = self.nodes
        sorts = [nodes[arg if arg > 0 else -arg].sort for arg in args]
        try:
            result = result_sort(operator, sorts, numbers)  # type: ignore[arg-type]
        except SortProblem as problem:
            raise _Problem(3 + problem.position, problem.message) from None
        if result is not sort:
            raise _Problem(
                2, f"the result of {operator.name} is {describe(result)}, not {describe(sort)}"
            )
        self.used = 3 + arity + operator.numbers
        return Node(number, operator.name, int(self.parts[2]), sort, args, numbers)

    def define_sort(self, number: int, op: str) -> Node:
        """`sort bitvec WIDTH` or `sort array INDEX ELEMENT`."""
        kind = self.symbol(2, "'bitvec' or 'array'")
        if kind == "bitvec":
            width = self.number(3, "a width", 1)
            if width > WIDEST:
                raise _Problem(3, f"a width of {width} is too large")
            self.used = 4
            return Node(number, op, 0, bitvec_sort(width))
        if kind != "array":
            raise _Problem(2, f"'bitvec' or 'array' is expected, but {kind!r} is found")
        sort = array_sort(self.sort(3), self.sort(4))
        self.used = 5
        return Node(number, op, 0, sort, (int(self.parts[3]), int(self.parts[4])))

    def declaration(self, number: int, op: str) -> Node:
        """An input or a state."""
        sort = self.sort(2)
        self.used = 3
        return Node(number, op, int(self.parts[2]), sort)

    def literal(self, number: int, op: str) -> Node:
        """A constant."""
        sort = self.sort(2)
        if not isinstance(sort, BitVecSort):
            raise _Problem(2, f"a bitvector is expected for {op}, not {describe(sort)}")
        if op in ("zero", "one", "ones"):
            value = {"zero": 0, "one": 1, "ones": sort.mask}[op]
            self.used = 3
        else:
            value = self.digits(op, sort)
            self.used = 4
        return Node(number, op, int(self.parts[2]), sort, (), (value,))

    def digits(self, op: str, sort: BitVecSort) -> int:
        """The value of a constant that is written in digits."""
        what, pattern, base = {
            "const": ("a binary number", _BITS, 2),
            "constd": ("a decimal number", _DECIMAL, 10),
            "consth": ("a hexadecimal number", _HEX, 16),
        }[op]
        text = self.symbol(3, what)
        if not pattern.fullmatch(text):
            raise _Problem(3, f"{what} is expected, but {text!r} is found")
        if op == "const" and len(text) != sort.width:
            raise _Problem(3, f"{sort.width} binary digits are expected, not {len(text)}")
        # Each decimal digit takes more than three bits, so that longer ones need not be read.
        fits = len(text.lstrip("-0")) <= sort.width // 3 + 1 or base != 10
        value = 0
        if fits:
            value = from_decimal(text) if base == 10 else int(text, base)
            fits = -(1 << (sort.width - 1)) <= value <= sort.mask
        if not fits:
            raise _Problem(3, f"{text} does not fit in {describe(sort)}")
        return value & sort.mask

    def transition(self, number: int, op: str) -> Node:
        """`init` or `next`: what a state starts with or becomes."""
        sort = self.sort(2)
        state, value = self.arguments(3, 2)
        node = self.nodes[abs(state)]
        if state < 0 or node.op != "state":
            raise _Problem(3, f"a state is expected, but {state} is {_what(state, node)}")
        if node.sort is not sort:
            raise _Problem(2, f"state {state} is {describe(node.sort)}, not {describe(sort)}")
        found = self.model.sort_of(value)
        allowed = found is sort
        if op == "init":
            # An array may start with one element everywhere.
            allowed = allowed or (isinstance(sort, ArraySort) and found is sort.element)
            self.check_init(state, value)
        if not allowed:
            raise _Problem(4, f"{describe(sort)} is expected, not {describe(found)}")
        if state in (self.model.inits if op == "init" else self.model.nexts):
            raise _Problem(3, f"state {state} has its {op} already")
        self.used = 5
        return Node(number, op, int(self.parts[2]), sort, (state, value))

    def check_init(self, state: int, value: int) -> None:
        """A state starts with a value that stands before it and that no input takes part in."""
        start = abs(value)
        if self.nodes[start].line >= self.nodes[state].line:
            raise _Problem(
                4, f"state {state} must be defined after node {start}, with which it starts"
            )
        stack, seen = [start], {start}
        while stack:
            node = self.nodes[stack.pop()]
            if node.op == "input":
                raise _Problem(
                    4, f"state {state} cannot start with what depends on input {node.id}"
                )
            for arg in map(abs, node.args):
                if arg not in seen:
                    seen.add(arg)
                    stack.append(arg)

    def property(self, number: int, op: str) -> Node:
        """`bad`, `constraint`, `fair` or `output`."""
        args = self.arguments(2, 1)
        if op != "output":
            self.require_bit(2, args[0], op)
        self.used = 3
        return Node(number, op, 0, None, args)

    def justice(self, number: int, op: str) -> Node:
        """`justice N` with N nodes."""
        count = self.number(2, "how many nodes follow", 1)
        args = self.arguments(3, count)
        for position, arg in enumerate(args):
            self.require_bit(3 + position, arg, op)
        self.used = 3 + count
        return Node(number, op, 0, None, args)

    def require_bit(self, position: int, arg: int, op: str) -> None:
        sort = self.model.sort_of(arg)
        if sort is not BIT:
            raise _Problem(position, f"bitvec 1 is expected for {op}, not {describe(sort)}")


def _what(argument: int, node: Node) -> str:
    return "negated" if argument < 0 else f"a node ({node.op})"


_NO_VALUE = frozenset(("sort", "init", "next"))
_HANDLERS: dict[str, Callable[[_Reader, int, str], Node]] = {
    "sort": _Reader.define_sort,
    "input": _Reader.declaration,
    "state": _Reader.declaration,
    "init": _Reader.transition,
    "next": _Reader.transition,
    "justice": _Reader.justice,
    **dict.fromkeys(("const", "constd", "consth", "zero", "one", "ones"), _Reader.literal),
    **dict.fromkeys(PROPERTIES, _Reader.property),
}


def parse(text: str, name: str = "<btor2>") -> Model:
    """The model that a text describes.

    >>> model = parse("1 sort bitvec 8\\n2 input 1 x\\n3 redand 1 2")
    Traceback (most recent call last):
        ...
    solvent.btor2.errors.Btor2Error: <btor2>(3,10): Error: the result of redand is bitvec 1, not \
bitvec 8
    """
    enabled = gc.isenabled()
    # Millions of nodes stay; scanning them for garbage again and again would double the time.
    gc.disable()
    try:
        return _read(text, name)
    finally:
        if enabled:
            gc.enable()


def _read(text: str, name: str) -> Model:
    reader = _Reader(name)
    nodes, append = reader.nodes, reader.model.append
    for number, line in enumerate(text.split("\n"), 1):
        comment = ""
        code = line
        if ";" in line:
            found = _COMMENT.search(line)
            if found is not None:
                comment, code = line[found.end() :].rstrip(), line[: found.start()]
        parts = code.split()
        if not parts:
            if comment or ";" in line:
                comments = reader.model.comments
                comments.setdefault(len(reader.nodes), []).append(comment)
            continue
        node = reader.usual(parts, number)
        if node is not None:
            node.comment = comment
            nodes[node.id] = node
            continue
        try:
            node = reader.read(parts, number)
        except _Problem as problem:
            position, message = problem.args
            raise Btor2Error(message, name, number, _column(code, position)) from None
        node.comment = comment
        append(node)
    return reader.model


def parse_file(path: str | Path) -> Model:
    """The model in a file."""
    return parse(Path(path).read_text(encoding="utf-8"), str(path))


def _column(line: str, position: int) -> int:
    """The column of a symbol, from 1; where the line ends if it has too few."""
    columns = [found.start() + 1 for found in re.finditer(r"\S+", line)]
    return columns[position] if position < len(columns) else len(line.rstrip()) + 1
