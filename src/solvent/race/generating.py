"""Probes that Hypothesis draws, if it is installed: what is left open gets more and longer inputs.

Hypothesis's own engine draws the constants of the inputs (`shapes`), with its mixtures, copies and
mutations, and makes small what fails; then our own shrinking goes on.  It prints nothing, keeps no
database, reads no sources and does the same in each run.

>>> import zlib
>>> from solvent.queries.inputs import bind
>>> def packed(data: bytes) -> None:
...     assert zlib.crc32(data) % 101 != 7
>>> with generated(packed, bind(packed, (), {}, 8)) as probes:
...     probes.wait(60)
>>> [found.failure.kind for found in probes.failures]
['AssertionError']
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pickle
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from solvent.errors import InputSpaceError
from solvent.queries.inputs import Inputs
from solvent.queries.spaces.base import DEFAULT_LENGTH
from solvent.race.concrete import Program
from solvent.race.drawing import Assignment
from solvent.race.hints import Hints
from solvent.race.lanes import Report
from solvent.race.leaves import leaves_of, several, terms_in
from solvent.race.levels import Subject
from solvent.race.probing import (
    Done,
    Last,
    Plan,
    Probed,
    Probes,
    Progress,
    Smaller,
    is_big,
    shrink,
    watched,
)
from solvent.race.shapes import assignments
from solvent.race.shrinking import size
from solvent.race.trying import IsFailure, Outcome, always
from solvent.terms.graph import reachable
from solvent.terms.model import Model
from solvent.verdicts import Deadline
from solvent.vm.values import Value

# How many inputs are drawn at most, and how often after one that ended the process.
MOST = 1000
RESTARTS = 2
# Hypothesis is imported in the process that draws, which may take seconds where much else runs.
PAUSE = 20.0
NICE = 5
# How many runs, and how many seconds of the processor, Hypothesis may use for making one smaller.
SHRINK_RUNS = 300
SHRINK_SECONDS = 1.0
# How long containers are tried, and how many terms may have to be evaluated for inputs then.
LENGTHS = (4, 6, 12, 24, 48)
MOST_TERMS = 500


def is_installed() -> bool:
    """Whether Hypothesis can be imported, which is not done yet."""
    return "hypothesis" in sys.modules or importlib.util.find_spec("hypothesis") is not None


def wider(subject: Subject) -> Subject:
    """A check of longer inputs, where no length was asked for and they do not get too large."""
    if subject.options.max_len != DEFAULT_LENGTH:
        return subject
    best = subject
    for length in LENGTHS:
        options = replace(subject.options, max_len=length)
        longer = replace(subject, options=options, longest=0)
        try:
            inputs = longer.inputs()
        except InputSpaceError:
            break
        terms = terms_in((inputs.args, inputs.named, inputs.assumptions))
        if sum(1 for _ in reachable(terms)) > MOST_TERMS:
            break
        best = longer
    return best


def generated(
    function: Callable[..., Value],
    inputs: Inputs,
    *,
    most: int = MOST,
    deadline: Deadline | None = None,
    is_failure: IsFailure = always,
) -> Probes:
    """Probes that Hypothesis draws."""
    return Probes(
        function,
        inputs,
        most=most,
        restarts=RESTARTS,
        deadline=deadline,
        is_failure=is_failure,
        work=generate,
        pause=PAUSE,
    )


def generate(
    program: Program, hints: Hints, plan: Plan, progress: Progress, report: Report
) -> None:
    """Try a program on what Hypothesis draws; what fails is reported, and then made smaller."""
    # Who can prove goes first.
    os.nice(NICE)
    generation = _Generation(program, hints, plan, progress, report)
    generation.remember()
    if plan.over or not generation.leaves:
        return
    try:
        while generation.number < plan.most and generation.searched():
            pass
    except _EnoughError:
        pass
    report(Done())


class _EnoughError(BaseException):
    """No more is wanted of Hypothesis, which lets this through."""


class _Generation:
    def __init__(
        self, program: Program, hints: Hints, plan: Plan, progress: Progress, report: Report
    ) -> None:
        self.program = program
        self.hints = hints
        self.plan = plan
        self.progress = progress
        self.report = report
        self.number = plan.start
        self.known = list(plan.known)
        self.leaves = leaves_of(program)
        self.conditions = several(program)
        self.limited = [leaf for leaf in self.leaves if leaf.conditions]
        self.tries, self.watch = watched(program, report, plan.limit, plan.is_failure)
        # The failure that is being made smaller, and since when, in how many runs.
        self.best: Probed | None = None
        self.since = 0.0
        self.runs = 0

    def remember(self) -> None:
        """Tell with which inputs the process before ended."""
        if self.plan.start and self.progress.kept:
            values = pickle.loads(self.progress.kept)
            constants = [leaf.constant for leaf in self.leaves]
            self.report(Last(Model(dict(zip(constants, values, strict=True)))))
        self.progress.keep(b"")

    def searched(self) -> bool:
        """Let Hypothesis look for one failure; whether there may be others."""
        self.best = None
        with self.watch.resting():
            test = self._test()
            try:
                test()
            except _FailedError:
                pass
            except _EnoughError:
                if self.best is None:
                    raise
            except Exception:
                # What failed once and not again is no failure that it could make smaller.
                if self.best is None:
                    raise
        if self.best is None:
            return False
        shrink(self.tries, self.best, len(self.known) - 1, self.progress, self.report)
        return True

    def _test(self) -> Any:
        import hypothesis

        _without_sources()
        self.progress.busy()

        @hypothesis.settings(
            backend="hypothesis",
            max_examples=self.plan.most - self.number,
            phases=(
                hypothesis.Phase.generate,
                hypothesis.Phase.target,
                hypothesis.Phase.shrink,
            ),
            suppress_health_check=list(hypothesis.HealthCheck),
            verbosity=hypothesis.Verbosity.quiet,
            database=None,
            deadline=None,
            derandomize=False,
            print_blob=False,
            report_multiple_bugs=False,
        )
        @hypothesis.seed(self.number)
        @hypothesis.given(assignments(self.program, self.hints))
        def test(assignment: Assignment) -> None:
            hypothesis.assume(self.returns(assignment))

        return test

    def returns(self, assignment: Assignment) -> bool:
        """Run the program; whether the inputs are some, which lead to no new failure."""
        model = Model(assignment)
        if not self._is_assumed(model):
            return False
        if self.best is None:
            if self.number >= self.plan.most:
                raise _EnoughError
            self.progress.at(self.number)
            self.number += 1
        else:
            self.progress.busy()
            self.runs += 1
            if self.runs > SHRINK_RUNS or time.process_time() - self.since > SHRINK_SECONDS:
                raise _EnoughError
        if self.plan.cautious and is_big(model):
            return True
        if self.best is None:
            self.progress.keep(pickle.dumps([model[leaf.constant] for leaf in self.leaves]))
        with self.watch.awake():
            trial = self.tries.of(model)
        self.progress.keep(b"")
        is_known = trial.outcome in (Outcome.RETURNED, Outcome.FAILED)
        if self.best is None:
            self.progress.count(is_known)
        if trial.failure is not None:
            self._failed(Probed(model, trial.failure))
        return is_known

    def _is_assumed(self, model: Model) -> bool:
        under = self.program.under(model)
        return all(leaf.allows(model[leaf.constant]) for leaf in self.limited) and all(
            under.term(condition) is True for condition in self.conditions
        )

    def _failed(self, found: Probed) -> None:
        """Tell of a failure that is new, or smaller than it was."""
        best = self.best
        if best is None:
            if any(found.failure.is_like(other) for other in self.known):
                return
            self.known.append(found.failure)
            self.report(found)
            self.since, self.runs = time.process_time(), 0
        elif not found.failure.is_like(best.failure):
            return
        elif size(self.program, found.model) < size(self.program, best.model):
            self.report(Smaller(len(self.known) - 1, found))
        else:
            raise _FailedError
        self.best = found
        raise _FailedError


class _FailedError(Exception):
    """The program fails, as Hypothesis is told."""


def _without_sources() -> None:
    """Let Hypothesis not read the sources of all modules for constants: there are hints of ours."""
    name = "hypothesis.internal.conjecture.providers"
    try:
        providers: Any = importlib.import_module(name)
        constants = providers._local_constants
    except (ImportError, AttributeError):
        return
    providers._get_local_constants = lambda: constants
