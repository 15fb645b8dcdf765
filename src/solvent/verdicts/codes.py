"""What the commands tell the shell: exit codes."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.verdicts.verdict import Verdict

# The property holds, or the job is done.
DONE = 0
VIOLATION = 1
BAD_INPUT = 2
# A limit or the bound was reached, or something is not supported.
UNKNOWN = 3
# What shells report for a program that Ctrl-C ended.
INTERRUPTED = 130
# And for one that `timeout` or a service ended, and for one that nobody listens to.
TERMINATED = 143
UNREAD = 141

_CODES = {Verdict.HOLDS: DONE, Verdict.VIOLATED: VIOLATION}


def exit_code(verdict: Verdict) -> int:
    """The exit code that a verdict stands for.

    >>> exit_code(Verdict.HOLDS), exit_code(Verdict.VIOLATED), exit_code(Verdict.BOUNDED)
    (0, 1, 3)
    """
    return _CODES.get(verdict, UNKNOWN)


def worst(codes: Iterable[int]) -> int:
    """The exit code of several answers: a violation, else bad input, else what is not known.

    >>> worst([0, 3, 2]), worst([0, 3, 1])
    (2, 1)
    """
    known = set(codes)
    return next((code for code in (VIOLATION, BAD_INPUT, UNKNOWN) if code in known), DONE)
