"""`re` on symbolic texts against CPython's engine."""

from __future__ import annotations

import copy
import itertools
import os
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from solvent import Int, Str
from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.execution import execute
from solvent.lift.reflection import assume
from solvent.lift.registry import TRUSTED
from solvent.lift.spelling.matching import Guards, Matcher
from solvent.lift.spelling.programs import program_of
from solvent.lift.spelling.scanning import Scan
from solvent.lift.under_model import evaluate
from solvent.terms import and_
from solvent.terms.graph import reachable
from solvent.terms.texts import octets, text
from tests.lift.differential import agree
from tests.lift.spelling.agreement import texts_agree
from tests.lift.spelling.patterns import random_pattern


def details(match: Any) -> Any:
    """All that a match tells."""
    if match is None:
        return None
    return match.regs, match.groups("-"), match.groupdict(), match.lastindex, match.lastgroup


def everything(pattern: Any) -> Callable[[Any], Any]:
    """All that a pattern does with a text."""

    def of(subject: Any) -> Any:
        return (
            details(pattern.match(subject)),
            details(pattern.fullmatch(subject)),
            details(pattern.search(subject)),
            pattern.findall(subject),
            pattern.split(subject),
            pattern.subn(pattern.pattern[:0], subject),
        )

    return of


# Patterns of every kind, with an alphabet that tells them apart.
PATTERNS: list[tuple[str, int, str]] = [
    # Order of choices.
    ("a|ab", 0, "ab"), ("(a|ab)(b?)", 0, "ab"), ("(?:a|ab)(?:c|bcd)", 0, "abc"), ("|a", 0, "ab"),
    ("a*", 0, "ab"), ("a*?b", 0, "ab"), ("a+?", 0, "ab"), ("(a+)(a*)", 0, "ab"),
    ("a??(b)", 0, "ab"),
    ("(a+?)(a*)", 0, "ab"), ("a{2}", 0, "ab"), ("(a{1,2}){2}", 0, "ab"),
    ("(?:a|b){1,2}?b", 0, "ab"),
    # Possessive repetitions and atomic groups take nothing back.
    ("a*+a", 0, "ab"), ("a?+ab", 0, "ab"), ("(?>a|ab)b", 0, "ab"), ("((?>a+))b", 0, "ab"),
    ("(a)*+b", 0, "ab"), ("(?:a|ab)++b", 0, "ab"),
    # Empty turns end a loop.
    ("(a?)*", 0, "ab"), ("(a*)*b", 0, "ab"), ("(a|b?)+", 0, "ab"), ("(?:a*?)+?b", 0, "ab"),
    ("(a?){3}", 0, "ab"), ("()*", 0, "ab"), ("(|a)+", 0, "ab"), ("(|a)+?b", 0, "ab"),
    # Groups that are set again, or not at all.
    ("(?:(a)|b)*", 0, "ab"), ("(?:(a)|(b))+", 0, "ab"), ("((a)|b)*?$", 0, "ab"), ("(a)?b", 0, "ab"),
    ("((a)b?)*", 0, "ab"), ("(?P<x>a)(?P<y>b)?", 0, "ab"), ("(?P<all>(?P<x>a)|b)", 0, "ab"),
    # References and conditions.
    (r"(a|b)\1", 0, "ab"), (r"(a*)b\1", 0, "ab"), (r"(?:(a)|b)\1?", 0, "ab"),
    (r"(?P<x>a)(?P=x)", 0, "ab"),
    (r"(?:(a|b)\1)+", 0, "ab"), ("(a)?(?(1)b|a)", 0, "ab"), ("(?:(a)|b)(?(1)b)", 0, "ab"),
    ("(?:(a(?(1)b|a)))+", 0, "ab"), (r"(?=(a*))\1b", 0, "ab"), (r"(?>(a|b))\1", 0, "ab"),
    # Lookahead and lookbehind.
    ("a(?=b)", 0, "ab"), ("a(?!b)", 0, "ab"), ("(?<=a)b", 0, "ab"), ("(?<!a)b", 0, "ab"),
    ("(?=(a)(b?))a", 0, "ab"), ("(?<=(a))b", 0, "ab"), ("(?:(?=(a))a|b)*", 0, "ab"),
    ("(?!)", 0, "a"),
    ("(?!(a)b)a?", 0, "ab"), ("(?<=ab)", 0, "ab"), ("(?<!ab)$", 0, "ab"),
    # Borders and lines.
    ("^a", 0, "a\n"), ("^a", re.M, "a\n"), ("a$", 0, "a\n"), ("a$", re.M, "a\n"),
    ("^$", re.M, "a\n"),
    (r"\Aa", re.M, "a\n"), (r"a\Z", re.M, "a\n"), (r"\ba", 0, "a "), (r"a\b", 0, "a "),
    (r"\B", 0, "a "),
    (r"\b", re.A, "aé "), (r"\b", 0, "aé "), (".", 0, "a\n"), (".", re.S, "a\n"),
    # Classes.
    ("[a-c]+", 0, "aBd"), ("[^a-c]+", 0, "aBd"), (r"\d+", 0, "1٣a"), (r"\d+", re.A, "1٣a"),
    (r"[\s\d]", 0, "1\x85a"), (r"\s", re.A, "1\x85 "), (r"\W", 0, "a\u0301"),
    (r"\S\D", 0, "1 \U0010fffd"), (r"\S.", 0, "1\ud800"),
    (r"[^\W\d]", 0, "1aß"), ("[]a]", 0, "]ab"), ("[^^]", 0, "^a"), ("\U0010fffd", 0, "a\U0010fffd"),
    # Cases.
    ("ab", re.I, "aAbB"), ("[a-b]", re.I, "aBc"), ("[^a]", re.I, "aAb"), ("k", re.I, "kK\u212a"),
    ("k", re.I | re.A, "kK\u212a"), ("s", re.I, "sS\u017f"), ("ß", re.I, "ßẞs"), ("İ", re.I, "iİı"),
    ("i", re.I, "iİı"), ("Σ", re.I, "σςΣ"), ("ǆ", re.I, "ǄǅǆZ"), (r"(.)\1", re.I, "aAİ"),
    (r"(.)\1", re.I | re.A, "aAé"),
    ("(?i:a)b", 0, "aAB"), ("(?-i:a)b", re.I, "aAB"), ("(?a:\\w)\\w", 0, "aéB"),
    ("(?s:.)(?-s:.)", re.S, "a\n"),
    ("a  b # both", re.X, "ab "), ("(?x) a [ ] b", 0, "ab "),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "flags", "alphabet"), PATTERNS)
