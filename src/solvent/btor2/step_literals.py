"""One step of a model as IC3 needs it, on literals; of memories only some cells are followed.

A small memory is all of its cells.  Of a large one, cells are followed whose addresses are chosen
at the start and stay (prophecy variables): what is read elsewhere may be anything.  So every
execution of the model is one of the step, whatever the addresses are.  A bad state counts only if
the addresses are those that were read in the bad step, or some steps before, as `level` says: each
execution to a bad state has such addresses, so that nothing is lost, and for all others the step
would allow for too much.  A counterexample may still be none; then the next level is tried.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from solvent.btor2.cells import Base, Cells, as_word
from solvent.btor2.errors import ModelError
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.literals import (
    Clauses,
    Condition,
    Literals,
    WordEvaluator,
    as_condition,
    is_small,
)
from solvent.btor2.slots import CellBit, Followed, Slots
from solvent.btor2.solving import DEFAULT
from solvent.btor2.step_terms import TermStep
from solvent.btor2.steps import MOST_BITS, Confirmed, Cube, Literal, Part, Seen
from solvent.btor2.symbolic import Value
from solvent.btor2.system import leaf_constant
from solvent.errors import InternalError
from solvent.solvers.gates import FALSE
from solvent.solvers.words import Word, choice, constant, equal
from solvent.terms import BitVecTerm, and_, eq, extract, not_, or_
from solvent.terms.kinds import Guard
from solvent.terms.sorts import ArraySort, BitVecSort
from solvent.terms.term import Term
from solvent.verdicts import Deadline, GaveUp

# How many slots are tried, and at how many addresses a step may look.
MOST_SLOTS = 3
MOST_ADDRESSES = 60
# How many registers may be told to be addresses.
MOST_REGISTERS = 12
# In how many ways slots may be those addresses.
MOST_WAYS = 5000
# Memories of at most so many bits, all together, are all of their cells at once.
FEW_BITS = 128
# The solver of clauses that confirms what terms cannot say.
SECOND = "Glucose4"

ALL_CELLS = 0


def numbers_of_slots(evaluator: Evaluator, k: int, lemmas: Sequence[int] = ()) -> list[int]:
    """With how many slots a property is tried, one after the other; `ALL_CELLS` is without any."""
    bads = (evaluator.bads[one] for one in (k, *lemmas))
    cone = evaluator.cone([*bads, *evaluator.constraints])
    sorts = {place: evaluator.sorts[place] for place in cone}
    arrays = {place: sort for place, sort in sorts.items() if isinstance(sort, ArraySort)}
    if not all(map(is_small, arrays.values())):
        return list(range(1, MOST_SLOTS + 1))
    few = sum(_bits(sort) for place, sort in arrays.items() if place in evaluator.nexts) <= FEW_BITS
    return [ALL_CELLS] if few else [*range(1, MOST_SLOTS + 1), ALL_CELLS]


def _bits(sort: ArraySort) -> int:
    index, element = sort.index, sort.element
    assert isinstance(index, BitVecSort)
    assert isinstance(element, BitVecSort)
    return element.width << index.width


class _Compared(NamedTuple):
    """A literal that says that two memories agree everywhere."""

    literal: int
    first: Cells
    second: Cells


class _StepLiterals(Literals):
    """Literals of a step with slots: what agrees is said of the addresses at which it looks."""

    def __init__(self) -> None:
        super().__init__()
        self.compared: list[_Compared] = []

    def agree(self, a: Cells, b: Cells) -> int:
        """A literal that says whether two memories agree everywhere."""
        self.compared.append(_Compared(self.variable(), a, b))
        return self.compared[-1].literal


class LiteralStep:
    """One step of a model on literals."""

    def __init__(
        self, evaluator: Evaluator, k: int, slots: int, lemmas: Sequence[int] = ()
    ) -> None:
        """`lemmas` are properties that hold, as is known already."""
        self.plain = evaluator
        self.property = k
        self.lemmas = lemmas
        self.literals = Literals() if slots == ALL_CELLS else _StepLiterals()
        self.evaluator = WordEvaluator(evaluator.model, self.literals)
        self.now: list[Value] = []
        self.following: list[Value] = []
        # Which state and which of its bits a bit is, where it is one.
        self.origins: list[tuple[int, int] | None] = []
        # Which place of a slot a bit is: of which group of slots, and which of them.
        self.slotted: dict[int, tuple[int, int, int]] = {}
        self.groups: list[Slots] = []
        self.inputs: list[int] = []
        # Whether all that the step allows for can happen in the model, as far as it was used.
        self.is_exact = True
        self._count = slots
        self._bases: list[Base] = []
        # What holds of memories in each state: nobody has to see to it.
        self._facts: list[int] = []
        self._start: list[int] = []
        bads = self.evaluator.bads
        self._never = [bads[one] for one in lemmas]
        self._roots = [bads[k], *self.evaluator.constraints, *self._never]
        cone = self.evaluator.cone(self._roots)
        states = [place for place in self.evaluator.states if place in cone]
        self._kept = [place for place in states if place in self.evaluator.nexts]
        self._free = [place for place in states if place not in self.evaluator.nexts]
        self._require(evaluator)
        self._build(states)

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

    def _build(self, states: list[int]) -> None:
        evaluator, gates = self.evaluator, self.literals
        words: dict[int, Word] = {}
        memories: dict[int, Cells] = {}
        for place in self._kept:
            sort = evaluator.sorts[place]
            if isinstance(sort, ArraySort):
                memories[place] = self._memory(sort)
            else:
                assert isinstance(sort, BitVecSort)
                words[place] = self._variables(sort.width)
        current: dict[int, Value] = {**words, **memories}
        first_memories: dict[int, Cells] = {}
        first_values = self._at_the_start(states, words, current, first_memories)
        values = self._now(current, first_values, first_memories)
        nexts = evaluator.nexts
        evaluator.run(values, self._roots, self._anything, gates)
        evaluator.run(values, [nexts[place] for place in self._kept], self._anything, gates)
        for place, word in words.items():
            self._keep(word, as_word(values[nexts[place]], len(word)), place)
        following = {place: values[nexts[place]] for place in memories}
        if self._count == ALL_CELLS:
            self._keep_all_cells(memories, first_memories, following)
        else:
            registers = [
                (word, as_word(values[nexts[place]], len(word))) for place, word in words.items()
            ]
            self._keep_slots(memories, first_memories, following, registers)
        bad, *others = (as_word(values[place], 1)[0] for place in self._roots)
        never = len(others) - len(self._never)
        self._finish(bad, [*others[:never], *(-one for one in others[never:])])

    def _finish(self, bad: int, constraints: list[int]) -> None:
        gates = self.literals
        self.inputs += [bit for one in self._bases for word in one.asked.values() for bit in word]
        # They are said with the constraints: what leads to a target must fulfil them, too.
        self.constraint = as_condition(gates.all_of([*constraints, *gates.side_conditions]))
        gates.side_conditions.clear()
        self.facts = as_condition(gates.all_of(self._facts))
        self.bad = as_condition(bad)
        self.start = as_condition(gates.all_of(self._start))

    def _variables(self, width: int) -> Word:
        return tuple([self.literals.variable() for _ in range(width)])

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
        current: dict[int, Value],
        first_memories: dict[int, Cells],
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
            first_memories[place] = memory
            if place not in current:
                values[place] = memory
        return first_values

    def _now(
        self,
        current: dict[int, Value],
        first_values: dict[int, Word],
        first_memories: dict[int, Cells],
    ) -> list[Value]:
        """The values of the states in the step: those without `next` start with what they do."""
        values = self.evaluator.start[:]
        for place, value in current.items():
            values[place] = value
        first = FALSE
        if first_values or any(place in first_memories for place in self._free):
            first = self.literals.variable()
            self._keep((first,), (FALSE,))
            self._start.append(first)
        for place in self._free:
            values[place] = self._anything(place)
        for place, word in first_values.items():
            if place in self._free:
                values[place] = choice(self.literals, first, word, values[place])
        for place in self._free:
            if place in first_memories:
                values[place] = first_memories[place].choose((first,), values[place], self.literals)
        return values

    # --- memories ----------------------------------------------------------------------------

    def _memory(self, sort: ArraySort) -> Cells:
        """A memory now: anything, or written at each address if there are no slots."""
        if self._count != ALL_CELLS:
            return Cells(Base(sort, None, self._facts, MOST_ADDRESSES))
        assert isinstance(sort.element, BitVecSort)
        width = sort.element.width
        base = Base(sort, constant(0, width), self._facts)
        memory = Cells(base)
        for address in range(1 << base.index_width):
            memory = memory.write(address, self._variables(width), self.literals)
        return memory

    def _keep_all_cells(
        self, memories: dict[int, Cells], starts: dict[int, Cells], following: dict[int, Cells]
    ) -> None:
        gates = self.literals
        for place, memory in memories.items():
            base = _base(memory)
            for number in range(1 << base.index_width):
                address = constant(number, base.index_width)

                now = memory.word_at(address, gates)
                self._keep(now, following[place].word_at(address, gates))
                if place in starts:
                    self._start.append(gates.agree_at(address, memory, starts[place]))

    def _keep_slots(
        self,
        memories: dict[int, Cells],
        starts: dict[int, Cells],
        following: dict[int, Cells],
        registers: Sequence[tuple[Word, Word]],
    ) -> None:
        """Make slots a part of the state, for all memories whose addresses have one width."""
        gates = self.literals
        self._say_where_they_differ()
        by_width: dict[int, list[int]] = defaultdict(list)
        for place, memory in memories.items():
            by_width[_base(memory).index_width].append(place)
        for group, (width, places) in enumerate(by_width.items()):
            row = [Followed(_base(memories[one]), following[one]) for one in places]
            wide = [one for one in registers if len(one[0]) == width][:MOST_REGISTERS]
            slots = Slots(row, wide, self._count, gates)
            if len(slots.rows) ** self._count > MOST_WAYS:
                raise GaveUp("memories are looked at in too many places")
            self.groups.append(slots)
            for address in slots.nexts:
                self.inputs += address[: slots.width]
            for number, (now, after) in enumerate(zip(slots.slots, slots.nexts, strict=True)):
                bits = range(len(self.now), len(self.now) + len(now))
                self.slotted |= {bit: (group, number, at) for at, bit in enumerate(bits)}
                self._keep(now, after)
            for place, one in zip(places, row, strict=True):
                for address in slots.addresses() if place in starts else ():
                    first = starts[place].word_at(address, gates)
                    self._start.append(equal(gates, one.base.read(address, gates), first))

            self._say_where_they_agree(slots)

    def _say_where_they_differ(self) -> None:
        """Of two memories that do not agree it is known where they differ."""
        gates = self.literals
        for literal, a, b in self._compared():
            address = self._variables(a.index_width)
            self.inputs += (literal, *address)
            gates.side_conditions.append(gates.either(literal, -gates.agree_at(address, a, b)))
            # That they agree elsewhere, too, is not said.
            self.is_exact = False

    def _say_where_they_agree(self, slots: Slots) -> None:
        gates = self.literals
        for literal, a, b in self._compared():
            for address in slots.addresses() if a.index_width == slots.width else ():
                self._facts.append(gates.either(-literal, gates.agree_at(address, a, b)))

    def _compared(self) -> list[_Compared]:
        return self.literals.compared if isinstance(self.literals, _StepLiterals) else []

    # --- for the prover ----------------------------------------------------------------------

    def questions(self, solver: str | None, deadline: Deadline) -> Clauses:
        """A solver for conditions of this step."""
        found = Clauses(self.literals, deadline)
        found.add(self.facts)
        return found

    def switch(self) -> Condition:
        """A condition that nothing else speaks of."""
        return (self.literals.variable(),)

    def outside(self, cube: Cube) -> list[list[Condition]]:
        """Clauses that hold if the state is not in a cube: one for each way to choose slots."""
        fixed = [_differs(self.now[bit], v) for bit, v in cube if bit not in self.slotted]
        said = [(*self.slotted[bit], v) for bit, v in cube if bit in self.slotted]
        used = sorted({(group, slot) for group, slot, _, _ in said})
        clauses = []
        for rows in product(*(self.groups[group].rows for group, _ in used)):
            chosen = dict(zip(used, rows, strict=True))
            clause = {_differs((chosen[g, s][at],), v) for g, s, at, v in said}
            if True not in clause:
                clauses.append([*fixed, *(clause - {False})])
        return clauses

    def bundles(self, cube: Cube) -> list[Cube]:
        """Literals that are left out together: the address of a slot."""
        found: dict[tuple[int, int], set[Literal]] = defaultdict(set)
        for bit, value in cube:
            if bit in self.slotted:
                group, slot, at = self.slotted[bit]
                if at < self.groups[group].width:
                    found[group, slot].add((bit, value))
        return [frozenset(found[one]) for one in sorted(found)]

    def seen(self, questions: Clauses) -> Seen:
        """The state and the inputs of the last model."""
        return _Seen(self, questions)

    def confirmed(self, cubes: Sequence[Cube], solver: str | None, deadline: Deadline) -> Confirmed:
        """That no state is in one of some cubes, after another solver has looked at it."""
        sorts = [self.evaluator.sorts[place] for place in (*self._kept, *self._free)]
        if None not in self.origins and not any(isinstance(one, ArraySort) for one in sorts):
            invariant = and_(*[or_(*self._outside_as_terms(cube)) for cube in cubes])
            TermStep(self.plain, self.property, self.lemmas).confirm(invariant, DEFAULT, deadline)
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
        questions.add(self.facts)
        try:
            started, stays = (
                questions.all_of(
                    questions.any_of(_differs(bits[b], v) for b, v in sorted(cube))
                    for cube in cubes
                )
                for bits in (self.now, self.following)
            )
            holds = questions.all_of(
                questions.any_of(clause) for cube in cubes for clause in self.outside(cube)
            )
            goals: tuple[tuple[Condition, ...], ...] = (
                (self.start, questions.negation(started)),
                (holds, self.constraint, questions.negation(stays)),
                (holds, self.constraint, self.bad),
            )
            if any(questions.satisfiable(*goal) for goal in goals):
                raise InternalError("the invariant that IC3 found is not one")
        finally:
            questions.close()


class _Seen:
    """A state that a model shows, and the inputs."""

    def __init__(self, step: LiteralStep, questions: Clauses) -> None:
        self.step = step
        self.fixed: list[Value] = [(one if questions.holds(one) else -one,) for one in step.inputs]
        self.said: dict[Value, list[Part]] = defaultdict(list)
        for bit, condition in enumerate(step.now):
            if bit not in step.slotted:
                value = questions.is_true(condition)
                self.said[_is(condition, value)].append((bit, value))
        # The rows in the model.
        self._values: list[list[list[bool]]] = []
        for group, slots in enumerate(step.groups):
            found = [[questions.is_true(as_condition(one)) for one in row] for row in slots.rows]
            self._values.append(found)
            for number, (row, values) in enumerate(zip(slots.rows, found, strict=True)):
                for at in range(slots.width, len(row)):
                    said = CellBit(group, number, at, values[at])
                    self.said[_is((row[at],), values[at])].append(said)

    def cube(
        self,
        parts: Iterable[Part],
        needed: Callable[[Sequence[Value]], Iterable[Part]],
    ) -> Cube:
        """Some parts of the state as a cube, with what says why rows are at their addresses."""
        found = set(parts)
        done: set[tuple[int, int]] = set()
        while True:
            new = {(one.group, one.row) for one in found if isinstance(one, CellBit)} - done
            if not new:
                return self._with_slots(found)
            done |= new
            found |= set(
                needed([bit for group, row in sorted(new) for bit in self._at(group, row)])
            )

    def _at(self, group: int, number: int) -> list[Value]:
        """That the address of a row is what it is in the model."""
        slots = self.step.groups[group]
        pairs = zip(slots.rows[number], self._values[group][number], strict=True)
        return [_is((bit,), value) for bit, value in list(pairs)[: slots.width]]

    def _with_slots(self, parts: set[Part]) -> Cube:
        """A cube in which rows are slots, those at one address the same."""
        cube = {one for one in parts if not isinstance(one, CellBit)}
        cells: dict[tuple[int, tuple[bool, ...]], set[tuple[int, bool]]] = defaultdict(set)
        for one in parts:
            if isinstance(one, CellBit):
                width = self.step.groups[one.group].width
                address = tuple(self._values[one.group][one.row][:width])
                cells[one.group, address].add((one.place, one.value))
        chosen = self._slots_for(list(cells))
        for bit, (group, slot, at) in self.step.slotted.items():
            at_slot = chosen.get((group, slot))
            if at_slot is None:
                continue
            if at < len(at_slot):
                cube.add((bit, at_slot[at]))
            elif at in self.step.groups[group].marks:
                cube.add((bit, self._marked(group, at_slot, at)))
            else:
                cube |= {(bit, v) for place, v in cells[group, at_slot] if place == at}
        return frozenset(cube)

    def _marked(self, group: int, address: tuple[bool, ...], at: int) -> bool:
        """Whether a register is an address: this is told of each slot, for it is often why."""
        rows = self._values[group]
        return next(row[at] for row in rows if tuple(row[: len(address)]) == address)

    def _slots_for(
        self, wanted: list[tuple[int, tuple[bool, ...]]]
    ) -> dict[tuple[int, int], tuple[bool, ...]]:
        """Slots for addresses: those that are theirs in the next state, too, if possible."""
        chosen: dict[tuple[int, int], tuple[bool, ...]] = {}
        for group, slots in enumerate(self.step.groups):
            left = sorted(address for one, address in wanted if one == group)
            # The first rows are those at the addresses of the next slots.
            for number, values in enumerate(self._values[group][: len(slots.slots)]):
                address = tuple(values[: slots.width])
                if address in left:
                    chosen[group, number] = address
                    left.remove(address)
            for number in range(len(slots.slots)):
                if left and (group, number) not in chosen:
                    chosen[group, number] = left.pop(0)
            if left:
                # Something is forgotten.
                self.step.is_exact = False
        return chosen


def _is(condition: Condition, value: bool) -> Condition:
    """That a condition has a value."""
    if isinstance(condition, tuple):
        return as_condition(condition[0] if value else -condition[0])
    return condition == value


def _differs(condition: Condition, value: bool) -> Condition:
    return _is(condition, not value)


def _base(memory: Cells) -> Base:
    """What is below a memory that is a state."""
    assert isinstance(memory.base, Base)
    return memory.base


def state_bit(evaluator: Evaluator, place: int, bit: int) -> Guard:
    """A bit of a state as a term."""
    names = {evaluator.places[number]: name for number, name in evaluator.names.items()}
    term: Term = leaf_constant(evaluator.sorts[place], names[place])
    return eq(extract(bit, bit, term), 1) if isinstance(term, BitVecTerm) else term  # type: ignore[return-value]
