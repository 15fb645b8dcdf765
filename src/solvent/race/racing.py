"""The race: lanes side by side until one of them has the answer or the budget is spent.

Probes start first, because most failures are found by small inputs within milliseconds.  Merged
execution follows, which can prove, and paths one by one where merging is refused or slow.  A
failure counts when the plain function has failed in CPython.
"""

from __future__ import annotations

import time
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
from solvent.race.memory import greediest, limit
from solvent.race.merged import Cost, Grown, Pending, run_merged
from solvent.race.messages import (
    Asking,
    Began,
    Cleared,
    Ended,
    Finished,
    Found,
    Proved,
    Undecided,
)
from solvent.race.paths import Paths
from solvent.race.probing import Probed, Probes
from solvent.race.progress import Progress, Watch
from solvent.solvers.questions import Question
from solvent.solvers.status import Status
from solvent.terms.memory import created_terms
from solvent.verdicts import Deadline
from solvent.vm.report import Stats

# How long the probes run alone, and how long merging runs before paths are tried too.
PROBES_ALONE = 0.15
MERGED_ALONE = 2.0
# How often whoever watches is told how far it is.
WATCH_SECONDS = 0.1
# Seconds, and the share of the budget, for making a counterexample small; so many it always has.
SHRINK_SECONDS = 2.0
SHRINK_SHARE = 0.2
LEAST_SECONDS = 0.5
# The share of the budget in which longer texts are tried than were asked for.
LONGER_SHARE = 0.25


@dataclass(slots=True)
class _Merging:
    """What the lane of merged execution has told."""

    ended: Ended | None = None
    levels: list[Level] = field(default_factory=list)
    # Places that do not fail, with the largest level for which that is known.
    cleared: dict[tuple[str, str], Cleared] = field(default_factory=dict)
    cut: str = ""
    asking: Asking | None = None
    undecided: Undecided | None = None
    # The line of the program that its run has come to, if that goes on.
    position: str = ""
    stats: QueryStats | None = None
    # A question without an answer, and since when it is asked.
    pending: Question | None = None
    since: float = 0.0
    # What is proved already while longer texts are tried, and until when they are.
    proved: Proved | None = None
    until: Deadline | None = None

    def cost(self, message: Cost | Pending) -> None:
        """What questions have cost, or that one of them costs more than others."""
        if isinstance(message, Pending):
            self.pending, self.since = message.question, time.perf_counter() - message.seconds
        else:
            self.stats, self.pending = message.stats, None

    def costs(self) -> QueryStats:
        """What all has cost up to now, with what is being asked."""
        known = self.stats or QueryStats(Stats())
        if self.pending is None or self.ended is not None:
            return known
        seconds = time.perf_counter() - self.since
        hardest = known.hardest
        if hardest is None or hardest.checked.seconds < seconds:
            checked = replace(self.pending.checked, seconds=seconds)
            hardest = replace(self.pending, checked=checked)
        spent = known.solver_seconds + seconds
        return replace(known, checks=known.checks + 1, solver_seconds=spent, hardest=hardest)


