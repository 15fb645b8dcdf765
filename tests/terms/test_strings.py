"""Strings: the theory against Z3 and cvc5, the operators and methods against CPython's `str`."""

from __future__ import annotations

import inspect
import itertools
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.errors import SortError, SymbolicBoolError
from solvent.terms import (
    Bool,
    Int,
    Model,
    Str,
    char_at,
    constants,
    contains,
    evaluate,
    from_code,
    index_of,
    int_to_str,
    is_digit,
    ite,
    length,
    prefix_of,
    replace_all,
    replace_first,
    size,
    str_concat,
    str_index,
    str_slice,
    str_to_int,
    substitute,
    substr,
    suffix_of,
    to_code,
)
from solvent.terms import strings as theory
from solvent.terms.arithmetic import LE
from solvent.terms.booleans import EQ
from solvent.terms.memory import TABLE
from solvent.terms.ops import Op
from solvent.terms.rules import RULES, Rule
from solvent.terms.term import Term, raw
from solvent.terms.values import sort_of
from tests.terms.string_solvers import (
    literal,
    not_true_in_cvc5,
    not_true_in_z3,
    prove_equal,
    text,
    words,
)

x, y, z = Str("x"), Str("y"), Str("z")
i, j = Int("i"), Int("j")

# --- the concrete meaning of every operator, against two solvers -------------------------------

SHORT, TINY = words("ab", 3), words("ab", 2)
INDICES = range(-2, 6)
SPECIAL = ["", "0", "9", "07", "10", "a", "1a", "-1", " 1", "ab", "²", "\u0663", "é", "\U0002ffff"]
CODES = [-2, -1, 0, 10, 34, 92, 97, 255, 0xFFFF, 0x10000, 0x2FFFF, 0x30000, 0x10FFFF, 1 << 40]

DOMAINS: dict[Op, tuple[Any, ...]] = {
    theory.STR_CONCAT: (SHORT, SHORT),
    theory.STR_LEN: ([*SHORT, *SPECIAL],),
    theory.STR_LT: ([*SHORT, *SPECIAL], [*TINY, *SPECIAL]),
    theory.STR_LE: ([*SHORT, *SPECIAL], [*TINY, *SPECIAL]),
    theory.STR_AT: (SHORT, INDICES),
    theory.STR_SUBSTR: (SHORT, INDICES, INDICES),
    theory.STR_PREFIXOF: (SHORT, SHORT),
    theory.STR_SUFFIXOF: (SHORT, SHORT),
    theory.STR_CONTAINS: (SHORT, SHORT),
    theory.STR_INDEXOF: (SHORT, TINY, INDICES),
    theory.STR_REPLACE: (SHORT, TINY, TINY),
    theory.STR_REPLACE_ALL: (SHORT, TINY, TINY),
    theory.STR_IS_DIGIT: (SPECIAL,),
    theory.STR_TO_CODE: ([*TINY, *SPECIAL],),
    theory.STR_FROM_CODE: (CODES,),
    theory.STR_TO_INT: ([*SPECIAL, *words("01", 3)],),
    theory.STR_FROM_INT: ([-10, -1, 0, 1, 9, 10, 123, 10**30],),
}


def claims(op: Op) -> Iterator[str]:
    for args in itertools.product(*DOMAINS[op]):
        value = op.fold(*args)
        assert type(value) is type(op.result(*args).default)
        yield f"(= ({op.smt} {' '.join(map(literal, args))}) {literal(value)})"


@pytest.mark.parametrize("op", DOMAINS, ids=str)
@pytest.mark.parametrize("not_true", [not_true_in_z3, not_true_in_cvc5])
def test_concrete_meaning(op: Op, not_true: Callable[[Any], list[str]]) -> None:
    assert not_true(claims(op)) == []


def test_every_operator_on_strings_is_compared() -> None:
    declared = {op for op in vars(theory).values() if isinstance(op, Op) and op.name[:4] == "str."}
    assert declared == set(DOMAINS)


@pytest.mark.parametrize("digits", [4299, 4300, 4301, 12_345])
def test_numbers_beyond_pythons_limit(digits: int) -> None:
    number = 10 ** (digits - 1) + 7
    numeral = int_to_str(number)
    assert len(numeral) == digits
    assert numeral == "1" + "0" * (digits - 2) + "7"
    assert str_to_int(numeral) == number
    assert str_to_int("0" + numeral) == number


