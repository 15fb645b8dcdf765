"""What a run has finished, so that it can go on after a crash or Ctrl-C.

A journal is a file with a line for each unit: its key, its answer and a checksum of both.  A line
that was cut off, or that somebody else has written, is none.  The key of a unit depends on all that
its answer depends on, so an answer is never taken for what has changed since.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import BinaryIO

from solvent.units.unit import Reply, Unit, UnsentError, canonical, decoded, digest, encoded
from solvent.verdicts.rendering import Json

# Changes when lines are written differently.
_FORMAT = 1
# What tells git to leave journals alone.
_IGNORE = ".gitignore"


class Journal:
    """The finished units of a run; with `resume` those of the run before count, too.

    `around` is what all answers of the run depend on, beside their units.
    """

    def __init__(self, path: Path, around: str, *, resume: bool = False) -> None:
        self.path = path
        self._around = around
        self._file: BinaryIO | None = None
        self._failed = False
        self._known: dict[str, Json] = _read(path) if resume else {}
        if not resume:
            with contextlib.suppress(OSError):
                # A run that still writes there keeps its own file, which has no name then.
                path.unlink(missing_ok=True)

    def __len__(self) -> int:
        return len(self._known)

    def answer(self, unit: Unit) -> Json | None:
        """What an earlier run has found."""
        if not self._known:
            return None
        try:
            found = self._known.get(self._key(unit))
        except UnsentError:
            return None
        return None if found is None or _is_doubtful(unit, found) else found

    def add(self, unit: Unit, reply: Reply) -> None:
        """Note a unit that has finished; that this is not possible is no reason to fail."""
        if not reply.finished or reply.answer is None or self._failed:
            return
        try:
            line = encoded(_line(self._key(unit), reply.answer))
        except UnsentError:
            # What cannot be told apart from others by a text is done again.
            return
        try:
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                (self.path.parent / _IGNORE).write_text("*\n")
                self._file = self.path.open("ab")
            # First the end of a line that may have been cut off.
            self._file.write(b"\n" + line + b"\n")
            self._file.flush()
        except OSError:
            self._failed = True

    def close(self, *, complete: bool) -> None:
        """The run ends; once it is complete nobody needs to go on with it."""
        if self._file is not None:
            # On a full disk this tries once more to write what could not be written.
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None
        if complete:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
                _remove_empty(self.path.parent)

    def _key(self, unit: Unit) -> str:
        return digest([self._around, unit.key])


def _is_doubtful(unit: Unit, answer: Json) -> bool:
    return unit.doubtful is not None and unit.doubtful(answer)


def _remove_empty(folder: Path) -> None:
    """Take a folder of journals away, and the one around it, if nothing else is there."""
    if [path.name for path in folder.iterdir()] == [_IGNORE]:
        (folder / _IGNORE).unlink()
        folder.rmdir()
        folder.parent.rmdir()


def _line(key: str, answer: Json) -> Json:
    return {"format": _FORMAT, "key": key, "answer": answer, "check": _check(key, answer)}


def _check(key: str, answer: Json) -> str:
    return digest([str(_FORMAT), key, canonical(answer)])


def _read(path: Path) -> dict[str, Json]:
    try:
        data = path.read_bytes()
    except OSError:
        return {}
    found: dict[str, Json] = {}
    for line in data.splitlines():
        with contextlib.suppress(ValueError, LookupError, TypeError, RecursionError):
            content = decoded(line)
            key, answer = content["key"], content["answer"]
            if not isinstance(key, str) or not isinstance(answer, dict):
                continue
            if content["format"] == _FORMAT and content["check"] == _check(key, answer):
                found[key] = answer
    return found
