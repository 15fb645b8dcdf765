"""`solvent test`: explore a function path by path and write a test for each path."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from solvent.cli.answers import Unanswered
from solvent.cli.asking import attempt
from solvent.cli.checked import member_at, place_as_data
from solvent.cli.checking import DEFAULT_BUDGET
from solvent.cli.common import (
    Commands,
    InputError,
    add_budget_options,
    add_solver_options,
    natural,
    positive,
)
from solvent.cli.envelope import covered, told
from solvent.cli.findings import Failing, regression, regressions
from solvent.cli.importing import Importer
from solvent.cli.loading import Inputs, parse_inputs
from solvent.cli.measuring import add_profile_option, profiled, refuse_profile
from solvent.cli.members import Member, inputs_for, unsaid
from solvent.cli.programs import add_query_options, unanswered
from solvent.cli.progress import Work
from solvent.cli.selecting import one_function
from solvent.cli.shipping import Sources, sources_of
from solvent.cli.spreading import add_spread_options, limits_of, only_units, spread
from solvent.cli.suites import are_several, exploring, write_suites
from solvent.cli.targets import targets
from solvent.cli.terminal import console as console_of
from solvent.explore import Exploration, Suite, explore, suite
from solvent.explore.frontier import ORDERS
from solvent.queries.options import Options
from solvent.queries.subjects import name_of
from solvent.race import verify_all
from solvent.strategies.known import is_given
from solvent.units.unit import Tell, Unit
from solvent.verdicts import DONE, Answer, Verdict, exit_code
from solvent.verdicts.rendering import Json


def run(options: argparse.Namespace) -> int:
    """Explore a function, write the tests, and say what they cover."""
    if options.from_findings:
        refuse_profile(options, "`solvent verify` takes it for what findings come from")
        return from_findings(options)
    if are_several(options.target):
        refuse_profile(options, "name one, as in FILE.py::FUNCTION")
        return write_suites(options)
    only_units(options, "in the tests of one function")
    file, function = one_function(options.target)
    inputs = parse_inputs(options.input)
    options.work.update(f"{options.target}: exploring")

    def explored(count: int) -> None:
        paths = f"{count} {'path' if count == 1 else 'paths'}"
        options.work.update(f"{options.target}: exploring, {paths}", f"{paths} explored")

    def query() -> tuple[Exploration, Suite]:
        seconds = options.work.within(options.seconds)
        found = explore(function, exploring(options, seconds, explored), **inputs)
        options.work.update(f"{options.target}: writing the tests")
        return found, suite(found, function, options.output)

    with profiled(options, name_of(function)):
        answer = attempt(function, query)
    if isinstance(answer, Unanswered):
        return unanswered(options, file, answer)
    found, written = answer
    if options.output is not None:
        save(options.output, written)
    tested = _answer(found, written)
    show(options, file, found, written, tested)
    return exit_code(tested.verdict)


def from_findings(options: argparse.Namespace) -> int:
    """Check what the target stands for, and write a test for each failing call."""
    written = regressions(_all_failures(options), options.output)
    if options.output is not None and written.tests:
        save(options.output, written)
    fields: Json = {
        "file": options.target,
        "tests": written.tests,
        "left_out": [{"call": call, "reason": reason} for call, reason in written.left_out],
        "output": options.output,
        "text": written.text,
    }
    if told(options, fields, Answer(verdict=Verdict.HOLDS)):
        return DONE
    if options.output is None or not written.tests:
        print(written.text if written.tests else "no finding, so no test\n", end="")
    else:
        print(f"wrote {written.tests} tests to {options.output}")
    return DONE


def _all_failures(options: argparse.Namespace) -> list[Json]:
    """The failures of all functions that the target stands for, found side by side."""
    inputs = parse_inputs(options.input)

    def units() -> Iterator[Unit]:
        importer = Importer()
        try:
            for target in targets(options.target):
                sources = sources_of(target.place, options.ship)
                for number, member in enumerate(target.members(importer.module(target.place))):
                    place = place_as_data(member, target, number, sources)
                    yield _unit(options, member, inputs, place, sources)
        finally:
            importer.leave()

    known: dict[int, list[Json]] = {}
    with spread(options, ["test", options.target]) as doing:
        for index, unit, reply in doing(units()):
            found = reply.answer["failures"] if reply.answer is not None else []
            assert isinstance(found, list)
            known[index] = found
            if reply.answer is None:
                print(f"solvent: {unit.name}: {reply.problem}", file=sys.stderr)
    return [one for index in sorted(known) for one in known[index]]


def _unit(
    options: argparse.Namespace, member: Member, inputs: Inputs, place: Json, sources: Sources
) -> Unit:
    """The check of a function whose failing calls become tests."""
    seconds = options.work.within(options.seconds) or DEFAULT_BUDGET
    data = {name: getattr(options, name) for name in _MATTER}
    return Unit(
        "findings",
        name_of(member.function),
        {**place, "options": data, "seconds": options.seconds or DEFAULT_BUDGET},
        sources.bundle,
        limits_of(options, 2 * seconds + _GRACE_SECONDS),
        lambda tell: {"failures": _failures(options, member, inputs, seconds)},
        sources.only_here,
    )


def perform(data: Json, tell: Tell) -> Json:
    """Look for failing calls of a function whose sources were sent here."""
    member = member_at(data)
    given = data["options"]
    assert isinstance(given, dict)
    options = argparse.Namespace(**given, work=Work())
    seconds = float(str(data["seconds"]))
    return {"failures": _failures(options, member, parse_inputs(options.input), seconds)}


# The options that failures depend on.
_MATTER = ("bound", "solver", "timeout", "max_len", "alias", "input")
# A race keeps to its budget; what does not end by itself is ended so much later.
_GRACE_SECONDS = 15.0


def _failures(
    options: argparse.Namespace, member: Member, inputs: Inputs, budget: float
) -> list[Json]:
    """The failures of one function."""
    given = inputs_for(member, inputs, options.max_len)
    if (not member.named and unsaid(member, given)) or is_given(member.function):
        return []
    asked = Options(
        budget=budget,
        bound=options.bound,
        solver=options.solver,
        timeout=options.timeout,
        max_len=options.max_len,
        alias=options.alias,
    )
    options.work.update(f"{name_of(member.function)}: checking")
    answers = attempt(member.function, lambda: verify_all(member.function, options=asked, **given))
    if isinstance(answers, Unanswered):
        return []
    failing = [Failing(member.function, one) for one in answers if one.failure is not None]
    return [regression(one) for one in failing]


def _answer(found: Exploration, written: Suite) -> Answer:
    """Whether each path has a test."""
    if found.complete and not written.left_out:
        return Answer(verdict=Verdict.HOLDS)
    reasons = [one.reason for one in found.unexplored] + [why for _, why in written.left_out]
    return Answer(reason="; ".join(dict.fromkeys(reasons)))


def save(output: str, written: Suite) -> None:
    """Write the test file."""
    if not written.tests:
        raise InputError("there is no path of which a test can be written")
    try:
        Path(output).write_text(written.text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{output}: {error.strerror}") from None


def show(
    options: argparse.Namespace, file: str, found: Exploration, written: Suite, tested: Answer
) -> None:
    """What was found: the tests themselves unless there is a file for them."""
    left_out = [{"call": call, "reason": reason} for call, reason in written.left_out]
    fields = {
        "file": file,
        **found.as_dict(),
        "tests": written.tests,
        "left_out": left_out,
        "output": options.output,
        **({} if options.output else {"text": written.text}),
    }
    if told(options, fields, tested, coverage=_coverage(found)):
        return
    if options.output is None:
        print(written.text, end="")
        print(found, file=sys.stderr)
        return
    console = console_of(soft_wrap=True)
    console.print(str(found), markup=False)
    for call, reason in written.left_out:
        console.print(f"  no test of {call}: {reason}", markup=False)
    console.print(f"wrote {written.tests} tests to {options.output}", markup=False)


def _coverage(found: Exploration) -> Json:
    """What the paths cover: how many there are, and the branches that they took."""
    known = covered(f"{len(found.paths)} paths", [one.reason for one in found.unexplored])
    return known if found.coverage is None else {**found.coverage.as_dict(), **known}


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("test", help="write a test for each path of Python functions")
    add_query_options(parser)
    add_profile_option(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="where to write the tests; for a file or folder of functions, a folder",
    )
    parser.add_argument(
        "--order", choices=tuple(ORDERS), default="depth", help="which paths come first (depth)"
    )
    parser.add_argument(
        "--depth", type=natural, default=100, metavar="N", help="most decisions on a path (100)"
    )
    parser.add_argument(
        "--paths", type=natural, default=1_000, metavar="N", help="most paths (1000)"
    )
    parser.add_argument(
        "--seconds",
        type=positive,
        metavar="SECONDS",
        help="time limit of the search alone, without writing the tests; see --budget",
    )
    parser.add_argument(
        "--compositional", action="store_true", help="summarise the functions that are called"
    )
    parser.add_argument(
        "--merged", action="store_true", help="compare with the merged run: paths against states"
    )
    parser.add_argument(
        "--from-findings",
        action="store_true",
        help="check the target, which may be a file or folder, and write a test for each failing "
        "call, which fails until it is mended",
    )
    parser.add_argument(
        "--concretize", action="store_true", help="call what is not lifted with concrete values"
    )
    add_budget_options(parser, "a smaller --depth, --paths or --max-len")
    add_spread_options(parser)
    add_solver_options(parser)
    parser.set_defaults(run=run)
