"""`python -m tests.fuzz`: random inputs of all formats, random formulas and models.

`--jobs` and `--cluster` say where they are tried, `--resume` goes on with a run that was stopped.
Exits with 1 if anything goes wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from solvent.cli.common import natural
from solvent.cli.progress import Work
from solvent.cli.spreading import add_spread_options, spread
from solvent.errors import SolventError
from solvent.verdicts import BAD_INPUT, DONE, VIOLATION
from tests.fuzz.harness import Tally
from tests.fuzz.units import WORK, tally_of, units


def main(arguments: Sequence[str] | None = None) -> int:
    """Try inputs, tell failures as they come, and at the end what became of all."""
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument(
        "--inputs", type=natural, default=20_000, metavar="N", help="inputs of each format (20,000)"
    )
    seed = os.environ.get("SOLVENT_SEED", "1")
    parser.add_argument("--seed", default=seed, help=f"what chance begins with ({seed})")
    names = sorted({name for work in WORK.values() for name in work.names} | set(WORK))
    parser.add_argument(
        "--only", action="append", default=[], choices=names, help="only this one (repeatable)"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    add_spread_options(parser)
    options = parser.parse_args(arguments)
    options.work = Work()
    try:
        found = _tried(options)
    except SolventError as error:
        print(f"tests.fuzz: {error}", file=sys.stderr)
        return BAD_INPUT
    for name, tally in found.items():
        print(f"{name}: {dict(sorted(tally.counts.items()))}")
    failures = sum(len(tally.failures) for tally in found.values())
    tried = f"{sum(tally.counts.total() for tally in found.values()):,} outcomes"
    print(f"{tried}, {failures} failures")
    return VIOLATION if failures else DONE


def _tried(options: argparse.Namespace) -> dict[str, Tally]:
    """What became of all inputs, in the order of the formats."""
    memory = None if options.memory is None else options.memory << 20
    found: dict[int, Tally] = {}
    sent = options.cluster is not None
    given = units(options.inputs, options.seed, options.only, memory, sent=sent)
    with spread(options, ["tests.fuzz"]) as doing:
        for index, unit, reply in doing(given):
            found[index] = tally_of(unit, reply)
            for text in found[index].failures.values():
                print(text, flush=True)
    together: dict[str, Tally] = {}
    for index in sorted(found):
        one = found[index]
        whole = together.setdefault(one.name, Tally(one.name))
        whole.counts += one.counts
        whole.failures |= one.failures
    return together


if __name__ == "__main__":
    sys.exit(main())
