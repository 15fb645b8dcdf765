"""`solvent solve`: run an SMT-LIB script, or find inputs with which a Python function succeeds."""

from __future__ import annotations

import argparse
import time

from solvent.cli import programs
from solvent.cli.common import (
    JOB_DONE,
    Commands,
    add_solver_options,
    make_solver,
    print_json,
    printable,
    read_text,
)
from solvent.solvers.script import Response, ScriptRunner
from solvent.solvers.status import Status
from solvent.terms.smtlib.reader import read_script
from solvent.verdicts import Answer, exit_code


def run(options: argparse.Namespace) -> int:
    """Run the script, or ask about the function; unknown answers give exit code 3."""
    if "::" in options.target or options.target.endswith(".py"):
        return programs.solve(options)
    return run_script(options)


def run_script(options: argparse.Namespace) -> int:
    """Run an SMT-LIB script."""
    script = read_script(read_text(options.target), source=options.target)
    started = time.perf_counter()
    responses: list[Response] = []
    with make_solver(options) as solver:
        for response in ScriptRunner(script, solver).run():
            responses.append(response)
            if not options.json:
                print(printable(response.text), flush=True)
    checks = [response.data for response in responses if response.command == "check-sat"]
    open_ = [check for check in checks if check["status"] == Status.UNKNOWN]
    answer = Answer(reason=open_[0]["reason"]) if open_ else JOB_DONE
    if options.json:
        print_json(
            {
                "file": options.target,
                "status": checks[-1]["status"] if checks else None,
                "checks": checks,
                "responses": [
                    {"command": r.command, **r.data} for r in responses if r.command != "check-sat"
                ],
                "seconds": round(time.perf_counter() - started, 6),
            },
            answer,
        )
    return exit_code(answer.verdict)


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
    add_solver_options(parser)
    parser.set_defaults(run=run)
