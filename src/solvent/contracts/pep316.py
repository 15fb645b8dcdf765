"""Contracts in docstrings, as PEP 316 has them: `pre:`, `post:`, `inv:` and `raises:`.

A line begins with one of these words and a colon, and what follows is an expression; with nothing
after the colon, the deeper lines below it are expressions, one each.  In a postcondition `_` and
`__return__` are the result and `__old__.name` is an argument as it was before the call, copied
deeply; `post[xs]:` says besides that no argument but `xs` is changed, `post[]:` that none is.

>>> [(row.word, row.text) for row in rows_of([(1, "Adds."), (2, "pre: x > 0"), (3, "post[xs]:"),
...                                          (4, "    len(xs) > 1"), (5, "    _ is None")])]
[('pre', 'x > 0'), ('post', 'len(xs) > 1'), ('post', '_ is None')]
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from types import CellType, FunctionType

from solvent.contracts.model import Condition, Contract, Raises, Snapshot
from solvent.contracts.places import expression, parsed
from solvent.contracts.sources import docstring_lines
from solvent.errors import ContractError, NotLiftedError
from solvent.lift.api import lifted
from solvent.lift.calls import for_each
from solvent.vm.values import Value

LIBRARY = "PEP 316"

_HEAD = re.compile(r"\s*:?(?P<word>pre|post|inv|raises)(?P<changed>\[[^\]]*\])?::?(?P<rest>.*)$")
# What is so much like a contract that it may have been meant as one.
_ALMOST = re.compile(
    r"\s*(?:[-*+>#]+|\.\.|\d+[.)]|[\"'`]+)?\s*:?(?P<word>pre|post|inv)(?:conditions?|ariants?)?"
    r"\s*(?:\[[^\]]*\])?\s*::?(?P<rest>.*)$",
    re.IGNORECASE,
)
# How a line begins that goes on with the expression above.
_GOES_ON = re.compile(
    r"\s*(?:(?:and|or|not\s+in|in|is|if|else|for)\b|==|!=|<|>|\+|-|\*|/|%|\||&|\^|\.\w|,|\[|\()"
)
RESULTS, OLD = ("__return__", "_"), "__old__"


@dataclass(frozen=True, slots=True)
class Row:
    """A condition of a docstring."""

    word: str
    text: str
    line: int
    # The arguments that may be changed, if it says which.
    changed: tuple[str, ...] | None = None


def rows_of(lines: list[tuple[int, str]]) -> Iterator[Row]:
    """The conditions in the lines of a docstring."""
    place = 0
    while place < len(lines):
        number, text = lines[place]
        place += 1
        match = _HEAD.match(text)
        if match is None:
            if _is_almost(text):
                raise ContractError(
                    f"line {number}: `{text.strip()}` seems to be meant as a contract and is none; "
                    "begin the line with `pre:`, `post:` or `inv:`"
                )
            continue
        depth = _depth(text)
        below: list[tuple[int, str]] = []
        while place < len(lines) and _is_deeper(lines[place:], depth):
            below.append(lines[place])
            place += 1
        word, rest = match["word"], match["rest"].strip()
        changed = _names(match["changed"])
        if rest:
            # An expression goes on until its brackets are closed, and where it is continued.
            place -= len(below)
            while place < len(lines) and (_is_open(rest) or _goes_on(rest, lines[place:], depth)):
                rest = f"{rest}\n{lines[place][1].strip()}"
                place += 1
            yield Row(word, rest, number, changed)
        else:
            if not below and changed is None:
                raise ContractError(f"line {number}: `{word}:` is followed by no condition")
            if not below:
                yield Row(word, "True", number, changed)
            yield from (Row(word, row, n, changed) for n, row in _each(below))


def _depth(text: str) -> int:
    """How far a line is indented."""
    return len(text) - len(text.lstrip())


def _is_deeper(lines: list[tuple[int, str]], depth: int) -> bool:
    """Whether lines go on deeper than so; empty ones between them do not count."""
    return next((_depth(text) > depth for _, text in lines if text.strip()), False)


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name for name in re.split(r"[\s,]+", text[1:-1]) if name)


def _is_open(text: str) -> bool:
    """Whether an expression has brackets that are still open."""
    if _is_expression(text):
        return False
    return sum(text.count(c) for c in "([{") > sum(text.count(c) for c in ")]}")


def _goes_on(text: str, lines: list[tuple[int, str]], depth: int) -> bool:
    """Whether the next line, which is deeper, goes on with an expression."""
    following = lines[0][1]
    is_deeper = bool(following.strip()) and _depth(following) > depth
    if not is_deeper or _GOES_ON.match(following) is None:
        return False
    return not _is_expression(text) or _is_expression(f"{text}\n{following.strip()}")


def _is_expression(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(f"({text}\n)", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _each(below: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The conditions of a section, one in each line or over several; comments are none."""
    place = 0
    while place < len(below):
        number, row = below[place]
        place += 1
        text = row.strip()
        if not text or text.startswith("#"):
            continue
        while place < len(below) and (_is_open(text) or _goes_on(text, below[place:], _depth(row))):
            text = f"{text}\n{below[place][1].strip()}"
            place += 1
        yield number, text


