"""Random formulas in SMT-LIB: for each theory what its terms may be, by sort.

A phrase is text in which `<sort>` stands for any term of that sort.  The first phrases of a sort
are its leaves, which end a term.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

_HOLE = re.compile(r"<(\w+)>")


@dataclass(frozen=True)
class Theory:
    """Declarations, and the phrases of each sort: the leaves and the others."""

    logic: str
    declarations: Sequence[str]
    leaves: Mapping[str, Sequence[str]]
    phrases: Mapping[str, Sequence[str]]
    # Solvers that decide it.
    solvers: Sequence[str]
    literals: Mapping[str, Callable[[Random], str]]

    def term(self, random: Random, sort: str, depth: int) -> str:
        """A term of a sort, nested at most so deep."""
        phrases = self.phrases.get(sort, ())
        if depth <= 0 or not phrases or random.random() < 0.1:
            if sort in self.literals and random.random() < 0.35:
                return self.literals[sort](random)
            return random.choice(self.leaves[sort])
        phrase = random.choice(phrases)
        return _HOLE.sub(lambda hole: self.term(random, hole[1], depth - 1), phrase)

    def script(self, random: Random) -> str:
        """Declarations and a few assertions."""
        depth = random.randint(2, 4)
        count = random.randint(1, 4)
        lines = [f"(set-logic {self.logic})", *self.declarations]
        lines += [f"(assert {self.term(random, 'Bool', depth)})" for _ in range(count)]
        return "\n".join(lines) + "\n"


_BOOLEAN = (
    "(not <Bool>)",
    "(and <Bool> <Bool>)",
    "(or <Bool> <Bool> <Bool>)",
    "(xor <Bool> <Bool>)",
    "(=> <Bool> <Bool>)",
    "(ite <Bool> <Bool> <Bool>)",
    "(= <Bool> <Bool>)",
)


def _words(text: str, arguments: str) -> list[str]:
    """The phrases that apply each of some functions to the same arguments."""
    return [f"({name} {arguments})" for name in text.split()]


def _bits(width: int) -> Callable[[Random], str]:
    def literal(random: Random) -> str:
        value = random.choice((0, 1, (1 << width) - 1, 1 << width - 1, random.getrandbits(width)))
        return f"#b{value:0{width}b}"

    return literal


_BV_ARITHMETIC = (
    "bvadd bvsub bvmul bvand bvor bvxor bvnand bvnor bvxnor bvshl bvlshr bvashr bvudiv bvurem "
    "bvsdiv bvsrem bvsmod"
)
_BV_COMPARISONS = "= distinct bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge"
_BV_OVERFLOWS = "bvuaddo bvsaddo bvumulo bvsmulo bvusubo bvssubo bvsdivo"
_BV_LEAVES = {"Bool": ("p", "q"), "V4": ("a", "b", "c"), "V1": ("d",), "V8": ("e",)}
_BV_PHRASES = {
    "V4": [
        *_words(_BV_ARITHMETIC, "<V4> <V4>"),
        *_words("bvnot bvneg", "<V4>"),
        "((_ rotate_left 3) <V4>)",
        "((_ rotate_right 5) <V4>)",
        "((_ extract 6 3) <V8>)",
        "((_ zero_extend 3) <V1>)",
        "((_ sign_extend 3) <V1>)",
        "((_ repeat 4) <V1>)",
        "(ite <Bool> <V4> <V4>)",
        "(let ((x <V4>)) (bvadd x (bvmul x x)))",
    ],
    "V1": ["(bvcomp <V4> <V4>)", "((_ extract 2 2) <V4>)", "(bvnot <V1>)", "(bvxor <V1> <V1>)"],
    "V8": ["(concat <V4> <V4>)", "((_ sign_extend 4) <V4>)", "(bvmul <V8> <V8>)", "(bvneg <V8>)"],
    "Bool": [
        *_BOOLEAN,
        *_words(_BV_COMPARISONS, "<V4> <V4>"),
        *_words("= bvult bvsle", "<V8> <V8>"),
        *_words(_BV_OVERFLOWS, "<V4> <V4>"),
        "(bvnego <V4>)",
        "(= <V1> <V1>)",
    ],
}
_BV_LITERALS = {"V4": _bits(4), "V1": _bits(1), "V8": _bits(8)}
_BV_DECLARATIONS = [
    "(declare-const p Bool) (declare-const q Bool)",
    "(declare-const a (_ BitVec 4)) (declare-const b (_ BitVec 4)) (declare-const c (_ BitVec 4))",
    "(declare-const d (_ BitVec 1)) (declare-const e (_ BitVec 8))",
]

QF_BV = Theory(
    "QF_BV", _BV_DECLARATIONS, _BV_LEAVES, _BV_PHRASES, ("z3", "bitwuzla", "cvc5"), _BV_LITERALS
)

QF_AUFBV = Theory(
    "QF_AUFBV",
    [
        *_BV_DECLARATIONS,
        "(declare-const m (Array (_ BitVec 4) (_ BitVec 4)))",
        "(declare-const n (Array (_ BitVec 4) (_ BitVec 4)))",
        "(declare-fun f ((_ BitVec 4)) (_ BitVec 4))",
        "(declare-fun g ((_ BitVec 4) (_ BitVec 1)) (_ BitVec 8))",
        "(declare-fun r ((_ BitVec 8) Bool) Bool)",
    ],
    {**_BV_LEAVES, "A": ("m", "n")},
    {
        **_BV_PHRASES,
        "V4": [*_BV_PHRASES["V4"], *["(select <A> <V4>)", "(f <V4>)"] * 4],
        "V8": [*_BV_PHRASES["V8"], "(g <V4> <V1>)", "(g <V4> <V1>)"],
        "A": ["(store <A> <V4> <V4>)", "(store <A> <V4> <V4>)", "(ite <Bool> <A> <A>)"],
        "Bool": [*_BV_PHRASES["Bool"], "(r <V8> <Bool>)", "(= <A> <A>)", "(distinct <A> <A>)"],
    },
    ("z3", "bitwuzla", "cvc5"),
    _BV_LITERALS,
)


def _integer(random: Random) -> str:
    value = random.choice((0, 1, 2, 3, 7, 10, 100, 2**31, 2**63 - 1, random.randrange(50)))
    return str(value) if random.random() < 0.6 else f"(- {value})"


QF_LIA = Theory(
    "QF_LIA",
    [
        "(declare-const p Bool) (declare-const q Bool)",
        "(declare-const i Int) (declare-const j Int) (declare-const k Int)",
    ],
    {"Bool": ("p", "q"), "Int": ("i", "j", "k"), "N": ("1", "2", "3", "(- 2)", "5", "0")},
    {
        "Int": [
            "(+ <Int> <Int>)",
            "(+ <Int> <Int> <Int>)",
            "(- <Int> <Int>)",
            "(- <Int>)",
            "(* <N> <Int>)",
            "(* <Int> <N>)",
            "(div <Int> <N>)",
            "(mod <Int> <N>)",
            "(abs <Int>)",
            "(ite <Bool> <Int> <Int>)",
            "(let ((x <Int>)) (+ x x 1))",
        ],
        "Bool": [
            *_BOOLEAN,
            *_words("= distinct < <= > >=", "<Int> <Int>"),
            "(< <Int> <Int> <Int>)",
        ],
    },
    ("z3", "cvc5"),
    {"Int": _integer},
)


def _string(random: Random) -> str:
    return random.choice(
        ('""', '"a"', '"ab"', '"ba"', '"aab"', '"b"', '"0"', '"12"', '"\\u{5c}u{61}"', '"\\u{e9}"')
    )


QF_S = Theory(
    "QF_S",
    [
        "(declare-const p Bool)",
        "(declare-const s String) (declare-const t String)",
        "(declare-const i Int)",
        # What is long makes a solver slow, and is no different.
        "(assert (and (<= (str.len s) 5) (<= (str.len t) 5) (<= (- 3) i 7)))",
    ],
    {
        "Bool": ("p", "(str.prefixof s t)"),
        "Str": ("s", "t"),
        "Int": ("i", "(str.len s)", "0", "1", "2", "(- 1)"),
        "Re": ('(str.to_re "a")', "re.allchar", '(re.range "a" "b")', "re.all", "re.none"),
        "L": ('"a"', '"b"', '"ab"', '""'),
    },
    {
        "Str": [
            "(str.++ <Str> <Str>)",
            "(str.at <Str> <Int>)",
            "(str.substr <Str> <Int> <Int>)",
            "(str.replace <Str> <Str> <Str>)",
            "(str.from_int <Int>)",
            "(str.from_code <Int>)",
            "(ite <Bool> <Str> <Str>)",
        ],
        "Int": [
            "(str.len <Str>)",
            "(str.indexof <Str> <Str> <Int>)",
            "(str.to_int <Str>)",
            "(str.to_code <Str>)",
            "(+ <Int> <Int>)",
            "(- <Int> 1)",
        ],
        "Re": [
            "(str.to_re <L>)",
            "(re.++ <Re> <Re>)",
            "(re.union <Re> <Re>)",
            "(re.inter <Re> <Re>)",
            "(re.diff <Re> <Re>)",
            "(re.comp <Re>)",
            "(re.* <Re>)",
            "(re.+ <Re>)",
            "(re.opt <Re>)",
            "((_ re.^ 2) <Re>)",
            "((_ re.^ 0) <Re>)",
            "((_ re.loop 1 3) <Re>)",
            "((_ re.loop 2 1) <Re>)",
            "((_ re.loop 1 0) <Re>)",
            "(re.range <L> <L>)",
        ],
        "Bool": [
            *_BOOLEAN,
            *_words(
                "= distinct str.< str.<= str.prefixof str.suffixof str.contains", "<Str> <Str>"
            ),
            "(str.in_re <Str> <Re>)",
            "(str.in_re <Str> <Re>)",
            "(str.is_digit <Str>)",
            "(= <Int> <Int>)",
            "(<= <Int> <Int>)",
        ],
    },
    ("z3", "cvc5"),
    {"Str": _string, "L": _string},
)

_ROUNDINGS = ("RNE", "RNA", "RTP", "RTN", "RTZ")


def _float(ebits: int, sbits: int) -> Callable[[Random], str]:
    width, form = ebits + sbits, f"{ebits} {sbits}"
    one = ((1 << ebits - 1) - 1) << sbits - 1
    largest = ((1 << ebits) - 1 << sbits - 1) - 1
    ordinary = (one, 1, largest, 1 << sbits - 1, 3 << width - 2)

    def literal(random: Random) -> str:
        if random.random() < 0.4:
            return f"(_ {random.choice(('+zero', '-zero', '+oo', '-oo', 'NaN'))} {form})"
        bits = random.choice((*ordinary, random.getrandbits(width)))
        return f"((_ to_fp {form}) #b{bits:0{width}b})"

    return literal


def _floats(ebits: int, sbits: int, arithmetic: str, solvers: Sequence[str]) -> Theory:
    """The theory of one format, with a conversion to another and back."""
    form, other = f"{ebits} {sbits}", "8 24" if sbits != 24 else "11 53"
    return Theory(
        "QF_BVFP",
        [
            "(declare-const p Bool)",
            *(f"(declare-const {name} (_ FloatingPoint {form}))" for name in "xyz"),
            "(declare-const v (_ BitVec 8))",
        ],
        {"Bool": ("p",), "F": ("x", "y", "z"), "V": ("v", "#x00", "#xff", "#x11"), "M": _ROUNDINGS},
        {
            "F": [
                *_words(arithmetic, "<M> <F> <F>"),
                *_words("fp.neg fp.abs", "<F>"),
                *_words("fp.min fp.max", "<F> <F>"),
                "(fp.roundToIntegral <M> <F>)",
                "(ite <Bool> <F> <F>)",
                f"((_ to_fp {form}) <M> <V>)",
                f"((_ to_fp_unsigned {form}) <M> <V>)",
                f"((_ to_fp {form}) <M> ((_ to_fp {other}) <M> <F>))",
            ],
            "V": ["((_ fp.to_ubv 8) <M> <F>)", "((_ fp.to_sbv 8) <M> <F>)", "(bvadd <V> <V>)"],
            "Bool": [
                *_BOOLEAN,
                *_words("fp.lt fp.leq fp.gt fp.geq fp.eq =", "<F> <F>"),
                *_words("fp.isNormal fp.isSubnormal fp.isZero fp.isInfinite fp.isNaN", "<F>"),
                *_words("fp.isNegative fp.isPositive", "<F>"),
                "(= <V> <V>)",
                "(bvult <V> <V>)",
            ],
        },
        solvers,
        {"F": _float(ebits, sbits)},
    )


# The shorter format is the quicker one; cvc5 has only the longer.
QF_FP = _floats(5, 11, "fp.add fp.sub fp.mul fp.div", ("z3", "bitwuzla"))
QF_FP_SINGLE = _floats(8, 24, "fp.add fp.sub", ("z3", "bitwuzla", "cvc5"))

THEORIES = {
    "QF_BV": QF_BV,
    "QF_LIA": QF_LIA,
    "QF_AUFBV": QF_AUFBV,
    "QF_S": QF_S,
    "QF_FP": QF_FP,
    "QF_FP single": QF_FP_SINGLE,
}
