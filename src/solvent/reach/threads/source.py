"""A program with threads before it is searched: contracts are commands, and every step is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from solvent.reach.graphs import components
from solvent.reach.program import Assert, Assume, Call, Procedure, Program, Variable
from solvent.reach.threads.primitives import (
    ATOMIC_BEGIN,
    PRIMITIVES,
    Tests,
    branch_tests,
    contract_touches,
    id_sort,
    shared_variables,
    touched,
)
from solvent.terms.sorts import Sort
from solvent.terms.term import Term


@dataclass(slots=True)
class Source:
    """A program with threads, and what is known of its procedures."""

    program: Program
    main: str
    # The procedures that were declared without a body: what they do is one step.
    by_contract: frozenset[str]
    # What is known of branches, by procedure.
    tests: Mapping[str, Tests] = field(init=False)
    # The procedures during which a thread may be interrupted, stop or fail.
    stopping: frozenset[str] = field(init=False)
    # The procedures by contract that have to do with shared variables.
    sharing: frozenset[str] = field(init=False)
    id_sort: Sort[Term] | None = field(init=False)

    def __post_init__(self) -> None:
        procedures = self.program.procedures
        shared = set(self.shared)
        self.id_sort = id_sort(self.program)
        self.tests = {name: branch_tests(one.blocks, shared) for name, one in procedures.items()}
        self.sharing = frozenset(
            name for name in self.by_contract if contract_touches(procedures[name], shared)
        )
        self.stopping = frozenset(self._stopping(shared))

    @property
    def shared(self) -> list[Variable]:
        """The variables that threads share."""
        return shared_variables(self.program)

    @property
    def has_atomic(self) -> bool:
        """Whether there are atomic blocks."""
        return any(self.calls_primitive(call, ATOMIC_BEGIN) for call in self._calls())

    def _calls(self) -> list[Call]:
        return [call for one in self.program.procedures.values() for call in one.calls]

    def calls_primitive(self, call: Call, *names: str) -> bool:
        """Whether a call is one of some of the procedures that Corral knows."""
        return call.procedure in (names or PRIMITIVES) and call.procedure in self.by_contract

    def _stopping(self, shared: set[Variable]) -> set[str]:
        graph = self.program.call_graph
        found: set[str] = set()
        for component in components(graph):
            if any(self._stops(self.program.procedures[name], shared) for name in component) or any(
                callee in found for name in component for callee in graph[name]
            ):
                found.update(component)
        return found - self.by_contract

    def _stops(self, procedure: Procedure, shared: set[Variable]) -> bool:
        """Whether a thread may be interrupted, stop or fail in a procedure itself."""
        tests = self.tests[procedure.name]
        if procedure.name in self.by_contract:
            return False
        if tests.shared or tests.partial:
            return True
        for label, block in procedure.blocks.items():
            for index, command in enumerate(block.commands):
                match command:
                    case Assume():
                        if index == 0 and label in tests.blocks:
                            continue
                        return True
                    case Assert():
                        return True
                    case Call():
                        if command.asynchronous or command.arms is not None:
                            return True
                        if self.calls_primitive(command) or command.procedure in self.sharing:
                            return True
                if not shared.isdisjoint(touched(command)):
                    return True
        return False
