"""`verify` and `verify_all`: one merged run, or a race if there is a budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from solvent import queries
from solvent.errors import QueryError
from solvent.queries import signatures
from solvent.queries.contracted import contracted
from solvent.queries.guarding import telling_limits
from solvent.queries.options import Asked, asked
from solvent.queries.results import Verification
from solvent.queries.signatures import Function, seen_as
from solvent.race.levels import Places, Subject
from solvent.race.progress import Watch
from solvent.race.racing import Race
from solvent.vm.machine import path_of_run
from solvent.vm.values import Value


@seen_as(signatures.verify)
def verify(function: Function, /, *args: Value, **named: Value) -> Verification:
    """Inputs with which an assertion fails or an exception escapes, or a proof that none do.

    Without a budget the function is run once, on all paths, for as long as that and the solver
    take.  With one, probes, merged runs of growing size and paths race for so many seconds; if the
    answer is not known then, `coverage` says what is.

    >>> def average(xs: list[int]):
    ...     return sum(xs) // len(xs)
    >>> result = verify(average, budget=20)
    >>> result.call, result.confirmed
    ('average(xs=[])', True)
    >>> def halved(n: int) -> int:
    ...     assert n // 2 * 2 in (n, n - 1)
    >>> print(verify(halved, budget=20).coverage.proved)
    by merged execution
    """
    given = asked("verify", function, args, named)
    if given.options.budget is None:
        return queries.verify(function, *args, **named)
    with race(function, given) as running:
        return running.run()[0]


@seen_as(signatures.verify)
def verify_all(function: Function, /, *args: Value, **named: Value) -> list[Verification]:
    """A counterexample for each place that can fail, or the one answer that none can.

    >>> def first(xs: list[int], k: int):
    ...     return xs[0] // k
    >>> [type(found.failure.exception).__name__ for found in verify_all(first)]
    ['IndexError', 'ZeroDivisionError']
    """
    given = asked("verify_all", function, args, named)
    if given.options.budget is None:
        return queries.verify_all(function, *args, **named)
    with race(function, given, everything=True) as running:
        return running.run()


@contextmanager
def race(
    function: Function,
    given: Asked,
    *,
    everything: bool = False,
    watch: Watch | None = None,
    places: Places | None = None,
    share: float | None = None,
) -> Iterator[Race]:
    """A race about a function, not started yet; meanwhile the contracts of the program hold.

    It may be about some places only.  After `share` seconds it ends if one place is hard and others
    are open, too, of which its coverage tells.
    """
    if path_of_run() is not True:
        raise QueryError("a check with a budget cannot be made under a symbolic condition")
    budget = given.options.budget
    assert budget is not None, "who races has a budget"
    with contracted(function, given.options) as (found, meant):
        with telling_limits(function):
            subject = Subject(found, given.args, given.named, given.options, meant, places=places)
            running = Race(subject, budget, everything=everything, watch=watch, share=share)
        yield running
