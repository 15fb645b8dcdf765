"""Random Python programs about text, drawn from a grammar like that of `programs`.

A name in angle brackets stands for one of the phrases of that kind.  The programs cut, join,
format, search and compare texts and bytes, split them in loops, count in dicts under texts, and
raise and catch what text raises.  The input is a short text over a few characters, most of them
hostile, and a number.
"""

from __future__ import annotations

import contextlib
import random
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.registry import TRUSTED
from solvent.terms.texts import text
from solvent.vm.machine import current
from solvent.vm.merge import gathered
from tests.lift.differential import agree
from tests.lift.programs import forget, load

# Letters, digits and spaces of several kinds: two that change their length with their case, one
# beyond ASCII that is a digit, a mark, a break of lines, a lone surrogate, the last characters.
ALPHABET = "aB1 ,ßİ٣\u0301\x85\ud800\U0010fffd"
NUMBERS = (-1, 0, 1, 2)
LONGEST = 2

START = """\
t, u, n, parts = s[::-1], "a1", x, [s, "a"]
d, data, log = {"a": 1, s: x}, s.encode("utf-8", "replace"), []
"""
RESULT = "return s, t, u, n, parts, d, data, log\n"

GRAMMAR: dict[str, tuple[str, ...]] = {
    "name": ("s", "t", "u"),
    "number_name": ("n", "x"),
    "char": ("'a'", "'1'", "' '", "'ß'", "','", "<name>[:1]", "(<name> or 'a')[0]"),
    "index": ("0", "-1", "1", "x", "n"),
    "slice": ("1:", ":-1", "::-1", "::2", ":x", "x:", ":n", "n:2"),
    "pattern": (
        "r'a+'", "r'[a-z]'", r"r'\d'", "r'(a)|b'", r"r'\s*'", "r'^.'", r"r'\w$'", "r'(?i)b'",
        r"r'(.)\1'", "r'[^a1]'",
    ),
    "text": (
        *5 * ("<name>",), "<char>", "''", "<name>[<index>]", "<name>[<slice>]", "<name>[<slice>]",
        "<text> + <text>", "<name> * 2", "<name> * x",
        "<text>.upper()", "<text>.lower()", "<name>.swapcase()", "<name>.title()",
        "<name>.capitalize()", "<name>.casefold()", "<text>.strip()", "<text>.strip('a ')",
        "<text>.lstrip()", "<text>.rstrip('1ß')", "<text>.replace(<char>, <text>)",
        "<name>.replace('a', 'bb', 1)", "<name>.removeprefix(<char>)", "<name>.removesuffix('a')",
        "<name>.center(5, '*')", "<name>.zfill(3)", "<name>.rjust(x + 2, '.')",
        "<name>.partition(<char>)[<index>]", "<name>.rpartition('a')[2]", "<name>.expandtabs(2)",
        "<name>.translate({97: None, 223: 'ss', 49: 50})",
        "f'{<name>}-{<number_name>}'", "f'{<name>:>4}'", "f'{n:03d}'", "f'{<name>!r}'",
        "f'{n:+}{<name>:*^3}'", "'%s:%d' % (<name>, <number_name>)",
        "'{1}{0:<3}'.format(<name>, <number_name>)", "str(<number>)", "repr(<name>)",
        "chr(<number_name> % 3 + 97)", "<char>.join(<list>)", "''.join(sorted(<name>))",
        "''.join(c for c in <name> if c != <char>)", "(<text> if <test> else <text>)",
        "re.sub(<pattern>, <char>, <name>)", "data.decode('latin-1')", "data.hex()",
        "max(<name>, <text>)", "ascii(<name>)", "parts[<index>]",
    ),
    "number": (
        *4 * ("<number_name>",), "0", "1", "2", "len(<text>)", "<text>.find(<char>)",
        "<name>.rfind(<name>)", "<name>.count(<char>)", "<name>.index(<char>)",
        "ord((<name> + 'a')[0])", "int(<text>)", "int(<name>, 16)", "int(<name> or '0')",
        "sum(c == 'a' for c in <name>)", "len(data)", "data[<index>]", "sum(data)",
        "data.find(b'a')", "d.get(<text>, 0)", "d[<name>]", "len(<list>)", "<number> + <number>",
        "<number> % 3", "min(<number>, 2)", "len(d)", "int.from_bytes(data[:2], 'big')",
    ),
    "test": (
        *2 * ("<text> == <text>",), "<name> < <text>", "<name> >= <char>", "<char> in <name>",
        "<name> not in <text>", "<name>.startswith(<char>)", "<name>.endswith(('a', '1'))",
        "<name>.isdigit()", "<name>.isalpha()", "<name>.isspace()", "<name>.isupper()",
        "<name>.isidentifier()", "<name>.isdecimal()", "<name>.islower()", "<name>.isprintable()",
        "<name>", "re.match(<pattern>, <name>)", "re.fullmatch(<pattern>, <name>) is None",
        "re.search(<pattern>, <name>)", "<number> < <number>", "<number_name> == <number>",
        "<name> in d", "<char> in parts", "data == b'a'", "data.startswith(b'a')", "97 in data",
        "not (<test>)", "<test> and <test>", "<test> or <test>", "any(c.isdigit() for c in <name>)",
        "<name>[:1] != <name>[-1:]", "parts == [<name>]",
    ),
    "list": (
        "parts", "<name>.split()", "<name>.split(<char>)", "<name>.rsplit('a', 1)",
        "<name>.splitlines()", "list(<name>)", "[c.upper() for c in <name>]",
        "re.findall(<pattern>, <name>)", "re.split('[a1]', <name>)", "[*parts, <name>]",
        "sorted(parts)", "parts[1:]", "[m.start() for m in re.finditer(<pattern>, <name>)]",
        "[<text>, <name>]", "list(d)",
    ),
    "bytes": (
        "<name>.encode('utf-8', 'replace')", "<name>.encode('latin-1')", "data[<slice>]",
        "data + b'a'", "data.upper()", "data.replace(b'a', b'')", "bytes([<number> % 256])",
        "b'a,b'.join([data])", "data.strip(b'a')", "bytes(reversed(data))",
    ),
    "statement": (
        *4 * ("<name> = (<text>)[:5]",), *3 * ("n = <number>",), "parts = (<list>)[:3]",
        "parts.append(<text>)", "d[<text>] = <number>", "d[<name>] = d.get(<name>, 0) + 1",
        "d[<char>] += 1", "data = (<bytes>)[:4]", "log.append(<text>)", "log.append(<number>)",
        "log.append(<list>)", "log.append((<test>) is True)", "<name> += <char>",
        "found = re.search(<pattern>, <name>)\nif found:\n    log.append(found.group())",
        "t, _, u = <name>.partition(<char>)", "log.append(f'{<name>}{<number_name>}')",
        "if <test>:\n    return <text>", "if <test>:\n    raise ValueError(<name>)",
        *4 * ("if <test>:\n    <block>\nelse:\n    <block>",), "if <test>:\n    <block>",
        *3 * ("for c in <name>[:3]:\n    <block>\n    log.append(c)",),
        "for t in (<list>)[:3]:\n    <block>", "for k, c in enumerate(<name>[:2]):\n    n += k\n"
        "    if c == <char>:\n        break\n    <block>",
        *2 * ("try:\n    <block>\nexcept (ValueError, LookupError) as error:\n"
        "    log.append(str(error))",),
        "while len(t) < 3 and <test>:\n    t += 'b'", "while u and u[0] == <char>:\n    u = u[1:]",
        "match <name>:\n    case 'a':\n        <block>\n    case '' | '1':\n        n = 7\n"
        "    case c:\n        log.append(c)",
    ),
}  # fmt: skip
# What a kind is where nothing may go deeper.
SHALLOW = {"text": "<name>", "number": "<number_name>", "test": "<name> == <char>", "list": "parts",
           "bytes": "data"}  # fmt: skip
