"""Rewriting a function so that it can run on symbolic values.

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

`x` and `y` are the local variables that the branches assign, except those that inner functions
refer to, which are kept in the journal.  Variables that may be unbound hold `UNBOUND` from the
start, and reading them is checked.

A region that paths may leave early has a scope (`solvent.vm.scopes`): a function with a `return`
inside of another statement, a loop, an iteration with a `continue`.  Its variable is None until a
fork or a `try` inside of it opens the scope before its paths part, or until the test of the loop or
an item of it is symbolic.  As long as it is None, `return`, `break` and `continue` just leave;
afterwards the path is recorded in the scope, whose end merges the paths that left.  Out of a `try`
with `finally` they leave as an exception, `Leave`, so that the clause runs first.
"""

from __future__ import annotations

from solvent.lift.rewrite.assignments import Assignments
from solvent.lift.rewrite.branches import Branches
from solvent.lift.rewrite.calls import Calls
from solvent.lift.rewrite.context import Unit
from solvent.lift.rewrite.expressions import Expressions
from solvent.lift.rewrite.functions import Functions
from solvent.lift.rewrite.loops import Loops
from solvent.lift.rewrite.managing import Managing
from solvent.lift.rewrite.operators import Operators


class FunctionRewriter(
    Functions, Managing, Loops, Branches, Assignments, Operators, Calls, Expressions
):
    """Rewrites the body of one function, and the functions inside of it."""


__all__ = ["FunctionRewriter", "Unit"]
