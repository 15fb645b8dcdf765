"""Regexes: matching against sets of strings, Z3 and cvc5."""

from __future__ import annotations

import itertools
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvent.errors import SortError
from solvent.terms import (
    Bool,
    Int,
    Model,
    Regex,
    RegexTerm,
    Str,
    eq,
    evaluate,
    in_re,
    ite,
    length,
    re_all,
    re_allchar,
    re_complement,
    re_concat,
    re_diff,
    re_intersect,
    re_loop,
    re_none,
    re_opt,
    re_plus,
    re_power,
    re_range,
    re_star,
    re_union,
    replace_re,
    replace_re_all,
    substitute,
    to_re,
)
from solvent.terms import regexes as theory
from solvent.terms.graph import reachable
from solvent.terms.term import Term
from tests.terms.string_solvers import (
    check_cvc5,
    declarations,
    literal,
    not_true_in_cvc5,
    not_true_in_z3,
    text,
    words,
)

x, y = Str("x"), Str("y")

LONGEST = 4
WORDS = words("ab", LONGEST)
EVERYTHING = frozenset(WORDS)

# --- a second meaning: the set of all words up to a length -------------------------------------


def joined(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    return frozenset(v + w for v in a for w in b if len(v) + len(w) <= LONGEST)


def repeated(times: int, a: frozenset[str]) -> frozenset[str]:
    result = frozenset([""])
    for _ in range(times):
        result = joined(result, a)
    return result


def between(least: int, most: int, a: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*(repeated(times, a) for times in range(least, most + 1)))


def characters(low: str, high: str) -> frozenset[str]:
    return frozenset(c for c in "ab" if low <= c <= high and len(low) == len(high) == 1)


MEANING: dict[Any, Callable[..., frozenset[str]]] = {
    theory.RE_NONE: lambda: frozenset(),
    theory.RE_ALL: lambda: EVERYTHING,
    theory.RE_ALLCHAR: lambda: frozenset("ab"),
    theory.TO_RE: lambda s: frozenset([s]),
    theory.RE_RANGE: characters,
    theory.RE_CONCAT: joined,
    theory.RE_UNION: lambda a, b: a | b,
    theory.RE_INTER: lambda a, b: a & b,
    theory.RE_DIFF: lambda a, b: a - b,
    theory.RE_COMP: lambda a: EVERYTHING - a,
    theory.RE_STAR: lambda a: between(0, LONGEST, a),
    theory.RE_PLUS: lambda a: between(1, LONGEST + 1, a),
    theory.RE_OPT: lambda a: a | {""},
    theory.RE_POWER: repeated,
    theory.RE_LOOP: between,
}


def meaning(regex: Any) -> frozenset[str]:
    """The words over a and b up to the length that a concrete regex has."""
    done: dict[Any, frozenset[str]] = {}
    for term in reachable([regex]):
        args = [done[arg] if isinstance(arg, Term) else arg for arg in term.args]
        done[term] = MEANING[term.op.base](*term.op.params, *args)
    return done[regex] & EVERYTHING


def test_every_operator_has_a_second_meaning() -> None:
    assert set(MEANING) == theory.REGEX_OPERATORS


LEAVES = [
    re_none(),
    re_all(),
    re_allchar(),
    to_re(""),
    to_re("a"),
    to_re("ab"),
    re_range("a", "b"),
    re_range("b", "a"),
    re_range("ab", "b"),
]
UNARY: list[Callable[[Any], Any]] = [
    re_star,
    re_plus,
    re_opt,
    re_complement,
    lambda r: re_power(0, r),
    lambda r: re_power(2, r),
    lambda r: re_loop(1, 2, r),
    lambda r: re_loop(0, 3, r),
    lambda r: re_loop(2, 1, r),
    lambda r: re_loop(2, 2, r),
]
BINARY: list[Callable[[Any, Any], Any]] = [re_concat, re_union, re_intersect, re_diff]

ONE_LEVEL = [
    *LEAVES,
    *(op(r) for op in UNARY for r in LEAVES),
    *(op(r, s) for op in BINARY for r in LEAVES for s in LEAVES),
]
SAMPLED = random.Random(7).sample(ONE_LEVEL, 60)
TWO_LEVELS = [
    *(op(r) for op in UNARY for r in SAMPLED),
    *(
        op(*pair)
        for op in BINARY
        for pair in random.Random(8).sample(list(itertools.product(SAMPLED, SAMPLED)), 150)
    ),
]


@pytest.mark.parametrize("regexes", [ONE_LEVEL, TWO_LEVELS], ids=["one level", "two levels"])
def test_matching_is_membership(regexes: list[Any]) -> None:
    for regex in regexes:
        expected = meaning(regex)
        assert [w for w in WORDS if in_re(w, regex)] == [w for w in WORDS if w in expected], regex


regexes = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.builds(lambda op, r: op(r), st.sampled_from(UNARY), inner),
        st.builds(lambda op, r, s: op(r, s), st.sampled_from(BINARY), inner, inner),
    ),
    max_leaves=12,
)


