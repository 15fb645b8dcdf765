"""The engines by name: the direct one, and the bounded model checker on the program's model.

Both give the same `Answer`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from solvent.btor2.engines import check
from solvent.riscu import direct
from solvent.riscu.following import follow
from solvent.riscu.model import generate_model
from solvent.riscu.program import Program
from solvent.riscu.verdicts import Answer, Progress, Verdict, confirm
from solvent.verdicts import Verdict as Found

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
) -> Answer:
    """Check the model of a program with the bounded model checker.

    >>> from solvent.riscu.cstar import compile_text
    >>> answer = check_model(compile_text("uint64_t main() { return 1 / 0; }"), 50)
    >>> answer.bad_state, answer.confirmed
    (2, True)
    """
    started = time.monotonic()
    # Free memory goes with what the paper assumes of the input.
    endless = endless or free_memory
    model = generate_model(program, bad_exit, free_memory, input_ends=not endless)
    told = None if progress is None else lambda k, _: progress(k)
    result = check(model, kmax=bound, engine="bmc", timeout=timeout, solver=solver, progress=told)
    spent = time.monotonic() - started
    done = max(min((one.depth for one in result.answers), default=0), 0)
    if result.verdict is Found.VIOLATED:
        violated = next(one for one in result.answers if one.verdict is Found.VIOLATED)
        assert violated.witness is not None
        found = follow(program, violated.witness)
        return Answer(
            Verdict.FAILS,
            violated.depth,
            int(violated.label[1:]),
            found.input,
            found.memory,
            confirm(program, found.input),
            seconds=spent,
            bad_exit=bad_exit,
        )
    if result.verdict is Found.HOLDS:
        return Answer(Verdict.HOLDS, done, seconds=spent)
    if result.verdict is Found.BOUNDED:
        return Answer(Verdict.BOUNDED, done, seconds=spent)
    reason = next((one.reason for one in result.answers if one.reason), "no answer")
    return Answer(Verdict.UNKNOWN, done, reason=reason, seconds=spent)


Engine = Callable[
    [Program, int, int | None, bool, float | None, str | None, Progress | None, bool], Answer
]

# Each engine, and how many steps it looks at if nothing is said.
ENGINES: dict[str, tuple[Engine, int]] = {
    "direct": (direct.check_program, direct.DEFAULT_BOUND),
    "model": (check_model, MODEL_BOUND),
}
