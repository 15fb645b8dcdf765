"""The engines: verdicts, bounds, constraints, several properties, limits, cones, proofs."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.btor2_models import counting, model, straight, two_reads
from solvent.btor2 import (
    ModelError,
    bmc,
    check,
    ic3,
    input_string,
    kinduction,
    memory_constraints,
    parse,
    replay,
    to_safety,
)
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.ic3 import _Prover
from solvent.btor2.step_terms import TermStep
from solvent.btor2.unroll import Unroller
from solvent.errors import InternalError, SolverError
from solvent.terms import Term, size
from solvent.verdicts import Deadline, OutOfTime, Verdict
from tests.btor2.random_models import Explicit

COUNTER = """\
1 sort bitvec 1
2 sort bitvec 8
3 zero 2
4 one 2
5 state 2 n
6 init 2 5 3
7 input 1 up
8 add 2 5 4
9 ite 2 7 8 5
10 next 2 5 9
"""


def lines(*rows: str) -> str:
    return "".join(f"{row}\n" for row in rows)


def counter(*more: str) -> str:
    return COUNTER + "".join(f"{100 + k} {line}\n" for k, line in enumerate(more))


BADS = counter(
    "constd 2 3",
    "eq 1 5 100",
    "bad 101 three",
    "constd 2 1",
    "eq 1 5 103",
    "bad 104 one",
    "constd 2 200",
    "eq 1 5 106",
    "bad 107 two_hundred",
)


def test_the_first_violation_ends_the_search() -> None:
    result = check(parse(BADS), engine="bmc", kmax=10)
    assert [f.verdict for f in result.answers] == [
        Verdict.BOUNDED,
        Verdict.VIOLATED,
        Verdict.BOUNDED,
    ]
    assert result["one"].depth == 1
    assert result["b0"].depth == 0
    assert result.verdict is Verdict.VIOLATED


def test_all_violations() -> None:
    model_ = parse(BADS)
    result = check(model_, engine="bmc", kmax=10, find_all=True)
    assert [(f.verdict, f.depth) for f in result.answers] == [
        (Verdict.VIOLATED, 3),
        (Verdict.VIOLATED, 1),
        (Verdict.BOUNDED, 10),
    ]
    assert len(result.witnesses) == 2
    for witness in result.witnesses:
        assert replay(model_, witness).holds


def test_the_shortest_length() -> None:
    found = bmc(parse(BADS), 6, 2)
    assert next(f.depth for f in found if f.verdict is Verdict.VIOLATED) in (2, 3)
    late = bmc(parse(BADS), 5, 4, find_all=True)
    assert late[0].depth == 4


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    check(parse(BADS), engine="bmc", kmax=4, find_all=True, progress=lambda *x: told.append(x))
    assert told == [(0, 3), (1, 3), (2, 2), (3, 2), (4, 1)]


def test_bounded_checking_ends_with_the_first_violation_unless_told() -> None:
    found = bmc(parse(BADS), 10)
    assert [(f.verdict, f.depth) for f in found] == [
        (Verdict.BOUNDED, 0),
        (Verdict.VIOLATED, 1),
        (Verdict.BOUNDED, 0),
    ]
    assert bmc(parse(BADS), 10, find_all=True)[0].depth == 3


def test_nothing_is_examined_after_the_last_execution() -> None:
    # The counter goes up in each step, and the constraint ends all executions at 2.
    text = counter("constd 2 2", "ult 1 5 100", "constd 2 9", "eq 1 5 102", "bad 103")
    text = text.replace("7 input 1 up", "7 one 1") + "110 constraint 101\n"
    told: list[int] = []
    (answer,) = bmc(parse(text), 9, progress=lambda time, _: told.append(time))
    assert (answer.verdict, answer.reason) == (Verdict.HOLDS, "no execution is longer")
    assert told == [0, 1, 2]


@pytest.mark.parametrize("engine", [bmc, kinduction])
def test_what_was_examined_before_the_time_was_over(engine: Any) -> None:
    def progress(time: int, _: int) -> None:
        if time == 4:
            raise OutOfTime("it is late")

    model_ = parse(counter("constd 2 200", "eq 1 5 100", "bad 101"))
    (answer,) = engine(model_, 10, progress=progress)
    assert str(answer) == "b0 is unknown: up to time 3 it holds; it is late"


def test_constraints() -> None:
    text = counter("constd 2 3", "eq 1 5 100", "bad 101", "constd 2 2", "ult 1 5 103")
    assert bmc(parse(text), 8)[0].verdict is Verdict.VIOLATED
    assert bmc(parse(text + "110 constraint 104\n"), 8)[0].verdict is Verdict.BOUNDED
    # A constraint that is false ends all executions.
    false = parse(text.replace("3 zero 2", "3 zero 2\n11 zero 1") + "110 constraint 11\n")
    answer = bmc(false, 8)[0]
    assert (answer.verdict, answer.reason) == (Verdict.HOLDS, "no execution is longer")


def test_states_that_do_not_change_any_more() -> None:
    text = counter("constd 2 9", "eq 1 5 100", "bad 101").replace("ite 2 7 8 5", "ite 2 7 5 5")
    answer = bmc(parse(text), 50)[0]
    assert (answer.verdict, answer.depth) == (Verdict.HOLDS, 0)


@pytest.mark.parametrize("solver", ["bitwuzla", "z3", "cvc5"])
def test_any_solver(solver: str) -> None:
    result = check(parse(BADS), engine="bmc", solver=solver, find_all=True, kmax=4)
    assert [f.depth for f in result.answers] == [3, 1, 4]


def test_limits_and_mistakes() -> None:
    with pytest.raises(ModelError, match="no engine 'magic'; known are auto, bmc, kind, ic3"):
        check(parse(BADS), engine="magic")
    with pytest.raises(SolverError, match="there is no solver 'minisat'"):
        check(parse(BADS), solver="minisat")
    result = check(parse(BADS), timeout=1e-9, engine="bmc")
    assert result.verdict is Verdict.UNKNOWN
    assert "time limit" in result.answers[0].reason
    assert "time limit" in str(result.answers[0])
    for engine in ("auto", "kind", "ic3"):
        assert check(parse(BADS), timeout=1e-9, engine=engine).verdict is Verdict.UNKNOWN


def test_a_model_without_properties() -> None:
    assert check(parse(COUNTER)).answers == ()
    assert check(parse(COUNTER)).verdict is Verdict.HOLDS


# --- proofs ------------------------------------------------------------------------------------

# Two counters that go up together, and a third that is not needed.
TOGETHER = """\
1 sort bitvec 1
2 sort bitvec 6
3 zero 2
4 one 2
5 state 2 a
6 init 2 5 3
7 state 2 b
8 init 2 7 3
9 input 1
10 add 2 5 4
11 ite 2 9 10 5
12 next 2 5 11
13 add 2 7 4
14 ite 2 9 13 7
15 next 2 7 14
16 neq 1 5 7
17 bad 16 apart
18 sort array 2 2
19 state 18 unused
20 next 18 19 19
"""


@pytest.mark.parametrize("engine", ["kind", "ic3", "auto"])
def test_proofs(engine: str) -> None:
    answer = check(parse(TOGETHER), engine=engine).answers[0]
    assert answer.verdict is Verdict.HOLDS
    assert "holds (" in str(answer)


def test_bounded_checking_alone_does_not_prove() -> None:
    assert check(parse(TOGETHER), engine="bmc", kmax=5).verdict is Verdict.BOUNDED


def test_invariants_are_confirmed_by_another_solver() -> None:
    program = Evaluator(parse(TOGETHER))
    answer = ic3(program)
    assert isinstance(answer.invariant, Term)
    step = TermStep(program, 0)
    step.confirm(answer.invariant, "cvc5", Deadline(None))
    for wrong in (True, False, step.now[0]):
        with pytest.raises(InternalError, match="is not one"):
            step.confirm(wrong, "z3", Deadline(None))


def test_induction_needs_simple_paths() -> None:
    # From n = 3 the state stays; only paths without repetition exclude the step from there.
    text = """\
