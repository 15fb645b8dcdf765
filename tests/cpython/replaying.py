"""Cases in lifted code, on concrete and on symbolic values, against CPython.

The symbolic run knows nothing of the case: texts have its lengths and any characters, numbers are
any near its numbers.  What came out of it is then looked at under the case's values.  What is too
large as a whole is tried again with known numbers, and then with a few unknown characters.
"""

from __future__ import annotations

import contextlib
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from solvent.errors import InternalError, NotLiftedError, SolventError
from solvent.lift.calls import call
from solvent.lift.execution import execute
from solvent.lift.reflection import assume
from solvent.lift.registry import TRUSTED
from solvent.lift.under_model import evaluate
from solvent.terms import Bool, Float, Int, and_
from solvent.terms.texts import octets, text
from tests.cpython.cases import Case, prepared
from tests.lift.differential import run, snapshot
from tests.patience import patient

# Texts with more characters in all are symbolic only in part.
LONGEST = 24
# How many characters are symbolic then, of each text.
FEW = 3
# Processor time for one symbolic run, in seconds, and how much longer it may take with its solvers
# on a machine that does nothing else.
LIMIT, PATIENCE = 1.0, 3.0

AGREES, IN_PART, NOTHING = "agrees", "in part", "nothing symbolic"
REFUSED, TOO_LARGE, UNKNOWN, DIFFERS = "refused", "too large", "unknown", "differs"


@dataclass(frozen=True)
class Verdict:
    """How a case ended, and why."""

    case: Case
    concrete: str
    symbolic: str
    reason: str = ""


class TooLarge(KeyboardInterrupt):
    """Ends a run like Ctrl-C, which no lifted program can catch."""


