"""Programs with threads: for each number of context switches the verdict of all schedules."""

from __future__ import annotations

import pytest

from solvent.boogie import check_program, parse_program
from solvent.boogie.lowering import lower
from solvent.reach.program import Program
from solvent.reach.threads.primitives import Bound
from solvent.reach.threads.running import Threads
from solvent.reach.threads.schedules import Pause, Schedule, Slice, schedule
from solvent.reach.threads.search import ThreadsAnswer, search_threads, threaded_source
from solvent.reach.threads.sequential import sequentialized
from solvent.verdicts import Verdict
from tests.reach.random_threads import MOST, Maker, Sample, least_switches


def lowered(text: str) -> Program:
    checked = check_program(parse_program(text=text, file="t.bpl"), infer_modifies=True)
    return lower(checked, threads=True)


def found(text: str, bound: Bound, main: str = "main") -> ThreadsAnswer:
    return search_threads(lowered(text), main, bound)


def verdict(text: str, bound: Bound) -> str:
    """`no bug`, or the line of a bug that running the threads has confirmed."""
    answer = found(text, bound)
    if answer.verdict is not Verdict.VIOLATED:
        assert answer.verdict is Verdict.BOUNDED
        return "no bug"
    assert answer.confirmed, answer.headline()
    assert bound.switches is None or answer.switches <= bound.switches
    assert answer.failed is not None
    return str(answer.failed.where.line)


# --- against all schedules ---------------------------------------------------------------------


def interesting(seed: int, cooperative: bool = False) -> tuple[Sample, int | None]:
    """A program, most of which need a context switch to fail, and how many one needs."""
    while True:
        sample = Maker(seed).program()
        least = least_switches(sample, cooperative)
        if least not in (0, None) or seed % 4 == 0:
            return sample, least
        seed += 1


def check(sample: Sample, least: int | None, switches: int, cooperative: bool = False) -> None:
    expected = least is not None and least <= switches
    answer = found(sample.text, Bound(switches, cooperative=cooperative))
    assert (answer.verdict is Verdict.VIOLATED) == expected, (switches, least, sample.text)
    assert answer.confirmed == expected, (answer.headline(), sample.text)
    assert answer.verdict.is_definite == expected


@pytest.mark.parametrize("seed", range(0, 120, 10))
def test_few_random_programs(seed: int) -> None:
    """They fail with exactly as many context switches as some schedule needs."""
    sample, least = interesting(seed)
    for switches in [1] if least is None else [least - 1, least]:
        if switches >= 0:
            check(sample, least, switches)


@pytest.mark.mass
@pytest.mark.parametrize("seed", range(1000, 7000, 20))
def test_many_random_programs(seed: int) -> None:
    sample, least = interesting(seed)
    for switches in range(MOST + 1):
        check(sample, least, switches)
    for rounds in range(1, 5):
        # So many rounds have all schedules with one switch less.
        answer = found(sample.text, Bound(rounds=rounds))
        assert answer.confirmed == (answer.verdict is Verdict.VIOLATED), sample.text
        assert answer.confirmed or least is None or least > rounds - 1, sample.text


@pytest.mark.mass
@pytest.mark.parametrize("seed", range(7000, 9000, 20))
def test_many_cooperative_programs(seed: int) -> None:
    sample, least = interesting(seed, cooperative=True)
    for switches in range(MOST + 1):
        check(sample, least, switches, cooperative=True)


# --- what counts -------------------------------------------------------------------------------

INTERRUPTED = """var x: int;
procedure main() { x := 0; async call P(); x := 1;
  assert x == 1; }
procedure P() { x := 2; }
"""


def test_context_switches_are_of_the_whole_program() -> None:
    """Main, the other one, and main again: two switches, and in each of two rounds main runs."""
    assert [verdict(INTERRUPTED, Bound(n)) for n in range(3)] == ["no bug", "no bug", "3"]
    assert [verdict(INTERRUPTED, Bound(rounds=n)) for n in (1, 2)] == ["no bug", "3"]


def test_rounds_go_from_thread_to_thread() -> None:
    """Both threads run once in a round: with switches alone, it would take three."""
    text = """var x: int;
    procedure main() { async call P(); async call Q(); }
    procedure P() { x := 1; yield;
      assert x == 1; }
    procedure Q() { x := 0; }
    """
    assert [verdict(text, Bound(n)) for n in (2, 3)] == ["no bug", "4"]
    assert [verdict(text, Bound(rounds=n)) for n in (1, 2)] == ["no bug", "4"]


def test_cooperative_threads_are_left_alone() -> None:
    text = """var x: int;
    procedure main() { async call P(); async call Q(); }
    procedure P() { x := 1; %s assert x == 1; }
    procedure Q() { x := 0; }
    """
    assert verdict(text % "", Bound(rounds=4, cooperative=True)) == "no bug"
    assert verdict(text % "yield;", Bound(rounds=2, cooperative=True)) == "3"
    assert verdict(text % "", Bound(rounds=2)) == "3"


# --- what threads have -------------------------------------------------------------------------


def test_thread_local_variables() -> None:
    """A new thread has any value of its own, and changes nobody else's."""
    text = """var {:thread_local} x: int;
    procedure main() { x := 1; async call P(); yield;
      assert x == 1; }
    procedure P() { %s }
    """
    assert verdict(text % "x := 2;", Bound(3)) == "no bug"
    assert verdict(text % "assert x == 1;", Bound(1)) == "4"