# --- Python's operators and methods, against CPython -------------------------------------------

BOUNDS = [None, *range(-5, 6)]


def under(term: Any, **values: Any) -> Any:
    return evaluate(term, {k: v for k, v in values.items() if v is not None})


@pytest.mark.parametrize("s", ["", "a", "ab", "abc", "abcd"])
def test_slices(s: str) -> None:
    for start, stop in itertools.product(BOUNDS, BOUNDS):
        expected = s[start:stop]
        symbolic = slice(start if start is None else i, stop if stop is None else j)
        assert under(x[start:stop], x=s) == expected
        assert under(x[symbolic], x=s, i=start, j=stop) == expected
        assert under(str_slice(s, symbolic.start, symbolic.stop), i=start, j=stop) == expected
        assert str_slice(s, start, stop) == expected


def test_slices_of_bounds_that_are_not_negative_need_no_choice() -> None:
    for bound in (i % 8, length(y)):
        assert x[bound:] is substr(x, bound, length(x) - bound)
        assert x[:bound] is substr(x, 0, bound)
    assert x[:] is x
    assert x[2:1] == ""
    assert x[::1] is x


@pytest.mark.parametrize("s", ["", "a", "ab", "abc"])
def test_indices(s: str) -> None:
    for index in range(-5, 6):
        inside = -len(s) <= index < len(s)
        expected = s[index] if inside else ""
        assert under(x[index], x=s) == expected
        assert under(x[i], x=s, i=index) == expected
        assert under(str_index(s, i), i=index) == expected
        if inside:
            assert str_index(s, index) == expected
        else:
            with pytest.raises(IndexError):
                str_index(s, index)


def test_a_bool_is_an_index() -> None:
    p = Bool("p")
    assert x[True] is x[1]
    assert [under(x[p], x="ab", p=value) for value in (False, True)] == ["a", "b"]


@pytest.mark.parametrize("a", TINY)
def test_comparisons(a: str) -> None:
    for b in TINY:
        for term, expected in (
            (x == y, a == b),
            (x != y, a != b),
            (x < y, a < b),
            (x <= y, a <= b),
            (x > y, a > b),
            (x >= y, a >= b),
            (x == b, a == b),
            (x < b, a < b),
            (x <= b, a <= b),
            (x > b, a > b),
            (x >= b, a >= b),
            (a == y, a == b),
            (a < y, a < b),
            (a <= y, a <= b),
            (a > y, a > b),
            (a >= y, a >= b),
        ):
            assert under(term, x=a, y=b) is expected


def test_comparison_is_by_code_point() -> None:
    characters = ["", "a", "b", "Z", "é", "\ud800", "\uffff", "\U00010000", "\U0002ffff"]
    for a, b in itertools.product(characters, characters):
        assert under(x < y, x=a, y=b) is (a < b)


@pytest.mark.parametrize("s", SHORT)
def test_methods(s: str) -> None:
    for part in TINY:
        for term, expected in (
            (x + y, s + part),
            (x + part, s + part),
            (part + x, part + s),
            (x.startswith(y), s.startswith(part)),
            (x.endswith(y), s.endswith(part)),
            (x.startswith((y, "ab")), s.startswith((part, "ab"))),
            (x.endswith((y, "ab")), s.endswith((part, "ab"))),
            (x.removeprefix(y), s.removeprefix(part)),
            (x.removesuffix(y), s.removesuffix(part)),
            (x.removeprefix(part), s.removeprefix(part)),
            (x.removesuffix(part), s.removesuffix(part)),
            (contains(x, y), part in s),
            (contains(x, part), part in s),
            (x.find(y), s.find(part)),
            (x.replace(y, "cc", 0), s.replace(part, "cc", 0)),
            (x.replace(y, "cc", 1), s.replace(part, "cc", 1)),
            (x.replace(part, "cc", 1), s.replace(part, "cc", 1)),
            (x.replace(y, ""), s.replace(part, "")),
            (x.replace(part, ""), s.replace(part, "")),
            (x.replace(part or "a", y), s.replace(part or "a", part)),
            (x.replace(part or "a", "ba", -2), s.replace(part or "a", "ba", -2)),
        ):
            assert under(term, x=s, y=part) == expected, term


