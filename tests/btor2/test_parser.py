"""The whole format is read and written, and each kind of mistake has its message and position."""

from __future__ import annotations

import pickle
import time

import pytest

from solvent.btor2 import Btor2Error, Model, parse, parse_file, print_model

EXAMPLE = """\
; all kinds of lines
1 sort bitvec 1
2 sort bitvec 8
3 sort bitvec 4
4 sort array 3 2 mem_sort
5 const 2 00101010
6 constd 2 -1 minus_one
7 consth 2 fF
8 zero 2
9 one 2
10 ones 2 ; all of them
20 input 2 x
21 input 4
30 state 2 s
31 init 2 30 5
32 state 4 memory
33 init 4 32 8
40 uext 2 3 0
"""

ALL = """\
1 sort bitvec 1
2 sort bitvec 8
3 sort bitvec 4
4 sort array 3 2
10 input 2 x
11 input 3 i
12 input 1 c
13 input 4 a
20 zero 2
30 state 2 s
31 init 2 30 20
32 state 4 m
33 init 4 32 20
40 uext 2 11 4
41 sext 2 11 4
42 slice 3 10 5 2
50 not 2 10
51 inc 2 50
52 dec 2 51
53 neg 2 -52
54 redand 1 53
55 redor 1 53
56 redxor 1 53
60 iff 1 54 55
61 implies 1 60 -56
62 eq 1 10 30
63 neq 1 13 32
70 add 2 10 30
71 concat 2 11 11
72 rol 2 10 30
73 saddo 1 10 30
80 write 4 32 11 10
81 read 2 80 11
82 ite 4 12 80 32
83 ite 2 -12 81 20
90 next 2 30 83
91 next 4 32 82
100 bad 62 equal
101 constraint -63
102 fair 60
103 justice 2 60 -61 again
104 output 81 read
"""


def test_everything_is_read() -> None:
    model = parse(ALL, "all.btor2")
    assert [node.symbol for node in model.inputs] == ["x", "i", "c", "a"]
    assert model.inits == {30: 20, 32: 20}
    assert model.nexts == {30: 83, 32: 82}
    assert model.nodes[53].args == (-52,)
    assert model.nodes[42].numbers == (5, 2)
    assert model.justices[0].args == (60, -61)
    assert [len(x) for x in (model.bads, model.constraints, model.fairs, model.outputs)] == [1] * 4
    assert model.has_arrays


def test_printing_gives_the_same_text() -> None:
    assert print_model(parse(ALL)) == ALL
    text = EXAMPLE.replace("40 uext 2 3 0\n", "; end\n")
    printed = print_model(parse(text))
    assert printed == text.replace("constd 2 -1", "constd 2 255").replace("fF", "ff")
    assert print_model(parse(printed)) == printed
    assert print_model(Model()) == ""
    assert print_model(parse("; only\n;comments\n")) == "; only\n;comments\n"


def test_blanks_and_comments() -> None:
    model = parse("\n  1   sort\tbitvec  3 ;c\n\n2 input 1 a;b ; more ; of it\n   ;;\n")
    assert model.nodes[2].symbol == "a;b"
    assert model.nodes[2].comment == " more ; of it"
    assert model.comments == {2: [";"]}


def test_older_names() -> None:
    text = "1 sort bitvec 1\n2 input 1\n3 ne 1 2 2\n"
    assert parse(text).nodes[3].op == "neq"


def test_constants() -> None:
    text = "1 sort bitvec 4\n2 const 1 1010\n3 constd 1 -8\n4 constd 1 15\n5 consth 1 0c\n6 ones 1"
    values = [node.numbers[0] for node in parse(text).nodes.values() if node.numbers]
    assert values == [10, 8, 15, 12, 15]


HEAD = """\
1 sort bitvec 1
2 sort bitvec 8
3 sort array 2 2
4 input 2
5 state 2 s
6 input 1
7 input 3
"""

# More digits than Python turns into a number.
LONG = "9" * 5000

