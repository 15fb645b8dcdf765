"""Running SMT-LIB scripts: each command that asks something gives one response."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from solvent.errors import SmtLibError, SolverError
from solvent.solvers.solver import Solver
from solvent.solvers.status import Status
from solvent.terms.functions import FunctionSymbol
from solvent.terms.kinds import Concrete, Guard, Operand
from solvent.terms.model import Constant, Model
from solvent.terms.smtlib import DefinedFunction
from solvent.terms.smtlib import commands as c
from solvent.terms.smtlib.reader import Script
from solvent.terms.smtlib.writer import Writer, to_smtlib
from solvent.terms.values import FunctionValue

# A time limit has at most so many digits.
_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Response:
    """What a command answers: its text as solvers print it, and the same as data."""

    command: str
    text: str
    data: dict[str, Any] = field(default_factory=dict)


class ScriptRunner:
    """Runs the commands of a script on a solver.

    >>> from solvent.terms.smtlib import read_script
    >>> script = read_script("(declare-const x Int) (assert (> (* x x) 30)) (check-sat)")
    >>> with Solver() as solver:
    ...     [response.text for response in ScriptRunner(script, solver).run()]
    ['sat']
    """

    def __init__(self, script: Script, solver: Solver) -> None:
        self._script = script
        self._solver = solver
        self._wants_cores = False
        # Named assertions by frame: they are assumed in each check, so that a core can name them.
        self._named: list[list[tuple[str, Guard]]] = [[]]
        self._assumptions: list[tuple[str, Guard]] = []
        self._declared: list[Constant] = []

    def run(self) -> Iterator[Response]:
        """Run all commands up to `exit`."""
        for command in self._script.commands:
            if isinstance(command, c.Exit):
                return
            try:
                response = self._run(command)
            except SolverError as error:
                raise SmtLibError(
                    str(error), command.line, command.column, self._script.source
                ) from error
            if response is not None:
                yield response

    def _run(self, command: c.Command) -> Response | None:
        match command:
            case c.SetOption(name="produce-unsat-cores", value="true"):
                self._wants_cores = True
            case c.SetOption(name="timeout", value=value) if value.isdigit() and value.strip("0"):
                # Z3's option, in milliseconds; what has more digits is no limit.
                self._solver.timeout = int(value) / 1000 if len(value) <= _DIGITS else None
            case c.DeclareConst(constant=declared) | c.DeclareFun(function=declared):
                self._declared.append(declared)
            case c.Assert(term=term, name=name):
                if name is not None and self._wants_cores:
                    self._named[-1].append((name, term))
                else:
                    self._solver.add(term)
            case c.Push(levels=levels):
                for _ in range(levels):
                    self._solver.push()
                    self._named.append([])
            case c.Pop(levels=levels):
                self._solver.pop(levels)
                del self._named[len(self._named) - levels :]
            case c.Minimize(term=term):
                self._solver.minimize(term)
            case c.Maximize(term=term):
                self._solver.maximize(term)
            case c.Reset() | c.ResetAssertions():
                self._solver.reset()
                self._named = [[]]
                if isinstance(command, c.Reset):
                    self._declared = []
            case c.CheckSat():
                return self._check([])
            case c.CheckSatAssuming(terms=terms):
                return self._check([(to_smtlib(term), term) for term in terms])
            case _:
                return self._answer(command)
        return None

    def _answer(self, command: c.Command) -> Response | None:
        match command:
            case c.GetModel():
                return self._model()
            case c.GetValue(terms=terms, texts=texts):
                model = self._solver.model()
                values = [model.evaluate(term) for term in terms]
                pairs = " ".join(
                    f"({text} {_written(term, value)})"
                    for text, term, value in zip(texts, terms, values, strict=True)
                )
                return Response("get-value", f"({pairs})", dict(zip(texts, values, strict=True)))
            case c.GetUnsatCore() | c.GetUnsatAssumptions():
                core = self._solver.unsat_core()
                names = [
                    name for name, term in self._assumptions if any(term is found for found in core)
                ]
                return Response("get-unsat-core", f"({' '.join(names)})", {"core": names})
            case c.GetAssertions():
                texts = tuple(to_smtlib(term) for term in self._solver.assertions)
                return Response("get-assertions", f"({' '.join(texts)})", {"assertions": texts})
            case c.GetInfo(name="reason-unknown"):
                return Response("get-info", f'(:reason-unknown "{self._solver.reason}")')
            case c.Echo(text=text):
                return Response("echo", text, {"text": text})
            case c.GetInfo() | c.GetOption() | c.GetProof() | c.GetAssignment():
                return Response("unsupported", "unsupported")
        return None

    def _check(self, assumptions: list[tuple[str, Guard]]) -> Response:
        named = [pair for frame in self._named for pair in frame]
        self._assumptions = [*named, *assumptions]
        status = self._solver.check(*(term for _, term in self._assumptions))
        checked = self._solver.checked
        data: dict[str, Any] = {
            "status": str(status),
            "solver": checked.solver,
            "seconds": round(checked.seconds, 6),
        }
        if status == Status.UNKNOWN:
            data["reason"] = checked.reason
        return Response("check-sat", str(status), data)

    def _model(self) -> Response:
        model = self._solver.model()
        complete = Model({d: model.internal(d) for d in self._declared}, model.inexact)
        return Response("get-model", model_text(complete), {"model": complete.to_dict()})


def _written(term: Operand, value: Concrete) -> str:
    sort = getattr(term, "sort", None)
    return Writer().value_text(sort.require(value) if sort is not None else value)


def model_text(model: Model) -> str:
    """A model as solvers print it.

    >>> from solvent.terms import Int
    >>> print(model_text(Model({Int("x"): -3})))
    (
      (define-fun x () Int (- 3))
    )
    """
    writer = Writer()
    lines = ["("]
    for key in model:
        value = model.internal(key)
        if isinstance(key, FunctionSymbol):
            lines.append(_function_text(writer, key, value))
        else:
            text = writer.value_text(value)
            sort = writer.sort_text(key.sort)
            lines.append(f"  (define-fun {writer.name_of(key)} () {sort} {text})")
    return "\n".join([*lines, ")"])


def _function_text(
    writer: Writer, function: FunctionSymbol, value: FunctionValue | DefinedFunction
) -> str:
    if isinstance(value, DefinedFunction):
        names = [writer.name_of(parameter) for parameter in value.parameters]
        body = to_smtlib(value.body, writer)
    else:
        names = [f"x!{k}" for k in range(len(function.domain))]
        body = _table_text(writer, function, names, value)
    parameters = " ".join(
        f"({name} {writer.sort_text(sort)})"
        for name, sort in zip(names, function.domain, strict=True)
    )
    range_ = writer.sort_text(function.range)
    return f"  (define-fun {writer.name_of(function)} ({parameters}) {range_} {body})"


def _table_text(
    writer: Writer, function: FunctionSymbol, names: list[str], value: FunctionValue
) -> str:
    body = writer.value_text(value.range.require(value.default))
    for args, result in reversed(value.table.items()):
        tests = [
            f"(= {name} {writer.value_text(sort.require(arg))})"
            for name, sort, arg in zip(names, function.domain, args, strict=True)
        ]
        test = tests[0] if len(tests) == 1 else f"(and {' '.join(tests)})"
        body = f"(ite {test} {writer.value_text(value.range.require(result))} {body})"
    return body