1 sort bitvec 1
2 sort bitvec 3
3 zero 2
4 state 2 n
5 init 2 4 3
6 constd 2 3
7 constd 2 5
8 input 1
9 eq 1 4 6
10 ite 2 8 7 6
11 ite 2 9 10 3
12 next 2 4 11
13 eq 1 4 7
14 bad 13
"""
    answer = kinduction(parse(text), 20)[0]
    assert answer.verdict is Verdict.HOLDS


@pytest.mark.parametrize("length", [1, 2, 3])
def test_how_long_simple_paths_are(length: int) -> None:
    # States 4, 5, ... go round and are never reached; in state 4 an input may be bad.  A path in
    # the circle that ends there without a repetition has as many states as the circle, so that
    # the induction needs exactly one more.
    text = lines(
        "1 sort bitvec 1",
        "2 sort bitvec 3",
        "3 zero 2",
        "4 one 2",
        "5 state 2 n",
        "6 init 2 5 3",
        "7 input 1 choice",
        "8 constd 2 4",
        f"9 constd 2 {3 + length}",
        "10 ite 2 7 3 4",
        "11 eq 1 5 9",
        "12 inc 2 5",
        "13 ite 2 11 8 12",
        "14 ugte 1 5 8",
        "15 ulte 1 5 9",
        "16 and 1 14 15",
        "17 ite 2 16 13 10",
        "18 next 2 5 17",
        "19 eq 1 5 8",
        "20 and 1 19 7",
        "21 bad 20",
    )
    answer = kinduction(parse(text), 20)[0]
    assert (answer.verdict, answer.reason) == (Verdict.HOLDS, f"k = {length}")
    assert kinduction(parse(text), length - 1)[0].verdict is Verdict.BOUNDED


def test_induction_needs_states_that_differ() -> None:
    # It goes 0, 1, 0, 1, ... for ever; only from 3, where it may stay, there is a way to 5.
    text = """\
