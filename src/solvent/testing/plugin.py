"""The plugin for pytest: `pytest --solvent` proves contracts and tests with `@given`.

Without `--solvent` it does nothing and imports nothing of Solvent's.  With it, a test of Hypothesis
is asked about instead of run: it passes if it is proved, and fails with the call to paste.  If time
is up, Hypothesis runs it, and if it does not fail then, it is "unknown", told as an expected
failure; it is left to Hypothesis alone if a strategy cannot be turned.  Each function with a
contract that a module defines, or imports from the program, is an item of its own.
"""

from __future__ import annotations

import copy
import functools
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MethodType
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.unittest import TestCaseFunction

from solvent.testing import BUDGET

if TYPE_CHECKING:
    from solvent.queries.results import Verification

# What reports have about an item: the outcome, one of those below, and what was said of it.
OUTCOME, SAID = "solvent_outcome", "solvent"
PROVED, REFUTED, UNKNOWN, LEFT = "proved", "refuted", "unknown", "run by Hypothesis"
OUTCOMES = (PROVED, REFUTED, UNKNOWN, LEFT)

# How many lines of the source are shown around the one that fails.
_AROUND = 2


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("solvent", "proofs by Solvent")
    group.addoption(
        "--solvent", action="store_true", help="prove contracts and the tests with @given"
    )
    group.addoption(
        "--solvent-strict", action="store_true", help="what is neither proved nor refuted fails"
    )
    group.addoption(
        "--solvent-budget",
        type=float,
        default=BUDGET,
        metavar="SECONDS",
        help=f"how long one proof may take ({BUDGET:g})",
    )


def pytest_configure(config: pytest.Config) -> None:
    """The marker, which is there with and without `--solvent`."""
    config.addinivalue_line(
        "markers", "solvent(budget=SECONDS, max_len=N): how long and how large a proof may be"
    )
    if config.getoption("--solvent"):
        config.pluginmanager.register(Proofs(), "solvent-proofs")


class Proofs:
    """What the plugin does with `--solvent`."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makemodule(self, module_path: Path, parent: Any) -> pytest.Module:
        """Modules have the contracts of their functions as items, too."""
        found: pytest.Module = Module.from_parent(parent, path=module_path)
        return found

    def pytest_collection_finish(self) -> None:
        """What was imported is looked through for contracts once, not for each proof anew."""
        from solvent.contracts.enforcing import look_ahead

        look_ahead()

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Ask about a test of Hypothesis instead of running it."""
        from solvent.strategies.known import is_given

        test: Any = pyfuncitem.obj
        if not is_given(test):
            return None
        names = pyfuncitem._fixtureinfo.argnames
        asked = Asked(pyfuncitem, test, {name: pyfuncitem.funcargs[name] for name in names})
        asked.judge()
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        """A method of a `TestCase` is called by unittest, between `setUp` and `tearDown`."""
        from solvent.strategies.known import is_given

        if isinstance(item, TestCaseFunction) and is_given(item.obj):
            asked = Asked(item, item.obj, {})

            @functools.wraps(item.obj)
            def judged() -> None:
                __tracebackhide__ = True
                asked.judge()

            item.obj = judged

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """How many were proved, and why others were left to Hypothesis: both pass."""
        found: list[tuple[str, str]] = []
        for reports in terminalreporter.stats.values():
            for report in reports:
                if getattr(report, "when", "") == "call":
                    kinds = dict(report.user_properties)
                    if OUTCOME in kinds:
                        found.append((kinds[OUTCOME], f"{report.nodeid}: {kinds.get(SAID, '')}"))
        if found:
            counts = {kind: sum(one == kind for one, _ in found) for kind in OUTCOMES}
            told = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
            terminalreporter.section(f"solvent: {told}", sep="-")
            for kind, text in sorted(found):
                if kind == LEFT:
                    terminalreporter.write_line(f"{LEFT}: {text}")


class Asked:
    """A test of Hypothesis's that is asked about."""

    def __init__(self, item: pytest.Function, test: Any, arguments: dict[str, Any]) -> None:
        self.item = item
        self.test = test
        self.arguments = arguments

    def judge(self) -> None:
        """Let the test pass or fail; what is not decided Hypothesis runs, too."""
        __tracebackhide__ = True
        result = self._answer()
        if isinstance(result, str):
            noted(self.item, LEFT, result)
            self.test(**self.arguments)
        else:
            judge(self.item, result, lambda: self.test(**self.arguments))

    def _answer(self) -> Verification | str:
        from solvent.errors import InputSpaceError
        from solvent.strategies.examples import written
        from solvent.strategies.given import given_of

        options = options_of(self.item)
        fixed = dict(self.arguments)
        test = self.test
        if isinstance(test, MethodType):
            owner = apart(test.__self__, self.item.name)
            fixed["self"] = owner
            test = MethodType(test.__func__, owner)
        try:
            found = given_of(test, options.get("max_len", 3), fixed)
            result = _first(found, options)
        except InputSpaceError as error:
            return str(error)
        if isinstance(result, str):
            return result
        if result.confirmed:
            written(found, result.inputs)
        return result


