"""The modules of terms and solvers form no knots: none imports one that imports it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
PACKAGES = ["terms", "solvers"]


def modules(package: str) -> dict[str, Path]:
    found = {}
    for path in sorted((SOURCE / "solvent" / package).rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that happen when a program runs, not those that only type checkers see."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield from imports(child)


def imported(tree: ast.AST, known: dict[str, Path]) -> set[str]:
    names = set()
    for found in imports(tree):
        if isinstance(found, ast.Import):
            names.update(alias.name for alias in found.names)
        else:
            for alias in found.names:
                full = f"{found.module}.{alias.name}"
                names.add(full if full in known else str(found.module))
    return names & known.keys()


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_imports_one_that_imports_it(package: str) -> None:
    known = modules(package)
    graph = {
        name: imported(ast.parse(path.read_text()), known) - {name} for name, path in known.items()
    }
    assert len(list(TopologicalSorter(graph).static_order())) == len(known)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_import_hides_in_a_function(package: str) -> None:
    for name, path in modules(package).items():
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef):
                hidden = [i for i in imports(function) if "solvent" in ast.unparse(i)]
                assert not hidden, f"{name}.{function.name} imports what a module should"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_private_name_crosses_modules(package: str) -> None:
    for name, path in modules(package).items():
        for found in imports(ast.parse(path.read_text())):
            if isinstance(found, ast.ImportFrom) and "solvent" in str(found.module):
                private = [alias.name for alias in found.names if alias.name.startswith("_")]
                assert not private, f"{name} imports what is private to {found.module}"
