"""The compiled core; `docs/internals.md` tells what it does.

Its functions have the types of those in Python that they stand in for, which modules of terms let
type checkers see instead.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

from solvent.terms.ops import Op
from solvent.terms.sorts import Sort
from solvent.terms.term import Term

TermT = TypeVar("TermT", bound=Term)
FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

REVISION: int
COMMUTATIVE: int
BINARY: int
UNARY: int

class Node:
    """What a term holds."""

    @property
    def op(self) -> Op[Any]: ...
    @property
    def sort(self) -> Sort[Term]: ...
    @property
    def id(self) -> int: ...
    @property
    def key(self) -> tuple[Any, ...]: ...

class Constructor:
    """The constructor of an operator; `mixed` builds where not all operands are terms of a sort."""

    def __new__(
        cls, kind: int, op: Op[Any], sort: Sort[Term] | None, mixed: Callable[..., Any]
    ) -> Constructor: ...
    def __call__(self, *operands: Any) -> Any: ...

class Probe:
    """What the profiler measures with; `vm.probe` has the reference."""

    @property
    def active(self) -> bool: ...
    def enter(self, function: int) -> int: ...
    def at(self, depth: int, line: int) -> None: ...
    def leave(self, depth: int) -> None: ...
    def charge(self, measure: int, amount: int) -> None: ...
    def function(self, first: int, count: int) -> int: ...
    def start(self, bottom: int) -> None: ...
    def stop(self) -> tuple[list[tuple[int, int, int, int, int]], bytes, bytes]: ...
    def setup(self, counters: tuple[str, ...]) -> None: ...

def claim() -> bool: ...
def adopt(cls: type[Node]) -> None: ...
def lookup(key: tuple[Any, ...]) -> Any: ...
def node(cls: type[TermT], op: Op[Any], sort: Sort[Term], *args: object) -> TermT: ...
def added(cls: type[TermT], op: Op[Any], sort: Sort[Term], key: tuple[Any, ...]) -> TermT: ...
def unshared(cls: type[TermT], op: Op[Any], sort: Sort[Term], *args: object) -> TermT: ...
def next_id() -> int: ...
def made() -> int: ...
def live() -> int: ...
def sweep() -> int: ...
def conditions(a: Term, b: Term) -> int: ...
def fast(reference: FunctionT, constructor: Constructor = ..., name: str = ...) -> FunctionT: ...
def setup_tests(scope: type, limits: type) -> None: ...
def setup_calls(
    functions: dict[Any, Callable[..., Any]],
    constructors: dict[type, Callable[..., Any]],
    attribute: str,
    owner: str,
    lifted: int,
    bits_term: type[Term],
    negation: Callable[..., Any],
    sum_of_bits: Callable[..., Any],
    negation_of_bits: Callable[..., Any],
) -> None: ...
def setup_items(table: dict[type, Any]) -> None: ...
def setup_numbers(visit: Callable[[], None], chunk: int) -> None: ...
def setup_terms(
    op: type[Op[Any]], sort: type[Sort[Term]], bits: type, constant: Op[Any], integers: Sort[Term]
) -> None: ...
def setup_booleans(
    term: type[Term],
    sort: Sort[Term],
    negation: Op[Any],
    conjunction_of: Constructor,
    negation_of: Constructor,
    ite_of_sort: Callable[..., Any],
    bool_ite_rules: list[Callable[..., Any]],
    ite_rules: list[Callable[..., Any]],
) -> None: ...
def setup_merging(
    int_term: type[Term], merge: Callable[..., Any], merge_members: Callable[..., Any]
) -> None: ...
def setup_shapes(
    group: Callable[..., Any],
    fixed: dict[type, Any],
    references: set[type],
    tuples: dict[int, Any],
    named: dict[type, Any],
    sorts: dict[Sort[Term], Any],
    theory: frozenset[type],
) -> None: ...
def setup_unions(
    merge_module: dict[str, Any],
    union: type,
    maybe: type,
    string_term: type[Term],
    stats: type,
    current_stats: ContextVar[Any],
    spelled: set[type],
    many_atoms: int,
) -> None: ...
def call_as_join(
    function: Callable[..., Any], first: tuple[Any, ...], values: tuple[Any, ...]
) -> Any: ...
def setup_forks(
    fork: type,
    machine: type,
    state: type,
    path: type,
    current_machine: ContextVar[Any],
    journaling: set[int],
    merge_owned: Callable[..., Any],
    on_first_side: int,
    on_second_side: int,
) -> None: ...
