"""Every solver answers alike, and its models satisfy the assertions when evaluated."""

from __future__ import annotations

import gc
import pickle
from fractions import Fraction
from typing import Any

import pytest

from solvent import BitVec, Bool, Float, Int, Real, SolventError, Solver, Str
from solvent.errors import NoModelError, SolverError, UnsupportedError
from solvent.solvers import Status
from solvent.terms import (
    Array,
    ArrayValue,
    Float32,
    Function,
    Model,
    and_,
    bv,
    const_array,
    distinct,
    eq,
    exists,
    forall,
    implies,
    in_re,
    is_nan,
    ite,
    length,
    not_,
    or_,
    regex,
    select,
    store,
    to_real,
    ult,
    uninterpreted_sort,
)
from tests.patience import FOREVER

SOLVERS = ("z3", "bitwuzla", "cvc5")
p, q = Bool("p"), Bool("q")
x, y, z = Int("x"), Int("y"), Int("z")
r, s = Real("r"), Real("s")
a, b, c = BitVec("a", 8), BitVec("b", 8), BitVec("c", 8)
f, g = Float("f"), Float("g")
t, u = Str("t"), Str("u")
ints = Array("ints", Int, Int)
bytes_ = Array("bytes", BitVec(8), BitVec(8))
h = Function("h", [Int, Bool], Int)
k = Function("k", [BitVec(8)], BitVec(8))
U = uninterpreted_sort("U")
u1, u2, u3 = U("u1"), U("u2"), U("u3")
m = Function("m", [U], U)

