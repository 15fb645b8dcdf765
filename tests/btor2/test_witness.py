"""Witnesses: printing, parsing with its errors, replaying, and reading inputs out of them."""

from __future__ import annotations

import pickle

import pytest

from solvent.btor2 import (
    Assignment,
    Constraint,
    Frame,
    ModelError,
    Read,
    Witness,
    WitnessError,
    bmc,
    input_string,
    memory_constraints,
    parse,
    parse_witness,
    parse_witness_file,
    parse_witnesses,
    reads,
    replay,
)

# Figures 11 and 12: memory at 66096 holds 2, and "42" is read at time 1.
EXAMPLE = f"""\
sat
b1
#0
35 [{66096:064b}] {2:064b} memory#0
@0
0 00000000 input0@0
1 0000000000000000 input1@0
#1
@1
0 00000000 input0@1
1 0011001000110100 input1@1
.
"""


def test_the_example_of_the_paper() -> None:
    witness = parse_witness(EXAMPLE)
    assert witness.properties == ["b1"]
    assert [frame.time for frame in witness.frames] == [0, 1]
    assert witness.frames[0].states[0].position == 35
    assert reads(witness) == [Read(1, 12852, b"42")]
    assert input_string(witness) == b"42"
    assert memory_constraints(witness) == [Constraint(66096, 2)]


def test_bytes_are_read_from_the_lowest_on() -> None:
    three = Assignment(2, format(int.from_bytes(b"abc", "little"), "024b"))
    short = Assignment(0, "01100100")
    witness = Witness(["b0"], [Frame(0, [], [short]), Frame(1), Frame(2, [], [three])])
    assert input_string(witness) == b"dabc"


def test_only_one_input_at_a_time() -> None:
    witness = Witness(["b0"], [Frame(7, [], [Assignment(0, "1"), Assignment(1, "1", None, "y")])])
    with pytest.raises(ModelError, match=r"at time 7, but these are: 0, y"):
        reads(witness)


def test_printing_and_parsing() -> None:
    witness = parse_witness(EXAMPLE)
    # Empty state parts are left out after the first frame.
    assert str(witness) == EXAMPLE.replace("#1\n", "")
    assert str(parse_witness(str(witness))) == str(witness)


def test_what_may_be_left_out_or_added() -> None:
    text = "; a comment\n\nsat\n\n@0 ; here\n0 1\n; there\n@1\n#2\n@2\n0 x1 name@2\n.\n"
    witness = parse_witness(text)
    assert witness.properties == []
    assert witness.comments == [" a comment"]
    assert [len(frame.inputs) for frame in witness.frames] == [1, 0, 1]
    assert witness.frames[2].inputs[0].bits == "01"
    assert parse_witness("sat\nb0 b2 j1\n.").properties == ["b0", "b2", "j1"]


def test_several_witnesses() -> None:
    both = parse_witnesses("sat\nb0\n@0\n.\nsat\nb1\n@0\n@1\n.\n")
    assert [w.properties for w in both] == [["b0"], ["b1"]]
    with pytest.raises(WitnessError, match='"end of file" expected but "sat" found'):
        parse_witness("sat\nb0\n@0\n.\nsat\nb1\n@0\n.")


MISTAKES = [
    ("", "sat", "end of file", 1, 1),
    ("unsat\n", "sat", "unsat", 1, 1),
    ("sat b0\n", "end of line", "b0", 1, 5),
    ("sat\nc0\n", "b<number> or j<number>", "c0", 2, 1),
    ("sat\nb0 b\n", "b<number> or j<number>", "b", 2, 4),
    ("sat\nb0\n", "#0", "end of file", 3, 1),
    ("sat\nb0\nfoo\n", "#0", "foo", 3, 1),
    ("sat\nb0\n#1\n", "#0", "#1", 3, 1),
    ("sat\nb0\n@1\n", "@0", "@1", 3, 1),
    ("sat\nb0\n@x\n", "@0", "@x", 3, 1),
    ("sat\nb0\n#0\n.\n", "@0", ".", 4, 1),
    ("sat\nb0\n#0\n#0\n", "@0", "#0", 4, 1),
    ("sat\nb0\n@0 1\n", "end of line", "1", 3, 4),
    ("sat\nb0\n@0\n@2\n.\n", "@1", "@2", 4, 1),
    ("sat\nb0\n@0\nx 1\n.\n", "<number>", "x", 4, 1),
    ("sat\nb0\n@0\n0\n.\n", "<binary string>", "end of line", 4, 2),
    ("sat\nb0\n@0\n0 012\n.\n", "<binary string>", "012", 4, 3),
    ("sat\nb0\n#0\n0 [01 1\n@0\n.\n", "[<binary string>]", "[01", 4, 3),
    ("sat\nb0\n#0\n0 [2] 1\n@0\n.\n", "[<binary string>]", "[2]", 4, 3),
    ("sat\nb0\n#0\n0 [01]\n@0\n.\n", "<binary string>", "end of line", 4, 7),
    ("sat\nb0\n@0\n0 01 name more\n.\n", "end of line", "more", 4, 11),
    ("sat\nb0\n@0\n0 01\n", ".", "end of file", 5, 1),
    ("sat\nb0\n@0\n. x\n", "end of line", "x", 4, 3),
]


