"""Solvent in notebooks: `%load_ext solvent` shows values as pages do, and gives `%%verify`.

Results show themselves without it, and positions are cells always.  With it, models, unions,
outcomes and automata are tables and graphs; a limitation is one sentence and no traceback; and the
commands of `MAGICS` work on a cell.
"""

from __future__ import annotations

from typing import Any

from solvent.errors import SolventError
from solvent.notebook.displays import DISPLAYS
from solvent.notebook.magics import MAGICS
from solvent.verdicts.cells import in_cells

# A sentence of an error is shown in the colour of what went wrong.
_RED, _PLAIN = "\x1b[31m", "\x1b[0m"


def load(shell: Any) -> None:
    """What `%load_ext solvent` does."""
    formatter = shell.display_formatter.formatters["text/html"]
    for kind, shown in DISPLAYS.items():
        formatter.for_type(kind, shown)
    shell.set_custom_exc((SolventError,), _in_one_sentence)
    for name, magic in MAGICS.items():
        shell.register_magic_function(magic, "cell", name)


def unload(shell: Any) -> None:
    """What `%unload_ext solvent` does."""
    formatter = shell.display_formatter.formatters["text/html"]
    for kind in DISPLAYS:
        formatter.pop(kind, None)
    shell.set_custom_exc((), None)
    for name in MAGICS:
        shell.magics_manager.magics["cell"].pop(name, None)


def _in_one_sentence(
    shell: Any, kind: type[BaseException], error: BaseException, trace: Any, tb_offset: Any = None
) -> list[str]:
    """Say what a limitation or a misuse is."""
    sentence = f"{_RED}{kind.__name__}{_PLAIN}: {in_cells(str(error))}"
    # Nothing public makes a cell fail in a notebook that is run as a whole.
    shell._showtraceback(kind, error, [sentence])
    return [sentence]
