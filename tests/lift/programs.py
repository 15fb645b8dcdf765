"""Random Python programs, drawn by Hypothesis from a grammar.

`programs()` is a strategy for small modules with a function `main`.  `GRAMMAR` says what they are
made of: a name in angle brackets stands for one of the phrases of that kind, a digit after it for
how deep that phrase may be.  The programs are dense: nested branches and loops that are left early,
lists, dicts, sets and objects with aliases, exceptions with handlers and `finally` clauses,
closures, generators, calls with effects.  Variables are typed loosely, so that most operations make
sense and some raise.

The first phrase of each kind is the simplest, and a block ends with a drawn choice rather than
after a drawn number of statements; so what Hypothesis shrinks is statements and expressions.
"""

from __future__ import annotations

import functools
import itertools
import linecache
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.registry import TRUSTED
from solvent.vm.machine import current
from tests.lift.differential import agree

PRELUDE = """\
import array
import hashlib
import io
import itertools
import random
from collections import deque

G = 0


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


class Crate(Box):
    __match_args__ = ("v", "kept")
    total = 0

    def bump(self, k):
        if k < 0:
            raise Odd("crate", k)
        Crate.total += k
        return super().bump(k - 1)

    @property
    def half(self):
        return self.v // 2

    @half.setter
    def half(self, k):
        self.v = 2 * k

    def __add__(self, other):
        return Crate(self.v + other) if other != 1 else NotImplemented

    def __len__(self):
        return len(self.kept)

    def __getitem__(self, k):
        return self.kept[k]


class Odd(ValueError):
    pass


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


def both(log, items, k):
    log.append("both")
    yield from items[:2]
    if k > 0:
        yield k


def gather(k, *more, last=0, **rest):
    return k + last + len(more) + sum(rest.values())


def stop(k):
    def unless(m):
        if m == k:
            raise StopIteration
        return m

    return unless


"""

START = """\
global G
G = Crate.total = 0
a, b, c = x, 1, {y}
p, q = [1, 2], [x]
r = p
d, e = {{0: 5}}, {{}}
o, w = Box({y}), Crate(0)
t, u = (x, 2), (1, 2, 3)
g, h = {{1, x}}, set()
s, flag = {s}, {flag}
it, jt, dq, act = iter([1, 2, x]), iter((3, x)), deque([1, x], 3), q.append
fs = [lambda: 3]
log = []
out, arr = io.StringIO("abc"), array.array("i", [1, 2])
rnd, digest = random.Random(1), hashlib.md5(b"a")
"""
RESULT = (
    "return (a, b, c, p, q, r, d, e, o, w, t, u, g, h, s, flag, G, Crate.total, dq,\n"
    "    next(it, 9), next(jt, 9), log,\n"
    "    out.getvalue(), out.tell(), arr.tolist(), rnd.randint(0, 99), digest.hexdigest())\n"
)

# The names and values of the inputs of a program.
INPUTS: tuple[dict[str, tuple[Any, ...]], ...] = (
    {"x": (-2, -1, 0, 1, 2, 3)},
    {"x": (0, 1, 2), "y": (0, 1, 2)},
    {"x": (-1, 0, 1, 2), "y": (-1, 0, 1, 2)},
    {"x": (0, 1), "y": (0, 1), "z": (0, 1)},
    {"x": (-1, 0, 1, 2), "flag": (False, True)},
    {"x": (0, 1, 2), "s": ("", "a", "ab")},
)

