"""Z3: assertions, checks, optimisation, and the values of its models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import z3

from solvent.solvers.engines.base import Native, OutOfMemory, Unsupported
from solvent.solvers.engines.z3_terms import Z3Terms
from solvent.solvers.rows import Data, Figures, ModelData, SortCode

# How the values of parameters are read, by their kinds.
_READERS: dict[int, Callable[[str], object]] = {
    z3.Z3_PK_UINT: lambda text: abs(int(text)),
    z3.Z3_PK_DOUBLE: float,
    z3.Z3_PK_BOOL: lambda text: {"true": True, "false": False}[text.lower()],
    z3.Z3_PK_SYMBOL: str,
    z3.Z3_PK_STRING: str,
}

# From this many nodes on a query is large.
LARGE = 4_000


class Z3Engine(Z3Terms):
    """A Z3 solver; the mode is a logic such as `QF_BV`, or `simple`, `triggers`, `HORN-global`.

    With `triggers` quantifiers are instantiated by their patterns only: what these do not prove is
    unknown, soon, and the solver says which assignment it was left with.  Settings may follow after
    a blank, as in `triggers rlimit=100000`.
    """

    name = "z3"

    def __init__(self, mode: str = "") -> None:
        base, *settings = mode.split(" ")
        super().__init__(base)
        self._solver = self._make_solver()
        for setting in settings:
            self._set(setting)
        self._large = False
        self._assumptions: dict[int, int] = {}
        # Objectives with the depth of their frame, the term and whether it is maximized.
        self._objectives: list[tuple[int, Native, int, bool]] = []
        # The assertions by frame, to move them to an optimizer when one is asked for.
        self._frames: list[list[int]] = [[]]

    def _make_solver(self) -> Native:
        if not self.mode:
            return z3.Solver(ctx=self.context)
        if self.mode == "simple":
            return z3.SimpleSolver(ctx=self.context)
        if self.mode == "triggers":
            solver = z3.SimpleSolver(ctx=self.context)
            solver.set("smt.auto_config", False)
            solver.set("smt.mbqi", False)
            return solver
        if self.mode == "HORN-global":
            # Lemmas are generalized by looking at all of them, as loops with two counters need.
            solver = z3.SolverFor("HORN", ctx=self.context)
            solver.set("fp.spacer.global", True)
            return solver
        try:
            return z3.SolverFor(self.mode, ctx=self.context)
        except z3.Z3Exception as error:
            raise Unsupported(
                f"z3 has no mode {self.mode!r}; give a logic such as QF_BV"
            ) from error

    def _set(self, setting: str) -> None:
        """Set a parameter of Z3, given as `name=value`."""
        name, _, text = setting.partition("=")
        # Z3 itself would complain only when it is asked, and with all names that it knows.
        read = _READERS.get(self._solver.param_descrs().get_kind(name.removeprefix("smt.")))
        try:
            value = None if read is None else read(text)
        except (KeyError, ValueError):
            value = None
        if value is None:
            raise Unsupported(f"z3 has no parameter {name!r} with the value {text!r}")
        self._solver.set(name, value)

    @staticmethod
    def version() -> str:
        return str(z3.get_version_string())

    def push(self) -> None:
        self._frames.append([])
        self._solver.push()

    def pop(self, count: int) -> None:
        del self._frames[len(self._frames) - count :]
        self._objectives = [goal for goal in self._objectives if goal[0] <= len(self._frames)]
        for _ in range(count):
            self._solver.pop()

    def assert_formula(self, number: int) -> None:
        self._frames[-1].append(number)
        self._solver.add(self.wrap(number))

    def optimize(self, number: int, maximize: bool) -> None:
        if not isinstance(self._solver, z3.Optimize):
            self._move_to(z3.Optimize(ctx=self.context))
        goal = self.wrap(number)
        handle = self._solver.maximize(goal) if maximize else self._solver.minimize(goal)
        self._objectives.append((len(self._frames), handle, number, maximize))

    def _suit_size(self) -> None:
        """Leave the default solver, whose preprocessing of large arithmetic is quadratic."""
        if self._large or self.mode or len(self.nodes) < LARGE or self._objectives:
            return
        if not any(code[0] in ("Int", "Real") for _, code in self.constants):
            return
        self._large = True
        self._move_to(z3.SimpleSolver(ctx=self.context))

    def _move_to(self, solver: Native) -> None:
        """Continue with another kind of solver."""
        self._solver = solver
        for position, frame in enumerate(self._frames):
            if position:
                solver.push()
            for formula in frame:
                solver.add(self.wrap(formula))

    def check(self, assumptions: Sequence[int], seconds: float | None) -> tuple[str, str]:
        self._suit_size()
        self._solver.set("timeout", milliseconds(seconds))
        wrapped = [self.wrap(number) for number in assumptions]
        self._assumptions = {
            expression.get_id(): number
            for expression, number in zip(wrapped, assumptions, strict=True)
        }
        try:
            status = str(self._solver.check(*wrapped))
        except z3.Z3Exception as error:
            return "unknown", _reason(str(error))
        if status == "unknown":
            return status, _reason(self._solver.reason_unknown())
        return status, ""

    def core(self) -> list[int]:
        return [self._assumptions[expression.get_id()] for expression in self._solver.unsat_core()]

    def objectives(self) -> list[Data]:
        model = self._solver.model()
        found = []
        for _, handle, number, maximize in self._objectives:
            bound = handle.upper() if maximize else handle.lower()
            text = str(bound)
            if "oo" in text:
                found.append("unbounded")
            elif "epsilon" in text:
                found.append("not attained")
            else:
                expression = self.wrap(number)
                code = self._code_of(expression.sort())
                value = model.eval(expression, model_completion=True)
                found.append(self._value(model, value, code, []))
        return found

    def _code_of(self, sort: Native) -> SortCode:
        if sort.kind() == z3.Z3_INT_SORT:
            return ("Int",)
        if sort.kind() == z3.Z3_REAL_SORT:
            return ("Real",)
        return ("BitVec", sort.size())

    def model(self, wanted: Sequence[int] | None = None) -> ModelData:
        model = self._solver.model()
        values = []
        inexact: list[int] = []
        for number, code in self.asked(wanted):
            value = model.eval(self.wrap(number), model_completion=True)
            rounded: list[bool] = []
            values.append((number, self._value(model, value, code, rounded)))
            if rounded:
                inexact.append(number)
        functions = [
            (name, self._function_value(model, declared, domain, range_))
            for name, (declared, domain, range_) in self.functions.items()
            if wanted is None
        ]
        return values, functions, inexact

    def _value(self, model: Native, value: Native, code: SortCode, inexact: list[bool]) -> Data:
        if not _is_value(value):
            raise Unsupported(f"z3 gives a value that is no literal: {value}")
        match code[0]:
            case "Bool":
                return z3.is_true(value)
            case "Int" | "BitVec":
                return value.as_long()
            case "Real":
                if z3.is_algebraic_value(value):
                    inexact.append(True)
                    value = value.approx(30)
                fraction = Fraction(value.numerator_as_long(), value.denominator_as_long())
                return (fraction.numerator, fraction.denominator)
            case "Str":
                return _unescaped(value.as_string())
            case "Float":
                return self._float_bits(value, code)
            case "Uninterpreted":
                return self.element(code, str(value))
            case "Array":
                return self._array_value(model, value, code, inexact)
        raise Unsupported(f"z3 gives no values of sort {code[0]}")

    def _float_bits(self, value: Native, code: SortCode) -> int:
        ebits, sbits = int(code[1]), int(code[2])
        if value.isNaN():
            return ((1 << ebits) - 1) << (sbits - 1) | 1 << (sbits - 2)
        bits = z3.simplify(z3.fpToIEEEBV(value, self.context))
        return int(bits.as_long())

    def _array_value(
        self, model: Native, value: Native, code: SortCode, inexact: list[bool]
    ) -> Data:
        _, index, element = code
        stores = []
        while z3.is_store(value):
            array, at, stored = value.children()
            stores.append((at, stored))
            value = array
        if z3.is_K(value):
            default = self._value(model, value.arg(0), element, inexact)
        elif z3.is_as_array(value):
            interpretation = model[z3.get_as_array_func(value)]
            for row in reversed(interpretation.as_list()[:-1]):
                stores.append((row[0], row[1]))
            default = self._value(model, interpretation.else_value(), element, inexact)
        else:
            raise Unsupported(f"z3 gives an array that is no table: {value}")
        items = [
            (
                self._value(model, at, index, inexact),
                self._value(model, stored, element, inexact),
            )
            for at, stored in stores
        ]
        return (default, items)

    def _function_value(
        self, model: Native, declared: Native, domain: tuple[SortCode, ...], range_: SortCode
    ) -> Data:
        interpretation = None
        if z3.Z3_model_has_interp(self.context.ref(), model.model, declared.ast):
            interpretation = model[declared]
        if interpretation is None:
            arguments = [z3.Const(f"any{k}", self.sort(code)) for k, code in enumerate(domain)]
            value = model.eval(declared(*arguments), model_completion=True)
            if not z3.is_app(value) or value.num_args():
                value = model.eval(z3.Const("any", self.sort(range_)), model_completion=True)
            return (self._value(model, value, range_, []), [])
        rows = []
        for entry in range(interpretation.num_entries()):
            row = interpretation.entry(entry)
            args = tuple(
                self._value(model, row.arg_value(k), code, []) for k, code in enumerate(domain)
            )
            rows.append((args, self._value(model, row.value(), range_, [])))
        otherwise = interpretation.else_value()
        return (self._value(model, otherwise, range_, []), rows)

    def interrupt(self) -> None:
        self.context.interrupt()

    def statistics(self) -> Figures:
        statistics = self._solver.statistics()
        return {key: statistics.get_key_value(key) for key in statistics.keys()}  # noqa: SIM118


# The largest number that Z3 takes, which stands for no limit.
NO_LIMIT = (1 << 32) - 1


def milliseconds(seconds: float | None) -> int:
    """A time limit as Z3 takes it, which cuts larger numbers to 32 bits."""
    if seconds is None or seconds * 1000 >= NO_LIMIT:
        return NO_LIMIT
    return max(1, int(seconds * 1000))


def _is_value(value: Native) -> bool:
    """Whether an expression of a model is concrete, as far as its form tells."""
    return bool(
        z3.is_app(value)
        and (
            value.num_args() == 0
            or z3.is_algebraic_value(value)
            or z3.is_fp_value(value)
            or z3.is_array(value)
        )
    )


def _unescaped(text: str) -> str:
    out = []
    position = 0
    while position < len(text):
        if text.startswith("\\u{", position):
            end = text.index("}", position)
            out.append(chr(int(text[position + 3 : end], 16)))
            position = end + 1
        else:
            out.append(text[position])
            position += 1
    return "".join(out)


def _reason(text: str) -> str:
    if "timeout" in text or "canceled" in text:
        return "timeout" if "timeout" in text else "interrupted"
    if "memory" in text:
        raise OutOfMemory(text)
    return text or "incomplete"
