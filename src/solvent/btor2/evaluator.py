"""Evaluation of models, step by step, on numbers, terms and memories.

It is lazy: a step computes what its roots ask for.  A choice whose condition is known looks
at one side only, and a conjunction with something false not at all at the rest; so an instruction
of a processor that is not the current one costs nothing, however symbolic its operands are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from solvent.btor2.guards import Guards
from solvent.btor2.memory import Memory, choose
from solvent.btor2.operators import concrete
from solvent.btor2.symbolic import Value, lower, symbolic
from solvent.btor2.syntax import LITERALS, AnySort, Model, Node, label
from solvent.terms.sorts import ArraySort, BitVecSort

LEAF, UNARY, BINARY, CHOICE, AND, OR, READ, WRITE, EQUAL = range(9)
_CONNECTIVES = (AND, OR)

Leaf = Callable[[int], Value]


class Evaluator:
    """The nodes of a model that some roots need, in places 0, 1, 2, ... with arguments first.

    `place` gives the place of an argument, also of a negated one.
    """

    # What an operator is on values of which one at least is not a number.
    _symbolic: Callable[..., Any] = staticmethod(symbolic)

    def __init__(self, model: Model) -> None:
        self.model = model
        self.places: dict[int, int] = {}
        self.kinds: list[int] = []
        self.first: list[int] = []
        self.second: list[int] = []
        self.third: list[int] = []
        self.concrete: list[Any] = []
        self.symbolic: list[Any] = []
        self.sorts: list[AnySort] = []
        # What holds at each step before anything is computed: the constants.
        self.start: list[Value] = []
        # How many choices could not be decided so far.
        self.undecided = 0
        self.names = _names(model)
        for node in model.nodes.values():
            if node.sort is not None and node.op not in ("sort", "init", "next"):
                self._add(node)
        self.inputs = [self.places[node.id] for node in model.inputs]
        self.states = [self.places[node.id] for node in model.states]
        self.inits = self._parts(model.inits)
        self.nexts = self._parts(model.nexts)
        self.bads = [self.place(node.args[0]) for node in model.bads]
        self.constraints = [self.place(node.args[0]) for node in model.constraints]
        self.fairs = [self.place(node.args[0]) for node in model.fairs]
        self.justices = [[self.place(arg) for arg in node.args] for node in model.justices]
        self.outputs = [self.place(node.args[0]) for node in model.outputs]

    def _parts(self, values: dict[int, int]) -> dict[int, int]:
        return {self.places[state]: self.place(value) for state, value in values.items()}

    # --- construction ------------------------------------------------------------------------

    def place(self, argument: int) -> int:
        """Where the value of an argument is."""
        found = self.places.get(argument)
        if found is None:
            inner = self.places[-argument]
            found = self._new(UNARY, self.sorts[inner], "not", (inner,))
            self.places[argument] = found
        return found

    def _new(
        self,
        kind: int,
        sort: AnySort,
        op: str = "",
        args: tuple[int, ...] = (),
        numbers: tuple[int, ...] = (),
        value: Value = None,
    ) -> int:
        padded = (*args, 0, 0, 0)
        self.kinds.append(kind)
        self.first.append(padded[0])
        self.second.append(padded[1])
        self.third.append(padded[2])
        self.sorts.append(sort)
        self.start.append(value)
        if op and kind in (UNARY, BINARY, CHOICE, AND, OR) and not isinstance(sort, ArraySort):
            widths = tuple([self.sorts[arg].width for arg in args])  # type: ignore[attr-defined]
            self.concrete.append(concrete(op, widths, numbers))
            self.symbolic.append(self._symbolic(op, widths, numbers))
        else:
            self.concrete.append(None)
            self.symbolic.append(None)
        return len(self.kinds) - 1

    def everywhere(self, sort: ArraySort, element: Value) -> Any:
        """The memory with one element everywhere."""
        return Memory.everywhere(sort, element)

    def _add(self, node: Node) -> None:
        sort = node.sort
        assert sort is not None
        op = node.op
        if op in LITERALS:
            self.places[node.id] = self._new(LEAF, sort, value=node.numbers[0])
            return
        if op in ("input", "state"):
            self.places[node.id] = self._new(LEAF, sort)
            return
        places = self.places
        args = tuple([places[arg] if arg in places else self.place(arg) for arg in node.args])
        if op == "implies":
            op, args = "or", (self.place(-node.args[0]), args[1])
        if op in ("eq", "neq") and isinstance(self.sorts[args[0]], ArraySort):
            place = self._new(EQUAL, sort, "", args)
            if op == "neq":
                place = self._new(UNARY, sort, "not", (place,))
        else:
            place = self._new(_kind(op, args, sort), sort, op, args, node.numbers)
        self.places[node.id] = place

    # --- running -----------------------------------------------------------------------------

    def run(self, values: list[Value], roots: Iterable[int], leaf: Leaf, guards: Any) -> None:
        """Compute the values at some places; `leaf` gives those of inputs and states.

        `guards` are what the operators of this evaluator need to look into values, or to make them.
        """
        # flat: what is decided most of the time is computed here, where a call would cost more.
        kinds, first, second, third = self.kinds, self.first, self.second, self.third
        for root in roots:
            if values[root] is not None:
                continue
            stack = [root]
            push, pop = stack.append, stack.pop
            while stack:
                n = stack[-1]
                if values[n] is not None:
                    pop()
                    continue
                kind = kinds[n]
                if kind == CHOICE:
                    test = values[first[n]]
                    if test is None:
                        push(first[n])
                        continue
                    if test.__class__ is int:
                        m = second[n] if test else third[n]
                        value = values[m]
                        chain = [n]
                        # Follow choices that are decided already.
                        while value is None and kinds[m] == CHOICE:
                            test = values[first[m]]
                            if test.__class__ is not int:
                                break
                            chain.append(m)
                            m = second[m] if test else third[m]
                            value = values[m]
                        if value is None:
                            push(m)
                            continue
                        for m in chain:
                            values[m] = value
                        pop()
                        continue
                    if not self._choice(n, test, values, stack, guards):
                        continue
                elif kind == BINARY:
                    a, b = values[first[n]], values[second[n]]
                    if a is None or b is None:
                        if a is None:
                            push(first[n])
                        if b is None:
                            push(second[n])
                        continue
                    if a.__class__ is int and b.__class__ is int:
                        values[n] = self.concrete[n](a, b)
                    else:
                        values[n] = self.symbolic[n](guards, a, b)
                elif kind in _CONNECTIVES:
                    a, b = values[first[n]], values[second[n]]
                    decisive = 0 if kind == AND else 1
                    # One side may decide, whatever the other is.
                    if (a.__class__ is int and a == decisive) or (
                        b.__class__ is int and b == decisive
                    ):
                        values[n] = decisive
                    elif a is None:
                        push(first[n])
                        continue
                    elif b is None:
                        push(second[n])
                        continue
                    elif a.__class__ is int:
                        values[n] = b
                    else:
                        values[n] = a if b.__class__ is int else self.symbolic[n](guards, a, b)
                elif kind == UNARY:
                    a = values[first[n]]
                    if a is None:
                        push(first[n])
                        continue
                    if a.__class__ is int:
                        values[n] = self.concrete[n](a)
                    else:
                        values[n] = self.symbolic[n](guards, a)
                elif kind == LEAF:
                    values[n] = leaf(n)
                elif not self._array(n, kind, values, stack, guards):
                    continue
                pop()

    def _choice(
        self, n: int, test: Value, values: list[Value], stack: list[int], guards: Guards
    ) -> bool:
        """Compute a choice that is not decided; False if something has to be computed first."""
        is_array = self.symbolic[n] is None
        if is_array and self._write_under(n, test, values, stack, guards):
            return False
        a, b = values[self.second[n]], values[self.third[n]]
        if a is None or b is None:
            if a is None:
                stack.append(self.second[n])
            if b is None:
                stack.append(self.third[n])
            return False
        self.undecided += 1
        if is_array:
            values[n] = choose(guards, test, a, b, self.sorts[n])
        else:
            values[n] = self.symbolic[n](guards, test, a, b)
        return True

    def _write_under(
        self, n: int, test: Value, values: list[Value], stack: list[int], guards: Guards
    ) -> bool:
        """Compute a choice between a write and another array, if it is one.

        The write is made for where it is chosen: its index may be known there.  True means that the
        choice is computed, or that its parts have to be computed first.
        """
        write, other = self.second[n], self.third[n]
        if self.kinds[write] != WRITE or values[write] is not None:
            return False
        args = [self.first[write], self.second[write], self.third[write], other]
        missing = [arg for arg in args if values[arg] is None]
        if missing:
            stack.extend(missing)
            return True
        array, index, value, otherwise = (values[arg] for arg in args)
        written = array.write(lower(guards.restricted(test, index)), value, guards)
        values[n] = written.choose(test, otherwise, guards)
        self.undecided += 1
        stack.pop()
        return True

    def _array(
        self, n: int, kind: int, values: list[Value], stack: list[int], guards: Guards
    ) -> bool:
        """Compute an operator on arrays; False if an argument has to be computed first."""
        args = [self.first[n], self.second[n]]
        if kind == WRITE:
            args.append(self.third[n])
        missing = [arg for arg in args if values[arg] is None]
        if missing:
            stack.extend(missing)
            return False
        array = values[args[0]]
        if kind == READ:
            values[n] = array.read(values[args[1]], guards)
        elif kind == WRITE:
            values[n] = array.write(values[args[1]], values[args[2]], guards)
        else:
            values[n] = self._equal(array, values[args[1]], guards)
        return True

    def _equal(self, a: Any, b: Any, guards: Any) -> Value:
        """Whether two memories agree everywhere."""
        return a.equals(b)

    def cone(self, roots: Iterable[int]) -> set[int]:
        """The places that some places depend on, now or later, and at the start."""
        seen = set(roots)
        stack = list(seen)
        states = set(self.states)
        while stack:
            n = stack.pop()
            if n in states:
                below = [table[n] for table in (self.inits, self.nexts) if n in table]
            else:
                below = self.arguments(n)
            for m in below:
                if m not in seen:
                    seen.add(m)
                    stack.append(m)
        return seen

    def arguments(self, n: int) -> list[int]:
        """The places of a node's arguments."""
        count = _ARITY[self.kinds[n]]
        return [self.first[n], self.second[n], self.third[n]][:count]


