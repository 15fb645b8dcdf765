"""Which functions differ from a revision of git's, themselves or in what they may reach.

What a function reaches is told by names alone: every name, attribute and word in a text that stands
in its source leads to all definitions with that name in the modules that are imported.  This finds
too many functions at times, but too few only where a program puts names together from parts.  Where
something at the top of a module has changed that defines no name, all functions count as changed.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from solvent.cli.common import InputError
from solvent.cli.members import Member, code_of

# Stands for what defines no name at the top of a module: all functions may depend on it.
NAMELESS = ""

_WORD = re.compile(r"[^\W\d]\w*")


@dataclass
class Revision:
    """A revision of git's, to compare the program with."""

    name: str
    folder: Path
    # What has changed in a file, by its path.
    known: dict[Path, Difference] = field(default_factory=dict)

    @cached_property
    def top(self) -> Path:
        """The folder of the repository."""
        return Path(os.fsdecode(git(self.folder, "rev-parse", "--show-toplevel")).rstrip("\n"))

    @cached_property
    def commit(self) -> str:
        """The commit that the name stands for."""
        found = git(
            self.folder,
            *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{self.name}^{{commit}}"),
            otherwise=f"--changed {self.name}: git has no such revision",
        )
        return os.fsdecode(found).strip()

    def source(self, path: Path) -> bytes | None:
        """The text of a file in the revision, if it was there."""
        try:
            inside = path.resolve().relative_to(self.top.resolve()).as_posix()
        except ValueError:
            return None
        if inside not in self._files:
            return None
        return git(self.top, "cat-file", "blob", f"{self.commit}:{inside}")

    @cached_property
    def _files(self) -> frozenset[str]:
        listed = git(self.top, "ls-tree", "-r", "-z", "--name-only", "--full-tree", self.commit)
        return frozenset(os.fsdecode(name) for name in listed.split(b"\0"))

    def difference(self, path: Path) -> Difference:
        """How a file differs from what it was."""
        if path not in self.known:
            try:
                now = path.read_bytes()
            except OSError:
                now = None
            self.known[path] = compared(self.source(path), now)
        return self.known[path]

    def changed(self, members: Iterable[Member], files: Iterable[Path]) -> list[Member]:
        """Those of some functions that differ, or reach in some files something that does."""
        differences = [self.difference(path) for path in files]
        if any(one.everything for one in differences):
            return list(members)
        names = {name for one in differences for name in one.names}
        if not names:
            return []
        leads: dict[str, set[str]] = {}
        for one in differences:
            for name, words in one.words.items():
                leads.setdefault(name, set()).update(words)
        return [one for one in members if _reached(_start(one), leads) & names]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a file differs from what it was in a revision."""

    # The names whose definitions differ, or are new, or are gone.
    names: frozenset[str] = frozenset()
    # The words in the definition of each name.
    words: dict[str, frozenset[str]] = field(default_factory=dict)
    # Whether something differs that has no name.
    everything: bool = False


def git(folder: Path, *arguments: str, otherwise: str = "") -> bytes:
    """What git prints, or one sentence that says why it does not."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        raise InputError(f"--changed needs git: {error.strerror}") from None
    if done.returncode:
        said = os.fsdecode(done.stderr).strip().splitlines()
        raise InputError(otherwise or f"--changed: {said[0] if said else 'git failed'}")
    return done.stdout


def revision(name: str, folder: Path) -> Revision:
    """A revision that is known to be there."""
    found = Revision(name, folder)
    # First whether there is a repository at all.
    assert found.top
    assert found.commit
    return found


def is_revision(name: str, folder: Path) -> bool:
    """Whether git knows a revision with a name."""
    try:
        return bool(Revision(name, folder).commit)
    except InputError:
        return False


def _start(member: Member) -> set[str]:
    """The names under which a function is defined at the top of its module."""
    code = code_of(member.function)
    names = {NAMELESS} if code is None else {NAMELESS, code.co_qualname.partition(".")[0]}
    return names | ({member.owner.__qualname__.partition(".")[0]} if member.owner else set())


def _reached(start: set[str], leads: dict[str, set[str]]) -> set[str]:
    found = set(start)
    pending = list(start)
    while pending:
        for name in leads.get(pending.pop(), ()):
            if name not in found:
                found.add(name)
                pending.append(name)
    return found


def compared(before: bytes | None, now: bytes | None) -> Difference:
    """How a source differs from what it was; what is new differs in all that it defines.

    >>> sorted(compared(b"def f(): g()\\ndef g(): 1", b"def f(): g()\\ndef g(): 2").names)
    ['g']
    >>> compared(b"f()", b"g()").everything
    True
    """
    try:
        new = _Definitions(now or b"")
        old = _Definitions(before or b"")
    except (SyntaxError, ValueError, RecursionError):
        return Difference(everything=True)
    known = {*new.texts, *old.texts}
    names = {name for name in known if new.texts.get(name) != old.texts.get(name)}
    words = {name: frozenset(words) for name, words in new.words.items()}
    return Difference(frozenset(names - {NAMELESS}), words, NAMELESS in names)


class _Definitions:
    """What stands at the top of a module, by the names that it defines."""

    def __init__(self, source: bytes) -> None:
        self.texts: dict[str, list[str]] = {}
        self.words: dict[str, set[str]] = {}
        for statement in ast.parse(source).body:
            if _is_idle(statement):
                continue
            text, words = ast.dump(statement), _words(statement)
            for name in _bound(statement) or {NAMELESS}:
                self.texts.setdefault(name, []).append(text)
                self.words.setdefault(name, set()).update(words)
                # What is registered by a decorator, or derives from a class, may be used for that.
                for other in _words(*_attached(statement)):
                    self.words.setdefault(other, set()).add(name)


def _is_idle(statement: ast.stmt) -> bool:
    """Whether a statement does nothing when a module is imported, as a docstring does."""
    match statement:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), orelse=[]):
            return True
    return False


def _attached(statement: ast.stmt) -> list[ast.expr]:
    """What a definition is attached to: decorators, and the bases of a class."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return statement.decorator_list
    if isinstance(statement, ast.ClassDef):
        keywords = [keyword.value for keyword in statement.keywords]
        return [*statement.decorator_list, *statement.bases, *keywords]
    return []


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a simple statement defines; none for others, such as branches and loops."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=aliases):
            return {alias.asname or alias.name.partition(".")[0] for alias in aliases}
        case ast.ImportFrom(names=aliases):
            return {alias.asname or alias.name for alias in aliases} - {"*"}
        case ast.Assign(targets=targets) if all(isinstance(one, ast.Name) for one in targets):
            return {one.id for one in targets if isinstance(one, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
            return {name}
    return set()


def _words(*roots: ast.AST) -> set[str]:
    """All that may be a name in a statement; also in texts, such as annotations in quotes."""
    found: set[str] = set()
    for node in (node for root in roots for node in ast.walk(root)):
        for _, value in ast.iter_fields(node):
            for part in value if isinstance(value, list) else (value,):
                if isinstance(part, str):
                    found.update(_WORD.findall(part))
    return found