@pytest.mark.parametrize("part", ["", "a", "ab"])
def test_find_within_bounds(part: str) -> None:
    for s in ("", "a", "aba", "abab"):
        for start, stop in itertools.product(BOUNDS, BOUNDS):
            expected = s.find(part, start, stop)
            symbolic = (start if start is None else i, stop if stop is None else j)
            assert under(x.find(part, start, stop), x=s) == expected
            assert under(x.find(y, *symbolic), x=s, y=part, i=start, j=stop) == expected


def test_repetition() -> None:
    for count in range(-2, 10):
        assert under(x * count, x="ab") == "ab" * count if count > 0 else x * count == ""
        assert x * count is count * x or count <= 0
    assert size(x * 2**40) < 50
    assert x * True is x


def test_functions_of_concrete_values_are_concrete() -> None:
    assert str_concat("a", "b", "c") == "abc"
    assert length("abc") == 3
    assert contains("abc", "d") is False
    assert prefix_of("ab", "abc") is True
    assert suffix_of("ab", "abc") is False
    assert char_at("abc", 2) == "c"
    assert substr("abc", 1, 1) == "b"
    assert index_of("abc", "c") == 2
    assert replace_first("aa", "a", "b") == "ba"
    assert replace_all("aa", "a", "b") == "bb"
    assert is_digit("3") is True
    assert to_code("a") == 97
    assert from_code(0x2FFFF) == "\U0002ffff"
    assert str_to_int("12") == 12
    assert int_to_str(12) == "12"


def test_functions_on_terms_evaluate() -> None:
    for s in SPECIAL:
        assert under(to_code(x), x=s) == (ord(s) if len(s) == 1 else -1)
        assert under(is_digit(x), x=s) is (s in list("0123456789"))
        assert under(str_to_int(x), x=s) == to_number(s)
    for code in CODES:
        assert under(from_code(i), i=code) == (chr(code) if 0 <= code <= 0x2FFFF else "")
        assert under(int_to_str(i), i=code) == (str(code) if code >= 0 else "")


def to_number(s: str) -> int:
    return int(s) if s and set(s) <= set("0123456789") else -1


# --- terms -------------------------------------------------------------------------------------


def test_constants_and_models() -> None:
    assert Str("x") is x
    assert Str.fresh("x") is not Str.fresh("x")
    assert Model()[x] == ""
    assert Model({x: "ab"})[x] == "ab"
    assert Str.default == ""
    assert substitute(x + y, {x: "a", y: "b"}) == "ab"
    assert substitute(x + y, {x: y}) is y + y


class Name(str):
    """A subclass of `str` that prints differently."""

    def __str__(self) -> str:
        return "other"


def test_coercion() -> None:
    assert type(Str.coerce(Name("a"))) is str
    assert Str.coerce(Name("a")) == "a"
    assert x + Name("a") is x + "a"
    assert Str.coerce("\U0002ffff") == "\U0002ffff"
    assert Str.coerce(1) is NotImplemented
    assert Str.coerce(i) is NotImplemented


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: Str.coerce("a\U00030000"), "ends at U.2FFFF"),
        (lambda: x + "\U0010ffff", "ends at U.2FFFF"),
        (lambda: x + i, r"x \(Str\) and i \(Int\)"),
        (lambda: x == i, r"x \(Str\) and i \(Int\)"),
        (lambda: x < i, r"i \(Int\) and x \(Str\)"),
        (lambda: length(i), r"i \(Int\) is not of sort Str"),
        (lambda: x[::2], "needs the step 1, not 2"),
        (lambda: x[::-1], "needs the step 1, not -1"),
        (lambda: x["a"], r"'a' \(str\) is not of sort Int"),
        (lambda: x["a":], r"'a' \(str\) is not of sort Int"),
        (lambda: x * i, r"a concrete number of times, not i \(Int\)"),
        (lambda: x.replace("", "a"), "which may be empty"),
        (lambda: x.replace(y, "a"), r"y \(Str\), which may be empty"),
        (lambda: x.replace("", y), "which may be empty"),
        (lambda: x.replace("a", "b", 2), "not 2 of them"),
        (lambda: x.startswith(3), "is not of sort Str"),
    ],
)
def test_misuse(attempt: Callable[[], Any], message: str) -> None:
    with pytest.raises(SortError, match=message):
        attempt()


