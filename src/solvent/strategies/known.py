"""Which functions are tests of Hypothesis's, told without importing it."""

from __future__ import annotations

import sys


def is_given(function: object) -> bool:
    """Whether a function is a test of Hypothesis's.

    >>> is_given(len)
    False
    """
    return getattr(function, "is_hypothesis_test", False) is True and hasattr(
        getattr(function, "hypothesis", None), "inner_test"
    )


def is_state_machine(cls: type) -> bool:
    """Whether a class is a state machine of Hypothesis's, which is a test as a whole."""
    machine = getattr(sys.modules.get("hypothesis.stateful"), "RuleBasedStateMachine", None)
    return isinstance(machine, type) and issubclass(cls, machine)
