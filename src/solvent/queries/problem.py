"""What a query is about: a function, its symbolic inputs, and what its symbolic run came to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from solvent.errors import SolventError, UnwindingError
from solvent.lift.reflection import symbolics
from solvent.lift.under_model import evaluate
from solvent.queries.guarding import located
from solvent.queries.inputs import Inputs, bind
from solvent.queries.meant import NOTHING, Meant
from solvent.queries.owners import accessor_of
from solvent.queries.recipes import Recipe, remade
from solvent.queries.replay import Replay, plain, replay, symbolic_surroundings
from solvent.queries.run import Run, run
from solvent.queries.spaces.base import DEFAULT_LENGTH
from solvent.queries.spelling import Speller, spelled_each
from solvent.terms.booleans import and_, or_
from solvent.terms.model import Model
from solvent.terms.term import Term
from solvent.vm.report import Listener
from solvent.vm.state import Failure
from solvent.vm.values import Guard, Value


@dataclass(frozen=True, slots=True)
class Written:
    """A call as Python text, and the imports without which it does not run beside the function."""

    call: str
    setup: str = ""
    # Each input by itself.
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """A function on symbolic inputs, after its run."""

    function: Callable[..., Value]
    inputs: Inputs
    run: Run
    # The exceptions that are no failures: where one escapes, the function ends as it should.
    meant: Meant = NOTHING

    @property
    def name(self) -> str:
        """How the function is called."""
        found = plain(self.function)
        name: str = getattr(found, "__qualname__", None) or type(found).__name__
        return name.rpartition("<locals>.")[2]

    @property
    def normal(self) -> Guard:
        """The condition under which the function ends without failure."""
        normal: Guard = self.run.outcome.normal
        return normal

    @property
    def failures(self) -> list[Failure]:
        """What can fail, apart from what is meant, small bounds, and what is not lifted."""
        return [
            failure
            for failure in self.run.outcome.failures
            if not is_limit(failure) and not self.meant.allows(failure.exception)
        ]

    @property
    def failing(self) -> Guard:
        """The condition under which the function fails."""
        return self.failing_by(self.failures)

    @property
    def out_of_bounds(self) -> Guard:
        """The condition under which a limit is reached, so that nothing is known of the rest."""
        return self.failing_by(self.limits)

    @property
    def limits(self) -> list[Failure]:
        """The bounds set by the user that are too small, and what is not lifted."""
        return [f for f in self.run.outcome.failures if is_limit(f)]

    def failing_by(self, failures: list[Failure]) -> Guard:
        """The condition under which one of some failures occurs."""
        return and_(self.run.assumes, or_([failure.condition for failure in failures]))

    def failure(self, model: Model) -> Failure:
        """The failure that occurs under a model, with the exception made concrete."""
        for found in self.failures:
            if evaluate(found.condition, model) is True:
                return Failure(True, evaluate(found.exception, model), found.position)
        raise AssertionError("no failure occurs under a model of their disjunction")

    def values(self, model: Model) -> dict[str, Value]:
        """The inputs under a model: constants made inside, variables around, and parameters."""
        around = {**symbolic_surroundings(self.function), **self.inputs.values}
        shown = set(symbolics(around))
        inside = {key.name: key for key in model if isinstance(key, Term) and key not in shown}
        found, made = evaluate(({**inside, **around}, self.inputs.made), model)
        result: dict[str, Value] = remade(found, made) if made else found
        return result

    def call(self, model: Model) -> str:
        """The call with the inputs under a model, as Python text."""
        return self.written(model).call

    def written(self, model: Model) -> Written:
        """The call with the inputs under a model, and the imports that it needs."""
        inputs = self.inputs
        return self.written_on(*evaluate((inputs.args, inputs.named, inputs.made), model))

    def written_on(
        self,
        args: tuple[Value, ...],
        named: Mapping[str, Value],
        made: Iterable[tuple[Value, Recipe]] = (),
    ) -> Written:
        """The call with concrete inputs, given those that are made by a recipe."""
        recipes = tuple(made)
        speller = Speller([*args, *named.values()], recipes)
        texts = [speller.text(value) for value in args]
        names = [name for name in self.inputs.values if name not in named]
        alone = dict(named)
        if len(names) == len(args) and all(name.isidentifier() for name in names):
            texts = [f"{name}={text}" for name, text in zip(names, texts, strict=True)]
            alone |= zip(names, args, strict=True)
        texts += [f"{name}={speller.text(value)}" for name, value in named.items()]
        function = plain(self.function)
        around = getattr(function, "__globals__", {})
        text = f"{self.name}{accessor_of(function)}({', '.join(texts)})"
        return Written(text, speller.setup(around), spelled_each(alone, recipes))

    def replay(self, model: Model) -> Replay:
        """What CPython does with the plain function on the inputs under a model."""
        inputs = self.inputs
        return replay(self.function, inputs.args, inputs.named, model, inputs.made)


def is_limit(failure: Failure) -> bool:
    """Whether a path ended because of Solvent, so that it is not known what the program does."""
    return isinstance(failure.exception, (UnwindingError, SolventError))


def reason_of(limit: Failure) -> str:
    """What was reached, and where."""
    return located(str(limit.exception), limit.position)


def pose(
    function: Callable[..., Value],
    args: tuple[Value, ...],
    named: dict[str, Value],
    *,
    bound: int | None = None,
    unwinding: str = "assert",
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    meant: Meant = NOTHING,
    listener: Listener | None = None,
    then: Callable[[Value], Value] | None = None,
    any_order: bool = False,
    on_doubt: Callable[[Guard], None] | None = None,
) -> Problem:
    """Run a function on symbolic inputs for a query."""
    inputs = bind(plain(function), args, named, max_len, alias)
    return pose_on(
        function,
        inputs,
        bound=bound,
        unwinding=unwinding,
        meant=meant,
        listener=listener,
        then=then,
        any_order=any_order,
        on_doubt=on_doubt,
    )


def pose_on(
    function: Callable[..., Value],
    inputs: Inputs,
    *,
    bound: int | None = None,
    unwinding: str = "assert",
    meant: Meant = NOTHING,
    listener: Listener | None = None,
    then: Callable[[Value], Value] | None = None,
    any_order: bool = False,
    on_doubt: Callable[[Guard], None] | None = None,
) -> Problem:
    """Run a function on inputs that are made already."""
    found = run(
        function,
        inputs.args,
        inputs.named,
        assumptions=inputs.assumptions,
        bound=bound,
        unwinding=unwinding,
        listener=listener,
        then=then,
        any_order=any_order,
        on_doubt=on_doubt,
    )
    return Problem(function, inputs, found, meant)