@given(regexes)
def test_matching_any_regex(regex: Any) -> None:
    expected = meaning(regex)
    assert {w for w in WORDS if in_re(w, regex)} == expected


@given(regexes, st.lists(st.text("ab", max_size=7), min_size=4, max_size=4))
def test_matching_agrees_with_z3(regex: Any, strings: list[str]) -> None:
    claims = []
    for s in strings:
        found = in_re(s, regex)
        assert type(found) is bool
        claims.append(f"(= (str.in_re {literal(s)} {text(regex)}) {literal(found)})")
    assert not_true_in_z3(claims) == []


def test_operators_agree_with_both_solvers() -> None:
    claims = [
        f"(= (str.in_re {literal(s)} {text(regex)}) {literal(in_re(s, regex))})"
        for regex in ONE_LEVEL
        for s in ("", "a", "ba", "ab", "aba")
    ]
    assert not_true_in_z3(claims) == []
    assert not_true_in_cvc5(claims) == []


def first_match(s: str, regex: Any, shortest: int) -> tuple[int, int] | None:
    """Where the leftmost match, and of those the shortest, lies."""
    for start in range(len(s) + 1):
        for end in range(start + shortest, len(s) + 1):
            if in_re(s[start:end], regex):
                return start, end
    return None


def replaced(s: str, regex: Any, new: str) -> str:
    found = first_match(s, regex, 0)
    return s if found is None else s[: found[0]] + new + s[found[1] :]


def replaced_all(s: str, regex: Any, new: str) -> str:
    result = ""
    while (found := first_match(s, regex, 1)) is not None:
        result += s[: found[0]] + new
        s = s[found[1] :]
    return result + s


def test_replacement() -> None:
    claims = []
    for regex in [*ONE_LEVEL[:150], *TWO_LEVELS[::17]]:
        for s in ("", "a", "ab", "bab", "abba", "aabb"):
            first, all_ = replace_re(s, regex, "c"), replace_re_all(s, regex, "cd")
            assert first == replaced(s, regex, "c"), (s, regex)
            assert all_ == replaced_all(s, regex, "cd"), (s, regex)
            claims += [
                f'(= (str.replace_re {literal(s)} {text(regex)} "c") {literal(first)})',
                f'(= (str.replace_re_all {literal(s)} {text(regex)} "cd") {literal(all_)})',
            ]
    assert not_true_in_cvc5(claims) == []


# --- terms -------------------------------------------------------------------------------------


def test_a_concrete_regex_is_a_term() -> None:
    r = re_star("ab") | re_range("a", "c")
    assert isinstance(r, RegexTerm)
    assert r is re_union(re_star(to_re("ab")), re_range("a", "c"))
    assert r.is_concrete
    assert evaluate(r, {}) is r
    assert pickle.loads(pickle.dumps(r)) is r
    assert Regex.default is re_none()


def test_what_makes_a_regex_symbolic() -> None:
    r = Regex("r")
    for symbolic in (to_re(x), re_range("a", x), re_star(x), r, ite(Bool("p"), re_all(), r)):
        assert not symbolic.is_concrete
        assert not re_concat("a", symbolic).is_concrete
        assert isinstance(in_re("a", symbolic), Term)


def test_concreteness_is_known_after_unpickling() -> None:
    concrete, symbolic = re_star("never built elsewhere"), re_star(x + "never built elsewhere")
    data = pickle.dumps((concrete, symbolic))
    del concrete, symbolic
    concrete, symbolic = pickle.loads(data)
    assert (concrete.is_concrete, symbolic.is_concrete) == (True, False)


def test_evaluation_with_symbolic_strings_inside() -> None:
    term = in_re(x, re_plus(re_union(y, "b")))
    for s, t in itertools.product(WORDS, ["", "a", "ab"]):
        expected = s in between(1, LONGEST + 1, frozenset([t, "b"]))
        assert evaluate(term, {x: s, y: t}) is expected
        assert substitute(term, {x: s, y: t}) is expected
    replacing = replace_re_all(x, re_range(y, "b"), y)
    assert evaluate(replacing, {x: "abcab", y: "a"}) == "aacaa"
    assert evaluate(replace_re(x, y, "z"), {x: "abab", y: "b"}) == "azab"
    assert isinstance(replace_re("abab", y, "z"), Term)


def test_evaluation_of_regex_constants_and_choices() -> None:
    p = Bool("p")
    term = in_re(x, ite(p, re_star(y), re_complement(y)))
    for value in (False, True):
        assert evaluate(term, {x: "aa", p: value, y: "a"}) is True
        assert evaluate(term, {x: "a", p: value, y: "a"}) is value
    assert Model()[Regex("r")] is re_none()
    assert Model()(in_re(x, Regex("r"))) is False