@pytest.mark.parametrize(("text", "expected", "found", "line", "column"), MISTAKES)
def test_mistakes(text: str, expected: str, found: str, line: int, column: int) -> None:
    with pytest.raises(WitnessError) as caught:
        parse_witness(text, "f.wit")
    error = caught.value
    assert (error.expected, error.found, error.line, error.column) == (
        expected,
        found,
        line,
        column,
    )
    message = f'Parser Error: "{expected}" expected but "{found}" found!'
    assert str(error) == f"f.wit({line},{column}): {message}"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


COUNTER = """\
1 sort bitvec 1
2 sort bitvec 4
3 zero 2
4 state 2 n
5 init 2 4 3
6 input 2 by
7 add 2 4 6
8 next 2 4 7
9 constd 2 9
10 eq 1 4 9
11 bad 10 nine
12 constd 2 12
13 ult 1 6 12
14 constraint 13
"""


def test_replay() -> None:
    model = parse(COUNTER)
    good = parse_witness("sat\nb0\n@0\n0 1001\n@1\n.")
    assert replay(model, good).claims[0].explanation == "at time 1"
    never = replay(model, parse_witness("sat\nb0\n@0\n0 1000\n@1\n."))
    assert not never.holds
    assert never.claims[0].explanation == "it does not hold at any time from 0 to 1"
    broken = replay(model, parse_witness("sat\nb0\n@0\n0 1101\n@1\n@2\n."))
    assert broken.claims[0].explanation == "constraint 0 does not hold at time 0"
    assert not replay(model, parse_witness("sat\nb0\n.")).holds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sat\nb1\n@0\n.", "claims b1, but the model has 1 bad states"),
        ("sat\nj0\n@0\n.", "claims j0, but the model has 0 justice properties"),
        ("sat\nb0\n@0\n1 0001\n.", "input 1 at time 0, but the model has 1"),
        ("sat\nb0\n@0\n0 001\n.", "value of input 0 at time 0 has 4 bits, not 3"),
        ("sat\nb0\n@0\n0 [0] 0001\n.", "input 0 at time 0 is no array"),
    ],
)
def test_witnesses_of_another_model(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        replay(parse(COUNTER), parse_witness(text))


MEMORY = """\
1 sort bitvec 1
2 sort bitvec 4
3 sort array 2 2
4 state 3 memory
5 next 3 4 4
6 input 2 at
7 state 2 free
8 read 2 4 6
9 constd 2 11
10 eq 1 8 9
11 eq 1 7 9
12 and 1 10 11
13 bad 12
"""


def test_arrays_and_free_states_in_witnesses(tmp_path) -> None:
    model = parse(MEMORY)
    (finding,) = bmc(model, 3)
    assert finding.witness is not None
    text = str(finding.witness)
    at = finding.witness.frames[0].inputs[0].bits
    assert f"0 [{at}] 1011 memory#0" in text
    assert "1 1011 free#0" in text
    path = tmp_path / "w.wit"
    path.write_text(text)
    again = parse_witness_file(path)
    assert replay(model, again).holds
    # Without the element of the array it is not reached.
    again.frames[0].states = [one for one in again.frames[0].states if one.index is None]
    assert not replay(model, again).holds
    with pytest.raises(ModelError, match="state 0 at time 0 is an array"):
        replay(model, parse_witness("sat\nb0\n#0\n0 1011\n@0\n."))


JUSTICE = """\
1 sort bitvec 1
2 zero 1
3 state 1 on
4 init 1 3 2
5 next 1 3 -3
6 justice 1 3
"""


def test_replay_of_justice() -> None:
    model = parse(JUSTICE)
    claims = replay(model, parse_witness("sat\nj0\n@0\n@1\n@2\n.")).claims
    assert claims[0].explanation == "repeated from time 0 to 2"
    assert not replay(model, parse_witness("sat\nj0\n@0\n@1\n.")).holds


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("sat\nbNINES\n@0\n.\n", 2, "b<number> or j<number>"),
        ("sat\nb0\n@0\nNINES 1\n.\n", 4, "<number>"),
        ("sat\nb0\n@NINES\n.\n", 3, "@0"),
        ("sat\nb0\n@0\n0 NINES\n.\n", 4, "<binary string>"),
    ],
)
def test_numbers_of_thousands_of_digits(text: str, line: int, expected: str) -> None:
    with pytest.raises(WitnessError) as caught:
        parse_witness(text.replace("NINES", "9" * 5000), "f.wit")
    assert (caught.value.line, caught.value.expected) == (line, expected)
    assert len(str(caught.value)) < 400
