"""What rewritten code calls: every helper, by the name that the rewriter gives it."""

from __future__ import annotations

from collections.abc import Callable

from solvent.lift import (
    attributes,
    calls,
    displays,
    formatting,
    identity,
    library,
    managers,
    operators,
    patterns,
    places,
    truth,
    unpacking,
)
from solvent.lift.attributes import absent
from solvent.lift.hashing import CONCRETE_KEYS
from solvent.lift.helpers import OWNERS, missing, owned, provide
from solvent.lift.library.builtins import types
from solvent.lift.library.builtins.attributes import has_attribute
from solvent.lift.registry import METHODS
from solvent.lift.values import delegating, generators, lists, mappings, once, protocol, sets, table
from solvent.vm.forks import chain, open_fork
from solvent.vm.machine import JOURNALING
from solvent.vm.scopes import Scope
from solvent.vm.slots import UNBOUND, Maybe, value_in
from solvent.vm.spread import over
from solvent.vm.trying import Leave, TryScope, left
from solvent.vm.union import Union
from solvent.vm.values import Value

_NAMES: dict[str, object] = {
    # control flow
    "truth": protocol.truth, "test": truth.test, "not": truth.negation, "check": truth.check,
    "unbound": truth.unbound, "absent": absent, "exception": truth.exception,
    "matches": truth.matches,
    "Fork": open_fork, "journaling": JOURNALING, "chain": chain, "Scope": Scope, "Try": TryScope,
    "Leave": Leave,
    "Maybe": Maybe, "UNBOUND": UNBOUND, "Union": Union,
    "iterate": protocol.iterate, "once": once.once, "unpack": unpacking.unpack,
    "unpack_star": unpacking.unpack_star, "enter": managers.enter,
    "exit_of": managers.exit_of, "meets": managers.meets, "left": left,
    "leave_together": managers.leave_together, "value_in": value_in,
    # calls, attributes, items
    "call": calls.call, "resolve": calls.resolve, "UNRESOLVED": calls.UNRESOLVED,
    "at": places.at, "picks": places.picks,
    "method": calls.method, "method_of": calls.method_of, "getitem": protocol.get_item,
    "setitem": protocol.set_item, "delitem": protocol.delete_item, "slice": slice,
    "setattr": attributes.set_attribute, "simple": attributes.SIMPLE,
    "getattr": attributes.get_attribute, "of_value": attributes.of_value,
    "delattr": attributes.delete_attribute,
    "set_global": attributes.set_global, "note_cell": attributes.note_cell,
    "add_element": sets.add, "set_entry": mappings.set_item,
    "make_set": sets.make, "make_dict": mappings.make, "apply": displays.apply,
    "tuple_display": displays.tuple_display, "list_display": displays.list_display,
    "set_parts": displays.set_parts, "snapshot": displays.snapshot,
    "dict_snapshot": displays.dict_snapshot,
    # Python's own, whatever the program calls them
    "type": type, "length": len, "bool": bool, "int": int, "list": list, "tuple": tuple, "set": set,
    "dict": dict, "str": str, "atoms": CONCRETE_KEYS,
    "BaseException": BaseException, "GeneratorExit": GeneratorExit,
    "GeneratorState": generators.GeneratorState, "generate": generators.generate,
    "Delegate": delegating.Delegate,
    # functions, patterns, texts
    "len": protocol.length, "make_list": lists.make_list, "isinstance": types.is_instance,
    "format_parts": formatting.format_parts, "hasattr": has_attribute,
    "sequence": patterns.is_sequence, "mapping": patterns.is_mapping,
    "without": patterns.without, "positional": patterns.positional,
    # operators
    "add": operators.add, "sub": operators.sub, "mul": operators.mul,
    "truediv": operators.truediv, "floordiv": operators.floordiv, "mod": operators.mod,
    "pow": operators.power, "lshift": operators.lshift, "rshift": operators.rshift,
    "and_": operators.and_, "or_": operators.or_, "xor": operators.xor,
    "matmul": operators.matmul, "neg": operators.neg, "pos": operators.pos,
    "invert": operators.invert, "eq": operators.eq, "ne": operators.ne, "lt": operators.lt,
    "le": operators.le, "gt": operators.gt, "ge": operators.ge, "is_": identity.is_,
    "is_not": identity.is_not, "contained": protocol.contained,
    "not_contained": protocol.not_contained,
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
    provide(f"_sv_{_name}", _value)

for _name, _owner in OWNERS.items():
    provide(owned(_name), METHODS[{"list": list, "dict": dict, "set": set}[_owner]][_name])

# All types of values and the whole library are known from now on.
assert table
assert library
assert not missing()


# --- unions take part in Python's own operators ---------------------------------------------------


def _give_operators() -> None:
    table: dict[str, operators.Operator] = {
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
    others: dict[str, Callable[..., Value]] = {
        "hash": object.__hash__, "neg": operators.neg, "pos": operators.pos,
        "invert": operators.invert, "getitem": protocol.get_item, "getattr": _attribute,
    }  # fmt: skip
    for name, function in others.items():
        setattr(Union, f"__{name}__", lambda *a, f=function: f(*a))
    type.__setattr__(Union, "__hash__", object.__hash__)


# Special attributes that programs read; all others are looked up by Python itself.
_SPREAD = frozenset(("__class__", "__dict__", "__name__", "__doc__", "__module__", "__qualname__"))

# What a notebook asks of whatever it shows, with no program around that could mean the members.
_NOTEBOOKS = ("_repr_", "_ipython_")


def _attribute(union: Union, name: str) -> Value:
    if name.startswith(_NOTEBOOKS):
        raise AttributeError(name)
    if (
        name.startswith("__")
        and name.endswith("__")
        and name not in ("__class__", "__dict__", "__name__")
    ):
        raise AttributeError(name)
    return over(union, lambda member: attributes.attribute_of_member(member, name))


_give_operators()
