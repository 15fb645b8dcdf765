"""What a type checker sees of the public interface, as a user's strict mypy reports it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

HEADER = """\
from fractions import Fraction

from solvent import BitVec, Bool, Float, Int, Real, Solver, Str
from solvent.terms import Array, Function, Model, and_, concat, contains, distinct, eq, forall
from solvent.terms import implies, ite, length, not_, or_, store, substitute, ult
from solvent.terms.kinds import Guard, Integer

x, y = Int("x"), Int("y")
p, q = Bool("p"), Bool("q")
b, c = BitVec("b", 8), BitVec("c", 8)
r, f, s = Real("r"), Float("f"), Str("s")
a = Array("a", Int, Int)
g = Function("g", [Int, Int], Bool)
solver = Solver()
model = solver.model()
"""

GUARD = "bool | BoolTerm"
INTEGER = "int | IntTerm"
RATIONAL = "Fraction | RealTerm"
BITS = "BV | BitVecTerm"
FLOATING = "float | FP | FloatTerm"
TEXT = "str | StringTerm"
ARRAY = "ArrayValue | ArrayTerm"

# An expression of a user's, and the type that is revealed for it.
TYPES = {
    "x": "IntTerm",
    "x + 1": INTEGER,
    "1 + x * y - 2": INTEGER,
    "x + 1 > 3": GUARD,
    "x == 3": GUARD,
    "x != y": GUARD,
    "3 < x": GUARD,
    "(x == 3) & (y <= x)": GUARD,
    "-x % 3 // 2": INTEGER,
    "x ** 2": INTEGER,
    "x << 3 | 1": INTEGER,
    "abs(x)": INTEGER,
    "divmod(x, 3)": f"tuple[{INTEGER}, {INTEGER}]",
    "x / 2": FLOATING,
    "x + 0.5": FLOATING,
    "x + Fraction(1, 2)": RATIONAL,
    "p & q | ~p": GUARD,
    "p == q": GUARD,
    "p + x": INTEGER,
    "b & 0xF": BITS,
    "0xF | b": BITS,
    "(b + 1) * c - 3": BITS,
    "1 << b": BITS,
    "~b >> 1": BITS,
    "b < 3": GUARD,
    "b == 3": GUARD,
    "b[7:4]": BITS,
    "ult(b, 3)": GUARD,
    "concat(b, c)": BITS,
    "r + 1": RATIONAL,
    "Fraction(1, 3) * r": RATIONAL,
    "x + r": RATIONAL,
    "r * 0.5": FLOATING,
    "r / 3 < 1.5": GUARD,
    "f * 2 + 1.5": FLOATING,
    "2.5 - f": FLOATING,
    "f <= 1": GUARD,
    "round(r)": INTEGER,
    "s + 'abc'": TEXT,
    "'abc' + s": TEXT,
    "s[0]": TEXT,
    "s < 'b'": GUARD,
    "length(s) + 1": INTEGER,
    "contains(s, 'a')": GUARD,
    "a[x] + 1": "Any",
    "store(a, x, 3)": ARRAY,
    "g(x, 1)": "Any",
    "and_(p, x > 3, True)": GUARD,
    "or_([p, q])": GUARD,
    "or_(x == k for k in range(3))": GUARD,
    "not_(x == 3)": GUARD,
    "implies(p, x > 0)": GUARD,
    "distinct(x, y, 3)": GUARD,
    "eq(x, 3)": GUARD,
    "ite(p, x, 0)": INTEGER,
    "ite(p, q, True)": GUARD,
    "ite(p, b, 0)": BITS,
    "ite(p, r, 1)": RATIONAL,
    "ite(p, f, 0.5)": FLOATING,
    "ite(p, s, '')": TEXT,
    "ite(p, a, a)": ARRAY,
    "forall([x, y], x + y == y + x)": GUARD,
    "substitute(x + 1, {x: y})": INTEGER,
    "solver.check(p, timeout=3.0)": "Status",
    "model[x]": "int",
    "model[p]": "bool",
    "model[b]": "BV",
    "model[r]": "Fraction",
    "model[f]": "float | FP",
    "model[s]": "str",
    "model[a]": "ArrayValue",
    "model[g]": "FunctionValue",
    "model.evaluate(x + 1)": "int",
    "model.evaluate(x > 3)": "bool",
    "Model({x: 3, p: True, r: Fraction(1, 2)})": "Model",
}

# Statements that are fine.
FINE = [
    "solver.add(x * x == 49, x < 0)",
    "solver.add(p, [~q, x == 3], g(x, 1))",
    "solver.add(*(x != k for k in range(3)))",
    "guards: list[Guard] = [x > 0, p, True]",
    "sums: list[Integer] = [x, x + 1, 3]",
]

# Statements that are not, and the code of the error.
ERRORS = {
    "x + 'a'": "call-overload",
    "x < 'a'": "operator",
    "b & 1.5": "arg-type",
    "b / 2": "operator",
    "s + 1": "operator",
    "not_(x)": "arg-type",
    "and_(p, x)": "arg-type",
    "ite(x, 1, 2)": "call-overload",
    "solver.add(x)": "arg-type",
    "int(x)": "call-overload",
    "list(x)": "call-overload",
    "number: int = x + 1": "assignment",
    "truth: bool = x == 3": "assignment",
}


def reported(statements: list[str], folder: Path) -> dict[str, list[str]]:
    """What mypy says about each statement."""
    path = folder / "user.py"
    path.write_text(HEADER + "\n".join(statements) + "\n")
    # With the options of the project, which are strict, it shares their cache.
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--config-file"]
    done = subprocess.run(
        [*command, str(ROOT / "pyproject.toml"), str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, list[str]] = {statement: [] for statement in statements}
    first = HEADER.count("\n") + 1
    for line, message in re.findall(r"^.*user\.py:(\d+): (.*)$", done.stdout, re.MULTILINE):
        assert int(line) >= first, message
        found[statements[int(line) - first]].append(message)
    return found


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    pytest.importorskip("mypy")
    statements = [f"reveal_type({expression})" for expression in TYPES]
    return reported([*statements, *FINE, *ERRORS], tmp_path_factory.mktemp("typing"))


@pytest.mark.parametrize("expression", TYPES)
def test_the_type_is(expression: str, reports: dict[str, list[str]]) -> None:
    (message,) = reports[f"reveal_type({expression})"]
    revealed = re.fullmatch(r'note: Revealed type is "(.*)"', message)
    assert revealed is not None, message
    # The names of classes without those of their modules.
    assert re.sub(r"\b(\w+\.)+(?=\w)", "", revealed[1]) == TYPES[expression]


@pytest.mark.parametrize("statement", FINE)
def test_nothing_is_said_about(statement: str, reports: dict[str, list[str]]) -> None:
    assert reports[statement] == []


@pytest.mark.parametrize("statement", ERRORS)
def test_the_error_is(statement: str, reports: dict[str, list[str]]) -> None:
    errors = [message for message in reports[statement] if message.startswith("error:")]
    assert len(errors) == 1
    assert errors[0].endswith(f"[{ERRORS[statement]}]")
