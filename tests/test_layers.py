"""Dependencies point downwards only, between packages and inside of them.

The table says which package may import which; modules form no circles, hide no imports and keep
what is private.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "solvent"

# From the bottom: each package or module of `solvent`, and which others it may import.
EVERYTHING = "everything"
MAY_IMPORT: dict[str, tuple[str, ...] | str] = {
    "errors": (),
    "verdicts": ("errors",),
    "pages": (),
    "depth": (),
    "terms": ("errors",),
    "solvers": ("errors", "verdicts", "terms"),
    "reach": ("errors", "verdicts", "depth", "terms", "solvers"),
    "boogie": ("errors", "depth", "terms", "solvers", "reach"),
    "logic": ("errors", "verdicts", "pages", "depth", "terms", "solvers", "reach"),
    "vm": ("errors", "terms", "solvers"),
    "lift": ("errors", "terms", "solvers", "vm"),
    "btor2": ("errors", "verdicts", "depth", "terms", "solvers"),
    "riscu": ("errors", "verdicts", "depth", "terms", "solvers", "btor2", "vm", "lift"),
    "reference": (
        "errors",
        "verdicts",
        "depth",
        "pages",
        "terms",
        "solvers",
        "vm",
        "lift",
        "queries",
    ),
    "contracts": ("errors", "terms", "solvers", "vm", "lift"),
    "queries": ("errors", "verdicts", "pages", "terms", "solvers", "vm", "lift", "contracts"),
    "explore": ("errors", "verdicts", "terms", "solvers", "vm", "lift", "queries"),
    "race": (
        "errors",
        "verdicts",
        "terms",
        "solvers",
        "vm",
        "lift",
        "contracts",
        "queries",
        "explore",
    ),
    "strategies": (
        "errors",
        "verdicts",
        "terms",
        "solvers",
        "vm",
        "lift",
        "contracts",
        "queries",
        "explore",
    ),
    "units": ("errors", "verdicts", "solvers", "race"),
    "testing": EVERYTHING,
    "browse": ("errors", "verdicts", "pages", "depth", "terms", "solvers", "vm", "lift"),
    "profiling": (
        "errors",
        "verdicts",
        "pages",
        "terms",
        "solvers",
        "vm",
        "lift",
        "queries",
    ),
    "sketch": ("errors", "terms", "solvers", "vm", "lift"),
    "languages": ("errors", "pages", "terms", "solvers", "vm", "lift", "queries", "sketch"),
    "notebook": EVERYTHING,
    "cli": EVERYTHING,
    "moved": EVERYTHING,
    "__init__": EVERYTHING,
    "__main__": EVERYTHING,
}

# Clients of the public interface: they may also import the names that `solvent` itself exports.
CLIENTS = ("languages",)

MODULES = sorted(SOURCE.rglob("*.py"))


def part_of(path: Path) -> str:
    """The package or module directly below `solvent` that a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_modules(tree: ast.AST, package: list[str]) -> Iterator[tuple[int, str]]:
    """Line and full name of every module that is imported anywhere in a file.

    `package` is the package that the file is in, from which relative imports start.
    """
    for found in ast.walk(tree):
        if isinstance(found, ast.Import):
            for alias in found.names:
                yield found.lineno, alias.name
        elif isinstance(found, ast.ImportFrom):
            start = package[: len(package) - found.level + 1] if found.level else []
            module = [*start, *(found.module.split(".") if found.module else [])]
            if module == ["solvent"]:
                # `from solvent import terms` imports a part; other names come from the top.
                for alias in found.names:
                    yield found.lineno, f"solvent.{alias.name}"
            else:
                yield found.lineno, ".".join(module)


def violations(source: str, path: Path) -> list[str]:
    """What a file imports although it may not, one line each."""
    part = part_of(path)
    allowed = MAY_IMPORT[part]
    package = ["solvent", *path.relative_to(SOURCE).parts[:-1]]
    found = []
    for line, module in imported_modules(ast.parse(source), package):
        top, _, rest = module.partition(".")
        if top != "solvent" or allowed == EVERYTHING:
            continue
        target = rest.partition(".")[0] or "__init__"
        if part in CLIENTS and target not in MAY_IMPORT:
            continue
        if target != part and target not in allowed:
            found.append(f"{path.name}:{line}: {part} may not import {module}")
    return found


def module_name(path: Path) -> str:
    """The full name of the module in a file."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path): path for path in MODULES}


def top_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported, but for those for type checkers."""
    pending: list[ast.stmt] = list(tree.body)
    while pending:
        found = pending.pop()
        if isinstance(found, ast.If):
            if "TYPE_CHECKING" not in ast.dump(found.test):
                pending += [*found.body, *found.orelse]
        elif isinstance(found, (ast.Try, ast.With)):
            pending += found.body
        else:
            yield found


