"""The exceptions for contracts that nobody checks while the program runs, such as docstrings.

A contract of a library is violated with the exception of that library.
"""

from __future__ import annotations


class ContractViolation(AssertionError):
    """A contract that does not hold.

    >>> issubclass(PostconditionViolation, AssertionError)
    True
    """


class PreconditionViolation(ContractViolation):
    """A function is called with arguments that its precondition excludes."""


class PostconditionViolation(ContractViolation):
    """A function ends with what its postcondition excludes."""


class InvariantViolation(ContractViolation):
    """An object is not as the invariant of its class says."""


VIOLATIONS: dict[str, type[ContractViolation]] = {
    "precondition": PreconditionViolation,
    "postcondition": PostconditionViolation,
    "invariant": InvariantViolation,
}