GRAMMAR: dict[str, tuple[str, ...]] = {
    # --- names and small things -------------------------------------------------------------------
    "int": ("a", "b", "c"),
    "items": ("p", "q", "r"),
    "dict": ("d", "e"),
    "box": ("o", "w"),
    "tuple": ("t", "u"),
    "set": ("g", "h"),
    "sized": ("p", "q", "r", "t", "u", "d", "e", "g", "h", "s"),
    "container": ("p", "q", "r", "t", "u", "d", "e", "g", "h"),
    "sequence": ("p", "q", "r", "t", "u"),
    "atom": ("0", "1", "2", "-1", "a", "b", "c", *2 * ("<input>",)),
    "index": (*4 * ("0",), *3 * ("-1",), "1", "a", "b", "<input>"),
    "key": (*3 * ("0",), "1", "a", "b", "<input>"),
    "divisor": ("2", "3", "(<atom> or 1)", "(<atom>)"),
    "compare": ("<", "<=", "==", "!=", ">", ">="),
    "slice": ("1:", ":-1", ":", "::-1", "::2", ":<atom>", "<atom>:", "-2:<atom>"),
    "error": ("ValueError", "KeyError", "IndexError", "Odd"),
    "caught": (
        "ValueError", "KeyError", "IndexError", "ZeroDivisionError", "(KeyError, IndexError)",
        "LookupError", "Odd", "StopIteration", "OverflowError",
    ),
    # --- expressions ------------------------------------------------------------------------------
    "number": (
        *10 * ("<atom>",),
        "<number> + <number>",
        "<number> - <number>",
        "(<number>) * <atom>",
        "(<number>) // <divisor>",
        "(<number>) % <divisor>",
        "-(<number>)",
        "(<number> if <test> else <number>)",
        "(<number> and <number>)",
        "(<number> or <number>)",
        "<items>[<index>]",
        "<tuple>[<index>]",
        "d[<key>]",
        "<dict>.get(<key>, <number>)",
        "<dict>.setdefault(<key>, <atom>)",
        "<dict>.pop(<key>, <atom>)",
        "<box>.v",
        "w.half",
        "len(<sized>)",
        "pick(<number>, <number>)",
        "put(<items>, <number>)",
        "say(log, <number>)",
        "count(<input>)",
        "(<int> := <number>)",
        "<items>.pop()",
        "(lambda m, n=<atom>: m - n)(<number>)",
        "(<test>)",
        "sum(some(<atom>, <atom>))",
        "sum(k * <atom> for k in <sequence> if k != <atom>)",
        "sum(<set>)",
        "max(<number>, <number>)",
        "min(<sequence>)",
        "abs(<number>)",
        "divmod(<number>, <divisor>)[1]",
        "gather(<number>, *<sequence>, last=<atom>)",
        "gather(<atom>, n=<number>, **{'m': <atom>})",
        "next(some(<atom>, <atom>), <atom>)",
        "fs[-1]()",
        "(<number>) ** 2",
        "(<input> & 3 | 1)",
        "(flag + 1)",
        "(flag and <number>)",
    ),
    "value": (
        *14 * ("<number>",),
        "None if <test> else <number>",
        "'s' if <test> else <number>",
        "None",
        "'s'",
        "<sequence>",
        "<box>",
        "[]",
        "(x,)",
    ),
    "test": (
        *9 * ("<atom> <compare> <number>",),
        "<test> and <test>",
        "<test> or <test>",
        "not (<test>)",
        "<atom> < <number> <= <atom>",
        "flag",
        "flag == <atom>",
        "<atom> in <container>",
        "<atom> not in <sequence>",
        "<items> is <items>",
        "<items> == <items>",
        "<items> < <items>",
        "<tuple> <compare> <tuple>",
        "<set> <= <set>",
        "<dict> == <dict>",
        "<box> == <box>",
        "<box> is not <box>",
        "<sized>",
        "<int> is None",
        "any(k == <atom> for k in <sequence>)",
        "all(k < <atom> for k in <sequence>)",
        "isinstance(<box>, Crate)",
        "hasattr(<box>, 'extra')",
        "s == <text>",
    ),
    "list": (
        "<items>",
        "[<number>, <number>]",
        "<items>[<slice>]",
        "<items> + [<number>]",
        "[*<sequence>, <atom>]",
        "[k + <atom> for k in <items>]",
        "[k for k in range(3) if k != <atom>]",
        "[<atom> for k in <items>[:2] if <test>]",
        "[m - n for m, n in zip(<items>, <sequence>)]",
        "[m * n for m, n in enumerate(<items>)]",
        "[m + n for m in range(2) for n in <items>[:2]]",
        "list(<tuple>)",
        "list(some(<atom>, <atom>))",
        "list(both(log, <items>, <atom>))",
        "list(map(lambda k: k + <atom>, <items>))",
        "sorted(<items>)",
        "sorted(<items>, key=lambda k: -k)",
        "sorted(<set>)",
        "list(reversed(<items>))",
        "[k for k in <dict>]",
        "list(<dict>.values())",
        "<items> if <test> else <items>",
        "<box>.kept",
        "<items>[:2] * 2",
    ),
    "pair": (
        "<tuple>",
        "(<number>, <number>)",
        "<tuple>[1:]",
        "(*<items>, <atom>)",
        "<tuple> + (<atom>,)",
        "<tuple> if <test> else (<atom>,)",
        "(<items>, <box>)",
        "tuple(<list>)",
    ),
    "text": (
        "s",
        "'a'",
        "s + 'b'",
        "s[:1]",
        "('b' if <test> else s)",
        "f'{<int>}'",
    ),
    # --- simple statements ------------------------------------------------------------------------
    "assign": ("<int> = <value3>",),
    "augment": (
        "<int> += <number>",
        "<int> -= <number>",
        "<int> *= <number>",
        "<int> //= <divisor>",
        "<items>[<index>] += <number>",
        "<items>[<index>] -= <number>",
        "<box>.v += <number>",
        "<box>.v *= <number>",
        "d[<key>] += <number>",
        "w.half -= <atom>",
        "G += <number>",
        "Crate.total += <number>",
    ),
    "change_list": (
        "<items>.append(<number>)",
        "<items>.append(<value2>)",
        "<items>[<index>] = <value2>",
        "del <items>[<index>]",
        "<items>[<slice>] = [<number>]",
        "<items>[1:] = <list>",
        "del <items>[<slice>]",
        "<int> = <items>.pop()",
        "<int> = <items>.pop(<index>)",
        "<items>.insert(<index>, <number>)",
        "<items>.remove(<atom>)",
        "<items>.extend([<atom>, <atom>])",
        "<items> += [<atom>]",
        "<items>.reverse()",
        "<items>.sort()",
        "<items>.clear()",
    ),
    "change_dict": (
        "<dict>[<key>] = <number>",
        "<dict>[<key>] = <number>",
        "<dict>[<key>] = <value2>",
        "del <dict>[<key>]",
        "<dict> = <dict>",
        "<dict> = {k: k + <atom> for k in range(2)}",
        "<dict>.update({<key>: <number>})",
        "<dict> = {**<dict>, 1: <number>}",
        "<int> = <dict>.pop(<key>)",
    ),
    "change_set": (
        "<set>.add(<number>)",
        "<set>.discard(<atom>)",
        "<set>.remove(<atom>)",
        "<set>.remove(1)",
        "<set> = g | h",
        "<set> = g & h",
        "<set> = g - h",
        "<set> |= {<atom>}",
        "<set> = {k for k in <sequence>}",
        "h = g",
    ),
    "change_box": (
        "<box>.v = <number2>",
        "<box>.extra = <number>",
        "<int> = <box>.extra",
        "del <box>.extra",
        "<int> = getattr(<box>, 'extra', <atom>)",
        "<box>.kept = <items>",
        "<box>.kept.append(<atom>)",
        "<box> = Box(<number>)",
        "w = Crate(<number>)",
        "<box> = <box>",
        "<box> = <box> if <test> else <box>",
        "<box>.next = <box>",
        "<int> = <box>.bump(<number>)",
        "<box>.bump(<atom>).bump(<atom>)",
        "<box> = w + <atom>",
        "<int> = w[<index>]",
    ),
    "unpack": (
        "<int>, <int> = <int>, <number>",
        "<int>, <int> = t",
        "<int>, <int> = <sequence>",
        "<int>, *<items> = <sequence>",
        "*<items>, <int> = <sequence>",
        "<int>, (<int>, <items>[-1]) = 1, <pair>",
        "<int> = <int> = <number>",
        "<items>[0], <items> = <number>, <list>",
    ),
    "share": (
        "<items> = <list>",
        "<items> = <list>",
        "<tuple> = <pair>",
        "s = <text>",
        "flag = <test>",
    ),
    "note": (
        "log.append(<int>)",
        "log.append(<sequence>)",
        "log.append((<number>, <number>))",
        "log.append(<box>.kept)",
        "assert <atom> or <test>, <atom>",
        "assert <items> or <test>",
        "<int> = [say(log, <number>), <number>][0]",
        "fs.append(lambda: <int>)",
        "fs = [lambda k=<int>: k - 1]",
        "fs = [(lambda: <int>) for k in range(2)]",
    ),
    # Iterators that are ahead on some paths, and what functions do to them that stop.
    "iterator": ("it", "jt"),
    "lazy": (
        "<int> = next(<iterator>, <atom>)",
        "<int> = next(<iterator>)",
        "if <test>:\n    <int> = next(<iterator>, 0)",
        "<iterator> = iter(<list>)",
        "<iterator> = map(stop(<atom>), <items>)",
        "<iterator> = filter(stop(<atom>), <sequence>)",
        "it = map(lambda k: next(jt) + k, <items>[:3])",
        "it = itertools.chain(<items>, jt)",
        "it = itertools.islice(jt, <atom>)",
        "<items> = list(<iterator>)",
        "<items> = [*<iterator>, <atom>]",
        "<items> = [k for k in map(stop(<atom>), <items>)]",
        "<int> = sum(map(stop(<atom>), <items>[:3]))",
        "<items> = [m for m, n in zip(<iterator>, <sequence>)]",
    ),
    "queue": (
        "dq.append(<number>)",
        "dq.appendleft(<number>)",
        "dq = deque(<items>, maxlen=<atom>)",
        "dq = deque(<items>, <input>)",
        "<int> = dq.popleft()",
        "<int> = dq.pop()",
        "<int> = dq[<index>]",
        "dq.rotate(<number>)",
        "dq.insert(<index>, <number>)",
        "dq.extend(<items>)",
        "<items> = list(dq)",
    ),
    "bound": (
        "act(<atom>)",
        "act = <items>.append",
        "act = (<items> if <test> else dq).append",
        "act = (<set> if <test> else <set>).add",
        "list(map(act, <items>[:2]))",
        "<int> = (<set> if <test> else <dict>).__contains__(<atom>)",
        "list.append(<items> if <test> else <items>, <atom>)",
        "<items> = sorted(<items>[:3], key=(<dict> if <test> else <tuple>).__getitem__)",
    ),
    "huge": ("2**63", "-2**63 - 1", "2**63 - 1", "10**30", "<atom> * 2**62", "2**64 * <input>"),
    "overflow": (
        "<int> = <items>[<huge>]",
        "<int> = <items>.pop(<huge>)",
        "<items>.insert(<huge>, <atom>)",
        "<items> = <items>[<huge>:]",
        "<items> = <items>[:<huge>]",
        "dq.rotate(<huge>)",
        "<int> = len(range(<huge>)) > 3",
        "<int> = next(itertools.repeat(<atom>, <huge>), 0)",
        "<items> = list(itertools.islice(<items>, <huge>))",
    ),
    "forget": ("del <int>",),
    "leave": (
        "if <test>:\n    return <value2>",
        "if <test>:\n    raise <error>(<atom>)",
        "if <test>:\n    <statement>\n    return <value2>",
        "if <test>:\n    raise KeyError(<atom>)\nif <test>:\n    raise KeyError(<number>)",
        "return <value2>",
        "raise <error>(<atom>)",
    ),
    "exit": (
        "if <test>:\n    break",
        "if <test>:\n    continue",
        "if <test>:\n    <statement>\n    break",
        "if <test>:\n    <statement>\n    continue",
        "break",
        "continue",
    ),
    # Objects of C types, which the journal knows by their states.
    "change_state": (
        "out.write('y')",
        "out.read(1)",
        "out.seek(0)",
        "out.truncate(1)",
        "log.append(out.read(1))",
        "log.append(next(out, ''))",
        "print('k', end='', file=out)",
        "arr.append(7)",
        "arr.pop()",
        "arr[0] = 5",
        "arr += array.array('i', [3])",
        "arr.extend(k for k in range(2))",
        "log.append(len(arr))",
        "log.append([k for k in arr])",
        "log.append(7 in arr)",
        "<int> = arr[0]",
        "for k in arr:\n    if <test>:\n        break\n    if len(arr) < 4:\n        arr.append(k)",
        "rnd.seed(2)",
        "log.append(rnd.randint(0, 9))",
        "digest.update(b'z')",
        "log.append(digest.hexdigest()[:2])",
    ),
    # --- compound statements ----------------------------------------------------------------------
    "branch": ("if <test2>:\n    <block>\n<otherwise>",),
    "otherwise": (
        *3 * ("",),
        *3 * ("else:\n    <block>",),
        *2 * ("elif <test>:\n    <block>\n<otherwise>",),
    ),
    "loop": (
        "for <int> in <range>:\n    <body>\n<done>",
        "for <int> in <range>:\n    <body>\n<done>",
        "n<level> = 0\nwhile n<level> < 3 and (<until>):\n    n<level> += 1\n    <body>\n<done>",
        "n<level> = 0\nwhile n<level> < 3 and (<until>):\n    n<level> += 1\n    <body>\n<done>",
        "for <int> in (i<level> := <sequence>):\n    if len(i<level>) > 4:\n        break\n"
        "    <body>\n<done>",
        "for <int>, k in enumerate(<tuple>):\n    <body>\n<done>",
        "for <int>, k in list(<dict>.items()):\n    <body>\n<done>",
        "for <int> in both(log, <items>, <atom>):\n    <body>\n<done>",
        "for <items>[0] in range(2):\n    <body>\n<done>",
        "for k in s[:2]:\n    log.append(k)\n    <body>\n<done>",
    ),
    "range": (
        *2 * ("range(2)",), "range(3)", *2 * ("range(<input>)",), "some(<atom>, <atom>)",
        "range(<atom>, 2)", "zip(<items>[:2], <tuple>)",
    ),
    "until": ("n<level> < <input>", "<test>", "n<level> != <atom>"),
    "done": (*2 * ("",), "else:\n    <block>"),
    "attempt": (
        *2 * ("try:\n    <block>\nexcept <caught>:\n    <block>\n<tail>",),
        *2
        * (
            "try:\n    <block>\nexcept <caught> as error:\n    log.append(error.args)\n"
            "    <block>\n<tail>",
        ),
        "try:\n    if <test>:\n        raise KeyError(<number>)\n    <block>\n"
        "    raise KeyError(<atom>)\nexcept KeyError as error:\n    log.append(error.args)\n<tail>",
        "try:\n    <block>\nexcept <caught>:\n    <block>\n<more>",
        "try:\n    <block>\nfinally:\n    log.append('f')\n    <block>",
        "try:\n    try:\n        <block>\n    finally:\n        <block>\n"
        "except Exception as error:\n    log.append(type(error).__name__)",
    ),
    "more": (
        "except Exception:\n    <block>\n<tail>",
        "except TypeError:\n    <block>\n<tail>",
        "except Exception as error:\n    <block>\n    raise",
        "except Exception as error:\n    <block>\n    raise Odd(0) from error",
        "except Exception:\n    <block>\n    raise ValueError(0) from None",
    ),
    "tail": (
        *3 * ("",),
        "else:\n    <block>",
        "finally:\n    log.append('f')\n    <block>",
        "else:\n    <block>\nfinally:\n    log.append('f')\n    <block>",
    ),
    "manage": (
        "with Quiet(log, <atom>) as <int>:\n    <block>",
        "with Quiet(log, <atom>), Quiet(log, <atom>) as <int>:\n    <block>",
    ),
    "match": ("match <subject>:\n    <case>\n    <cases>",),
    "subject": ("<atom>", "<sequence>", "(<int>, <atom>)", "<box>", "<dict>", "<int>"),
    "case": ("case <pattern> if <test>:\n    <block>", "case <refutable>:\n    <block>"),
    "cases": ("", "<case>\n<cases>", "case _:\n    <block>"),
    "pattern": ("a", "b", "<refutable>"),
    "refutable": (
        "0", "1 | 2", "None", "(0, a)", "[a, *_]", "[a, b]", "[1, *p]", "(1, 2) as t", "Box(v=a)",
        "Crate(a, kept)", "{0: b}", "{0: 5, **e}", "int(c)", "[(0 | 1) as c, _]",
    ),
    "define": (
        "def f(k, *more, last=<atom>):\n    nonlocal <int>\n    <inner>\n    return <given>\n"
        "<int> = f(<number><arguments>)",
        "def f(k, *more, last=<atom>):\n    nonlocal <int>\n    <inner>\n    return <given>\n"
        "<int> = f(<number><arguments>)\nfs.append(lambda: f(<atom>))",
        "def f(k):\n    nonlocal a\n    a = k\n    <inner>\n    return a\n"
        "if <input> > 0:\n    b = f(<number>)\n<otherwise>",
        "def f(k):\n    <inner>\n    yield k\n    <inner>\n<items> = list(f(<number>))",
        "def f(k):\n    try:\n        <int> = yield k\n        log.append(<int>)\n"
        "        yield <number>\n    finally:\n        log.append('g')\n"
        "i = f(<number>)\n<int> = next(i)\n<int> = i.send(<atom>)\ni.close()",
        "class In(Box):\n    k = <number>\n    def step(self, m=<input>):\n        <inner>\n"
        "        return self.v + m\n<int> = In(<atom>).step()",
    ),
    "given": ("k", "last", "more", "<number>"),
    "arguments": ("", ", <atom>", ", last=<atom>", ", *<items>"),
}  # fmt: skip

