"""What rewritten code calls: every helper, by the name that the rewriter gives it."""

from __future__ import annotations

from types import CellType
from typing import Any

from solvent.lift import (
    attributes,
    calls,
    displays,
    entries,
    generators,
    items,
    iteration,
    mappings,
    once,
    operators,
    places,
    sets,
    truth,
)
from solvent.lift.function import HELPERS
from solvent.lift.registry import METHODS
from solvent.lift.rewrite.calls import OWNERS, owned
from solvent.vm.forks import Fork, chain
from solvent.vm.machine import JOURNALING
from solvent.vm.scopes import Scope
from solvent.vm.trying import Leave, TryScope
from solvent.vm.union import UNBOUND, Maybe, Union

_NAMES: dict[str, Any] = {
    # control flow
    "truth": truth.truth, "test": truth.test, "not": truth.negation, "check": truth.check,
    "unbound": truth.unbound, "absent": truth.absent, "exception": truth.exception,
    "matches": truth.matches,
    "Fork": Fork, "journaling": JOURNALING, "chain": chain, "Scope": Scope, "Try": TryScope,
    "Leave": Leave,
    "Maybe": Maybe, "UNBOUND": UNBOUND, "Union": Union,
    "iterate": iteration.iterate, "once": once.once, "unpack": iteration.unpack,
    "unpack_star": iteration.unpack_star, "enter": attributes.enter,
    "exit_of": attributes.exit_of,
    # calls, attributes, items
    "call": calls.call, "resolve": calls.resolve, "UNRESOLVED": calls.UNRESOLVED,
    "at": places.at, "picks": places.picks,
    "method": calls.method, "method_of": calls.method_of, "getitem": items.get_item,
    "setitem": items.set_item, "delitem": items.delete_item, "slice": items.make_slice,
    "setattr": attributes.set_attribute, "simple": attributes.SIMPLE,
    "getattr": attributes.get_attribute,
    "delattr": attributes.delete_attribute,
    "set_global": attributes.set_global, "note_cell": attributes.note_cell,
    "add_element": sets.add, "set_entry": mappings.set_item,
    "make_set": sets.make, "make_dict": mappings.make, "apply": displays.apply,
    "tuple_display": displays.tuple_display, "list_display": displays.list_display,
    "set_parts": displays.set_parts, "snapshot": displays.snapshot,
    "dict_snapshot": displays.dict_snapshot,
    # Python's own, whatever the program calls them
    "type": type, "length": len, "bool": bool, "int": int, "list": list, "tuple": tuple, "set": set,
    "dict": dict, "str": str, "atoms": entries.CONCRETE_KEYS,
    "BaseException": BaseException, "GeneratorExit": GeneratorExit,
    "GeneratorState": generators.GeneratorState, "generate": generators.generate,
    "Delegate": generators.Delegate,
    # operators
    "add": operators.add, "sub": operators.sub, "mul": operators.mul,
    "truediv": operators.truediv, "floordiv": operators.floordiv, "mod": operators.mod,
    "pow": operators.power, "lshift": operators.lshift, "rshift": operators.rshift,
    "and_": operators.and_, "or_": operators.or_, "xor": operators.xor,
    "matmul": operators.matmul, "neg": operators.neg, "pos": operators.pos,
    "invert": operators.invert, "eq": operators.eq, "ne": operators.ne, "lt": operators.lt,
    "le": operators.le, "gt": operators.gt, "ge": operators.ge, "is_": operators.is_,
    "is_not": operators.is_not, "contained": items.contained,
    "not_contained": items.not_contained,
}  # fmt: skip

for _name, _ordinary in (
    ("add", operators.add), ("sub", operators.sub), ("mul", operators.mul),
    ("truediv", operators.truediv), ("floordiv", operators.floordiv), ("mod", operators.mod),
    ("pow", operators.power), ("lshift", operators.lshift), ("rshift", operators.rshift),
    ("and", operators.and_), ("or", operators.or_), ("xor", operators.xor),
    ("matmul", operators.matmul),
):  # fmt: skip
    _NAMES[f"i{_name}"] = operators.in_place(_name, _ordinary)

for _name, _value in _NAMES.items():
    HELPERS[f"_sv_{_name}"] = CellType(_value)

# The lifted builtins are themselves lifted code: they are imported when all helpers have cells.
for _name in (
    "len", "make_list", "isinstance", "format_parts", "sequence", "mapping", "without",
    "positional", "hasattr",
):  # fmt: skip
    HELPERS[f"_sv_{_name}"] = CellType()

for _name in OWNERS:
    HELPERS[owned(_name)] = CellType()


# --- unions take part in Python's own operators ---------------------------------------------------


def _give_operators() -> None:
    table: dict[str, Any] = {
        "add": operators.add, "sub": operators.sub, "mul": operators.mul,
        "truediv": operators.truediv, "floordiv": operators.floordiv, "mod": operators.mod,
        "pow": operators.power, "lshift": operators.lshift, "rshift": operators.rshift,
        "and": operators.and_, "or": operators.or_, "xor": operators.xor,
        "matmul": operators.matmul,
    }  # fmt: skip
    for name, function in table.items():
        setattr(Union, f"__{name}__", lambda a, b, f=function: f(a, b))
        setattr(Union, f"__r{name}__", lambda a, b, f=function: f(b, a))
    # Lifted code calls the lifted operator if a union is on the left; Python itself comes here for
    # one on the right, with the operands exchanged.
    mirrored = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
    for name, other in mirrored.items():
        function = getattr(operators, other)
        setattr(Union, f"__{name}__", lambda a, b, f=function: f(b, a))
    others: dict[str, Any] = {
        "hash": object.__hash__, "neg": operators.neg, "pos": operators.pos,
        "invert": operators.invert, "getitem": items.get_item, "getattr": _attribute,
    }  # fmt: skip
    for name, function in others.items():
        setattr(Union, f"__{name}__", lambda *a, f=function: f(*a))
    type.__setattr__(Union, "__hash__", object.__hash__)


# Special attributes that programs read; all others are looked up by Python itself.
_SPREAD = frozenset(("__class__", "__dict__", "__name__", "__doc__", "__module__", "__qualname__"))


def _attribute(union: Any, name: str) -> Any:
    if (
        name.startswith("__")
        and name.endswith("__")
        and name not in ("__class__", "__dict__", "__name__")
    ):
        raise AttributeError(name)
    from solvent.vm.spread import over

    return over(union, lambda member: attributes.attribute_of_member(member, name))


_give_operators()


def _give_builtins() -> None:
    from solvent.lift import formatting, patterns
    from solvent.lift.builtins import core
    from solvent.lift.library.builtins.attributes import has_attribute

    table: dict[str, Any] = {
        "len": core.length, "make_list": core.make_list, "isinstance": core.is_instance,
        "format_parts": formatting.format_parts, "hasattr": has_attribute,
        "sequence": patterns.is_sequence, "mapping": patterns.is_mapping,
        "without": patterns.without, "positional": patterns.positional,
    }  # fmt: skip
    for name, function in table.items():
        HELPERS[f"_sv_{name}"].cell_contents = function
    types: dict[str, type] = {"list": list, "dict": dict, "set": set}
    for name, owner in OWNERS.items():
        HELPERS[owned(name)].cell_contents = METHODS[types[owner]][name]


_give_builtins()