def test_python_decides_about_other_operands() -> None:
    for attempt in (lambda: x + 1, lambda: 1 + x, lambda: x < 1, lambda: x * "a", lambda: x * 1.5):
        with pytest.raises(TypeError):
            attempt()
    assert (x == 1) is False
    assert (x != 1) is True


def test_what_needs_a_concrete_string() -> None:
    with pytest.raises(SymbolicBoolError, match=r"use `contains\(text, part\)`"):
        "a" in x
    with pytest.raises(SymbolicBoolError, match="use `length"):
        len(x)
    with pytest.raises(SymbolicBoolError):
        iter(x)


def test_printing() -> None:
    for term, expected in (
        (x + "a" + y, "x + 'a' + y"),
        (x + (y + z), "x + (y + z)"),
        (x < "a", "'a' > x"),
        (x > y, "x > y"),
        (x[i % 4], "x[mod(i, 4)]"),
        ((x + y)[0], "(x + y)[0]"),
        (x[1:] == "b", "substr(x, 1, length(x) - 1) == 'b'"),
        (x.find("a"), "index_of(x, 'a', 0)"),
        (x.startswith("a"), "prefix_of('a', x)"),
        (str_to_int(x) * 2, "str_to_int(x) * 2"),
        (to_code(x), "to_code(x)"),
        (replace_first(x, "a", y), "replace_first(x, 'a', y)"),
    ):
        assert str(term) == expected


# --- rules -------------------------------------------------------------------------------------

STRING_RULES = [declared for declared in RULES if declared.theories == ("Str",)]
POOLS: dict[str, list[Any]] = {
    "x": [x],
    "y": [y, x],
    "z": [z],
    "p": [Bool("p")],
    "q": [Bool("q")],
    "i": [i],
    "j": [j],
    "c": ["a", "ab"],
    "d": ["b", "ba"],
    "u": ["", "a"],
    "k": [0, 1, 2],
}
VALUES = {"Str": ["", "a", "b", "ab", "7"], "Int": [-2, -1, 0, 1, 2, 97], "Bool": [False, True]}


def rewritings(declared: Rule) -> list[tuple[Any, Any, Any]]:
    """Applications of a rule: the unsimplified term, the rule's result, the constructor's."""
    found = []
    names = inspect.signature(declared.example).parameters
    for choice in itertools.product(*(POOLS[name] for name in names)):
        operands = declared.example(*choice)
        if any(isinstance(operand, Term) for operand in operands):
            result = declared.function(*operands)
            if result is not None:
                found.append((raw(declared.op, *operands), result, declared.op(*operands)))
    return found


def identify(declared: Rule) -> str:
    return declared.statement


@pytest.mark.parametrize("declared", STRING_RULES, ids=identify)
def test_rule_is_proved(declared: Rule) -> None:
    found = rewritings(declared)
    assert found
    for plain, result, _ in found:
        assert sort_of(result) is plain.sort
        assert prove_equal(plain, result) == "unsat", f"{text(plain)} is not {text(result)}"


@pytest.mark.parametrize("declared", STRING_RULES, ids=identify)
def test_rule_holds_on_small_values(declared: Rule) -> None:
    for plain, result, built in rewritings(declared):
        # The constructor must not build the unsimplified term.
        assert not isinstance(built, Term) or TABLE.get(plain.key) is not built
        names = (x, y, z, i, j, Bool("p"), Bool("q"))
        used = [name for name in names if any(name is free for free in constants(plain))]
        for values in itertools.product(*(VALUES[name.sort.name] for name in used)):
            model = Model(dict(zip(used, values, strict=True)))
            assert model(plain) == model(result) == model(built)


p = Bool("p")
SHAPES: dict[str, list[Any]] = {
    "Str": [
        *("", "a", "b", "ab", "ba"),
        *(x, y, x + y, "a" + x, "ab" + x, x + "a", x + "ba", "b" + x + "a", x + "ab" + y),
        *(ite(p, "a", "ab"), ite(p, x, "b"), char_at(x, i), from_code(i), int_to_str(i)),
    ],
    "Int": [
        *(-2, -1, 0, 1, 2, 97, 0x2FFFF, 0x30000, i, length(x), length("a" + x)),
        *(to_code(x), str_to_int(x), length(ite(p, "a", x))),
    ],
}
MODELS = [
    Model({x: a, y: b, i: k, p: k > 0})
    for a, b, k in itertools.product(["", "a", "ab", "7", "999999"], ["", "ba"], [-1, 0, 97])
]


