"""BtorMC itself on a model, from Boolector's library as the package `pyboolector` brings it.

`python -m benchmarks.btormc FILE -kmax 10 [--library libboolector.so]` says what BtorMC finds and
the processor time that it took: making the model through its interface, and the search.  What
Python takes to start and to read the file is not counted, for the program `btormc` is in C.

The package is no requirement of ours: `pip install pyboolector` where you like, and give its
`libboolector*.so` if it is not installed for this Python.
"""

from __future__ import annotations

import argparse
import ctypes
import resource
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from solvent.btor2 import Model, Node, parse
from solvent.btor2.syntax import LITERALS
from solvent.terms.sorts import ArraySort

ROOT = Path(__file__).parents[1]
# Operators whose function has another name.
NAMES = {"neq": "ne", "ite": "cond"}
# Those that take numbers besides their arguments.
WITH_NUMBERS = ("slice", "uext", "sext")


def installed_library() -> str | None:
    """Boolector's library, if `pyboolector` is installed for this Python."""
    try:
        files = metadata.files("pyboolector") or ()
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name.startswith("libboolector"):
            return str(file.locate())
    return None


class BtorMC:
    """A model checker's handle, and the model in it."""

    def __init__(self, library: str, model: Model) -> None:
        self.library = ctypes.CDLL(library)
        self.model = model
        self.checker = self.call("mc_new")
        # Executions are not asked for.
        self.call("mc_set_opt", self.checker, 4, 0)
        self.btor = self.call("mc_get_btor", self.checker)
        self.nodes: dict[int, int] = {}
        for node in model.nodes.values():
            if node.sort is not None and node.op not in ("sort", "init", "next"):
                self.nodes[node.id] = self._made(node)
        self._transitions()

    def call(self, name: str, *args: Any) -> Any:
        """Call a function of Boolector: handles are large numbers, and so is what it gives."""
        function = getattr(self.library, f"boolector_{name}")
        function.restype = ctypes.c_void_p
        large = (
            ctypes.c_void_p(arg) if isinstance(arg, int) and arg > 1 << 32 else arg for arg in args
        )
        return function(*large)

    def of(self, argument: int) -> Any:
        """An argument of a node, which may be complemented."""
        found = self.nodes[abs(argument)]
        return found if argument > 0 else self.call("not", self.btor, found)

    def sort(self, sort: Any) -> Any:
        if isinstance(sort, ArraySort):
            return self.call(
                "array_sort", self.btor, self.sort(sort.index), self.sort(sort.element)
            )
        return self.call("bitvec_sort", self.btor, sort.width)

    def _made(self, node: Node) -> Any:
        if node.op in LITERALS:
            bits = f"{node.numbers[0]:0{node.sort.width}b}".encode()  # type: ignore[union-attr]
            return self.call("const", self.btor, bits)
        if node.op in ("state", "input"):
            return self.call(f"mc_{node.op}", self.checker, self.sort(node.sort), None)
        args = [self.of(arg) for arg in node.args]
        numbers = node.numbers if node.op in WITH_NUMBERS else ()
        return self.call(NAMES.get(node.op, node.op), self.btor, *args, *numbers)

    def _transitions(self) -> None:
        for kind, table in (("init", self.model.inits), ("next", self.model.nexts)):
            for state, value in table.items():
                given = self.of(value)
                sort = self.model.nodes[state].sort
                one_for_all = kind == "init" and isinstance(sort, ArraySort)
                if one_for_all and not isinstance(self.model.nodes[abs(value)].sort, ArraySort):
                    given = self.call("const_array", self.btor, self.sort(sort), given)
                self.call(f"mc_{kind}", self.checker, self.nodes[state], given)
        for node in self.model.constraints:
            self.call("mc_constraint", self.checker, self.of(node.args[0]))
        for node in self.model.bads:
            self.call("mc_bad", self.checker, self.of(node.args[0]))

    def first_time(self, bound: int) -> int | None:
        """When a bad state is reached first."""
        self.library.boolector_mc_bmc.restype = ctypes.c_int32
        found = self.library.boolector_mc_bmc(ctypes.c_void_p(self.checker), 0, bound)
        return None if found < 0 else int(found)


def measured(file: str, bound: int, library: str, limit: int = 60) -> tuple[str, float] | None:
    """What BtorMC says of a model, and its seconds; None if that is not within a limit."""
    command = [sys.executable, "-m", "benchmarks.btormc", file, "-kmax", str(bound)]
    try:
        run = subprocess.run(
            [*command, "--library", library],
            cwd=ROOT,
            capture_output=True,
            text=True,
            # A loaded machine gives a process less than its time; nobody waits for ever.
            timeout=5 * limit,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        )
    except subprocess.TimeoutExpired:
        return None
    if run.returncode < 0:
        return None
    if run.returncode:
        raise AssertionError(f"BtorMC could not be run: {run.stderr}")
    found, seconds = run.stdout.splitlines()
    return found, float(seconds.split()[0])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.btormc")
    parser.add_argument("file")
    parser.add_argument("-kmax", type=int, default=10)
    parser.add_argument("--library", default=installed_library())
    options = parser.parse_args()
    if options.library is None:
        parser.error("there is no pyboolector for this Python; --library says where it is")
    model = parse(Path(options.file).read_text())
    started = time.process_time()
    found = BtorMC(options.library, model).first_time(options.kmax)
    seconds = time.process_time() - started
    print(f"holds up to time {options.kmax}" if found is None else f"is violated at time {found}")
    print(f"{seconds:.3f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
