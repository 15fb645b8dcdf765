"""The kinds of limitation by their codes, each with an example and the way around it.

This is the one table of them: a message that says what is not supported, or why something is not
known, ends with the code of the first row whose words it has, and `solvent explain CODE` shows the
row.  Every example is run by the tests: it does end with this code, and the way around is proved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """A kind of limitation: `example` runs into it, `instead` does the same and does not."""

    code: str
    title: str
    # What messages of this kind say.
    words: str
    why: str
    example: str
    instead: str
    # What to do in words.
    advice: str

    def matches(self, message: str) -> bool:
        """Whether a message is of this kind."""
        return re.search(self.words, message) is not None


def code_of(message: str) -> str:
    """The code of the limitation that a message tells of, empty if it tells of none.

    >>> code_of("a.py:3: `locals()` is not lifted; use a dict")
    'S112'
    >>> code_of("all is well")
    ''
    """
    return next((limit.code for limit in LIMITS.values() if limit.matches(message)), "")


def marked(message: str) -> str:
    """A message with its code at the end.

    >>> marked("a.py:3: `locals()` is not lifted; use a dict")
    'a.py:3: `locals()` is not lifted; use a dict [S112]'
    """
    code = code_of(message)
    return f"{message} [{code}]" if code and not message.endswith(f"[{code}]") else message


def is_lasting(message: str) -> bool:
    """Whether a message tells of something that more time would not change.

    >>> is_lasting("`locals()` is not lifted"), is_lasting("the solver gave up")
    (True, False)
    """
    return code_of(message).startswith("S1")


_ROWS = (
    Limit(
        "S101",
        "code that is not lifted is called with a symbolic value",
        r"is not lifted and (was called with|changes) a (symbolic value|value that is symbolic)",
        "What is written in C, or in a library that Solvent does not know, runs in CPython only, "
        "which needs concrete values. Single paths are tried with values that the solver chooses; "
        "they find failures, and prove nothing.",
        """\
import hashlib

def f(n: int) -> None:
    digest = hashlib.md5(bytes([n % 256])).digest()
    assert len(digest.hex()) == 2 * len(digest)
""",
        """\
def f(digest: bytes) -> None:
    assert len(digest.hex()) == 2 * len(digest)
""",
        "Make what the call returns an input, call it before the program branches, or write the "
        "part that matters in Python.",
    ),
    Limit(
        "S102",
        "something that cannot be taken back would happen on some paths only",
        r"under a symbolic condition|cannot be taken back",
        "All paths run at once. What reaches outside, such as reading input, would happen for "
        "paths that do not do it.",
        """\
def f(ask: bool) -> None:
    name = input() if ask else "nobody"
    assert name == name
""",
        """\
def f(ask: bool, typed: str) -> None:
    name = typed if ask else "nobody"
    assert name == name
""",
        "Make what comes from outside a parameter, or do it before the program branches.",
    ),
    Limit(
        "S103",
        "this kind of function cannot be lifted, or its source is not there",
        r"cannot be lifted|the source of|put each on a line of its own",
        "Functions are lifted from their source, and asynchronous ones are not lifted at all.",
        """\
async def f(x: int) -> int:
    assert x + x == 2 * x
    return x
""",
        """\
def f(x: int) -> int:
    assert x + x == 2 * x
    return x
""",
        "Put what computes into an ordinary function in a file, and let the other one call it.",
    ),
    Limit(
        "S105",
        "the identity or the hash of a symbolic value",
        r"the hash of|the `id` of|`is` between symbolic|has another hash",
        "CPython's answer depends on addresses and on how a value was made, not on the value.",
        """\
def f(x: int) -> None:
    assert id(x) != 7
""",
        """\
def f(x: int) -> None:
    assert not x == 7 or x == 7
