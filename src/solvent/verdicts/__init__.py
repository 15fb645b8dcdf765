"""What every engine answers with, in the same words.

* A *verdict* is what is known about a property: it holds, it holds up to a bound, it is violated,
  or nobody knows (`Verdict`).
* A *finding* is one thing that is wrong: what, where, the inputs and the trace that show it, and
  whether running the program confirmed it (`Finding`).
* An *answer* is what an engine says: a verdict, the bound, the reason and the findings (`Answer`).
  What only one engine knows (a bad state, a witness, a call tree) is in a subclass of its own.  The
  *words* of an answer are how that engine has always called the verdict: "no bug", "safe".
* A *deadline* is the moment at which an engine stops (`Deadline`); an engine that stops early has
  *given up* (`GaveUp`), because it is *out of time* (`OutOfTime`) or for another reason.
* An *exit code* is what a verdict means to a shell (`codes`).

Other words belong to others: a solver is asked to *check* formulas, and the *status* of a check is
sat, unsat or unknown (`solvent.solvers.status`).  Which of them is good depends on the question.

All commands print answers in one form (`lines`), and their JSON objects share one core (`as_json`).
"""

from solvent.verdicts.answer import Answer, Stated, Together
from solvent.verdicts.codes import (
    BAD_INPUT,
    DONE,
    INTERRUPTED,
    TERMINATED,
    UNKNOWN,
    UNREAD,
    VIOLATION,
    exit_code,
    worst,
)
from solvent.verdicts.deadline import Deadline, GaveUp, OutOfTime
from solvent.verdicts.finding import Finding
from solvent.verdicts.interrupts import (
    Terminated,
    held_back,
    stopped_by,
    stopped_code,
    terminable,
    terminate,
)
from solvent.verdicts.rendering import as_json, color, lines
from solvent.verdicts.verdict import Verdict

__all__ = [
    "BAD_INPUT",
    "DONE",
    "INTERRUPTED",
    "TERMINATED",
    "UNKNOWN",
    "UNREAD",
    "VIOLATION",
    "Answer",
    "Deadline",
    "Finding",
    "GaveUp",
    "OutOfTime",
    "Stated",
    "Terminated",
    "Together",
    "Verdict",
    "as_json",
    "color",
    "exit_code",
    "held_back",
    "lines",
    "stopped_by",
    "stopped_code",
    "terminable",
    "terminate",
    "worst",
]
