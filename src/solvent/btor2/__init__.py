"""BTOR2: models of bit-precise systems, their simulation, checking and witnesses."""

from solvent.btor2.answers import ModelAnswer, PropertyAnswer
from solvent.btor2.bmc import bmc
from solvent.btor2.builder import Builder
from solvent.btor2.engines import ENGINES, check
from solvent.btor2.errors import Btor2Error, ModelError, WitnessError
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.ic3 import ic3
from solvent.btor2.kinduction import kinduction
from solvent.btor2.liveness import to_safety
from solvent.btor2.parser import parse, parse_file
from solvent.btor2.printer import print_model
from solvent.btor2.replay import Claim, Replay, replay
from solvent.btor2.simulate import Simulator, Step, at_random, from_rows
from solvent.btor2.syntax import Model, Node
from solvent.btor2.system import to_system
from solvent.btor2.transitions import Property, State, TransitionSystem
from solvent.btor2.witness import (
    Assignment,
    Constraint,
    Frame,
    Read,
    Witness,
    input_string,
    memory_constraints,
    reads,
)
from solvent.btor2.witness_parser import parse_witness, parse_witness_file, parse_witnesses

__all__ = [
    "ENGINES",
    "Assignment",
    "Btor2Error",
    "Builder",
    "Claim",
    "Constraint",
    "Evaluator",
    "Frame",
    "Model",
    "ModelAnswer",
    "ModelError",
    "Node",
    "Property",
    "PropertyAnswer",
    "Read",
    "Replay",
    "Simulator",
    "State",
    "Step",
    "TransitionSystem",
    "Witness",
    "WitnessError",
    "at_random",
    "bmc",
    "check",
    "from_rows",
    "ic3",
    "input_string",
    "kinduction",
    "memory_constraints",
    "parse",
    "parse_file",
    "parse_witness",
    "parse_witness_file",
    "parse_witnesses",
    "print_model",
    "reads",
    "replay",
    "to_safety",
    "to_system",
]