def test_patterns(pattern: str, flags: int, alphabet: str) -> None:
    found = re.compile(pattern, flags)
    texts_agree(everything(found), alphabet=alphabet, longest=2)
    samples = ["".join(letters) for letters in itertools.product(alphabet, repeat=3)]
    check(found, 3, random.Random(SEED).sample(samples, min(6, len(samples))))


# --- random patterns ------------------------------------------------------------------------------

COUNT = int(os.environ.get("SOLVENT_PATTERNS", "200"))
SEED = int(os.environ.get("SOLVENT_SEED", "1"))
SYMBOLS = "ab1A\n"


def check(pattern: re.Pattern[str], size: int, samples: list[str]) -> None:
    """A pattern on a symbolic text agrees with Python's on texts of that length."""
    codes = [Int(f"c{place}") for place in range(size)]
    function = everything(pattern)
    last = max(map(ord, "".join(samples)))

    def run(subject: Any) -> Any:
        for code in codes:
            # Classes of all of Unicode take long to evaluate.
            assume(and_(code >= 0, code <= last))
        return call(function)(subject)

    TRUSTED.add(run)
    outcome = execute(run, text(codes))
    for sample in samples:
        model = dict(zip(codes, map(ord, sample), strict=True))
        shown = f"{pattern!r} on {sample!r}"
        assert evaluate(outcome.asserts, model), f"{shown}: {outcome.failures}"
        assert evaluate(outcome.value, model) == function(sample), shown


def test_random_patterns() -> None:
    source = random.Random(SEED)
    refused = 0
    for _ in range(COUNT):
        pattern = random_pattern(source)
        size = source.randint(1, 3)
        samples = ["".join(source.choices(SYMBOLS, k=size)) for _ in range(3)]
        try:
            check(pattern, size, samples)
        except NotLiftedError:
            refused += 1
    assert refused <= COUNT * 0.2