SIMPLE = (
    *3 * ("<assign>",),
    *2 * ("<augment>",),
    *3 * ("<change_list>",),
    *2 * ("<change_dict>",),
    *2 * ("<change_set>",),
    *2 * ("<change_box>",),
    *2 * ("<unpack>",),
    *2 * ("<share>",),
    *2 * ("<change_state>",),
    *2 * ("<note>",),
    *2 * ("<lazy>",),
    "<queue>",
    "<bound>",
    "<overflow>",
    *3 * ("<leave>",),
)
COMPOUND = (
    *6 * ("<branch>",),
    *5 * ("<loop>",),
    *5 * ("<attempt>",),
    *2 * ("<manage>",),
    *2 * ("<match>",),
)
PLACEHOLDER = re.compile(r"<([a-z_]+)(\d?)>")


# --- drawing --------------------------------------------------------------------------------------


class Size:
    """How many more statements a program may have."""

    def __init__(self, left: int) -> None:
        self.left = left


@dataclass(frozen=True)
class Place:
    """Where in a program a statement is."""

    inputs: tuple[str, ...]
    size: Size
    depth: int = 3
    loops: int = 0
    inner: bool = False

    def statements(self) -> tuple[str, ...]:
        """What kinds of statements there may be here."""
        kinds = SIMPLE
        if self.loops:
            kinds += 3 * ("<exit>",)
        if not self.inner:
            kinds += ("<forget>",)
        if self.depth > 0 and self.size.left > 0:
            kinds += COMPOUND + (() if self.inner else 4 * ("<define>",))
        return kinds


