"""`solvent solve`: run an SMT-LIB script, or find inputs with which a Python function succeeds."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator

from solvent.cli import programs
from solvent.cli.common import (
    Commands,
    add_budget_options,
    add_solver_options,
    make_solver,
    read_text,
)
from solvent.cli.envelope import JOB_DONE, is_for_people, printable, told
from solvent.cli.measuring import add_profile_option, refuse_profile
from solvent.cli.progress import Work
from solvent.errors import SmtLibError
from solvent.solvers import Solver
from solvent.solvers.script import Response, ScriptRunner
from solvent.solvers.status import Status
from solvent.terms.smtlib.commands import CheckSat, CheckSatAssuming, Exit
from solvent.terms.smtlib.reader import Script, read_script
from solvent.verdicts import Answer, exit_code


def run(options: argparse.Namespace) -> int:
    """Run the script, or ask about the function; unknown answers give exit code 3."""
    if "::" in options.target or options.target.endswith(".py"):
        return programs.solve(options)
    refuse_profile(options, "a script runs none")
    return run_script(options)


def run_script(options: argparse.Namespace) -> int:
    """Run an SMT-LIB script."""
    script = read_script(read_text(options.target), source=options.target)
    responses: list[Response] = []
    with make_solver(options) as solver:
        for response in _responses(script, solver, options.work):
            responses.append(response)
            if is_for_people(options):
                print(printable(response.text), flush=True)
    checks = [response.data for response in responses if response.command == "check-sat"]
    open_ = [check["reason"] for check in checks if check["status"] == Status.UNKNOWN]
    answer = Answer(reason=open_[0]) if open_ else JOB_DONE
    told(
        options,
        {
            "file": options.target,
            "status": checks[-1]["status"] if checks else None,
            "checks": checks,
            "responses": [
                {"command": r.command, **r.data} for r in responses if r.command != "check-sat"
            ],
        },
        answer,
    )
    return exit_code(answer.verdict)


def _responses(script: Script, solver: Solver, work: Work) -> Iterator[Response]:
    """What the commands of a script answer in the time that there is for them."""
    asked, decided, status = 0, 0, None
    reached = itertools.takewhile(lambda one: not isinstance(one, Exit), script.commands)
    total = sum(isinstance(one, (CheckSat, CheckSatAssuming)) for one in reached)
    covered = f"0 of {total} checks decided" if total else ""
    work.update(f"check 1 of {total}", covered)
    solver.timeout = work.within(solver.timeout)
    try:
        for response in ScriptRunner(script, solver).run():
            if response.command == "check-sat":
                status = response.data["status"]
                asked += 1
                decided += status != Status.UNKNOWN
                now = f"check {asked + 1} of {total}" if asked < total else "after the last check"
                work.update(now, f"{decided} of {total} checks decided")
            yield response
            # What is left becomes less, so the least of all these is what holds now.
            solver.timeout = work.within(solver.timeout)
    except SmtLibError:
        # The script may need the model of a check that had no time.
        if not (work.deadline.is_over and status == Status.UNKNOWN):
            raise


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "solve",
        help="run an SMT-LIB 2 script, or find inputs with which a Python function succeeds",
    )
    parser.add_argument(
        "target",
        metavar="FILE.smt2|FILE.py::FUNCTION",
        help="the script, - for standard input, or the function",
    )
    programs.add_program_options(parser)
    add_profile_option(parser)
    add_budget_options(parser, f"another --solver, {programs.SMALLER}")
    add_solver_options(parser)
    parser.set_defaults(run=run)
