"""Every format that Solvent reads: texts that are well formed, a grammar, and what reads it."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from solvent.boogie import check_program, parse_program, print_program
from solvent.btor2 import (
    Evaluator,
    Simulator,
    at_random,
    parse,
    parse_witnesses,
    print_model,
    replay,
    to_system,
)
from solvent.cli.loading import functions, load
from solvent.languages.websynth.generated import LAYOUTS, generate
from solvent.languages.websynth.pages import Page
from solvent.lift import lift
from solvent.riscu.cstar import compile_text
from solvent.riscu.elf import read_elf, write_elf
from solvent.riscu.emulator import emulate
from solvent.riscu.listing import disassemble
from solvent.terms import pretty
from solvent.terms.smtlib import commands, read_script, write_script
from tests.btor2.random_models import random_text
from tests.fuzz import mutation
from tests.fuzz.grammars import languages
from tests.fuzz.grammars.smtlib import SCRIPTS
from tests.reach.random_programs import random_program as random_boogie
from tests.riscu.random_programs import random_program as random_cstar
from tests.terms.smtlib.test_fuzz import SCRIPT

TESTS = Path(__file__).parent.parent


@dataclass(frozen=True)
class Format:
    """A format: well-formed texts to change, texts of a grammar, and what reads a text."""

    name: str
    seeds: Callable[[], Sequence[str]]
    generate: Callable[[Random], str]
    read: Callable[[str], object]
    more_words: Sequence[str] = field(default=())

    @cached_property
    def texts(self) -> list[str]:
        return list(self.seeds())

    @cached_property
    def words(self) -> list[str]:
        return [*mutation.words_of(self.texts), *self.more_words]

    def mutated(self, random: Random) -> str:
        """A well-formed text with some changes."""
        return mutation.mutated(random, random.choice(self.texts), self.words)

    def generated(self, random: Random) -> str:
        """A text of the grammar, sometimes with a change."""
        text = self.generate(random)
        return text if random.random() < 0.8 else mutation.mutated(random, text, self.words)


# --- how each format is read -------------------------------------------------------------------


def read_smtlib(text: str) -> None:
    script = read_script(text)
    formulas = [one.term for one in script.commands if isinstance(one, commands.Assert)]
    write_script(formulas)
    for formula in formulas:
        pretty(formula, limit=200)


def read_btor2(text: str) -> None:
    model = parse(text)
    print_model(model)
    program = Evaluator(model)
    simulator = Simulator(program, at_random(model, 1), at_random(model, 2, "states"))
    for _ in range(3):
        simulator.step()
    to_system(model)


MODEL = """\
1 sort bitvec 3
2 sort bitvec 1
3 zero 1
4 state 1 counter
5 init 1 4 3
6 input 2 step
7 uext 1 6 2
8 add 1 4 7
9 next 1 4 8
10 constd 1 3
11 eq 2 4 10
12 bad 11
13 sort array 1 1
14 state 13 mem
15 justice 1 11
"""
WITNESS = """\
sat
b0
#0
0 000 counter#0
1 [001] 101 mem#0
@0
0 1 step@0
@1
0 1 step@1
@2
0 1 step@2
@3
0 0 step@3
.
"""


def read_witness(text: str) -> None:
    for witness in parse_witnesses(text):
        replay(parse(MODEL), witness)


def read_binary(text: str) -> None:
    program = read_elf(text.encode("latin-1", "replace"))
    disassemble(program)
    emulate(program, b"abc", most_steps=200)


def read_html(text: str) -> None:
    page = Page(text.encode("utf-8", "surrogatepass"))
    page.select("//li")
    page.tree(["one", "two"], page.leaves_for(["one"]))
    page.text_around("o")


def read_cstar(text: str) -> None:
    program = compile_text(text)
    read_elf(write_elf(program))
    emulate(program, b"abc", most_steps=200)


def read_boogie(text: str) -> None:
    program = parse_program(text=text)
    print_program(program)
    # As the search reads them: some of the originals leave their modifies clauses out.
    check_program(program, infer_modifies=True)


def read_python(text: str) -> None:
    """Load a file and lift its functions; a file that does harm in plain Python is left out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzzed_module.py"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            module = load(os.fspath(path))
            for function in functions(module):
                lift(function)