def test_random_patterns_on_known_texts() -> None:
    """The matcher itself, without terms."""
    source = random.Random(SEED)
    for _ in range(COUNT):
        pattern = random_pattern(source)
        try:
            program = program_of(pattern)
        except NotLiftedError:
            continue
        subject = "".join(source.choices("ab1", k=source.randint(0, 7)))
        guards = Guards(tuple(map(ord, subject)))
        found = pattern.search(subject)
        outcome = Matcher(program, guards).search(0)
        assert outcome.matched == (found is not None), f"{pattern!r} on {subject!r}"
        spans = [
            (start, end)
            for each in Scan(program, guards, 0).slots
            for start in each.starts
            for end in each.ends
        ]
        expected = [match.span() for match in pattern.finditer(subject)]
        assert spans == expected, f"{pattern!r} on {subject!r}"


# --- matches --------------------------------------------------------------------------------------


def test_matches() -> None:
    def of(subject: Any) -> Any:
        match = re.match("(?P<x>a)(b)?", subject)
        if not match:
            return match is None
        return (
            match[0], match["x"], match.group(), match.group(1, 2), match.group("x", 0),
            match.start(2), match.end("x"), match.span(), match.pos, match.endpos, match.string,
            match.re.pattern, match.expand(r"\2-\g<x>"), isinstance(match, re.Match), repr(match),
            match, copy.copy(match) is match, bool(match),
        )  # fmt: skip

    texts_agree(of, alphabet="abc", longest=3)


def test_no_such_group() -> None:
    texts_agree(lambda subject: re.match("(a)|", subject)[2], alphabet="ab")  # type: ignore[index]
    texts_agree(lambda subject: re.match("(a)|", subject).group("x"), alphabet="ab")  # type: ignore[union-attr]
    texts_agree(lambda subject: re.match("a", subject).group(), alphabet="ab")  # type: ignore[union-attr]


def test_one_group_of_several() -> None:
    def of(subject: Any, number: int) -> Any:
        match = re.search("(?P<x>a)(b)?", subject)
        return match and (match[number], match.span(number), match["x" if number else 0])

    texts_agree(of, range(-1, 4), alphabet="ab", longest=2)


def test_bounds() -> None:
    def of(subject: Any, start: int, end: int) -> Any:
        pattern = re.compile(r"^|(?<=a)b|a$|\B")
        return details(pattern.search(subject, start, end)), pattern.findall(subject, start, end)

    texts_agree(of, range(-1, 4), range(-1, 4), alphabet="ab", longest=2)


def test_concrete_text_with_symbolic_bounds() -> None:
    agree(lambda start: re.compile("a|b").findall("abcab", start), range(-1, 7))


# --- making texts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "template"),
    [
        ("a", "xy"), ("a*", "-"), ("(a)|b", r"<\1>"), ("(a+)(b)?", r"\2\1"),
        ("(?<=(a))b", r"\1\g<0>"),
        ("", "."), ("a|$", ""), (r"(?P<x>.)(?P=x)", r"\g<x>\n"),
    ],
)  # fmt: skip
def test_templates(pattern: str, template: str) -> None:
    texts_agree(lambda subject: re.sub(pattern, template, subject), alphabet="abc")
    texts_agree(
        lambda subject, count: re.subn(pattern, template, subject, count=count),
        range(-1, 3),
        alphabet="ab",
        longest=2,
    )


def test_functions_for_sub() -> None:
    def of(subject: Any) -> Any:
        seen: list[Any] = []

        def replaced(match: Any) -> Any:
            seen.append(match.start())
            return match[1] * 2 if match[1] else "?"

        return re.subn("(a)|c*", replaced, subject), seen

    texts_agree(of, alphabet="abc", longest=2)
    texts_agree(
        lambda subject: re.sub("b+", lambda match: str(match.end()), subject, count=1),
        alphabet="ab",
    )


def test_function_with_symbolic_result_on_a_concrete_text() -> None:
    def of(number: int) -> Any:
        return re.sub("[ab]", lambda match: match[0] if number > 1 else "xy", "abcb", count=2)

    agree(of, range(3))


def test_split() -> None:
    for pattern in ("a", "(a)|b", "a*", r"\b", "(a)?(b)"):
        texts_agree(
            lambda subject, most: re.split(pattern, subject, maxsplit=most),  # noqa: B023
            range(-1, 3),
            alphabet="ab ",
            longest=2,
        )


