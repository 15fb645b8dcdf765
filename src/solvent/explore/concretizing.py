"""Concretization: values of a path's example where nothing else will do, as in DART.

There are two ways to go on where something is not lifted.  A call of code that is not lifted is
made with the values that its arguments have under the model of the path; that they have them is a
decision of the path, which a later run may take the other way: with other values.  Whatever else is
refused makes a new run necessary, in which the inputs that the operands depend on have the values
of the model from the start (`Fixed`); nothing has to be taken back then, and the same path is
followed again, because its conditions are given.

A run says nothing of the values that were not chosen.  So nothing that was explored in this way is
a proof, and the exploration says so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType, TracebackType

from solvent.errors import EvaluationError, NotLiftedError, SolventError
from solvent.explore.comparing import same
from solvent.lift.reflection import symbolics
from solvent.lift.under_model import Evaluator
from solvent.lift.values.objects import OBJECTS
from solvent.lift.values.protocol import behaviour_of, parts
from solvent.queries.inputs import Inputs
from solvent.terms.booleans import and_, eq
from solvent.terms.floats import FloatTerm
from solvent.terms.graph import substitute
from solvent.terms.integers import IntTerm
from solvent.terms.kinds import Concrete, Guard
from solvent.terms.model import Model
from solvent.terms.model import evaluate as evaluate_term
from solvent.terms.softfloat import BINARY64, external
from solvent.terms.term import Term
from solvent.terms.texts import CodesTerm
from solvent.vm.own import is_own
from solvent.vm.slots import is_partial, opened
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Value

# By place and call: the inputs that come there, and the values chosen.
Notes = dict[str, tuple[dict[Guard, None], dict[str, None]]]


@dataclass(slots=True)
class Choices:
    """How many values are tried at each place of the program, and what was tried so far."""

    most: int = 4
    tried: Counter[object] = field(default_factory=Counter)
    notes: Notes = field(default_factory=dict)

    def another(self, place: object) -> bool:
        """Whether one more value may be tried at a place."""
        self.tried[place] += 1
        return self.tried[place] < self.most

    def note(self, what: str, values: str, reached: Guard) -> str:
        """Remember what was chosen, and say it."""
        conditions, found = self.notes.setdefault(what, ({}, {}))
        conditions[reached] = None
        found[values] = None
        return f"{what} with {values}"

    def told(self) -> list[str]:
        """All that was chosen, one text for each place."""
        return [_listed(what, list(filter(None, found))) for what, (_, found) in self.notes.items()]


# How many of the values that were chosen at a place are told.
_MOST_TOLD = 3


def _listed(what: str, values: list[str]) -> str:
    more = len(values) - _MOST_TOLD
    shown = "; ".join(values[:_MOST_TOLD]) + (f" and {more} more" if more > 0 else "")
    return f"{what} with {shown}" if shown else what


@dataclass(frozen=True, slots=True)
class Fixed:
    """Inputs that have the same value throughout a run, and the conditions of a known path."""

    values: Mapping[Term, Concrete] = field(default_factory=dict)
    given: tuple[Guard, ...] = ()
    notes: tuple[str, ...] = ()


NOTHING_FIXED = Fixed()


# --- choosing values ------------------------------------------------------------------------------


class _Recording(Evaluator):
    """Evaluates, and remembers which terms decided what came out."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.terms: dict[Term, None] = {}

    def term(self, term: Value) -> Value:
        for part in term.codes if isinstance(term, CodesTerm) else (term,):
            if isinstance(part, Term):
                self.terms[part] = None
        return super().term(term)


def terms_in(value: Value, model: Model) -> list[Term]:
    """The terms that decide what a value is under a model.

    >>> from solvent.terms import Int
    >>> from solvent.vm.slots import slot
    >>> x, y = Int("x"), Int("y")
    >>> items = [x + 1, slot(x > 0, y)]
    >>> terms_in(items, Model({})), terms_in(items, Model({x: 1}))
    ([x > 0, x + 1], [x > 0, x + 1, y])
    """
    recording = _Recording(model)
    recording.value(value)
    return list(recording.terms)


def values_of(terms: Iterable[Term], model: Model) -> tuple[Concrete, ...] | None:
    """The values of terms under a model, `None` if they cannot be computed exactly."""
    if model.inexact:
        return None
    try:
        return tuple([evaluate_term(term, model) for term in terms])
    except EvaluationError:
        return None


def have(terms: Iterable[Term], values: Iterable[Concrete]) -> Guard:
    """That terms have certain values."""
    return and_([eq(term, value) for term, value in zip(terms, values, strict=True)])


def is_as_under(value: Value, model: Model) -> Guard:
    """That a value is what it is under a model.

    >>> from solvent.terms import Int
    >>> is_as_under([Int("x"), 3], Model({}))
    x == 0
    """
    if model.inexact:
        raise NotLiftedError("no exact values are known with which this could be called")
    terms = terms_in(value, model)
    return have(terms, [evaluate_term(term, model) for term in terms])