MISTAKES = [
    ("x sort bitvec 1", 1, "the number of a node is expected, but 'x' is found"),
    ("0 sort bitvec 1", 1, "which is at least 1"),
    ("-9 sort bitvec 1", 1, "the number of a node is expected, but '-9' is found"),
    ("9", 2, "a keyword or an operator is expected, but the line ends"),
    ("9 frobnicate 1", 3, "a keyword or an operator is expected, but 'frobnicate' is found"),
    ("4 input 2", 1, "4 is already defined, in line 4"),
    ("9 sort", 7, "'bitvec' or 'array' is expected, but the line ends"),
    ("9 sort float 3", 8, "'bitvec' or 'array' is expected, but 'float' is found"),
    ("9 sort bitvec", 14, "a width is expected, but the line ends"),
    ("9 sort bitvec 0", 15, "a width is expected, which is at least 1, not 0"),
    ("9 sort bitvec eight", 15, "a width is expected, but 'eight' is found"),
    ("9 sort bitvec 99999999999", 15, "too large"),
    ("9 sort bitvec 1048577", 15, "a width of 1048577 is too large"),
    (f"{LONG} input 2", 1, "the number of a node is expected, but 9999"),
    (f"9 sort bitvec {LONG}", 15, "a width is expected, but 9999"),
    (f"9 input {LONG}", 9, "the number of a sort is expected, but 9999"),
    (f"9 not 2 {LONG}", 9, "node 9999"),
    (f"9 not 2 -{LONG}", 9, "node 9999"),
    (f"9 add 2 4 {LONG}", 11, "node 9999"),
    (f"9 uext 2 6 {LONG}", 12, "a width is expected, but 9999"),
    (f"9 slice 2 6 {LONG} 0", 13, "the upper bit is expected, but 9999"),
    (f"9 justice {LONG} 6", 11, "how many nodes follow is expected, but 9999"),
    (f"9 constd 2 {LONG}", 12, "9999"),
    (f"9 constd 2 -{LONG}", 12, "-9999"),
    (f"9 consth 2 {LONG}", 12, "9999"),
    (f"9 const 2 {'0' * 5000}", 11, "8 binary digits are expected, not 5000"),
    (f"9 {LONG}", 3, "a keyword or an operator is expected, but '9999"),
    ("9 sort array 2", 15, "the number of a sort is expected, but the line ends"),
    ("9 sort array 2 4", 16, "a sort is expected, but 4 is a node (input)"),
    ("9 sort array 77 2", 14, "sort 77 is not defined"),
    ("9 input", 8, "the number of a sort is expected, but the line ends"),
    ("9 input 4", 9, "a sort is expected, but 4 is a node (input)"),
    ("9 state 55", 9, "sort 55 is not defined"),
    ("9 state -2", 9, "the number of a sort is expected, but '-2' is found"),
    ("9 const 2 0101", 11, "8 binary digits are expected, not 4"),
    ("9 const 2 01012101", 11, "a binary number is expected, but '01012101' is found"),
    ("9 const 2", 10, "a binary number is expected, but the line ends"),
    ("9 constd 2 256", 12, "256 does not fit in bitvec 8"),
    ("9 constd 2 -129", 12, "-129 does not fit in bitvec 8"),
    ("9 constd 2 ff", 12, "a decimal number is expected, but 'ff' is found"),
    ("9 consth 2 100", 12, "100 does not fit in bitvec 8"),
    ("9 consth 2 xy", 12, "a hexadecimal number is expected, but 'xy' is found"),
    ("9 zero 3", 8, "a bitvector is expected for zero, not array of bitvec 8 by bitvec 8"),
    ("9 one", 6, "the number of a sort is expected, but the line ends"),
    ("9 ones 12", 8, "sort 12 is not defined"),
    ("9 add 2 4", 10, "the number of a node is expected, but the line ends"),
    ("9 add 2 4 y", 11, "the number of a node is expected, but 'y' is found"),
    ("9 add 2 4 0", 11, "the number of a node is expected, but '0' is found"),
    ("9 add 2 4 99", 11, "node 99 is not defined"),
    ("9 add 2 4 9", 11, "node 9 is not defined"),
    ("9 add 2 4 2", 11, "a node is expected, but 2 is a sort"),
    ("9 add 2 4 6", 11, "bitvec 8 as argument 1 is expected, not bitvec 1"),
    ("9 add 1 4 5", 7, "the result of add is bitvec 8, not bitvec 1"),
    ("9 not 2 -7", 9, "only bitvectors can be negated"),
    ("9 uext 2 6", 11, "a width is expected, but the line ends"),
    ("9 uext 2 6 -7", 12, "a width is expected, but '-7' is found"),
    ("9 uext 2 6 6", 8, "the result of uext is bitvec 7, not bitvec 8"),
    ("9 slice 1 4 8 8", 13, "bit 8 does not exist in bitvec 8"),
    ("9 slice 1 4 2 3", 15, "the lower bit 3 is above the upper bit 2"),
    ("9 slice 1 4 2", 14, "the lower bit is expected, but the line ends"),
    ("9 redand 1 7", 12, "a bitvector is expected, not array of bitvec 8 by bitvec 8"),
    ("9 iff 1 6 4", 11, "bitvec 1 is expected, not bitvec 8"),
    ("9 eq 1 4 7", 10, "bitvec 8 as argument 1 is expected, not array of bitvec 8 by bitvec 8"),
    ("9 read 2 4 4", 10, "an array is expected, not bitvec 8"),
    ("9 read 2 7 6", 12, "the index must be bitvec 8, but it is bitvec 1"),
    ("9 write 3 7 4 6", 15, "the element must be bitvec 8, but it is bitvec 1"),
    ("9 ite 2 4 4 5", 9, "bitvec 1 is expected, not bitvec 8"),
    ("9 ite 2 6 4 7", 13, "bitvec 8 as argument 2 is expected"),
    ("9 init 2 4 5", 10, "a state is expected, but 4 is a node (input)"),
    ("9 init 1 5 6", 8, "state 5 is bitvec 8, not bitvec 1"),
    ("9 init 2 5 4", 12, "state 5 cannot start with what depends on input 4"),
    ("8 one 2\n9 init 2 5 8", 12, "state 5 must be defined after node 8"),
    ("9 next 2 -5 4", 10, "a state is expected, but -5 is negated"),
    ("9 next 2 5 6", 12, "bitvec 8 is expected, not bitvec 1"),
    ("8 next 2 5 4\n9 next 2 5 4", 10, "state 5 has its next already"),
    ("8 next 2 5 4\n9 add 2 8 4", 9, "node 8 is a next and has no value"),
    ("8 bad 6\n9 not 1 8", 9, "node 8 is a bad and has no value"),
    ("9 bad 4", 7, "bitvec 1 is expected for bad, not bitvec 8"),
    ("9 bad", 6, "the number of a node is expected, but the line ends"),
    ("9 constraint 2", 14, "a node is expected, but 2 is a sort"),
    ("9 fair 4", 8, "bitvec 1 is expected for fair, not bitvec 8"),
    ("9 output 42", 10, "node 42 is not defined"),
    ("9 justice", 10, "how many nodes follow is expected, but the line ends"),
    ("9 justice 0", 11, "which is at least 1, not 0"),
    ("9 justice 2 6", 14, "the number of a node is expected, but the line ends"),
    ("9 justice 1 4", 13, "bitvec 1 is expected for justice, not bitvec 8"),
    ("9 input 2 a b", 13, "the end of the line is expected, but 'b' is found"),
]


