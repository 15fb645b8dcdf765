"""Random Python programs, and what to do with one that goes wrong.

`program(seed)` is the source of a small module with a function `main`; the same seed gives the same
program.  The programs are dense: nested branches and loops that are left early, lists, dicts and
objects with aliases, exceptions with handlers and `finally` clauses, closures, calls with effects.
Variables are typed loosely, so that most operations make sense and some raise.  `shrink` deletes
and simplifies statements as long as the program still fails.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import random
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.registry import TRUSTED
from solvent.vm.machine import current
from tests.lift.differential import agree

PRELUDE = """\
class Box:
    def __init__(self, v):
        self.v = v
        self.kept = []

    def bump(self, k):
        if k > 0:
            self.v += k
        elif k == 0:
            self.kept.append(k)
            return self.kept
        return self

    def __eq__(self, other):
        return isinstance(other, Box) and self.v == other.v


class Quiet:
    def __init__(self, log, on):
        self.log = log
        self.on = on

    def __enter__(self):
        self.log.append("in")
        return self.on

    def __exit__(self, kind, error, trace):
        self.log.append("out" if kind is None else kind.__name__)
        return self.on == 1


def pick(m, n):
    if m > n:
        return m
    if m == n + 1:
        raise KeyError(m)
    return n - 1


def put(items, k):
    if k < -1:
        raise ValueError("negative", k)
    items.append(k)
    for place in range(len(items)):
        if items[place] == k:
            return place
    return None


def count(k):
    if k <= 0:
        return 0
    return 1 + count(k - 1)


def say(log, k):
    log.append(k)
    return k


def some(n, skip):
    for k in range(3):
        if k == skip:
            continue
        if k > n:
            return
        yield k


class Crate(Box):
    total = 0

    def bump(self, k):
        if k < 0:
            raise ValueError("crate", k)
        Crate.total += k
        return super().bump(k - 1)