@pytest.mark.parametrize("op", [*DOMAINS, EQ, LE], ids=str)
def test_constructors_keep_the_meaning(op: Op) -> None:
    """Whatever rules apply, the value under a model is that of the operator."""
    domains = DOMAINS.get(op, (SHORT, SHORT) if op is EQ else (INDICES, INDICES))
    sorts = [sort_of(domain[0]).name for domain in domains]
    choices = list(itertools.product(*(SHAPES[name] for name in sorts)))
    if op is EQ:
        choices += itertools.product(SHAPES["Int"], SHAPES["Int"])
    for args in random.Random(op.name).sample(choices, min(len(choices), 400)):
        built = op(*args)
        for model in MODELS:
            assert model(built) == op.fold(*map(model, args)), (op, args, model)


def test_rules_normalise() -> None:
    assert (x + "a") + ("b" + y) is (x + "ab") + y
    assert "" + x + "" is x
    assert length(x + "abc" + y) is length(x) + length(y) + 3
    assert length(ite(Bool("p"), "abc", "d")) is ite(Bool("p"), 3, 1)
    assert (length(x) < 0) is False
    assert (length(x) >= 0) is True
    assert (length(x) == 0) is (x == "")
    assert ("a" + x + "b" == "acb") is (x == "c")
    assert ("a" + x + "b" == "ab") is (x == "")
    assert ("a" + x + "a" == "a") is False
    assert ("ab" + x).startswith("a") is True
    assert ("ab" + x).startswith("abc") is x.startswith("c")
    assert ("ab" + x)[1] == "b"
    assert ("ab" + x)[2] is x[0]
    assert ("ab" + x)[2:5] is x[0:3]
    assert (to_code(x[0]) == 97) is (x[0] == "a")
    assert (x[i] == "ab") is False
    assert (x[i] == "a") is not False
    assert x.endswith("") is x.startswith("") is True
    assert (x < y) is ~(y <= x)
    assert (x < "a") is theory.STR_LT(x, "a") is ~("a" <= x)
    assert theory.STR_LT("a", x) is ~(x <= "a")


# --- size --------------------------------------------------------------------------------------

DEPTH = 20_000


def test_long_concatenations() -> None:
    joined: Any = x
    for k in range(DEPTH):
        joined = joined + Str(f"s{k}")
    # All other parts are empty.
    model = Model({x: "ab", Str("s7"): "c", Str(f"s{DEPTH - 1}"): "de"})
    assert model(joined) == "abcde"
    assert model(length(joined)) == 5
    assert model(joined[2]) == "c"
    assert model(joined == "abcde") is True
    assert joined.startswith("") is True
    assert pickle.loads(pickle.dumps(joined)) is joined


def test_deep_brackets_and_choices() -> None:
    nested: Any = x
    for _ in range(DEPTH):
        nested = "(" + nested + ")"
    assert (nested == "()" * 9_000) is False
    assert (nested == "(" * DEPTH + "a" + ")" * DEPTH) is (x == "a")
    choice: Any = x
    for k in range(DEPTH):
        choice = ite(Bool(f"p{k}"), choice + y, "")
    assert isinstance(length(choice), Term)
    assert isinstance(length(choice + "a"), Term)


@given(st.lists(st.one_of(st.text("ab", max_size=2), st.sampled_from([x, y])), max_size=12))
def test_any_concatenation(parts: list[Any]) -> None:
    expected = "".join(part if isinstance(part, str) else {x: "a", y: "bb"}[part] for part in parts)
    middle = len(parts) // 2
    joined = str_concat(*parts)
    halves = str_concat(str_concat(*parts[:middle]), str_concat(*parts[middle:]))
    for term in (joined, halves):
        assert evaluate(term, Model({x: "a", y: "bb"})) == expected
        assert evaluate(length(term), Model({x: "a", y: "bb"})) == len(expected)
