"""Counterexamples as pages (`--html`): the steps of each engine, in the form that pages show."""

from __future__ import annotations

import argparse
import html
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from solvent.btor2 import Witness, replay
from solvent.btor2.memory import Memory
from solvent.btor2.syntax import Model, Node, label
from solvent.cli.common import write_page
from solvent.cli.reported import Told
from solvent.pages import box, page, table
from solvent.pages.traces import Story, TraceStep, story_page
from solvent.pages.waves import Signal, vcd, waveform
from solvent.queries.replay import relative
from solvent.queries.stepping import stepped, text_of
from solvent.riscu.cstar.library import BUMP
from solvent.riscu.emulator import Emulator
from solvent.riscu.faults import Exited, Fault
from solvent.riscu.instructions import NUMBER, REGISTERS
from solvent.riscu.program import VARIABLE, Program
from solvent.riscu.state import Machine
from solvent.terms.sorts import BitVecSort
from solvent.verdicts import Answer
from solvent.vm.values import Value

# So many instructions of a machine are followed.
MOST_INSTRUCTIONS = 200_000
# The stack grows down: a procedure that begins has a smaller one than who called it.
FP = NUMBER["fp"]


# --- Python ------------------------------------------------------------------------------------


def python_story(function: Callable[..., Value], answer: Answer) -> Story:
    """A failing call of a function, as CPython executes it.

    The answer may have been found in another process; what it says as data is enough.
    """
    known: Told = answer  # type: ignore[assignment]
    row = known.as_dict()
    lines = stepped(function, str(row.get("call", "")), str(row.get("setup", "")))
    sources = {relative(file): text_of(file) for file in {line.file for line in lines}}
    steps = [
        TraceStep(
            relative(line.file),
            line.line,
            ", ".join(f"{name} = {text}" for name, text in line.values.items()),
            line.said,
            line.fails,
        )
        for line in lines
    ]
    inputs = row.get("inputs")
    given = (
        {str(name): str(text) for name, text in inputs.items()} if isinstance(inputs, dict) else {}
    )
    headline = str(answer).partition("\n")[0]
    return Story(headline, given, steps, sources)


# --- Boogie ------------------------------------------------------------------------------------

# A line of a trace: where, and what it gives to variables or says.
_PLACE = re.compile(r"\s*(?P<file>[^()]+)\((?P<line>\d+),\d+\): (?P<rest>.*)")


def boogie_story(headline: str, lines: Iterable[str], inputs: dict[str, str]) -> Story:
    """The failing execution of a Boogie program, from the lines of its trace.

    >>> story = boogie_story("wrong", ["main(n = 3)", "  a.bpl(4,5): i = 0"], {})
    >>> [(step.line, step.values or step.text) for step in story.steps]
    [(0, 'main(n = 3)'), (4, 'i = 0')]
    """
    steps: list[TraceStep] = []
    for text in lines:
        found = _PLACE.match(text)
        if found is None:
            steps.append(TraceStep("", 0, text=text.strip()))
            continue
        rest = found["rest"]
        assigns = re.match(r"[^\s=]+(\[.*\])? = ", rest) is not None
        step = TraceStep(
            found["file"], int(found["line"]), rest if assigns else "", "" if assigns else rest
        )
        steps.append(step)
    if steps:
        last = steps[-1]
        steps[-1] = TraceStep(last.file, last.line, last.values, last.text, fails=True)
    return Story(headline, inputs, steps, _texts({step.file for step in steps}))


def _texts(files: Iterable[str]) -> dict[str, str]:
    """The texts of those files that can be read."""
    found = {}
    for file in sorted(filter(None, files)):
        try:
            found[file] = Path(file).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
    return found


# --- C* and RISC-U -----------------------------------------------------------------------------


