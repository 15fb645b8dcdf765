"""`solvent btor2`: check, simulate and replay BTOR2 models, and read inputs out of witnesses."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from solvent.btor2 import (
    ENGINES,
    ModelAnswer,
    PropertyAnswer,
    Simulator,
    Witness,
    at_random,
    check,
    input_string,
    memory_constraints,
    parse,
    parse_witnesses,
    reads,
    replay,
)
from solvent.btor2.digits import written
from solvent.btor2.engines import DEFAULT_BOUND
from solvent.btor2.memory import Memory
from solvent.btor2.simulate import Step
from solvent.btor2.syntax import Model, Node, label
from solvent.cli.common import (
    Commands,
    InputError,
    add_budget_options,
    add_json_option,
    add_report_options,
    natural,
    positive,
    read_text,
    usage,
    write_page,
)
from solvent.cli.envelope import told
from solvent.cli.progress import Work
from solvent.cli.spreading import add_spread_options, only_units
from solvent.verdicts import DONE, Finding, Stated, Verdict, exit_code, lines
from solvent.verdicts.rendering import Json


def add_parser(commands: Commands) -> None:
    """Add the command with its actions."""
    parser = commands.add_parser("btor2", help="check, simulate and replay BTOR2 models")
    parser.set_defaults(run=lambda options: usage(parser))
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    _add_check(actions)
    _add_simulate(actions)
    _add_replay(actions)
    _add_inputs(actions)


def _count(text: str) -> int:
    """The argument of an option that may be zero."""
    return 0 if text == "0" else natural(text)


def _add_check(actions: Commands) -> None:
    parser = actions.add_parser(
        "check", help="search for executions to bad states, or prove that there are none"
    )
    parser.add_argument("file", metavar="FILE", help="the model; - is standard input")
    parser.add_argument(
        "-kmax",
        "--kmax",
        type=_count,
        default=DEFAULT_BOUND,
        metavar="N",
        help=f"the length of the longest executions (default: {DEFAULT_BOUND})",
    )
    parser.add_argument(
        "-kmin", "--kmin", type=_count, default=0, metavar="N", help="and of the shortest"
    )
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default="auto",
        help="bounded checking, k-induction, IC3, or what suits the model (default)",
    )
    parser.add_argument("--witness", metavar="FILE", help="write the executions that are found")
    parser.add_argument(
        "--html", metavar="FILE", help="write a page with the waveforms of the executions"
    )
    parser.add_argument(
        "--vcd", metavar="FILE", help="write the first execution for viewers such as GTKWave"
    )
    parser.add_argument("--all", action="store_true", help="go on after the first violation")
    parser.add_argument(
        "--solver", metavar="NAME", help="cadical (the default), bitwuzla, z3, cvc5, smtlib:COMMAND"
    )
    parser.add_argument(
        "--timeout", type=positive, metavar="SECONDS", help="for the search; see --budget"
    )
    add_budget_options(parser, "a smaller -kmax")
    parser.add_argument(
        "--split",
        action="store_true",
        help="with --engine bmc: each length of executions is a piece of its own",
    )
    add_spread_options(parser)
    add_report_options(parser)
    parser.set_defaults(run=run_check)


def _add_simulate(actions: Commands) -> None:
    parser = actions.add_parser("simulate", help="run a model on random inputs")
    parser.add_argument("file", metavar="FILE", help="the model; - is standard input")
    parser.add_argument("--steps", type=natural, default=10, metavar="N")
    parser.add_argument("--seed", type=_count, default=0, metavar="N")
    add_json_option(parser)
    parser.set_defaults(run=run_simulate)


def _add_replay(actions: Commands) -> None:
    parser = actions.add_parser("replay", help="run a model on a witness")
    parser.add_argument("file", metavar="FILE", help="the model")
    parser.add_argument("witness", metavar="WITNESS", help="one or several witnesses")
    add_json_option(parser)
    parser.set_defaults(run=run_replay)


def _add_inputs(actions: Commands) -> None:
    parser = actions.add_parser(
        "inputs", help="the bytes that a machine's witness reads, and what memory must hold"
    )
    parser.add_argument("witness", metavar="WITNESS")
    parser.add_argument("-o", dest="output", metavar="FILE", help="write the bytes here")
    add_json_option(parser)
    parser.set_defaults(run=run_inputs)


def _model(path: str) -> Model:
    return parse(read_text(path), path)


# --- check -------------------------------------------------------------------------------------


def run_check(options: argparse.Namespace) -> int:
    """Check a model; 1 if a property is violated, 3 if the bound or the time was reached."""
    text = read_text(options.file)
    model = parse(text, options.file)
    options.work.update("checking")
    if options.split:
        # Few divide searches.
        from solvent.cli.depths import check_depths

        answer = check_depths(model, text, options)
    else:
        only_units(options, "without --split")
        answer = check(
            model,
            kmax=options.kmax,
            kmin=options.kmin,
            engine=options.engine,
            find_all=options.all,
            solver=options.solver,
            timeout=options.work.within(options.timeout),
            progress=partial(_tell, options),
        )
    if options.witness and answer.witnesses:
        _write(options.witness, "".join(map(str, answer.witnesses)))
    if options.html or options.vcd:
        _write_waves(options, model, answer)
    if not told(options, _fields(options.file, answer), answer):
        for one in answer.answers:
            print(*lines(one), sep="\n")
        if not answer.answers:
            print(f"{options.file}: there is no property to check")
    return exit_code(answer.verdict)


def _write_waves(options: argparse.Namespace, model: Model, answer: ModelAnswer) -> None:
    """The executions that were found, to look at."""
    # Few ask for them.
    from solvent.cli.tracing import witness_page, write_dump

    rows = [(one.headline(), one.witness) for one in answer.answers if one.witness is not None]
    write_page(options.html, witness_page(options.file, model, rows))
    write_dump(options.vcd, model, rows[0][1] if rows else None)


def _tell(options: argparse.Namespace, time: int, count: int) -> None:
    """Say how far the search is: an engine begins with a time."""
    work: Work = options.work
    doing = f"k = {time}, {count} {'property' if count == 1 else 'properties'} open"
    if time == 0:
        # Another engine, or another property: what was covered was not about this one.
        work.covered = ""
    complete = options.kmin == 0 and options.engine != "ic3"
    covered = f"no open property is violated before time {time}"
    work.update(doing, covered if complete and time else "")


def _fields(file: str, answer: ModelAnswer) -> dict[str, object]:
    return {
        "file": file,
        "engine_seconds": answer.seconds,
        "properties": [_row_of(one) for one in answer.answers],
        "witnesses": [str(witness) for witness in answer.witnesses],
    }


def _row_of(answer: PropertyAnswer) -> dict[str, object]:
    return {
        "property": answer.label,
        "symbol": answer.symbol,
        "verdict": answer.verdict.value,
        "time": answer.depth,
        "engine": answer.engine,
        "reason": answer.reason,
        "invariant": None if answer.invariant is None else str(answer.invariant),
    }


def _write(path: str, text: str) -> None:
    if path == "-":
        print(text, end="")
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


# --- simulate ----------------------------------------------------------------------------------


def run_simulate(options: argparse.Namespace) -> int:
    """Run a model on random inputs, and show its states, inputs and what is reached."""
    model = _model(options.file)
    seed = options.seed
    simulator = Simulator(model, at_random(model, seed), at_random(model, seed + 1, "states"))
    rows = [_row(model, step) for step in simulator.run(options.steps)]
    if told(options, {"file": options.file, "seed": seed, "steps": rows}):
        return DONE
    for row in rows:
        values = {**row["states"], **row["inputs"]}
        print(f"{row['time']}: " + ", ".join(f"{name} = {value}" for name, value in values.items()))
        for name in row["bad"]:
            print(f"   {name} holds")
        for position in row["violated constraints"]:
            print(f"   constraint {position} does not hold")
    return DONE


def _row(model: Model, step: Step) -> dict[str, Any]:
    def named(kind: str, nodes: Sequence[Node], values: Sequence[int | Memory]) -> Json:
        pairs = enumerate(zip(nodes, values, strict=True))
        return {label(node, kind, k): _shown(value) for k, (node, value) in pairs}

    return {
        "time": step.time,
        "states": named("state", model.states, step.states),
        "inputs": named("input", model.inputs, step.inputs),
        "bad": [f"b{k}" for k, holds in enumerate(step.bads) if holds],
        "violated constraints": [k for k, holds in enumerate(step.constraints) if not holds],
    }


def _shown(value: int | Memory) -> object:
    if not isinstance(value, Memory):
        return written(value)
    return {str(written(index)): _shown(element) for index, element in value.items()}


# --- witnesses ---------------------------------------------------------------------------------


def run_replay(options: argparse.Namespace) -> int:
    """Run a model on witnesses; 1 if a property that one claims does not hold."""
    model = _model(options.file)
    replays = [replay(model, one) for one in _witnesses(options.witness)]
    claims = [claim for one in replays for claim in one.claims]
    wrong = [
        Finding(f"{one.property} does not hold: {one.explanation}")
        for one in claims
        if not one.holds
    ]
    good = all(one.holds for one in replays)
    answer = Stated(tuple(wrong), verdict=Verdict.HOLDS if good else Verdict.VIOLATED)
    rows = [
        {"property": one.property, "holds": one.holds, "explanation": one.explanation}
        for one in claims
    ]
    fields = {"file": options.file, "witness": options.witness, "claims": rows}
    if not told(options, fields, answer):
        for claim in claims:
            verb = "holds" if claim.holds else "does not hold"
            print(f"{claim.property} {verb}: {claim.explanation}")
        if not claims:
            print(f"{options.witness}: the witness claims no property")
    return exit_code(answer.verdict)


def run_inputs(options: argparse.Namespace) -> int:
    """Show what a machine's witness reads and what its memory must hold."""
    witnesses = _witnesses(options.witness)
    witness = witnesses[0]
    text = input_string(witness)
    if options.output:
        _write_bytes(options.output, text)
    constraints = memory_constraints(witness)
    fields = {
        "properties": witness.properties,
        "input": text.decode("latin-1"),
        "reads": [{"time": one.time, "value": written(one.value)} for one in reads(witness)],
        "memory": [{"address": written(c.address), "value": written(c.value)} for c in constraints],
        "frames": len(witness.frames),
    }
    if told(options, fields):
        return DONE
    print(f"properties: {' '.join(witness.properties)}")
    for one in reads(witness):
        print(f"value {written(one.value)} at frame {one.time}: {one.bytes!r}")
    print(f"input: {text!r}")
    for constraint in constraints:
        value, address = written(constraint.value), written(constraint.address)
        print(f"memory: value {value} at address {address}")
    return DONE


def _witnesses(path: str) -> list[Witness]:
    return parse_witnesses(read_text(path), path)


def _write_bytes(path: str, text: bytes) -> None:
    try:
        Path(path).write_bytes(text)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
