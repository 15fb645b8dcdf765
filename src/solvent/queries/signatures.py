"""What `help()`, editors and type checkers see of the queries: every option, with its default.

The queries themselves take any keyword, because only the function asked about tells whether one is
its own.  Each signature here lists the options of `options.TAKEN` and nothing else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import EllipsisType
from typing import Any, ParamSpec, TypeVar

from solvent.queries.options import NOT_IN_SESSION, TAKEN, Options, document
from solvent.queries.spaces.base import DEFAULT_LENGTH
from solvent.vm.values import Value

Function = Callable[..., Value]
Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


def seen_as(
    like: Callable[Parameters, object],
) -> Callable[[Callable[..., Answer]], Callable[Parameters, Answer]]:
    """Let a query be seen with the signature of another function; it stays the same object.

    >>> @seen_as(solve_all)
    ... def solve_all(function, /, *args, **named) -> int:
    ...     "The number of solutions."
    ...     return len(named)
    >>> "limit" in inspect.signature(solve_all).parameters, solve_all(min, limit=3)
    (True, 1)
    """

    def changed(query: Callable[..., Answer]) -> Callable[Parameters, Answer]:
        # Annotations as types: as texts they would be printed with quotes.
        signature = inspect.signature(like, eval_str=True)
        returned = inspect.signature(query, eval_str=True).return_annotation
        found: Any = query
        found.__signature__ = signature.replace(return_annotation=returned)
        in_session = next(iter(signature.parameters)) == "self"
        taken = TAKEN[query.__name__]
        document(found, taken - NOT_IN_SESSION if in_session else taken)
        return found  # type: ignore[no-any-return]

    return changed


# --- a query of its own ---------------------------------------------------------------------------


def most(
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    **named: Value,
) -> None: ...


def verify(
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    budget: float | None = None,
    probes: bool = True,
    raises: tuple[type[BaseException], ...] = (),
    assertions_only: bool = False,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    **named: Value,
) -> None: ...


def solve_all(
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    limit: int | EllipsisType | None = ...,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    **named: Value,
) -> None: ...


def optimize(
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    minimize: object = None,
    maximize: object = None,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    **named: Value,
) -> None: ...


def synthesize(
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    forall: object = None,
    method: str = "cegis",
    rounds: int | None = None,
    samples: int = 0,
    progress: Callable[..., object] | None = None,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    **named: Value,
) -> None: ...


def debug(
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    select: object = None,
    limit: int | EllipsisType | None = ...,
    bound: int | None = None,
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    **named: Value,
) -> None: ...


def explore(
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    order: str = "depth",
    depth: int = 100,
    paths: int = 1_000,
    seconds: float | None = None,
    compositional: bool = False,
    merged: bool = False,
    confirm: bool = True,
    concretize: bool = False,
    progress: Callable[..., object] | None = None,
    bound: int | None = None,
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    **named: Value,
) -> None: ...


# --- a query of a session ------------------------------------------------------------------------


def most_in_session(
    self: object,
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    **named: Value,
) -> None: ...


def verify_in_session(
    self: object,
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    raises: tuple[type[BaseException], ...] = (),
    assertions_only: bool = False,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    **named: Value,
) -> None: ...


def solve_all_in_session(
    self: object,
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    limit: int | EllipsisType | None = ...,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    **named: Value,
) -> None: ...


def optimize_in_session(
    self: object,
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    minimize: object = None,
    maximize: object = None,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    **named: Value,
) -> None: ...


def synthesize_in_session(
    self: object,
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    forall: object = None,
    method: str = "cegis",
    rounds: int | None = None,
    samples: int = 0,
    progress: Callable[..., object] | None = None,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    **named: Value,
) -> None: ...


def debug_in_session(
    self: object,
    function: Function,
    /,
    *args: Value,
    options: Options | None = None,
    select: object = None,
    limit: int | EllipsisType | None = ...,
    bound: int | None = None,
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    **named: Value,
) -> None: ...
