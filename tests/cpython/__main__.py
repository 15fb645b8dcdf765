"""`python -m tests.cpython`: CPython's tests in lifted code, as a table by area.

`--only re` looks at one area, `--most 100` at so many cases of each, and `--show 20` says more of
what was refused.  Exits with 1 if anything differs from CPython, and with 2 if this Python comes
without its tests.
"""

from __future__ import annotations

import argparse
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.cpython import replaying
from tests.cpython.cases import Case
from tests.cpython.recording import available
from tests.cpython.replaying import Verdict

ROOT = Path(__file__).parents[2]
# How many cases one process replays.
CHUNK = 60
COLUMNS = (
    replaying.AGREES, replaying.IN_PART, replaying.REFUSED, replaying.TOO_LARGE,
    replaying.UNKNOWN, replaying.NOTHING, replaying.DIFFERS,
)  # fmt: skip
# What is called the same in a refusal, whatever it is about.
_DETAILS = re.compile(r"[^:]*\.py:\d+: |0x[0-9a-f]+")


def recorded(names: Sequence[str] = ()) -> list[Case]:
    """The cases, collected by a process of its own: tests change much of the interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases"
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-m", "tests.cpython.recording", str(path), *names]
        subprocess.run(command, check=True, env=environment, stdin=subprocess.DEVNULL, cwd=ROOT)
        with path.open("rb") as file:
            found: list[Case] = pickle.load(file)
    return found


def replayed(cases: Sequence[Case], jobs: int) -> Iterable[Verdict]:
    """What became of each case; a process takes some of them, and its memory ends with it."""
    chunks = [cases[start : start + CHUNK] for start in range(0, len(cases), CHUNK)]
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(_replayed_elsewhere, chunks):
            yield from found


def _replayed_elsewhere(chunk: Sequence[Case]) -> list[Verdict]:
    command = [sys.executable, "-m", "tests.cpython.replaying"]
    done = subprocess.run(
        command, input=pickle.dumps(chunk), stdout=subprocess.PIPE, check=False, cwd=ROOT
    )
    if done.returncode:
        # One of them brought the process down: each gets its own, to see which.
        if len(chunk) > 1:
            return [verdict for case in chunk for verdict in _replayed_elsewhere([case])]
        return [Verdict(chunk[0], replaying.AGREES, replaying.TOO_LARGE, "the process ended")]
    verdicts: list[Verdict] = pickle.loads(done.stdout)
    return verdicts


def chosen(cases: Sequence[Case], most: int) -> list[Case]:
    """At most so many cases of each area, drawn evenly and always the same, in a mixed order."""
    areas: dict[str, list[Case]] = {}
    for case in cases:
        areas.setdefault(case.area, []).append(case)
    chance = random.Random("chosen")
    found = [c for rows in areas.values() for c in chance.sample(rows, min(most, len(rows)))]
    chance.shuffle(found)
    return found


def table(verdicts: Sequence[Verdict]) -> Table:
    """A row for each area."""
    found = Table("area", "cases", "concretely", *COLUMNS)
    for column in found.columns[1:]:
        column.justify = "right"
    areas = Counter(verdict.case.area for verdict in verdicts)
    for area in [*areas, "all"]:
        rows = [v for v in verdicts if area in (v.case.area, "all")]
        concrete = sum(v.concrete == replaying.AGREES for v in rows)
        ends = Counter(
            replaying.DIFFERS if v.concrete == replaying.DIFFERS else v.symbolic for v in rows
        )
        found.add_row(area, f"{len(rows)}", f"{concrete}", *(f"{ends[c]}" for c in COLUMNS))
    return found


def reasons(verdicts: Sequence[Verdict], most: int) -> list[str]:
    """The most frequent reasons for a refusal, with an example of each."""
    refused = [v for v in verdicts if v.symbolic in (replaying.REFUSED, replaying.UNKNOWN)]
    counts = Counter(_DETAILS.sub("", v.reason) for v in refused)
    examples = {_DETAILS.sub("", v.reason): v.case.source for v in reversed(refused)}
    return [f"{count:6} {why}  [{examples[why]}]" for why, count in counts.most_common(most)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.cpython", description=__doc__)
    parser.add_argument("--only", help="look at one area")
    parser.add_argument("--most", type=int, default=1500, help="how many cases of each area")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=12, help="how many reasons for refusals")
    parser.add_argument("--save", help="a file for all verdicts")
    parser.add_argument("tests", nargs="*", help="names such as test_re or test_re.ReTests")
    given = parser.parse_args()
    if not available():
        print(
            f"{sys.executable} has no package `test`, which Python's own tests are in; install it "
            "(Debian: libpython3-testsuite) or use a Python that has it",
            file=sys.stderr,
        )
        return 2
    cases = [c for c in recorded(given.tests) if given.only in (None, c.area)]
    print(
        f"{len(cases)} cases were recorded, at most {given.most} of each area are run.", flush=True
    )
    cases = chosen(cases, given.most)
    verdicts = []
    for verdict in replayed(cases, given.jobs):
        verdicts.append(verdict)
        if replaying.DIFFERS in (verdict.concrete, verdict.symbolic):
            print(f"differs: {verdict.case}\n    {verdict.reason}", flush=True)
        if len(verdicts) % 500 == 0:
            print(f"{len(verdicts)} of {len(cases)}", file=sys.stderr, flush=True)
            if given.save:
                Path(given.save).write_bytes(pickle.dumps(verdicts))
    if given.save:
        Path(given.save).write_bytes(pickle.dumps(verdicts))
    console = Console(width=160)
    console.print(table(verdicts))
    print(f"Texts of more than {replaying.LONGEST} characters in all are symbolic in part.")
    print("Refused, most frequent first:", *reasons(verdicts, given.show), sep="\n")
    return int(any(replaying.DIFFERS in (v.concrete, v.symbolic) for v in verdicts))


if __name__ == "__main__":
    sys.exit(main())
