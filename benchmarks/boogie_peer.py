"""Boogie beside `solvent boogie verify`: verdicts and seconds of the processor, program by program.

    make boogie-peer BOOGIE=boogie Z3=/path/to/z3-4.8

Both run as commands, on every program of the corpus with its own options, and on random programs.
They agree if they name the same lines of errors; how many procedures are verified is compared as
well.  Boogie gets /useArrayTheory, as maps are extensional here, and /noinfer, as no invariants are
inferred here.  What differs is listed with both answers.  Seconds are those of the processor with
all processes that a command starts and waits for; their ratios have a geometric mean.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

from tests.boogie.test_verdicts import PROGRAMS, claims
from tests.reach.random_programs import Shape, random_program

SUMMARY = re.compile(r"finished with (\d+) verified, (\d+) errors?")
ERROR = re.compile(r"\((\d+),\d+\): (Error BP\d+|Related location: This is the postcondition)")
# What random programs have: contracts that may be wrong, and loops that are cut.
SHAPES = (Shape(), Shape(contracts=True), Shape(2, recursion=False, contracts=True))


@dataclass(frozen=True, slots=True)
class Case:
    """A program with the options of both commands."""

    name: str
    path: Path
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command said, and what it cost."""

    verified: int | None
    errors: tuple[int, ...]
    seconds: float
    text: str

    @property
    def answer(self) -> str:
        """The answer in words."""
        if self.verified is None:
            return f"no answer: {self.text.strip().splitlines()[-1] if self.text.strip() else ''}"
        lines = ", ".join(map(str, self.errors))
        return (
            f"{self.verified} verified, {len(self.errors)} errors{f' at {lines}' if lines else ''}"
        )


def corpus() -> Iterator[Case]:
    """The claims of the corpus that are about verification."""
    for name, path in PROGRAMS.items():
        for command, options, _ in claims(path):
            if command == "verify":
                yield Case(f"{name} {options}".strip(), path, tuple(options.split()))


def random_cases(count: int, folder: Path) -> Iterator[Case]:
    """Random programs, in files."""
    for seed in range(count):
        path = folder / f"random{seed}.bpl"
        path.write_text(random_program(seed, SHAPES[seed % len(SHAPES)]), encoding="utf-8")
        yield Case(path.stem, path)


def run(command: Sequence[str], limit: int) -> Ran:
    """Run a command, with a limit of seconds of the processor for each of its processes."""
    limited = ["/bin/sh", "-c", f'ulimit -t {limit}; exec "$@"', "sh", *command]
    with tempfile.TemporaryFile("w+") as out:
        started = subprocess.Popen(limited, stdout=out, stderr=subprocess.STDOUT)
        _, _, usage = os.wait4(started.pid, 0)
        out.seek(0)
        text = out.read()
    found = SUMMARY.search(text)
    errors = tuple(sorted(_lines(ERROR.findall(text))))
    seconds = usage.ru_utime + usage.ru_stime
    return Ran(None if found is None else int(found[1]), errors, seconds, text)


def _lines(found: Sequence[tuple[str, str]]) -> Iterator[int]:
    """The lines of errors; for a postcondition its own, as returns are placed differently."""
    for line, what in found:
        if what != "Error BP5003":
            yield int(line)


def mean(values: Sequence[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, values)) / len(values)) if values else 0.0


def compare(cases: Iterator[Case], options: argparse.Namespace, title: str) -> int:
    """Run both on some programs, and print what differs and the means; the number that differ."""
    ratios: list[float] = []
    ours_total = peer_total = 0.0
    differing = count = 0
    solvent = str(Path(sys.executable).parent / "solvent")
    for case in cases:
        count += 1
        peer_command = [options.boogie, "/nologo", *options.peer, str(case.path), *case.options]
        peer = run(peer_command, options.limit)
        ours = run([solvent, "boogie", "verify", str(case.path), *case.options], options.limit)
        ours_total, peer_total = ours_total + ours.seconds, peer_total + peer.seconds
        ratios.append(max(ours.seconds, 0.01) / max(peer.seconds, 0.01))
        if (ours.verified, ours.errors) != (peer.verified, peer.errors):
            differing += 1
            print(f"  {case.name}: Boogie {peer.answer}; Solvent {ours.answer}", flush=True)
    figures = f"CPU {ours_total:.1f} s against {peer_total:.1f} s"
    print(
        f"{title}: {count} programs, {differing} differ; {figures}; "
        f"geometric mean of the ratios {mean(ratios):.2f}",
        flush=True,
    )
    return differing


def main() -> int:
    """Compare on the corpus and on random programs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boogie", default="boogie", help="the command (default: boogie)")
    parser.add_argument("--z3", help="a Z3 of the 4.8 series, which Boogie needs")
    parser.add_argument("--random", type=int, default=500, help="random programs (default: 500)")
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds of a process")
    parser.add_argument(
        "--peer-option",
        action="append",
        help="what Boogie gets besides (default: /useArrayTheory /noinfer)",
    )
    parser.add_argument("--only", choices=("corpus", "random"), help="one of the two")
    options = parser.parse_args()
    options.peer = options.peer_option or ["/useArrayTheory", "/noinfer"]
    options.peer += [f"/proverOpt:PROVER_PATH={options.z3}"] if options.z3 else []
    try:
        subprocess.run([options.boogie, "/help"], capture_output=True, check=False)
    except OSError:
        print(
            f"there is no command {options.boogie!r}; install Boogie, or name it", file=sys.stderr
        )
        return 2
    if options.only != "random":
        compare(corpus(), options, "corpus")
    if options.only == "corpus":
        return 0
    with tempfile.TemporaryDirectory() as folder:
        compare(random_cases(options.random, Path(folder)), options, "random")
    return 0


if __name__ == "__main__":
    sys.exit(main())
