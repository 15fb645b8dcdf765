"""Options as Boogie and Corral spell them, such as `/recursionBound:3`, among files.

An option that changes the meaning is done or refused.  One that only changes what is printed, or
how a solver is asked, is left out with a note; none is left out without a word, unless what it asks
for is always so.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from solvent.cli.common import InputError
from solvent.errors import shortened

_SLASHED = re.compile(r"/([A-Za-z]\w*)(?::(.*))?")


@dataclass(frozen=True, slots=True)
class Slashed:
    """What the options of a command are in another one's spelling."""

    # Options with a value: where it goes, and what it may be.
    values: Mapping[str, tuple[str, Callable[[str], object]]]
    # Those without one: what becomes true.
    switches: Mapping[str, str]
    # What these ask for is always so.
    always: tuple[str, ...] = ()
    # What is left out, and why that is no other answer.
    noted: Mapping[str, str] = field(default_factory=dict)
    # What is refused, and what to do instead.
    refused: Mapping[str, str] = field(default_factory=dict)
    # Options that may be given more than once.
    lists: tuple[str, ...] = ()

    def move(self, options: argparse.Namespace, task: str) -> None:
        """Move options from the files to where they belong; `task` is what files are for."""
        files = []
        for text in options.files:
            found = _SLASHED.fullmatch(text)
            if found is None or (os.path.exists(text) and not os.path.isdir(text)):
                files.append(text)
            else:
                self.set(options, text, found[1], found[2] or "")
        if not files:
            raise InputError(f"there is no file to {task}")
        options.files = files

    def set(self, options: argparse.Namespace, text: str, name: str, value: str) -> None:
        """Do what one option asks for."""
        if f"{name}:{value}" in self.refused:
            raise InputError(f"{shortened(text)}: {self.refused[f'{name}:{value}']}")
        if name in self.values:
            self.give(options, text, *self.values[name], value)
        elif name in self.switches and not value:
            setattr(options, self.switches[name], True)
        elif name in self.noted:
            print(f"note: {shortened(text)} is left out: {self.noted[name]}", file=sys.stderr)
        elif name not in self.always:
            known = ", ".join(f"/{one}" for one in (*self.values, *self.switches))
            why = self.refused.get(name, f"there is no such file or option; options are {known}")
            raise InputError(f"{shortened(text)}: {why}")

    def give(
        self,
        options: argparse.Namespace,
        text: str,
        target: str,
        read: Callable[[str], object],
        value: str,
    ) -> None:
        """Read the value of an option."""
        if not value:
            raise InputError(f"{text}: its value is missing; write it after a colon")
        try:
            found = read(value)
        except argparse.ArgumentTypeError as error:
            raise InputError(f"{text}: {error}") from None
        if target in self.lists:
            found = [*(getattr(options, target) or ()), found]
        setattr(options, target, found)
