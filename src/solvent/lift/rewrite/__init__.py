"""Rewriting a function so that it can run on symbolic values: statements.

Code is never duplicated, and every generated node carries the line of the source it stands for, so
that tracebacks, debuggers and coverage show the user's own file.  A symbolic `if` becomes a loop
that runs once if the test is concrete and twice if it is symbolic:

    t = <test>                          f = None
    if t is symbolic:                   f = Fork(t, (x, y)); t = True
    while True:
        try:
            if t: <then>
            else: <else>
        except BaseException as e:      if f is None: raise;  f.end(e)
        if f is None: break
        if t:  t = False;               x, y = f.flip((x, y))
        else:                           x, y = f.join((x, y)); break

`x` and `y` are the local variables that the branches assign.  Variables that may be unbound hold
`UNBOUND` from the start, and reading them is checked.  `return`, `break` and `continue` leave a
scope (see `solvent.vm.machine`), natively as long as nothing is symbolic.
"""

from __future__ import annotations

from solvent.lift.rewrite.assignments import Assignments
from solvent.lift.rewrite.branches import Branches
from solvent.lift.rewrite.calls import Calls
from solvent.lift.rewrite.context import Unit
from solvent.lift.rewrite.expressions import Expressions
from solvent.lift.rewrite.functions import Functions
from solvent.lift.rewrite.loops import Loops
from solvent.lift.rewrite.operators import Operators
from solvent.lift.rewrite.trying import Trying


class FunctionRewriter(
    Functions, Trying, Loops, Branches, Assignments, Operators, Calls, Expressions
):
    """Rewrites the body of one function, and the functions inside of it."""


__all__ = ["FunctionRewriter", "Unit"]
