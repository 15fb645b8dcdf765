"""`solvent explain`: what a limitation is, with an example and the way around it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from textwrap import indent, wrap

from solvent.cli.common import Commands, InputError, add_json_option
from solvent.cli.envelope import told
from solvent.cli.limits import LIMITS, Limit
from solvent.verdicts import DONE
from solvent.verdicts.rendering import Json

_WIDTH = 100


def run(options: argparse.Namespace) -> int:
    """Explain a code, or say which there are."""
    if options.code is None:
        rows = [{"code": one.code, "title": one.title} for one in LIMITS.values()]
        if not told(options, {"limitations": rows}):
            print(*(f"{one.code}  {one.title}" for one in LIMITS.values()), sep="\n")
        return DONE
    limit = LIMITS.get(options.code.strip("[]").upper())
    if limit is None:
        raise InputError(f"there is no code {options.code!r}; there are {', '.join(LIMITS)}")
    if not told(options, _fields(limit)):
        print(*explained(limit), sep="\n")
    return DONE


def explained(limit: Limit) -> Iterator[str]:
    """What there is to say about a limitation, line by line."""
    yield f"{limit.code}: {limit.title}"
    for text in (limit.why, limit.advice):
        yield ""
        yield from wrap(text, _WIDTH)
    for title, source in (("This runs into it:", limit.example), ("This does not:", limit.instead)):
        yield from ("", title, "", indent(source.rstrip(), "    "))


def _fields(limit: Limit) -> Json:
    return {
        "code": limit.code,
        "title": limit.title,
        "why": limit.why,
        "advice": limit.advice,
        "example": limit.example,
        "instead": limit.instead,
    }


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("explain", help="explain a limitation, and the way around it")
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="such as S101; without one, all are listed"
    )
    add_json_option(parser)
    parser.set_defaults(run=run)
