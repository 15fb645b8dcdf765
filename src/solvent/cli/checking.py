"""One check on the command line: a race with a budget, shown while it lasts."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

from solvent.cli.common import add_budget
from solvent.cli.loading import Inputs, Subject
from solvent.cli.progress import live_line
from solvent.errors import InputSpaceError
from solvent.queries.options import Options, asked
from solvent.queries.results import Verification
from solvent.queries.subjects import name_of
from solvent.race.verifying import race
from solvent.strategies.known import is_given
from solvent.verdicts import stopped_by

# Seconds that a check of one function may take where nobody says how many.
DEFAULT_BUDGET = 30.0


class Stopped(KeyboardInterrupt):
    """Ctrl-C or SIGTERM, with what was known about a function at that moment."""

    def __init__(self, results: list[Verification], error: KeyboardInterrupt) -> None:
        super().__init__()
        self.results = results
        self.error = error


def raced(
    function: Subject, options: Options, given: Inputs, arguments: argparse.Namespace
) -> list[Verification]:
    """The answers of a race about a function."""
    if is_given(function):
        return _of_test(function, options, given, arguments)
    raced = replace(options, budget=arguments.budget, probes=arguments.probes)
    question = asked("verify", function, (raced,), given)
    with live_line(arguments.quiet) as line:
        name = name_of(function)
        tell: Callable[[str], None] = getattr(arguments, "tell", lambda text: None)

        def show(progress: object) -> None:
            line.update(f"{name}: {progress}")
            tell(str(progress))

        with race(
            function,
            question,
            everything=arguments.all,
            watch=show,
            places=getattr(arguments, "places", None),
            share=getattr(arguments, "share", None),
        ) as running:
            try:
                return running.run()
            except KeyboardInterrupt as error:
                raise Stopped(running.answers(stopped_by(error)), error) from None


def _of_test(
    test: Subject, options: Options, given: Inputs, arguments: argparse.Namespace
) -> list[Verification]:
    """The answers about a test of Hypothesis's; what fails is written where Hypothesis looks."""
    # Who has such tests has imported Hypothesis, which takes long.
    from solvent.strategies.examples import written
    from solvent.strategies.explicit import answers
    from solvent.strategies.given import given_of

    found = given_of(test, options.max_len, fixed=given)
    if found.open_parameters:
        raise InputSpaceError(
            f"its parameter `{found.open_parameters[0]}` is given by pytest: run pytest --solvent"
        )
    results = answers(found, lambda one, spaces: raced(one, options, spaces, arguments))
    for result in results:
        if result.confirmed:
            written(found, result.inputs)
    return results


def add_race_options(parser: argparse.ArgumentParser) -> None:
    """The options of a check with a budget."""
    meaning = f"how long the check of one function may take ({DEFAULT_BUDGET:g})"
    add_budget(parser, meaning, DEFAULT_BUDGET)
    parser.add_argument(
        "--no-probes",
        dest="probes",
        action="store_false",
        help="do not try small inputs in CPython first",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="look for a failure at each place that may fail, not only for the first",
    )