# --- the well-formed texts ---------------------------------------------------------------------


def _files(folder: str, pattern: str, most: int = 4000) -> list[str]:
    """The files of a folder of tests that are not too long."""
    found = [path.read_text() for path in sorted((TESTS / folder).rglob(pattern))]
    return [text for text in found if len(text) <= most]


def _models() -> list[str]:
    kinds = ({}, {"arrays": True}, {"sparse": True}, {"justice": True})
    return [MODEL, *(random_text(seed, **kinds[seed % 4]) for seed in range(20))]


def _binaries() -> list[str]:
    sources = _files("riscu/corpus", "*.c", 1200)[:8]
    return [write_elf(compile_text(text)).decode("latin-1") for text in sources]


def _pages() -> list[str]:
    small = "<ul><li class=a>one<li class=a>two</ul><table><tr><td title=x>three</table>"
    return [small, *(generate(layout)[:3000] for layout in LAYOUTS[:3])]


def _modules() -> list[str]:
    return [
        "def f(x: int, y: bool) -> int:\n    if x > 3 and y:\n        return x // 2\n"
        "    return -x\n",
        "def g(xs: list[int]):\n    total = 0\n    for x in xs:\n        total += x\n"
        "    assert total >= 0\n    return [x for x in xs if x]\n",
        "class C:\n    def __init__(self, n):\n        self.n = n\n\n    def up(self, k: int):\n"
        "        self.n += k\n        return self\n\n\ndef h(n: int):\n    c = C(n)\n    try:\n"
        "        c.up(1 // n)\n    except ZeroDivisionError as e:\n        c.n = 0\n    finally:\n"
        "        n = 2\n    return c\n",
        "def m(p):\n    match p:\n        case [a, *b] if a:\n            return b\n        case "
        "{'k': v}:\n            return v\n        case _:\n            pass\n    while p:\n"
        "        p -= 1\n        if p == 2:\n            continue\n        break\n    else:\n"
        "        return f'{p!r:>4}'\n    return lambda z, *a, k=1: z + k\n",
    ]


def _binary(random: Random) -> str:
    """A compiled program with other bytes in its code or its headers."""
    text = random.choice(FORMATS["elf"].texts)
    for _ in range(random.choice((1, 1, 2, 4, 8))):
        place = random.choice((random.randrange(len(text)), random.randrange(256)))
        text = text[:place] + chr(random.randrange(256)) + text[place + 1 :]
    return text


def _model(random: Random) -> str:
    return random_text(random, random.random() < 0.3, random.random() < 0.3, random.random() < 0.3)


def _cstar(random: Random) -> str:
    if random.random() < 0.3:
        return random_cstar(random.randrange(10**6))
    return languages.CSTAR.sentence(random)


def _boogie(random: Random) -> str:
    if random.random() < 0.3:
        return random_boogie(random.randrange(10**6))
    return languages.BOOGIE.sentence(random)


def _sentence(grammar: Any) -> Callable[[Random], str]:
    return lambda random: grammar.sentence(random)  # type: ignore[no-any-return]


FORMATS = {
    one.name: one
    for one in (
        Format("smtlib", lambda: [SCRIPT], _sentence(SCRIPTS), read_smtlib),
        Format("btor2", _models, _model, read_btor2, ("array", "justice", "read", "write", "sll")),
        Format("witness", lambda: [WITNESS], _sentence(languages.WITNESSES), read_witness),
        Format("elf", _binaries, _binary, read_binary),
        Format("html", _pages, _sentence(languages.HTML), read_html),
        Format("cstar", lambda: _files("riscu/corpus", "*.c", 1500), _cstar, read_cstar),
        Format("boogie", lambda: _files("boogie/corpus", "*.bpl", 2500), _boogie, read_boogie),
        Format("python", _modules, _sentence(languages.PYTHON), read_python),
    )
}