class Race:
    """One check of one function; `run` gives the answers, `answer` what is known at any moment."""

    def __init__(
        self,
        subject: Subject,
        budget: float,
        *,
        everything: bool = False,
        watch: Watch | None = None,
        share: float | None = None,
    ) -> None:
        self.subject = subject
        self.everything = everything
        self.watch = watch
        # After so many seconds it is over if others can go on with each open place by itself.
        self.share = share
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
        # Probes that Hypothesis draws, and the check that they belong to, of longer inputs.
        self.drawn: Probes | None = None
        self._drawn_of = subject
        self._may_draw = subject.options.probes
        self._taken = {"probes": 0, "drawn": 0}
        # Terms that there were, and seconds that were spent, when merged execution began.
        self._made, self._begun = 0, 0.0
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
                    deadline=self.deadline,
                    is_failure=self._is_failure,
                )
            while not self.is_over:
                self._start_lanes()
                self._wait()
                self._spare_memory()
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
        if self.merging.until is not None:
            # What was asked for is proved.
            return merging is not None or self.merging.until.is_over
        if (merging is not None and merging.complete) or self.paths.complete or self._is_divided:
            return True
        if self._probing or self._drawing or self._wants_drawn() or merging is None:
            return False
        return self.paths.ended or self._is_about_few

    @property
    def _is_divided(self) -> bool:
        """Whether others go on: several places are open, and one of them is hard."""
        found = self.merging.undecided
        if self.share is None or found is None or not found.kinds:
            return False
        # What is left must be worth beginning anew for.
        worthwhile = self.share < self.deadline.spent() < self.budget - self.share
        return worthwhile and len(found.kinds) + found.unasked > 1

    @property
    def _is_about_few(self) -> bool:
        """Whether it is about some places only, about which paths do not tell."""
        return self.subject.places is not None and self.subject.places.only

    @property
    def _probing(self) -> bool:
        return self.probes is not None and not self.probes.ended

    @property
    def _drawing(self) -> bool:
        return self.drawn is not None and not self.drawn.ended

    def _is_failure(self, error: BaseException) -> bool:
        return not self.subject.meant.allows(error)

    def _start_lanes(self) -> None:
        alone = self._probing and self.deadline.spent() < PROBES_ALONE
        if self._merged is None and not alone:
            self._made, self._begun = created_terms(), self.deadline.spent()
            self._merged = Lane(
                "merged",
                lambda report: run_merged(self.subject, report, self.everything),
                limit(),
            )
        if self._following is None and self._merged is not None and self._wants_paths():
            # Most checks are over before paths are wanted, which take long to be imported.
            from solvent.race.following import run_paths

            self._following = Lane(
                "paths",
                lambda report: run_paths(self.subject, report, self.deadline),
                limit(),
            )
        if self._wants_drawn():
            self._may_draw = False
            self._draw()

    def _wants_drawn(self) -> bool:
        """Whether the question is open for so long that importing Hypothesis is worth it."""
        own = self.probes
        if not self._may_draw or own is None or self._is_about_few:
            return False
        is_idle = own.ended and own.complete and own.tried
        if not is_idle or self._merged is None or self.merging.proved is not None:
            return False
        return self.merging.ended is not None or self.deadline.spent() > MERGED_ALONE

    def _draw(self) -> None:
        from solvent.race.generating import generated, is_installed, wider

        if not is_installed():
            return
        subject = made_until(self.deadline, lambda: wider(self.subject))
        if subject is not None:
            self._drawn_of = subject
            self.drawn = generated(
                subject.function,
                subject.inputs(),
                deadline=self.deadline,
                is_failure=self._is_failure,
            )

    def _wants_paths(self) -> bool:
        if self.merging.proved is not None or self._is_about_few:
            return False
        ended = self.merging.ended
        if ended is not None:
            return not ended.complete and (self.everything or not self.found)
        return self.deadline.spent() > MERGED_ALONE and not self._probing

    @property
    def _lanes(self) -> list[Lane]:
        own = [lane for probes in self._all_probes for lane in probes.lanes]
        return [*own, *(lane for lane in (self._merged, self._following) if lane is not None)]

    @property
    def _all_probes(self) -> list[Probes]:
        return [probes for probes in (self.probes, self.drawn) if probes is not None]

    def _wait(self) -> None:
        seconds = self.deadline.up_to(WATCH_SECONDS)
        if self._merged is None:
            seconds = min(seconds, max(0.0, PROBES_ALONE - self.deadline.spent()) + 0.001)
        wait_for(self._lanes, seconds)

    def _spare_memory(self) -> None:
        """End the lane that takes most if there is hardly any memory left, and that is much."""
        lanes = {one.pid: one for one in (self._merged, self._following) if one and not one.ended}
        greedy = greediest(lanes)
        if greedy is not None:
            self._give_up(lanes[greedy], Broken("it took more memory than there is"))
            lanes[greedy].stop()

    def _receive(self) -> None:
        for name, probes, subject in (
            ("probes", self.probes, self.subject),
            ("drawn", self.drawn, self._drawn_of),
        ):
            if probes is not None:
                probes.advance()
                for found in probes.failures[self._taken[name] :]:
                    self._take(told(found), found, subject)
                self._taken[name] = len(probes.failures)
        self.progress.probes = sum(probes.tried for probes in self._all_probes)
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
                progress.level, merging.position = level, ""
            case Grown(terms, position):
                progress.terms = terms
                merging.position = position
            case Asking(before=before, total=total):
                merging.asking = message
                progress.open_questions = total - before
            case Undecided():
                merging.undecided = message
            case Cleared():
                merging.cleared[message.position, message.exception] = message
            case Finished(level, cut):
                merging.levels.append(level)
                merging.cut = cut
                merging.asking = merging.undecided = None
                progress.best, progress.open_questions = level, 0
            case Proved():
                merging.proved = message
                seconds = max(LEAST_SECONDS, LONGER_SHARE * self.budget)
                merging.until = merging.until or Deadline(seconds)
            case Cost() | Pending():
                merging.cost(message)
            case Ended():
                merging.ended = message
            case Reached() | Broken():
                self._give_up(lane, message)
            case _:
                found = self.paths.hear(message)
                progress.paths = self.paths.count
                if found is not None:
                    self._take(found)

    def _give_up(self, lane: Lane, message: Reached | Broken) -> None:
        """A lane has met what it must not do, or has failed itself."""
        is_merged = lane is self._merged
        if isinstance(message, Broken):
            how = "merged execution" if is_merged else "the search of paths"
            reason = f"{how} failed: {message.reason}"
        else:
            reason = f"{relative(message.position)}: {message}"
        if is_merged:
            self.merging.ended = Ended(reason=reason, refused=isinstance(message, Reached))
        else:
            self.paths.lost = reason

    def stop(self) -> None:
        """End all lanes."""
        for lane in self._lanes:
            lane.stop()

    # --- answers --------------------------------------------------------------------------------

    def _take(
        self, found: Found, probed: Probed | None = None, subject: Subject | None = None
    ) -> None:
        """A failure that a lane has found; a probe has been confirmed already."""
        subject = subject or self.subject
        if found.kind in self.found or (self.found and not self.everything):
            return
        share = min(SHRINK_SECONDS, SHRINK_SHARE * self.budget, self.deadline.left() or 0.0)
        deadline = Deadline(max(LEAST_SECONDS, share))
        kind, result = judged(subject, found, probed, deadline)
        if found.walked and not result.confirmed:
            self.unordered = self.unordered or other_orders(relative(found.walked))
            return
        known = self.found if result.confirmed else self.doubted
        derived = replace(subject, longest=found.longest).inputs().derived
        known.setdefault(kind, replace(result, derived=derived))

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
                derived=self._derived(),
                meant=self.subject.meant.explained(),
                assertions_only=self.subject.meant.assertions_only,
                coverage=coverage,
                stats=stats,
            )
        ]

    def _stats(self) -> QueryStats:
        known, seconds = self.merging.costs(), self.deadline.spent()
        if self.merging.stats is None and self.merging.ended is None and self._merged is not None:
            # It is not known yet what a run costs that has not ended.
            terms = max(0, self.progress.terms - self._made)
            run = replace(known.run, terms=terms, seconds=seconds - self._begun)
            known = replace(known, run=run)
        return replace(known, seconds=seconds)

    def coverage(self, interrupted: str = "") -> Coverage:
        """What was covered so far."""
        merging, paths = self.merging, self.paths
        proved = ""
        if not (self.found or self.doubted or self._crash or self.unordered):
            if merging.proved is not None or (merging.ended is not None and merging.ended.complete):
                options = self.subject.options
                assumed = options.bound is not None and options.unwinding == "assume"
                rounds = f", loops of up to {options.bound} rounds" if assumed else ""
                part = "" if self.subject.places is None else ", at some places"
                proved = f"by merged execution{rounds}{self._untried()}{part}"
            elif paths.complete:
                proved = "path by path"
        decided = tuple(
            Decided(relative(one.position), one.exception, one.level, one.by)
            for one in merging.cleared.values()
        )
        return Coverage(
            levels=tuple(merging.levels),
            proved=proved,
            probes=sum(probes.tried for probes in self._all_probes),
            drawn=self.drawn.tried if self.drawn is not None else 0,
            no_probes=self._no_probes(),
            paths=paths.count,
            concretized=paths.concretized,
            seen=tuple(seen for probes in self._all_probes for seen in probes.seen()),
            decided=decided,
            undecided=() if proved else self._undecided(),
            open=() if proved else tuple(self._open(interrupted)),
        )

    def _undecided(self) -> tuple[tuple[str, str], ...]:
        """The places that were too hard up to now."""
        found = self.merging.undecided
        kinds = () if found is None else found.kinds
        return tuple((relative(position), exception) for position, exception in kinds)

    @property
    def _proved_length(self) -> int:
        """How long the texts are for which there is a proof, 0 if not longer than asked for."""
        merging = self.merging
        if merging.proved is None:
            return 0
        complete = merging.ended is not None and merging.ended.complete
        return merging.proved.next if complete else merging.proved.longest

    def _untried(self) -> str:
        """What is said of longer texts that the program looks for, and that were not decided."""
        merging = self.merging
        if merging.ended is not None and merging.ended.complete:
            more = merging.ended.untried
            return f" (the program also looks for texts of {more})" if more else ""
        return (
            f" (texts of {merging.proved.next}, that the program looks for, are not decided)"
            if merging.proved
            else ""
        )

    def _derived(self) -> dict[str, str]:
        longest = self._proved_length
        if not longest:
            return self.inputs.derived
        return replace(self.subject, longest=longest).inputs().derived

    @property
    def _crash(self) -> str:
        """With which inputs the program ends its process, if some are known: then it may fail."""
        for probes in self._all_probes:
            for model, death in probes.deadly:
                # A process is killed for lack of memory, too, of which others may be the cause.
                if "SIGKILL" not in death:
                    return f"with {probes.program.text(model)} {death}"
        return ""

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
            at = self.merging.position
            where = f", at {relative(at)}" if at else ""
            hardest = f"the run for {self.progress.level} was not finished{where}"
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
