"""The direct engine: the machine explored symbolically, with a bound that grows.

Short failures are found first; what is found is run on the emulator.
"""

from __future__ import annotations

from solvent.riscu.answers import ProgramAnswer, Progress, failing
from solvent.riscu.exploring import BadStateReached, Search
from solvent.riscu.merging import SymbolicState
from solvent.riscu.program import Program
from solvent.riscu.words import plain
from solvent.solvers import Solver
from solvent.terms import Model, and_
from solvent.verdicts import Deadline, GaveUp, Verdict
from solvent.vm.room import roomy

DEFAULT_BOUND = 10_000
# The bounds of the rounds before the last grow by this factor.
FIRST_BOUND, GROWTH = 300, 6


def _input_of(state: SymbolicState, model: Model) -> bytes:
    """What a path has read under a model."""
    result = bytearray()
    for read in state.reads:
        if model.evaluate(and_(*read.guard)):
            size = plain(model.evaluate(read.count))
            result += bytes(plain(model.evaluate(byte)) for byte in read.bytes[:size])
    return bytes(result)


def _memory_of(model: Model) -> dict[int, int]:
    """The words of free memory that a model fixes."""
    words = {}
    for name, value in model.to_dict().items():
        if name.startswith("memory[") and plain(value):
            words[int(name[len("memory[") : -1])] = plain(value)
    return words


@roomy
def check_program(
    program: Program,
    bound: int = DEFAULT_BOUND,
    bad_exit: int | None = None,
    free_memory: bool = False,
    timeout: float | None = None,
    solver: str | None = None,
    progress: Progress | None = None,
    endless: bool = False,
) -> ProgramAnswer:
    """Look for an input that makes a program fail within a number of steps.

    >>> from solvent.riscu.cstar import compile_text
    >>> answer = check_program(compile_text('''uint64_t main() {
    ...   uint64_t* x;
    ...   x = malloc(8);
    ...   read(0, x, 1);
    ...   return 10 / (*x - 'a');
    ... }'''))
    >>> answer.bad_state, answer.input, answer.confirmed
    (2, b'a', True)
    """
    program.check_instructions()
    # Free memory goes with what the paper assumes of the input.
    endless = endless or free_memory
    deadline = Deadline(timeout, "the time is up")
    done, limit = 0, min(FIRST_BOUND, bound)
    with Solver(solver) as asked:
        while True:
            if progress is not None:
                progress(limit)
            search = Search(program, limit, bad_exit, free_memory, endless, asked, deadline)
            try:
                search.run()
            except BadStateReached as reached:
                given = _input_of(reached.state, reached.model)
                memory = _memory_of(reached.model) if free_memory else {}
                spent = deadline.spent()
                return failing(program, done, reached.number, given, memory, bad_exit, spent)
            except GaveUp as stop:
                return ProgramAnswer(bound=done, reason=str(stop), seconds=deadline.spent())
            done = limit
            if not search.cut or limit >= bound:
                verdict = Verdict.BOUNDED if search.cut else Verdict.HOLDS
                return ProgramAnswer(verdict=verdict, bound=done, seconds=deadline.spent())
            limit = min(limit * GROWTH, bound)
