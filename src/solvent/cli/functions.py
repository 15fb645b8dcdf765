"""`solvent verify`: each function is a unit of work, here or elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeGuard

from solvent import queries
from solvent.cli.answers import Report, Unanswered, position_of
from solvent.cli.asking import attempt, checked, found_out, kept_answers, query_options
from solvent.cli.cache import Entry
from solvent.cli.checking import Stopped
from solvent.cli.common import InputError
from solvent.cli.importing import Importer, Place
from solvent.cli.limits import is_lasting, marked
from solvent.cli.loading import Inputs, parse_inputs
from solvent.cli.measuring import profile_apart
from solvent.cli.members import Member, inputs_for, unsaid
from solvent.cli.progress import Work
from solvent.cli.reported import Reported, as_data, from_data
from solvent.cli.selecting import Selection, named_exceptions
from solvent.cli.shipping import Sources, sources_of, version_of
from solvent.cli.spreading import SHARE, Spread, is_spread, limits_of, spread
from solvent.cli.targets import Target
from solvent.errors import InputSpaceError
from solvent.queries.results import Result
from solvent.queries.session import verify_all
from solvent.queries.subjects import name_of
from solvent.units.local import RefusedError
from solvent.units.unit import Reply, Tell, Unit
from solvent.verdicts import BAD_INPUT, INTERRUPTED, Answer, Verdict
from solvent.verdicts.rendering import Json

# The options that an answer about a function depends on.
_MATTER = (
    *("bound", "max_len", "alias", "input", "budget", "probes", "all"),
    *("raises", "assertions_only", "solver", "timeout"),
)
# A race keeps to its budget; what does not end by itself is ended so much later.
_GRACE_SECONDS = 15.0


def verify(options: argparse.Namespace) -> int:
    """Findings as compilers print them, one for each place that can fail."""
    report = Report(options)
    chosen = Selection(options, report)
    try:
        if options.split or (is_spread(options) and not _is_one(options)):
            _spread(options, report, chosen)
        else:
            _one_by_one(options, report, chosen)
    except KeyboardInterrupt as interrupt:
        if not isinstance(interrupt, Stopped) and not report.entries:
            raise
        report.finish(chosen.nothing())
        return INTERRUPTED
    return report.finish(chosen.nothing())


def _is_one(options: argparse.Namespace) -> bool:
    """Whether the only target names one function, so that there is nothing to spread."""
    if options.cluster is not None or len(options.target) != 1:
        return False
    file, colons, _ = options.target[0].rpartition(":")
    return bool(colons) and not Path(options.target[0]).exists() and bool(file)


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


def _one_by_one(options: argparse.Namespace, report: Report, chosen: Selection) -> None:
    for member, given in _members(options, report, chosen):
        asked = _Asked.about(member, report.place(member.function))
        try:
            found = checked(options, member, given)
        except Stopped as interrupt:
            report.answered(asked.name, asked.position, interrupt.results, asked.place)
            raise
        _settle(report, chosen, asked, found)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A function that was asked about, and its place in the report."""

    name: str
    position: str
    named: bool
    place: int
    kept: Entry | None = None

    @classmethod
    def about(cls, member: Member, place: int, kept: Entry | None = None) -> _Asked:
        function = member.function
        return cls(name_of(function), position_of(function), member.named, place, kept)


def _settle(
    report: Report, chosen: Selection, asked: _Asked, found: Sequence[Answer] | Unanswered
) -> None:
    """Put what is known about a function into the report."""
    if not isinstance(found, Unanswered):
        report.answered(asked.name, asked.position, found, asked.place)
        return
    if chosen.alone and asked.named and found.code == BAD_INPUT:
        raise InputError(str(found))
    if not asked.named and issubclass(found.cause or type(None), InputSpaceError):
        # Nobody asked about this function by name.
        found = replace(found, status="unsupported")
    report.unanswered(found, asked.place)


# --- as units of work --------------------------------------------------------------------------


def _spread(options: argparse.Namespace, report: Report, chosen: Selection) -> None:
    """Check functions side by side; with `--split` what is hard then in pieces."""
    asked: list[_Asked] = []
    places: list[_Where] = []
    hard: list[tuple[_Where, _Asked, Sequence[Answer]]] = []
    whole = options.budget
    if options.split:
        options = argparse.Namespace(**{**vars(options), "budget": SHARE * whole})

    def units() -> Iterator[Unit]:
        sources: dict[Path, Sources] = {}
        for member, given in _members(options, report, chosen):
            kept = kept_answers(options, member)
            one = _Asked.about(member, report.place(member.function), kept)
            known = kept.read() if kept is not None else None
            if known is not None:
                _settle(report, chosen, one, known)
                continue
            target = chosen.target
            assert target is not None, "a function that was chosen has a file"
            if target.place.path not in sources:
                sources[target.place.path] = sources_of(target.place, options.ship)
            found = sources[target.place.path]
            asked.append(replace(one, kept=_kept_of(options, kept)))
            places.append(_Where(target, chosen.index))
            yield _unit(options, member, given, kept, target, chosen.index, found)

    with spread(options, ["verify", *options.target]) as doing:
        try:
            for index, unit, reply in doing(units()):
                one = asked[index]
                found = _found(unit, reply, one)
                if one.kept is not None and not isinstance(found, Unanswered):
                    one.kept.put(found)
                if options.split and reply.finished and _is_hard(found):
                    hard.append((places[index], one, found))
                else:
                    _settle(report, chosen, one, found)
        except RefusedError as error:
            raise InputError(str(error)) from None
        for where, one, answers in sorted(hard, key=lambda known: known[1].place):
            again = _conquered(options, where, doing, (1 - SHARE) * whole)
            _settle(report, chosen, one, answers if again is None else again)


