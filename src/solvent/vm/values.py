"""What lifted programs compute with.

A program under test may use any Python object where it may use another, and so may what runs it:
a `Value` is any object, a term or a union.  Type checkers know as little about one as Python does;
where more is known, the types say it: a `Guard` is a condition, a `Term` a symbolic value.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from solvent.terms.kinds import Guard

# Any object of the program, or what stands for one.
Value: TypeAlias = Any

# Local variables of a function, in the order in which it names them.
Values = tuple[Value, ...]

# A guard and what holds under it; choices are tried in their order.
Choice = tuple[Guard, Value]

__all__ = ["Choice", "Guard", "Value", "Values"]
