"""IFCL: stack machines that track information flow, and whether they keep secrets.

>>> print(verify_noninterference(MACHINES["basic"], 2))
basic: 2 steps: verified, no program leaks a secret
"""

from solvent.languages.ifcl import rules
from solvent.languages.ifcl.machine import (
    HIGH,
    LOW,
    End,
    Instruction,
    Machine,
    MachineError,
    Operation,
    Program,
    Return,
    State,
    Stuck,
    Value,
    run,
    states,
)
from solvent.languages.ifcl.machines import MACHINES
from solvent.languages.ifcl.noninterference import (
    Counterexample,
    Noninterference,
    verify_noninterference,
)

__all__ = [
    "HIGH",
    "LOW",
    "MACHINES",
    "Counterexample",
    "End",
    "Instruction",
    "Machine",
    "MachineError",
    "Noninterference",
    "Operation",
    "Program",
    "Return",
    "State",
    "Stuck",
    "Value",
    "rules",
    "run",
    "states",
    "verify_noninterference",
]