def test_identities_count_threads_as_they_start() -> None:
    text = """var seen, child: %(type)s;
    procedure corral_getThreadID() returns (i: %(type)s);
    procedure corral_getChildThreadID() returns (i: %(type)s);
    procedure main() {
      var i: %(type)s;
      seen := %(zero)s;
      call i := corral_getThreadID();
      assert i == %(one)s;
      async call P();
      call child := corral_getChildThreadID();
      assume seen != %(zero)s;
      assert seen == child;
      assert seen == %(zero)s;
    }
    procedure P() { call seen := corral_getThreadID(); }
    """
    numbers = {"type": "int", "zero": "0", "one": "1"}
    bits = {"type": "bv32", "zero": "0bv32", "one": "1bv32"}
    for names in (numbers, bits):
        assert verdict(text % names, Bound(1)) == "no bug"
        assert verdict(text % names, Bound(2)) == "13"


def test_atomic_blocks_are_one_step() -> None:
    text = """var x: int;
    procedure corral_atomic_begin();
    procedure corral_atomic_end();
    procedure main() { x := 0; async call P();
      assert x != 1; }
    procedure P() { %s x := x + 1; x := x + 1; %s }
    """
    atomic = ("call corral_atomic_begin();", "call corral_atomic_end();")
    assert verdict(text % ("", ""), Bound(2)) == "5"
    assert verdict(text % atomic, Bound(4)) == "no bug"


def test_a_procedure_without_a_body_is_one_step() -> None:
    text = """var x: int;
    procedure twice(); modifies x; ensures x == old(x) + 2;
    procedure main() { x := 0; async call P();
      assert x == 0 || x == 2; assert x == 0; }
    procedure P() { call twice(); }
    """
    assert verdict(text, Bound(2)) == "4"
    assert verdict(text.replace("assert x == 0;", ""), Bound(4)) == "no bug"


def test_parallel_calls_wait_and_have_results() -> None:
    text = """var x: int;
    procedure main() { var a, b: int; x := 0;
      par a := P(1) | b := P(2);
      assert a + b == 4 || a + b == 5;
      assert x == 3; }
    procedure P(n: int) returns (seen: int) { var y: int; y := x; x := y + n; seen := x; }
    """
    # Both arms, and main again, are three switches.
    assert verdict(text, Bound(2)) == "no bug"
    found_at = verdict(text, Bound(4))
    assert found_at in ("4", "5")
    atomic = text.replace("var y: int; y := x; x := y + n;", "x := x + n;")
    assert verdict(atomic.replace("seen := x;", ""), Bound(3)) == "4"


def test_a_blocked_thread_stops_nobody_else() -> None:
    """What it has written is there, and the others go on."""
    text = """var x: int;
    procedure main() { var stuck: bool; x := 0; async call P(stuck); assume x == 1;
      assert false; }
    procedure P(stuck: bool) { x := 1; assume stuck && !stuck; x := 0; }
    """
    assert [verdict(text, Bound(n)) for n in (1, 2)] == ["no bug", "3"]


def test_contracts_of_threads_are_checked() -> None:
    text = """var x: int;
    procedure main() { x := 0; async call P(x); x := 1; }
    procedure P(n: int) requires x == n; ensures x == n + 1;
    { x := x + 1; }
    """
    assert verdict(text, Bound(1)) == "4"
    assert verdict(text.replace("x := 1; }", "}"), Bound(4)) == "no bug"


def test_threads_in_loops_and_recursion() -> None:
    loop = """var x: int;
    procedure main() { var i: int; x, i := 0, 0;
      while (i < 3) { async call P(); i := i + 1; }
      assert x < 3; }
    procedure P() { x := x + 1; }
    """
    assert [verdict(loop, Bound(n)) for n in (3, 4)] == ["no bug", "4"]
    tree = """var x: int;
    procedure main() { x := 0; call P(2); assert x < 2; }
    procedure P(n: int) { if (n > 0) { async call P(n - 1); } else { x := x + 1; } x := x + 1; }
    """
    assert verdict(tree, Bound(1)) == "no bug"
    assert verdict(tree, Bound(2)) == "2"


# --- confirming --------------------------------------------------------------------------------


def test_only_the_schedule_that_was_found_fails() -> None:
    """The threads are run in its order: another order of the same slices is no failure."""
    program = lowered(INTERRUPTED)
    bound = Bound(2)
    answer = search_threads(program, "main", bound)
    assert answer.execution is not None
    source = threaded_source(program, "main")
    order = schedule(answer.execution, sequentialized(source, bound))
    assert [one.thread for one in order.slices if one.events] in ([0, 1, 0], [0, 0, 1, 0])
    assert Threads(source, bound, {}).follow(order).confirmed
    assert not Threads(source, Bound(1), {}).follow(order).confirmed
    early = Schedule(order.start, (order.slices[-1], *order.slices[:-1]))
    assert not Threads(source, bound, {}).follow(early).confirmed
    never = Schedule(order.start, tuple(one for one in order.slices if one.thread == 0))
    assert not Threads(source, bound, {}).follow(never).confirmed


def test_an_interruption_is_where_the_thread_is() -> None:
    program = lowered(INTERRUPTED)
    source = threaded_source(program, "main")
    elsewhere = Schedule({}, (Slice(0, 0, [Pause(7)]),))
    assert "needs Begin" in Threads(source, Bound(2), {}).follow(elsewhere).reason
