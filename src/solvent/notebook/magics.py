"""Commands for a cell: each is a row of `MAGICS`, with the rest of its line and the cell."""

from __future__ import annotations

import argparse
import ast
import shlex
import time
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from solvent.errors import QueryError
from solvent.queries.bars import Bar
from solvent.queries.options import Options, asked
from solvent.queries.results import Verification
from solvent.race.verifying import race
from solvent.verdicts.cells import shell

# Seconds that a check of one function may take where nobody says how many.
DEFAULT_BUDGET = 30.0


class _Parser(argparse.ArgumentParser):
    """A mistake in the line of a command is a sentence, and does not end the kernel."""

    def error(self, message: str) -> Any:
        raise QueryError(f"{self.prog}: {message}")


def verify(line: str, cell: str) -> None:
    """`%%verify [--budget SECONDS] [--max-len N] [FUNCTION ...]`: run the cell, and check the
    functions that it defines, or the ones that are named.
    """
    parser = _Parser(prog="%%verify", add_help=False)
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--budget", type=float, default=DEFAULT_BUDGET)
    parser.add_argument("--max-len", type=int, default=3)
    given = parser.parse_args(shlex.split(line))
    running = shell()
    if not running.run_cell(cell, store_history=False).success:
        return
    for name in given.functions or _defined(cell):
        function = running.user_ns.get(name)
        if not isinstance(function, FunctionType):
            raise QueryError(f"%%verify: the cell defines no function `{name}`")
        options = Options(budget=given.budget, max_len=given.max_len)
        for result in _raced(function, options):
            _show(result)


def _defined(cell: str) -> Iterator[str]:
    """The functions of a cell whose parameters all have annotations or defaults."""
    for node in ast.parse(cell).body:
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if all(argument.annotation is not None for argument in arguments):
                yield node.name


def _raced(function: FunctionType, options: Options) -> list[Verification]:
    """The answers of a race, with a bar that shows how much of the budget is spent."""
    question = asked("verify", function, (options,), {})
    budget = options.budget or DEFAULT_BUDGET
    start = time.monotonic()
    with Bar(function.__name__, budget) as bar:
        watch: Callable[[object], None] = lambda told: bar.update(  # noqa: E731
            time.monotonic() - start, f"{function.__name__}: {told}"
        )
        with race(function, question, everything=False, watch=watch) as running:
            return running.run()


def _show(result: object) -> None:
    from IPython.display import display

    display(result)


def profile(line: str, cell: str) -> None:
    """`%%profile`: run the cell, and show where its paths and terms come from."""
    parser = _Parser(prog="%%profile", add_help=False)
    parser.add_argument("--html", metavar="FILE")
    given = parser.parse_args(shlex.split(line))
    from solvent.profiling import profile as measuring

    with measuring() as found:
        done = shell().run_cell(cell, store_history=False)
    if done.success:
        if given.html:
            found.save(given.html)
        _show(found)


# A command that looks at a cell is added here: by what comes after `%%`, what does it.
MAGICS: dict[str, Callable[[str, str], None]] = {"verify": verify, "profile": profile}