def test_operators_of_the_class() -> None:
    a, b = to_re("a"), re_star("b")
    for built, expected in (
        (a + b, re_concat(a, b)),
        ("x" + a, re_concat("x", a)),
        (a + x, re_concat(a, to_re(x))),
        (a | b, re_union(a, b)),
        ("x" | a, re_union("x", a)),
        (a & b, re_intersect(a, b)),
        ("x" & a, re_intersect("x", a)),
        (a - b, re_diff(a, b)),
        ("x" - a, re_diff("x", a)),
        (~a, re_complement(a)),
        (re_concat(), to_re("")),
        (re_union(), re_none()),
        (re_intersect(), re_all()),
        (re_concat("a", "b", "c"), (to_re("a") + "b") + "c"),
        (re_union(b), b),
    ):
        assert built is expected


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: re_star(3), r"a regex or a string is needed, not 3 \(int\)"),
        (lambda: re_power(-1, "a"), r"at least 0, not -1"),
        (lambda: re_loop(0, Int("n"), "a"), r"not n \(Int\)"),
        (lambda: in_re(3, "a"), r"3 \(int\) is not of sort Str"),
        (lambda: to_re("\U00030000"), "ends at"),
        (lambda: re_star("a") == re_plus("a"), "not compared"),
        (lambda: re_star("a") != re_plus("a"), "not compared"),
        (lambda: evaluate(eq(re_star(x), re_plus("a")), {x: "a"}), "not compared"),
    ],
)
def test_misuse(attempt: Callable[[], Any], message: str) -> None:
    with pytest.raises(SortError, match=message):
        attempt()


def test_python_decides_about_other_operands() -> None:
    r = re_star("a")
    for attempt in (lambda: r + 1, lambda: 1 | r, lambda: r & None, lambda: r - Int("i")):
        with pytest.raises(TypeError):
            attempt()
    assert (r == 1) is False
    assert (r != 1) is True
    same = r
    assert (r == same) is True
    assert (r != same) is False


def test_printing() -> None:
    r = re_star(to_re("a") + re_range("0", "9") | ~to_re("b")) - re_loop(1, 2, "c")
    assert (
        str(r)
        == "re_star(to_re('a') + re_range('0', '9') | ~to_re('b')) - re_loop(1, 2, to_re('c'))"
    )
    assert (
        str(in_re(x, re_none() + re_power(3, x))) == "in_re(x, re_none() + re_power(3, to_re(x)))"
    )


def test_rules() -> None:
    assert in_re(x, re_none()) is False
    assert in_re(x, re_all()) is True
    assert in_re(x, "ab") is (x == "ab")
    assert in_re("ab", to_re(x)) is (x == "ab")
    assert in_re(x, re_allchar()) is (length(x) == 1)


def test_a_solver_reads_the_terms() -> None:
    r = re_plus(re_range("a", "c")) & ~re_concat(re_all(), "b", re_all())
    claim = in_re(x, r) & (length(x) == 2) & in_re(x + "b", re_loop(3, 3, re_allchar()))
    assert check_cvc5(f"{declarations(claim)}(assert {text(claim)})", 5000) == "sat"
    clash = in_re(x, r) & in_re(x, re_concat(re_opt("a"), "b"))
    assert check_cvc5(f"{declarations(clash)}(assert {text(clash)})", 5000) == "unsat"


# --- size --------------------------------------------------------------------------------------

DEPTH = 20_000


def test_deep_regexes() -> None:
    chain: Any = to_re("a")
    choice: Any = to_re("a")
    nested: Any = to_re("a")
    for k in range(DEPTH):
        chain = chain + re_opt("b")
        choice = re_union(choice, "a" * (k % 7))
        nested = re_opt(nested)
    for r, inside, outside in ((chain, "abbb", "ba"), (choice, "a" * 6, "a" * 7)):
        assert in_re(inside, r) is True
        assert in_re(outside, r) is False
    assert in_re("a", nested) is True
    assert in_re("b", nested) is False


def test_long_strings() -> None:
    s = "ab" * 10_000
    assert in_re(s, re_star("ab")) is True
    assert in_re(s + "a", re_star("ab")) is False
    assert in_re(s, re_star(re_star("a") + re_star("b"))) is True
    assert in_re(s, ~re_concat(re_all(), "bb", re_all())) is True
    assert in_re(s, re_loop(0, 10**9, re_allchar())) is True
    assert in_re(s, re_power(10**9, re_opt("ab"))) is True
    assert in_re(s, re_power(10**9, "ab")) is False


def test_matching_does_not_explode() -> None:
    s = "a" * 60
    nullable: Any = re_opt("a")
    for _ in range(40):
        nullable = nullable + nullable
    assert in_re(s, nullable) is True
    assert in_re(s + "b", nullable) is False
    assert in_re(s, re_star(~re_star(~to_re("a")) | "aa")) is True
    assert in_re(s, re_power(30, re_opt("a")) + re_power(30, "a")) is True
    # A complement for which an automaton would need 2**40 states.
    assert in_re("a" + "b" * 40, ~(re_all() + "a" + re_power(40, re_allchar()))) is False