Draw = Callable[[st.SearchStrategy[str]], str]


@functools.cache
def one_of(choices: tuple[str, ...]) -> st.SearchStrategy[str]:
    """One of the choices; shrinks to the first."""
    return st.sampled_from(choices)


@functools.cache
def phrases(kind: str, inputs: tuple[str, ...]) -> tuple[str, ...]:
    """The phrases of a kind, with the names of the inputs in them."""
    return tuple(
        phrase.replace("<input>", name)
        for phrase in GRAMMAR[kind]
        for name in (inputs if "<input>" in phrase else ("",))
    )


@functools.cache
def expression(kind: str, depth: int, inputs: tuple[str, ...]) -> st.SearchStrategy[str]:
    """A phrase of a kind that has no statements in it."""
    found = phrases(kind, inputs)
    if depth == 0 and kind in DEEP:
        found = found[:1]
    if any(PLACEHOLDER.search(phrase) for phrase in found):
        return _filled(one_of(found), max(depth - 1, 0), inputs)
    return one_of(found)


# Kinds that contain themselves; at depth 0 they are what their first phrase says.
DEEP = {"number", "value", "test", "list", "pair", "text"}


@st.composite
def _filled(draw: Draw, found: st.SearchStrategy[str], depth: int, inputs: tuple[str, ...]) -> str:
    phrase = draw(found)
    return PLACEHOLDER.sub(lambda m: draw(expression(m[1], depth, inputs)), phrase)


