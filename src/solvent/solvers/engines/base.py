"""What every engine provides."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from solvent.solvers.rows import (
    CONSTANT_ROW,
    LITERAL_ROW,
    Data,
    Figures,
    ModelData,
    OpCode,
    Row,
    SortCode,
)


class Unsupported(Exception):
    """The solver has no such sort, operator or feature."""


class OutOfMemory(Exception):
    """The solver gave up for lack of memory."""


# A term, a sort or a function of the solver: there are no types for its library.
Native = Any
# Builds a solver's term from the terms of the arguments.
Builder = Callable[..., Native]


def frozen(data: Data) -> Data:
    """Plain data as a key; the values of arrays have lists in them.

    >>> frozen(((0, [(1, 2)]), 3))
    ((0, ((1, 2),)), 3)
    """
    return tuple(map(frozen, data)) if isinstance(data, (list, tuple)) else data


class Engine(ABC):
    """One context of a solver: terms by number, a stack of assertions, and the last answer."""

    name: ClassVar[str]

    def __init__(self, mode: str = "") -> None:
        self.mode = mode
        self.nodes: list[Native] = []
        self.constants: list[tuple[int, SortCode]] = []
        self.codes: dict[int, SortCode] = {}
        self.functions: dict[str, tuple[Native, tuple[SortCode, ...], SortCode]] = {}
        self._builders: list[Builder] = []
        self._sorts: dict[SortCode, Native] = {}
        # The elements of uninterpreted sorts that models have named, numbered as they came.
        self._elements: dict[SortCode, dict[str, int]] = {}
        # The applications of each function, from which a table of its values can be read.
        self._applications: dict[str, list[tuple[tuple[Native, ...], Native]]] = {}
        self.define_seconds = 0.0

    def forget(self) -> None:
        """Let go of everything, since what builds terms refers to the engine in cycles.

        The garbage collector is off in the process of a solver.
        """
        vars(self).clear()

    @staticmethod
    @abstractmethod
    def version() -> str:
        """The version of the installed solver."""

    # --- terms -------------------------------------------------------------------------------

    @abstractmethod
    def make_sort(self, code: SortCode) -> Native:
        """The solver's sort."""

    @abstractmethod
    def make_constant(self, name: str, sort: Native) -> Native:
        """A constant."""

    @abstractmethod
    def make_literal(self, code: SortCode, value: Data) -> Native:
        """A concrete value."""

    @abstractmethod
    def make_builder(self, name: str, params: tuple[Data, ...]) -> Builder:
        """The function that applies an operator."""

    def sort(self, code: SortCode) -> Native:
        """The solver's sort, made once."""
        found = self._sorts.get(code)
        if found is None:
            found = self._sorts[code] = self.make_sort(code)
        return found

    def define(self, ops: Sequence[OpCode], rows: Sequence[Row]) -> None:
        """Build the terms of new rows, which are numbered on from the last."""
        started = time.perf_counter()
        nodes = self.nodes
        builders = self._builders
        pending = iter(ops)
        for row in rows:
            number = row[0]
            if number >= 0:
                while number >= len(builders):
                    # A quantifier names its variables, so they must have been built before.
                    builders.append(self.make_builder(*next(pending)))
                if len(row) == 3:
                    nodes.append(builders[number](nodes[row[1]], nodes[row[2]]))
                else:
                    nodes.append(builders[number](*[nodes[arg] for arg in row[1:]]))
            elif number == LITERAL_ROW:
                nodes.append(self.make_literal(row[1], row[2]))
            elif number == CONSTANT_ROW:
                self.constants.append((len(nodes), row[2]))
                self.codes[len(nodes)] = row[2]
                nodes.append(self.make_constant(row[1], self.sort(row[2])))
        self.define_seconds += time.perf_counter() - started

    def function(self, name: str, domain: tuple[SortCode, ...], range_: SortCode) -> Native:
        """An uninterpreted function, declared once."""
        found = self.functions.get(name)
        if found is None:
            declared = self.declare(name, [self.sort(code) for code in domain], self.sort(range_))
            found = self.functions[name] = (declared, domain, range_)
        return found[0]

    def special_builder(self, name: str, params: tuple[Data, ...]) -> Builder:
        """The builder that the method `_build_NAME` makes from the parameters."""
        identifier = {"/": "rdiv", "re.^": "re_power"}.get(name, name.replace(".", "_"))
        method: Callable[..., Builder] | None = getattr(self, f"_build_{identifier}", None)
        if method is None:
            raise Unsupported(f"{self.name} has no operator {name}")
        return method(*params)

    def machine_word(self, number: int) -> int:
        """A number that the solver takes as 32 bits, of which it would drop the others."""
        if number >> 32:
            raise Unsupported(f"{self.name} takes numbers below 2**32 here, not {hex(number)}")
        return number

    def applied(self, name: str, args: tuple[Native, ...], application: Native) -> Native:
        """An application, which is remembered."""
        self._applications.setdefault(name, []).append((args, application))
        return application

    def applied_values(
        self,
        name: str,
        domain: tuple[SortCode, ...],
        range_: SortCode,
        value: Callable[[Native, SortCode], Data],
    ) -> list[tuple[tuple[Data, ...], Data]]:
        """The values at the arguments that occur, which is all that a ground query depends on."""
        table = {}
        for args, application in self._applications.get(name, ()):
            row = tuple(value(arg, code) for arg, code in zip(args, domain, strict=True))
            table[frozen(row)] = row, value(application, range_)
        return list(table.values())

    def element(self, code: SortCode, name: str) -> int:
        """The number of an element of an uninterpreted sort."""
        names = self._elements.setdefault(code, {})
        return names.setdefault(name, len(names))

    @abstractmethod
    def declare(self, name: str, domain: list[Native], range_: Native) -> Native:
        """Declare an uninterpreted function."""

    # --- assertions and answers --------------------------------------------------------------

    @abstractmethod
    def push(self) -> None: ...

    @abstractmethod
    def pop(self, count: int) -> None: ...

    @abstractmethod
    def assert_formula(self, number: int) -> None: ...

    @abstractmethod
    def check(self, assumptions: Sequence[int], seconds: float | None) -> tuple[str, str]:
        """The status and, if it is unknown, the reason."""

    @abstractmethod
    def model(self, wanted: Sequence[int] | None = None) -> ModelData:
        """Values of constants by number, of functions by name, and the inexact constants.

        If only some constants are wanted, no functions are given.
        """

    def asked(self, wanted: Sequence[int] | None) -> list[tuple[int, SortCode]]:
        """The constants that are wanted, or all."""
        if wanted is None:
            return self.constants
        return [(number, self.codes[number]) for number in wanted]

    @abstractmethod
    def core(self) -> list[int]:
        """The numbers of assumptions that are unsatisfiable together with the assertions."""

    def optimize(self, number: int, maximize: bool) -> None:
        """Add an objective for the following checks."""
        raise Unsupported(f"{self.name} has no optimisation; use z3")

    def objectives(self) -> list[Data]:
        """The optimal values found by the last check, in the order of the objectives."""
        raise Unsupported(f"{self.name} has no optimisation; use z3")

    @abstractmethod
    def interrupt(self) -> None:
        """Stop the running check, if the solver can; called from another thread."""

    @abstractmethod
    def statistics(self) -> Figures:
        """The solver's own figures."""

    def figures(self) -> tuple[float, Figures]:
        """The seconds spent on building terms, and the solver's own figures as plain data."""
        plain = (bool, int, float, str)
        own = {
            str(name): figure if isinstance(figure, plain) else str(figure)
            for name, figure in self.statistics().items()
        }
        return self.define_seconds, own
