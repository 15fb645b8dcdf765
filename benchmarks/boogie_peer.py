"""Boogie beside `solvent boogie verify`: verdicts and seconds of the processor, program by program.

    make boogie-peer BOOGIE=boogie Z3=/path/to/z3-4.8

Both run as commands, on every program of the corpus with its own options, and on random programs.
They agree if they name the same lines of errors; how many procedures are verified is compared as
well.  Boogie gets /useArrayTheory, as maps are extensional here, and /noinfer, as no invariants are
inferred here.  Its encoding fails with that on polymorphic maps: then it is asked again without.
It tells no place of an assertion with a {:msg}, so only the number of these is compared.  What
differs is listed with both answers.  Seconds are those of the processor with all processes that a
command starts, also those that it does not wait for; their ratios have a geometric mean, also of
the ten largest programs and of all others.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

from benchmarks.descendants import adopt, used
from tests.boogie.test_verdicts import PROGRAMS, claims
from tests.reach.random_programs import Shape, random_program

SUMMARY = re.compile(r"finished with (\d+) verified, (\d+) errors?")
# What went wrong inside of Boogie, and between it and Z3.
FAILED = ("Prover error", "UNHANDLED EXCEPTION")
ARRAYS = "/useArrayTheory"
# Options that Boogie 2.4 has by other names.
NAMES = {"/inferModifies": "/doModSetAnalysis"}
LARGEST = 10
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
    # How many errors there are, and the lines of those whose places are told.
    count: int
    errors: tuple[int, ...]
    seconds: float
    text: str

    @property
    def answer(self) -> str:
        """The answer in words."""
        if self.verified is None:
            return f"no answer: {self.text.strip().splitlines()[-1] if self.text.strip() else ''}"
        lines = ", ".join(map(str, self.errors))
        return f"{self.verified} verified, {self.count} errors{f' at {lines}' if lines else ''}"

    def agrees(self, ours: Ran) -> bool:
        """Whether another answer is the same as this one of Boogie."""
        if self.verified is None or (self.verified, self.count) != (ours.verified, ours.count):
            return False
        return not Counter(self.errors) - Counter(ours.errors)


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
        before = used()
        subprocess.Popen(limited, stdout=out, stderr=subprocess.STDOUT)
        # Both leave it to a solver of theirs to end by itself.
        seconds = used() - before
        out.seek(0)
        text = out.read()
    found = SUMMARY.search(text)
    errors = tuple(sorted(_lines(ERROR.findall(text))))
    if found is None:
        return Ran(None, 0, errors, seconds, text)
    return Ran(int(found[1]), int(found[2]), errors, seconds, text)


def run_peer(case: Case, options: argparse.Namespace) -> Ran:
    """Run Boogie, a second time without arrays of Z3 if its encoding failed."""
    given = [NAMES.get(one, one) for one in case.options]
    command = [options.boogie, "/nologo", *options.peer, str(case.path), *given]
    found = run(command, options.limit)
    if ARRAYS in command and any(text in found.text for text in FAILED):
        command.remove(ARRAYS)
        found = run(command, options.limit)
    return found


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
    ratios: list[tuple[int, float]] = []
    ours_total = peer_total = 0.0
    differing = count = 0
    solvent = str(Path(sys.executable).parent / "solvent")
    for case in cases:
        count += 1
        peer = run_peer(case, options)
        # The limit is one of the processor, whatever else runs here.
        patient = ["--timeout", str(100 * options.limit)]
        # Boogie verifies one procedure after the other.
        patient += ["--jobs", "1"]
        command = [solvent, "boogie", "verify", str(case.path), *case.options, *patient]
        ours = run(command, options.limit)
        ours_total, peer_total = ours_total + ours.seconds, peer_total + peer.seconds
        ratio = max(ours.seconds, 0.01) / max(peer.seconds, 0.01)
        ratios.append((case.path.stat().st_size, ratio))
        if not peer.agrees(ours):
            differing += 1
            print(f"  {case.name}: Boogie {peer.answer}; Solvent {ours.answer}", flush=True)
    figures = f"CPU {ours_total:.1f} s against {peer_total:.1f} s"
    by_size = [ratio for _, ratio in sorted(ratios)]
    print(
        f"{title}: {count} programs, {differing} differ; {figures}; "
        f"geometric mean of the ratios {mean(by_size):.2f}, of the {LARGEST} largest "
        f"{mean(by_size[-LARGEST:]):.2f}, of the others {mean(by_size[:-LARGEST]):.2f}",
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
        help=f"what Boogie gets besides (default: {ARRAYS} /noinfer)",
    )
    parser.add_argument("--only", choices=("corpus", "random"), help="one of the two")
    options = parser.parse_args()
    adopt()
    options.peer = options.peer_option or [ARRAYS, "/noinfer"]
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
