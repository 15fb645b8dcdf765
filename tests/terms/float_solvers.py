"""Terms over floats as SMT-LIB text, and what Z3 and Bitwuzla say about it.

The text is written from the operators' own SMT-LIB heads, so that a wrong head is found, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import bitwuzla
import z3

from solvent.terms import BV, FP, Term, constants
from solvent.terms.graph import reachable
from solvent.terms.softfloat import from_bits
from solvent.terms.sorts import FloatSort
from solvent.terms.term import CONSTANT


def all_floats(sort: FloatSort) -> list[FP]:
    """Every float of a small format, NaN once."""
    patterns = range(1 << (sort.ebits + sort.sbits))
    return list(dict.fromkeys(from_bits(sort, bits) for bits in patterns))


def literal(value: Any) -> str:
    """A concrete value in SMT-LIB."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, FP):
        return value.smt
    if isinstance(value, BV):
        return f"#b{value.value:0{value.width}b}"
    if isinstance(value, Fraction):
        quotient = f"(/ {abs(value.numerator)}.0 {value.denominator}.0)"
        return f"(- {quotient})" if value < 0 else quotient
    assert isinstance(value, int), value
    return str(value) if value >= 0 else f"(- {-value})"


def text(root: Any) -> str:
    """A term or value in SMT-LIB."""
    if not isinstance(root, Term):
        return literal(root)
    done: dict[Any, str] = {}
    for term in reachable([root]):
        if term.op is CONSTANT:
            done[term] = term.name
        else:
            args = [done[arg] if isinstance(arg, Term) else literal(arg) for arg in term.args]
            done[term] = f"({term.op.smt} {' '.join(args)})"
    return done[root]


def declarations(*roots: Any) -> str:
    return "".join(f"(declare-const {c.name} {c.sort.smt})\n" for c in constants(*roots))


def not_true(declared: str, claims: Iterable[str]) -> list[str]:
    """The claims that Z3 does not find true; they must be without constants."""
    claims = list(claims)
    asserted = "\n".join(f"(assert {claim})" for claim in claims)
    solver = z3.Solver()
    solver.from_string(f"{declared}\n{asserted}")
    if solver.check() == z3.sat:
        return []
    return [
        claim
        for claim in claims
        if not z3.is_true(z3.simplify(z3.parse_smt2_string(f"{declared}(assert {claim})")[0]))
    ]


def refuted_by_bitwuzla(declared: str, claims: Iterable[str]) -> list[str]:
    """Those of the formulas, none of which should have a model, that Bitwuzla satisfies."""
    manager, options = bitwuzla.TermManager(), bitwuzla.Options()
    # Without rewriting nothing is computed by other means than the solver's circuits.
    options.set(bitwuzla.Option.REWRITE_LEVEL, 0)
    parser = bitwuzla.Parser(manager, options)
    parser.parse(declared, True, False)
    solver = parser.bitwuzla()
    return [
        claim
        for claim in claims
        if solver.check_sat(parser.parse_term(claim)) != bitwuzla.Result.UNSAT
    ]
