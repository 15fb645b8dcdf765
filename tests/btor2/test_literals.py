"""Gates, words and memories of literals: each operator on all values, also of constants."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from solvent.btor2 import Evaluator, bmc, check, ic3, kinduction, literals, parse
from solvent.btor2.cells import Cells, as_word
from solvent.btor2.errors import ModelError
from solvent.btor2.literals import CADICAL, Clauses, Literals, fits
from solvent.btor2.operators import OPERATORS, concrete
from solvent.btor2.step_literals import LiteralStep
from solvent.errors import InternalError
from solvent.solvers.gates import FALSE, TRUE, Gates
from solvent.solvers.words import Word, circuit, constant
from solvent.terms import Array, BitVec
from solvent.verdicts import Deadline, Verdict
from tests.btor2.test_operators import widths_of

needs_solver = pytest.mark.skipif(not literals.is_available(), reason="python-sat is missing")


def variables(gates: Gates, width: int) -> Word:
    return tuple([gates.variable() for _ in range(width)])


def value_of(gates: Gates, word: Word, given: dict[int, bool]) -> int:
    value = gates.evaluated(lambda variable: given[variable])
    return sum(value(literal) << k for k, literal in enumerate(word))


def given_by(word: Word, value: int) -> dict[int, bool]:
    return {bit: bool(value >> k & 1) for k, bit in enumerate(word) if abs(bit) != TRUE}


@pytest.mark.parametrize(
    "name", sorted(OPERATORS.keys() - {"read", "write", "slice", "uext", "sext", "ite"})
)
def test_operator(name: str) -> None:
    for widths in widths_of(name):
        gates = Gates()
        words = [variables(gates, width) for width in widths]
        result = circuit(name)(gates, *words)
        for values in product(*[range(1 << width) for width in widths]):
            wanted = concrete(name, widths)(*values)
            pairs = list(zip(words, values, strict=True))
            given = {bit: v for word, value in pairs for bit, v in given_by(word, value).items()}
            assert value_of(gates, result, given) == wanted, (name, widths, values)
            # With one operand that is constant, and with all.
            for known in range(1 << len(widths)):
                mixed = [
                    constant(values[k], widths[k]) if known >> k & 1 else words[k]
                    for k in range(len(widths))
                ]
                found = value_of(gates, circuit(name)(gates, *mixed), given)
                assert found == wanted, (name, widths, values, known)


def test_slices_extensions_and_choices() -> None:
    gates = Gates()
    word, other, test = variables(gates, 3), variables(gates, 3), variables(gates, 1)
    for a, b, c in product(range(8), range(8), range(2)):
        given = {**given_by(word, a), **given_by(other, b), **given_by(test, c)}
        for name, numbers in (("slice", (2, 1)), ("slice", (0, 0)), ("uext", (2,)), ("sext", (2,))):
            found = value_of(gates, circuit(name, numbers)(gates, word), given)
            assert found == concrete(name, (3,), numbers)(a)
        chosen = circuit("ite")(gates, test, word, other)
        assert value_of(gates, chosen, given) == (a if c else b)


def test_equal_gates_are_one() -> None:
    gates = Gates()
    a, b, c = variables(gates, 3)
    assert gates.differ(a, -b) == -gates.differ(b, a)
    assert gates.choice(-a, b, c) == gates.choice(a, c, b)
    assert gates.choice(a, -b, -c) == -gates.choice(a, b, c)
    assert gates.majority(-a, -b, -c) == -gates.majority(c, a, b)
    assert gates.majority(a, b, FALSE) == gates.both(a, b)
    assert gates.choice(a, b, -b) == -gates.differ(a, b)


@needs_solver
@pytest.mark.parametrize("seed", range(20))
def test_clauses_mean_what_gates_do(seed: int) -> None:
    random = Random(seed)
    gates = Literals()
    known = list(variables(gates, 4))
    inputs = tuple(known)
    for _ in range(12):
        a, b, c = (random.choice(known) * random.choice((1, -1)) for _ in range(3))
        make = random.choice((gates.both, gates.differ, gates.choice, gates.majority))
        known.append(make(a, b, c) if make in (gates.choice, gates.majority) else make(a, b))  # type: ignore[call-arg]
    last = known[-1]
    questions = Clauses(gates, Deadline(None))
    for value in range(16):
        given = given_by(inputs, value)
        assumed = [(bit if set_ else -bit,) for bit, set_ in given.items()]
        expected = gates.evaluated(lambda variable, given=given: given[variable])(last)  # type: ignore[misc]
        assert questions.satisfiable((last,), *assumed) == expected
        assert questions.satisfiable((-last,), *assumed) != expected
    questions.close()


def test_memories_read_what_was_written() -> None:
    random = Random(0)
    sort = Array(BitVec(2), BitVec(2))
    for _ in range(60):
        gates = Literals()
        base = gates.anything(sort)
        assert isinstance(base, Cells)
        versions: list[tuple[Cells, list[int]]] = [(base, [0, 0, 0, 0])]
        # Words that are constant or not; `given` says what they are.
        given: dict[int, bool] = {}

        def word(width: int) -> tuple[int | Word, int]:
            value = random.randrange(1 << width)
            if random.random() < 0.4:
                return value, value
            made = variables(gates, width)  # noqa: B023
            given.update(given_by(made, value))  # noqa: B023
            return made, value

        for _ in range(6):
            memory, content = random.choice(versions)
            if random.random() < 0.6:
                (index, i), (element, e) = word(2), word(2)
                new = [e if k == i else old for k, old in enumerate(content)]
                versions.append((memory.write(index, element, gates), new))
            else:
                other, content_of_other = random.choice(versions)
                test = variables(gates, 1)
                holds = random.random() < 0.5
                given.update(given_by(test, int(holds)))
                chosen = memory.choose(test, other, gates)
                versions.append((chosen, content if holds else content_of_other))
        for memory, content in versions:
            index, i = word(2)
            found = as_word(memory.read(index, gates), 2)
            # What the base holds is zero everywhere.
            assert isinstance(base.base, literals.Base)
            free = {bit: False for bits in base.base.asked.values() for bit in bits}
            assert value_of(gates, found, {**given, **free}) == content[i]
            value = gates.evaluated(lambda v, known={**given, **free}: known[v])  # type: ignore[misc]
            assert all(value(one) for one in gates.side_conditions)


MEMORY = """\
1 sort bitvec 1
2 sort bitvec 32
3 sort array 2 2
4 zero 2
5 state 3 memory
6 init 3 5 4
7 input 2 address
8 input 2 value
9 constd 2 7
10 ult 1 8 9
11 constraint 10
12 write 3 5 7 8
13 next 3 5 12
14 input 2 where
15 read 2 5 14
16 ugte 1 15 9
17 bad 16 seven
18 state 2 loaded
19 init 2 18 4
20 next 2 18 15
21 ugte 1 18 9
22 bad 21 loaded_seven
23 constd 2 5
24 eq 1 18 23
25 bad 24 five
"""


@needs_solver
def test_ic3_proves_what_a_large_memory_holds() -> None:
    model = parse(MEMORY)
    for k in (0, 1):
        answer = ic3(model, k, solver=CADICAL)
        assert (answer.verdict, answer.reason) == (
            Verdict.HOLDS,
            "the invariant is confirmed by glucose4",
        )
    answer = ic3(model, 2, solver=CADICAL)
    assert (answer.verdict, answer.depth) == (Verdict.VIOLATED, 2)


@needs_solver
def test_an_invariant_over_cells_is_confirmed() -> None:
    step = LiteralStep(Evaluator(parse(MEMORY)), 0, 1)
    with pytest.raises(InternalError, match="is not one"):
        step._confirm([], Deadline(None))
    with pytest.raises(InternalError, match="is not one"):
        step._confirm([frozenset({(0, True)})], Deadline(None))


COMPARED = MEMORY + "26 state 3 other\n27 eq 1 26 5\n28 bad 27 same\n"


def test_arrays_that_are_compared_are_left_to_terms() -> None:
    model = parse(COMPARED)
    evaluator = Evaluator(model)
    assert not fits(evaluator, evaluator.bads)
    assert fits(evaluator, evaluator.bads[:3])
    with pytest.raises(ModelError, match="does not compare arrays"):
        check(model, solver=CADICAL)
    assert check(model, kmax=2)["same"].verdict is Verdict.VIOLATED


def test_without_the_package_engines_work_on_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvent.btor2.engines.is_available", lambda: False)
    result = check(parse(MEMORY), engine="bmc", kmax=3, find_all=True)
    assert result["five"].verdict is Verdict.VIOLATED
    assert result["seven"].verdict is Verdict.BOUNDED


@needs_solver
def test_what_is_known_is_not_asked_again() -> None:
    model = parse(MEMORY)
    asked: list[int] = []
    original = Clauses.satisfiable

    def counted(self: Clauses, *assumptions: literals.Condition) -> bool:
        asked.append(len(assumptions))
        return original(self, *assumptions)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Clauses, "satisfiable", counted)
        for known in (-1, 3):
            asked.clear()
            (answer,) = bmc(model, 4, properties=[0], solver=CADICAL, known=known)
            assert (answer.verdict, answer.bound) == (Verdict.BOUNDED, 4)
            # At time 0 the memory is zero.
            assert len(asked) == (4 if known < 0 else 1)
    (answer,) = kinduction(model, 4, properties=[1], solver=CADICAL, known=2)
    assert answer.verdict is Verdict.BOUNDED
