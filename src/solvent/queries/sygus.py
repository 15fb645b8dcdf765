"""Asking cvc5's engine for syntax-guided synthesis, in a process of its own.

The formula is to hold for all values of the inputs; the engine looks for all other constants, as
functions without arguments.
"""

from __future__ import annotations

from solvent.queries.asking import Check
from solvent.solvers.choose import settings
from solvent.solvers.encode import Encoder, decode_value
from solvent.solvers.process import pool, wait_until_started
from solvent.solvers.solver import MEGABYTE
from solvent.solvers.status import Status
from solvent.terms.graph import constants
from solvent.terms.kinds import Guard
from solvent.terms.model import Model
from solvent.terms.term import Term

# The process keeps what it is asked under a number, and those of solvers are not negative.
_CONTEXT = -1


def ask(formula: Guard, inputs: list[Term], seconds: float | None) -> Check:
    """Values of the other constants with which a formula holds for all inputs."""
    if isinstance(formula, bool):
        return Check(Status.SAT, model=Model({})) if formula else Check(Status.UNSAT)
    if seconds is not None and seconds <= 0:
        return Check(Status.UNKNOWN, "timeout")
    universal = set(inputs)
    found = constants(formula)
    bound = [constant for constant in found if constant in universal]
    free = [constant for constant in found if constant not in universal]
    encoder = Encoder()
    root, *numbers = encoder.encode([formula, *bound, *free])
    commands = [
        ("open", ""),
        ("define", *encoder.take()),
        ("synthesize", root, numbers[: len(bound)], numbers[len(bound) :], seconds),
    ]
    process = pool.lease("cvc5", (settings().memory_limit or 0) * MEGABYTE)
    try:
        wait_until_started([process])
        process.send(_CONTEXT, commands)
        # cvc5 cannot be stopped, so at the limit it is given up.
        reply = process.answer(seconds)
    except BaseException:
        # Ctrl-C among others.
        process.kill()
        raise
    process.forget(_CONTEXT)
    pool.give_back(process)
    if reply.result is None:
        return Check(Status.UNKNOWN, reply.reason)
    status, reason, values = reply.result
    if status != "sat":
        return Check(Status(status), reason)
    model = {
        constant: decode_value(constant.sort, value)
        for constant, value in zip(free, values, strict=True)
    }
    return Check(Status.SAT, model=Model(model))