"""

INTS = ("a", "b", "c")
LISTS = ("p", "q", "r")
DICTS = ("d", "e")
BOXES = ("o", "w")
TUPLES = ("t", "u")
SETS = ("g", "h")
START = """\
a, b, c = x, 1, y
p, q = [1, 2], [x]
r = p
d, e = {0: 5}, {}
o, w = Box(y), Box(0)
t, u = (x, 2), (1, 2, 3)
g, h = {1, x}, set()
Crate.total = 0
log = []
"""
RESULT = "return a, b, c, p, q, r, d, e, o, w, t, u, g, h, Crate.total, log"
ERRORS = ("ValueError", "KeyError", "IndexError", "ZeroDivisionError", "(KeyError, IndexError)")


class Writer:
    """Writes one program."""

    def __init__(self, seed: str, inputs: tuple[str, ...]) -> None:
        self.random = random.Random(seed)
        self.inputs = inputs
        self.lines: list[str] = []
        self.indent = 1
        self.loops = 0
        self.functions = 0
        self.names = itertools.count()
        # What is left of the size of the program.
        self.budget = self.random.randint(6, 13)

    # --- expressions ------------------------------------------------------------------------------

    def one(self, *choices: str) -> str:
        """One of the choices."""
        return self.random.choice(choices)

    def atom(self) -> str:
        """A small number."""
        return self.one(*INTS, *self.inputs, *self.inputs, "0", "1", "2", "-1")

    def index(self) -> str:
        """Something to index with."""
        if self.random.random() < 0.8:
            return self.one("0", "0", "-1")
        return self.one("1", *self.inputs, *INTS)

    def key(self) -> str:
        """Something to look up in a dict."""
        return self.one("0", "0", "0", *self.inputs, *INTS)

    def divisor(self) -> str:
        """Something to divide by."""
        return self.one("2", "3", f"({self.atom()} or 1)", f"({self.atom()})")

    def number(self, depth: int = 2) -> str:
        """An expression whose value is usually a number."""
        if depth == 0 or self.random.random() < 0.25:
            return self.atom()
        left, right = self.number(depth - 1), self.number(depth - 1)
        return self.random.choice(
            (
                lambda: f"{left} + {right}",
                lambda: f"{left} - {right}",
                lambda: f"({left}) * {self.atom()}",
                lambda: f"({left}) // {self.divisor()}",
                lambda: f"({left}) % {self.divisor()}",
                lambda: f"-({left})",
                lambda: f"{self.one(*LISTS)}[{self.index()}]",
                lambda: f"len({self.one(*LISTS, *DICTS, *TUPLES)})",
                lambda: f"{self.one(*TUPLES)}[{self.index()}]",
                lambda: f"d[{self.key()}]",
                lambda: f"{self.one(*BOXES)}.v",
                lambda: f"({left} if {self.test(1)} else {right})",
                lambda: f"({left} and {right})",
                lambda: f"({left} or {right})",
                lambda: f"pick({left}, {right})",
                lambda: f"put({self.one(*LISTS)}, {left})",
                lambda: f"say(log, {left})",
                lambda: f"count({self.one(*self.inputs, '2')})",
                lambda: f"({self.one(*INTS)} := {left})",
                lambda: f"{self.one(*LISTS)}.pop()",
                lambda: f"(lambda m, n={self.atom()}: m - n)({left})",
                lambda: f"({self.test(1)})",
                lambda: f"sum(some({self.atom()}, {self.atom()}))",
                lambda: f"{self.one('max', 'min')}({left}, {right})",
                lambda: f"max({self.one(*LISTS, *TUPLES)})",
                lambda: f"d.get({self.key()}, {right})",
            )
        )()

    def value(self) -> str:
        """An expression of any kind."""
        chance = self.random.random()
        if chance < 0.9:
            return self.number()
        if chance < 0.95:
            return f"{self.one('None', repr('s'))} if {self.test(1)} else {self.number(1)}"
        return self.one("None", "'s'", *LISTS, *TUPLES, *BOXES, "[]", "(x,)")

    def test(self, depth: int = 2) -> str:
        """A condition."""
        if depth == 0 or self.random.random() < 0.5:
            return f"{self.atom()} {self.one('<', '<=', '==', '!=', '>')} {self.number(depth)}"
        return self.random.choice(
            (
                lambda: f"{self.test(depth - 1)} and {self.test(depth - 1)}",
                lambda: f"{self.test(depth - 1)} or {self.test(depth - 1)}",
                lambda: f"not ({self.test(depth - 1)})",
                lambda: f"{self.atom()} < {self.number(1)} <= {self.atom()}",
                lambda: f"{self.atom()} in {self.one(*LISTS, *DICTS, *TUPLES)}",
                lambda: f"{self.one(*LISTS)} is {self.one(*LISTS)}",
                lambda: f"{self.one(*LISTS)} == {self.one(*LISTS)}",
                lambda: f"{self.one(*BOXES)} == {self.one(*BOXES)}",
                lambda: self.one(*LISTS, *DICTS, *INTS),
                lambda: f"{self.one(*INTS)} is None",
            )
        )()

    def items(self) -> str:
        """An expression whose value is a list."""
        name, test = self.one(*LISTS), self.test(1)
        return self.random.choice(
            (
                lambda: f"[{self.number(1)}, {self.number(1)}]",
                lambda: f"{name}[{self.one('1:', ':-1', ':', '::-1', ':' + self.atom())}]",
                lambda: f"{name} + [{self.number(1)}]",
                lambda: f"[k + {self.atom()} for k in {name}]",
                lambda: f"[k for k in range(3) if k != {self.atom()}]",
                lambda: f"[{self.atom()} for k in {name}[:2] if {test}]",
                lambda: f"[*{name}, {self.atom()}]",
                lambda: f"list({self.one(*TUPLES)})",
                lambda: f"list(some({self.atom()}, {self.atom()}))",
                lambda: f"[m - n for m, n in zip({name}, {self.one(*LISTS)})]",
                lambda: f"[m * n for m, n in enumerate({name})]",
                lambda: f"sorted({name})",
                lambda: f"[k for k in {self.one(*DICTS)}]",
                lambda: name,
                lambda: f"{name} if {test} else {self.one(*LISTS)}",
                lambda: f"{self.one(*BOXES)}.kept",
            )
        )()

    def pairs(self) -> str:
        """An expression whose value is a tuple."""
        return self.random.choice(
            (
                lambda: f"({self.number(1)}, {self.number(1)})",
                lambda: f"{self.one(*TUPLES)}[1:]",
                lambda: f"(*{self.one(*LISTS)}, {self.atom()})",
                lambda: f"{self.one(*TUPLES)} + ({self.atom()},)",
                lambda: f"{self.one(*TUPLES)} if {self.test(1)} else ({self.atom()},)",
                lambda: f"({self.one(*LISTS)}, {self.one(*BOXES)})",
            )
        )()

    # --- statements -------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append("    " * self.indent + text)

    def block(self, depth: int, most: int = 3) -> None:
        """Write an indented block."""
        self.indent += 1
        for _ in range(self.random.randint(1, most)):
            self.statement(depth)
        self.indent -= 1

    def statement(self, depth: int) -> None:
        """Write one statement."""
        self.budget -= 1
        if depth > 0 and self.budget > 0 and self.random.random() < 0.5:
            self.random.choice(self.compound)(self, depth - 1)
        elif self.random.random() < 0.13:
            self.leave()
        else:
            self.random.choice(self.simple)(self)

    def leave(self) -> None:
        """Leave something, usually under a condition."""
        how = ["return " + self.value(), f"raise {self.one(*ERRORS[:3])}({self.atom()})"]
        if self.loops:
            how += ["break", "continue"] * 2
        action = self.one(*how)
        if self.random.random() < 0.85:
            self.line(f"if {self.test(1)}:")
            self.line("    " + action)
        else:
            self.line(action)

    def assign(self) -> None:
        """Assign a variable."""
        self.line(f"{self.one(*INTS)} = {self.value()}")

    def augment(self) -> None:
        """Assign a place in place."""
        place = self.one(
            *INTS,
            f"{self.one(*LISTS)}[{self.index()}]",
            f"{self.one(*BOXES)}.v",
            f"d[{self.key()}]",
        )
        self.line(f"{place} {self.one('+=', '-=', '*=')} {self.number(1)}")

    def change_list(self) -> None:
        """Change a list in place."""
        name = self.one(*LISTS)
        self.line(
            self.random.choice(
                (
                    lambda: f"{name}.append({self.value()})",
                    lambda: f"{name}.append({self.number(1)})",
                    lambda: f"{name}[{self.index()}] = {self.value()}",
                    lambda: f"del {name}[{self.index()}]",
                    lambda: f"{name}[{self.one('1:', ':1', '1:2')}] = [{self.number(1)}]",
                    lambda: f"{self.one(*INTS)} = {name}.pop({self.one('', '0', '-1')})",
                    lambda: f"{name}.extend([{self.atom()}, {self.atom()}])",
                    lambda: f"{name} += [{self.atom()}]",
                )
            )()
        )

    def change_dict(self) -> None:
        """Change a dict in place."""
        name = self.one(*DICTS)
        self.line(
            self.random.choice(
                (
                    lambda: f"{name}[{self.key()}] = {self.number(1)}",
                    lambda: f"{name}[{self.key()}] = {self.value()}",
                    lambda: f"{name}[{self.key()}] = {self.number(1)}",
                    lambda: f"del {name}[{self.key()}]",
                    lambda: f"{self.one(*DICTS)} = {self.one(*DICTS)}",
                    lambda: f"{name} = {{k: k + {self.atom()} for k in range(2)}}",
                )
            )()
        )

    def change_set(self) -> None:
        """Change a set in place, or ask it."""
        name = self.one(*SETS)
        self.line(
            self.random.choice(
                (
                    lambda: f"{name}.add({self.number(1)})",
                    lambda: f"{name}.discard({self.atom()})",
                    lambda: f"{name}.remove({self.one('1', self.atom())})",
                    lambda: f"{self.one(*INTS)} = {self.atom()} in {name}",
                    lambda: f"{self.one(*INTS)} = len({name})",
                    lambda: f"{name} = {self.one('g | h', 'g & h', 'g - h', '{k for k in p}')}",
                    lambda: f"h = {self.one('g', 'h')}",
                )
            )()
        )

    def change_box(self) -> None:
        """Change an object, or let two variables share one."""
        name, other = self.one(*BOXES), self.one(*BOXES)
        self.line(
            self.random.choice(
                (
                    lambda: f"{name}.v = {self.number()}",
                    lambda: f"{name}.extra = {self.number(1)}",
                    lambda: f"{name}.v -= {self.number(1)}",
                    lambda: self.one(f"{self.one(*INTS)} = {name}.extra", f"del {name}.extra"),
                    lambda: f"{name}.kept = {self.one(*LISTS)}",
                    lambda: f"{name}.kept.append({self.atom()})",
                    lambda: f"{name} = {self.one('Box', 'Crate')}({self.number(1)})",
                    lambda: f"{name} = {other}",
                    lambda: f"{name} = {other} if {self.test(1)} else {name}",
                    lambda: f"{name}.next = {other}",
                    lambda: f"{self.one(*INTS)} = {name}.bump({self.number(1)})",
                    lambda: f"{name}.bump({self.atom()}).bump({self.atom()})",
                )
            )()
        )

    def unpack(self) -> None:
        """Assign several variables at once."""
        first, second = self.random.sample(INTS, 2)
        self.line(
            self.random.choice(
                (
                    lambda: f"{first}, {second} = {second}, {self.number(1)}",
                    lambda: f"{first}, {second} = {self.number(1)}, {first}",
                    lambda: f"{first}, {second} = {self.one('t', 't', *LISTS, *TUPLES)}",
                    lambda: f"{first}, *{self.one(*LISTS)} = {self.one(*LISTS, *TUPLES)}",
                    lambda: (
                        f"{first}, ({second}, {self.one(*LISTS)}[-1]) = 1, "
                        f"{self.one(self.pairs(), '(b, c)')}"
                    ),
                    lambda: f"{first} = {second} = {self.number(1)}",
                )
            )()
        )

    def share(self) -> None:
        """Assign a list or a tuple."""
        if self.random.random() < 0.6:
            self.line(f"{self.one(*LISTS)} = {self.items()}")
        else:
            self.line(f"{self.one(*TUPLES)} = {self.pairs()}")

    def note(self) -> None:
        """Write to the log, check or delete something."""
        self.line(
            self.one(
                f"log.append({self.one(*INTS, *LISTS, *TUPLES)})",
                f"log.append(({self.number(1)}, {self.number(1)}))",
                f"assert {self.atom()} or {self.test(1)}, {self.atom()}",
                f"assert {self.one(*LISTS)} or {self.test(1)}",
                f"say(log, {self.number(1)})",
                f"{self.one(*INTS)} = [say(log, {self.number(1)}), {self.number(1)}][0]",
                self.one(
                    "pass" if self.functions else f"del {self.one(*INTS)}",
                    f"log.append({self.one(*BOXES)}.kept)",
                ),
            )
        )

    simple = (
        assign, assign, augment, change_list, change_list, change_dict, change_set, change_box,
        unpack, share, note,
    )  # fmt: skip

    def branch(self, depth: int) -> None:
        """`if`, `elif`, `else`."""
        self.line(f"if {self.test()}:")
        self.block(depth)
        while self.random.random() < 0.3:
            self.line(f"elif {self.test(1)}:")
            self.block(depth, 2)
        if self.random.random() < 0.5:
            self.line("else:")
            self.block(depth)

    def loop(self, depth: int) -> None:
        """`for` or `while`, with or without `else`."""
        if self.loops > 1:
            self.branch(depth)
            return
        number = next(self.names)
        self.loops += 1
        if self.random.random() < 0.4:
            self.line(f"n{number} = 0")
            test = self.one(f"n{number} < {self.one(*self.inputs, '2')}", self.test(1))
            self.line(f"while n{number} < 3 and ({test}):")
            self.line(f"    n{number} += 1")
        elif self.random.random() < 0.4:
            self.line(f"i{number} = {self.one(*LISTS, *LISTS, *TUPLES)}")
            self.line(f"for k{number} in i{number}:")
            self.line(f"    if len(i{number}) > 4:")
            self.line("        break")
            self.line(f"    {self.one(*INTS)} = k{number}")
        else:
            source = self.one(
                "range(2)", "range(2)", "range(3)", f"range({self.one(*self.inputs)})",
                f"some({self.atom()}, {self.atom()})", f"enumerate({self.one(*TUPLES)})",
            )  # fmt: skip
            target = self.one(*INTS)
            if source.startswith("enumerate"):
                target += ", k"
            self.line(f"for {target} in {source}:")
        self.block(depth)
        self.loops -= 1
        if self.random.random() < 0.35:
            self.line("else:")
            self.block(depth, 2)

    def attempt(self, depth: int) -> None:
        """`try` in all its shapes."""
        self.line("try:")
        self.block(depth)
        shape = self.random.random()
        if shape < 0.8:
            bound = self.random.random() < 0.5
            self.line(f"except {self.one(*ERRORS)}{' as error' if bound else ''}:")
            if bound:
                self.line("    log.append(error.args)")
            self.block(depth, 2)
            if self.random.random() < 0.3:
                self.line(f"except {self.one('Exception', 'TypeError')}:")
                self.block(depth, 2)
                if self.random.random() < 0.3:
                    self.line(f"    {self.one('raise', 'raise ValueError(0) from None')}")
            if self.random.random() < 0.3:
                self.line("else:")
                self.block(depth, 2)
        if shape > 0.65:
            self.line("finally:")
            self.line("    log.append('f')")
            self.block(depth, 2)

    def manage(self, depth: int) -> None:
        """`with`."""
        self.line(f"with Quiet(log, {self.atom()}) as {self.one(*INTS)}:")
        self.block(depth)

    def match(self, depth: int) -> None:
        """`match`."""
        first, second = self.random.sample(INTS, 2)
        subject = self.one(self.atom(), *TUPLES, *LISTS, f"({first}, {self.atom()})", *BOXES)
        self.line(f"match {subject}:")
        self.indent += 1
        for _ in range(self.random.randint(1, 3)):
            pattern = self.one(
                "0", "1 | 2", f"(0, {first})", f"[{first}, *_]", f"[{first}, {second}]",
                f"Box(v={first})", f"{first}", "None", f"(1, 2) as {first}", f"[1, *{second}]",
            )  # fmt: skip
            guard = f" if {self.test(1)}" if self.random.random() < 0.4 or pattern == first else ""
            self.line(f"case {pattern}{guard}:")
            self.block(depth, 2)
        if self.random.random() < 0.5:
            self.line("case _:")
            self.block(depth, 2)
        self.indent -= 1

    def define(self, depth: int) -> None:
        """An inner function that changes what is outside of it."""
        if self.functions:
            self.assign()
            return
        number = next(self.names)
        loops, self.loops = self.loops, 0
        self.functions += 1
        self.line(f"def f{number}(k, *more, last={self.atom()}):")
        self.line(f"    nonlocal {self.one(*INTS)}")
        self.block(depth)
        self.line(f"    return {self.one('k', 'last', 'more')}")
        self.functions -= 1
        self.loops = loops
        arguments = self.one(
            "", f", {self.atom()}", f", last={self.atom()}", f", *{self.one(*LISTS)}"
        )
        self.line(f"{self.one(*INTS)} = f{number}({self.number(1)}{arguments})")

    compound = (branch, branch, branch, loop, loop, attempt, attempt, manage, match, define)

    def program(self) -> str:
        """The whole program."""
        self.lines = [f"def main({', '.join(self.inputs)}):"]
        for line in START.splitlines():
            self.line(line if "y" in self.inputs else line.replace("y", "x"))
        while self.budget > 0:
            self.statement(3)
        self.line(RESULT)
        return PRELUDE + "\n".join(self.lines) + "\n"


def program(seed: str) -> tuple[str, list[list[int]]]:
    """The source of a program, and the values of its inputs."""
    choice = random.Random(seed)
    names, values = choice.choice(
        (
            (("x", "y"), [0, 1, 2]),
            (("x", "y"), [-1, 0, 1, 2]),
            (("x",), [-2, -1, 0, 1, 2, 3]),
            (("x", "y", "z"), [0, 1]),
        )
    )
    return Writer(seed, names).program(), [list(values) for _ in names]


# --- running --------------------------------------------------------------------------------------

_FILES = itertools.count()

# Why programs were not run.
REFUSED: list[str] = []


def load(source: str) -> FunctionType:
    """The function `main` of a program; the lifter finds its source."""
    name = f"/generated/program{next(_FILES)}.py"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "generated"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["main"]  # type: ignore[no-any-return]


def forget(main: FunctionType) -> None:
    """Drop the source of a program."""
    linecache.cache.pop(main.__code__.co_filename, None)
    TRUSTED.difference_update([f for f in TRUSTED if getattr(f, "__wrapped__", None) is main])


def _asking_early(main: FunctionType) -> Callable[..., Any]:
    """The same function, with a solver that says early that no input goes on in a loop."""

    def bounded(*inputs: Any) -> Any:
        current().limits.ask_after = 3
        return call(main)(*inputs)

    bounded.__wrapped__ = main  # type: ignore[attr-defined]
    bounded.__name__ = main.__name__
    TRUSTED.add(bounded)
    return bounded


def problem(source: str, domains: list[list[int]]) -> str | None:
    """What is wrong with how a program runs, if anything; what is refused is not wrong."""
    try:
        main = load(source)
    except Exception:
        return None
    try:
        agree(_asking_early(main), *domains)
    except NotLiftedError as error:
        REFUSED.append(str(error))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        forget(main)
    return None


# --- shrinking ------------------------------------------------------------------------------------


def shrink(source: str, fails: Callable[[str], bool]) -> str:
    """A smaller program that still fails."""
    source = ast.unparse(ast.parse(source))
    before = ""
    while source != before:
        before = source
        for changes in (_fewer_statements, _simpler_expressions):
            # From the last place to the first, so that a change moves no place that is to come.
            for place in range(len(ast.unparse(ast.parse(source)).split()) * 2, -1, -1):
                for smaller in changes(source, place):
                    if smaller != source and _compiles(smaller) and fails(smaller):
                        source = smaller
                        break
    return source


def _compiles(source: str) -> bool:
    try:
        compile(source, "<shrink>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _blocks(tree: ast.AST) -> list[tuple[ast.AST, list[Any], int]]:
    """Every statement of a program: what it is in, the list that it is in, its place there."""
    return [
        (node, found, place)
        for node in ast.walk(tree)
        for name in ("body", "orelse", "finalbody", "handlers", "cases")
        if isinstance(found := getattr(node, name, None), list)
        for place in range(len(found))
    ]


def _fewer_statements(source: str, place: int) -> Iterator[str]:
    """Programs with one statement less."""
    for change in (_deleted, _opened):
        tree = ast.parse(source)
        rows = _blocks(tree)
        if place >= len(rows):
            return
        node, found, where = rows[place]
        if _counts(found[where]) or not change(found, where):
            continue
        if found is getattr(node, "body", None) and not found:
            found.append(ast.Pass())
        if isinstance(node, ast.Try) and not node.handlers:
            node.orelse = []
            node.finalbody = node.finalbody or [ast.Pass()]
        yield ast.unparse(ast.fix_missing_locations(tree))


def _counts(node: ast.AST) -> bool:
    """Whether a statement is what makes a loop end."""
    return isinstance(node, ast.AugAssign) and ast.unparse(node.target).startswith("n")


def _deleted(found: list[Any], place: int) -> bool:
    del found[place]
    return True


def _opened(found: list[Any], place: int) -> bool:
    """Put what is inside of a statement in its place."""
    node = found[place]
    if not isinstance(node, (ast.If, ast.For, ast.Try, ast.With)):
        return False
    found[place : place + 1] = node.body
    return True


def _simpler_expressions(source: str, place: int) -> Iterator[str]:
    """Programs in which one expression is replaced by a part of it."""
    for part in range(4):
        tree = ast.parse(source)
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
        if place >= len(nodes):
            return
        parts = [c for c in ast.iter_child_nodes(nodes[place]) if isinstance(c, ast.expr)]
        if part < len(parts):
            _Replace(nodes[place], parts[part]).visit(tree)
            yield ast.unparse(ast.fix_missing_locations(tree))


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


def check(seed: str) -> None:
    """Run a program; if it goes wrong, show the smallest program that goes wrong in this way."""
    source, domains = program(seed)
    found = problem(source, domains)
    if found is None:
        return
    kind = _kind(found)

    def fails(smaller: str) -> bool:
        again = problem(smaller, domains)
        return again is not None and _kind(again) == kind

    smallest = shrink(source, fails)
    raise AssertionError(
        f"program {seed!r} on {domains}:\n{problem(smallest, domains)}\n\n{smallest}"
    )


def _kind(found: str) -> str:
    """What kind of problem a message shows."""
    for phrase in (
        "illegal state", "fails only when lifted", "does not", "failures hold", "instead of",
    ):  # fmt: skip
        if phrase in found:
            return phrase
    return found.split(":")[0]
