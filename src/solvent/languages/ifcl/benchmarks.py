"""The benchmarks of tables 3 and 4 and of figure 10, and the correct machines."""

from __future__ import annotations

from functools import partial

from solvent.languages.benchmark import (
    Benchmark,
    Clock,
    Figures,
    Kind,
    Outcome,
    PaperRow,
    outcome,
)
from solvent.languages.ifcl import paper
from solvent.languages.ifcl.machine import Machine
from solvent.languages.ifcl.machines import MACHINES
from solvent.languages.ifcl.noninterference import (
    symbolic_programs,
    tell_apart,
    verify_noninterference,
)
from solvent.lift import execute
from solvent.solvers import Status

# Table 4.
PAPER = {
    "B1": PaperRow(1_097, 328, 767, 7, 0, 0),
    "B2": PaperRow(1_097, 328, 767, 7, 0, 0),
    "B3": PaperRow(2_273, 992, 2_237, 7, 3, 0),
    "B4": PaperRow(3_785, 1_992, 4_459, 8, 10, 1),
    "J1": PaperRow(3_353, 1_644, 3_712, 8, 7, 0),
    "J2": PaperRow(1_737, 698, 1_608, 8, 2, 0),
    "CR1": PaperRow(6_099, 3_488, 7_770, 9, 27, 5),
    "CR2": PaperRow(7_511, 4_636, 10_366, 9, 49, 19),
    "CR3": PaperRow(7_669, 4_636, 10_366, 9, 48, 8),
    "CR4": PaperRow(17_759, 11_982, 35_768, 11, 290, 119),
}

# What Rosette 4 needs (see `benchmark.ROSETTE`).
ROSETTE = {
    "B1": Figures(0.029, 0.08, 1_218, 380),
    "B2": Figures(0.021, 0.08, 1_220, 380),
    "B3": Figures(0.069, 0.27, 2_976, 976),
    "B4": Figures(0.157, 0.96, 5_564, 1_836),
    "basic": Figures(0.231, 3.4, 7_258, 2_398),
    "J1": Figures(0.120, 0.80, 5_125, 1_428),
    "J2": Figures(0.047, 0.22, 2_515, 690),
    "jump": Figures(0.258, None, 9_027, 2_488),
    "CR1": Figures(0.368, 5.8, 15_990, 4_427),
    "CR2": Figures(0.557, None, 23_221, 6_415),
    "CR3": Figures(0.613, 13.3, 23_011, 6_279),
    "CR4": Figures(1.463, None, 54_307, 15_043),
    "call": Figures(0.595, None, 19_142, 5_377),
}

NOTE = "numbers are bitvectors of 5 bits from the start; Rosette's are ints until they are solved"

# The bounds of figure 10.
FIGURE_10 = range(1, 16)


def benchmarks() -> list[Benchmark]:
    """The ten machines of table 4 with their bounds, then the correct machines, in both kinds.

    >>> [(found.name, found.bound) for found in benchmarks()][:3]
    [('B1', '3 steps'), ('B2', '3 steps'), ('B3', '5 steps')]
    """
    flawed = [machine for machine in MACHINES.values() if machine.flaw]
    correct = [machine for machine in MACHINES.values() if not machine.flaw]
    return [_benchmark(machine, kind) for kind in Kind for machine in (*flawed, *correct)]


def _benchmark(machine: Machine, kind: Kind) -> Benchmark:
    run = _run_paper if kind is Kind.SAME else _run
    return Benchmark(
        language="ifcl",
        name=machine.name,
        bound=_bound(machine.steps),
        run=partial(run, machine.name, machine.steps),
        kind=kind,
        paper=PAPER.get(machine.name),
        peer=ROSETTE.get(machine.name),
        note=NOTE if kind is Kind.SAME else "",
        details={"instructions": len(machine.instructions), "steps": machine.steps},
    )


def _bound(steps: int) -> str:
    return f"{steps} step{'' if steps == 1 else 's'}"


def _run_paper(name: str, steps: int, limit: float) -> Outcome:
    machine = MACHINES[name]
    # Lifts all rules, as a compiler has done before other tools run: some need three steps.
    execute(paper.tell_apart, machine, *paper.symbolic(machine, 3), 3)
    clock = Clock()
    result = paper.find_leak(machine, steps, timeout=limit)
    total = clock.total()
    holds = result.status is Status.UNSAT
    answer = "verified" if holds else "unknown" if result.model is None else "counterexample"
    expected = result.confirmed if machine.flaw else holds
    return outcome(answer, expected, result.stats.run, total, str(result))


def _run(name: str, steps: int, limit: float) -> Outcome:
    machine = MACHINES[name]
    execute(tell_apart, machine, *symbolic_programs(machine, 2), 2)
    clock = Clock()
    result = verify_noninterference(machine, steps, timeout=limit)
    total = clock.total()
    found = result.counterexample
    answer = "verified" if result.holds else "unknown" if found is None else "counterexample"
    expected = found is not None and found.confirmed if machine.flaw else result.holds
    return outcome(answer, expected, result.stats.run, total, str(result))


def figure10_benchmarks() -> list[Benchmark]:
    """B1 with the bounds of figure 10; no solver is asked.

    >>> len(figure10_benchmarks())
    15
    """
    return [
        Benchmark("ifcl", "B1", _bound(steps), partial(_evaluate, steps)) for steps in FIGURE_10
    ]


def _evaluate(steps: int, limit: float) -> Outcome:
    machine = MACHINES["B1"]
    run = execute(tell_apart, machine, *symbolic_programs(machine, steps), steps).stats
    return outcome("evaluated", True, run, run.cpu_seconds)
