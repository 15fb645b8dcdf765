"""The symbolic arguments of a call: those that are given, and others from the annotations."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass, replace

from solvent.errors import InputSpaceError
from solvent.lift.origins import claim
from solvent.lift.under_model import evaluate
from solvent.queries.owners import owner_of
from solvent.queries.recipes import Recipe, remade
from solvent.queries.replay import described, shown
from solvent.queries.spaces.annotations import of_annotation
from solvent.queries.spaces.base import DEFAULT_LENGTH, Making, Space
from solvent.queries.spaces.characters import Characters
from solvent.queries.spaces.classes import hints_of
from solvent.terms.model import Model
from solvent.vm.machine import Machine
from solvent.vm.values import Guard, Value

# Under this name it is told whether two inputs may be one object; no parameter is called so.
SAME_OBJECT = "the same object twice"


@dataclass(frozen=True, slots=True)
class Inputs:
    """The arguments of a call, symbolic, with what limits them."""

    args: tuple[Value, ...]
    named: dict[str, Value]
    assumptions: tuple[Guard, ...]
    # Parameter names in order, with the values; those of `*args` are numbered.
    values: dict[str, Value]
    # What was derived from annotations, in words.
    derived: dict[str, str]
    # What was made by calling something, and how.
    made: tuple[tuple[Value, Recipe], ...] = ()

    def under(self, model: Model) -> tuple[tuple[Value, ...], dict[str, Value]]:
        """The arguments under a model, made as their recipes say."""
        args, named, made = evaluate((self.args, self.named, self.made), model)
        return remade((args, named), made) if made else (args, named)


def bind(
    function: Callable[..., Value],
    args: tuple[Value, ...],
    named: dict[str, Value],
    max_len: int = DEFAULT_LENGTH,
    alias: bool = False,
    longest: int = 0,
) -> Inputs:
    """The symbolic arguments of a call: those given, others from the annotations.

    Parameters that are texts themselves have up to `longest` characters, if that is more.
    """
    claim(function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = inspect.Signature(
            [inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
             inspect.Parameter("named", inspect.Parameter.VAR_KEYWORD)]
        )  # fmt: skip
    name = getattr(function, "__qualname__", repr(function))
    try:
        given = signature.bind_partial(*args, **named).arguments
    except TypeError as error:
        raise InputSpaceError(f"{name}{signature}: {error}") from None
    return _Binder(function, name, signature, given, (max_len, longest), alias).inputs()


class _Binder:
    def __init__(
        self,
        function: Callable[..., Value],
        name: str,
        signature: inspect.Signature,
        given: dict[str, Value],
        lengths: tuple[int, int],
        alias: bool,
    ) -> None:
        self.max_len, self.longest = lengths
        self.function = function
        self.name = name
        self.signature = signature
        self.given = given
        self.making = Making(alias)
        self.derived: dict[str, str] = {}
        self.hints = hints_of(function)
        owner = owner_of(function)
        if owner is not None:
            self.add_owner(owner)

    def add_owner(self, owner: type) -> None:
        """What takes an instance of a class has it first; others may be annotated with `Self`."""
        own = {name: owner for name, hint in self.hints.items() if hint is typing.Self}
        first = next(iter(self.signature.parameters), None)
        self.hints = {**({} if first is None else {first: owner}), **self.hints, **own}

    def inputs(self) -> Inputs:
        args: list[Value] = []
        named: dict[str, Value] = {}
        values: dict[str, Value] = {}
        by_name = False
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                if not self.given.get(name):
                    self.derived[f"*{name}"] = "none"
                for place, value in enumerate(self.given.get(name, ())):
                    args.append(self.value(f"{name}[{place}]", value))
                    values[f"{name}[{place}]"] = args[-1]
            elif parameter.kind is parameter.VAR_KEYWORD:
                if not self.given.get(name):
                    self.derived[f"**{name}"] = "none"
                for key, value in self.given.get(name, {}).items():
                    named[key] = values[key] = self.value(key, value)
            elif name in self.given or parameter.default is parameter.empty:
                value = self.argument(name, parameter)
                values[name] = value
                if parameter.kind is parameter.KEYWORD_ONLY or by_name:
                    named[name] = value
                else:
                    args.append(value)
            else:
                # What comes after a default that is kept must be given by name.
                by_name = True
                self.derived[name] = f"{shown(parameter.default, 40)}, its default"
        making = self.making
        if self.derived and making.could_be_aliases:
            self.derived[SAME_OBJECT] = "tried" if making.alias else "not tried"
        return Inputs(
            tuple(args), named, tuple(making.assumptions), values, self.derived, tuple(making.made)
        )

    def argument(self, name: str, parameter: inspect.Parameter) -> Value:
        if name in self.given:
            return self.value(name, self.given[name])
        if name not in self.hints:
            raise InputSpaceError(
                f"{self.name}: the parameter `{name}` has no value and no annotation; pass a "
                f'symbolic value, for example Int("{name}")'
            )
        try:
            found = of_annotation(self.hints[name], self.max_len)
        except InputSpaceError as error:
            raise self.refused(name, error) from None
        if isinstance(found, Characters) and found.max_len == self.max_len < self.longest:
            found = replace(found, max_len=self.longest)
        self.derived[name] = str(found)
        return self.value(name, found)

    def value(self, name: str, value: Value) -> Value:
        if not isinstance(value, Space):
            return value
        try:
            outcome = Machine().run(lambda: value.make(name, self.making))
        except InputSpaceError as error:
            raise self.refused(name, error) from None
        for failure in outcome.failures:
            # What cannot be an element of a set, for example, is no input.
            reason = f"making it raises {described(failure.exception)}; annotate another type"
            raise self.refused(name, reason)
        return outcome.value

    def refused(self, name: str, error: Exception | str) -> InputSpaceError:
        """Why there is no input for a parameter."""
        return InputSpaceError(f"{self.name}: parameter `{name}`: {error}")
