"""The engines by name, and the choice between them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from solvent.btor2.bmc import Progress, bmc
from solvent.btor2.errors import ModelError
from solvent.btor2.ic3 import ENGINE as IC3
from solvent.btor2.ic3 import ic3
from solvent.btor2.kinduction import kinduction
from solvent.btor2.liveness import back_to, to_safety
from solvent.btor2.program import Program
from solvent.btor2.results import Finding, Result, Verdict
from solvent.btor2.solving import Deadline, OutOfTime
from solvent.btor2.syntax import Model
from solvent.terms.sorts import ArraySort

ENGINES = ("auto", "bmc", "kind", "ic3")
DEFAULT_BOUND = 200
# How far `auto` goes with k-induction, and how many seconds it gives IC3 if there is no limit.
_SHORT = 8
_SECONDS = 20.0


def check(
    model: Model,
    *,
    kmax: int = DEFAULT_BOUND,
    kmin: int = 0,
    engine: str = "auto",
    find_all: bool = False,
    solver: str | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Result:
    """Check all properties of a model: its bad states, and its justice properties.

    * `bmc` looks for executions of `kmin` to `kmax` steps;
    * `kind` is k-induction with k up to `kmax`;
    * `ic3` proves or refutes without a bound, for models without arrays;
    * `auto` takes k-induction, IC3 and bounded checking in turn, and only the last if there are
      arrays.

    Without `find_all` the search ends with the first violation.

    >>> from solvent.btor2 import parse
    >>> result = check(parse("1 sort bitvec 1\\n2 input 1 x\\n3 bad 2 set"))
    >>> print(result.findings[0], result.witnesses[0], sep="\\n", end="")
    b0 (set) is violated at time 0
    sat
    b0
    #0
    @0
    0 1 x@0
    .
    """
    if engine not in ENGINES:
        raise ModelError(f"there is no engine {engine!r}; known are {', '.join(ENGINES)}")
    started = time.perf_counter()
    run = _Run(kmax, kmin, engine, find_all, solver, Deadline(timeout), progress)
    findings = run.bads(Program(model)) if model.bads else []
    for justice in range(len(model.justices)):
        if not find_all and any(one.verdict is Verdict.VIOLATED for one in findings):
            findings.append(Finding(f"j{justice}", model.justices[justice].symbol))
            findings[-1].reason = "it was not checked, as another property is violated"
            continue
        changed = to_safety(model, justice)
        found = run.bads(Program(changed))[0]
        findings.append(back_to(model, justice, changed, found))
    return Result(findings, time.perf_counter() - started)


class _Run:
    """One call of `check`: its settings."""

    def __init__(
        self,
        kmax: int,
        kmin: int,
        engine: str,
        find_all: bool,
        solver: str | None,
        deadline: Deadline,
        progress: Progress | None,
    ) -> None:
        self.kmax = kmax
        self.kmin = kmin
        self.engine = engine
        self.find_all = find_all
        self.solver = solver
        self.deadline = deadline
        self.progress = progress

    def bads(self, program: Program) -> list[Finding]:
        """What is known about the bad states of a program."""
        everything = list(range(len(program.bads)))
        if self.engine == "bmc" or (self.engine == "auto" and _in_arrays(program)):
            return self._bmc(program, everything)
        if self.engine == "kind":
            return self._induction(program, everything, self.kmax)
        if self.engine == "ic3":
            return self._ic3(program, everything, self.deadline)
        return self._auto(program, everything)

    def _bmc(self, program: Program, properties: Sequence[int]) -> list[Finding]:
        return bmc(
            program,
            self.kmax,
            self.kmin,
            find_all=self.find_all,
            properties=properties,
            solver=self.solver,
            deadline=self.deadline,
            progress=self.progress,
        )

    def _induction(self, program: Program, properties: Sequence[int], kmax: int) -> list[Finding]:
        return kinduction(
            program,
            kmax,
            find_all=self.find_all,
            properties=properties,
            solver=self.solver,
            deadline=self.deadline,
            progress=self.progress,
        )

    def _ic3(
        self, program: Program, properties: Sequence[int], deadline: Deadline
    ) -> list[Finding]:
        findings = []
        ended = False
        for k in properties:
            if ended:
                finding = Finding(f"b{k}", program.model.bads[k].symbol, engine=IC3)
                finding.reason = "it was not checked, as another property is violated"
            else:
                finding = ic3(
                    program, k, solver=self.solver, deadline=deadline, progress=self.progress
                )
                ended = finding.verdict is Verdict.VIOLATED and not self.find_all
            findings.append(finding)
        return findings

    def _auto(self, program: Program, properties: Sequence[int]) -> list[Finding]:
        """Short induction, then IC3 for a while, then bounded checking of what is still open."""
        findings = dict(
            zip(
                properties,
                self._induction(program, properties, min(_SHORT, self.kmax)),
                strict=True,
            )
        )
        for stage in (self._ic3_for_a_while, self._bmc):
            if self._is_settled(findings.values()):
                break
            undecided = (Verdict.BOUNDED, Verdict.UNKNOWN)
            rest = [k for k, finding in findings.items() if finding.verdict in undecided]
            for k, finding in zip(rest, stage(program, rest), strict=True):
                if finding.verdict is not Verdict.UNKNOWN or finding.depth > findings[k].depth:
                    findings[k] = finding
        return list(findings.values())

    def _is_settled(self, findings: Iterable[Finding]) -> bool:
        verdicts = [finding.verdict for finding in findings]
        if Verdict.VIOLATED in verdicts and not self.find_all:
            return True
        return all(verdict in (Verdict.VIOLATED, Verdict.HOLDS) for verdict in verdicts)

    def _ic3_for_a_while(self, program: Program, properties: Sequence[int]) -> list[Finding]:
        try:
            left = self.deadline.left()
            seconds = _SECONDS if left is None else left / 3
            return self._ic3(program, properties, Deadline(seconds))
        except (ModelError, OutOfTime) as error:
            return [Finding(f"b{k}", reason=str(error)) for k in properties]


def _in_arrays(program: Program) -> bool:
    """Whether the properties depend on arrays."""
    cone = program.cone([*program.bads, *program.constraints])
    arrays = (place for place in program.states if place in cone)
    return any(isinstance(program.sorts[place], ArraySort) for place in arrays)
