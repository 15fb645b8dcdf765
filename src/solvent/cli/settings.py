"""`[tool.solvent]` in `pyproject.toml`: what the command line leaves open.

Its keys are the long options of `solvent verify`: there is no second list of them.  An option of
the command line that is not given is looked up in the nearest `pyproject.toml`, here or further up,
and only then has its default.  Other commands that have a budget find theirs in a table of their
own, such as `[tool.solvent.solve]` and `[tool.solvent.boogie.verify]`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from solvent.cli.common import InputError
from solvent.verdicts.texts import shown

# Options that are about one run of the command, not about the program.
_NOT_KEPT = ("help", "input", "changed", "json", "format", "sarif", "junit", "resume")

# The commands that have tables of their own.
_TABLES = "solve optimize synthesize debug test profile trace reach boogie btor2 validate logic"
COMMANDS = frozenset(_TABLES.split(" "))

Run = Callable[[argparse.Namespace], int]


def configured(parser: argparse.ArgumentParser, run: Run) -> None:
    """Let a command take from the file what its command line leaves open.

    All options must have been added before; `run` then finds each of them in what it is given.
    """
    table: dict[str, argparse.Action] = {}
    defaults: dict[str, object] = {}
    for action in parser._actions:
        if action.option_strings and action.dest not in _NOT_KEPT:
            table[action.dest] = action
            defaults[action.dest] = action.default
            # Only what is given is in the options, so that what is equal to a default counts, too.
            action.default = argparse.SUPPRESS

    def filled(options: argparse.Namespace) -> int:
        kept = {}
        if not all(hasattr(options, name) for name in table):
            kept = settings(table)
        for name, default in defaults.items():
            if not hasattr(options, name):
                setattr(options, name, kept.get(name, default))
        return run(options)

    parser.set_defaults(run=filled)


def project() -> Path:
    """The folder of the project: the nearest with a `pyproject.toml` or `.git`, else this one."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "pyproject.toml").is_file() or (folder / ".git").exists():
            return folder
    return here


def preset(parser: argparse.ArgumentParser) -> None:
    """Let what the nearest `pyproject.toml` sets for a command be the defaults of its options."""
    _, *names = parser.prog.split()
    table = {
        action.dest: action
        for action in parser._actions
        if action.option_strings and action.dest not in _NOT_KEPT
    }
    parser.set_defaults(**settings(table, names))


def settings(
    table: dict[str, argparse.Action],
    names: Sequence[str] = (),
) -> dict[str, object]:
    """The options that the nearest `pyproject.toml` sets, checked as on a command line.

    They are in a table inside of `[tool.solvent]` if there are `names`; without, those
    of other commands are passed over.
    """
    where, found = _section(names)
    section = ".".join(["tool", "solvent", *names])
    result: dict[str, object] = {}
    for key, value in found.items():
        name = key.replace("-", "_")
        if not names and isinstance(value, dict) and key in COMMANDS:
            continue
        if name not in table:
            known = ", ".join(sorted(one.replace("_", "-") for one in table))
            raise InputError(f"{where}: [{section}] has no key {key!r}; it has: {known}")
        try:
            result[name] = _checked(table[name], value)
        except argparse.ArgumentTypeError as error:
            raise InputError(f"{where}: [{section}] {key}: {error}") from None
    return result


def _section(names: Sequence[str]) -> tuple[str, dict[str, object]]:
    """The name of the nearest file, and what is in its table for a command."""
    here = Path.cwd()
    paths = (folder / "pyproject.toml" for folder in (here, *here.parents))
    path = next((one for one in paths if one.is_file()), None)
    if path is None:
        return "", {}
    # Where there is no such file, nobody needs to read it.
    import tomllib

    where = f"{path.relative_to(here) if path.is_relative_to(here) else path}"
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where}: {error}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise InputError(f"{where}: {error.strerror}") from None
    found: object = content
    section: list[str] = []
    for name in ("tool", "solvent", *names):
        found = found.get(name, {}) if isinstance(found, dict) else {}
        section.append(name)
        if not isinstance(found, dict) and len(section) > 1:
            shown_as = ".".join(section)
            raise InputError(f"{where}: [{shown_as}] must be a table, not {shown(found, 60)}")
    return where, found if isinstance(found, dict) else {}


def _checked(action: argparse.Action, value: object) -> object:
    """The value of an option that a file gives, or what is wrong with it."""
    if isinstance(action.const, bool):
        if not isinstance(value, bool):
            raise argparse.ArgumentTypeError(f"true or false is needed, not {shown(value, 60)}")
        return value
    if isinstance(action, argparse._AppendAction):
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
            raise argparse.ArgumentTypeError(f"a list of texts is needed, not {shown(value, 60)}")
        return texts
    if callable(action.type):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise argparse.ArgumentTypeError(f"a number is needed, not {shown(value, 60)}")
        return action.type(str(value))
    if not isinstance(value, str):
        raise argparse.ArgumentTypeError(f"a text is needed, not {shown(value, 60)}")
    if action.choices is not None and value not in action.choices:
        known = ", ".join(map(str, action.choices))
        raise argparse.ArgumentTypeError(f"one of {known} is needed, not {value!r}")
    return value
