"""Test files for pytest, with a test for each path of a function.

Inputs are the examples of the paths; results and exceptions are those of CPython, which runs the
function once more on the inputs as they are written.  What cannot be written, or does not come out
the same again, is left out, and the file says so.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import os
import re
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from solvent.errors import AssumptionError, QueryError, SolventError
from solvent.explore.comparing import same
from solvent.explore.literals import NotWritableError, Writer
from solvent.explore.results import Exploration, ExploredPath
from solvent.queries.replay import Replay, plain
from solvent.queries.spelling import Speller
from solvent.vm.values import Value

# How much of a condition is shown.
WIDTH = 94

# Names that mean something in the tests.
RESERVED = {"caught", "list", "pytest", "same"}


@dataclass(frozen=True, slots=True)
class Suite:
    """The text of a test file, how many tests it has, and what is not in it, with the reason."""

    text: str
    tests: int
    left_out: tuple[tuple[str, str], ...]


def suite(
    exploration: Exploration, function: Callable[..., Value], path: str | Path | None = None
) -> Suite:
    """The tests of a function that was explored, for a file at a path."""
    return _Author(exploration, function, path).suite()


class _Author:
    def __init__(
        self, exploration: Exploration, function: Callable[..., Value], path: str | Path | None
    ) -> None:
        self.exploration = exploration
        self.function = plain(function)
        self.module = sys.modules.get(getattr(self.function, "__module__", None) or "")
        self.path = None if path is None else Path(path).resolve()
        self.writer = Writer()
        self.lists = inspect.isgeneratorfunction(self.function)
        self.needs_same = self.needs_pytest = False

    def suite(self) -> Suite:
        subject = self.subject()
        tests: list[str] = []
        left_out: list[tuple[str, str]] = []
        for found in self.exploration.paths:
            try:
                tests.append(self.test(found, subject, len(tests) + 1))
            except NotWritableError as reason:
                left_out.append((found.call, str(reason)))
        parts = [self.header(len(tests)), *self.helpers(), *tests]
        if left_out:
            notes = [f"# Not tested: {call}: {reason}" for call, reason in left_out]
            parts.append("\n".join(" ".join(note.split()) for note in notes))
        return Suite("\n\n\n".join(parts) + "\n", len(tests), tuple(left_out))

    def subject(self) -> str:
        """What the tests call."""
        try:
            name = self.writer.name(self.function)
        except NotWritableError as error:
            raise QueryError(f"no test can call {error}; put it at the top of a file") from None
        assert self.module is not None
        if self.module.__name__.partition(".")[0] in sys.stdlib_module_names:
            raise QueryError(
                f"`{self.module.__name__}` is also a module of Python's own library, which the "
                "tests would import instead; give the file another name"
            )
        return name

    # --- the head ---

    def header(self, count: int) -> str:
        """What the file is, and its imports."""
        found = self.exploration
        extent = "all there are" if found.complete else "not all there are"
        lines = [f'"""{found.function}: {count} test{"s" * (count != 1)}, one per path, {extent}.']
        if found.coverage is not None:
            total = len(found.coverage.branches)
            sides = f"{found.coverage.sides} of {2 * total} sides of {total} branches"
            lines += ["", f"Branch coverage: {sides}."]
        lines += ['"""', ""]
        folder = self.folder()
        if folder is not None:
            place = "Path(__file__).resolve().parent"
            place += "" if folder == "." else f" / {folder!r}"
            lines += ["import sys", "from pathlib import Path", ""]
            lines += [f"sys.path.insert(0, str({place}))", ""]
        modules = sorted({*self.writer.modules, *["pytest"] * self.needs_pytest})
        known = [name for name in modules if name.partition(".")[0] in sys.stdlib_module_names]
        others = [name for name in modules if name not in known]
        late = "  # noqa: E402" if folder is not None else ""
        groups = [[f"import {name}{late}" for name in group] for group in (known, others)]
        return "\n".join([*lines, *groups[0], *[""] * bool(known), *groups[1]])

    def folder(self) -> str | None:
        """Where the module is, seen from the test file, unless pytest finds it anyhow."""
        source = getattr(self.module, "__file__", None)
        if source is None or self.module is None:
            return None
        root = Path(source).resolve().parents[self.module.__name__.count(".")]
        if self.path is None:
            return os.path.relpath(root)
        if root == self.path.parent and not (root / "__init__.py").exists():
            return None
        return os.path.relpath(root, self.path.parent)

    def helpers(self) -> list[str]:
        """What the tests need to compare values that `==` does not."""
        if not self.needs_same:
            return []
        text = inspect.getsource(same).replace(": Value", "")
        return [re.sub(r'\n\n    >>> .*?"""', '"""', text, flags=re.DOTALL).strip()]

    # --- the tests ---

    def test(self, found: ExploredPath, subject: str, number: int) -> str:
        """The test of one path."""
        if Speller([*found.args, *found.named.values()]).shares:
            raise NotWritableError("two of its inputs are the same object")
        args = [self.writer.checked(value) for value in found.args]
        named = {name: self.writer.checked(value) for name, value in found.named.items()}
        observed = self.observe(found, args, named)
        lines = [f"def test_{self.label()}_{number}():"]
        condition = textwrap.shorten(str(found.condition), WIDTH, placeholder=" ...")
        lines.append(f"    # {condition}")
        variables, texts = self.arguments(found, observed, args, named)
        lines += [f"    {name} = {text}" for name, text in variables.items()]
        call = f"{subject}({', '.join(texts)})"
        if self.lists:
            call = f"list({call})"
        if observed.error is None:
            lines.append(f"    assert {self.claim(call, observed.value)}")
        else:
            lines += self.raises(call, observed.error)
        for name, changed in zip(variables, observed.changed.values(), strict=True):
            lines.append(f"    assert {self.claim(name, changed)}")
        return "\n".join(lines)

    def label(self) -> str:
        """The function as a part of a name."""
        return re.sub(r"\W", "_", self.exploration.function)

    def arguments(
        self, found: ExploredPath, observed: _Observed, args: list[str], named: dict[str, str]
    ) -> tuple[dict[str, str], list[str]]:
        """The arguments of the call; those that it changes are variables."""
        variables: dict[str, str] = {}
        texts: list[str] = []
        for key, text in (*enumerate(args), *named.items()):
            shown = text
            if key in observed.changed:
                shown = self.names(found)[key] if isinstance(key, int) else str(key)
                if not shown.isidentifier() or shown in self.writer.modules | RESERVED:
                    shown = f"argument_{key}"
                variables[shown] = text
            texts.append(shown if isinstance(key, int) else f"{key}={shown}")
        return variables, texts

    def claim(self, call: str, value: Value) -> str:
        """An expression that is true if a call gives a value."""
        text = self.writer.checked(value)
        if value is None or isinstance(value, bool):
            return f"{call} is {text}"
        if is_compared_by_value(value):
            return f"{call} == {text}"
        self.needs_same = True
        return f"same({call}, {text})"

    def raises(self, call: str, error: BaseException) -> list[str]:
        """Statements that are true of a call that raises."""
        name = self.writer.name(type(error))
        self.needs_pytest = True
        lines = [
            f"    with pytest.raises({name}) as caught:",
            f"        {call}",
            f"    assert caught.type is {name}",
        ]
        text = str(error)
        # Addresses of objects differ from run to run.
        if not re.search(r"\b0x[0-9a-f]{6,}", text):
            lines.append(f"    assert str(caught.value) == {text!r}")
        return lines

    def observe(self, found: ExploredPath, args: list[str], named: dict[str, str]) -> _Observed:
        """Run the function on the inputs as they are written."""
        replay = found.replay
        if replay is None or replay.returned is None:
            raise NotWritableError(replay.problem if replay else "it was not run by CPython")
        if set(found.inputs) - set(self.names(found)):
            raise NotWritableError("it depends on symbolic values that are not its arguments")
        inputs: dict[int | str, Value] = {
            **{place: self.writer.read(text) for place, text in enumerate(args)},
            **{name: self.writer.read(text) for name, text in named.items()},
        }
        before = copy.deepcopy(inputs)
        seen = observed(self.function, inputs, self.lists)
        changed = {key: value for key, value in inputs.items() if not same(value, before[key])}
        result = _Observed(seen[0], seen[1], changed)
        if not found.repeatable or not agree(result, replay):
            raise NotWritableError("CPython does not do the same each time")
        return result

    def names(self, found: ExploredPath) -> list[str]:
        """The inputs that are arguments."""
        count = len(found.args) + len(found.named)
        return list(found.inputs)[-count:] if count else []


