"""The benchmarks of tables 3 and 4 and of figure 10, and the correct machines."""

from __future__ import annotations

from functools import partial

from solvent import BitVec, Solver
from solvent.languages.benchmark import Benchmark, Outcome, PaperRow, Rosette
from solvent.languages.ifcl.machine import Machine
from solvent.languages.ifcl.machines import MACHINES
from solvent.languages.ifcl.noninterference import (
    SOLVER,
    symbolic_programs,
    tell_apart,
    verify_noninterference,
)
from solvent.lift import execute

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

ROSETTE = {
    "B1": Rosette(0.044, 0.05, 1_920),
    "B2": Rosette(0.036, 0.04, 1_944),
    "B3": Rosette(0.098, 0.15, 4_828),
    "B4": Rosette(0.207, 0.84, 8_986),
    "basic": Rosette(0.35, 4.2, 11_666),
    "J1": Rosette(0.195, 0.75, 8_405),
    "J2": Rosette(0.084, 0.13, 4_086),
    "jump": Rosette(0.44, 88.0, 14_792),
    "CR1": Rosette(0.50, 6.2, 24_934),
    "CR2": Rosette(0.80, 75.6, 36_201),
    "CR3": Rosette(0.83, 17.4, 35_881),
}

# The bounds of figure 10.
FIGURE_10 = range(1, 16)


def benchmarks() -> list[Benchmark]:
    """The ten machines of table 4 with their bounds, then the correct machines.

    >>> [(found.name, found.bound) for found in benchmarks()][:3]
    [('B1', '3 steps'), ('B2', '3 steps'), ('B3', '5 steps')]
    """
    flawed = [machine for machine in MACHINES.values() if machine.flaw]
    correct = [machine for machine in MACHINES.values() if not machine.flaw]
    return [_benchmark(machine) for machine in (*flawed, *correct)]


def _benchmark(machine: Machine) -> Benchmark:
    return Benchmark(
        language="ifcl",
        name=machine.name,
        bound=_bound(machine.steps),
        run=partial(_run, machine.name, machine.steps),
        paper=PAPER.get(machine.name),
        rosette=ROSETTE.get(machine.name),
        details={"instructions": len(machine.instructions), "steps": machine.steps},
    )


def _bound(steps: int) -> str:
    return f"{steps} step{'' if steps == 1 else 's'}"


def _run(name: str, steps: int, limit: float) -> Outcome:
    machine = MACHINES[name]
    warm_up(machine)
    result = verify_noninterference(machine, steps, timeout=limit)
    found = result.counterexample
    run = result.stats.run
    answer = "verified" if result.holds else "unknown" if found is None else "counterexample"
    return Outcome(
        answer=answer,
        expected=found is not None and found.confirmed if machine.flaw else result.holds,
        joins=run.joins,
        unions=run.unions,
        union_sum=run.union_sizes,
        union_max=run.largest_union,
        terms=run.terms,
        evaluation=run.seconds,
        solving=result.stats.solver_seconds,
        detail=str(result),
    )


def warm_up(machine: Machine) -> None:
    """Lift the rules and start the solver, as no other tool's figures include that."""
    execute(tell_apart, machine, *symbolic_programs(machine, 2), 2)
    with Solver(SOLVER) as solver:
        solver.add(BitVec("x", 8) * BitVec("y", 8) == 7)
        solver.check()


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
    return Outcome(
        answer="evaluated",
        expected=True,
        joins=run.joins,
        unions=run.unions,
        union_sum=run.union_sizes,
        union_max=run.largest_union,
        terms=run.terms,
        evaluation=run.seconds,
        solving=0.0,
    )
