"""Contracts that programs have already: PEP 316 docstrings, icontract, deal, annotated-types.

Each library has a module that reads its contracts into one small common type (`model`), from the
objects that the library leaves and from the source.  A precondition is assumed of the function
under check (`subjects`) and asserted where a function is called (`guards`); a postcondition is
asserted; an invariant holds before and after each public method.  What the library itself checks
while the program runs is confirmed by the library; what nobody checks, such as a docstring, is
evaluated here, in the symbolic run and in CPython (`enforcing`).
"""

from solvent.vm.own import own

own(__file__)
