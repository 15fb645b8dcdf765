"""Verification conditions: section 2 of "From Program to Logic".

Loops are cut by their invariants and calls by contracts, the procedure is made passive, and each
block becomes an equation for a Boolean constant: OK_b is the weakest precondition of the block for
no assertion to fail from there on (figure 2).  If the equations imply OK of the first block, no
assertion can fail.  Otherwise invariants or contracts may just be too weak: only what fails in an
execution as well is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from solvent.logic import notation
from solvent.logic.branches import given_input
from solvent.logic.concolic import Outcome, Runner, confirmed
from solvent.logic.flat import Flat, flatten_deep, with_called
from solvent.logic.method import (
    Decision,
    Failure,
    Limits,
    Questions,
    Report,
    Section,
    clipped,
)
from solvent.reach.loops import cut
from solvent.reach.modular import (
    ProcedureAnswer,
    Value,
    Verification,
    Violation,
    by_contract,
    with_contract,
)
from solvent.reach.passive import Passive, PassiveBlock, Statement, passify
from solvent.reach.program import NOWHERE, Block, Havoc, Position, Procedure, Program
from solvent.terms import Bool, size
from solvent.terms.kinds import Concrete
from solvent.terms.model import Constant, Model
from solvent.terms.values import FunctionValue
from solvent.verdicts import OutOfTime, Verdict

# How deep calls are followed to see whether a violation is an execution.
DEPTH = 20


class VerificationConditions:
    """The method of section 2."""

    name = "vc"

    def analyse(self, program: Program, main: str, limits: Limits) -> Report:
        """Verify a procedure and all that it calls, each against its contract."""
        questions = Questions(limits)
        reachable = with_called(program, main)
        passive = passive_form(program, main)
        sections = printed(passive, limits)
        found: Failure | None = None
        reasons: list[str] = []
        try:
            for name in [main, *(name for name in reachable.procedures if name != main)]:
                if not program.procedures[name].blocks:
                    continue
                verified, verification = self.verified(program, name, questions)
                reasons += _described(verified)
                if name == main and verified.violations:
                    found = executed(program, main, verification, questions)
                if found is not None:
                    break
        except OutOfTime as stop:
            reasons.append(str(stop))
        reasons += _unchecked(reachable, main)
        verdict = Verdict.VIOLATED if found else Verdict.UNKNOWN if reasons else Verdict.HOLDS
        reason = "the verification conditions are valid"
        if found is not None:
            reason = "the verification condition is not valid"
        elif reasons:
            reason = "; ".join(reasons) + " (an invariant or contract may be too weak)"
        answer = Decision(verdict=verdict, reason=reason, failure=found)
        return questions.report(self.name, answer, sections)

    def verified(
        self, program: Program, name: str, questions: Questions
    ) -> tuple[ProcedureAnswer, _Recording]:
        """Check the verification condition of a procedure."""
        verification = _Recording(
            program, passive_form(program, name), timeout=questions.deadline.check()
        )
        try:
            result = verification.run()
        finally:
            verification.close()
        questions.statistics.calls += result.checks
        terms = size(verification.equations.formula)
        questions.statistics.terms = max(questions.statistics.terms, terms)
        return result, verification


def _unchecked(program: Program, main: str) -> list[str]:
    """The contracts that callers or callees rely on, but that nobody checks."""
    return [
        f"{clause.where}: a contract of {name} is free, so nobody checks it"
        for name, procedure in program.procedures.items()
        if name != main and procedure.where != NOWHERE
        for clause in (*procedure.requires, *procedure.ensures)
        if clause.free
    ]


def _described(verified: ProcedureAnswer) -> list[str]:
    found = [f"{one.where}: {one.message}" for one in verified.violations]
    return [*found, verified.reason] if verified.reason else found


# --- passive form ------------------------------------------------------------------------------


def passive_form(program: Program, name: str) -> Passive:
    """A procedure with its contract, without loops, calls, and blocks that do nothing."""
    procedure = with_contract(cut(program.procedure(name), program))
    return passify(tidied(procedure), program, by_contract(program))


def tidied(procedure: Procedure) -> Procedure:
    """The procedure without blocks that have nothing but a `goto` to one other.

    >>> blocks = [Block("a", (), ("b",)), Block("b", (), ("c",)), Block("c", (), ())]
    >>> list(tidied(Procedure("p", blocks={one.label: one for one in blocks})).blocks)
    ['c']
    """
    blocks = procedure.blocks
    leads: dict[str, str] = {
        label: block.targets[0]
        for label, block in blocks.items()
        if not block.commands and len(block.targets) == 1 and block.targets[0] != label
    }

    def end(label: str) -> str:
        while label in leads:
            label = leads[label]
        return label

    entry = end(procedure.entry)
    order = [entry, *(label for label in blocks if label != entry and label not in leads)]
    kept: dict[str, Block] = {
        label: replace(blocks[label], targets=tuple(dict.fromkeys(map(end, blocks[label].targets))))
        for label in order
    }
    return replace(procedure, blocks=kept)


# --- the figure --------------------------------------------------------------------------------


def printed(passive: Passive, limits: Limits) -> tuple[Section, ...]:
    """Figure 2: the passive form, the block equations, and the verification condition."""
    return (
        Section("Passive form", clipped(passive_lines(passive), limits)),
        Section("Block equations", clipped(equation_lines(passive), limits)),
        Section("VC", condition_line(passive)),
    )


def passive_lines(passive: Passive) -> list[str]:
    """The upper half of figure 2."""
    procedure = passive.procedure
    width = max(len(label) for label in passive.blocks) + 2
    head = f"procedure {procedure.name}({notation.declared(procedure.inputs)})"
    if procedure.outputs:
        head += f" returns ({notation.declared(procedure.outputs)})"
    lines = [head, "{"]
    for label, block in passive.blocks.items():
        parts = [_statement(one) for one in block.statements if _says_something(one)]
        parts.append(f"goto {', '.join(block.targets)};" if block.targets else "return;")
        lines.append(f"  {label + ':':<{width}}{' '.join(parts)}")
    return [*lines, "}"]


def _says_something(statement: Statement) -> bool:
    """A `havoc` is an assumption that is true."""
    return statement.is_assert or statement.condition is not True


def _statement(statement: Statement) -> str:
    return f"{'assert' if statement.is_assert else 'assume'} {_condition(statement)};"


def _condition(statement: Statement) -> str:
    return notation.oriented(statement.condition, [new for _, new in statement.values])


def equation_lines(passive: Passive) -> list[str]:
    """The block equations of figure 2, and the names of their Boolean constants."""
    width = max(len(label) for label in passive.blocks) + 4
    return [
        f"{f'BE_{label}':<{width}}: {f'OK_{label}':<{width}}= {block_equation(block)}"
        for label, block in passive.blocks.items()
    ]


def block_equation(block: PassiveBlock) -> str:
    """The weakest precondition of a block, as it is written in figure 2."""
    after = " && ".join(f"OK_{target}" for target in block.targets) or "True"
    text = f"({after})" if len(block.targets) > 1 else after
    statements = [one for one in block.statements if _says_something(one)]
    for statement in reversed(statements):
        condition = _condition(statement)
        simple = condition.replace("!", "", 1).isidentifier() or condition == "True"
        condition = condition if simple else f"({condition})"
        text = f"({condition} {'&&' if statement.is_assert else '==>'} {text})"
    if not statements or statements[0].is_assert:
        text = f"(True ==> {text})"
    return text


def condition_line(passive: Passive) -> str:
    """The verification condition: the equations imply that the first block is OK."""
    equations = " && ".join(f"BE_{label}" for label in passive.blocks)
    return f"({equations}) ==> OK_{passive.entry}"


# --- executions --------------------------------------------------------------------------------


class _Recording(Verification):
    """A verification that remembers the models of its violations, and the blocks on their ways."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.found: list[tuple[Model, list[str]]] = []

    def described(
        self,
        statement: Statement,
        blocks: list[tuple[Position, str]],
        values: list[Value],
        model: Model,
    ) -> Violation:
        """The violation in words."""
        self.found.append((model, [label for _, label in blocks]))
        return super().described(statement, blocks, values, model)


