"""`solvent test` of a file or folder: a test file for each function, explored side by side."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from solvent.cli.answers import Unanswered, position_of, say
from solvent.cli.asking import attempt
from solvent.cli.checked import member_at, place_as_data
from solvent.cli.common import InputError
from solvent.cli.envelope import told
from solvent.cli.importing import Importer
from solvent.cli.limits import marked
from solvent.cli.loading import Inputs, parse_inputs
from solvent.cli.members import Member, inputs_for, unsaid
from solvent.cli.shipping import Sources, sources_of
from solvent.cli.spreading import limits_of, spread
from solvent.cli.targets import Target, targets
from solvent.explore import Exploration, Suite, explore, suite
from solvent.queries.options import Options
from solvent.queries.subjects import name_of
from solvent.strategies.known import is_given
from solvent.units.local import RefusedError
from solvent.units.unit import Reply, Tell, Unit
from solvent.verdicts import Answer, Together, Verdict, as_json, exit_code
from solvent.verdicts.rendering import Json

# The options that the tests of a function depend on.
_MATTER = (
    *("order", "depth", "paths", "seconds", "bound", "compositional", "merged", "concretize"),
    *("solver", "timeout", "max_len", "alias", "input"),
)
# What does not end within so many times its seconds is ended.
_PATIENCE = 3.0
_GRACE_SECONDS = 30.0


def are_several(target: str) -> bool:
    """Whether a target names no function, but all of a file or folder."""
    return "::" not in target and Path(target).exists()


def exploring(
    options: argparse.Namespace, seconds: float | None, progress: Callable[[int], object]
) -> Options:
    """How functions are explored."""
    return Options(
        order=options.order,
        depth=options.depth,
        paths=options.paths,
        seconds=seconds,
        bound=options.bound,
        compositional=options.compositional,
        merged=options.merged,
        concretize=options.concretize,
        solver=options.solver,
        timeout=options.timeout,
        max_len=options.max_len,
        alias=options.alias,
        progress=progress,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Written(Answer):
    """What became of the tests of a function."""

    function: str
    position: str
    tests: int = 0
    output: str = ""
    # What was explored, in words.
    said: str = ""

    def as_dict(self) -> Json:
        """The row for JSON."""
        known: Json = {"function": self.function, "position": self.position}
        return {**known, "tests": self.tests, "output": self.output, **as_json(self)}

    def __str__(self) -> str:
        if not self.output:
            return f"{self.position}: {self.function}: no tests: {self.reason}"
        more = f" ({self.reason})" if self.reason else ""
        tests = f"{self.tests} test{'s' * (self.tests != 1)}"
        return f"{self.position}: {self.function}: {tests} in {self.output}{more}"


def write_suites(options: argparse.Namespace) -> int:
    """Explore the functions of a file or folder, and write a test file for each."""
    if options.output is None:
        raise InputError(
            f"{options.target}: name one function as {options.target}::FUNCTION, or a folder for "
            "the tests of all: -o FOLDER"
        )
    folder = Path(options.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{options.output}: {error.strerror}") from None
    asked: list[tuple[str, str, str]] = []
    known: dict[int, Written] = {}
    with spread(options, ["test", options.target]) as doing:
        try:
            for index, _, reply in doing(_units(options, asked)):
                known[index] = _written(*asked[index], reply)
        except RefusedError as error:
            raise InputError(str(error)) from None
    rows = [known[index] for index in sorted(known)]
    if not rows:
        raise InputError(f"{options.target}: there is no function that can be explored")
    together = Together.of(rows)
    if not told(
        options, {"file": options.target, "functions": [r.as_dict() for r in rows]}, together
    ):
        for row in rows:
            say(options, str(row))
    return exit_code(together.verdict)


def _units(options: argparse.Namespace, asked: list[tuple[str, str, str]]) -> Iterator[Unit]:
    """The functions, each with its place among what was asked."""
    inputs = parse_inputs(options.input)
    importer = Importer()
    try:
        for target in targets(options.target):
            sources = sources_of(target.place, options.ship)
            for number, member in enumerate(target.members(importer.module(target.place))):
                given = inputs_for(member, inputs, options.max_len)
                if unsaid(member, given) or is_given(member.function):
                    continue
                name = name_of(member.function)
                label = re.sub(r"\W+", "_", f"{target.place.name}_{name}")
                output = str(Path(options.output) / f"test_{label}.py")
                asked.append((name, position_of(member.function), output))
                yield _unit(options, member, target, number, sources, output)
    finally:
        importer.leave()


def _unit(
    options: argparse.Namespace,
    member: Member,
    target: Target,
    number: int,
    sources: Sources,
    output: str,
) -> Unit:
    seconds = options.work.within(options.seconds)
    limit = None if seconds is None else _PATIENCE * seconds + _GRACE_SECONDS
    data: Json = {
        **place_as_data(member, target, number, sources),
        "options": {**{name: getattr(options, name) for name in _MATTER}, "seconds": seconds},
        "output": output,
    }
    inputs = parse_inputs(options.input)
    here = argparse.Namespace(**{**vars(options), "seconds": seconds})
    return Unit(
        "explore",
        name_of(member.function),
        data,
        sources.bundle,
        limits_of(options, limit),
        lambda tell: _explored(here, member, inputs, output, tell),
        sources.only_here,
    )


def perform(data: Json, tell: Tell) -> Json:
    """Explore a function whose sources were sent here, in the working directory."""
    member = member_at(data)
    given = data["options"]
    assert isinstance(given, dict)
    options = argparse.Namespace(**given)
    return _explored(options, member, parse_inputs(options.input), str(data["output"]), tell)


def _explored(
    options: argparse.Namespace, member: Member, inputs: Inputs, output: str, tell: Tell
) -> Json:
    """The tests of a function as data, or why there are none."""
    function = member.function
    given = inputs_for(member, inputs, options.max_len)
    asked = exploring(options, options.seconds, lambda count: tell(f"{count} paths"))

    def query() -> tuple[Exploration, Suite]:
        found = explore(function, asked, **given)
        return found, suite(found, function, output)

    answer = attempt(function, query)
    if isinstance(answer, Unanswered):
        return {"reason": answer.reason}
    found, tests = answer
    reasons = [one.reason for one in found.unexplored]
    reasons += [f"no test of {call}: {reason}" for call, reason in tests.left_out]
    return {
        "text": tests.text,
        "tests": tests.tests,
        "complete": found.complete and not tests.left_out,
        "reason": "; ".join(dict.fromkeys(reasons)),
        "said": str(found),
    }


def _written(name: str, position: str, output: str, reply: Reply) -> Written:
    """Write the tests that a reply has; without any it is unknown why the function does what."""
    known = partial(Written, function=name, position=position)
    answer = reply.answer
    if answer is None:
        return known(reason=marked(reply.problem))
    reason, tests = str(answer.get("reason", "")), answer.get("tests")
    if not isinstance(tests, int) or not tests:
        return known(reason=reason or "there is no path of which a test can be written")
    try:
        Path(output).write_text(str(answer["text"]), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{output}: {error.strerror}") from None
    verdict = Verdict.HOLDS if answer["complete"] is True else Verdict.UNKNOWN
    said = str(answer["said"])
    return known(verdict=verdict, reason=reason, tests=tests, output=output, said=said)