@pytest.mark.parametrize(("line", "column", "message"), MISTAKES)
def test_mistakes(line: str, column: int, message: str) -> None:
    with pytest.raises(Btor2Error) as caught:
        parse(HEAD + line, "f.btor2")
    error = caught.value
    number = 8 + line.count("\n")
    assert message in error.message
    assert (error.line, error.column) == (number, column), error
    assert str(error).startswith(f"f.btor2({number},{column}): Error: ")
    # A message is a sentence, however long the line is.
    assert len(str(error)) < 400


def test_init_may_use_earlier_states() -> None:
    text = "1 sort bitvec 8\n2 state 1\n3 inc 1 2\n4 state 1\n5 init 1 4 3\n"
    assert parse(text).inits == {4: 3}


@pytest.mark.parametrize("sign", ["", "-"])
def test_decimal_numbers_of_any_length(sign: str) -> None:
    text = f"1 sort bitvec 20000\n2 constd 1 {sign}{'7' * 5000}\n"
    model = parse(text)
    (value,) = model.nodes[2].numbers
    sevens = (10**5000 - 1) // 9 * 7
    assert value == (2**20000 - sevens if sign else sevens)
    # They are written in another base.
    assert parse(print_model(model)).nodes[2].numbers == (value,)


def test_errors_can_be_pickled() -> None:
    error = Btor2Error("text", "f", 2, 3)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line) == (str(error), 2)


def test_files(tmp_path) -> None:
    path = tmp_path / "m.btor2"
    path.write_text(ALL)
    assert print_model(parse_file(path)) == ALL
    path.write_text("1 sort")
    with pytest.raises(Btor2Error, match=r"m\.btor2\(1,7\)"):
        parse_file(path)


def dense_lines(count: int, distance: int) -> str:
    lines = ["1 sort bitvec 32", "2 input 1"]
    last = 2
    for k in range(1, count):
        number = 2 + k * distance
        lines.append(f"{number} add 1 {last} 2")
        last = number
    return "\n".join(lines)


def test_sparse_numbers_cost_nothing() -> None:
    count = 4000
    times = []
    for distance in (1, 200_000):
        text = dense_lines(count, distance)
        started = time.process_time()
        model = parse(text)
        times.append(time.process_time() - started)
        assert len(model.nodes) == count + 1
    assert max(model.nodes) > 799_000_000
    assert times[1] < 3 * times[0] + 0.05


@pytest.mark.parametrize("op", ["sext", "uext"])
def test_an_extension_beyond_all_widths(op: str) -> None:
    with pytest.raises(Btor2Error) as caught:
        parse(f"1 sort bitvec 8\n2 state 1\n3 {op} 1 2 210801682825\n", "f.btor2")
    assert str(caught.value).startswith("f.btor2(3,12): Error: a bitvector has at most")
