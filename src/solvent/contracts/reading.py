"""Which contract a function has: a table of readers, one for each library.

Nothing is guessed: a library is asked only if the program has imported it, and looks for what its
own decorators have left.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.contracts import (
    inheriting,
    invariants,
    of_annotations,
    of_deal,
    of_icontract,
    pep316,
)
from solvent.contracts.model import Contract
from solvent.contracts.sources import place_of
from solvent.errors import NotLiftedError
from solvent.vm.values import Value

# Flags of coroutines and of asynchronous generators.
_ASYNC = 0x80 | 0x200

Reader = Callable[[Value], Contract | None]

# The wrappers of libraries, each of which checks its contract while the program runs.
WRAPPERS: tuple[Reader, ...] = (of_icontract.contract_of, of_deal.contract_of)
# What a function itself says, which nobody checks; docstrings first.
OWN: tuple[Reader, ...] = (pep316.contract_of, of_annotations.contract_of)


def contract_of(
    function: Value, cls: type | None = None, *, is_library: bool = False
) -> Contract | None:
    """The contract of a function, or of one wrapper around it; `cls` is the class it is in.

    What a function of a library says itself is no contract of the program.

    >>> def root(x: int) -> int:
    ...     "pre: x >= 0"
    >>> [str(one) for one in contract_of(root).conditions()]
    ['precondition `x >= 0`']
    """
    for read in WRAPPERS:
        found = read(function)
        if found is not None:
            return found
    if is_library:
        return None
    parts: list[Contract | None] = [read(function) for read in OWN]
    if cls is not None:
        of_deal.refuse_inherited(function, cls)
        parts[0] = inheriting.inherited(parts[0], function, cls)
        parts.append(invariants.contract_of(function, cls))
    found_parts = [one for one in parts if one is not None]
    if found_parts and function.__code__.co_flags & _ASYNC:
        file, line = place_of(function)
        raise NotLiftedError(f"{file}:{line}: a contract of an `async` function is not supported")
    return _together(function, found_parts) if found_parts else None


def _together(function: Value, parts: list[Contract]) -> Contract:
    """One contract that says what several say of the same function."""
    result = Contract(function, function, parts[0].library, False, groups=[[]], result_names=())
    for part in parts:
        # One group of each part must hold.
        result.groups = [[*one, *other] for one in result.groups for other in part.groups or [[]]]
        result.snapshots += part.snapshots
        result.posts += part.posts
        result.raises += part.raises
        result.result_names += part.result_names
        if part.old_name != "OLD":
            result.old_name = part.old_name
        if part.invariants is not None:
            result.invariants, result.is_init = part.invariants, part.is_init
    return result


def layers_of(function: Value, cls: type | None = None) -> list[Contract]:
    """The contracts of a function and of the wrappers around it, the outermost first."""
    found: list[Contract] = []
    while True:
        contract = contract_of(function, cls)
        if contract is None:
            return found
        found.append(contract)
        if contract.body is function:
            return found
        function = contract.body
