"""Regression tests for findings: the calls that fail today, which must not fail once it is mended.

Each call is run again as it is written, and only those that fail by themselves are tests: a
contract that nobody but Solvent checks has none.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solvent.cli.loading import Subject
from solvent.explore import Suite
from solvent.queries.replay import described, plain
from solvent.queries.results import Verification
from solvent.queries.subjects import name_of
from solvent.verdicts.rendering import Json
from solvent.vm.exceptions import is_raised_on_purpose


@dataclass(frozen=True, slots=True)
class Failing:
    """A call that fails, and the module whose names it uses."""

    function: Subject
    result: Verification


def regression(one: Failing) -> Json:
    """What a test of a finding needs, as data; a reason says why there is none."""
    reason, names = _problem(one)
    found: Json = {"call": one.result.call, "reason": reason}
    if reason:
        return found
    module = sys.modules[plain(one.function).__module__]
    file = getattr(module, "__file__", None)
    root = "" if file is None else str(Path(file).resolve().parents[module.__name__.count(".")])
    error = described(one.result.failure.exception) if one.result.failure is not None else ""
    return {
        **found,
        "imports": list(_imports(one.result, module.__name__, names)),
        "root": root,
        "label": re.sub(r"\W", "_", name_of(one.function)),
        "error": " ".join(error.split()),
    }


def regressions(found: Iterable[Json], path: str | None) -> Suite:
    """A test file with a test for each finding."""
    tests: list[str] = []
    left_out: list[tuple[str, str]] = []
    imports: dict[str, None] = {}
    roots: dict[str, None] = {}
    for one in found:
        if one["reason"]:
            left_out.append((str(one["call"]), str(one["reason"])))
            continue
        names = one["imports"]
        assert isinstance(names, list)
        imports |= dict.fromkeys(map(str, names))
        if one["root"]:
            roots[str(one["root"])] = None
        tests.append(_test(one, len(tests) + 1))
    head = [f'"""Regression tests for {len(tests)} findings: each fails until it is mended."""', ""]
    if roots:
        head += ["import sys", ""]
        head += [f"sys.path.insert(0, {_place(root, path)})" for root in roots]
        head.append("")
    head += [f"{line}  # noqa: E402" for line in imports]
    parts = ["\n".join(head), *tests]
    if left_out:
        parts.append("\n".join(f"# Not tested: {call}: {reason}" for call, reason in left_out))
    return Suite("\n\n\n".join(parts) + "\n", len(tests), tuple(left_out))


def _place(root: str, path: str | None) -> str:
    """The folder of the program, which tests beside it find wherever both are."""
    if path is not None and Path(path).resolve().parent == Path(root):
        return '__file__.rpartition("/")[0]'
    return repr(root)


def _test(one: Json, number: int) -> str:
    head = f"def test_{one['label']}_{number}():"
    return f"{head}\n    # {one['error']}\n    {one['call']}"


def _problem(one: Failing) -> tuple[str, list[str]]:
    """Why a finding has no test, and the names of the module that its call uses."""
    result = one.result
    if not result.confirmed or result.failure is None:
        return "CPython has not confirmed it", []
    module: Any = sys.modules.get(getattr(plain(one.function), "__module__", "") or "")
    if module is None:
        return "its module is not known", []
    try:
        tree = ast.parse(result.call, mode="eval")
    except SyntaxError:
        return "the call is no Python", []
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names = sorted(name for name in used if hasattr(module, name))
    space: dict[str, Any] = {name: getattr(module, name) for name in names}
    unknown = [n for n in used if n not in space and not hasattr(builtins, n)]
    try:
        exec(result.setup or "pass", space)
        if any(name not in space for name in unknown):
            return "the call uses names that cannot be imported", []
        value = eval(result.call, space)
        _ = list(value) if hasattr(value, "__next__") else value
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not is_raised_on_purpose(error):
            raise
        return "", names
    return "the call alone does not fail: only Solvent checks this", []


def _imports(result: Verification, module: str, names: list[str]) -> Iterable[str]:
    if names:
        yield f"from {module} import {', '.join(names)}"
    yield from (line.strip() for line in re.split(r"[;\n]", result.setup) if line.strip())