def mentions(text: object) -> bool:
    """Whether a docstring may have contracts in it, also such as are not written as they should."""
    if not isinstance(text, str):
        return False
    return any(_HEAD.match(line) or _is_almost(line) for line in text.split("\n"))


def _is_almost(line: str) -> bool:
    """Whether a line seems to be meant as a contract and is none: `Pre: x > 0`, `- post: _ > 0`.

    What follows must be more than a word, which prose has, too.
    """
    match = _ALMOST.match(line)
    if match is None or _HEAD.match(line) is not None:
        return False
    text = match["rest"].strip().strip("`")
    try:
        tree = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    told = (ast.Compare, ast.BoolOp, ast.Call)
    return isinstance(tree.operand if isinstance(tree, ast.UnaryOp) else tree, told)


def contract_of(function: Value) -> Contract | None:
    """The contract in the docstring of a function, if it has one."""
    if type(function) is not FunctionType or not mentions(function.__doc__):
        return None
    # A wrapper has the docstring of what it wraps, and may have other parameters.
    if getattr(getattr(function, "__wrapped__", None), "__doc__", None) is function.__doc__:
        return None
    file, lines = docstring_lines(function)
    rows = _located(file, lines)
    reader = _Reader(function, file)
    contract = empty_contract(function)
    for row in rows:
        if row.word == "pre":
            contract.groups[0].append(reader.condition("precondition", row, reader.parameters))
        elif row.word == "post":
            contract.posts += reader.postconditions(row)
        elif row.word == "raises":
            contract.raises.append(reader.raises(row))
        else:
            raise ContractError(
                f"{file}:{row.line}: `inv:` belongs into the docstring of a class, not of "
                f"`{function.__qualname__}`"
            )
    contract.snapshots = list(reader.snapshots.values())
    return contract


def empty_contract(function: FunctionType) -> Contract:
    """A contract that says nothing yet."""
    return Contract(
        function,
        function,
        LIBRARY,
        False,
        result_names=results_of(function),
        old_name=OLD,
        groups=[[]],
    )


def results_of(function: FunctionType) -> tuple[str, ...]:
    """By which names conditions mean the result: a parameter `_` is a parameter.

    >>> results_of(lambda _: None)
    ('__return__',)
    """
    parameters = parameters_of(function)
    return tuple(name for name in RESULTS if name not in parameters)


def parameters_of(function: FunctionType) -> tuple[str, ...]:
    """The names of the parameters of a function."""
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    return code.co_varnames[:count]


def refuse_module(function: Value) -> None:
    """Refuse the invariant of a module, which nobody would check."""
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    text = getattr(module, "__doc__", None)
    for number, line in enumerate(text.split("\n") if isinstance(text, str) else (), 1):
        match = _HEAD.match(line)
        if match is not None and match["word"] == "inv":
            raise NotLiftedError(
                f"{getattr(module, '__file__', '?')}: `{line.strip()}` in line {number} of the "
                "docstring: the invariant of a module is not checked; state it in functions"
            )


def invariants_in(cls: type) -> list[Condition]:
    """The invariants in the docstring of a class itself."""
    if not mentions(vars(cls).get("__doc__")):
        return []
    file, lines = docstring_lines(cls)
    found: list[Condition] = []
    for row in _located(file, lines):
        if row.word != "inv":
            raise ContractError(
                f"{file}:{row.line}: `{row.word}:` belongs into the docstring of a function, not "
                f"of the class `{cls.__qualname__}`"
            )
        tree = parsed(row.text, file, row.line)
        around = vars(sys.modules.get(cls.__module__, builtins))
        function = expression(tree, ["self"], file, row.line, around, {})
        found.append(Condition("invariant", row.text, file, row.line, function))
    return found


