"""Answers that are kept, so that a function that has not changed is not asked about again.

They are in the folder `.solvent_cache` of the project, which can be deleted at any time, or where
`--cache-at` says, for all who work on it.  An entry belongs to one function with some options, and
says what the answer depends on: if that has changed, or if anything is wrong with the entry, there
is none.  Only definite answers are kept: proofs, and failures that CPython confirmed.

An entry is a JSON text with a checksum of all that it says.  With a secret in the environment
(`SOLVENT_CACHE_SECRET`) only who knows it can write an entry that is believed.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from solvent.cli.depending import dependencies, digest
from solvent.cli.reported import Reported, as_data, from_data
from solvent.cli.stores import Folder, Store, store_at
from solvent.verdicts import Answer, Verdict
from solvent.verdicts.rendering import Json

FOLDER = ".solvent_cache"
SECRET = "SOLVENT_CACHE_SECRET"

# Changes when entries are written differently.
_FORMAT = 3

# Options that do not matter to a definite answer.
_NO_MATTER = {
    *("budget", "cache", "changed", "command", "exclude", "quiet", "run", "target", "work"),
    *("allow_unknown", "json", "format", "sarif", "junit", "cache_at"),
    *("jobs", "memory", "resume", "ship", "tell", "split", "split_tree", "pieces", "whole"),
    *("cluster", "cluster_ca", "cluster_cert", "cluster_key"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept(Reported):
    """An answer from the cache."""

    def headline(self) -> str:
        return f"{self.texts[0]} (from the cache)"

    def as_dict(self) -> Json:
        """The row for JSON."""
        return {**self.row, "cached": True}


@dataclass(frozen=True, slots=True)
class Entry:
    """Where the answer about a function is kept, and what it depends on."""

    store: Store
    # Under which name, and which function with which options it is about.
    name: str
    about: str
    depends: str
    # What the answer depends on now.
    again: Callable[[], str | None]

    def read(self) -> list[Kept] | None:
        """The answers that are kept, if they are of what there is now."""
        data = self.store.read(self.name)
        if data is None:
            return None
        try:
            content = json.loads(data)
            said = {key: content[key] for key in ("format", "about", "depends", "answers")}
            if not hmac.compare_digest(str(content["check"]), _check(said)):
                return None
            if [said["format"], said["about"], said["depends"]] != [
                _FORMAT,
                self.about,
                self.depends,
            ]:
                # It is right, but about something else.
                return None
            return [_read(one) for one in content["answers"]] or None
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            # Somebody else has written there.
            return None

    def write(self, results: Sequence[Answer]) -> None:
        """Keep answers; that this is not possible is no reason to fail."""
        if self.again() == self.depends:
            self.put(results)

    def put(self, results: Sequence[Answer]) -> None:
        """Keep answers about what the entry depends on, whatever is there now."""
        if not results or not all(map(is_definite, results)):
            return
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            said: Json = {
                "format": _FORMAT,
                "about": self.about,
                "depends": self.depends,
                "answers": [_written(one) for one in results],
            }
            self.store.write(self.name, json.dumps({**said, "check": _check(said)}).encode())


def entry(
    project: Path, name: str, function: object, options: Mapping[str, object]
) -> Entry | None:
    """The entry of a function, `None` if answers about it are not kept."""
    matter = {key: value for key, value in options.items() if key not in _NO_MATTER}
    solver = str(matter.get("solver") or "")
    if "smtlib:" in solver:
        # A program that may change.
        return None
    shared = options.get("cache_at")
    # What others shall find must not depend on where it is here.
    base = project if shared else None
    again = partial(dependencies, function, matter, base)
    depends = again()
    if depends is None:
        return None
    if base is not None:
        name = name.replace(f"{base}{os.sep}", "")
    parts = [name, *sorted(f"{key}={value!r}" for key, value in matter.items())]
    about = digest(parts)
    if shared:
        found = digest([about, depends])
        return Entry(store_at(str(shared)), f"{found}.json", about, depends, again)
    return Entry(Folder(project / FOLDER), f"{about[:32]}.json", about, depends, again)


def is_definite(answer: Answer) -> bool:
    """Whether an answer is a proof, or a failure that was confirmed."""
    if answer.verdict is Verdict.VIOLATED:
        return bool(answer.findings) and all(one.confirmed for one in answer.findings)
    return answer.verdict is Verdict.HOLDS


def _written(answer: Answer) -> Json:
    found = as_data(answer)
    row = found["row"]
    assert isinstance(row, dict)
    row = {key: value for key, value in row.items() if key not in ("stats", "cached")}
    return {"verdict": found["verdict"], "texts": found["texts"], "row": row}


def _read(content: Json) -> Kept:
    found = from_data(content)
    kept = Kept(verdict=found.verdict, texts=found.texts, row=found.row, known=found.known)
    if not is_definite(kept):
        raise ValueError
    return kept


def _check(said: Json) -> str:
    """The checksum of what an entry says; who does not know the secret cannot make it."""
    text = json.dumps(said, sort_keys=True).encode()
    secret = os.environ.get(SECRET, "")
    if secret:
        return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
    return hashlib.sha256(text).hexdigest()