PLACEHOLDER = re.compile(r"<([a-z_]+)>")


# --- drawing --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TextProgram:
    """The statements of a program, and the inputs that it is tried on."""

    body: str
    inputs: tuple[tuple[str, int], ...]

    @property
    def source(self) -> str:
        lines = textwrap.indent(START + self.body + "\n" + RESULT, "    ")
        return f"import re\n\n\ndef main(s, x):\n{lines}"


def drawn(seed: str, size: int = 2, inputs: int = 5) -> TextProgram:
    """A program, always the same for one seed."""
    chance = random.Random(seed)
    body = "\n".join(_phrase(chance, "statement", 3) for _ in range(chance.randint(1, size)))
    lengths = [0, *chance.choices(range(1, LONGEST + 1), k=inputs - 1)]
    texts = ["".join(chance.choices(ALPHABET, k=length)) for length in lengths]
    return TextProgram(body, tuple((text, chance.choice(NUMBERS)) for text in texts))


def _phrase(chance: random.Random, kind: str, depth: int) -> str:
    if kind == "block":
        lines = [_phrase(chance, "statement", depth - 1) for _ in range(chance.randint(1, 2))]
        return "\n".join(lines)
    choices = GRAMMAR[kind]
    if depth <= 0:
        simple = [c for c in choices if "<block>" not in c]
        choices = (SHALLOW[kind],) if kind in SHALLOW else tuple(simple)

    def fill(found: re.Match[str]) -> str:
        deeper = depth if kind == "statement" and found[1] != "block" else depth - 1
        inner = _phrase(chance, found[1], deeper)
        return f"({inner})" if found[1] in SHALLOW and " " in inner else inner

    lines = []
    for line in chance.choice(choices).split("\n"):
        inner = PLACEHOLDER.sub(fill, line.lstrip())
        lines.append(textwrap.indent(inner, " " * (len(line) - len(line.lstrip()))))
    return "\n".join(lines)


