"""The ten machines with a flaw of "Testing noninterference, quickly", and the correct ones.

>>> [name for name, machine in MACHINES.items() if not machine.flaw]
['basic', 'jump', 'call']
"""

from __future__ import annotations

from solvent.languages.ifcl import rules
from solvent.languages.ifcl.machine import Machine, Operation

_STACK = (rules.NOOP, rules.PUSH, rules.POP)
_PURE = (*_STACK, rules.ADD, rules.LOAD)


def _calls(name: str, *operations: Operation, steps: int, flaw: str = "") -> Machine:
    """A machine with calls: only runs that return from all secret ones are compared."""
    return Machine(name, operations, True, steps, flaw)


_ALL = (
    Machine(
        "B1",
        (*_STACK, rules.ADD_PUBLIC, rules.LOAD_IGNORING_ADDRESS, rules.STORE_IGNORING_ADDRESS),
        steps=3,
        flaw="Store ignores that the address is secret",
    ),
    Machine(
        "B2",
        (*_STACK, rules.ADD_PUBLIC, rules.LOAD_IGNORING_ADDRESS, rules.STORE_UPGRADING),
        steps=3,
        flaw="Store makes a public cell secret at a secret address",
    ),
    Machine(
        "B3",
        (*_STACK, rules.ADD_PUBLIC, rules.LOAD_IGNORING_ADDRESS, rules.STORE),
        steps=5,
        flaw="Add makes sums of secrets public",
    ),
    Machine(
        "B4",
        (*_STACK, rules.ADD, rules.LOAD_IGNORING_ADDRESS, rules.STORE),
        steps=7,
        flaw="Load ignores that the address is secret",
    ),
    Machine("basic", (*_PURE, rules.STORE), steps=8),
    Machine(
        "J1",
        (*_PURE, rules.STORE, rules.JUMP_PUBLIC),
        steps=6,
        flaw="Jump ignores that the target is secret",
    ),
    Machine(
        "J2",
        (*_PURE, rules.STORE, rules.JUMP_FORGETTING),
        steps=4,
        flaw="Jump makes a secret program counter public again",
    ),
    Machine("jump", (*_PURE, rules.STORE, rules.JUMP), steps=8),
    _calls(
        "CR1",
        *_PURE,
        rules.STORE,
        rules.CALL_WITHOUT_RESULT,
        rules.RETURN_AS_TOLD,
        steps=7,
        flaw="Store ignores that the program counter is secret",
    ),
    _calls(
        "CR2",
        *_PURE,
        rules.STORE_IN_CONTEXT,
        rules.CALL_WITHOUT_RESULT,
        rules.RETURN_AS_TOLD,
        steps=8,
        flaw="Return gives results of secret calls a public label",
    ),
    _calls(
        "CR3",
        *_PURE,
        rules.STORE_IN_CONTEXT,
        rules.CALL_WITHOUT_RESULT,
        rules.RETURN_LABELLED_AS_TOLD,
        steps=8,
        flaw="Return lets a secret callee decide whether there is a result",
    ),
    _calls(
        "CR4",
        *_PURE,
        rules.STORE_IN_CONTEXT,
        rules.CALL,
        rules.RETURN,
        steps=10,
        flaw="Pop removes return addresses",
    ),
    _calls(
        "call",
        rules.NOOP,
        rules.PUSH,
        rules.POP_VALUE,
        rules.ADD,
        rules.LOAD,
        rules.STORE_IN_CONTEXT,
        rules.CALL,
        rules.RETURN,
        steps=7,
    ),
)

# The machines by name.
MACHINES = {machine.name: machine for machine in _ALL}
