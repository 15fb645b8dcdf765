"""One step of a model as IC3 needs it, on literals; of memories only some cells are followed.

A small memory is all of its cells.  Of a large one, cells are followed whose addresses are chosen
at the start and stay (prophecy variables): what is read elsewhere may be anything.  So every
execution of the model is one of the step, whatever the addresses are.  A bad state counts only if
the addresses are those that were read in the bad step, or some steps before, as `level` says: each
execution to a bad state has such addresses, so that nothing is lost, and for all others the step
would allow for too much.  A counterexample may still be none; then the next level is tried.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvent.btor2.cells import Base, Cells, as_word
from solvent.btor2.errors import ModelError
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.gates import FALSE, TRUE
from solvent.btor2.literals import (
    Clauses,
    Condition,
    Literals,
    WordEvaluator,
    as_condition,
    is_small,
)
from solvent.btor2.solving import DEFAULT
from solvent.btor2.step_terms import TermStep
from solvent.btor2.steps import MOST_BITS, Confirmed, Cube
from solvent.btor2.symbolic import Value
from solvent.btor2.syntax import Model
from solvent.btor2.system import leaf_constant
from solvent.btor2.words import Word, choice, constant, equal
from solvent.errors import InternalError
from solvent.terms import BitVecTerm, and_, eq, extract, not_, or_
from solvent.terms.kinds import Guard
from solvent.terms.sorts import ArraySort, BitVecSort
from solvent.terms.term import Term
from solvent.verdicts import Deadline

# How many levels there are, and how many addresses of one memory are followed.
LEVELS = 3
MOST_ADDRESSES = 8
# The solver of clauses that confirms what terms cannot say.
SECOND = "Glucose4"


class _Followed:
    """A memory of which some cells are followed: their addresses and what they hold."""

    def __init__(self, sort: ArraySort, addresses: list[Word], literals: Literals) -> None:
        self.base = Base(sort, None, literals.side_conditions)
        self.addresses = addresses
        width = self.base.element_width
        self.cells = [tuple([literals.variable() for _ in range(width)]) for _ in addresses]
        self.memory = Cells(self.base)
        for address, cell in zip(addresses, self.cells, strict=True):
            self.memory = self.memory.write(address, cell, literals)

    def reads(self, memory: Cells, literals: Literals) -> list[Word]:
        """What another memory holds at the addresses that are followed."""
        width = self.base.element_width
        return [as_word(memory.read(address, literals), width) for address in self.addresses]


class LiteralStep:
    """One step of a model on literals."""

    def __init__(self, evaluator: Evaluator, k: int, level: int) -> None:
        self.plain = evaluator
        self.property = k
        self.literals = Literals()
        self.evaluator = WordEvaluator(evaluator.model, self.literals)
        self.now: list[Value] = []
        self.following: list[Value] = []
        # Which state and which of its bits a bit is, where it is one.
        self.origins: list[tuple[int, int] | None] = []
        self.inputs: list[int] = []
        # Whether all that the step allows for can happen in the model.
        self.is_exact = True
        self._bases: list[Base] = []
        self._start: list[int] = []
        self._roots = [self.evaluator.bads[k], *self.evaluator.constraints]
        cone = self.evaluator.cone(self._roots)
        states = [place for place in self.evaluator.states if place in cone]
        self._kept = [place for place in states if place in self.evaluator.nexts]
        self._free = [place for place in states if place not in self.evaluator.nexts]
        self._require(evaluator)
        self._build(states, level)

    def _require(self, evaluator: Evaluator) -> None:
        sorts = [evaluator.sorts[place] for place in self._kept]
        bits = sum(sort.width for sort in sorts if isinstance(sort, BitVecSort))
        if bits > MOST_BITS:
            raise ModelError(f"IC3 is not tried on more than {MOST_BITS} bits of states")

    def _anything(self, place: int) -> Word | Cells:
        """An input, or a state that may be anything."""
        found = self.literals.anything(self.evaluator.sorts[place])
        if isinstance(found, Cells):
            assert isinstance(found.base, Base)
            self._bases.append(found.base)
        else:
            self.inputs += found
        return found

    def _build(self, states: list[int], level: int) -> None:
        evaluator, gates = self.evaluator, self.literals
        words: dict[int, Word] = {}
        followed: dict[int, _Followed] = {}
        counts = _reads(self.plain.model, self._roots, self._kept)
        for place in self._kept:
            sort = evaluator.sorts[place]
            if isinstance(sort, ArraySort):
                addresses = self._addresses(sort, counts[place], level)
                followed[place] = _Followed(sort, addresses, gates)
                self._bases.append(followed[place].base)
            else:
                words[place] = self._anything(place)  # type: ignore[assignment]
                del self.inputs[-len(words[place]) :]
        current: dict[int, Value] = {**words, **{p: one.memory for p, one in followed.items()}}
        first_values = self._at_the_start(states, words, followed, current)
        values = self._now(current, first_values)
        evaluator.run(values, self._roots, self._anything, gates)
        early = {place: list(one.base.asked) for place, one in followed.items()}
        nexts = [evaluator.nexts[place] for place in self._kept]
        evaluator.run(values, nexts, self._anything, gates)
        bads = [as_word(values[self._roots[0]], 1)[0]]
        for place, one in followed.items():
            late = list(one.base.asked)
            bads += self._prophecy(one, early[place], late, level)
            after = one.reads(values[evaluator.nexts[place]], gates)
            for cell, word in zip(one.cells, after, strict=True):
                self._keep(cell, word)
        for place, word in words.items():
            following = as_word(values[evaluator.nexts[place]], len(word))
            self._keep(word, following, place)
        constraints = [as_word(values[place], 1)[0] for place in self._roots[1:]]
        self._finish(bads, constraints)

    def _finish(self, bads: list[int], constraints: list[int]) -> None:
        gates = self.literals
        self.inputs += [bit for one in self._bases for word in one.asked.values() for bit in word]
        # They are said with the constraints: what leads to a target must fulfil them, too.
        self.constraint = as_condition(gates.all_of([*constraints, *gates.side_conditions]))
        gates.side_conditions.clear()
        self.bad = as_condition(gates.all_of(bads))
        self.start = as_condition(gates.all_of(self._start))

    def _keep(self, word: Word, following: Word, place: int | None = None) -> None:
        """Make a word a part of the state."""
        self.now += map(as_condition, word)
        self.following += map(as_condition, following)
        self.origins += [None if place is None else (place, k) for k in range(len(word))]

    # --- the start ---------------------------------------------------------------------------

    def _at_the_start(
        self,
        states: list[int],
        words: dict[int, Word],
        followed: dict[int, _Followed],
        current: dict[int, Value],
    ) -> dict[int, Word]:
        """Say how the state starts; what states without `next` are at the start only.

        A start that spoke of inputs would let a cube start with others than those it was found
        with: what states start with is a part of the state, which stays.
        """
        evaluator, gates = self.evaluator, self.literals
        first_values: dict[int, Word] = {}

        def chosen(place: int) -> Word | Cells:
            found = gates.anything(evaluator.sorts[place])
            if isinstance(found, Cells):
                assert isinstance(found.base, Base)
                self._bases.append(found.base)
                self.is_exact = False
                return found
            self._keep(found, found)
            first_values[place] = found
            return found

        values = evaluator.start[:]
        for place, value in current.items():
            values[place] = value
        for place in states:
            init = evaluator.inits.get(place)
            if init is None:
                continue
            evaluator.run(values, (init,), chosen, gates)
            value, sort = values[init], evaluator.sorts[place]
            if isinstance(sort, BitVecSort):
                word = as_word(value, sort.width)
                if place in words:
                    self._start.append(equal(gates, words[place], word))
                else:
                    values[place] = first_values[place] = word
                continue
            assert isinstance(sort, ArraySort)
            memory = evaluator.everywhere(sort, value) if not isinstance(value, Cells) else value
            if place in followed:
                one = followed[place]
                for cell, element in zip(one.cells, one.reads(memory, gates), strict=True):
                    self._start.append(equal(gates, cell, element))
            else:
                values[place] = memory
                self.is_exact = False
        return first_values

    def _now(self, current: dict[int, Value], first_values: dict[int, Word]) -> list[Value]:
        """The values of the states in the step: those without `next` start with what they do."""
        values = self.evaluator.start[:]
        for place, value in current.items():
            values[place] = value
        first = FALSE
        if first_values:
            first = self.literals.variable()
            self._keep((first,), (FALSE,))
            self._start.append(first)
        for place in self._free:
            values[place] = self._anything(place)
        for place, word in first_values.items():
            if place in self._free:
                values[place] = choice(self.literals, first, word, values[place])
        return values

    # --- memories ----------------------------------------------------------------------------

    def _addresses(self, sort: ArraySort, count: tuple[int, int], level: int) -> list[Word]:
        """The addresses that are followed: all, or as many as are needed, which stay."""
        index, element = sort.index, sort.element
        assert isinstance(index, BitVecSort)
        assert isinstance(element, BitVecSort)
        if is_small(sort):
            return [constant(k, index.width) for k in range(1 << index.width)]
        self.is_exact = False
        early, late = count
        wanted = min(early + late * level, MOST_ADDRESSES)
        addresses: list[Word] = []
        for _ in range(wanted):
            address = tuple([self.literals.variable() for _ in range(index.width)])
            self._keep(address, address)
            addresses.append(address)
        return addresses

    def _prophecy(
        self, one: _Followed, early: list[Word], late: list[Word], level: int
    ) -> list[int]:
        """That the addresses are those that are read now, or were read some steps ago."""
        gates = self.literals
        if not one.addresses or abs(one.addresses[0][0]) == TRUE:
            return []
        # Which word an address is to be, and how many steps ago it was read.
        wanted = [(word, 0) for word in early]
        wanted += [(word, delay) for delay in range(1, level + 1) for word in late]
        found = []
        for address, (word, delay) in zip(one.addresses, wanted, strict=False):
            same = equal(gates, address, word)
            # Addresses stay: it is enough to remember whether they were equal.
            for _ in range(delay):
                remembered = gates.variable()
                self._keep((remembered,), (same,))
                same = remembered
            found.append(same)
        return found

    # --- for the prover ----------------------------------------------------------------------

    def questions(self, solver: str | None, deadline: Deadline) -> Clauses:
        """A solver for conditions of this step."""
        return Clauses(self.literals, deadline)

    def switch(self) -> Condition:
        """A condition that nothing else speaks of."""
        return (self.literals.variable(),)

    def fixed(self, questions: Clauses) -> list[Condition]:
        """That the inputs are as in the last model."""
        return [(one if questions.holds(one) else -one,) for one in self.inputs]

    def state(self, questions: Clauses) -> list[bool]:
        """The bits of the state in the last model."""
        return [questions.is_true(one) for one in self.now]

    def confirmed(self, cubes: Sequence[Cube], solver: str | None, deadline: Deadline) -> Confirmed:
        """That no state is in one of some cubes, after another solver has looked at it."""
        sorts = [self.evaluator.sorts[place] for place in (*self._kept, *self._free)]
        if None not in self.origins and not any(isinstance(one, ArraySort) for one in sorts):
            invariant = and_(*[or_(*self._outside_as_terms(cube)) for cube in cubes])
            TermStep(self.plain, self.property).confirm(invariant, DEFAULT, deadline)
            return invariant, DEFAULT
        self._confirm(cubes, deadline)
        return None, SECOND.lower()

    def _outside_as_terms(self, cube: Cube) -> list[Guard]:
        found: list[Guard] = []
        for bit, value in sorted(cube):
            origin = self.origins[bit]
            assert origin is not None
            term = state_bit(self.plain, *origin)
            found.append(not_(term) if value else term)
        return found

    def _confirm(self, cubes: Sequence[Cube], deadline: Deadline) -> None:
        questions = Clauses(self.literals, deadline, SECOND)
        try:
            holds, stays = (
                questions.all_of(
                    questions.any_of(
                        questions.negation(bits[b]) if v else bits[b] for b, v in sorted(cube)
                    )
                    for cube in cubes
                )
                for bits in (self.now, self.following)
            )
            goals: tuple[tuple[Condition, ...], ...] = (
                (self.start, questions.negation(holds)),
                (holds, self.constraint, questions.negation(stays)),
                (holds, self.constraint, self.bad),
            )
            if any(questions.satisfiable(*goal) for goal in goals):
                raise InternalError("the invariant that IC3 found is not one")
        finally:
            questions.close()


def state_bit(evaluator: Evaluator, place: int, bit: int) -> Guard:
    """A bit of a state as a term."""
    names = {evaluator.places[number]: name for number, name in evaluator.names.items()}
    term: Term = leaf_constant(evaluator.sorts[place], names[place])
    return eq(extract(bit, bit, term), 1) if isinstance(term, BitVecTerm) else term  # type: ignore[return-value]


def _reads(model: Model, roots: list[int], kept: list[int]) -> dict[int, tuple[int, int]]:
    """At how many addresses memories are read: for the properties, and for all of a step."""
    literals = Literals()
    evaluator = WordEvaluator(model, literals)
    values = evaluator.start[:]
    memories: dict[int, Base] = {}
    for place in kept:
        values[place] = literals.anything(evaluator.sorts[place])
        if isinstance(values[place], Cells):
            memories[place] = values[place].base
    if not memories:
        return {}

    def anything(place: int) -> Word | Cells:
        return literals.anything(evaluator.sorts[place])

    evaluator.run(values, roots, anything, literals)
    early = {place: len(base.asked) for place, base in memories.items()}
    evaluator.run(values, [evaluator.nexts[place] for place in kept], anything, literals)
    return {place: (early[place], len(base.asked)) for place, base in memories.items()}
