"""Enormous, broken and missing programs: an answer or one clear sentence, never a traceback."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from solvent import depth
from solvent.boogie import (
    BoogieCheckError,
    BoogieError,
    BoogieSyntaxError,
    check_program,
    parse_program,
    print_program,
)
from solvent.boogie.lexer import KEYWORDS, tokenize
from solvent.boogie.lowering import lower
from solvent.boogie.operators import LEVELS
from solvent.boogie.walking import same
from tests.boogie.drivers import driver
from tests.boogie.helpers import messages

CORPUS = sorted((Path(__file__).parent / "corpus").rglob("*.bpl"))
N = 20_000
FAR = 100_000


def everything(text: str) -> None:
    program = parse_program(text=text)
    check_program(program)
    assert same(parse_program(text=print_program(program)), program)


LONG = {
    "and": "const b: bool; axiom " + " && ".join(["b"] * N) + ";",
    "implies": "const b: bool; axiom " + " ==> ".join(["b"] * N) + ";",
    "explies": "const b: bool; axiom " + " <== ".join(["b"] * N) + ";",
    "sum": "axiom " + " + ".join(["1"] * N) + " > 0;",
    "power": "axiom " + " ** ".join(["1.0"] * N) + " > 0.0;",
    "not": "axiom " + "!" * N + "true;",
    "minus": "axiom " + "-" * N + "1 > 0;",
    "coercions": "axiom true" + ": bool" * N + ";",
    "updates": "const m: [int]int; axiom m" + "[1 := 2]" * N + "[3] == 3;",
    "else if": "procedure P() {" + "if (*) { } else " * N + "{ } }",
    "if then else": "axiom " + "if true then true else " * N + "true;",
    "parentheses": "axiom " + "(" * 9000 + "true" + ")" * 9000 + ";",
    "quantifiers": "axiom " + "(forall x: int :: " * 3000 + "true" + ")" * 3000 + ";",
    "lets": "axiom " + "(var x := true; " * 3000 + "x" + ")" * 3000 + ";",
    "code": "axiom " + "|{ return " * 9999 + "true;" + "}|;" * 9999,
    "ifs": "procedure P() {" + "if (*) {" * 3000 + "}" * 3000 + "}",
    "whiles": "procedure P() {" + "while (*) {" * 3000 + "break;" + "}" * 3000 + "}",
    "comments": "/*" * FAR + "*/" * FAR,
    "map types": "const m: " + "[int]" * 400 + "int; axiom m == m;",
    "synonyms": "type A0 = [int]int;"
    + "".join(f"type A{i + 1} = [A{i}]A{i};" for i in range(60))
    + "const x: A60; axiom x == x;",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_chains_and_deep_nesting(text: str) -> None:
    limit = sys.getrecursionlimit()
    everything(text)
    assert sys.getrecursionlimit() == limit


DEEP = "the program is nested more than 10,000 levels deep"
TOO_DEEP = {
    "parentheses": ("axiom " + "(" * FAR + "true" + ")" * FAR + ";", DEEP),
    "never closed": ("axiom " + "(" * FAR, DEEP),
    "applications": ("axiom " + "f(" * FAR, DEEP),
    "indices": ("axiom " + "m[" * FAR, DEEP),
    "if then": ("axiom " + "if true then " * FAR, DEEP),
    "ifs": ("procedure P() {" + "if (*) {" * FAR + "}" * FAR + "}", DEEP),
    "code": ("axiom " + "|{ return " * FAR, DEEP),
    "map types": (
        "const m: " + "[int]" * FAR + "int;",
        "the type is nested more than 500 levels deep",
    ),
    "type arguments": ("const m: " + "C (" * FAR, "the type is nested more than 500 levels deep"),
}


@pytest.mark.parametrize(("text", "expected"), TOO_DEEP.values(), ids=TOO_DEEP)
def test_nesting_without_end_is_one_sentence(text: str, expected: str) -> None:
    (message,) = messages(text)
    assert message.endswith(f": Error: {expected}")


def test_a_cycle_through_many_synonyms() -> None:
    text = "".join(f"type A{i} = A{(i + 1) % 3000};" for i in range(3000))
    (message,) = messages(text)
    assert message.startswith("(1,6): Error: type synonym is defined by itself: A0 -> A1 -> ")


def test_synonyms_that_pile_up() -> None:
    text = "type A0 = int;" + "".join(f"type A{i + 1} = [int]A{i};" for i in range(510))
    (message,) = messages(f"{text} const x: A505;")
    assert message.endswith("Error: the type is nested more than 500 levels deep")


def test_too_many_synonyms_of_synonyms(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"type A{i} = A{i + 1};" for i in range(20_000)) + "type A20000 = int;"
    assert messages(text) == []
    monkeypatch.setattr(depth, "DEEPEST", 5_000)
    assert messages(text) == ["<program>: Error: the program is nested too deeply"]


def test_no_more_than_a_hundred_messages_about_syntax() -> None:
    assert len(messages("axiom ;" * 5000)) == 100


# Files -------------------------------------------------------------------------------------------


def test_empty_files(tmp_path: Path) -> None:
    empty = tmp_path / "empty.bpl"
    empty.write_text("")
    assert parse_program(empty).declarations == ()
    assert print_program(parse_program(empty)) == ""
    assert check_program(parse_program(text=" // nothing\n")).procedures == {}


def test_several_files_are_one_program(tmp_path: Path) -> None:
    first, second = tmp_path / "a.bpl", tmp_path / "b.bpl"
    first.write_text("procedure P() { call Q(); }")
    second.write_text("\ufeffprocedure Q();\n", encoding="utf-8")
    assert set(check_program(parse_program([first, second])).procedures) == {"P", "Q"}
    second.write_text("procedure P();\naxiom y;")
    with pytest.raises(BoogieCheckError) as caught:
        check_program(parse_program([first, second]))
    assert [str(each) for each in caught.value.diagnostics] == [
        f"{first}(1,17): Error: call to undeclared procedure: Q",
        f"{second}(1,11): Error: more than one declaration of function/procedure name: P",
        f"{second}(2,7): Error: undeclared identifier: y",
    ]
    assert caught.value.summary == (
        f"3 name resolution or type checking errors detected in {first}, {second}"
    )


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing, binary, latin = tmp_path / "no.bpl", tmp_path / "x.bpl", tmp_path / "l.bpl"
    binary.write_bytes(b"\x7fELF\0\0\1")
    latin.write_bytes("// caf\xe9".encode("latin-1"))
    good = tmp_path / "good.bpl"
    good.write_text("axiom ;")
    with pytest.raises(BoogieSyntaxError) as caught:
        parse_program([missing, binary, latin, tmp_path, good])
    assert str(caught.value).splitlines() == [
        f"{missing}: Error: cannot read the file: No such file or directory",
        f"{binary}: Error: this is a binary file, not a Boogie program",
        f"{latin}: Error: the file is not UTF-8 text (byte 6 is not)",
        f"{tmp_path}: Error: cannot read the file: Is a directory",
        f"{good}(1,7): Error: expected an expression, but found ';'",
    ]
    assert messages("axiom\0") == [": Error: this is a binary file, not a Boogie program"]


def test_errors_survive_pickling() -> None:
    with pytest.raises(BoogieError) as caught:
        parse_program(text="axiom ;")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is BoogieSyntaxError
    assert (str(copy), copy.summary) == (str(caught.value), caught.value.summary)


def test_line_directives() -> None:
    text = 'axiom a;\n#line 40 "orig.c"\naxiom b;\n\n#line 70\n  axiom c;\n'
    assert messages(text) == [
        "(1,7): Error: undeclared identifier: a",
        "orig.c(40,7): Error: undeclared identifier: b",
        "orig.c(70,9): Error: undeclared identifier: c",
    ]
    # Elsewhere a sharp sign is a letter.
    assert not messages("const\n #line: int; axiom #line == 0;")


def test_positions_behind_comments() -> None:
    assert messages("/* a\n /* b\n */ c */ axiom x;\n// d\n\taxiom y;") == [
        "(3,16): Error: undeclared identifier: x",
        "(5,8): Error: undeclared identifier: y",
    ]


# Anything at all ---------------------------------------------------------------------------------

_ODD = ["2bv8", "1.5", '"s"', "bv8", "->", "*", "//", "/*", "*/", '"', "\\", "é", "\n"]
words = some.sampled_from(
    [
        *sorted(KEYWORDS),
        *LEVELS,
        *"()[]{},;:=|",
        ":=",
        "::",
        "|{",
        "}|",
        "{:a",
        "x",
        "f",
        "P",
        "1",
        *_ODD,
    ]
)


@given(some.lists(words, max_size=30))
def test_any_words(parts: list[str]) -> None:
    messages(" ".join(parts))
    messages("procedure P() { " + " ".join(parts))


@given(some.text(max_size=30))
def test_any_text(text: str) -> None:
    messages(text)


@given(some.data())
def test_damaged_programs(data: some.DataObject) -> None:
    path = data.draw(some.sampled_from(CORPUS))
    tokens, _ = tokenize(path.read_text())
    texts = [
        f"\\{text}" if text in KEYWORDS and kind == "identifier" else text
        for kind, text in zip(tokens.kinds, tokens.texts, strict=True)
    ]
    for _ in range(data.draw(some.integers(1, 3))):
        at = data.draw(some.integers(0, len(texts) - 1))
        texts[at : at + data.draw(some.integers(0, 2))] = data.draw(some.lists(words, max_size=2))
    for message in messages(" ".join(texts)):
        assert "Error: " in message
        assert "object at" not in message


# Size --------------------------------------------------------------------------------------------


def test_a_large_driver() -> None:
    text = driver(500_000)
    program = parse_program(text=text)
    found = check_program(program)
    assert len(found.procedures) > 300
    assert same(parse_program(text=print_program(program)), program)


# Messages ----------------------------------------------------------------------------------------

LONG_NAME = "n" * 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        f"axiom {LONG_NAME};",
        f"type {LONG_NAME} = {LONG_NAME};",
        f"procedure P() {{ goto {LONG_NAME}; }}",
        f"procedure P() {{ call {LONG_NAME}(); }}",
        f"axiom {LONG_NAME}(1);",
        f'#line 3 "{LONG_NAME}"\naxiom x;',
    ],
)
def test_messages_quote_only_the_start_of_names(text: str) -> None:
    (message,) = messages(text)
    assert len(message) < 1_500
    assert "nnn...nnn" in message


def test_functions_that_grow_without_end() -> None:
    text = "function f0(x: int): int { x + x }\n"
    for number in range(1, 30):
        before = f"f{number - 1}"
        text += f"function f{number}(x: int): int {{ {before}({before}(x) + 1) }}\n"
    text += "procedure P(x: int) { assert f29(x) == 1; }"
    with pytest.raises(BoogieError, match="are expanded more than 20,000 times"):
        lower(check_program(parse_program(text=text)))
