"""Exceptions as values: their arguments and attributes may be symbolic."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.lift.spelling.codecs import (
    SymbolicDecodeError,
    SymbolicEncodeError,
    SymbolicUnicodeError,
)
from solvent.lift.values import entries
from solvent.lift.values.objects import Objects
from solvent.lift.values.protocol import Evaluation, Texts, behaves
from solvent.vm.values import Value


class Exceptions(Objects):
    """What exceptions do."""

    def parts(self, value: BaseException) -> Iterable[Value]:
        return (value.args, vars(value))

    def shown(self, value: BaseException, texts: Texts) -> Value:
        return texts.joined(type(value).__name__, texts.listed("(", value.args, ")"))

    def under(self, value: BaseException, evaluate: Evaluation) -> Value:
        arguments = tuple(evaluate.value(argument) for argument in value.args)
        held = vars(value)
        rows = entries.entries_under(held, evaluate.term)
        attributes = {name: evaluate.value(found) for name, found in rows}
        if (
            all(a is b for a, b in zip(arguments, value.args, strict=True))
            and entries.is_plain(held)
            and all(attributes[name] is found for name, found in held.items())
        ):
            return value
        result = type(value).__new__(type(value), *arguments)
        result.args = arguments
        result.__dict__.update(attributes)
        return result.with_traceback(value.__traceback__)


class UnicodeErrors(Exceptions):
    """What errors of encodings do whose arguments are symbolic."""

    def under(self, value: BaseException, evaluate: Evaluation) -> Value:
        assert isinstance(value, SymbolicUnicodeError)
        return value.native(*[evaluate.value(argument) for argument in value.args])


behaves(Exceptions(), BaseException)
behaves(UnicodeErrors(), SymbolicEncodeError, SymbolicDecodeError)