1 sort bitvec 1
2 sort bitvec 3
3 zero 2
4 one 2
5 state 2 n
6 init 2 5 3
7 constd 2 3
8 constd 2 5
9 input 1
10 eq 1 5 7
11 ite 2 9 8 7
12 eq 1 5 3
13 ite 2 12 4 3
14 ite 2 10 11 13
15 next 2 5 14
16 eq 1 5 8
17 bad 16
"""
    assert Explicit(parse(text)).first_times() == [None]
    (answer,) = kinduction(parse(text), 20)
    assert (answer.verdict, answer.reason) == (Verdict.HOLDS, "k = 2")


def test_ic3_refuses_arrays_that_matter() -> None:
    text = TOGETHER + "21 read 2 19 5\n22 eq 1 21 7\n23 bad 22\n"
    assert ic3(parse(text), 0).verdict is Verdict.HOLDS
    with pytest.raises(ModelError, match="does not work on arrays"):
        ic3(parse(text), 1)
    result = check(parse(text), find_all=True, kmax=2)
    assert result["b1"].verdict is Verdict.VIOLATED


def test_a_clause_that_holds_for_ever_becomes_the_invariant() -> None:
    # A bit that stays as it is at the start, and one that follows it.
    text = "1 sort bitvec 1\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 next 1 3 3\n"
    text += "6 state 1\n7 init 1 6 2\n8 next 1 6 3\n9 bad 6\n"
    step = TermStep(Evaluator(parse(text)), 0)
    prover = _Prover(step, None, Deadline(None))
    try:
        for _ in range(3):
            prover._new_frame()
        for bit in (0, 1):
            prover._add(frozenset({(bit, True)}), 1)
        cubes = prover._propagate()
    finally:
        prover.close()
    assert cubes is not None
    step.confirmed(cubes, None, Deadline(None))


def test_ic3_finds_long_counterexamples() -> None:
    answer = ic3(parse(counter("constd 2 17", "eq 1 5 100", "bad 101")), 0)
    assert (answer.verdict, answer.depth) == (Verdict.VIOLATED, 17)
    assert answer.witness is not None


@pytest.mark.parametrize("engine", ["bmc", "kind", "ic3", "auto"])
@pytest.mark.parametrize(
    ("more", "time"),
    [
        (("bad 22",), 1),
        # The counter goes up always, and is 0 again after four steps.
        (("eq 1 5 3", "and 1 100 22", "bad 101", "constraint 7"), 4),
        # What it is at time 1 shows in another state at time 2.
        (("state 1 seen", "init 1 100 20", "next 1 100 22", "bad 100"), 2),
        (("bad 22", "constraint -22"), None),
    ],
)
def test_states_that_are_free_after_their_first_value(
    more: tuple[str, ...], time: int | None, engine: str
) -> None:
    free = "20 zero 1\n22 state 1 free\n23 init 1 22 20\n"
    model_ = parse(COUNTER.replace("bitvec 8", "bitvec 2") + free + counter(*more)[len(COUNTER) :])
    assert Explicit(model_).first_times() == [time]
    (answer,) = check(model_, engine=engine, kmax=6).answers
    if time is None:
        assert answer.verdict in (Verdict.HOLDS, Verdict.BOUNDED)
    else:
        assert (answer.verdict, answer.depth) == (Verdict.VIOLATED, time)


def test_the_default_engine_goes_on_where_short_induction_ends() -> None:
    far = check(parse(counter("constd 2 12", "eq 1 5 100", "bad 101")))
    assert (far["b0"].verdict, far["b0"].depth) == (Verdict.VIOLATED, 12)


# --- justice -----------------------------------------------------------------------------------


def test_justice_and_fairness() -> None:
    # The counter can stay for ever, but not if it goes up again and again.
    text = counter("constd 2 9", "ult 1 5 100", "justice 1 101 small")
    found = check(parse(text), kmax=4)
    assert found["j0"].verdict is Verdict.VIOLATED
    assert found.witnesses[0].properties == ["j0"]
    # A small one that ends at its largest number goes up only so often.
    saturating = (
        text.replace("bitvec 8", "bitvec 3")
        .replace("constd 2 9", "constd 2 7")
        .replace("8 add 2 5 4", "50 ones 2\n51 eq 1 5 50\n52 add 2 5 4\n8 ite 2 51 5 52")
    )
    fair = saturating + "110 fair 7\n"
    assert check(parse(saturating), engine="ic3")["small"].verdict is Verdict.VIOLATED
    assert check(parse(fair), kmax=3, engine="bmc")["small"].verdict is Verdict.BOUNDED
    assert check(parse(fair), engine="ic3")["small"].verdict is Verdict.HOLDS
    assert check(parse(fair), engine="kind")["small"].verdict is Verdict.HOLDS


def test_justice_after_a_violation_is_not_checked() -> None:
    text = counter("bad 7", "justice 1 -7")
    result = check(parse(text))
    assert result["j0"].verdict is Verdict.UNKNOWN
    assert result["j0"].reason == "it was not checked, as another property is violated"
    assert result["b0"].reason == ""
    assert check(parse(text), find_all=True)["j0"].verdict is Verdict.VIOLATED


def test_the_transformed_model() -> None:
    changed = to_safety(parse(counter("justice 1 7")), 0)
    assert next(node.symbol for node in changed.inputs) == "up"
    assert len(changed.inputs) == 2
    assert len(changed.bads) == 1


# --- machines ----------------------------------------------------------------------------------


def test_division_by_zero_behind_two_reads() -> None:
    found = check(model(two_reads()), kmax=60)
    assert found["b0"].verdict is Verdict.VIOLATED
    assert input_string(found.witnesses[0]) == b"42"


def test_free_memory_shows_in_the_witness() -> None:
    code = two_reads()
    code.instructions[1] = ("li", 5, 0)
    found = check(model(code, free_memory=True), kmax=60)
    assert found["b0"].verdict is Verdict.VIOLATED
    assert input_string(found.witnesses[0]) == b"4"
    (constraint,) = memory_constraints(found.witnesses[0])
    assert (constraint.address, constraint.value) == (0x2008, 50)
    assert check(model(code), kmax=60).verdict is Verdict.HOLDS


def test_a_concrete_program_needs_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvent.btor2.solving.Questions.satisfiable", None)
    found = check(model(straight(2)), kmax=100)
    assert found["b0"].verdict is Verdict.VIOLATED
    assert found.witnesses[0].frames[0].inputs[0].value == 0


def test_memory_at_known_addresses_stays_a_table() -> None:
    program = Evaluator(model(two_reads()))
    unroller = Unroller(program, program.bads)
    for _ in range(30):
        unroller.get(program.bads[0])
        unroller.advance()
    (memory,) = [v for v in unroller.state_values() if hasattr(v, "base")]
    assert memory.base == 0


def test_an_unrolled_program_stays_small() -> None:
    """Most choices of a machine are decided at any time, and the others are looked into."""
    program = Evaluator(model(two_reads()))
    unroller = Unroller(program, program.bads)
    for _ in range(40):
        unroller.get(program.bads[0])
        unroller.advance()
    terms = [value for value in unroller.state_values() if isinstance(value, Term)]
    assert terms
    assert sum(map(size, terms)) < 60


def test_a_loop_with_a_symbolic_bound() -> None:
    found = check(model(counting()), kmax=40)
    assert found["b0"].verdict is Verdict.VIOLATED
    assert replay(model(counting()), found.witnesses[0]).holds


# --- how states start --------------------------------------------------------------------------

ENGINES = ("bmc", "kind", "ic3", "auto")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_free_state_that_starts_with_another(engine: str) -> None:
    # Neither state has a next value; both start with zero.
    states = lines(
        "1 sort bitvec 1", "3 zero 1", "5 state 1", "6 state 1", "8 init 1 5 3", "9 init 1 6 5"
    )
    model_ = parse(states + "18 justice 2 6 6\n")
    answer = check(model_, engine=engine, kmax=5).answers[0]
    assert (answer.verdict, answer.depth) == (Verdict.VIOLATED, 2)
    assert answer.witness is not None
    assert replay(model_, answer.witness).holds
    bad = check(parse(states + "18 bad 6\n"), engine=engine, kmax=5).answers[0]
    assert (bad.verdict, bad.depth) == (Verdict.VIOLATED, 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_state_that_starts_with_one_that_is_free(engine: str) -> None:
    # At the start both are the same, whatever that is; later the first may be anything.
    text = lines(
        "1 sort bitvec 2",
        "2 sort bitvec 1",
        "3 state 1 any",
        "4 state 1 copy",
        "5 init 1 4 3",
        "6 next 1 4 4",
        "8 zero 2",
        "9 one 2",
        "7 state 2 later",
        "10 init 2 7 8",
        "11 next 2 7 9",
        "12 neq 2 3 4",
        "13 and 2 12 -7",
        "14 bad 13 at_the_start",
    )
    answer = check(parse(text), engine=engine, kmax=6).answers[0]
    assert answer.verdict is Verdict.HOLDS
    late = parse(text.replace("13 and 2 12 -7", "13 and 2 12 7"))
    answer = check(late, engine=engine, kmax=6).answers[0]
    assert (answer.verdict, answer.depth) == (Verdict.VIOLATED, 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_state_that_starts_with_an_expression(engine: str) -> None:
    text = lines(
        "1 sort bitvec 3",
        "2 sort bitvec 1",
        "3 state 1 a",
        "4 state 1 b",
        "5 add 1 3 4",
        "6 state 1 sum",
        "7 init 1 6 5",
        "8 next 1 6 6",
        "9 next 1 3 3",
        "10 next 1 4 4",
        "11 sub 1 6 3",
        "12 neq 2 11 4",
        "13 bad 12",
    )
    answer = check(parse(text), engine=engine, kmax=6).answers[0]
    assert answer.verdict is Verdict.HOLDS


@pytest.mark.parametrize("engine", ["bmc", "kind", "auto"])
@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("claim", ["bad", "justice 1"])
def test_an_array_that_starts_with_an_unknown_element(claim: str, width: int, engine: str) -> None:
    # Whatever the element is, it is the same everywhere; only a write can change that.
    text = lines(
        "1 sort bitvec 1",
        f"2 sort bitvec {width}",
        "3 sort array 1 2",
        "4 state 2 element",
        "5 next 2 4 4",
        "6 state 3 memory",
        "7 init 3 6 4",
        "8 next 3 6 6",
        "9 zero 1",
        "10 one 1",
        "11 read 2 6 9",
        "12 read 2 6 10",
        "13 neq 1 11 12",
        "14 ones 2",
        "15 eq 1 12 14",
    )
    same = check(parse(text + f"16 {claim} 13\n"), engine=engine, kmax=3).answers[0]
    assert same.verdict in (Verdict.HOLDS, Verdict.BOUNDED)
    model_ = parse(text + f"16 {claim} 15\n")
    answer = check(model_, engine=engine, kmax=3).answers[0]
    assert answer.verdict is Verdict.VIOLATED
    assert answer.witness is not None
    assert replay(model_, answer.witness).holds


def test_what_is_left_out_at_the_beginning_proves_nothing() -> None:
    # The only bad state is the first; then nothing changes any more.
    text = lines(
        "1 sort bitvec 1",
        "2 zero 1",
        "3 one 1",
        "4 state 1 later",
        "5 init 1 4 2",
        "6 next 1 4 3",
        "7 bad -4",
    )
    assert bmc(parse(text), 9)[0].verdict is Verdict.VIOLATED
    answer = bmc(parse(text), 9, 2)[0]
    assert answer.verdict is Verdict.BOUNDED
    assert bmc(parse(text + "8 constraint -4\n"), 9, 2)[0].verdict is Verdict.BOUNDED


# --- witnesses of arrays -----------------------------------------------------------------------

# An array that starts with anything and is compared with one that has ones everywhere.
COMPARED = lines(
    "1 sort bitvec 1",
    "2 sort bitvec 2",
    "3 sort array 2 2",
    "4 ones 2",
    "5 state 3 any",
    "6 state 3 ones",
    "7 init 3 6 4",
    "8 next 3 5 5",
    "9 next 3 6 6",
    "10 eq 1 5 6",
)


@pytest.mark.parametrize("engine", ["bmc", "kind", "auto"])
@pytest.mark.parametrize("claim", ["bad 10", "justice 2 10 10"])
def test_a_witness_tells_arrays_that_are_compared(claim: str, engine: str) -> None:
    model_ = parse(COMPARED + f"11 {claim}\n")
    result = check(model_, engine=engine, kmax=4)
    assert result.verdict is Verdict.VIOLATED
    (witness,) = result.witnesses
    assert {(a.index, a.bits) for a in witness.frames[0].states} == {
        (f"{k:02b}", "11") for k in range(4)
    }
    assert replay(model_, witness).holds


def test_an_execution_that_no_witness_can_tell_is_no_violation() -> None:
    huge = COMPARED.replace("3 sort array 2 2", "30 sort bitvec 40\n3 sort array 30 2")
    answer = check(parse(huge + "11 justice 1 10\n"), engine="bmc", kmax=4).answers[0]
    assert answer.verdict is Verdict.UNKNOWN
    assert "no witness can tell" in str(answer)


def test_names_of_states_may_be_those_of_copies() -> None:
    text = counter("constd 2 5").replace("5 state 2 n", "5 state 2 n\n50 state 2 saved_n!0")
    text += "120 next 2 50 50\n121 eq 1 50 100\n122 justice 1 121\n"
    model_ = parse(text)
    (witness,) = check(model_, engine="bmc", kmax=4).witnesses
    assert replay(model_, witness).holds


def test_a_solver_that_cannot_say_its_model_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    from solvent.errors import UnsupportedError
    from solvent.solvers import Solver

    original = Solver.model

    def model_of(self: Solver) -> object:
        if self.name.startswith("bitwuzla"):
            raise UnsupportedError("a value that is no literal")
        return original(self)

    monkeypatch.setattr(Solver, "model", model_of)
    result = check(parse(BADS), engine="bmc", kmax=10)
    assert result["one"].verdict is Verdict.VIOLATED