def test_iterating() -> None:
    def of(subject: Any) -> Any:
        found = re.finditer("(a)|b*", subject)
        first = next(found)
        return first.span(), [(match.span(), match[1]) for match in found]

    texts_agree(of, alphabet="abc")


def test_escape() -> None:
    texts_agree(re_escape, alphabet="a.\n-é")


def re_escape(subject: Any) -> Any:
    return re.escape(subject)


def test_module_functions() -> None:
    def of(subject: Any) -> Any:
        return (
            re.fullmatch("A+", subject, re.I) is not None,
            re.findall("a", subject, flags=re.I),
            re.sub("(?i)A", "b", subject),
            re.split("a", subject, flags=re.IGNORECASE),
            details(re.compile("[a-z]", re.I).search(subject)),
        )

    texts_agree(of, alphabet="aAb")


def test_pattern_of_several() -> None:
    def of(subject: Any, number: int) -> Any:
        return re.findall("a+" if number else "b", subject)

    texts_agree(of, [0, 1], alphabet="ab")


@pytest.mark.parametrize(
    ("pattern", "flags", "alphabet"),
    [
        (rb"(\w+)-", 0, b"a-\xe9"), (b"a", re.I, b"aAb"), (rb"(.)\1", re.I, b"aA\xe9"),
        (rb"\s\b", 0, b" a\x85"),
        (b"[^a]", re.I, b"aA\n"),
    ],
)  # fmt: skip
def test_bytes(pattern: bytes, flags: int, alphabet: bytes) -> None:
    texts_agree(everything(re.compile(pattern, flags)), alphabet=alphabet, longest=2)


# --- what is refused ------------------------------------------------------------------------------


def refused(function: Callable[..., Any], *arguments: Any) -> str:
    """Why a call is not lifted."""
    with pytest.raises(NotLiftedError) as caught:
        execute(function, *arguments)
    return str(caught.value)


def test_refused() -> None:
    subject = text([Int("c"), 97])
    assert "pattern" in refused(lambda found: re.match(found, "a"), subject)
    assert "template" in refused(lambda found: re.sub("a", found, subject), subject)
    assert "theory" in refused(lambda found: re.search("a", found), Str("s"))
    assert "group" in refused(lambda name: re.match("a|", subject)[name], subject)  # type: ignore[index]
    assert "LOCALE" in refused(re_locale, octets([Int("c")]))
    assert "states" in refused(lambda found: re.match("(?:(?:a?){999}b?){999}", found), subject)
    assert "after its end" in refused(lambda found: re.compile("").match(found, 2, 1), subject)
    assert "returns" in refused(lambda found: re.sub("a", lambda match: 1, found), subject)  # type: ignore[arg-type,return-value]


def re_locale(subject: Any) -> Any:
    return re.match(rb"(?L)\w", subject)


def test_wrong_kinds() -> None:
    texts_agree(lambda subject: re.match(b"a", subject), longest=1)
    texts_agree(lambda subject: re.sub("a", None, subject), longest=1)  # type: ignore[arg-type]
    texts_agree(lambda subject: re.sub("a", r"\1", subject), longest=1)


# --- growth ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "degree"), [(r"(\w+)=(\d+)", 3), ("(?:(a|b)*c)+", 3), (r"(a*)b\1", 4)]
)
def test_growth(pattern: str, degree: int) -> None:
    """Twice the length takes a polynomial number of times the terms."""
    counts: list[int] = []
    for size in (4, 8, 16):
        codes = [Int(f"c{place}") for place in range(size)]
        matcher = Matcher(program_of(re.compile(pattern)), Guards(tuple(codes)), False, range(4))
        found = matcher.search(0)
        guards = [guard for places in found.marks.values() for guard in places.values()]
        counts.append(len(reachable([found.matched, *found.ends.values(), *guards])))
    assert counts[2] / counts[1] <= 2**degree, counts
    assert counts[1] / counts[0] <= 2**degree, counts


find_letter = re.compile("[ab]").search
replaced = re.compile("a+").sub


def with_bound_methods(text: str) -> Any:
    found = find_letter(text)
    return None if found is None else found.span(), replaced("-", text)


def test_methods_that_were_bound_before() -> None:
    texts_agree(with_bound_methods, alphabet="abc", longest=3)
