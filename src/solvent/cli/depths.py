"""`solvent btor2 check --split`: bounded model checking with one length of executions a piece.

A property holds up to a time only if all pieces up to it say so; an execution that a piece has
found is simulated here before it counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from solvent.btor2 import check, parse, parse_witness, replay
from solvent.btor2.answers import ModelAnswer, PropertyAnswer
from solvent.btor2.bmc import ENGINE, first_answer
from solvent.btor2.syntax import Model
from solvent.btor2.witness import Witness
from solvent.cli.common import InputError
from solvent.cli.spreading import limits_of, spread
from solvent.errors import SolventError
from solvent.units.unit import Reply, Tell, Unit
from solvent.verdicts import Verdict
from solvent.verdicts.rendering import Json


@dataclass(slots=True)
class _Property:
    """What is known about a property, depth by depth."""

    label: str
    closed: set[int] = field(default_factory=set)
    violated: dict[int, Witness] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)

    @property
    def first(self) -> int | None:
        """The least depth at which it is known to be violated."""
        return min(self.violated, default=None)

    def answer(
        self, begun: PropertyAnswer, kmin: int, kmax: int, last: int | None
    ) -> PropertyAnswer:
        """What the pieces amount to, those up to the last one that matters.

        Others may have been examined or not, depending on who was faster.
        """
        bound = kmin - 1
        while bound + 1 in self.closed and (last is None or bound < last):
            bound += 1
        begun = replace(begun, engine=ENGINE, bound=None if bound < kmin else bound)
        if self.first is not None:
            witness = self.violated[self.first]
            return replace(begun, verdict=Verdict.VIOLATED, time=self.first, witness=witness)
        if bound >= kmax:
            return replace(begun, verdict=Verdict.BOUNDED, bound=kmax)
        reason = "; ".join(dict.fromkeys(self.reasons)) or "some lengths were not examined"
        return replace(begun, reason=reason)


def check_depths(model: Model, text: str, options: argparse.Namespace) -> ModelAnswer:
    """Check the bad states of a model, each length of executions as a unit of work."""
    if model.justices:
        raise InputError(f"{options.file}: --split is for bad states, not for justice properties")
    if options.engine != "bmc":
        raise InputError("--split is for --engine bmc: other engines have no depths to divide")
    known = [_Property(f"b{number}") for number in range(len(model.bads))]
    answered: set[int] = set()

    def first() -> int | None:
        """From which depth on nothing matters any more."""
        if options.all:
            return None
        return min((one.first for one in known if one.first is not None), default=None)

    def units() -> Iterator[Unit]:
        for depth in range(options.kmin, options.kmax + 1):
            found = first()
            if found is not None and depth > found:
                return
            data: Json = {
                "model": text,
                "depth": depth,
                "solver": options.solver,
                "timeout": options.timeout,
            }
            limit = None if options.timeout is None else 2 * options.timeout + 20
            yield Unit("depth", f"time {depth}", data, limits=limits_of(options, limit))

    with spread(options, ["btor2 check", options.file]) as doing:
        for index, _, reply in doing(units()):
            depth = options.kmin + index
            _take(model, known, depth, reply)
            answered.add(depth)
            found = first()
            if found is not None and all(one in answered for one in range(options.kmin, found)):
                break
    begun = [first_answer(model, number) for number in range(len(model.bads))]
    answers = [
        one.answer(start, options.kmin, options.kmax, first())
        for one, start in zip(known, begun, strict=True)
    ]
    return ModelAnswer.of(answers, options.work.deadline.spent())


def _take(model: Model, known: list[_Property], depth: int, reply: Reply) -> None:
    """What the piece of a depth says about each property; what it does not say stays open."""
    rows = {} if reply.answer is None else reply.answer
    for one in known:
        row = rows.get(one.label)
        if not isinstance(row, dict) or rows.get("depth") != depth:
            one.reasons.append(reply.problem or f"time {depth}: there is no answer")
        elif row.get("verdict") in (Verdict.BOUNDED.value, Verdict.HOLDS.value):
            one.closed.add(depth)
        elif row.get("verdict") == Verdict.VIOLATED.value:
            witness = _confirmed(model, one.label, depth, str(row.get("witness", "")))
            if witness is None:
                one.reasons.append(f"time {depth}: an execution was not confirmed")
            else:
                one.violated[depth] = witness
        else:
            one.reasons.append(f"time {depth}: {row.get('reason')}")


def _confirmed(model: Model, label: str, depth: int, text: str) -> Witness | None:
    """An execution that does what is said of it."""
    try:
        witness = parse_witness(text)
        found = replay(model, witness)
    except SolventError:
        return None
    holds = any(claim.property == label and claim.holds for claim in found.claims)
    return witness if holds and len(witness.frames) == depth + 1 else None


def perform(data: Json, tell: Tell) -> Json:
    """Look for executions of one length.

    >>> model = "1 sort bitvec 1\\n2 input 1 x\\n3 bad 2 set"
    >>> found = perform({"model": model, "depth": 1, "solver": None, "timeout": None}, print)
    looking at time 1
    >>> found["b0"]["verdict"]
    'violated'
    """
    depth = int(str(data["depth"]))
    tell(f"looking at time {depth}")
    timeout, solver = data["timeout"], data["solver"]
    found = check(
        parse(str(data["model"])),
        kmax=depth,
        kmin=depth,
        engine="bmc",
        find_all=True,
        solver=None if solver is None else str(solver),
        timeout=None if timeout is None else float(str(timeout)),
    )
    rows: Json = {"depth": depth}
    for one in found.answers:
        rows[one.label] = {
            "verdict": one.verdict.value,
            "reason": one.reason,
            "witness": "" if one.witness is None else str(one.witness),
        }
    return rows
