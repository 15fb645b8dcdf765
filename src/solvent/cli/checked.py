"""The check of a function as a unit of work, and what its reply says."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from solvent.cli.answers import Report, Unanswered, position_of
from solvent.cli.asking import found_out
from solvent.cli.cache import Entry
from solvent.cli.checking import Stopped
from solvent.cli.common import InputError
from solvent.cli.importing import Importer, Place
from solvent.cli.limits import marked
from solvent.cli.loading import Inputs, parse_inputs
from solvent.cli.members import Member, inputs_for
from solvent.cli.progress import Work
from solvent.cli.reported import Reported, as_data, from_data
from solvent.cli.selecting import Selection
from solvent.cli.shipping import Sources, version_of
from solvent.cli.spreading import limits_of
from solvent.cli.targets import Target
from solvent.errors import InputSpaceError, SolventError
from solvent.queries.results import Result
from solvent.queries.subjects import name_of
from solvent.race.levels import Places
from solvent.units.unit import ElsewhereError, Reply, Tell, Unit
from solvent.verdicts import BAD_INPUT, Answer, Verdict
from solvent.verdicts.rendering import Json

# The options that an answer about a function depends on.
_MATTER = (
    *("bound", "max_len", "alias", "input", "budget", "probes", "all"),
    *("raises", "assertions_only", "solver", "timeout"),
)
# A race keeps to its budget; what does not end by itself is ended so much later.
_GRACE_SECONDS = 15.0


class NotThereError(SolventError):
    """A function that was sent, and cannot be found in what has arrived."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A function that was asked about, and its place in the report."""

    name: str
    position: str
    named: bool
    place: int
    kept: Entry | None = None

    @classmethod
    def about(cls, member: Member, place: int, kept: Entry | None = None) -> Asked:
        function = member.function
        return cls(name_of(function), position_of(function), member.named, place, kept)


def settle(
    report: Report, chosen: Selection, asked: Asked, found: Sequence[Answer] | Unanswered
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


# --- units ---------------------------------------------------------------------------------------


def kept_of(options: argparse.Namespace, kept: Entry | None) -> Entry | None:
    """Where to keep what a worker finds, if the sources that it gets are what is imported here.

    A fork keeps what it finds by itself.
    """
    if options.cluster is None or kept is None or kept.again() != kept.depends:
        return None
    return kept


@dataclass(frozen=True, slots=True)
class Check:
    """A function to be checked, wherever that is done."""

    member: Member
    given: Inputs
    target: Target
    # Its number among the functions of its target.
    index: int
    sources: Sources
    # Where a fork keeps what it finds.
    kept: Entry | None

    def unit(
        self,
        options: argparse.Namespace,
        *,
        share: float | None = None,
        places: Places | None = None,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> Unit:
        """The check as a unit of work: it may be about some places, and end early for parts."""
        name = name_of(self.member.function)
        data: Json = {
            **place_as_data(self.member, self.target, self.index, self.sources),
            "options": {name: getattr(options, name) for name in _MATTER},
            "share": share,
            "places": None if places is None else [sorted(places.kinds), places.only],
        }
        asked = argparse.Namespace(**{**vars(options), "share": share, "places": places})
        # What is known of some places is no answer about the function.
        kept = self.kept if places is None else None
        return Unit(
            "verify",
            name if places is None else f"{name} at {_at(places)}",
            data,
            self.sources.bundle,
            limits_of(options, 2 * options.budget + _GRACE_SECONDS),
            lambda tell: _told(asked, self.member, self.given, tell, kept),
            self.sources.only_here,
            doubtful=_is_proof if self.sources.only_here else None,
            is_wanted=is_wanted,
        )


def _is_proof(answer: Json) -> bool:
    """Whether an answer says that a function holds, which may be out of date if more matters."""
    rows = answer.get("answers")
    return isinstance(rows, list) and any(
        not isinstance(row, dict) or row.get("verdict") == Verdict.HOLDS.value for row in rows
    )


def _at(places: Places) -> str:
    """Some places in a few words."""
    first, *others = sorted(places.kinds)
    more = f" and {len(others)} more" if others else ""
    return f"{first[0]}{more}" if places.only else "all other places"


def place_as_data(member: Member, target: Target, index: int, sources: Sources) -> Json:
    """Where a function is, and what it needs, for who has only the files that were sent."""
    place = target.place
    return {
        "file": place.text,
        "root": _from_here(place.root),
        "module": place.name,
        "name": target.name,
        "line": target.line,
        "index": index,
        "function": name_of(member.function),
        "named": member.named,
        "libraries": sources.libraries,
    }


def member_at(data: Json) -> Member:
    """The function at a place, imported from the files that were sent."""
    libraries = data["libraries"]
    assert isinstance(libraries, dict)
    for library, version in libraries.items():
        if version_of(library) != version:
            raise ElsewhereError(f"{version_of(library)}, here {version}")
    file = str(data["file"])
    root = Path(str(data["root"])).resolve()
    place = Place(file, Path(file).resolve(), root, str(data["module"]))
    target = Target(place, str(data["name"]), int(str(data["line"])))
    try:
        member = target.members(Importer().module(place))[int(str(data["index"]))]
    except InputError as error:
        # It could be imported before it was sent.
        raise NotThereError(f"{error}; it was sent, and may need more: --ship") from None
    if name_of(member.function) != data["function"] or member.named != data["named"]:
        raise NotThereError(f"{file}: {data['function']} is not where it was")
    return member


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


def found_in(unit: Unit, reply: Reply, asked: Asked) -> list[Reported] | Unanswered:
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
    member = member_at(data)
    given = data["options"]
    assert isinstance(given, dict)
    more = {"cache": False, "quiet": True, "work": Work(), "share": data["share"]}
    options = argparse.Namespace(**{**given, **more, "places": _places(data["places"])})
    inputs = inputs_for(member, parse_inputs(options.input), options.max_len)
    return _told(options, member, inputs, tell)


def _places(said: Any) -> Places | None:
    if said is None:
        return None
    kinds, only = said
    return Places(frozenset((str(position), str(exception)) for position, exception in kinds), only)
