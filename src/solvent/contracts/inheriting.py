"""Contracts that a method inherits from the methods that it overrides, as PEP 316 has it.

Its callers may know only the class above: what satisfies the preconditions there, or its own, must
be accepted, and all postconditions hold.

>>> class Above:
...     def f(self, x):
...         "post: _ > x"
>>> class Below(Above):
...     def f(self, x):
...         return x
>>> [str(one) for one in inherited(None, Below.f, Below).posts]
['postcondition `_ > x`']
"""

from __future__ import annotations

from types import FunctionType

from solvent.contracts import pep316
from solvent.contracts.model import Contract
from solvent.contracts.sources import innermost
from solvent.errors import NotLiftedError
from solvent.vm.values import Value

# How objects are made is the matter of each class.
_OWN = ("__init__", "__new__", "__post_init__")


def inherited(own: Contract | None, function: Value, cls: type) -> Contract | None:
    """The contract of a method in a docstring, with what it inherits."""
    if type(function) is not FunctionType or function.__name__ in _OWN:
        return own
    for base in cls.__mro__[1:]:
        above = vars(base).get(function.__name__)
        # It may have been lifted in place, or have another wrapper around it.
        above = innermost(above.fget if isinstance(above, property) else above)
        if type(above) is FunctionType and above is not function:
            found = pep316.contract_of(above)
            if found is not None:
                own = _joined(own, found, function)
    return own


def _joined(own: Contract | None, above: Contract, function: FunctionType) -> Contract:
    _check_names(above, function)
    found = own or pep316.empty_contract(function)
    weaker = [group for group in (*above.groups, *found.groups) if group]
    found.groups = weaker or [[]]
    known = {one.name for one in found.snapshots}
    found.snapshots += [one for one in above.snapshots if one.name not in known]
    found.posts += above.posts
    found.raises = found.raises or above.raises
    return found


def _check_names(above: Contract, function: FunctionType) -> None:
    """Refuse conditions about parameters that the overriding method calls otherwise."""
    results = pep316.results_of(function)
    known = {*pep316.parameters_of(function), *results, pep316.OLD}
    # A name of the result above that is a parameter here, or the other way round.
    known -= set(results) ^ {name for name in above.result_names if name in pep316.RESULTS}
    for condition in above.conditions():
        for name in condition.wanted:
            if name not in known:
                problem = (
                    f"`{name}` means something else there"
                    if name in pep316.RESULTS
                    else f"has no parameter `{name}`"
                )
                raise NotLiftedError(
                    f"{condition.place}: `{function.__qualname__}` inherits this contract, and "
                    f"{problem}"
                )
