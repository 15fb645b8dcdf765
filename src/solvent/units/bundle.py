"""The files that a unit is about, to be sent where they are not.

They keep their places relative to each other and to the working directory, so that a program is
imported there as it is here, and answers name the same files.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from solvent.errors import SolventError
from solvent.verdicts.rendering import Json

# What is larger is no source of a program, and would be sent to each worker.
MOST_BYTES = 64 << 20


class BundleError(SolventError):
    """Files that cannot be sent."""


@dataclass(frozen=True)
class Bundle:
    """Files below a folder, and the working directory there."""

    base: str
    here: str
    files: Mapping[str, bytes]

    @classmethod
    def of(cls, paths: Iterable[Path], here: Path | None = None) -> Bundle:
        """The files with some paths as they are now, seen from a working directory."""
        current = (here or Path.cwd()).resolve()
        found = sorted({path.resolve() for path in paths})
        base = Path(os.path.commonpath([current, *(path.parent for path in found)]))
        files: dict[str, bytes] = {}
        for path in found:
            try:
                files[path.relative_to(base).as_posix()] = path.read_bytes()
            except OSError as error:
                raise BundleError(f"{path}: {error.strerror}") from None
        if sum(map(len, files.values())) > MOST_BYTES:
            raise BundleError(f"{base}: more than {MOST_BYTES >> 20} MB cannot be sent to workers")
        return cls(str(base), current.relative_to(base).as_posix(), files)

    @cached_property
    def digest(self) -> str:
        """The same for the same files at the same places below the folder."""
        found = hashlib.sha256(self.here.encode())
        for name, data in sorted(self.files.items()):
            found.update(f"\0{name}\0{len(data)}\0".encode("utf-8", "surrogatepass"))
            found.update(hashlib.sha256(data).digest())
        return found.hexdigest()

    def packed(self) -> bytes:
        """The bytes that are sent: a JSON text, which can do nothing but be read."""
        files = {name: base64.b64encode(data).decode() for name, data in self.files.items()}
        return json.dumps({"base": self.base, "here": self.here, "files": files}).encode()

    @classmethod
    def unpacked(cls, data: bytes) -> Bundle:
        """The bundle that was sent."""
        found = json.loads(data)
        files = {name: base64.b64decode(text) for name, text in found["files"].items()}
        return cls(found["base"], found["here"], files)

    def written(self, folder: Path) -> Path:
        """Write the files below a folder; where the working directory is then.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     there = Bundle("/", "work", {"work/a.py": b"pass"}).written(Path(folder))
        ...     (there / "a.py").read_text()
        'pass'
        """
        for name, data in self.files.items():
            place = PurePosixPath(name)
            if place.is_absolute() or ".." in place.parts:
                raise BundleError(f"{name}: a file outside of its folder is not written")
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        there = folder / self.here
        there.mkdir(parents=True, exist_ok=True)
        return there

    def translated(self, answer: object, folder: str) -> object:
        """An answer with the names of files as they are here, not as below that folder."""
        if isinstance(answer, str):
            return answer.replace(folder, self.base.rstrip("/"))
        if isinstance(answer, list):
            return [self.translated(one, folder) for one in answer]
        if isinstance(answer, dict):
            found: Json = {}
            for key, value in answer.items():
                found[str(self.translated(key, folder))] = self.translated(value, folder)
            return found
        return answer
