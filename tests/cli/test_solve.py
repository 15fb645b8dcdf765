"""`solvent solve` on scripts that ask for too much, or print what a terminal cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solvent.cli import main

DOUBLED = "".join(f"(define-fun a{k + 1} () SORT (OP a{k} a{k}))" for k in range(60))


def solve(tmp_path: Path, text: str, *options: str) -> int:
    path = tmp_path / "script.smt2"
    path.write_text(text, encoding="utf-8")
    return main(["solve", str(path), *options])


def doubled(sort: str, op: str, first: str) -> str:
    return f"(define-fun a0 () {sort} {first})" + DOUBLED.replace("SORT", sort).replace("OP", op)


def nested_replacements(depth: int) -> str:
    text = '"a"'
    for _ in range(depth):
        text = f'(str.replace_all {text} "a" "aaaaaaaaaa")'
    return f"(assert (= (str.len {text}) 1))"


@pytest.mark.parametrize(
    "text",
    [
        "(declare-const x (_ BitVec 1000000000))",
        "(assert (= (_ bv0 1000000000) (_ bv0 1000000000)))",
        "(declare-const b (_ BitVec 8))(assert (= b ((_ zero_extend 1000000000) b)))",
        "(declare-const b (_ BitVec 8))(assert (= b ((_ sign_extend 1000000000) b)))",
        "(declare-const b (_ BitVec 8))(assert (= b ((_ repeat 1000000000) b)))",
        "(declare-const n Int)(assert (= ((_ int2bv 1000000000) n) ((_ int_to_bv 8) n)))",
        "(declare-const f (_ FloatingPoint 24 24))",
        "(declare-const f (_ FloatingPoint 8 65536))",
        f"(assert (= 1 1{'0' * 400_000}))",
        f"(assert (= 1.0 0.{'1' * 400_000}))",
        doubled("Int", "*", "12345"),
        doubled("Real", "*", "0.3"),
        doubled("String", "str.++", '"abc"'),
        nested_replacements(20),
        f"(assert (= 1 {'y' * 2_000_000}))",
        f'(assert (= 1 "{"y" * 2_000_000}" 2))',
        f"(declare-const x (_ BitVec {'1' * 1_000_000}))",
    ],
    ids=lambda text: text[:40],
)
def test_too_much_is_one_short_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert solve(tmp_path, text + "(check-sat)") == 2
    message = capsys.readouterr().err
    assert message.startswith("solvent: ")
    assert "script.smt2:1:" in message
    assert message.count("\n") == 1
    assert len(message) < 600


def test_repeated_bits_take_little(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """(declare-const b (_ BitVec 8))
    (assert (= ((_ extract 15 0) ((_ repeat 65536) b)) #x0101))(check-sat)(get-value (b))"""
    assert solve(tmp_path, text) == 0
    assert capsys.readouterr().out == "sat\n((b #x01))\n"


def test_surrogates_are_printed_as_escapes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '(echo "a\\u{d800}é")'
    assert solve(tmp_path, text) == 0
    assert capsys.readouterr().out == "a\\u{d800}é\n"
    assert solve(tmp_path, text, "--json") == 0
    (answer,) = json.loads(capsys.readouterr().out)["responses"]
    assert answer == {"command": "echo", "text": "a\ud800é"}


@pytest.mark.parametrize("value", ["1" + "0" * 5000, "(- 1" + "0" * 5000 + ")"])
def test_numbers_of_any_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    text = f"(declare-const x Int)(assert (= x {value}))(check-sat)(get-value (x))(get-model)"
    assert solve(tmp_path, text) == 0
    assert f"((x {value}))" in capsys.readouterr().out
    assert solve(tmp_path, text, "--json") == 0
    assert "0" * 5000 in capsys.readouterr().out