@dataclass(frozen=True, slots=True)
class _Where:
    """Where a function is: its file, and its number among those there."""

    target: Target
    index: int


def _is_hard(found: Sequence[Answer] | Unanswered) -> TypeGuard[Sequence[Answer]]:
    """Whether more time might tell more."""
    return not isinstance(found, Unanswered) and any(
        one.verdict is Verdict.UNKNOWN and not is_lasting(one.reason) for one in found
    )


def _conquered(
    options: argparse.Namespace, where: _Where, doing: Spread, seconds: float
) -> Sequence[Answer] | None:
    """Ask about a function once more, in pieces; nothing unless something definite comes of it."""
    # Few divide questions, and SMT-LIB takes a while to import.
    from solvent.cli.conquering import Over, splitting, within

    importer = Importer()
    try:
        member = where.target.members(importer.module(where.target.place))[where.index]
        function = member.function
        given = inputs_for(member, parse_inputs(options.input), options.max_len)
        more = {
            "raises": named_exceptions(options.raises, function),
            "assertions_only": options.assertions_only,
            "timeout": seconds,
        }
        kept = kept_answers(options, member)
        asked = query_options(options, **more)
        with splitting(options, doing.pool, doing.show, SHARE * seconds), within(seconds):
            found = attempt(function, partial(verify_all, function, asked, **given))
        if isinstance(found, Unanswered) or not all(one.verdict.is_definite for one in found):
            return None
        if kept is not None:
            kept.write(found)
        return found
    except Over:
        return None
    finally:
        importer.leave()


def _kept_of(options: argparse.Namespace, kept: Entry | None) -> Entry | None:
    """Where to keep what a worker finds, if the sources that it gets are what is imported here.

    A fork keeps what it finds by itself.
    """
    if options.cluster is None or kept is None or kept.again() != kept.depends:
        return None
    return kept


def _unit(
    options: argparse.Namespace,
    member: Member,
    given: Inputs,
    kept: Entry | None,
    target: Target,
    index: int,
    sources: Sources,
) -> Unit:
    """The check of a function as a unit of work."""
    place = target.place
    data: Json = {
        "file": place.text,
        "root": _from_here(place.root),
        "module": place.name,
        "name": target.name,
        "line": target.line,
        "index": index,
        "function": name_of(member.function),
        "named": member.named,
        "libraries": sources.libraries,
        "options": {name: getattr(options, name) for name in _MATTER},
    }
    return Unit(
        "verify",
        name_of(member.function),
        data,
        sources.bundle,
        limits_of(options, 2 * options.budget + _GRACE_SECONDS),
        lambda tell: _told(options, member, given, tell, kept),
        sources.only_here,
    )


def _from_here(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _told(
    options: argparse.Namespace,
    member: Member,
    given: Inputs,
    tell: Tell,
    kept: Entry | None = None,
) -> Json:
    """The answer about a function as data."""
    options = argparse.Namespace(**{**vars(options), "tell": tell})
    try:
        found = found_out(options, member, given, kept)
    except Stopped as interrupt:
        found = interrupt.results
    if isinstance(found, Unanswered):
        cause = found.cause or type(None)
        return {
            "status": found.status,
            "reason": found.reason,
            "input_space": issubclass(cause, InputSpaceError),
        }
    results: Sequence[Result] = found
    return {"answers": [as_data(one) for one in results]}


def _found(unit: Unit, reply: Reply, asked: _Asked) -> list[Reported] | Unanswered:
    """What a reply says about a function; without an answer it is unknown."""
    answer = reply.answer
    if answer is None:
        reason = marked(reply.problem)
        return Unanswered(asked.name, asked.position, "unknown", reason=reason)
    try:
        rows = answer.get("answers")
        if isinstance(rows, list) and rows:
            return [from_data(row) for row in rows]
        cause = InputSpaceError if answer["input_space"] else None
        status, reason = str(answer["status"]), str(answer["reason"])
    except (LookupError, TypeError, ValueError) as error:
        cause, status = None, "unknown"
        reason = f"the answer about {unit.name} cannot be read: {error}"
    return Unanswered(asked.name, asked.position, status, cause, reason=reason)


def perform(data: Json, tell: Tell) -> Json:
    """Check a function whose sources were sent here, in the working directory."""
    libraries = data["libraries"]
    assert isinstance(libraries, dict)
    for library, version in libraries.items():
        if version_of(library) != version:
            raise InputError(f"this worker has {version_of(library)}, and not {version}")
    given = data["options"]
    assert isinstance(given, dict)
    more = {"cache": False, "quiet": True, "work": Work()}
    options = argparse.Namespace(**{**given, **more})
    file = str(data["file"])
    root = Path(str(data["root"])).resolve()
    place = Place(file, Path(file).resolve(), root, str(data["module"]))
    target = Target(place, str(data["name"]), int(str(data["line"])))
    member = target.members(Importer().module(place))[int(str(data["index"]))]
    if name_of(member.function) != data["function"] or member.named != data["named"]:
        raise InputError(f"{file}: {data['function']} is not where it was")
    inputs = inputs_for(member, parse_inputs(options.input), options.max_len)
    return _told(options, member, inputs, tell)
