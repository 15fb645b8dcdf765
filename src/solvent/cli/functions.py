"""`solvent verify`: each function is a unit of work, here or elsewhere."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeGuard

from solvent import queries
from solvent.cli.answers import Report, Unanswered, position_of
from solvent.cli.asking import attempt, kept_answers, query_options
from solvent.cli.checked import Asked, Check, found_in, kept_of, settle
from solvent.cli.checking import Stopped
from solvent.cli.common import InputError
from solvent.cli.importing import Importer
from solvent.cli.limits import is_lasting, marked
from solvent.cli.loading import Inputs, parse_inputs
from solvent.cli.measuring import profile_apart
from solvent.cli.members import Member, inputs_for, unsaid
from solvent.cli.output import LostOutputError, lost
from solvent.cli.parts import Parts
from solvent.cli.reported import Reported
from solvent.cli.selecting import Selection, named_exceptions
from solvent.cli.shipping import Sources, sources_of
from solvent.cli.spreading import SHARE, Spread, spread
from solvent.queries.subjects import name_of
from solvent.units.local import RefusedError
from solvent.units.unit import Reply, Unit
from solvent.verdicts import Answer, Verdict, stopped_code


def verify(options: argparse.Namespace) -> int:
    """Findings as compilers print them, one for each place that can fail."""
    report = Report(options)
    chosen = Selection(options, report)
    try:
        _Spreading(options, report, chosen).run()
    except KeyboardInterrupt as interrupt:
        if not isinstance(interrupt, Stopped) and not report.entries:
            raise
        report.finish(chosen.nothing())
        return stopped_code(interrupt.error if isinstance(interrupt, Stopped) else interrupt)
    except OSError as error:
        code = lost(error)
        if code is None:
            raise
        return report.unread(chosen.nothing(), code)
    return report.finish(chosen.nothing())


def _members(
    options: argparse.Namespace, report: Report, chosen: Selection
) -> Iterator[tuple[Member, Inputs]]:
    """The functions that can be asked about; the others are told of."""
    inputs = parse_inputs(options.input)
    for member in chosen:
        given = inputs_for(member, inputs, options.max_len)
        problem = "" if member.named else unsaid(member, given)
        if problem:
            report.skip(name_of(member.function), position_of(member.function), problem)
        else:
            _profile(options, member, given)
            yield member, given


def _profile(options: argparse.Namespace, member: Member, given: Inputs) -> None:
    """Measure how a function is evaluated, if that is asked for; a race is in other processes."""

    def query() -> object:
        asked = query_options(options)
        return attempt(member.function, lambda: queries.verify(member.function, asked, **given))

    profile_apart(options, name_of(member.function), options.budget, query)


# After so many seconds a question that was too hard for a race is divided.
MOST_SHARE_SECONDS = 2.0


# --- as units of work --------------------------------------------------------------------------


@dataclass(slots=True)
class _Divided:
    """A function that is asked about place by place."""

    check: Check
    asked: Asked
    parts: Parts


class _Spreading:
    """Functions that are checked side by side, and what is slow of them in parts."""

    def __init__(self, options: argparse.Namespace, report: Report, chosen: Selection) -> None:
        self.options = options
        self.report = report
        self.chosen = chosen
        self.sources: dict[Path, Sources] = {}
        # The units that were given, by number: a function, or a part of one.
        self.given: list[tuple[Check, Asked, _Divided | None, int]] = []
        self.waiting: deque[tuple[_Divided, int]] = deque()
        self.divided: list[_Divided] = []
        # How many units have no reply.
        self.running = 0
        # What `--split` asks about once more.
        self.hard: list[tuple[Check, Asked, Sequence[Answer]]] = []
        first = options.budget if not options.split else SHARE * options.budget
        self.first = argparse.Namespace(**{**vars(options), "budget": first})
        # One process does no more for parts than for the whole.
        side_by_side = options.jobs > 1 or options.cluster is not None
        self.divides = side_by_side and not options.split
        left = (1 - SHARE) * options.budget
        self.later = argparse.Namespace(**{**vars(options), "budget": left})

    def run(self) -> None:
        """Check all functions."""
        unread: int | None = None
        with spread(self.options, ["verify", *self.options.target]) as doing:
            try:
                for index, unit, reply in doing(self._units()):
                    self.running -= 1
                    try:
                        self._take(index, unit, reply)
                    except OSError as error:
                        # Nobody reads any more; what is left is checked all the same.
                        unread = lost(error)
                        if unread is None:
                            raise
            except RefusedError as error:
                raise InputError(str(error)) from None
            finally:
                # After Ctrl-C, too.
                for one in self.divided:
                    self._conclude(one)
            for check, asked, answers in sorted(self.hard, key=lambda known: known[1].place):
                again = _conquered(self.options, check, doing, self.later.budget, answers)
                settle(self.report, self.chosen, asked, again or answers)
        if unread is not None:
            raise LostOutputError(unread)

    # --- units -----------------------------------------------------------------------------------

    def _units(self) -> Iterator[Unit | None]:
        share = SHARE * self.options.budget if self.divides else None
        for member, given in _members(self.options, self.report, self.chosen):
            check = self._check(member, given)
            if check is not None:
                self.running += 1
                yield check.unit(self.first, share=share)
        while self.waiting or self.running:
            if not self.waiting:
                yield None
                continue
            one, number = self.waiting.popleft()
            if not one.parts.is_over:
                self.given.append((one.check, one.asked, one, number))
                self.running += 1
                places = one.parts.places[number]
                wanted = partial(_is_wanted, one.parts)
                yield one.check.unit(self._of_part(one), places=places, is_wanted=wanted)

    def _of_part(self, one: _Divided) -> argparse.Namespace:
        """The options of a part, which has its share of what is left of the budget."""
        # How many workers a cluster has is not known here, and it may become more.
        width = self.options.jobs if self.options.cluster is None else len(one.parts.places)
        seconds = one.parts.seconds_each(width)
        return argparse.Namespace(**{**vars(self.options), "budget": seconds})

    def _check(self, member: Member, given: Inputs) -> Check | None:
        """The check of a function; nothing if the cache has the answer."""
        kept = kept_answers(self.options, member)
        asked = Asked.about(member, self.report.place(member.function), kept)
        known = kept.read() if kept is not None else None
        if known is not None:
            settle(self.report, self.chosen, asked, known)
            return None
        target = self.chosen.target
        assert target is not None, "a function that was chosen has a file"
        if target.place.path not in self.sources:
            self.sources[target.place.path] = sources_of(target.place, self.options.ship)
        sources = self.sources[target.place.path]
        check = Check(member, given, target, self.chosen.index, sources, kept)
        self.given.append((check, replace(asked, kept=kept_of(self.options, kept)), None, 0))
        return check

    # --- replies ---------------------------------------------------------------------------------

    def _take(self, index: int, unit: Unit, reply: Reply) -> None:
        check, asked, divided, number = self.given[index]
        found = found_in(unit, reply, asked)
        if divided is not None:
            divided.parts.found[number] = found
            if divided.parts.is_over:
                self._conclude(divided)
            return
        if asked.kept is not None and not isinstance(found, Unanswered):
            asked.kept.put(found)
        if self.options.split and reply.finished and _is_hard(found):
            self.hard.append((check, asked, found))
            return
        parts = None
        if reply.finished and self.divides:
            budget = self.options.budget
            parts = Parts.of(found, budget, SHARE * budget, everything=self.options.all)
        if parts is None:
            settle(self.report, self.chosen, asked, found)
            return
        one = _Divided(check, asked, parts)
        self.divided.append(one)
        self.waiting.extend((one, number) for number in range(len(parts.places)))

    def _conclude(self, one: _Divided) -> None:
        """Tell what the parts of a function amount to, once."""
        if one.asked.place in self.report.entries:
            return
        found = one.parts.together()
        if one.asked.kept is not None:
            one.asked.kept.put(found)
        elif self.options.cluster is None and one.check.kept is not None:
            # No fork has all of it.
            one.check.kept.write(found)
        settle(self.report, self.chosen, one.asked, found)


def _is_wanted(parts: Parts) -> bool:
    return not parts.is_over


def _is_hard(found: Sequence[Answer] | Unanswered) -> TypeGuard[Sequence[Answer]]:
    """Whether more time might tell more."""
    return not isinstance(found, Unanswered) and any(
        one.verdict is Verdict.UNKNOWN and not is_lasting(one.reason) for one in found
    )


def _conquered(
    options: argparse.Namespace,
    check: Check,
    doing: Spread,
    seconds: float,
    before: Sequence[Answer],
) -> Sequence[Answer] | None:
    """Ask about a function once more, in pieces; what was known before if nothing comes of it."""
    # Few divide questions, and SMT-LIB takes a while to import.
    from solvent.cli.conquering import Over, splitting, within

    importer = Importer()
    open_pieces: list[str] = []
    try:
        member = check.target.members(importer.module(check.target.place))[check.index]
        function = member.function
        given = inputs_for(member, parse_inputs(options.input), options.max_len)
        more = {
            "raises": named_exceptions(options.raises, function),
            "assertions_only": options.assertions_only,
            "timeout": seconds,
        }
        kept = kept_answers(options, member)
        asked = query_options(options, **more)
        # It has had its share of the budget already.
        share = min(SHARE * seconds, MOST_SHARE_SECONDS)
        with splitting(options, doing, share) as pieces:
            try:
                with within(seconds):
                    found = attempt(function, partial(queries.verify_all, function, asked, **given))
            finally:
                open_pieces = [one.reason for one in pieces if one.reason]
        if not isinstance(found, Unanswered) and all(one.verdict.is_definite for one in found):
            if kept is not None:
                kept.write(found)
            return found
    except Over:
        pass
    finally:
        importer.leave()
    return [_open(one, options.budget, open_pieces) for one in before]


def _open(answer: Answer, budget: float, pieces: Sequence[str]) -> Answer:
    """An answer that is unknown although the question was divided, if it was."""
    if not pieces or not isinstance(answer, Reported) or answer.verdict is not Verdict.UNKNOWN:
        return answer
    reason = marked(
        f"the budget of {budget:g} s is spent; {pieces[-1]}; "
        f"--resume goes on with these, best with --budget {2 * budget:g}"
    )
    texts = [f"reason: {reason}" if one.startswith("reason: ") else one for one in answer.texts]
    return replace(answer, reason=reason, texts=tuple(texts), row={**answer.row, "reason": reason})