def executed(
    program: Program, main: str, verification: _Recording, questions: Questions
) -> Failure | None:
    """The first violation that is an execution of the program, if one is."""
    flat = flatten_deep(program, main, DEPTH)
    for model, labels in verification.found:
        runner = Runner(flat)
        run = runner.run(Model(_hints(verification.passive, flat, model, labels)))
        if run.outcome is Outcome.FAILED:
            found = confirmed(runner, run, questions)
            if isinstance(found, Failure):
                return found
    return None


def _hints(
    passive: Passive, flat: Flat, model: Model, labels: Sequence[str]
) -> dict[Constant, Concrete | FunctionValue]:
    """The inputs of a run that goes as a violation does, as far as the flat program knows it."""
    hints: dict[Constant, Concrete | FunctionValue] = {key: model[key] for key in model}
    way = set(labels)
    for label in labels:
        block = flat.blocks.get(label)
        if block is None:
            continue
        given = [one for one in passive.blocks[label].statements if isinstance(one.origin, Havoc)]
        havocs = [step for step in block.commands if isinstance(step, Havoc)]
        for place, step in enumerate(havocs):
            same = [one for one in given if one.where == step.where]
            for variable, incarnation in same[0].values if same else ():
                hints[given_input(variable, label, place)] = model.evaluate(incarnation)
        taken = [target for target in block.targets if target in way]
        for target in block.targets if len(taken) == 1 else ():
            hints[Bool(f"{label} to {target}")] = target == taken[0]
    return hints
