"""The notebooks of `examples/` are executed; their last cells assert what the first ones claim."""

from __future__ import annotations

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))
# A kernel takes seconds to start, so that one of them stands for all in `make test`.
ALWAYS = "puzzle"


def executed(path: Path) -> list[str]:
    """What the cells of a notebook show, as HTML where they do."""
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return [
        output["data"].get("text/html", output["data"].get("text/plain", ""))
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "data" in output
    ]


def test_there_are_four() -> None:
    assert len(NOTEBOOKS) == 4
    assert ALWAYS in [path.stem for path in NOTEBOOKS]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[] if path.stem == ALWAYS else [pytest.mark.mass], id=path.stem)
        for path in NOTEBOOKS
    ],
)
def test_a_notebook_shows_what_it_claims(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    first, last = notebook.cells[0], notebook.cells[-1]
    claims = ("**Proved:**", "**Found:**", "**Solved for:**")
    assert any(claim in first.source for claim in claims)
    assert last.source.count("assert ") >= 2
    # It is kept without outputs, which would be different on each machine.
    assert not any(cell.get("outputs") for cell in notebook.cells)
    shown = "\n".join(executed(path))
    assert "<b style=" in shown  # a result shows itself
    assert "ipykernel" not in shown
    assert path.stem != ALWAYS or "<svg" in shown  # and so does an automaton