def _stop(*_: Any) -> None:
    raise TooLarge


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Ends what takes more processor time than this."""
    signal.signal(signal.SIGVTALRM, _stop)
    signal.signal(signal.SIGALRM, _stop)
    # Again later, where the first exception was raised in something that ignores it.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
    # Time on the clock only ends what waits for a solver.
    longest = patient(PATIENCE * seconds / LIMIT)
    signal.setitimer(signal.ITIMER_REAL, longest, longest)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


# --- symbolic values ------------------------------------------------------------------------------


class Unknowns:
    """The symbolic values that stand for those of a case, and what they are in it."""

    def __init__(self, numbers: bool, few: bool) -> None:
        self.numbers = numbers
        self.few = few
        self.model: dict[Any, Any] = {}
        self.bounds: list[tuple[Any, int, int]] = []

    def fresh(self, make: Callable[[str], Any], value: Any) -> Any:
        found = make(f"in{len(self.model)}")
        self.model[found] = value
        return found

    def of(self, value: Any) -> Any:
        """The symbolic value in the place of one."""
        match value:
            case str():
                return text(self.codes(tuple(map(ord, value)), 0x10FFFF))
            case bytes():
                return octets(self.codes(tuple(value), 255))
            case bool():
                return self.fresh(Bool, value) if self.numbers else value
            case int():
                return self.integer(value) if self.numbers else value
            case float():
                return self.fresh(Float, value) if self.numbers else value
            case list():
                return [self.of(item) for item in value]
            case tuple():
                return tuple(self.of(item) for item in value)
            case dict():
                return {key: self.of(item) for key, item in value.items()}
        return value

    def codes(self, codes: tuple[int, ...], last: int) -> list[Any]:
        """Code points, all of them symbolic or a few."""
        step = -(-len(codes) // FEW) if self.few and codes else 1
        return [
            self.bounded(code, 0, last) if place % step == step // 2 else code
            for place, code in enumerate(codes)
        ]

    def integer(self, value: int) -> Any:
        """A number that may be another one near it."""
        size = abs(value)
        if size >= 10**18:
            return self.fresh(Int, value)
        reach = 20 if size < 100 else size
        return self.bounded(value, value - reach, value + reach)

    def bounded(self, value: int, least: int, greatest: int) -> Any:
        found = self.fresh(Int, value)
        self.bounds.append((found, least, greatest))
        return found


def letters(value: Any) -> int:
    """How many characters a value has in all."""
    match value:
        case str() | bytes():
            return len(value)
        case list() | tuple():
            return sum(map(letters, value))
        case dict():
            return sum(map(letters, value.values()))
    return 0


# --- one case -------------------------------------------------------------------------------------


class Differs(Exception):
    """What the lifted code did that CPython does not."""


def lifted_outcome(
    function: Callable[..., Any], arguments: tuple[Any, ...], unknowns: Unknowns
) -> tuple[Any, BaseException | None]:
    """What a symbolic run returns, or raises, under the values of the case."""

    def bounded(*inputs: Any) -> Any:
        for found, least, greatest in unknowns.bounds:
            assume(and_(found >= least, found <= greatest))
        return call(function)(*inputs)

    TRUSTED.add(bounded)
    try:
        outcome = execute(bounded, *arguments)
    finally:
        TRUSTED.discard(bounded)
    model = unknowns.model
    assumes, asserts = evaluate(outcome.assumes, model), evaluate(outcome.asserts, model)
    if not assumes:
        raise Differs("the case is not of interest any more")
    if not asserts:
        found = [f.exception for f in outcome.failures if evaluate(f.condition, model)]
        if found and isinstance(found[0], NotLiftedError):
            # What is refused on some paths only ends them.
            raise found[0]
        if len(found) != 1:
            raise Differs(f"{len(found)} failures hold at once: {found}")
        error = evaluate(found[0], model)
        assert isinstance(error, BaseException)
        return None, error
    if outcome.halted:
        raise Differs("the run ended before the case did")
    return evaluate((outcome.value, arguments), model), None


def compare(expected: tuple[Any, Any], actual: tuple[Any, Any]) -> None:
    """Both returned the same, or raised the same."""
    if snapshot(expected) != snapshot(actual):
        raise Differs(f"{_said(*actual)} instead of {_said(*expected)}")


def _said(value: Any, error: BaseException | None) -> str:
    return f"{value!r}" if error is None else f"{type(error).__name__}: {error}"


def concretely(case: Case) -> tuple[str, str, tuple[Any, Any]]:
    """How the lifted function does on the values, and what the plain one does."""
    function, values = prepared(case)
    result, error = run(function, values)
    expected = ((result, values) if error is None else None, error)
    _, again = prepared(case)
    try:
        with limited(LIMIT):
            found, raised = run(call(function), again)
        if isinstance(raised, SolventError):
            broken = isinstance(raised, InternalError)
            return DIFFERS if broken else REFUSED, str(raised), expected
        compare(expected, ((found, again) if raised is None else None, raised))
    except TooLarge:
        return TOO_LARGE, "", expected
    except Differs as difference:
        return DIFFERS, str(difference), expected
    return AGREES, "", expected


def symbolically(case: Case, expected: tuple[Any, Any], limit: float) -> tuple[str, str]:
    """How the lifted function does on symbolic values."""
    function, values = prepared(case)
    long = sum(letters(v) for p, v in enumerate(values) if p not in case.fixed) > LONGEST
    worst, tried = (NOTHING, ""), -1
    for numbers, few in ((True, False), (False, False), (True, True), (False, True)):
        # What is too large is tried with a few unknown characters next.
        if (long or worst[0] == TOO_LARGE) and not few:
            continue
        unknowns = Unknowns(numbers, few)
        arguments = tuple(
            value if place in case.fixed else unknowns.of(value)
            for place, value in enumerate(prepared(case)[1])
        )
        if not unknowns.model or len(unknowns.model) == tried:
            continue
        tried = len(unknowns.model)
        try:
            with limited(limit):
                actual = lifted_outcome(function, arguments, unknowns)
            compare(expected, actual)
        except TooLarge:
            if few:
                return TOO_LARGE, ""
            worst = (TOO_LARGE, "")
        except Differs as difference:
            return DIFFERS, str(difference)
        except NotLiftedError as error:
            worst = (REFUSED, str(error)) if worst[0] != TOO_LARGE else worst
        except InternalError as error:
            return DIFFERS, str(error)
        except SolventError as error:
            worst = (UNKNOWN, str(error))
        except Exception as error:
            return DIFFERS, f"the lifter failed with {type(error).__name__}: {error}"
        else:
            return (AGREES if numbers and not few else IN_PART), worst[1]
    return worst


def replay(case: Case, limit: float = LIMIT) -> Verdict:
    """Run a case in lifted code and compare with CPython."""
    concrete = TOO_LARGE
    try:
        concrete, reason, expected = concretely(case)
        if concrete == DIFFERS:
            return Verdict(case, concrete, NOTHING, reason)
        symbolic, why = symbolically(case, expected, limit)
    except TooLarge:
        # The alarm rang when the run had just ended.
        return Verdict(case, concrete, TOO_LARGE)
    return Verdict(case, concrete, symbolic, why or reason)


def main() -> None:
    """Replay the cases that come in, and write the verdicts."""
    warnings.simplefilter("ignore")
    cases = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(pickle.dumps([replay(case) for case in cases]))


if __name__ == "__main__":
    # Under its own name, so that the verdicts can be read elsewhere.
    from tests.cpython.replaying import main as imported_main

    imported_main()
