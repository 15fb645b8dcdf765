"""Cube and conquer: divisions cover everything, and a proof needs all pieces."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from multiprocessing import get_context
from typing import Any

import pytest

from solvent import synthesize
from solvent.queries import Session
from solvent.queries.asking import SPLIT
from solvent.solvers import Solver
from solvent.solvers.cubes import divide
from solvent.solvers.pieces import Solve, Task, done, on_executor
from solvent.solvers.splitting import Conquest, Piece, Split, State
from solvent.solvers.status import Status
from solvent.terms import BitVec, Bool, Int, and_, bv, eq, ite, not_, or_
from solvent.terms.bitvectors import extract
from solvent.terms.graph import constants
from solvent.terms.kinds import Guard
from solvent.units.local import Local
from solvent.units.pieces import on_pool
from solvent.verdicts import Deadline
from solvent.verdicts.rendering import Json


def multiplier(width: int) -> Guard:
    """That adding up shifted numbers is not multiplication: no model."""
    a, b = BitVec("a", width), BitVec("b", width)
    total = bv(0, width)
    for bit in range(width):
        total = total + ite(eq(extract(bit, bit, b), bv(1, 1)), a << bit, bv(0, width))
    return not_(eq(total, b * a))


def selector() -> Guard:
    kind, x, y = Int("kind"), Int("x"), Int("y")
    value = ite(eq(kind, 0), x + y, ite(eq(kind, 1), x - y, ite(eq(kind, 2), x * 3, y)))
    return and_(value > 10, value * value < 100)


def conditions() -> Guard:
    p, q, x = Bool("p"), Bool("q"), Int("x")
    y = ite(p, x + 1, x - 1)
    z = ite(q, y * 2, y + ite(p, 1, 2))
    return and_(z > 5, ite(p, z < 4, ite(q, z < 3, z < 5)))


FORMULAS = {
    "multiplier": (multiplier(5), "bit"),
    "selector": (selector(), ""),
    "conditions": (conditions(), ""),
    "places": (or_(*(eq(Int("x") * Int("y"), n) for n in range(3, 30, 9))), "disjunction"),
}


def is_unsat(*formulas: Guard) -> bool:
    with Solver(timeout=60) as solver:
        solver.add(*formulas)
        return solver.check() is Status.UNSAT


@pytest.mark.parametrize("name", FORMULAS)
def test_divisions_cover_everything(name: str) -> None:
    """Four levels down: one condition holds in each model, and pieces mean what they stand for."""
    formula, how = FORMULAS[name]
    pending, seen = [formula], 0
    for _ in range(4):
        one = pending.pop(0)
        found = divide(one)
        if found is None:
            break
        seen += 1
        assert not how or found.how == how
        assert is_unsat(one, not_(or_(found.conditions)))
        for condition, piece in zip(found.conditions, found.pieces, strict=True):
            assert is_unsat(not_(eq(piece, and_(one, condition))))
        pending += [piece for piece in found.pieces if not isinstance(piece, bool)]
        if not pending:
            break
    assert seen


def test_random_formulas_are_divided_rightly() -> None:
    chance = random.Random(7)
    names = [Bool(name) for name in "pqrs"]
    numbers = [Int(name) for name in "xy"]

    def condition(depth: int) -> Guard:
        if depth == 0:
            if chance.random() < 0.5:
                return chance.choice(names)
            return eq(chance.choice(numbers), chance.randrange(3))
        parts = [condition(depth - 1) for _ in range(chance.randrange(2, 4))]
        made = [and_(parts), or_(parts), not_(parts[0]), ite(parts[0], parts[1], parts[-1])]
        return chance.choice(made)

    divided = 0
    for _ in range(60):
        formula = condition(3)
        found = divide(formula)
        if found is None:
            continue
        divided += 1
        wrong = [not_(or_(found.conditions))]
        for one, piece in zip(found.conditions, found.pieces, strict=True):
            wrong.append(not_(eq(piece, and_(formula, one))))
        assert is_unsat(or_(and_(formula, wrong[0]), *wrong[1:])), formula
    assert divided > 20


def here(tasks: Iterable[Task | None]) -> Iterator[tuple[Task, Json | None]]:
    """Solve pieces one after the other."""
    for task in tasks:
        if task is not None:
            yield task, done(task.data)


def test_a_proof_and_a_model() -> None:
    found = Conquest(multiplier(5), here, width=2).run()
    assert found.status is Status.UNSAT
    leaves = list(found.tree.leaves())
    assert len(leaves) > 2
    assert {leaf.state for leaf in leaves} <= {State.UNSAT, State.PRUNED}
    text = "\n".join(found.tree.lines())
    assert text.startswith("the question: divided by bit\n  ")
    x, y = Int("x"), Int("y")
    formula = or_(and_(x * y == 391, x > 1, y > x), and_(x < 3, x > 4))
    sat = Conquest(formula, here, width=2).run()
    assert sat.status is Status.SAT
    assert sat.model is not None
    assert sat.model.evaluate(formula) is True


def test_bits_of_one_number_come_first() -> None:
    """Half of the bits of two numbers say much less about a product than all low bits of one."""
    found = Conquest(multiplier(6), here, width=2).run()
    assert found.status is Status.UNSAT
    leaves = list(found.tree.leaves())
    assert 8 < len(leaves) <= 16
    assert {str(one) for leaf in leaves for one in constants(and_(leaf.conditions))} == {"b"}


def test_pieces_that_take_too_long_are_divided_again() -> None:
    """A solver that answers nothing but small pieces."""

    def small(tasks: Iterable[Task | None]) -> Iterator[tuple[Task, Json | None]]:
        for task in tasks:
            if task is not None:
                depth = str(task.data["parts"]).count("(assert") - 1
                unknown: Json = {"piece": task.digest, "status": "unknown", "reason": "timeout"}
                yield task, done(task.data) if depth >= 3 else unknown

    found = Conquest(multiplier(5), small, width=1).run()
    assert found.status is Status.UNSAT
    assert max(len(leaf.conditions) for leaf in found.tree.leaves()) >= 3


def spoiled(how: str) -> Solve:
    """Solves pieces, but for one whose answer is spoiled each time."""

    def solve(tasks: Iterable[Task | None]) -> Iterator[tuple[Task, Json | None]]:
        victim: object = None
        for task in tasks:
            if task is None:
                continue
            victim = victim or task.data["script"]
            answer = done(task.data)
            if task.data["script"] == victim:
                spoil: dict[str, Json | None] = {
                    "lost": None,
                    "empty": {},
                    "of another piece": {**answer, "piece": "0" * 64},
                    "nothing said": {"piece": task.digest},
                    "a wrong word": {"piece": task.digest, "status": "closed"},
                    "a false model": {"piece": task.digest, "status": "sat", "model": "()"},
                    "no model": {"piece": task.digest, "status": "sat", "model": "rubbish"},
                }
                yield task, spoil[how]
            else:
                yield task, answer

    return solve


@pytest.mark.parametrize(
    "how",
    [
        *("lost", "empty", "of another piece", "nothing said", "a wrong word"),
        *("a false model", "no model"),
    ],
)
def test_a_piece_without_an_answer_is_open(how: str) -> None:
    """Whatever becomes of one piece, without its own answer there is no proof."""
    deadline = Deadline(20, "the time is over")
    x = Int("x")
    formula = or_(*(and_(x * x == 3 * n + 2, x > n) for n in range(4)))
    assert is_unsat(formula)
    found = Conquest(formula, spoiled(how), width=2, deadline=deadline).run()
    assert found.status is Status.UNKNOWN
    assert "open" in found.reason


def test_what_is_closed() -> None:
    """By all parts, and by nothing less."""
    leaf = [Piece(True, state=state) for state in State]
    assert [one.is_closed for one in leaf] == [
        state in (State.UNSAT, State.PRUNED) for state in State
    ]
    closed, still_open = Piece(True, state=State.UNSAT), Piece(True)
    assert Piece(True, state=State.DIVIDED, parts=[closed, closed]).is_closed
    assert not Piece(True, state=State.DIVIDED, parts=[closed, still_open]).is_closed
    assert not Piece(True, state=State.DIVIDED).is_closed


def test_what_is_impossible_together_closes_others() -> None:
    p, q, r = (Bool(name) for name in "pqr")
    tree = Conquest(and_(p, q), here, width=1)
    first = Piece(p, (p, q, r))
    tree._learn(first, [0, 2])
    other, another = Piece(p, (r, p, not_(q))), Piece(p, (p, q))
    assert tree._is_pruned(other)
    assert not tree._is_pruned(another)
    for wrong in ([0, 7], ["a"], None, [0, 1, 2]):
        count = len(tree._cores)
        tree._learn(first, wrong)
        assert len(tree._cores) == count


def test_on_executors_and_in_processes() -> None:
    formula = multiplier(4)
    assert Conquest(formula, on_pool(Local(2)), width=2).run().status is Status.UNSAT
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        found = Conquest(formula, on_executor(executor, 2), width=2).run()
    assert found.status is Status.UNSAT


class Faulty(Executor):
    """An executor of which nothing comes."""

    def __init__(self, how: str) -> None:
        self.how = how

    def submit(self, *_: object, **__: object) -> Future[Any]:  # type: ignore[override]
        found: Future[Any] = Future()
        if self.how == "broken":
            raise BrokenExecutor("a process died")
        if self.how == "cancelled":
            found.cancel()
            found.set_running_or_notify_cancel()
        else:
            found.set_exception(OSError("the worker is gone"))
        return found


@pytest.mark.parametrize("how", ["broken", "cancelled", "failing"])
def test_an_executor_that_fails(how: str) -> None:
    """Its pieces are open: nothing is proved, and nobody sees a traceback."""
    found = Conquest(multiplier(4), on_executor(Faulty(how), 2), width=2).run()
    assert found.status is Status.UNKNOWN
    assert "its answer was lost" in found.reason


def test_a_session_with_an_executor() -> None:
    """Questions that are not answered at once are divided, and the answers are the same."""

    def square(x: int, y: int) -> None:
        if 0 < x < 40 and 0 < y < 40:
            assert x * x != 2 * y * y
            assert (x * y) % 7 != 3 or x % 7 != 0

    def factor(x: int, y: int) -> None:
        if 1 < x <= y:
            assert x * y != 391

    with ThreadPoolExecutor(2) as threads, Session(executor=threads, share=0.001) as session:
        assert session.split is not None
        assert session.verify(square).holds
        found = session.verify(factor)
        assert (found.inputs, found.confirmed) == ({"x": 17, "y": 23}, True)


def test_holes_are_divided() -> None:
    conquered: list[Status] = []
    split = Split(here, 2, 0.001, watch=lambda found: conquered.append(found.status))

    def same(x: object, a: object, b: object) -> None:
        assert (x + a) * (x + b) == x * x + 5 * x + 6  # type: ignore[operator]

    # A solver may be done within its share of the time: then the next question is harder.
    for width in (12, 14, 16, 18):
        token = SPLIT.set(split)
        try:
            x, a, b = (BitVec(f"{name}{width}", width) for name in "xab")
            found = synthesize(same, x, a, b, forall="x")
        finally:
            SPLIT.reset(token)
        assert found.confirmed
        if conquered:
            break
    assert conquered