def _located(file: str, lines: list[tuple[int, str]]) -> list[Row]:
    try:
        return list(rows_of(lines))
    except ContractError as error:
        line, _, rest = str(error).removeprefix("line ").partition(": ")
        raise ContractError(f"{file}:{line}: {rest}") from None


class _Reader:
    """Reads the conditions of one function."""

    def __init__(self, function: FunctionType, file: str) -> None:
        self.function = function
        self.file = file
        self.parameters = parameters_of(function)
        self.results = results_of(function)
        self.cells: dict[str, CellType] = dict(
            zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        )
        self.snapshots: dict[str, Snapshot] = {}

    def condition(self, kind: str, row: Row, names: tuple[str, ...]) -> Condition:
        """A condition of a row, as a function of those of some names that it mentions."""
        tree = parsed(row.text, self.file, row.line)
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        wanted = [name for name in names if name in used]
        function = self._function(tree, wanted, row.line)
        text = " ".join(row.text.split())
        # A condition without names has no parameters, which `wanted` cannot tell from not given.
        return Condition(kind, text, self.file, row.line, function, wanted=tuple(wanted))

    def _function(
        self, tree: ast.expr, names: list[str], line: int, **more: Value
    ) -> Callable[..., Value]:
        around = {**self.function.__globals__, **more} if more else self.function.__globals__
        return expression(tree, names, self.file, line, around, self.cells)

    def postconditions(self, row: Row) -> Iterator[Condition]:
        """The condition of a row, and what it says of the arguments that stay as they are."""
        tree = parsed(row.text, self.file, row.line)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id == OLD:
                self._copy_all(row, tree)
        yield self.condition("postcondition", row, (*self.parameters, *self.results, OLD))
        if row.changed is None:
            return
        known = {name.partition(".")[0] for name in row.changed}
        for name in known - {*self.parameters, *self.results}:
            raise ContractError(
                f"{self.file}:{row.line}: `post[{name}]`: there is no parameter `{name}`"
            )
        for name in self.parameters:
            if name not in known:
                self.snapshots.setdefault(name, self._copied(name, row.line))
                text = f"post[{', '.join(row.changed)}]: {name} is not changed"
                test = _parsed_unchanged(name)
                wanted = [name, OLD]
                function = self._function(test, wanted, row.line, __unchanged__=_unchanged)
                yield Condition("postcondition", text, self.file, row.line, function)

    def _copy_all(self, row: Row, tree: ast.expr) -> None:
        """Copy the arguments of which a condition wants to know what they were."""
        asked = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == OLD
        }
        for name in sorted(asked):
            if name not in self.parameters:
                raise ContractError(
                    f"{self.file}:{row.line}: `__old__.{name}`: there is no parameter `{name}`"
                )
            self.snapshots.setdefault(name, self._copied(name, row.line))

    def _copied(self, name: str, line: int) -> Snapshot:
        tree = ast.parse(f"__deepcopy__({name})", mode="eval").body
        capture = self._function(tree, [name], line, __deepcopy__=deepcopy)
        return Snapshot(name, capture, (name,))

    def raises(self, row: Row) -> Raises:
        """The exceptions that may escape."""
        classes: list[type[BaseException]] = []
        for name in re.split(r"[\s,]+", row.text):
            try:
                found = eval(name, dict(self.function.__globals__)) if name else None
            except Exception:
                found = None
            if name and not (isinstance(found, type) and issubclass(found, BaseException)):
                raise ContractError(
                    f"{self.file}:{row.line}: `raises: {name}`: there is no exception {name!r}"
                )
            if isinstance(found, type):
                classes.append(found)
        return Raises(tuple(classes), self.file, row.line, who="the contract `raises:`")


def _parsed_unchanged(name: str) -> ast.expr:
    return ast.parse(f"__unchanged__({name}, {OLD}.{name})", mode="eval").body


def _check_equality(value: Value, old: Value) -> None:
    """Refuse to compare what has no equality but its identity."""
    for_each(value, lambda one: None if one is old else _has_equality(one))


def _has_equality(value: Value) -> None:
    for cls in type(value).__mro__:
        if "__eq__" in vars(cls):
            if cls is object:
                raise NotLiftedError(
                    f"whether an object of the class `{type(value).__qualname__}` is changed "
                    "cannot be told, since it has no equality; name it in `post[...]`"
                )
            return


@lifted
def _unchanged(value: Value, old: Value) -> bool:
    _check_equality(value, old)
    return bool(value == old)