_ARITY = {LEAF: 0, UNARY: 1, BINARY: 2, CHOICE: 3, AND: 2, OR: 2, READ: 2, WRITE: 3, EQUAL: 2}


def _kind(op: str, args: tuple[int, ...], sort: AnySort) -> int:
    if op == "ite":
        return CHOICE
    if op == "read":
        return READ
    if op == "write":
        return WRITE
    if op in ("and", "or") and isinstance(sort, BitVecSort) and sort.width == 1:
        return AND if op == "and" else OR
    return UNARY if len(args) == 1 else BINARY


def _names(model: Model) -> dict[int, str]:
    """A name for each input and state that no other has."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for kind, nodes in (("input", model.inputs), ("state", model.states)):
        for position, node in enumerate(nodes):
            name = label(node, kind, position)
            if name in taken:
                name = f"{name}.{node.id}"
            while name in taken:
                name += "'"
            taken.add(name)
            names[node.id] = name
    return names


def initial(
    evaluator: Evaluator, states: Iterable[int], missing: Leaf, guards: Guards
) -> list[Value]:
    """The values of a first step: states start with their `init`, others as `missing` says."""
    values = evaluator.start[:]
    wanted = set(states)
    for state in evaluator.states:
        if state not in wanted:
            continue
        init = evaluator.inits.get(state)
        if init is None:
            values[state] = missing(state)
            continue
        evaluator.run(values, (init,), missing, guards)
        value = values[init]
        sort = evaluator.sorts[state]
        if isinstance(sort, ArraySort) and evaluator.sorts[init] is sort.element:
            value = evaluator.everywhere(sort, value)
        values[state] = value
    return values
