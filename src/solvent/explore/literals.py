"""Concrete values as Python source, with the imports that it needs.

What is written is read back and compared, so that a value which its source does not give is refused
rather than written wrongly.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import sys
from collections import deque
from collections.abc import Callable, Iterable
from fractions import Fraction
from types import FunctionType

from solvent.errors import SolventError
from solvent.explore.comparing import same
from solvent.vm.values import Value


class NotWritableError(SolventError):
    """A value that cannot be written as Python source."""


class Writer:
    """Writes values, and remembers the modules that they need.

    >>> writer = Writer()
    >>> writer.text([1, float("inf"), {"a": (None,)}, Fraction(1, 3)])
    '[1, float("inf"), {\\'a\\': (None,)}, fractions.Fraction(1, 3)]'
    >>> sorted(writer.modules)
    ['fractions']
    """

    def __init__(self) -> None:
        self.modules: set[str] = set()

    def checked(self, value: Value) -> str:
        """The source of a value, read back and compared."""
        try:
            text = self.text(value)
        except RecursionError:
            raise NotWritableError(f"a {type(value).__name__} that contains itself") from None
        try:
            again = self.read(text)
        except Exception as error:
            raise NotWritableError(f"{text} raises {type(error).__name__}: {error}") from None
        if not same(again, value):
            raise NotWritableError(f"a {type(value).__name__} that its constructor does not give")
        return text

    def read(self, text: str) -> Value:
        """The value of some source."""
        names = {name.partition(".")[0] for name in self.modules}
        return eval(text, {name: sys.modules[name] for name in names})

    def text(self, value: Value) -> str:
        """The source of a value."""
        writer = _WRITERS.get(type(value))
        if writer is not None:
            return writer(self, value)
        if isinstance(value, (type, FunctionType)):
            return self.name(value)
        if isinstance(value, enum.Enum):
            return f"{self.name(type(value))}[{value.name!r}]"
        if type(value).__module__.partition(".")[0] == "solvent":
            raise NotWritableError(f"{value!r}, which only Solvent knows")
        return self.instance(value)

    def name(self, found: type | FunctionType) -> str:
        """The dotted name of a class or function."""
        module, name = found.__module__, found.__qualname__
        if module == "builtins":
            return str(name)
        known: object = sys.modules.get(module)
        for part in name.split("."):
            known = getattr(known, part, None)
        if getattr(known, "__wrapped__", known) is not getattr(found, "__wrapped__", found):
            raise NotWritableError(f"`{name}`, which cannot be imported from `{module}`")
        if module == "__main__" or not module.replace(".", "_").isidentifier():
            raise NotWritableError(f"`{name}` of a module called {module!r}")
        self.modules.add(module)
        return f"{module}.{name}"

    def items(self, values: Iterable[Value]) -> str:
        """Values separated by commas."""
        return ", ".join(map(self.text, values))

    def instance(self, value: Value) -> str:
        """An object, made by its class from its attributes."""
        cls: type = type(value)
        if isinstance(value, tuple) and hasattr(cls, "_fields"):
            fields = dict(zip(cls._fields, value, strict=True))
        elif dataclasses.is_dataclass(cls):
            names = [field.name for field in dataclasses.fields(cls) if field.init]
            fields = {name: getattr(value, name) for name in names}
        else:
            fields = self.attributes(value, cls)
        made = ", ".join(f"{name}={self.text(found)}" for name, found in fields.items())
        return f"{self.name(cls)}({made})"

    def attributes(self, value: Value, cls: type) -> dict[str, Value]:
        """The arguments of a constructor that are attributes of the same name."""
        try:
            parameters = inspect.signature(cls).parameters.values()
        except (TypeError, ValueError):
            parameters = ()  # type: ignore[assignment]
        fields = {p.name: vars(value)[p.name] for p in parameters if p.name in _vars(value)}
        if not hasattr(value, "__dict__") or set(fields) != set(vars(value)):
            raise NotWritableError(f"an object of class `{cls.__qualname__}`")
        return fields


def _vars(value: Value) -> dict[str, Value]:
    return getattr(value, "__dict__", {})


def _float(writer: Writer, value: float) -> str:
    text = repr(value)
    return text if text.strip("-")[0].isdigit() else f'float("{text}")'


def _tuple(writer: Writer, value: tuple[Value, ...]) -> str:
    return f"({writer.items(value)}{',' * (len(value) == 1)})"


def _set(writer: Writer, value: set[Value]) -> str:
    return f"{{{writer.items(_ordered(value))}}}" if value else "set()"


def _frozenset(writer: Writer, value: frozenset[Value]) -> str:
    return f"frozenset({_set(writer, set(value)) if value else ''})"


def _ordered(values: Iterable[Value]) -> list[Value]:
    """Elements in an order that does not depend on hashes."""
    return sorted(values, key=lambda value: (type(value).__name__, repr(value)))


def _dict(writer: Writer, value: dict[Value, Value]) -> str:
    pairs = (f"{writer.text(key)}: {writer.text(found)}" for key, found in value.items())
    return f"{{{', '.join(pairs)}}}"


def _fraction(writer: Writer, value: Fraction) -> str:
    writer.modules.add("fractions")
    return f"fractions.Fraction({value.numerator}, {value.denominator})"


def _deque(writer: Writer, value: deque[Value]) -> str:
    writer.modules.add("collections")
    length = "" if value.maxlen is None else f", maxlen={value.maxlen}"
    return f"collections.deque([{writer.items(value)}]{length})"


def _repr(writer: Writer, value: Value) -> str:
    return repr(value)


_WRITERS: dict[type, Callable[[Writer, Value], str]] = {
    **dict.fromkeys((type(None), bool, int, str, bytes, bytearray, range), _repr),
    type(...): _repr,
    type(NotImplemented): _repr,
    float: _float,
    complex: lambda writer, z: f"complex({_float(writer, z.real)}, {_float(writer, z.imag)})",
    list: lambda writer, value: f"[{writer.items(value)}]",
    tuple: _tuple,
    set: _set,
    frozenset: _frozenset,
    dict: _dict,
    Fraction: _fraction,
    deque: _deque,
}