def apart(owner: Any, name: str) -> Any:
    """The object of a test without what its runner has put there, which knows all of pytest."""
    if not isinstance(owner, unittest.TestCase):
        return owner
    result = copy.copy(owner)
    # Where unittest keeps the result while a test runs; it is None for one that does not.
    vars(result).update(_outcome=None)
    vars(result).pop(name, None)
    return result


def _first(found: Any, options: dict[str, Any]) -> Verification | str:
    """The first answer about a test, or why there is none."""
    from solvent.strategies.explicit import answers

    refused: list[str] = []

    def ask(function: Any, spaces: dict[str, Any]) -> list[Verification]:
        result = answered(function, spaces, options)
        if isinstance(result, str):
            refused.append(result)
            return []
        return [result]

    results = answers(found, ask)
    failed = [one for one in results if one.failure is not None and one.confirmed]
    if refused and not failed:
        return refused[0]
    return results[0]


def options_of(item: pytest.Item) -> dict[str, Any]:
    """The options of a proof: those of the command line, and of the markers of an item."""
    found: dict[str, Any] = {"budget": item.config.getoption("--solvent-budget")}
    for marker in reversed(list(item.iter_markers("solvent"))):
        for name in marker.kwargs:
            if name not in ("budget", "max_len"):
                raise pytest.UsageError(f"the marker `solvent` has no option `{name}`")
        found |= marker.kwargs
    return found


def answered(function: Any, given: dict[str, Any], options: dict[str, Any]) -> Verification | str:
    """The answer about a function, or why there is none."""
    from solvent.errors import NotLiftedError, SolventError
    from solvent.queries.options import Options
    from solvent.race import verify

    try:
        return verify(function, options=Options(**options), **given)
    except (NotLiftedError, SolventError) as error:
        return str(error)


def judge(
    item: pytest.Item, result: Verification | str, otherwise: Callable[[], object] | None = None
) -> None:
    """Let an item pass, fail, or be unknown; what is unknown may be tried otherwise first."""
    __tracebackhide__ = True
    if isinstance(result, str):
        _unknown(item, result)
        return
    if result.failure is not None and result.confirmed:
        noted(item, REFUTED, result.headline())
        pytest.fail(explained(result), pytrace=False)
    if result.holds:
        noted(item, PROVED, result.headline())
        return
    covered = result.coverage.lines() if result.coverage is not None else ()
    reason = result.reason if result.failure is None else str(result)
    _unknown(item, "; ".join([reason, *covered]), otherwise)


def _unknown(item: pytest.Item, reason: str, otherwise: Callable[[], object] | None = None) -> None:
    __tracebackhide__ = True
    noted(item, UNKNOWN, reason)
    if otherwise is not None:
        otherwise()
    if item.config.getoption("--solvent-strict"):
        pytest.fail(f"solvent: neither proved nor refuted: {reason}", pytrace=False)
    pytest.xfail(f"unknown: {reason}")


def noted(item: pytest.Item, outcome: str, text: str) -> None:
    """Let reports have the outcome of an item, and what was said of it."""
    item.user_properties += [(OUTCOME, outcome), (SAID, text)]


def explained(result: Verification) -> str:
    """A failure with the call to paste and the lines of the source around it."""
    from solvent.queries.replay import relative

    assert result.failure is not None
    file, _, line = result.failure.position.rpartition(":")
    text = [str(result), *_lines(file, int(line) if line.isdecimal() else 0)]
    return relative("\n".join(text))


def _lines(file: str, line: int) -> Iterator[str]:
    import linecache

    for number in range(max(1, line - _AROUND), line + _AROUND + 1):
        found = linecache.getline(file, number).rstrip()
        if found or number == line:
            yield f"{'>' if number == line else ' '} {number:4} {found}"


class Module(pytest.Module):
    """A module whose functions with contracts are items."""

    def collect(self) -> Any:
        from solvent.testing.contracts import contracted_members

        yield from super().collect()
        for member in contracted_members(self.obj):
            yield Contract.from_parent(self, name=f"contract:{member.name}", member=member)


class Contract(pytest.Item):
    """A function with a contract, as an item."""

    def __init__(self, *, member: Any, **named: Any) -> None:
        super().__init__(**named)
        self.member = member

    def runtest(self) -> None:
        """Prove it."""
        options = options_of(self)
        judge(self, answered(self.member.function, self.member.given(options), options))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the function is."""
        return self.member.path, max(0, self.member.line - 1), self.name
