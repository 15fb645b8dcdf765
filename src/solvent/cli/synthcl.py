"""`solvent synthcl`: the programs of SynthCL, verified, synthesised, printed as OpenCL and run."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from solvent.cli.common import (
    Commands,
    InputError,
    add_json_option,
    add_solver_options,
    natural,
)
from solvent.cli.envelope import told
from solvent.cli.measuring import add_profile_option, profiled
from solvent.cli.terminal import console as console_of
from solvent.languages.synthcl import Kernel, using
from solvent.languages.synthcl.benchmarks import images, matrices, powers
from solvent.languages.synthcl.opencl import OpenCLDevice, to_opencl
from solvent.languages.synthcl.programs import (
    matrix,
    matrix_sketch,
    sobel,
    sobel_sketch,
    walsh,
    walsh_sketch,
)
from solvent.languages.synthcl.queries import Numbers, Synthesized, Verified, synthesize, verify
from solvent.queries.results import verdict_of
from solvent.solvers.status import Status
from solvent.terms import BV, bv
from solvent.verdicts import DONE, Answer, Finding, Stated, Verdict, exit_code
from solvent.verdicts.rendering import Json

# The arguments of a program.
Case = tuple[Any, ...]
ResultT = TypeVar("ResultT")

# --- the programs --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Family:
    """Programs with one reference."""

    reference: Callable[..., list[Any]]
    # What a size consists of.
    dimensions: tuple[str, ...]
    # The inputs for all combinations of sizes.
    cases: Callable[[Sequence[int]], list[Case]]
    # The input of one size.
    case: Callable[..., Case]
    # Whether the numbers are floats, which are compared where they are exact.
    floats: bool
    size: tuple[int, ...]


def _matrices(n: int, p: int, m: int) -> Case:
    return n, p, m, Numbers(n * p), Numbers(p * m)


def _image(w: int, h: int) -> Case:
    return w, h, Numbers(w * h * 4)


def _array(length: int) -> Case:
    return (Numbers(length),)


def _arrays(lengths: Sequence[int]) -> list[Case]:
    return powers([length.bit_length() - 1 for length in lengths])


MATRIX = Family(matrix.multiply, ("n", "p", "m"), matrices, _matrices, True, (64, 64, 64))
SOBEL = Family(sobel.sobel, ("w", "h"), images, _image, False, (32, 24))
WALSH = Family(walsh.transform, ("length",), _arrays, _array, True, (1024,))


@dataclass(frozen=True)
class Program:
    """A program, and its sketch if it has one."""

    name: str
    what: str
    family: Family
    program: Callable[..., list[Any]]
    kernels: tuple[Kernel, ...]
    # The sizes of the paper's table 1.
    bounds: tuple[int, ...]
    sketch: Callable[..., object] | None = None
    sketch_bounds: tuple[int, ...] = ()

    def check(self, sizes: Sequence[int]) -> None:
        """Raise an error if the program is not for such sizes."""
        if self.name == "MM2" and any(size % 4 for size in sizes):
            raise InputError(f"{self.name} is for sizes that are multiples of 4")
        if self.name in ("SF6", "SF7") and min(sizes) < 3:
            raise InputError(f"{self.name} is for images of at least 3 by 3 pixels")
        if self.family is WALSH and any(size & (size - 1) for size in sizes):
            raise InputError(f"{self.name} is for lengths that are powers of 2")


_FOURS = (4, 8, 12, 16)
_STEPS = {
    1: "an instance for each component",
    2: "an instance for each pixel",
    3: "a pixel is a vector",
    4: "no instances for the border",
    5: "shifts, and few variables",
    6: "an instance for each row",
    7: "an instance for each column",
}
_LENGTHS = tuple(2**k for k in range(7))


def _sobel(step: int) -> Program:
    sketches: dict[int, tuple[Callable[..., object], tuple[int, ...]]] = {
        3: (sobel_sketch.sobel_3, (1, 2, 3, 4)),
        7: (sobel_sketch.sobel_7, (4,)),
    }
    sketch, bounds = sketches.get(step, (None, ()))
    return Program(
        f"SF{step}",
        f"Sobel filter: {_STEPS[step]}",
        SOBEL,
        getattr(sobel, f"sobel_{step}"),
        (getattr(sobel, f"sf{step}"),),
        tuple(range(1 if step < 6 else 3, 10)),
        sketch,
        bounds,
    )


def programs() -> dict[str, Program]:
    """All programs by name."""
    found = [
        Program(
            "MM1", "matrix multiplication: an instance for each cell", MATRIX,
            matrix.multiply_scalar, (matrix.mm1,), _FOURS,
        ),
        Program(
            "MM2", "matrix multiplication: blocks of 4 by 4 cells", MATRIX,
            matrix.multiply_vector, (matrix.mm2,), _FOURS, matrix_sketch.multiply, (8,),
        ),
        *(_sobel(step) for step in _STEPS),
        Program(
            "FWT1", "fast Walsh transform: an instance for each butterfly", WALSH,
            walsh.transform_scalar, (walsh.fwt1,), _LENGTHS, walsh_sketch.transform_scalar, (8,),
        ),
        Program(
            "FWT2", "fast Walsh transform: four butterflies at once", WALSH,
            walsh.transform_vector, (walsh.fwt2_inside, walsh.fwt2), _LENGTHS,
            walsh_sketch.transform_vector, (8,),
        ),
    ]  # fmt: skip
    return {program.name: program for program in found}


def _find(name: str) -> Program:
    known = programs()
    if name.upper() not in known:
        raise InputError(f"there is no program {name}; there are {', '.join(known)}")
    return known[name.upper()]


# --- commands ------------------------------------------------------------------------------------


def list_(options: argparse.Namespace) -> int:
    """Print what there is."""
    known = programs().values()
    rows = [{"name": one.name, "what": one.what, "sketch": one.sketch is not None} for one in known]
    if told(options, {"programs": rows}):
        return DONE
    for one in known:
        print(f"{one.name:5}{one.what}{'  (has a sketch)' if one.sketch else ''}")
    return DONE


def show(options: argparse.Namespace) -> int:
    """Print the OpenCL of a program."""
    program = _find(options.program)
    text = to_opencl(*program.kernels)
    if not told(options, {"program": program.name, "opencl": text}):
        print(text)
    return DONE


def run(options: argparse.Namespace) -> int:
    """Compile a program, run it on random data, and compare with the reference."""
    program = _find(options.program)
    size = _size(program, options.size)
    args = _random(program, size, options.seed)
    device = OpenCLDevice()
    with _shown() as progress:
        progress("compiling")
        compiling, _ = _timed(lambda: device.compile(*program.kernels))
        progress("running")
        with using(device):
            running, found = _timed(lambda: program.program(*args))
        progress("running the reference")
        reference, expected = _timed(lambda: program.family.reference(*args))
    difference = _difference(found, [_plain(value) for value in expected])
    result = {
        "program": program.name,
        "size": dict(zip(program.family.dimensions, size, strict=True)),
        "seed": options.seed,
        "device": device.name,
        "agrees": difference is None,
        "cells": len(found),
        "difference": difference,
        "timings": {"compile": compiling, "opencl": running, "reference": reference},
    }
    wrong = () if difference is None else (Finding(f"the results differ: {difference}"),)
    answer = Stated(wrong, verdict=Verdict.VIOLATED if wrong else Verdict.HOLDS)
    if not told(options, result, answer):
        _print_run(result)
    return exit_code(answer.verdict)


def _print_run(result: dict[str, Any]) -> None:
    size = ", ".join(f"{name} = {value}" for name, value in result["size"].items())
    seconds = result["timings"]
    print(f"{result['program']} with {size} on {result['device']}")
    print(
        f"  compiled in {seconds['compile']:.2f} s, ran in {seconds['opencl']:.3f} s; "
        f"the reference took {seconds['reference']:.3f} s"
    )
    difference = result["difference"]
    if difference is None:
        print(f"  all {result['cells']} cells are those of the reference")
        return
    print(
        f"  cell {difference['cell']} differs: {difference['opencl']}, but "
        f"{difference['reference']} in the reference"
    )


def _timed(action: Callable[[], ResultT]) -> tuple[float, ResultT]:
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def _difference(found: list[object], expected: list[object]) -> Json | None:
    """The first cell that differs."""
    if len(found) != len(expected):
        raise InputError(f"the program has {len(found)} cells, the reference {len(expected)}")
    for cell, (one, other) in enumerate(zip(found, expected, strict=True)):
        if one != other:
            return {"cell": cell, "opencl": one, "reference": other}
    return None


def _plain(value: object) -> object:
    return value.signed if isinstance(value, BV) else value


def _random(program: Program, size: Sequence[int], seed: int) -> list[object]:
    """The arguments of a program: any ints of 32 bits, or floats that stay exact."""
    source = random.Random(seed)
    number: Callable[[], float | BV]
    if program.family.floats:
        number = lambda: float(source.randint(-100, 100))  # noqa: E731
    else:
        number = lambda: bv(source.getrandbits(32), 32)  # noqa: E731
    return [
        [number() for _ in range(arg.count)] if isinstance(arg, Numbers) else arg
        for arg in program.family.case(*size)
    ]


def _size(program: Program, text: str | None) -> tuple[int, ...]:
    """The size that an option says, such as `8x8x4`; one number is for all dimensions."""
    names = program.family.dimensions
    size = program.family.size
    if text is not None:
        size = _numbers(text, "x", "--size")
        size = size * len(names) if len(size) == 1 else size
    if len(size) != len(names):
        raise InputError(f"the size of {program.name} is {'x'.join(names)}, not {text}")
    program.check(size)
    return size


def _numbers(text: str, separator: str, option: str) -> tuple[int, ...]:
    parts = text.split(separator)
    if not all(part.isdecimal() and int(part) for part in parts):
        raise InputError(f"{option} needs positive integers between `{separator}`, not {text!r}")
    return tuple(int(part) for part in parts)


def _bounds(program: Program, text: str | None, usual: tuple[int, ...]) -> list[Case]:
    bounds = usual if text is None else _numbers(text, ",", "--bounds")
    program.check(bounds)
    return program.family.cases(bounds)


def verify_(options: argparse.Namespace) -> int:
    """Verify a program against its reference, for all numbers in all sizes."""
    program = _find(options.program)
    cases = _bounds(program, options.bounds, program.bounds)
    with _shown() as progress, profiled(options, f"synthcl {program.name}"):
        found = verify(
            program.program,
            program.family.reference,
            cases,
            bits=options.bits or 32,
            timeout=options.timeout,
            solver=options.solver,
            progress=lambda done, of: progress(f"{done} of {of} sizes"),
        )
    failure = None if found.failure is None else str(found.failure)
    wrong = () if failure is None else (Finding(failure, confirmed=found.confirmed),)
    answer = Stated(wrong, verdict=verdict_of(found.status, Status.UNSAT), reason=found.reason)
    inputs = [_listed(arg) for arg in found.inputs]
    fields = {
        **_common(found), "program": program.name, "inputs": inputs, "failure": failure,
        "confirmed": found.confirmed,
    }  # fmt: skip
    if not told(options, fields, answer):
        print(found)
    return exit_code(answer.verdict)


def synthesize_(options: argparse.Namespace) -> int:
    """Complete the sketch of a program."""
    program = _find(options.program)
    if program.sketch is None:
        known = [one.name for one in programs().values() if one.sketch is not None]
        raise InputError(f"{program.name} has no sketch; there are those of {', '.join(known)}")
    cases = _bounds(program, options.bounds, program.sketch_bounds)
    with _shown() as progress, profiled(options, f"synthcl {program.name}"):
        progress(f"completing {program.name}")
        found = synthesize(
            program.sketch,
            program.family.reference,
            cases,
            bits=options.bits or 8,
            timeout=options.timeout,
            solver=options.solver,
        )
    text = _completed(program, found, options.opencl) if found.found else ""
    answer = Answer(verdict=verdict_of(found.status, Status.SAT), reason=found.reason)
    fields = {
        **_common(found), "program": program.name, "found": found.found, "source": text,
        "confirmed": found.confirmed,
    }  # fmt: skip
    if not told(options, fields, answer):
        print(f"{text}\n" if text else "", end="")
        print(found, file=sys.stderr)
    return exit_code(answer.verdict)


def _completed(program: Program, found: Synthesized, opencl: bool) -> str:
    """The completed kernels, in Python or in OpenCL."""
    assert found.completed is not None
    namespace: dict[str, Kernel] = getattr(found.completed, "__globals__", {})
    kernels = [namespace[kernel.name] for kernel in program.kernels]
    if opencl:
        return to_opencl(*kernels)
    return "\n\n".join(found.kernel(kernel.name).rstrip() for kernel in kernels)


def _common(found: Verified | Synthesized) -> Json:
    cost = found.cost
    return {
        "status": str(found.status),
        "reason": found.reason,
        "cases": found.cases,
        "terms": cost.terms,
        "joins": cost.joins,
        "unions": cost.unions,
        "timings": {"evaluation": cost.evaluation, "solving": cost.solving},
    }


def _listed(arg: object) -> object:
    return [_plain(value) for value in arg] if isinstance(arg, list) else _plain(arg)


@contextmanager
def _shown() -> Iterator[Callable[[str], object]]:
    """What shows the progress, if somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with console_of(stderr=True).status("starting") as status:
        yield status.update


