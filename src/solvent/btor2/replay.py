"""Running a model on a witness: does what the witness claims really happen?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from solvent.btor2.errors import ModelError
from solvent.btor2.evaluator import Evaluator
from solvent.btor2.simulate import Simulator, Step
from solvent.btor2.syntax import AnySort, Model, Node
from solvent.btor2.traces import lasso
from solvent.btor2.witness import Assignment, Frame, Witness
from solvent.terms.sorts import ArraySort, BitVecSort


@dataclass(slots=True)
class Claim:
    """A property of a witness: whether the execution has it, and when or why not."""

    property: str
    holds: bool
    explanation: str


@dataclass(slots=True)
class Replay:
    """What became of a witness on its model."""

    claims: list[Claim] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether all claims do."""
        return all(claim.holds for claim in self.claims)


def replay(model: Model, witness: Witness) -> Replay:
    """Simulate a model on a witness; what it does not say is zero.

    >>> from solvent.btor2 import parse, parse_witness
    >>> model = parse("1 sort bitvec 1\\n2 input 1 x\\n3 bad 2")
    >>> replay(model, parse_witness("sat\\nb0\\n@0\\n0 1\\n.")).claims
    [Claim(property='b0', holds=True, explanation='at time 0')]
    """
    evaluator = Evaluator(model)
    for frame in witness.frames:
        _check_frame(model, frame)
    simulator = Simulator(
        evaluator,
        lambda position, time: _value(witness.frames[time].inputs, position, model.inputs),
        lambda position, time: (
            _value(witness.frames[time].states, position, model.states)
            if time < len(witness.frames)
            else None
        ),
    )
    steps = list(simulator.run(len(witness.frames)))
    claims = [_claim(evaluator, one, steps) for one in witness.properties]
    return Replay(claims, steps)


def _claim(evaluator: Evaluator, name: str, steps: Sequence[Step]) -> Claim:
    model = evaluator.model
    kind, number = name[0], int(name[1:])
    known = len(model.bads if kind == "b" else model.justices)
    if number >= known:
        what = "bad states" if kind == "b" else "justice properties"
        raise ModelError(f"the witness claims {name}, but the model has {known} {what}")
    if not steps:
        return Claim(name, False, "the witness has no frames")
    for step in steps:
        for position, holds in enumerate(step.constraints):
            if not holds:
                return Claim(
                    name, False, f"constraint {position} does not hold at time {step.time}"
                )
    if kind == "j":
        start = lasso(evaluator, steps, number)
        if start is None:
            return Claim(name, False, "the last state is not one from which all is repeated")
        return Claim(name, True, f"repeated from time {start} to {steps[-1].time}")
    # A bad state is reached by the last frame; earlier is as good.
    times = [step.time for step in steps if step.bads[number]]
    if not times:
        return Claim(name, False, f"it does not hold at any time from 0 to {steps[-1].time}")
    return Claim(name, True, f"at time {times[-1]}")


def _check_frame(model: Model, frame: Frame) -> None:
    for kind, nodes, given in (
        ("state", model.states, frame.states),
        ("input", model.inputs, frame.inputs),
    ):
        for one in given:
            if one.position >= len(nodes):
                raise ModelError(
                    f"the witness has {kind} {one.position} at time {frame.time}, "
                    f"but the model has {len(nodes)}"
                )
            _check_width(kind, nodes[one.position], one, frame.time)


def _check_width(kind: str, node: Node, one: Assignment, time: int) -> None:
    sort = node.sort
    where = f"{kind} {one.position} at time {time}"
    if one.index is not None:
        if not isinstance(sort, ArraySort):
            raise ModelError(f"{where} is no array, but the witness has an index for it")
        _check_bits(where, "index", sort.index, one.index)
        sort = sort.element
    elif isinstance(sort, ArraySort):
        raise ModelError(f"{where} is an array, but the witness has no index for it")
    _check_bits(where, "value", sort, one.bits)


def _check_bits(where: str, what: str, sort: AnySort | None, bits: str) -> None:
    if isinstance(sort, BitVecSort) and len(bits) != sort.width:
        raise ModelError(f"the {what} of {where} has {sort.width} bits, not {len(bits)}")


def _value(
    given: Sequence[Assignment], position: int, nodes: Sequence[Node]
) -> int | dict[int, int] | None:
    found = [one for one in given if one.position == position]
    if isinstance(nodes[position].sort, ArraySort):
        return {int(one.index, 2): one.value for one in found if one.index is not None}
    return found[-1].value if found else None
