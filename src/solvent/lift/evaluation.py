"""The concrete value of anything under a model."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from types import MethodType
from typing import Any

from solvent.lift import entries, mappings
from solvent.lift.iteration import SymbolicRange
from solvent.terms.model import Model
from solvent.terms.model import evaluate as evaluate_term
from solvent.terms.term import Term
from solvent.vm import hidden
from solvent.vm.buffers import shadow
from solvent.vm.owned import Elements
from solvent.vm.shapes import record_fields
from solvent.vm.union import Maybe, Union

_ATOMIC = frozenset((int, float, bool, str, bytes, type(None), complex, range, type))


def evaluate(term: Any, model: Model | Mapping[Any, Any]) -> Any:
    """The concrete value of a term, union, container or object under a model or a mapping.

    Containers and objects that hold nothing symbolic are returned as they are, others are copied;
    aliases stay aliases.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> evaluate([x, (x + 1, "a")], {x: 3})
    [3, (4, 'a')]
    """
    return _Evaluator(model).value(term)


def _new(cls: Any) -> Any:
    """An empty instance of a class of lists."""
    return cls.__new__(cls)


class _Evaluator:
    def __init__(self, model: Model | Mapping[Any, Any]) -> None:
        self.model = model
        # What is done or being done, by identity; the objects are kept alive beside it.
        self.done: dict[int, tuple[Any, Any]] = {}

    def term(self, term: Any) -> Any:
        """The value of a term or of a concrete guard."""
        return evaluate_term(term, self.model) if isinstance(term, Term) else term

    def value(self, value: Any) -> Any:
        cls = type(value)
        if cls in _ATOMIC:
            return value
        known = self.done.get(id(value))
        if known is not None:
            return known[1]
        if isinstance(value, Term):
            result = evaluate_term(value, self.model)
        elif cls is Union:
            result = self.union(value)
        elif cls is MethodType:
            result = MethodType(value.__func__, self.value(value.__self__))
        else:
            return self.container(value, cls)
        self.done[id(value)] = (value, result)
        return result

    def union(self, union: Union) -> Any:
        for guard, member in union._solvent_choices:
            if self.term(guard):
                return self.value(member)
        raise AssertionError("a union without a last choice")

    def container(self, value: Any, cls: type) -> Any:
        if hidden.ELSEWHERE and id(value) in hidden.ELSEWHERE:
            return self.divided(value)
        if isinstance(value, list):
            return self.refilled(value, cls, list.extend, list.clear, self.items(value))
        if isinstance(value, deque):
            return self.refilled(value, cls, deque.extend, deque.clear, self.items(value))
        if isinstance(value, dict):
            return self.dictionary(value, cls)
        if isinstance(value, (set, frozenset)):
            return self.elements(value, cls)
        if isinstance(value, bytearray):
            return self.buffer(value, cls)
        fields = record_fields(cls)
        if isinstance(value, tuple):
            items = [self.value(item) for item in value]
            if all(new is old for new, old in zip(items, value, strict=True)):
                return value
            return tuple(items) if cls is tuple else tuple.__new__(cls, items)
        if cls.__module__.startswith("solvent.terms."):
            # Bitvectors, sorts and the like are concrete, and the same only as they are.
            return value
        if fields is not None:
            return self.instance(value, cls)
        if isinstance(value, BaseException):
            return self.exception(value)
        if cls is SymbolicRange:
            return range(*[self.value(part) for part in (value.start, value.stop, value.step)])
        if (
            hasattr(value, "__dict__")
            and cls.__module__ != "builtins"
            and not isinstance(value, type)
        ):
            return self.instance(value, cls)
        if hasattr(cls, "__slots__") and cls.__module__ != "builtins":
            return self.instance(value, cls)
        return value

    def items(self, value: Any) -> list[Any]:
        result = []
        for item in value:
            if type(item) is Maybe:
                if not self.term(item.guard):
                    break
                item = item.value
            result.append(item)
        return result

    def refilled(self, value: Any, cls: type, extend: Any, clear: Any, items: list[Any]) -> Any:
        """A list or deque with the values of its items."""
        result: Any = deque(maxlen=value.maxlen) if isinstance(value, deque) else _new(cls)
        self.done[id(value)] = (value, result)
        new = [self.value(item) for item in items]
        if len(new) == len(value) and all(a is b for a, b in zip(new, value, strict=True)):
            self.done[id(value)] = (value, value)
            return value
        extend(result, new)
        return result

    def divided(self, value: Any) -> Any:
        """An object of a C type with the state that it has."""
        states = hidden.states_of(value)
        if states is None:
            state = hidden.version_of(value)
        else:
            state = next(state for guard, state in states._solvent_choices if self.term(guard))
        result = hidden.made_from(value, state)
        self.done[id(value)] = (value, result)
        return result

    def buffer(self, value: bytearray, cls: Any) -> Any:
        """A bytearray with the values of its items."""
        found = shadow(value)
        if found is None:
            return value
        result = _new(cls)
        self.done[id(value)] = (value, result)
        # Under a model for which the run fails, an item may be anything.
        bytearray.extend(result, [self.value(item) % 256 for item in self.items(found)])
        return result

    def dictionary(self, value: Any, cls: type) -> Any:
        result = mappings.like(value)
        self.done[id(value)] = (value, result)
        changed = not entries.is_plain(value)
        for key, entry in entries.entries_under(value, self.term):
            new_key, new_value = self.value(key), self.value(entry)
            changed = changed or new_key is not key or new_value is not entry
            entries.put(result, new_key, new_value)
        if not changed:
            self.done[id(value)] = (value, value)
            return value
        return result

    def elements(self, value: Any, cls: type) -> Any:
        if len(value) == 1:
            (only,) = value
            if type(only) is Elements:
                result = cls(
                    self.value(element)
                    for element, guard in only.guards.items()
                    if self.term(guard)
                )
                self.done[id(value)] = (value, result)
                return result
        new = cls(self.value(element) for element in value)
        result = value if new == value else new
        self.done[id(value)] = (value, result)
        return result

    def exception(self, value: BaseException) -> BaseException:
        arguments = tuple(self.value(argument) for argument in value.args)
        held = vars(value)
        rows = entries.entries_under(held, self.term)
        attributes = {name: self.value(found) for name, found in rows}
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

    def instance(self, value: Any, cls: type) -> Any:
        from solvent.vm.places import ATTRIBUTES

        attributes = getattr(value, "__dict__", {})
        names = [name for name, _ in entries.entries_under(attributes, self.term)]
        for base in cls.__mro__:
            slots = base.__dict__.get("__slots__", ())
            names += [slots] if isinstance(slots, str) else list(slots)
        names = [name for name in dict.fromkeys(names) if name not in ("__dict__", "__weakref__")]
        try:
            result: Any = object.__new__(cls)
        except TypeError:
            return value
        self.done[id(value)] = (value, result)
        changed = not entries.is_plain(attributes)
        found: dict[str, Any] = {}
        for name in names:
            old = ATTRIBUTES.read(value, name)
            if type(old) is Maybe:
                changed = True
                if not self.term(old.guard):
                    continue
                old = old.value
            new = self.value(old)
            changed = changed or new is not old
            found[name] = new
        if not changed:
            self.done[id(value)] = (value, value)
            return value
        for name, new in found.items():
            object.__setattr__(result, name, new)
        return result
