"""Several queries at once, over any executor of `concurrent.futures`."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from solvent.errors import QueryError
from solvent.queries.bars import Bar
from solvent.verdicts.cells import in_kernel
from solvent.vm.machine import path_of_run
from solvent.vm.values import Value

# How many queries run at once where no executor is given: each has a solver process of its own.
WORKERS = 4

Reply = TypeVar("Reply")


@dataclass(frozen=True, slots=True)
class Question(Generic[Reply]):
    """A query that is not asked yet."""

    query: Callable[..., Reply]
    args: tuple[Value, ...] = ()
    named: dict[str, Value] = field(default_factory=dict)

    def __call__(self) -> Reply:
        return self.query(*self.args, **self.named)


def question(query: Callable[..., Reply], /, *args: Value, **named: Value) -> Question[Reply]:
    """A query to be asked later, with its arguments.

    >>> from solvent import Int, verify
    >>> def odd(x):
    ...     assert x % 2 == 1
    >>> question(verify, odd, Int("x"))().holds
    False
    """
    return Question(query, args, named)


def ask_all(
    questions: Iterable[Question[Reply]],
    executor: Executor | None = None,
    *,
    progress: bool | None = None,
) -> list[Reply]:
    """The results of several queries, in their order.

    Without an executor they run in threads; with one for processes, the functions must be ones
    that can be sent there, that is, they are defined in a module.  A progress bar is shown on
    standard error if that is a terminal.

    >>> from solvent import Int, verify
    >>> def below(x, limit):
    ...     assert x < limit
    >>> [r.status for r in ask_all(question(verify, below, 3, limit) for limit in (1, 5))]
    [<Status.SAT: 'sat'>, <Status.UNSAT: 'unsat'>]
    """
    if path_of_run() is not True:
        raise QueryError(
            "parallel queries cannot be asked under a symbolic condition; ask them one by one"
        )
    asked = list(questions)
    for found in asked:
        if not callable(found):
            raise QueryError(f"ask_all() takes questions, made by question(), not {found!r:.60}")
    if executor is None:
        with ThreadPoolExecutor(WORKERS) as threads:
            return _gather(asked, threads, progress)
    return _gather(asked, executor, progress)


def _gather(asked: list[Question[Reply]], executor: Executor, progress: bool | None) -> list[Reply]:
    futures: list[Future[Reply]] = []
    try:
        # Some executors look at once whether they can send it.
        futures += [executor.submit(found) for found in asked]
        with _bar(len(futures), progress) as advance:
            for _ in as_completed(futures):
                advance()
        return [future.result() for future in futures]
    except BaseException as error:
        for future in futures:
            future.cancel()
        if any(word in str(error).lower() for word in ("pickle", "local object", "serializ")):
            raise QueryError(
                "a query cannot be sent to another process: its function and inputs must be "
                f"defined in a module that is there, too ({error})"
            ) from error
        raise


@contextmanager
def _bar(total: int, wanted: bool | None) -> Iterator[Callable[[], object]]:
    """A progress bar, or nothing."""
    if in_kernel() and wanted is not False:
        with Bar("queries", total) as bar:
            done = itertools.count(1)
            yield lambda: bar.update(next(done))
        return
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("queries", total=total)
        yield lambda: bar.advance(task)
