"""Run all benchmarks, or those named on the command line, and print a table."""

from __future__ import annotations

import argparse
import json
import sys

from rich.console import Console
from rich.table import Table

from benchmarks import (
    btor2,
    cluster,
    conversion,
    cores,
    explore,
    growth,
    languages,
    logic,
    queries,
    reach,
    riscu,
    startup,
    terms,
    text,
    vm,
)
from benchmarks.figure import Figure
from solvent.solvers import config

SUITES = {
    "startup": startup.run,
    "terms": terms.run,
    "cores": cores.run,
    "conversion": conversion.run,
    "vm": vm.run,
    "text": text.run,
    "queries": queries.run,
    "growth": growth.run,
    "languages": languages.run,
    "btor2": btor2.run,
    "riscu": riscu.run,
    "reach": reach.run,
    "explore": explore.run,
    "logic": logic.run,
    "cluster": cluster.run,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("suites", nargs="*", choices=[*SUITES, []], help="default: all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    # What is measured again is asked again.
    config(remember=False)
    figures: list[Figure] = []
    for name in options.suites or SUITES:
        print(f"running {name} ...", file=sys.stderr)
        figures.extend(SUITES[name]())
    if options.json:
        print(json.dumps([figure.as_dict() for figure in figures], indent=2))
    else:
        table = Table("figure", "measured", "to reach", "")
        for figure in figures:
            table.add_row(figure.name, figure.measured, figure.target, figure.verdict)
        Console().print(table)
    return 0 if all(figure.reached is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