# --- the command line ----------------------------------------------------------------------------


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("synthcl", help="OpenCL kernels: verify, synthesise, print, run")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="the programs")
    listed.set_defaults(run=list_)
    shown = _program_parser(actions, "show", "print a program as OpenCL C", show)
    ran = _program_parser(actions, "run", "run the OpenCL and compare with the reference", run)
    ran.add_argument("--size", metavar="AxB", help="such as 8x8x4 (n, p, m), 64x48 (w, h), 1024")
    ran.add_argument("--seed", type=int, default=0, help="for other random data (default 0)")
    for one in (listed, shown, ran):
        add_json_option(one)
    checked = _program_parser(actions, "verify", "verify a program against the reference", verify_)
    made = _program_parser(actions, "synthesize", "complete the sketch of a program", synthesize_)
    made.add_argument("--opencl", action="store_true", help="print the result as OpenCL C")
    for one in (checked, made):
        one.add_argument(
            "--bounds", metavar="N,N", help="the sizes of inputs (default: the paper's table 1)"
        )
        one.add_argument(
            "--bits", type=natural, help="of numbers (default: 32, or 8 to synthesize)"
        )
        add_profile_option(one)
        add_solver_options(one)


def _program_parser(
    actions: Commands, name: str, text: str, action: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=text)
    parser.add_argument("program", metavar="PROGRAM", help="such as MM2; see `synthcl list`")
    parser.set_defaults(run=action)
    return parser
