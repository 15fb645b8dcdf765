"""Benchmarks as units of work: each is measured in a process of its own, here or elsewhere."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from solvent.cli.common import InputError
from solvent.cli.measuring import profiled, wants_profile
from solvent.cli.spreading import limits_of, only_units, spread
from solvent.languages.benchmark import Benchmark, Outcome
from solvent.languages.ifcl.benchmarks import figure10_benchmarks
from solvent.languages.measuring import (
    GRACE,
    START,
    Measured,
    Peers,
    all_benchmarks,
    least,
    measure,
    measure_here,
)
from solvent.languages.peers import PeerCommand
from solvent.units.unit import Reply, Tell, Unit, decoded, encoded
from solvent.verdicts.rendering import Json


def measured_all(
    benchmarks: Sequence[Benchmark],
    options: argparse.Namespace,
    begun: Callable[[Benchmark], None],
    done: Callable[[Measured], None],
    *,
    runs: int = 1,
    peer: PeerCommand | None = None,
) -> list[Measured]:
    """Measure benchmarks; a peer is asked about each row after it was measured."""
    peers = None if peer is None else Peers(peer, options.limit)
    if wants_profile(options):
        only_units(options, "with --profile")
        return list(_measured_here(benchmarks, options, begun, done, runs, peers))

    def units() -> Iterator[Unit]:
        for one in benchmarks:
            begun(one)
            data: Json = {"benchmark": _identity(one), "limit": options.limit, "runs": runs}
            name = f"{one.language} {one.name} {one.bound}"
            limits = limits_of(options, 2 * runs * (options.limit + GRACE + START))
            yield Unit("bench", name, data, limits=limits, here=partial(_measured, data))

    # The bars say how far it is.
    quiet = argparse.Namespace(**{**vars(options), "quiet": True})
    known: dict[int, Measured] = {}
    with spread(quiet, ["bench"]) as doing:
        for index, _, reply in doing(units()):
            row = _row(benchmarks[index], reply)
            known[index] = row if peers is None else peers.beside(row)
            done(known[index])
    return [known[index] for index in sorted(known)]


def _measured_here(
    benchmarks: Sequence[Benchmark],
    options: argparse.Namespace,
    begun: Callable[[Benchmark], None],
    done: Callable[[Measured], None],
    runs: int,
    peers: Peers | None,
) -> Iterator[Measured]:
    """Measure benchmarks in this very process, of which a profile is taken."""
    with profiled(options, f"bench {options.action}"):
        for one in benchmarks:
            begun(one)
            row = least([measure_here(one, options.limit) for _ in range(runs)])
            row = row if peers is None else peers.beside(row)
            done(row)
            yield row


def perform(data: Json, tell: Tell) -> Json:
    """Measure a benchmark in a process that has nothing of this one, where files are closed."""
    given: Any = data
    tell(" ".join(map(str, given["benchmark"][:3])))
    command = [sys.executable, "-m", __name__]
    done = subprocess.run(command, input=encoded(data), stdout=subprocess.PIPE, check=True)
    return decoded(done.stdout)


def _measured(data: Json, tell: Tell) -> Json:
    """Measure a benchmark some times; the least seconds count."""
    given: Any = data
    known = [*all_benchmarks(), *figure10_benchmarks()]
    found = next((one for one in known if _identity(one) == given["benchmark"]), None)
    if found is None:
        raise InputError(f"there is no benchmark {' '.join(map(str, given['benchmark']))}")
    tell(f"{found.language} {found.name} {found.bound}")
    row = least([measure(found, float(given["limit"])) for _ in range(given["runs"])])
    outcome = None if row.outcome is None else asdict(row.outcome)
    return {
        "benchmark": _identity(found),
        "outcome": outcome,
        "seconds": row.seconds,
        "problem": row.problem,
        "late": row.late,
    }


def _identity(benchmark: Benchmark) -> list[object]:
    """What tells a benchmark from all others."""
    return [benchmark.language, benchmark.name, benchmark.bound, benchmark.kind.name]


def _row(benchmark: Benchmark, reply: Reply) -> Measured:
    """What a reply says; without an answer there is no outcome."""
    problem = reply.problem
    if reply.answer is not None:
        answer: Any = reply.answer
        try:
            if answer["benchmark"] != _identity(benchmark):
                raise ValueError("it is about another benchmark")
            outcome = None if answer["outcome"] is None else Outcome(**answer["outcome"])
            more = str(answer["problem"]), bool(answer["late"])
            return Measured(benchmark, outcome, float(answer["seconds"]), *more, benchmark.peer)
        except (LookupError, TypeError, ValueError) as error:
            problem = f"the answer cannot be read: {error}"
    return Measured(benchmark, None, reply.seconds, problem, peer=benchmark.peer)


if __name__ == "__main__":
    sys.stdout.buffer.write(encoded(_measured(decoded(sys.stdin.buffer.read()), lambda text: None)))
