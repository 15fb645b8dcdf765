"""What the commands find in the programs of `corpus` is what these programs claim.

The first comments of a program are claims: the options of a command, and what it finds.

    // verify: 2 verified, 1 error: ensures 12
    // reach --main Top --recursion-bound 4: bug at 27

Numbers are lines: of an assertion, of a contract or of an invariant.  A bug is one only if running
the program has confirmed it.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from solvent.cli import main
from solvent.reach.loops import MAINTAINED, ON_ENTRY
from solvent.reach.program import ASSERTION, POSTCONDITION, PRECONDITION
from solvent.reach.stratified import BUG_OR_NOT
from solvent.verdicts import Verdict

CORPUS = Path(__file__).parent / "corpus"
PROGRAMS = {path.stem: path for path in sorted(CORPUS.rglob("*.bpl"))}
COMMANDS = {"verify": ("boogie", "verify"), "reach": ("reach",)}
CLAIM = re.compile(r"// (verify|reach)((?: \S*[^\s:])*): (\S.*)")


def claims(path: Path) -> Iterator[tuple[str, str, str]]:
    """The claims of a program: command, options and what it finds."""
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            return
        if line.startswith(("// verify", "// reach")):
            found = CLAIM.fullmatch(line)
            assert found is not None, f"{path.name}: {line}"
            yield found[1], found[2].strip(), found[3]


def line_of(position: str) -> int:
    """The line in `file(line,column): text`."""
    found = re.search(r"\.bpl\((\d+),\d+\)", position)
    assert found is not None, position
    return int(found[1])


def found_by(command: str, options: str, path: Path, shown: pytest.CaptureFixture[str]) -> str:
    """What a command finds in a program, as a claim says it."""
    code = main([*COMMANDS[command], str(path), *shlex.split(options), "--json"])
    out, problem = shown.readouterr()
    assert code in (0, 1, 3), problem
    data = json.loads(out)
    return verified(data, code) if command == "verify" else reached(data, code)


# --- verify ------------------------------------------------------------------------------------


def verified(data: dict[str, Any], code: int) -> str:
    """How many procedures are verified, the errors, and what Houdini has found."""
    procedures = data["procedures"]
    assert not any(one["reason"] for one in procedures), procedures
    errors = sorted(described(error) for one in procedures for error in one["errors"])
    assert code == (1 if errors else 0)
    count = sum(one["verified"] for one in procedures)
    text = f"{count} verified, {len(errors)} {'error' if len(errors) == 1 else 'errors'}"
    if errors:
        text += f": {', '.join(f'{what} {line}' + more for line, what, more in errors)}"
    return text + inferred(data["inferred"])


def inferred(constants: dict[str, bool]) -> str:
    """The constants that Houdini has found to be true."""
    found = [name for name, value in constants.items() if value]
    return f"; {len(found)} of {len(constants)} inferred: {', '.join(found)}" if constants else ""


def source_line(position: str) -> str:
    """The line of a program at a position."""
    file, line, _ = re.fullmatch(r"(.*)\((\d+),(\d+)\)", position).groups()  # type: ignore[union-attr]
    return Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1]


def described(error: dict[str, Any]) -> tuple[int, str, str]:
    """The line of what fails, what it is, and what else there is to say."""
    here = line_of(error["position"])
    related = [line_of(text) for text in error["related"]]
    match error["message"]:
        case message if message == POSTCONDITION:
            return related[0], "ensures", ""
        case message if message == PRECONDITION:
            return here, "call", f" requires {related[0]}"
        case message if message in (ON_ENTRY, MAINTAINED):
            return here, "invariant", " on entry" if message == ON_ENTRY else ""
        case message:
            # An assertion may have a message of its own.
            assert message == ASSERTION or f'{{:msg "{message}"}}' in source_line(error["position"])
            return here, "assert", ""


# --- reach -------------------------------------------------------------------------------------


def reached(data: dict[str, Any], code: int) -> str:
    """The verdict of a search in its words; a bug is where a run of the program has failed."""
    verdict = Verdict(data["verdict"])
    assert code == {Verdict.VIOLATED: 1, Verdict.HOLDS: 0}.get(verdict, 3)
    if verdict is not Verdict.VIOLATED:
        return "no bug within the bound" if "schedules" in data else BUG_OR_NOT[verdict]
    assert data["confirmed"], data["trace"]
    assert line_of(data["trace"][-1]) == line_of(data["failed"])
    return f"bug at {line_of(data['failed'])}"


# --- the corpus --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROGRAMS)
def test_claims(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = PROGRAMS[name]
    claimed = list(claims(path))
    found = [
        (command, options, found_by(command, options, path, capsys))
        for command, options, _ in claimed
    ]
    assert found == claimed


# Searches in which Z3 would take long with quantified invariants, and what a search refuses.
VERIFIED_ONLY = {"bubble_sort", "selective", "selective_branches"}
# Only the search follows threads.
THREADS = CORPUS / "threads"


def test_every_program_claims_something_about_both_commands() -> None:
    for name, path in PROGRAMS.items():
        wanted = {"verify"} if name in VERIFIED_ONLY else {"verify", "reach"}
        if path.parent == THREADS:
            wanted = {"reach"}
        assert {command for command, _, _ in claims(path)} == wanted, name


def test_there_are_enough_programs_of_both_kinds() -> None:
    assert len(PROGRAMS) == len(list(CORPUS.rglob("*.bpl"))) >= 178
    wrong = [
        name
        for name, path in PROGRAMS.items()
        if any(re.search(r"bug at|errors?:", text) for _, _, text in claims(path))
    ]
    assert 0.4 < len(wrong) / len(PROGRAMS) < 0.7
