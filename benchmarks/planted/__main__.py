"""Check the functions with planted bugs, with CrossHair beside it if its command is given.

Each function is checked by a process of its own, as on the command line, with a limit on the CPU
time of that process and all that it starts.  A bug has to be found and confirmed.  A correct
function is proved, or what was covered is told: both are right, a finding is wrong.

What differs: Solvent checks texts, bytes and lists up to the length that it prints, CrossHair has
no bound on them; CrossHair's `confirmed` means that it has seen all paths.
"""

from __future__ import annotations

import statistics
import sys

from rich.console import Console
from rich.table import Table

from benchmarks.everyday.__main__ import (
    Answer,
    asked_for,
    by_crosshair,
    by_solvent,
)
from benchmarks.everyday.claims import Claim

GROUPS = ("numbers", "containers", "words", "foreign")
SECONDS = 10


def group_of(claim: Claim) -> str:
    """The group that a function is in."""
    return claim.function.__module__.rpartition(".")[2]


def tally(rows: list[tuple[Claim, Answer]]) -> tuple[int, int, int, float]:
    """How many bugs were found, proofs made and answers wrong, and the median of CPU seconds."""
    found = sum(not claim.holds and answer.is_right(claim) for claim, answer in rows)
    proved = sum(claim.holds and answer.is_right(claim) for claim, answer in rows)
    wrong = sum(answer.is_decided and not answer.is_right(claim) for claim, answer in rows)
    return found, proved, wrong, statistics.median(answer.seconds for _, answer in rows)


def main() -> int:
    claims, crosshair = asked_for("benchmarks.planted", __doc__, GROUPS)
    rows: dict[str, list[tuple[Claim, Answer]]] = {"Solvent": [], "CrossHair": []}
    for claim in claims:
        if not claim.is_true():
            print(f"{claim.function.__name__}: brute force contradicts the claim", file=sys.stderr)
            return 2
        rows["Solvent"].append((claim, by_solvent(claim, SECONDS)))
        if crosshair:
            rows["CrossHair"].append((claim, by_crosshair(claim, crosshair, SECONDS)))
        said = [str(found[-1][1]) for found in rows.values() if found]
        name = claim.function.__name__
        print(f"{name:32} {'holds' if claim.holds else 'fails':6}", *said, flush=True)
    table = Table("tool", "group", "bugs found", "proved", "wrong", "median CPU s")
    for tool, found in rows.items():
        for group in (*GROUPS, "all"):
            part = [row for row in found if group in ("all", group_of(row[0]))]
            if part:
                bugs, proofs, wrong, median = tally(part)
                total = sum(not claim.holds for claim, _ in part)
                table.add_row(
                    tool,
                    group,
                    f"{bugs} of {total}",
                    f"{proofs} of {len(part) - total}",
                    str(wrong),
                    f"{median:.2f}",
                )
    Console().print(table)
    bugs, _, wrong, _ = tally(rows["Solvent"])
    return 0 if bugs == sum(not claim.holds for claim in claims) and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