# --- running --------------------------------------------------------------------------------------


def _made(length: Any, *codes: Any) -> Any:
    """The text of the first code points."""
    if type(length) is int:
        return text(codes[:length])
    return gathered([(length == n, text(codes[:n])) for n in range(len(codes) + 1)])


def _bounded(main: Callable[..., Any]) -> Callable[..., Any]:
    def bounded(*inputs: Any) -> Any:
        current().limits.ask_after = 3
        return call(main)(*inputs)

    bounded.__wrapped__ = main  # type: ignore[attr-defined]
    bounded.__name__ = "main"
    TRUSTED.add(bounded)
    return bounded


class Refused(Exception):
    """A program that the lifter does not take."""


def difference(program: TextProgram) -> str | None:
    """How a program differs from CPython on one of its inputs, if it does."""
    main = load(program.source)
    rows = {(len(s), *map(ord, s.ljust(LONGEST, ALPHABET[0])), x): None for s, x in program.inputs}
    columns = [sorted(set(column)) for column in zip(*rows, strict=True)]
    # A few numbers more, so that the symbolic run has something to decide.
    columns[0], columns[-1] = list(range(LONGEST + 1)), list(NUMBERS)

    def make(length: Any, *rest: Any) -> tuple[Any, ...]:
        return (_made(length, *rest[:LONGEST]), rest[LONGEST])

    try:
        agree(_bounded(main), *columns, make=make, only=lambda *row: row in rows)
    except NotLiftedError as error:
        raise Refused(str(error)) from error
    except AssertionError as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        forget(main)
    return None


def smaller(program: TextProgram) -> Iterator[TextProgram]:
    """The program with a line left out, and what is in it."""
    lines = program.body.split("\n")
    for place, line in enumerate(lines):
        depth = len(line) - len(line.lstrip())
        end = place + 1
        while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > depth:
            end += 1
        for instead in ([], [" " * depth + "pass"]):
            kept = [*lines[:place], *instead, *lines[end:]]
            yield TextProgram("\n".join(kept), program.inputs)
    for row in program.inputs:
        if len(program.inputs) > 1:
            yield TextProgram(program.body, (row,))


def smallest(program: TextProgram) -> TextProgram:
    """A program that still differs, of which no line can be left out."""
    for candidate in smaller(program):
        if len(candidate.source) >= len(program.source) and candidate.inputs == program.inputs:
            continue
        with contextlib.suppress(SyntaxError, Refused):
            if difference(candidate) is not None:
                return smallest(candidate)
    return program