""",
        "Compare values with `==`, and use them as keys themselves.",
    ),
    Limit(
        "S106",
        "a text of a number, or a format, that solvers have no way to write",
        r"format specification|[Tt]he text of a|`str.format`|format (it|its items|them) ",
        "Most formats are lifted. Floats in exponential notation, and the text of numbers without "
        "bounds in other bases, are not.",
        """\
def f(x: float) -> None:
    assert f"{x:.12e}" != "zero"
""",
        """\
def f(x: int) -> None:
    assert f"{x:>8}" != "zero"
""",
        "Format after the check: let the function return the number, and assert about it.",
    ),
    Limit(
        "S107",
        "a regular expression that is symbolic, or of a kind that is not lifted",
        r"`re[`.]|pattern|name of a group",
        "A pattern is turned into logic before the function runs, so it must be known.",
        """\
import re

def f(n: int) -> None:
    assert re.fullmatch(str(n), "a") is None
""",
        """\
import re

def f(exact: bool) -> None:
    pattern = "1" if exact else "[0-9]+"
    assert re.fullmatch(pattern, "a") is None
""",
        "Choose between known patterns with `if`, or compare texts without a pattern.",
    ),
    Limit(
        "S109",
        "arithmetic that solvers cannot round as the machine does",
        r"cannot round it|`math\.|square root of a Real|of `math` that round",
        "Solvers know the operations of IEEE 754, each rounded once.",
        """\
import math

def f(x: float, y: float, z: float) -> None:
    if 0 <= x <= 1 and 0 <= y <= 1 and 0 <= z <= 1:
        assert math.fsum([x, y, z]) >= 0
""",
        """\
def f(x: int, y: int, z: int) -> None:
    if 0 <= x <= 1000 and 0 <= y <= 1000 and 0 <= z <= 1000:
        assert sum([x, y, z]) >= 0
""",
        "Use `+`, `*`, `sum` and comparisons, or ints and fractions, which are exact.",
    ),
    Limit(
        "S110",
        "bytes in a coding, or a layout, that is not lifted",
        r"encoding or decoding|decoding symbolic|`struct|`to_bytes`|`int.from_bytes`|`memoryview`"
        r"|bytearray|symbolic bytes",
        "UTF-8, Latin-1, ASCII, and `struct` with whole numbers are lifted.",
        """\
def f(s: str) -> None:
    assert s.encode("utf-7") != b"a+AGI-"
""",
        """\
def f(s: str) -> None:
    if s.isascii():
        assert s.encode("utf-8") != b"\\xff"
""",
        "Use UTF-8, and `struct` with whole numbers and bytes.",
    ),
    Limit(
        "S112",
        "names that are looked up in a frame",
        r"`(locals|vars|dir)\(\)`|without a namespace|`dir` of",
        "A lifted function has other local variables than the one that was written.",
        """\
def f(x: int) -> None:
    assert locals()["x"] == x
""",
        """\
def f(x: int) -> None:
    assert {"x": x}["x"] == x
""",
        "Put what is looked up into a dict.",
    ),
    Limit(
        "S113",
        "a text without a bound on its length, of the solvers' theory of strings",
        r"theory of strings|without a known length|of known length",
        "`Str` terms are texts of any length, of which solvers know few operations. Parameters "
        "annotated with `str` are texts of bounded length, which know all methods.",
        """\
import solvent

S = solvent.Str("s")

def f(x: int) -> None:
    assert S.strip() != " " or x != 0
""",
        """\
def f(s: str) -> None:
    assert s.strip() != " "
""",
        "Make the text a parameter annotated with `str`.",
    ),
    Limit(
        "S104",
        "an object, or an iterator, that paths change or use in different ways",
        r"on some paths( only)?|only some paths|differs? between paths|some paths have|iterates?\b"
        r"|iterator|generator|was changed|changes by its key",
        "Paths that have met again have one state. Where their states cannot be made one, each "
        "path is tried by itself, as long as there are few of them.",
        """\
def f(x: int) -> None:
    xs = [3, x, 1]

    def key(k: int) -> int:
        if k > 7:
            xs.append(4)
        return k

    try:
        xs.sort(key=key)
    except ValueError:
        pass
    assert len(xs) < 99
