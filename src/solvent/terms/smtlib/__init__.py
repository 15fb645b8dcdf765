"""SMT-LIB 2: terms written as text and read back, and the answers of solvers read.

>>> from solvent.terms import Int
>>> x = Int("x")
>>> print(write_script([x * 2 > 7]), end="")
(set-logic QF_LIA)
(declare-const x Int)
(assert (not (<= x 3)))
(check-sat)
>>> parse_smtlib(write_script([x * 2 > 7]))
[x > 3]
"""

from solvent.terms.smtlib.answers import read_model, read_symbols, read_values
from solvent.terms.smtlib.interpretations import DefinedFunction
from solvent.terms.smtlib.logics import logic_of
from solvent.terms.smtlib.reader import (
    Script,
    assertions_of,
    parse_smtlib,
    read_file,
    read_script,
    read_term,
)
from solvent.terms.smtlib.writer import Writer, to_smtlib, write_script

__all__ = [
    "DefinedFunction",
    "Script",
    "Writer",
    "assertions_of",
    "logic_of",
    "parse_smtlib",
    "read_file",
    "read_model",
    "read_script",
    "read_symbols",
    "read_term",
    "read_values",
    "to_smtlib",
    "write_script",
]
