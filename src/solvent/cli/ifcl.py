"""`solvent ifcl`: whether stack machines that track information flow keep secrets."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from solvent.cli.common import Commands, InputError, add_json_option, add_solver_options
from solvent.cli.envelope import told
from solvent.cli.measuring import add_profile_option, profiled
from solvent.cli.terminal import console as console_of
from solvent.languages.ifcl import MACHINES, Machine, verify_noninterference
from solvent.queries.results import verdict_of
from solvent.solvers.status import Status
from solvent.verdicts import DONE, Finding, Stated, exit_code
from solvent.verdicts.rendering import Json


def verify(options: argparse.Namespace) -> int:
    """Print a counterexample, or that there is none."""
    machine = _machine(options.machine)
    doing = f"looking for programs that leak on {machine.name}"
    with _shown(doing), profiled(options, f"ifcl {machine.name}"):
        result = verify_noninterference(
            machine, options.steps, solver=options.solver, timeout=options.timeout
        )
    leak = () if result.counterexample is None else (Finding(str(result.counterexample)),)
    answer = Stated(leak, verdict=verdict_of(result.status, Status.UNSAT), reason=result.reason)
    if not told(options, result.as_dict(), answer):
        print(result)
    return exit_code(answer.verdict)


def _machine(name: str) -> Machine:
    found = {known.lower(): machine for known, machine in MACHINES.items()}.get(name.lower())
    if found is None:
        raise InputError(f"there is no machine {name!r}; there are {', '.join(MACHINES)}")
    return found


def show(options: argparse.Namespace) -> int:
    """Print the machines, their instructions and what is wrong with them."""
    if told(options, {"machines": [_row(m) for m in MACHINES.values()]}):
        return DONE
    for machine in MACHINES.values():
        names = " ".join(operation.name for operation in machine.instructions)
        print(f"{machine.name:<6} {machine.steps:>2} steps  {machine.flaw or 'correct'}")
        print(f"{'':<17} {names}")
    return DONE


def _row(machine: Machine) -> Json:
    return {
        "name": machine.name,
        "instructions": [operation.name for operation in machine.instructions],
        "steps": machine.steps,
        "correct": not machine.flaw,
        "flaw": machine.flaw,
    }


@contextmanager
def _shown(text: str) -> Iterator[None]:
    """What shows that something is going on, if somebody is looking."""
    if not sys.stderr.isatty():
        yield
        return
    with console_of(stderr=True).status(text):
        yield


def _steps(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"a number is needed, not {text!r}")
    return int(text)


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("ifcl", help="do machines that track secrets keep them?")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    action = actions.add_parser("verify", help="look for two programs that leak a secret")
    action.add_argument("machine", metavar="MACHINE", help="its name, as `solvent ifcl list` says")
    action.add_argument(
        "--steps",
        type=_steps,
        metavar="N",
        help="length of the programs and of their runs (default: what the machine is known for)",
    )
    add_profile_option(action)
    add_solver_options(action, reports=True)
    action.set_defaults(run=verify)
    action = actions.add_parser("list", help="the machines, and what is wrong with them")
    add_json_option(action)
    action.set_defaults(run=show)
