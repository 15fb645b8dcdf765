"""A peer that runs on this machine: a command that measures the same queries with another tool.

The command is called with one more argument, the row: its language and its name, such as
`ifcl B1` or `synthcl MM2 verify`.  It prints one JSON object on standard output and ends with 0:

    {"evaluation": 0.029, "total": 0.08, "terms": 1218, "joins": 380}

`evaluation` and `total` are seconds of the processor: of the symbolic evaluation, and of all until
the answer.  `total` may be null or missing if there is no answer, `terms` and `joins` if they are
not counted.  An empty object means that the peer does not have the row.
"""

from __future__ import annotations

import json
import math
import shlex
import shutil
import subprocess

from solvent.errors import SolventError
from solvent.languages.benchmark import Figures


class PeerError(SolventError, ValueError):
    """A peer that does not do what is expected of it."""


class PeerCommand:
    """A command that measures rows.

    >>> PeerCommand("false").ask("ifcl B1", 10)
    Traceback (most recent call last):
        ...
    solvent.languages.peers.PeerError: the peer ended with 1 for `ifcl B1`: nothing was said
    """

    def __init__(self, command: str) -> None:
        try:
            self.arguments = shlex.split(command)
        except ValueError as error:
            raise PeerError(f"the peer's command cannot be read: {error}") from None
        if not self.arguments or shutil.which(self.arguments[0]) is None:
            shown = self.arguments[0] if self.arguments else ""
            raise PeerError(f"there is no command {shown!r} to run as a peer")

    def ask(self, key: str, seconds: float) -> Figures | None:
        """The figures of a row, or None if the peer does not have it."""
        try:
            done = subprocess.run(
                [*self.arguments, key],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise PeerError(f"the peer did not end within {seconds:g} s for `{key}`") from None
        except OSError as error:
            raise PeerError(f"the peer cannot be run: {error.strerror}") from None
        if done.returncode:
            last = (done.stderr.strip() or "nothing was said").splitlines()[-1]
            raise PeerError(f"the peer ended with {done.returncode} for `{key}`: {last}")
        return read_figures(key, done.stdout)


def read_figures(key: str, text: str) -> Figures | None:
    """The figures that a peer printed.

    >>> read_figures("ifcl B1", '{"evaluation": 0.03, "total": null}')
    Figures(evaluation=0.03, total=None, terms=None, joins=None)
    """
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise PeerError(f"the peer printed no JSON object for `{key}` but {text.strip()[:60]!r}")
    if not found:
        return None
    evaluation = _number(key, found, "evaluation")
    if evaluation is None:
        raise PeerError(f"the peer printed no `evaluation` for `{key}`")
    terms, joins = (_number(key, found, name) for name in ("terms", "joins"))
    return Figures(
        evaluation,
        _number(key, found, "total"),
        None if terms is None else int(terms),
        None if joins is None else int(joins),
    )


def _number(key: str, found: dict[str, object], name: str) -> float | None:
    value = found.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise PeerError(f"the peer's `{name}` for `{key}` is {value!r}, not a number of 0 or more")
    return value
