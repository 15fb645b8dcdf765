"""Values of models as Boogie writes them.

>>> from solvent.terms import Array, ArrayValue, Bool, Int, bv
>>> print(shown(ArrayValue(Array(Int, Bool), False, {5: True})), shown(bv(255, 8)), shown(True))
[5 := true, else false] 255bv8 true
"""

from __future__ import annotations

from fractions import Fraction

from solvent.reach.objectives import wanted
from solvent.terms import BV, ArrayValue
from solvent.terms.kinds import Operand

# The variables with what a program prints: no identifier of a program contains a blank.
_RECORDED = "recorded "
_SAID = "said "


def recorded_name(number: int, text: str, alone: bool) -> str:
    """The name of a variable for a value that is shown after a text, or for the text alone."""
    return f"{_SAID if alone else _RECORDED}{number}:{text}"


def given(name: str, value: Operand) -> str:
    """What a trace says of a variable that has got a value.

    >>> given("x", 3), given(recorded_name(0, "x is ", False), 3), given("said 1:here", True)
    ('x = 3', 'x is 3', 'here')
    >>> given("inline$p$0$recorded 2:x is ", 3), given("greatest 1", 3)
    ('x is 3', 'maximized: 3')
    """
    kind, _, text = name.partition(":")
    own = kind.rpartition("$")[2]
    if own.startswith(_SAID):
        return text
    if own.startswith(_RECORDED):
        return text + shown(value)
    maximize = wanted(name)
    if maximize is not None:
        return f"{'maximized' if maximize else 'minimized'}: {shown(value)}"
    return f"{name} = {shown(value)}"


def shown(value: Operand) -> str:
    """A value as text; what Boogie has no literal for is as it is."""
    match value:
        case bool():
            return "true" if value else "false"
        case BV():
            return f"{value.value}bv{value.width}"
        case ArrayValue():
            parts = [f"{shown(key)} := {shown(item)}" for key, item in value.items.items()]
            return f"[{', '.join([*parts, f'else {shown(value.default)}'])}]"
        case Fraction():
            above, below = value.numerator, value.denominator
            return f"{above}.0" if below == 1 else f"{above}.0 / {below}.0"
        case _:
            return str(value)