@dataclass(frozen=True, slots=True)
class _Observed:
    value: Value
    error: BaseException | None
    # The arguments that were changed, by place or name.
    changed: dict[int | str, Value]


def observed(
    function: Callable[..., Value], inputs: dict[int | str, Value], lists: bool
) -> tuple[Value, BaseException | None]:
    """What CPython does: the result and the exception."""
    args = [value for key, value in inputs.items() if isinstance(key, int)]
    named = {key: value for key, value in inputs.items() if isinstance(key, str)}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            value = function(*args, **named)
            return (list(value) if lists else value), None
    except AssumptionError:
        raise NotWritableError("an assumption is false") from None
    except SolventError as error:
        raise NotWritableError(str(error)) from None
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        return None, error


def agree(result: _Observed, replay: Replay) -> bool:
    """Whether two runs came to the same."""
    if result.error is not None:
        other = replay.exception
        return type(other) is type(result.error) and str(other) == str(result.error)
    return replay.exception is None and same(result.value, replay.value)


def is_compared_by_value(value: Value) -> bool:
    """Whether `==` says all that there is to say about a value.

    >>> is_compared_by_value([1, "a"]), is_compared_by_value([float("nan")])
    (True, False)
    """
    if type(value) in (type(None), int, str, bytes, bytearray, range, bool):
        return True
    if type(value) is float:
        return value == value and value != 0
    if type(value) in (list, tuple, set, frozenset):
        return all(map(is_compared_by_value, value)) and not any(type(v) is bool for v in value)
    if type(value) is dict:
        return all(map(is_compared_by_value, value.values()))
    return False
