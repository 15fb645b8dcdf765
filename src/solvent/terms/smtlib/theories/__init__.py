"""What the function symbols of the SMT-LIB theories mean, one file for each theory.

The symbols that Solvent has an operator for come from the table of operators; those that SMT-LIB
defines by others are built from these.
"""

from __future__ import annotations

from typing import Any

from solvent.terms.smtlib.signatures import Argument, Head, Indexed
from solvent.terms.smtlib.theories import arithmetic, arrays, bitvectors, core, floats, strings

# The functions and constants of each theory, by the names that `Logic.theories` uses.
HEADS: dict[str, dict[str, Head]] = {
    "core": core.HEADS,
    "arithmetic": arithmetic.HEADS,
    "bitvectors": bitvectors.HEADS,
    "arrays": arrays.HEADS,
    "floats": floats.HEADS,
    "strings": strings.HEADS,
}
VALUES: dict[str, dict[str, Argument]] = {
    "core": core.VALUES,
    "floats": floats.VALUES,
    "strings": strings.VALUES,
}
INDEXED: dict[str, Indexed] = {
    **arithmetic.INDEXED,
    **bitvectors.INDEXED,
    **floats.INDEXED,
    **strings.INDEXED,
}
