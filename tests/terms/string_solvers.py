"""Terms over strings and regexes as SMT-LIB text, and what Z3 and cvc5 say about it.

The text is written from the operators' own SMT-LIB names, so that a wrong name is found, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import cvc5
import z3

from solvent.terms import constants
from solvent.terms.graph import reachable
from solvent.terms.term import CONSTANT, Term


def words(alphabet: str, longest: int) -> list[str]:
    """All strings over an alphabet up to a length."""
    return [
        "".join(letters)
        for size in range(longest + 1)
        for letters in itertools.product(alphabet, repeat=size)
    ]


def literal(value: Any) -> str:
    """A concrete value in SMT-LIB."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if value >= 0 else f"(- {-value})"
    assert isinstance(value, str), value
    plain = set(map(chr, range(32, 127))) - set('"\\')
    return '"' + "".join(c if c in plain else f"\\u{{{ord(c):x}}}" for c in value) + '"'


def text(root: Any) -> str:
    """A term or value in SMT-LIB."""
    if not isinstance(root, Term):
        return literal(root)
    done: dict[Any, str] = {}
    for term in reachable([root]):
        if term.op is CONSTANT:
            done[term] = term.name
            continue
        args = [done[arg] if isinstance(arg, Term) else literal(arg) for arg in term.args]
        done[term] = f"({term.op.smt} {' '.join(args)})" if args else term.op.smt
    return done[root]


def declarations(*roots: Any) -> str:
    return "".join(f"(declare-const {c.name} {c.sort.smt})\n" for c in constants(*roots))


def not_true_in_z3(claims: Iterable[str]) -> list[str]:
    """The claims without constants that Z3 does not simplify to true."""
    claims = list(claims)
    parsed = z3.parse_smt2_string("\n".join(f"(assert {claim})" for claim in claims))
    assert len(parsed) == len(claims)
    # One pass of Z3's simplifier may leave `not ("" = "a")`, the second does not.
    simplified = [z3.simplify(z3.simplify(claim)) for claim in parsed]
    return [claim for claim, value in zip(claims, simplified, strict=True) if not z3.is_true(value)]


def not_true_in_cvc5(claims: Iterable[str]) -> list[str]:
    """The claims without constants that cvc5 does not simplify to true."""
    claims = list(claims)
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setLogic("ALL")
    solver.setOption("strings-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "\n".join(claims), "claims")
    wrong = []
    for claim in claims:
        simplified = solver.simplify(parser.nextTerm())
        if not (simplified.isBooleanValue() and simplified.getBooleanValue()):
            wrong.append(claim)
    return wrong


def check_z3(script: str, milliseconds: int) -> str:
    """Z3's verdict on a script of declarations and assertions."""
    solver = z3.Solver()
    solver.set("timeout", milliseconds)
    solver.from_string(script)
    return str(solver.check())


def check_cvc5(script: str, milliseconds: int) -> str:
    """cvc5's verdict on a script of declarations and assertions."""
    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in (("strings-exp", "true"), ("tlimit-per", str(milliseconds))):
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)\n{script}", "script")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, symbols)
    return str(solver.checkSat())


def prove_equal(a: Any, b: Any) -> str:
    """`unsat` if a solver shows that two terms are equal, else what the solvers say."""
    script = f"{declarations(a, b)}(assert (not (= {text(a)} {text(b)})))"
    answers = []
    for check, milliseconds in ((check_cvc5, 1000), (check_z3, 10_000)):
        answer = check(script, milliseconds)
        if answer == "unsat":
            return answer
        answers.append(answer)
    return " and ".join(answers)