# What is worth trying: where programs change what they do, and values of different sizes.
_NUMBERS = (1, -1, 100, 255, 10_000, -1_000, 10**9, 7, 2**31, 2**64)
_CHARACTERS = tuple(map(ord, "a\u00e90 Z\u0301-\u00df.\U0001f600"))
_FLOATS = (math.nan, math.inf, 1e300, -1.5, 0.1, -math.inf, 1e-7, 12345.678)


def wishes(terms: Sequence[Term], turn: int) -> list[Guard]:
    """What values of terms should be, the best first; the last wish asks for nothing.

    >>> from solvent.terms import Int
    >>> wishes([Int("x"), Int("y")], 0)
    [x == 1 and y == -1, x == 97 and y == 233, True]
    """
    floats = [(term, _FLOATS) for term in terms if _is_float(term)]
    ints = [term for term in terms if isinstance(term, IntTerm)]
    result: list[Guard] = []
    for numbers in (_NUMBERS, _CHARACTERS) if ints else (_NUMBERS,):
        rows = [*((term, numbers) for term in ints), *floats]
        wanted = [eq(term, row[(turn + i) % len(row)]) for i, (term, row) in enumerate(rows)]
        if wanted:
            result.append(and_(wanted))
    return [*result, True]


def _is_float(term: Term) -> bool:
    return isinstance(term, FloatTerm) and term.sort is BINARY64


def unchanged(given: Iterable[Value], before: Iterable[Value]) -> bool:
    """Whether a call has left the copies that it was given as they were."""
    try:
        return all(a is b or same(a, b) for a, b in zip(given, before, strict=True))
    except Exception:
        # An equality of the program's own that says neither yes nor no.
        return False


# --- fixing inputs --------------------------------------------------------------------------------


def operands(error: BaseException) -> list[Term]:
    """The constants on which depends what was refused, as far as its traceback tells.

    >>> from solvent.terms import Int
    >>> def half(number):
    ...     return number.nothing
    >>> try:
    ...     half(Int("x"))
    ... except AttributeError as error:
    ...     operands(error)
    []
    """
    inner = _refusing(error.__traceback__)
    if inner is None:
        return []
    code = inner.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 4) + bool(code.co_flags & 8)
    given = inner.f_locals
    try:
        return symbolics([given[name] for name in code.co_varnames[:count] if name in given])
    except SolventError:
        return []


def _refusing(traceback: TracebackType | None) -> FrameType | None:
    """The frame of Solvent's own that the program called last."""
    found: FrameType | None = None
    inside = False
    while traceback is not None:
        frame = traceback.tb_frame
        ours = is_own(frame.f_code.co_filename)
        if ours and inside:
            found = frame
        inside = not ours
        traceback = traceback.tb_next
    return found


def together(inputs: Inputs, wanted: Iterable[Term]) -> list[Term]:
    """Constants to fix, with those that must be fixed so that inputs keep their form.

    These are the guards, of which the length of a list is made, and all that dicts, sets and other
    containers hold.
    """
    found = dict.fromkeys(wanted)
    seen: dict[int, Value] = {}
    stack: list[Value] = [*inputs.args, *inputs.named.values()]
    while stack:
        value = stack.pop()
        if id(value) in seen or isinstance(value, (Term, int, str, float, bytes, type)):
            continue
        seen[id(value)] = value
        if type(value) in (list, tuple):
            stack.extend(list(value))
        elif is_partial(value) or type(value) is Union:
            rows = [opened(value)] if is_partial(value) else choices_of(value)
            found.update(dict.fromkeys(symbolics([guard for guard, _ in rows])))
            stack.extend(member for _, member in rows)
        elif behaviour_of(type(value)) is OBJECTS:
            stack.extend(parts(value))
        else:
            found.update(dict.fromkeys(symbolics(value)))
    return list(found)


class _Fixing(Evaluator):
    """Puts values of some constants into anything; the others stay."""

    def __init__(self, values: Mapping[Term, Concrete]) -> None:
        super().__init__({})
        self.values = values

    def term(self, term: Value) -> Value:
        return external(substitute(term, self.values)) if isinstance(term, Term) else term


def with_values(inputs: Inputs, values: Mapping[Term, Concrete]) -> Inputs:
    """Inputs in which some constants have values.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> with_values(Inputs(([x, y + x],), {}, (x < y,), {}, {}), {x: 2}).args
    ([2, y + 2],)
    """
    if not values:
        return inputs
    fixing = _Fixing(values)
    args = tuple([fixing.value(value) for value in inputs.args])
    named = {name: fixing.value(value) for name, value in inputs.named.items()}
    assumptions = tuple(fixing.term(condition) for condition in inputs.assumptions)
    return Inputs(args, named, assumptions, inputs.values, inputs.derived, inputs.made)