SATISFIABLE: dict[str, Any] = {
    "booleans": and_(or_(p, q), not_(p)),
    "integers": and_(x * 3 + y == 17, x > y, y > 1),
    "floor division": and_(x // y == -4, x % y == -1, y < -1, x > 2),
    "shifts and masks": and_(x & 12 == 8, x >> 4 == 5, x ^ 3 == z),
    "reals": and_(r * 3 == s, s > Fraction(1, 2), r < 1),
    "integers and reals": and_(to_real(x) == r * 2, r > 1, x < 9),
    "bitvectors": and_(a * b == 35, a > 1, b > a),
    "bitvector division": and_(a // b == -3, b > 2, ult(b, 8)),
    "floats": and_(f + g == 3.5, f > g, g > 0.25),
    "not a number": and_(is_nan(f), g == g),
    "narrow floats": Float("w", 8, 24) * 2 == 3,
    "strings": and_(t + "b" + u == "aabaa", length(t) == 2),
    "regular expressions": and_(in_re(t, regex("a+b?c")), length(t) == 5),
    "non-ASCII strings": and_(t[1] == "é", t[0] == "\\", t[2] == "\U00012345", length(t) == 3),
    "arrays": and_(ints[1] == 2, ints[x] == 7, x > 5, store(ints, x, 8) != ints),
    "byte arrays": and_(bytes_[a] == a + 1, bytes_[bytes_[a]] == 77),
    "functions": and_(h(x, True) == 3, h(3, False) == x, h(4, True) == 9, x > 10),
    "bitvector functions": and_(k(a) == a + 1, k(k(a)) == a + 2, k(b) == b),
    "uninterpreted": and_(m(u1) == u2, m(u2) == u3, distinct(u1, u2, u3)),
    "choices": and_(ite(p, x, y) == 5, ite(p, y, x) == 6, x > y),
    "true": True,
}
UNSATISFIABLE: dict[str, Any] = {
    "booleans": and_(implies(p, q), p, not_(q)),
    "integers": and_(x % 2 == 1, x == y * 2),
    "python modulo": and_(y < 0, x % y > 0),
    "reals": and_(r > 1, r * 2 < 1),
    "bitvectors": and_(a & 1 == 1, a == b << 1),
    "floats": and_(f > 1.0, f * 0.0 == 1.0),
    "strings": and_(t + "a" == "b" + t, length(t) < 3, t != "b"),
    "arrays": and_(ints[x] == 1, store(ints, x, 2)[x] == 1),
    "functions": and_(x == y, h(x, p) != h(y, p)),
    "uninterpreted": and_(u1 == u2, m(u1) != m(u2)),
    "quantifiers": and_(forall([x], h(x, True) > x), h(3, True) == 1),
    "false": False,
}


def lacks(name: str, formula: Any) -> bool:
    """Whether the solver refuses the theory of a formula."""
    with Solver(name, timeout=FOREVER) as solver:
        solver.add(formula)
        try:
            solver.check()
        except UnsupportedError as error:
            return name in str(error)
    return False


@pytest.mark.parametrize("theory", SATISFIABLE)
@pytest.mark.parametrize("name", [*SOLVERS, "auto"])
def test_models_satisfy_what_was_asserted(name: str, theory: str) -> None:
    formula = SATISFIABLE[theory]
    if name != "auto" and lacks(name, formula):
        assert name != "z3"
        return
    with Solver(name, timeout=FOREVER) as solver:
        solver.add(formula)
        status = solver.check()
        assert status == Status.SAT, solver.reason
        assert solver.model().evaluate(formula) is True


@pytest.mark.parametrize("theory", UNSATISFIABLE)
@pytest.mark.parametrize("name", [*SOLVERS, "auto"])
def test_unsatisfiable_formulas(name: str, theory: str) -> None:
    formula = UNSATISFIABLE[theory]
    if name != "auto" and lacks(name, formula):
        assert name != "z3"
        return
    with Solver(name, timeout=FOREVER) as solver:
        solver.add(formula)
        assert solver.check() == Status.UNSAT


@pytest.mark.parametrize("name", SOLVERS)
def test_frames(name: str) -> None:
    with Solver(name) as solver:
        solver.add(ult(a, 10))
        assert solver.check() == "sat"
        solver.push()
        solver.add(ult(20, a))
        assert solver.check() == "unsat"
        solver.push()
        solver.add(b == 1)
        solver.pop(2)
        assert solver.check() == "sat"
        solver.add(a == 7)
        solver.push()
        solver.add(b == a + 1)
        assert solver.check() == "sat"
        assert solver.model()[b] == 8
        solver.pop()
        assert solver.check() == "sat"
        # The model tells nothing of what was popped.
        assert dict(solver.model()) == {a: bv(7, 8)}
        with pytest.raises(SolverError, match="0 are open"):
            solver.pop()


@pytest.mark.parametrize("name", SOLVERS)
def test_assumptions_and_cores(name: str) -> None:
    with Solver(name) as solver:
        solver.add(ult(a, b))
        assumptions = [ult(b, 5), c == 3, ult(7, a), or_(a == 9, a == 10)]
        assert solver.check(*assumptions) == "unsat"
        core = solver.unsat_core()
        assert core
        assert all(any(term is wish for wish in assumptions) for term in core)
        assert not any(term is assumptions[1] for term in core)
        with Solver(name) as again:
            again.add(ult(a, b), core)
            assert again.check() == "unsat"
        assert solver.check(assumptions[:2]) == "sat"
        assert solver.check() == "sat"


def test_only_new_nodes_are_converted() -> None:
    total = x
    for number in range(1000):
        total = total + Int(f"n{number}")
    with Solver("z3") as solver:
        solver.add(total > 5)
        solver.check()
        before = solver.statistics()["nodes"]
        solver.push()
        solver.add(total < 1000)
        assert solver.check() == "sat"
        # One comparison and one literal.
        assert solver.statistics()["nodes"] - before <= 2


def test_shared_nodes_are_converted_once() -> None:
    deep = x
    for _ in range(200):
        deep = deep * deep
    with Solver("z3") as solver:
        solver.add(False, eq(deep, 1))
        assert solver.check() == "unsat"
        assert solver.statistics()["nodes"] == 204


@pytest.mark.parametrize(("maximize", "best"), [(True, 25), (False, 0)])
def test_optimisation(maximize: bool, best: int) -> None:
    with Solver() as solver:
        solver.add(x >= 0, y >= 0, 2 * x + y <= 10, x + 3 * y <= 15)
        (solver.maximize if maximize else solver.minimize)(3 * x + 4 * y)
        assert solver.name == "z3"
        assert solver.check() == "sat"
        assert solver.objective_values() == [best]
        assert solver.model().evaluate(3 * x + 4 * y) == best


def test_optimisation_of_bitvectors_and_reals() -> None:
    with Solver() as solver:
        solver.add(ult(a, 100), a & 1 == 0)
        solver.maximize(a)
        solver.add(r * 2 <= 3)
        solver.maximize(r)
        assert solver.check() == "sat"
        assert solver.objective_values() == [98, Fraction(3, 2)]


def test_optima_that_do_not_exist() -> None:
    with Solver() as solver:
        solver.add(x > 3)
        solver.maximize(x)
        assert solver.check() == "sat"
        assert solver.objective_values() == ["unbounded"]
    with Solver() as solver:
        solver.add(r < 3)
        solver.maximize(r)
        assert solver.check() == "sat"
        assert solver.objective_values() == ["not attained"]


def test_objectives_are_framed() -> None:
    with Solver() as solver:
        solver.add(0 <= x, x <= 9)
        solver.push()
        solver.maximize(x)
        assert solver.check() == "sat"
        assert solver.objective_values() == [9]
        solver.pop()
        solver.push()
        solver.minimize(x)
        assert solver.check() == "sat"
        assert solver.objective_values() == [0]


@pytest.mark.parametrize("name", ["bitwuzla", "cvc5"])
def test_a_solver_that_cannot_optimise_says_so(name: str) -> None:
    with Solver(name) as solver:
        solver.add(ult(a, 100))
        solver.maximize(a)
        with pytest.raises(UnsupportedError, match=f"{name} has no optimisation; use z3"):
            solver.check()


def test_a_missing_theory_is_named() -> None:
    with Solver("bitwuzla") as solver:
        solver.add(x > 3)
        with pytest.raises(UnsupportedError, match="bitwuzla has no theory of Int; use z3 or cvc5"):
            solver.check()
        # The solver object is still of use.
        solver.reset()
        solver.add(a == 3)
        assert solver.check() == "sat"


def test_a_mode_that_does_not_fit_the_query_is_refused() -> None:
    # Z3 would answer sat here.
    with Solver("z3:QF_LIA") as solver:
        solver.add(a == 3, a == 4)
        solver.add(ult(a, b), ult(b, a))
        with pytest.raises(UnsupportedError, match="BitVec, which the logic QF_LIA"):
            solver.check()
    with Solver("z3:QF_BV") as solver:
        solver.add(ult(a, b), ult(b, c))
        assert solver.check() == "sat"
    with Solver("z3:NONSENSE") as solver:
        solver.add(p)
        with pytest.raises(SolventError, match="NONSENSE"):
            solver.check()


def test_models_and_cores_need_their_answer() -> None:
    with Solver() as solver:
        with pytest.raises(NoModelError, match="no check was made"):
            solver.model()
        solver.add(x > 3)
        solver.check()
        with pytest.raises(NoModelError, match="the answer was sat"):
            solver.unsat_core()
        solver.add(x < 3)
        solver.check()
        with pytest.raises(NoModelError, match="the answer was unsat"):
            solver.model()


def test_wrong_arguments() -> None:
    with Solver() as solver:
        with pytest.raises(SolventError, match="not of sort Bool"):
            solver.add(x)
        with pytest.raises(SolventError, match="positive"):
            solver.check(timeout=0)
        with pytest.raises(SolventError, match="positive number of seconds, not '5'"):
            solver.check(timeout="5")
        assert solver.check(timeout=float("inf")) == "sat"
        with pytest.raises(SolventError, match="must be symbolic"):
            solver.minimize(3)
    with pytest.raises(SolventError, match="positive"):
        Solver(timeout=-1)


def test_the_automatic_choice_follows_the_theories() -> None:
    with Solver() as solver:
        solver.add(a + b == 7)
        assert solver.check() == "sat"
        assert solver.name == "clauses"
        solver.add(Array(BitVec(8), BitVec(8))("memory")[a] == b)
        assert solver.check() == "sat"
        assert solver.name == "bitwuzla"
        solver.add(x > 3)
        assert solver.check() == "sat"
        assert solver.name == "z3"
        assert solver.model().evaluate(and_(a + b == 7, x > 3)) is True


def test_two_constants_of_one_name() -> None:
    number, truth = Int("same"), Bool("same")
    for name in ("z3", "cvc5"):
        with Solver(name) as solver:
            solver.add(number == 3, truth)
            assert solver.check() == "sat"
            assert solver.model()[number] == 3
            assert solver.model()[truth] is True
            with pytest.raises(SolventError, match="ambiguous"):
                solver.model()["same"]


def test_irrational_values_are_marked() -> None:
    with Solver("z3") as solver:
        solver.add(r * r == 2, r > 0)
        assert solver.check() == "sat"
        model = solver.model()
        assert abs(float(model[r]) - 2**0.5) < 1e-9
        assert [constant.name for constant in model.inexact] == ["r"]
        assert str(model).startswith("r ≈")


def test_array_and_function_values() -> None:
    for name in ("z3", "cvc5"):
        with Solver(name) as solver:
            solver.add(ints == store(store(const_array(Int, 0), 1, 5), 2, 6), h(1, True) == 4)
            assert solver.check() == "sat"
            model = solver.model()
            assert model[ints] == ArrayValue(Array(Int, Int), 0, {1: 5, 2: 6})
            assert model[h](1, True) == 4
            assert model.evaluate(select(ints, 7)) == 0


@pytest.mark.parametrize("sort", [Int, BitVec(8)])
def test_arrays_with_arrays_as_indices(sort: Any) -> None:
    """The last store counts, whichever texts a solver has for the same index."""
    rows = Array(sort, sort)
    outer, row = Array(rows, sort)("outer"), rows("row")
    changed = store(row, 1, 2)
    conditions = [store(outer, row, 1)[changed] == 2, row[1] == 1, outer[row] == 2]
    with Solver.for_query(conditions) as solver:
        solver.add(*conditions)
        assert solver.check() == "sat"
        model = solver.model()
        assert model.evaluate(outer[changed]) == 2
        assert model.evaluate(outer[row]) == 2
    with Solver("bitwuzla") as solver:
        solver.add(*conditions)
        with pytest.raises(UnsupportedError, match=r"as indices|no theory of Int"):
            solver.check()


def test_functions_of_arrays() -> None:
    row, f = Array(BitVec(8), BitVec(8))("row"), Function("f", [Array(BitVec(8), BitVec(8))], Bool)
    conditions = [f(row), not_(f(store(row, 0, 1)))]
    with Solver.for_query(conditions) as solver:
        solver.add(*conditions)
        assert solver.check() == "sat"
        assert solver.model().evaluate(conditions[1]) is True


def test_quantified_models() -> None:
    with Solver("z3") as solver:
        solver.add(forall([x], implies(x > 0, x + y > 3)), exists([z], and_(z > y, z < y + 2)))
        assert solver.check() == "sat"
        assert solver.model()[y] >= 3
        assert set(solver.model()) == {y}


def test_statistics() -> None:
    with Solver("bitwuzla") as solver:
        solver.add(a * b == 35, ult(1, a), ult(1, b))
        solver.check()
        solver.check()
        figures = solver.statistics()
    assert figures["checks"] == 2
    assert figures["solver"] == "bitwuzla"
    assert figures["seconds"] > 0
    assert figures["conversion seconds"] > 0
    assert figures["solver statistics"]


def test_models_are_values() -> None:
    with Solver() as solver:
        solver.add(x == 3, f == 2.5, Float("n", 8, 24) == 1.5)
        solver.check()
        model = solver.model()
    assert model == Model({x: 3, f: 2.5, Float("n", 8, 24): 1.5})
    assert pickle.loads(pickle.dumps(model)) == model
    assert model.to_dict()["f"] == 2.5
    assert model[Float("n", 8, 24)].sort is Float32


def test_many_solvers_share_processes() -> None:
    solvers = [Solver("z3") for _ in range(60)]
    for number, solver in enumerate(solvers):
        solver.add(x == number)
        assert solver.check() == "sat"
    # The process has forgotten the first ones by now: they are sent again.
    for number, solver in enumerate(solvers):
        solver.add(y == x + 1)
        assert solver.check() == "sat"
        assert solver.model()[y] == number + 1
    del solvers, solver
    gc.collect()


def test_deep_terms_are_solved() -> None:
    total: Any = x
    for number in range(200_000):
        total = total + Int(f"v{number}")
    with Solver(timeout=FOREVER) as solver:
        solver.add(total == 5, total > 2)
        assert solver.check() == "sat"


@pytest.mark.parametrize(("ebits", "sbits"), [(3, 4), (4, 4), (5, 11), (8, 24)])
def test_floats_of_any_format(ebits: int, sbits: int) -> None:
    number = Float("number", ebits, sbits)
    formula = and_(number * number == number + number, number > 0, number < 4)
    for name in ("auto", *SOLVERS):
        with Solver(name, timeout=FOREVER) as solver:
            solver.add(formula)
            try:
                status = solver.check()
            except UnsupportedError as error:
                refused = str(error)
            else:
                refused = ""
            if refused:
                assert name in ("bitwuzla", "cvc5")
                assert refused == f"{name} has no floats of format ({ebits}, {sbits}); use z3"
                continue
            assert status == "sat"
            assert solver.model().evaluate(number == 2) is True


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_huge_numbers(name: str) -> None:
    huge = 7**6000 + 1
    with Solver(name) as solver:
        solver.add(x == huge, r * huge == 1)
        assert solver.check() == "sat"
        model = solver.model()
        assert model[x] == huge
        assert model[r] == Fraction(1, huge)
        assert "0x" in repr(model)
        assert "0x" in repr(x == huge)


def test_candidates_where_triggers_do_not_decide() -> None:
    x, y = Int("x"), Int("y")
    f = Function("f", [Int], Int)
    with Solver("z3:triggers") as solver:
        solver.add(forall([x], f(x) > x, [f(x)]), y > 3)
        assert solver.check() is Status.UNKNOWN
        found = solver.candidate()
        assert found is not None
        assert found[y] > 3
        # What the triggers prove is certain.
        solver.push()
        solver.add(f(y) < y)
        assert solver.check() is Status.UNSAT
        assert solver.candidate() is None
        solver.pop()


def test_no_candidate_after_a_time_limit() -> None:
    x, y, z = Int("x"), Int("y"), Int("z")
    with Solver("z3:triggers") as solver:
        solver.add(x * x * x + y * y * y == z * z * z, x > 1, y > 1, z > 2)
        assert solver.check(timeout=0.2) is Status.UNKNOWN
        assert solver.candidate() is None
