"""Boogie 2 programs: reading, checking and writing them.

>>> program = parse_program(text="var x: int; procedure Inc() modifies x; { x := x + 1; }")
>>> print(print_program(program), end="")
var x: int;
procedure Inc()
  modifies x;
{
  x := x + 1;
}
"""

from solvent.boogie.checking import TypedProgram, check_program
from solvent.boogie.diagnostics import (
    BoogieCheckError,
    BoogieError,
    BoogieSyntaxError,
    Diagnostic,
)
from solvent.boogie.program_printer import print_program
from solvent.boogie.reading import parse_program
from solvent.reach.positions import Position

__all__ = [
    "BoogieCheckError",
    "BoogieError",
    "BoogieSyntaxError",
    "Diagnostic",
    "Position",
    "TypedProgram",
    "check_program",
    "parse_program",
    "print_program",
]
