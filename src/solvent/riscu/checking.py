"""The engines by name: the direct one, and the bounded model checker on the program's model.

Both give the same `ProgramAnswer`.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.btor2.engines import check
from solvent.riscu import direct
from solvent.riscu.answers import ProgramAnswer, Progress, failing
from solvent.riscu.following import follow
from solvent.riscu.model import generate_model
from solvent.riscu.program import Program
from solvent.verdicts import Deadline, Verdict

MODEL_BOUND = 1000


def check_model(
    program: Program,
    bound: int = MODEL_BOUND,
    bad_exit: int | None = None,
    free_memory: bool = False,
    timeout: float | None = None,
    solver: str | None = None,
    progress: Progress | None = None,
    endless: bool = False,
) -> ProgramAnswer:
    """Check the model of a program with the bounded model checker.

    >>> from solvent.riscu.cstar import compile_text
    >>> answer = check_model(compile_text("uint64_t main() { return 1 / 0; }"), 50)
    >>> answer.bad_state, answer.confirmed
    (2, True)
    """
    deadline = Deadline(timeout)
    # Free memory goes with what the paper assumes of the input.
    endless = endless or free_memory
    model = generate_model(program, bad_exit, free_memory, input_ends=not endless)
    told = None if progress is None else lambda k, _: progress(k)
    found = check(model, kmax=bound, engine="bmc", timeout=timeout, solver=solver, progress=told)
    spent = deadline.spent()
    for one in found.answers:
        if one.witness is not None:
            followed = follow(program, one.witness)
            number = int(one.label[1:])
            return failing(
                program, one.depth, number, followed.input, followed.memory, bad_exit, spent
            )
    done = max(min((one.depth for one in found.answers), default=0), 0)
    reason = ""
    if found.verdict is Verdict.UNKNOWN:
        reason = next((one.reason for one in found.answers if one.reason), "no answer")
    return ProgramAnswer(verdict=found.verdict, bound=done, reason=reason, seconds=spent)


Engine = Callable[
    [Program, int, int | None, bool, float | None, str | None, Progress | None, bool], ProgramAnswer
]

# Each engine, and how many steps it looks at if nothing is said.
ENGINES: dict[str, tuple[Engine, int]] = {
    "direct": (direct.check_program, direct.DEFAULT_BOUND),
    "model": (check_model, MODEL_BOUND),
}