class _Changes:
    """What a line of a program changes: registers, and variables whose places are known."""

    def __init__(self, program: Program, machine: Machine) -> None:
        self.program = program
        self.machine = machine
        self.globals = {
            symbol.name: symbol.address
            for symbol in program.symbols
            # `malloc` has one of its own.
            if symbol.kind == VARIABLE and symbol.name != BUMP
        }
        # By address, the values of variables that were looked at last.
        self.known = {at: machine.memory.load(at) for at in self.globals.values()}
        self.registers = list(machine.registers)

    def told(self, pc: int) -> str:
        """The changes since it was asked last, by a line with an instruction at an address."""
        machine = self.machine
        found = {**self.globals, **self._locals(pc)}
        changed = []
        for name, at in found.items():
            value = machine.memory.load(at)
            if value != self.known.get(at):
                self.known[at] = value
                changed.append(f"{name} = {value}")
        registers = _changed(self.registers, machine.registers)
        self.registers = list(machine.registers)
        told = ", ".join(changed)
        return f"{told} ({registers})" if told and registers else told or registers

    def _locals(self, pc: int) -> dict[str, int]:
        """Where the variables of a procedure are, if its frame is still there."""
        procedure = self.program.procedure_at(pc)
        offsets = {} if procedure is None else self.program.frames.get(procedure.name, {})
        before, now = self.registers[FP], self.machine.registers[FP]
        if now == 0 or now > before > 0:
            # It has returned.
            return {}
        if now != before:
            # It has just begun: nothing is in its variables but in the parameters.
            for offset in offsets.values():
                self.known.pop(now + offset, None)
                if offset < 0:
                    self.known[now + offset] = self.machine.memory.load(now + offset)
        return {name: now + offset for name, offset in offsets.items()}


def machine_story(program: Program, headline: str, given: bytes) -> Story:
    """The run of a machine on an input: for each line of the source, what it changed."""
    emulator = Emulator(program, given)
    steps: list[TraceStep] = []
    place, pc = None, 0
    changes = _Changes(program, emulator.machine)
    said = ""
    try:
        for _ in range(MOST_INSTRUCTIONS):
            here = program.lines.get(emulator.machine.pc)
            if here is not None and (place is None or here.line != place.line):
                if place is not None:
                    steps.append(TraceStep(program.source, place.line, changes.told(pc)))
                else:
                    changes.told(pc)
                place = here
            if here is not None:
                pc = emulator.machine.pc
            emulator.step()
    except Exited as end:
        said = f"exit code {end.code}"
    except Fault as fault:
        said = str(fault)
    finally:
        emulator.system.close()
    if place is not None:
        values = changes.told(pc)
        steps.append(TraceStep(program.source, place.line, values, said, fails=True))
    return Story(headline, {"input": repr(given)}, steps, _texts([program.source]))


def _changed(before: Sequence[int], now: Sequence[int]) -> str:
    # A machine may have more, for itself, than registers with names.
    rows = zip(REGISTERS, before, now, strict=False)
    return ", ".join(f"{name} = {value}" for name, old, value in rows if old != value)


# --- BTOR2 -------------------------------------------------------------------------------------


def signals_of(model: Model, witness: Witness) -> list[Signal]:
    """The inputs, states, outputs and bad states of an execution, time by time."""
    steps = replay(model, witness).steps
    found: list[Signal] = []

    def add(kind: str, nodes: Sequence[Node], rows: Sequence[Sequence[int | Memory]]) -> None:
        for place, node in enumerate(nodes):
            values = [row[place] for row in rows]
            # Memories have no place in a waveform; bad states have no sort of their own.
            if not any(isinstance(value, Memory) for value in values):
                width = node.sort.width if isinstance(node.sort, BitVecSort) else 1
                numbers = [int(value) for value in values if not isinstance(value, Memory)]
                found.append(Signal(label(node, kind, place), width, numbers))

    add("input", model.inputs, [step.inputs for step in steps])
    add("state", model.states, [step.states for step in steps])
    add("output", model.outputs, [step.outputs for step in steps])
    add("bad", model.bads, [step.bads for step in steps])
    return found


def witness_page(file: str, model: Model, rows: Sequence[tuple[str, Witness]]) -> str:
    """A page with the waveform of each witness."""
    body = []
    for headline, witness in rows:
        signals = signals_of(model, witness)
        body.append(f'<h2 class="no">{html.escape(headline)}</h2>')
        body.append(box(waveform(signals), "waveform"))
        times = range(max((len(signal.values) for signal in signals), default=0))
        body.append("<details><summary>All values</summary>")
        heads = ["signal", "bits", *map(str, times)]
        cells = [
            [signal.name, str(signal.width), *(str(value) for value in signal.values)]
            for signal in signals
        ]
        body += [table(heads, cells), "</details>"]
    if not rows:
        body.append("<p>No execution reaches a bad state, as far as is known.</p>")
    return page(file, body)


def write_stories(
    options: argparse.Namespace, title: str, stories: Sequence[Story], notes: Sequence[str] = ()
) -> None:
    """Write the page, if one is asked for."""
    if getattr(options, "html", None):
        write_page(options.html, story_page(title, stories, notes))


def write_dump(path: str | None, model: Model, witness: Witness | None) -> None:
    """Write the value change dump of a witness, if one is asked for and there is one."""
    if path is not None and witness is not None:
        write_page(path, vcd(signals_of(model, witness)))
