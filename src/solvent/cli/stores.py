"""Where answers are kept: a folder, or what `fsspec` can reach, such as `s3://bucket/solvent`.

A store has bytes under names.  It is never asked to be right: whoever reads checks what it gives.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Any, Protocol

from solvent.cli.common import InputError

_TAG = (
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This folder holds answers of `solvent verify`. It can be deleted at any time.\n"
)


# How long what is kept about a function may be.
_MOST = 1 << 26


class Store(Protocol):
    """Bytes under names."""

    def read(self, name: str) -> bytes | None:
        """What is there, if anything is."""

    def write(self, name: str, data: bytes) -> None:
        """Put something there, all of it or nothing; that this is not possible is no error."""


class Folder:
    """A folder of a file system, which neither git nor backups should keep.

    >>> with tempfile.TemporaryDirectory() as place:
    ...     store = Folder(Path(place, "cache"))
    ...     store.write("a", b"1")
    ...     store.read("a"), store.read("b")
    (b'1', None)
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, name: str) -> bytes | None:
        try:
            # What is no file, such as a pipe or a device, may never end.
            descriptor = os.open(self.path / name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    return None
                data = file.read(_MOST + 1)
        except OSError:
            return None
        return data if len(data) <= _MOST else None

    def write(self, name: str, data: bytes) -> None:
        with contextlib.suppress(OSError):
            self.path.mkdir(exist_ok=True)
            for other, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
                if not (self.path / other).exists():
                    _write(self.path / other, text.encode())
            _write(self.path / name, data)


class Remote:
    """What `fsspec` reaches by an address."""

    def __init__(self, address: str) -> None:
        try:
            import fsspec
        except ModuleNotFoundError:
            raise InputError(
                f"--cache-at {address}: an address needs fsspec: pip install 'solvent[shared]'"
            ) from None
        try:
            found: tuple[Any, str] = fsspec.core.url_to_fs(address)
        except Exception as error:
            raise InputError(f"--cache-at {address}: {error}") from None
        self._files, self._folder = found

    def read(self, name: str) -> bytes | None:
        # Each kind of storage has errors of its own, and none of them is a reason to fail.
        try:
            found = self._files.cat_file(f"{self._folder}/{name}", start=0, end=_MOST + 1)
        except Exception:
            return None
        return found if isinstance(found, bytes) and len(found) <= _MOST else None

    def write(self, name: str, data: bytes) -> None:
        with contextlib.suppress(Exception):
            self._files.makedirs(self._folder, exist_ok=True)
            self._files.pipe_file(f"{self._folder}/{name}", data)


def store_at(place: str) -> Store:
    """The store with an address, or in a folder.

    >>> store_at("memory://team").read("nothing")
    """
    return Remote(place) if "://" in place else Folder(Path(place))


def _write(path: Path, data: bytes) -> None:
    """Write a file so that nobody sees half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
