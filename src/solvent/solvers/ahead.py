"""Starting a solver before anything is known of the question.

A command knows that it will ask one long before it can: the process of the solver starts while all
that makes questions is imported.  So this imports little itself.
"""

from __future__ import annotations

from solvent.errors import SolventError
from solvent.solvers.choose import BUILT_IN, choose, memory_size, parse_spec, settings
from solvent.solvers.process import pool

MEGABYTE = 1 << 20


def start() -> None:
    """Let the process start of the solver that is asked if the question does not say which.

    What is wrong with the settings is told by whoever asks.

    >>> start()
    """
    try:
        chosen = settings()
        spec = choose(()) if chosen.solver in (None, "auto") else parse_spec(chosen.solver)
        limit = chosen.memory_limit
        if spec.name in BUILT_IN:
            pool.prepare(spec.name, 0 if limit is None else memory_size(limit) * MEGABYTE)
    except SolventError:
        return