def needed_by(path: Path) -> set[str]:
    """The modules that one needs before it can be imported."""
    result: set[str] = set()
    for found in top_level(ast.parse(path.read_text())):
        if isinstance(found, ast.Import):
            result |= {alias.name for alias in found.names}
        elif isinstance(found, ast.ImportFrom) and found.module and not found.level:
            for alias in found.names:
                full = f"{found.module}.{alias.name}"
                result.add(full if full in NAMES else found.module)
    return result & NAMES.keys()


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Modules of which each needs the next, and the last the first, if there are any."""
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> list[str]:
        if name in path:
            return path[path.index(name) :]
        if name in done:
            return []
        for other in sorted(graph.get(name, ())):
            found = visit(other, [*path, name])
            if found:
                return found
        done.add(name)
        return []

    for name in sorted(graph):
        found = visit(name, [])
        if found:
            return found
    return []


def test_modules_form_no_circle() -> None:
    assert circle({name: needed_by(path) for name, path in NAMES.items()}) == []


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c", "d"}, "c": set(), "d": {"a"}}) == ["a", "b", "d"]


# The packages in which every import stands at the top.
AT_THE_TOP = ("lift", "vm", "terms", "verdicts")


def hidden_imports(source: str) -> list[int]:
    """The lines of imports of Solvent's modules inside of functions."""
    return [
        inner.lineno
        for found in ast.walk(ast.parse(source))
        if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for inner in ast.walk(found)
        if isinstance(inner, ast.ImportFrom) and (inner.module or "").partition(".")[0] == "solvent"
    ]


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if part_of(path) in AT_THE_TOP],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_no_import_hides_in_a_function(path: Path) -> None:
    assert hidden_imports(path.read_text()) == []


def test_a_hidden_import_is_found() -> None:
    assert hidden_imports("import os\ndef f():\n    from solvent.vm import merge") == [3]


def private_names(source: str) -> list[str]:
    """Names with an underscore that a file imports from another module of Solvent's."""
    return [
        alias.name
        for found in ast.walk(ast.parse(source))
        if isinstance(found, ast.ImportFrom) and (found.module or "").startswith("solvent")
        for alias in found.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_private_names_stay_in_their_module(path: Path) -> None:
    assert private_names(path.read_text()) == []


def test_a_private_name_is_found() -> None:
    assert private_names("from solvent.vm.machine import _MACHINE, current") == ["_MACHINE"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_downwards(path: Path) -> None:
    assert part_of(path) in MAY_IMPORT, f"add {part_of(path)} to the table of layers"
    assert violations(path.read_text(), path) == []


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("terms/term.py", "import solvent.solvers"),
        ("terms/term.py", "from solvent.solvers.z3 import Z3"),
        ("terms/term.py", "def f():\n    from solvent import solvers"),
        ("terms/term.py", "from ..solvers import base"),
        ("terms/term.py", "from .. import cli"),
        ("solvers/base.py", "from solvent.cli import main"),
        ("solvers/base.py", "import solvent"),
        ("errors.py", "from . import terms"),
        ("languages/automata.py", "from solvent import cli"),
        ("queries/run.py", "from solvent import Int"),
    ],
)
def test_an_upward_import_is_found(file: str, source: str) -> None:
    assert len(violations(source, SOURCE / file)) == 1


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("terms/term.py", "from solvent.errors import SortError\nimport itertools"),
        ("terms/term.py", "from . import sorts\nfrom .sorts import Int"),
        ("solvers/base.py", "from ..terms import Int\nfrom solvent import errors"),
        ("cli/main.py", "from solvent.solvers import base\nimport solvent"),
        ("languages/automata.py", "from solvent import Int, verify\nfrom solvent.lift import api"),
    ],
)
def test_a_downward_import_is_allowed(file: str, source: str) -> None:
    assert violations(source, SOURCE / file) == []


# What only `vm` writes, and the module whose job it is to break it.
MACHINERY = ("forks", "layers", "scopes")
MAY_WRITE_MACHINERY = ("vm", "reference/faults.py")
CHANGES = ("append", "clear", "extend", "insert", "pop", "remove")


def _is_machinery(found: ast.AST) -> bool:
    """Whether an expression is `x.state.path`, or the forks, layers or scopes of a machine."""
    if not isinstance(found, ast.Attribute):
        return False
    owner = found.value
    if found.attr == "path":
        return isinstance(owner, ast.Attribute) and owner.attr == "state"
    return found.attr in MACHINERY and not (isinstance(owner, ast.Name) and owner.id == "self")


def writes_of_machinery(source: str) -> list[int]:
    """The lines that write the path, forks, layers or scopes of a machine."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                found += [node.lineno for part in parts if _is_machinery(part)]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in CHANGES
            and _is_machinery(node.func.value)
        ):
            found.append(node.lineno)
    return sorted(found)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_machines_are_written_by_themselves(path: Path) -> None:
    if not any(path.is_relative_to(SOURCE / part) for part in MAY_WRITE_MACHINERY):
        assert writes_of_machinery(path.read_text()) == []


def test_a_write_of_a_machine_is_found() -> None:
    source = "a.machine.state.path = b\nm.scopes.clear()\nm.layers, x = [], 1\nprint(m.forks)"
    assert writes_of_machinery(source) == [1, 2, 3]


# The representations of what differs between paths: the packages that may name them, and the table
# of the names in generated code.
REPRESENTATIONS = ("Maybe", "Elements", "_solvent_choices")
MAY_NAME_REPRESENTATIONS = ("vm", "lift/values", "lift/runtime.py")


def representations(source: str) -> set[str]:
    """The representations that a file imports or refers to."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
    return found & {*REPRESENTATIONS}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_representations_stay_behind_their_types(path: Path) -> None:
    if not any(path.is_relative_to(SOURCE / part) for part in MAY_NAME_REPRESENTATIONS):
        assert representations(path.read_text()) == set()


def test_a_representation_is_found() -> None:
    source = "from solvent.vm import owned\nprint(owned.Elements, Maybe, 'Maybe')"
    assert representations(source) == {"Elements", "Maybe"}
