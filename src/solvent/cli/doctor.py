"""`solvent doctor`: which core and solvers are installed, and whether they answer correctly."""

from __future__ import annotations

import argparse
import platform
import time
from dataclasses import asdict, dataclass
from fractions import Fraction
from importlib import metadata

from rich.table import Table

import solvent
from solvent.cli.common import Commands, add_json_option
from solvent.cli.envelope import told
from solvent.cli.terminal import console as console_of
from solvent.errors import SolventError, UnsupportedError
from solvent.solvers import Solver, Status
from solvent.solvers.engines.minisat_engine import is_available
from solvent.terms import (
    Array,
    BitVec,
    Bool,
    Float,
    Function,
    Int,
    Real,
    Str,
    and_,
    forall,
    implies,
    length,
    not_,
    store,
)
from solvent.terms.core import COMPILED, WHY_NOT
from solvent.terms.kinds import Guard
from solvent.verdicts import Finding, Stated, Verdict, exit_code

PACKAGES = {"z3": "z3-solver", "bitwuzla": "bitwuzla", "cvc5": "cvc5"}


def self_checks() -> list[tuple[str, Guard, Guard]]:
    """For each theory a satisfiable and an unsatisfiable formula."""
    p, q = Bool("p"), Bool("q")
    x, y = Int("x"), Int("y")
    r = Real("r")
    a, b = BitVec("a", 32), BitVec("b", 32)
    f = Float("f")
    s = Str("s")
    m = Array("m", BitVec(8), BitVec(8))
    i = BitVec("i", 8)
    g = Function("g", [BitVec(8)], BitVec(8))
    return [
        ("booleans", and_(p, not_(q)), and_(implies(p, q), p, not_(q))),
        ("integers", and_(x * 3 + y == 17, x > y, y > 1), and_(x % 2 == 1, x == y * 2)),
        ("reals", and_(r * 3 == 1, r > 0), and_(r > 1, r < Fraction(1, 2))),
        ("bitvectors", and_(a * b == 391, a > 1, b > 1), and_(a & 1 == 1, a == b << 1)),
        ("floats", and_(f + 1.0 == f, f > 0.0), and_(f > 1.0, f * 0.0 == 1.0)),
        ("strings", and_(s + "b" == "ab", length(s) == 1), and_(s + "a" == "b" + s, s == "")),
        ("arrays", store(m, i, 1) == m, and_(m[i] == 1, store(m, i, 2)[i] == 1)),
        ("functions", g(i) == i + 1, and_(i == 3, g(i) == 1, g(3) == 2)),
        ("quantifiers", forall([x], implies(x > 0, x + y > 0)), forall([x], x > y)),
    ]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is known of one solver."""

    solver: str
    version: str | None
    start_seconds: float | None
    theories: list[str]
    missing: list[str]
    problems: list[str]


def diagnose(name: str, seconds: float = 20.0) -> Diagnosis:
    """Ask a solver the formulas of every theory and check its answers."""
    try:
        version = metadata.version(PACKAGES[name])
    except metadata.PackageNotFoundError:
        return Diagnosis(name, None, None, [], [], [])
    theories: list[str] = []
    missing: list[str] = []
    problems: list[str] = []
    started = time.perf_counter()
    try:
        Solver(name, timeout=seconds).check()
    except SolventError as error:
        return Diagnosis(name, version, None, [], [], [str(error)])
    start_seconds = time.perf_counter() - started
    for theory, satisfiable, unsatisfiable in self_checks():
        try:
            found = _problems(name, seconds, satisfiable, unsatisfiable)
        except UnsupportedError:
            missing.append(theory)
        except SolventError as error:
            problems.append(f"{theory}: {error}")
        else:
            (theories if not found else problems).append(
                theory if not found else f"{theory}: {found}"
            )
    return Diagnosis(name, version, start_seconds, theories, missing, problems)


def _problems(name: str, seconds: float, satisfiable: Guard, unsatisfiable: Guard) -> str:
    with Solver(name, timeout=seconds) as solver:
        solver.add(satisfiable)
        if solver.check() != Status.SAT:
            return f"{solver.checked.status} instead of sat {solver.reason}".rstrip()
        quantified = "forall" in str(satisfiable)
        if not quantified and solver.model().evaluate(satisfiable) is not True:
            return f"a model that is none: {solver.model()!r}"
        solver.reset()
        solver.add(unsatisfiable)
        if solver.check() != Status.UNSAT:
            return f"{solver.checked.status} instead of unsat {solver.reason}".rstrip()
    return ""


def run(options: argparse.Namespace) -> int:
    """Diagnose all solvers and report."""
    found = [diagnose(name) for name in PACKAGES]
    healthy = all(not d.problems for d in found) and any(d.version for d in found)
    wrong = tuple(Finding(f"{d.solver}: {problem}") for d in found for problem in d.problems)
    answer = Stated(wrong, verdict=Verdict.HOLDS if healthy else Verdict.VIOLATED)
    fields = {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "core": "compiled" if COMPILED else "python",
        "small_questions": "here" if is_available() else "in a process",
        "healthy": healthy,
        "solvers": [asdict(d) for d in found],
    }
    if told(options, fields, answer):
        return exit_code(answer.verdict)
    console = console_of()
    console.print(
        f"solvent {solvent.__version__}, Python {platform.python_version()}, {platform.platform()}"
    )
    console.print(
        "the core is compiled"
        if COMPILED
        else f"the core is in Python, which is slower: no compiled one is used, as {WHY_NOT}"
    )
    console.print(
        "small questions are answered in this process"
        if is_available()
        else "small questions start a solver's process, which is slower: pip install python-sat"
    )
    table = Table("solver", "version", "starts in", "theories checked", "lacks", "problems")
    for d in found:
        table.add_row(
            d.solver,
            d.version or "not installed",
            "" if d.start_seconds is None else f"{d.start_seconds:.2f} s",
            ", ".join(d.theories),
            ", ".join(d.missing),
            "; ".join(d.problems) or ("none" if d.version else f"pip install {PACKAGES[d.solver]}"),
        )
    console.print(table)
    console.print(
        "everything answers correctly" if healthy else "some answers are wrong or missing"
    )
    return exit_code(answer.verdict)


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("doctor", help="show which solvers work here")
    add_json_option(parser)
    parser.set_defaults(run=run)