def block(draw: Draw, place: Place, first: int = 40, later: int = 2) -> str:
    """Statements; the first is missing once in so many times, and so is each later one."""
    lines: list[str] = []
    while place.size.left > 0 or not lines:
        statement = draw(one_statement(place, first if not lines else later))
        if not statement:
            break
        lines.append(statement)
    return "\n".join(lines) or "pass"


@functools.cache
def _or_end(kinds: tuple[str, ...], chance: int) -> st.SearchStrategy[str]:
    return one_of(max(1, len(kinds) // chance) * ("",) + kinds)


@st.composite
def one_statement(draw: Draw, place: Place, chance: int) -> str:
    """A statement, or nothing."""
    kind = draw(_or_end(place.statements(), chance))
    if kind:
        place.size.left -= 1
    return filled_statement(draw, kind, place)


def filled_statement(draw: Draw, phrase: str, place: Place) -> str:
    """The lines of a phrase, filled from left to right."""

    def fill(found: re.Match[str]) -> str:
        kind, depth = found[1], int(found[2] or 1)
        deeper = replace(place, depth=place.depth - 1)
        match kind:
            case "level":
                return str(place.loops)
            case "statement":
                return draw(one_statement(replace(place, depth=0), 40)) or "pass"
            case "block":
                return block(draw, deeper)
            case "body":
                return block(draw, replace(deeper, loops=place.loops + 1))
            case "inner":
                return block(draw, replace(deeper, loops=0, inner=True))
            case _ if kind in LARGE:
                return filled_statement(draw, draw(one_of(phrases(kind, place.inputs))), place)
        return draw(expression(kind, depth, place.inputs))

    lines = []
    for line in phrase.split("\n"):
        text = PLACEHOLDER.sub(fill, line.lstrip())
        if text:
            lines.append(textwrap.indent(text, " " * (len(line) - len(line.lstrip()))))
    return "\n".join(lines)


def _large() -> set[str]:
    """The kinds of phrases that are statements or know in which loop they are."""
    large = {"level", "block", "body", "inner", "statement"}
    while True:
        found = {
            kind
            for kind, phrases in GRAMMAR.items()
            if any(name in large for phrase in phrases for name, _ in PLACEHOLDER.findall(phrase))
        }
        if found <= large:
            break
        large |= found
    simple = {name for kind in SIMPLE for name, _ in PLACEHOLDER.findall(kind)}
    return large | simple | {"forget", "exit"}


LARGE = _large()


class Program:
    """A program, and what its inputs may be."""

    def __init__(self, main: str, domains: tuple[tuple[Any, ...], ...]) -> None:
        self.main = main
        self.source = PRELUDE + main
        self.domains = domains

    def __repr__(self) -> str:
        return (
            f"main, on {' x '.join(map(str, self.domains))}, after programs.PRELUDE:\n{self.main}"
        )


@st.composite
def programs(draw: Callable[..., Any], size: int = 9) -> Program:
    """A program of about that many statements."""
    inputs = draw(st.sampled_from(INPUTS))
    numbers = tuple(name for name in inputs if name in ("x", "y", "z"))
    body = block(draw, Place(numbers, Size(size)), first=60, later=30)
    start = START.format(
        y="y" if "y" in inputs else "x",
        s="s" if "s" in inputs else "'ab'",
        flag="flag" if "flag" in inputs else "x > 0",
    )
    lines = textwrap.indent(start + body + "\n" + RESULT, "    ")
    return Program(f"def main({', '.join(inputs)}):\n{lines}", tuple(inputs.values()))


# --- running --------------------------------------------------------------------------------------

_FILES = itertools.count()


def load(source: str) -> FunctionType:
    """The function `main` of a program; the lifter finds its source."""
    name = f"/generated/program{next(_FILES)}.py"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "generated"}
    exec(compile(source, name, "exec", dont_inherit=True), namespace)
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


def refusal(program: Program) -> str | None:
    """Check that a program runs as in CPython; why it was refused, if it was."""
    main = load(program.source)
    try:
        agree(_asking_early(main), *program.domains)
    except NotLiftedError as error:
        return str(error)
    except RecursionError:
        # Functions that call each other without end: CPython gives up too, somewhere else.
        return "runaway recursion"
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}\n\n{program}") from error
    finally:
        forget(main)
    return None


# Hypothesis draws the first ten examples of a run afresh; later ones are mostly copies with small
# changes.  The first of all is the empty program.
FRESH = 9


def explore(
    start: str, check: Callable[[Program], None], examples: int = FRESH, shrink: bool = True
) -> None:
    """Check a few programs, always the same for one start; show the smallest one that fails."""
    phases = (Phase.generate, Phase.shrink) if shrink else (Phase.generate,)

    @seed(start)
    @settings(
        max_examples=examples,
        phases=phases,
        # Nothing is kept between runs: a failure is found again from its seed.
        database=None,
        derandomize=False,
        deadline=None,
        report_multiple_bugs=False,
        # Programs are large and take their time, which is no mistake.
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def run(program: Program) -> None:
        check(program)

    run()