""",
        """\
def f(x: int) -> None:
    xs = [3, x, 1]
    ys = sorted(xs)
    assert len(ys) == 3
""",
        "Make a list of the items first, or a copy, and change that.",
    ),
    Limit(
        "S108",
        "an amount that is symbolic and has no bound, or too many values",
        r"[Aa]ssume (a |one|bounds)|without (known )?bounds|symbolic (step|width|number|count|size)"
        r"|has a bound; assume|of more than|more than \d|is only lifted",
        "Sizes are tried out one by one, so there must not be too many of them.",
        """\
def f(n: int) -> None:
    assert bin(n) != ""
""",
        """\
def f(n: int) -> None:
    if 0 <= n < 256:
        assert bin(n) != ""
""",
        "Say how large it is: `assume(0 <= n < 100)`, an `if`, or `--input 'n=integers(0, 99)'`.",
    ),
    Limit(
        "S199",
        "something else that is not lifted",
        r"not lifted|not supported|[Nn]o exact values are known",
        "The message says what it is, and what to use instead.",
        """\
def f(text: str, keep: bool) -> None:
    assert len(text.splitlines(keep)) <= len(text)
""",
        """\
def f(text: str, keep: bool) -> None:
    lines = text.splitlines(True) if keep else text.splitlines(False)
    assert len(lines) <= len(text)
""",
        "Do what the message says.",
    ),
    Limit(
        "S201",
        "a loop, or a recursion, without an end that is known",
        r"the bound of \d+ is too small|went on for|\bbounded\(|--bound|unwinding|rounds",
        "A loop whose end depends on the inputs is run round by round. What is known then is what "
        "holds up to some number of rounds.",
        """\
def f(n: int) -> None:
    k = 0
    while k < n:
        k += 1
    assert k >= n
""",
        """\
def f(n: int) -> None:
    if n < 8:
        k = 0
        while k < n:
            k += 1
        assert k >= n
""",
        "Bound what the loop depends on, or be content with what is covered; `--bound N` goes as "
        "far as you say.",
    ),
    Limit(
        "S202",
        "the solver has not answered in time",
        r"the solver gave up|time limit|timeout|timed out|budget|incomplete",
        "Some questions are hard: products of unknowns, large texts, floats.",
        """\
def f(x: int, y: int, z: int) -> None:
    if x > 0 and y > 0 and z > 0:
        assert x**3 + y**3 != z**3
""",
        """\
def f(x: int, y: int, z: int) -> None:
    if 0 < x < 9 and 0 < y < 9 and 0 < z < 9:
        assert x**3 + y**3 != z**3
""",
        "Bound the inputs, give more time (`--budget`, `--timeout`), or try another `--solver`.",
    ),
    Limit(
        "S301",
        "inputs that are not described",
        r"has no annotation\b|may be anything|no function has annotated",
        "Inputs come from annotations, so a parameter without one has none.",
        """\
def double(x: int) -> int:
    return 2 * x

def f(x):
    assert double(x) == x + x
""",
        """\
def double(x: int) -> int:
    return 2 * x

def f(x: int) -> None:
    assert double(x) == x + x
""",
        "Annotate the parameter, or give `--input 'x=integers(0, 9)'`.",
    ),
    Limit(
        "S302",
        "an annotation of which no inputs can be made",
        r"no input can be made",
        "Objects are made by calling their class with arguments that its `__init__` annotates, and "
        "classes that are written in C do not say what they take.",
        """\
from types import ModuleType

def f(module: ModuleType) -> None:
    assert f"<{module.__name__}>".startswith("<")
""",
        """\
def f(name: str) -> None:
    assert f"<{name}>".startswith("<")
""",
        "Annotate what the function needs of it, or say what to try: `--input 'x=one_of(...)'`.",
    ),
)

LIMITS = {limit.code: limit for limit in _ROWS}
