"""The race: lanes side by side until one of them has the answer or the budget is spent.

Probes start first, because most failures are found by small inputs within milliseconds.  Merged
execution follows, which can prove, and paths one by one where merging is refused or slow.  A
failure counts when the plain function has failed in CPython.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from solvent.queries.asking import make_solver, other_orders
from solvent.queries.coverage import Coverage, Decided, Level
from solvent.queries.inputs import Inputs
from solvent.queries.problem import Problem
from solvent.queries.replay import relative
from solvent.queries.results import QueryStats, Verification
from solvent.race.effects import Reached
from solvent.race.findings import judged, told
from solvent.race.lanes import Broken, Lane, wait_for
from solvent.race.levels import Subject
from solvent.race.making import made_until
from solvent.race.merged import Cost, Grown, run_merged
from solvent.race.messages import Asking, Began, Cleared, Ended, Finished, Found
from solvent.race.paths import Paths
from solvent.race.probing import Found as Probed
from solvent.race.probing import Probes
from solvent.race.progress import Progress, Watch
from solvent.solvers.status import Status
from solvent.verdicts import Deadline
from solvent.vm.report import Stats

# How long the probes run alone, and how long merging runs before paths are tried too.
PROBES_ALONE = 0.15
MERGED_ALONE = 2.0
# How often whoever watches is told how far it is.
WATCH_SECONDS = 0.1
# How much of the machine's memory a lane may have.
MEMORY_SHARE = 0.4
# Seconds, and the share of the budget, for making a counterexample small; so many it always has.
SHRINK_SECONDS = 2.0
SHRINK_SHARE = 0.2
LEAST_SECONDS = 0.5


@dataclass(slots=True)
class _Merging:
    """What the lane of merged execution has told."""

    ended: Ended | None = None
    levels: list[Level] = field(default_factory=list)
    # Places that do not fail, with the largest level for which that is known.
    cleared: dict[tuple[str, str], Cleared] = field(default_factory=dict)
    cut: str = ""
    asking: Asking | None = None
    stats: QueryStats | None = None


class Race:
    """One check of one function; `run` gives the answers, `answer` what is known at any moment."""

    def __init__(
        self,
        subject: Subject,
        budget: float,
        *,
        everything: bool = False,
        watch: Watch | None = None,
    ) -> None:
        self.subject = subject
        self.everything = everything
        self.watch = watch
        self.deadline = Deadline(budget)
        self.budget = budget
        self.progress = Progress()
        made = made_until(self.deadline, subject.inputs)
        self.unmade = made is None
        self.inputs = made or Inputs((), {}, (), {}, {})
        if subject.options.solver is not None:
            # A solver that does not exist is a mistake in the question.
            make_solver(subject.options.solver, subject.options.timeout).close()
        self.merging = _Merging()
        self.paths = Paths()
        self.found: dict[tuple[str, str], Verification] = {}
        # Failures that were predicted, and that CPython has not shown.
        self.doubted: dict[tuple[str, str], Verification] = {}
        # Why a failure that only some order of a set would bring is not told.
        self.unordered = ""
        # Probes that are started when the race is.
        self.probes: Probes | None = None
        self._taken = 0
        self._merged: Lane | None = None
        self._following: Lane | None = None

    # --- running --------------------------------------------------------------------------------

    def run(self) -> list[Verification]:
        """Race until the answer is known or the budget is spent."""
        try:
            if self.subject.options.probes and not self.unmade:
                self.probes = Probes(
                    self.subject.function,
                    self.inputs,
                    deadline=self.deadline.end,
                    is_failure=self._is_failure,
                )
            while not self.is_over:
                self._start_lanes()
                self._wait()
                self._receive()
                if self.watch is not None:
                    self.progress.seconds = self.deadline.spent()
                    self.watch(self.progress)
        finally:
            self.stop()
        return self.answers()

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to wait for."""
        if self.unmade or self.deadline.is_over or (self.found and not self.everything):
            return True
        merging = self.merging.ended
        if (merging is not None and merging.complete) or self.paths.complete:
            return True
        return not self._probing and merging is not None and self.paths.ended

    @property
    def _probing(self) -> bool:
        return self.probes is not None and not self.probes.ended

    def _is_failure(self, error: BaseException) -> bool:
        return not self.subject.meant.allows(error)

    def _start_lanes(self) -> None:
        alone = self._probing and self.deadline.spent() < PROBES_ALONE
        if self._merged is None and not alone:
            self._merged = Lane(
                "merged",
                lambda report: run_merged(self.subject, report, self.everything),
                memory(),
            )
        if self._following is None and self._merged is not None and self._wants_paths():
            # Most checks are over before paths are wanted, which take long to be imported.
            from solvent.race.following import run_paths

            self._following = Lane(
                "paths",
                lambda report: run_paths(self.subject, report, self.deadline),
                memory(),
            )

    def _wants_paths(self) -> bool:
        ended = self.merging.ended
        if ended is not None:
            return not ended.complete and (self.everything or not self.found)
        return self.deadline.spent() > MERGED_ALONE and not self._probing

    @property
    def _lanes(self) -> list[Lane]:
        own = self.probes.lanes if self.probes is not None else []
        return [*own, *(lane for lane in (self._merged, self._following) if lane is not None)]

    def _wait(self) -> None:
        seconds = self.deadline.up_to(WATCH_SECONDS)
        if self._merged is None:
            seconds = min(seconds, max(0.0, PROBES_ALONE - self.deadline.spent()) + 0.001)
        wait_for(self._lanes, seconds)

    def _receive(self) -> None:
        if self.probes is not None:
            self.probes.advance()
            for found in self.probes.failures[self._taken :]:
                self._take(told(found), found)
            self._taken = len(self.probes.failures)
            self.progress.probes = self.probes.tried
        for lane in (self._merged, self._following):
            if lane is None or (self.found and not self.everything):
                continue
            for message in lane.received():
                self._hear(lane, message)
            if lane.ended:
                self._lost(lane)

    def _lost(self, lane: Lane) -> None:
        """A lane has ended; if it did not say how, it died."""
        reason = lane.death or "it ended early"
        if lane is self._merged and self.merging.ended is None:
            self.merging.ended = Ended(reason=f"merged execution was lost: {reason}")
        if lane is self._following and not self.paths.ended:
            self.paths.lost = f"the search of paths was lost: {reason}"

    def _hear(self, lane: Lane, message: object) -> None:
        merging, progress = self.merging, self.progress
        match message:
            case Found():
                self._take(message)
            case Began(level):
                progress.level = level
            case Grown(terms):
                progress.terms = terms
            case Asking(before=before, total=total):
                merging.asking = message
                progress.open_questions = total - before
            case Cleared():
                merging.cleared[message.position, message.exception] = message
            case Finished(level, cut):
                merging.levels.append(level)
                merging.cut = cut
                merging.asking = None
                progress.best, progress.open_questions = level, 0
            case Cost(stats):
                merging.stats = stats
            case Ended():
                merging.ended = message
            case Reached() if lane is self._merged:
                where = relative(message.position)
                merging.ended = Ended(reason=f"{where}: {message}", refused=True)
            case Reached():
                self.paths.lost = f"{relative(message.position)}: {message}"
            case Broken(reason=reason) if lane is self._merged:
                merging.ended = Ended(reason=f"merged execution failed: {reason}")
            case Broken(reason=reason):
                self.paths.lost = f"the search of paths failed: {reason}"
            case _:
                found = self.paths.hear(message)
                progress.paths = self.paths.count
                if found is not None:
                    self._take(found)

    def stop(self) -> None:
        """End all lanes."""
        for lane in self._lanes:
            lane.stop()

    # --- answers --------------------------------------------------------------------------------

    def _take(self, found: Found, probed: Probed | None = None) -> None:
        """A failure that a lane has found; a probe has been confirmed already."""
        if found.kind in self.found or (self.found and not self.everything):
            return
        share = min(SHRINK_SECONDS, SHRINK_SHARE * self.budget, self.deadline.left() or 0.0)
        deadline = Deadline(max(LEAST_SECONDS, share))
        kind, result = judged(self.subject, found, probed, deadline)
        if found.walked and not result.confirmed:
            self.unordered = self.unordered or other_orders(relative(found.walked))
            return
        known = self.found if result.confirmed else self.doubted
        known.setdefault(kind, replace(result, derived=self.inputs.derived))

    def answers(self, interrupted: str = "") -> list[Verification]:
        """What is known now: the failures, or that there are none, or what was covered."""
        stats = self._stats()
        coverage = self.coverage(interrupted)
        # What nobody has seen is told only where nothing better is known.
        found = self.found or self.doubted
        if found:
            return [replace(result, stats=stats, coverage=coverage) for result in found.values()]
        proved = bool(coverage.proved)
        return [
            Verification(
                function=Problem(self.subject.function, self.inputs, None).name,  # type: ignore[arg-type]
                status=Status.UNSAT if proved else Status.UNKNOWN,
                reason="" if proved else self._reason(interrupted),
                derived=self.inputs.derived,
                meant=self.subject.meant.explained(),
                assertions_only=self.subject.meant.assertions_only,
                coverage=coverage,
                stats=stats,
            )
        ]

    def _stats(self) -> QueryStats:
        known = self.merging.stats or QueryStats(Stats())
        return replace(known, seconds=self.deadline.spent())

    def coverage(self, interrupted: str = "") -> Coverage:
        """What was covered so far."""
        merging, paths = self.merging, self.paths
        proved = ""
        if not (self.found or self.doubted or self._crash or self.unordered):
            if merging.ended is not None and merging.ended.complete:
                options = self.subject.options
                assumed = options.bound is not None and options.unwinding == "assume"
                rounds = f", loops of up to {options.bound} rounds" if assumed else ""
                proved = f"by merged execution{rounds}"
            elif paths.complete:
                proved = "path by path"
        decided = tuple(
            Decided(relative(one.position), one.exception, one.level, one.by)
            for one in merging.cleared.values()
        )
        return Coverage(
            levels=tuple(merging.levels),
            proved=proved,
            probes=self.probes.tried if self.probes is not None else 0,
            no_probes=self._no_probes(),
            paths=paths.count,
            concretized=paths.concretized,
            seen=self.probes.seen() if self.probes is not None else (),
            decided=decided,
            open=() if proved else tuple(self._open(interrupted)),
        )

    @property
    def _crash(self) -> str:
        """With which inputs the program ends its process, if some are known: then it may fail."""
        deadly = self.probes.deadly if self.probes is not None else []
        # A process is killed for lack of memory, too, of which others may be the cause.
        found = [(model, death) for model, death in deadly if "SIGKILL" not in death]
        if self.probes is None or not found:
            return ""
        model, death = found[0]
        return f"with {self.probes.program.text(model)} {death}"

    def _no_probes(self) -> str:
        """Why there were no probes, or no more."""
        probes = self.probes
        if probes is None:
            return "there are no inputs" if self.unmade else "not wanted"
        if probes.reached is not None:
            return f"{probes.reached} at {relative(probes.reached.position)}"
        return probes.problem or ("" if probes.complete else "the time was over")

    def _open(self, interrupted: str) -> list[str]:
        merging = self.merging
        result: list[str] = []
        if merging.asking is not None:
            one = merging.asking
            result.append(
                f"{relative(one.position)}: {one.exception} for {one.level} is not decided"
            )
        elif merging.ended is None and self.progress.level is not None:
            result.append(f"{self.progress.level}: the run is not finished")
        if merging.ended is not None and merging.ended.reason:
            result.append(relative(merging.ended.reason))
        elif merging.cut:
            result.append(relative(merging.cut))
        result += [self._crash] if self._crash else []
        result += self.paths.open
        return list(dict.fromkeys(result)) or [interrupted or self.deadline.message]

    def _reason(self, interrupted: str) -> str:
        """Why there is no answer: what was hardest, and what to try."""
        ended = self.merging.ended
        if self.unordered:
            return self.unordered
        if ended is not None and ended.reason and not interrupted:
            return relative(ended.reason)
        if self._crash and self.is_over and not self.deadline.is_over:
            return self._crash
        what = interrupted or f"the budget of {self.budget:g} s is spent"
        asking = self.merging.asking
        if asking is not None:
            hardest = (
                f"the hardest question is whether {relative(asking.position)} raises "
                f"{asking.exception} for {asking.level}"
            )
        elif self.progress.level is not None:
            hardest = f"the run for {self.progress.level} was not finished"
        elif self.unmade:
            hardest = "the constructors that make the inputs did not end"
        else:
            hardest = "nothing was begun but probes"
        return f"{what}; {hardest}; {self._advice()}"

    def _advice(self) -> str:
        level = self.progress.level
        more = f"--budget {2 * self.budget:g}"
        bounded = self.merging.levels[-1].bound if self.merging.levels else None
        if self.unmade:
            return f"try inputs of another class, or {more}"
        if level is not None and level.length:
            return f"try --max-len {level.length - 1}, an assumption, or {more}"
        if bounded is not None and self.merging.cut:
            return f"try an assumption that ends the loops within {bounded} rounds, or {more}"
        return f"try an assumption about the inputs, or {more}"


def memory() -> int:
    """How much memory a lane may have."""
    return int(MEMORY_SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
