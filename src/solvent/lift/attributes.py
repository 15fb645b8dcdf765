"""Writing and deleting attributes and variables, with the journal told."""

from __future__ import annotations

from types import CellType, FunctionType, MemberDescriptorType

from solvent.errors import NotLiftedError
from solvent.lift import foreign
from solvent.lift.calls import call
from solvent.lift.facts import on_path
from solvent.lift.leaves import each_text
from solvent.lift.registry import OBJECT_METHODS
from solvent.lift.standins import attribute_of
from solvent.terms.booleans import not_
from solvent.terms.term import Term
from solvent.terms.texts import TextTerm, text
from solvent.vm import hidden
from solvent.vm.kinds import STANDS_FOR, StandIn, type_name
from solvent.vm.machine import current
from solvent.vm.places import ATTRIBUTES, CELL, CLASS_ATTRIBUTES, ENTRIES, Kind
from solvent.vm.slots import guard_of, is_partial, opened
from solvent.vm.spread import either, over
from solvent.vm.twins import NATIVE
from solvent.vm.union import Union
from solvent.vm.values import Choice, Value


def get_attribute(owner: Value, name: str) -> Value:
    """`owner.name`, where what stands for a value of Python's has what that value has."""
    if type(owner) is Union:
        return over(owner, lambda member: attribute_of_member(member, name))
    if type(owner) in NATIVE and name == "__class__":
        return NATIVE[type(owner)]
    if type(owner) not in STANDS_FOR and not isinstance(owner, StandIn):
        return foreign.read(owner, name) if hidden.ELSEWHERE else getattr(owner, name)
    return attribute_of(owner, name)


def of_value(owner: Value, name: str) -> Value:
    """`owner.name`, which is a method of texts or numbers if the owner is one."""
    return attribute_of(owner, name) if type(owner) in STANDS_FOR else getattr(owner, name)


def attribute_of_member(member: Value, name: str) -> Value:
    """`member.name` for a member of a union."""
    value = get_attribute(member, name)
    return absent(value, name, member) if is_partial(value) else value


def absent(content: Value, name: str, owner: Value) -> Value:
    """Read an attribute that some paths have not set: there the class decides."""
    guard, value = opened(content)
    return either(guard, lambda: value, lambda: _from_class(owner, name))


def _from_class(owner: Value, name: str) -> Value:
    """What an attribute is for an object that has none of its own."""
    bases = owner.__mro__[1:] if isinstance(owner, type) else type(owner).__mro__
    return _from_bases(owner, name, bases)


def _from_bases(owner: Value, name: str, bases: tuple[type, ...]) -> Value:
    """The attribute of the first of some classes that has it."""
    for place, base in enumerate(bases):
        if name not in base.__dict__:
            continue
        found = base.__dict__[name]
        if type(found) is MemberDescriptorType:
            break
        if is_partial(found):
            guard, value = opened(found)
            rest = bases[place + 1 :]
            return either(
                on_path(guard),
                lambda: _bound(value, owner),  # noqa: B023
                lambda: _from_bases(owner, name, rest),  # noqa: B023
            )
        return _bound(found, owner)
    if isinstance(owner, type):
        raise AttributeError(f"type object '{owner.__name__}' has no attribute '{name}'")
    computed = getattr(type(owner), "__getattr__", None)
    if computed is not None:
        return call(computed)(owner, name)
    raise AttributeError(f"'{type_name(owner)}' object has no attribute '{name}'")


def _bound(found: Value, owner: Value) -> Value:
    """What an attribute of a class is for an object, or for a class that derives from it."""
    get = getattr(type(found), "__get__", None)
    if get is None:
        return found
    return get(found, None, owner) if isinstance(owner, type) else get(found, owner, type(owner))


# A symbolic name is one of at most so many, unless it is only read.
_MOST_NAMES = 128


def each_name(name: Value, function: str) -> Value:
    """The name of an attribute; a symbolic one as a choice between the texts that it may be."""
    if not isinstance(name, Term):
        return name
    found = each_text(name, _MOST_NAMES) if isinstance(name, TextTerm) else None
    if found is None:
        raise NotLiftedError(
            f"`{function}` with a symbolic name is not lifted unless it is one of at most "
            f"{_MOST_NAMES}; choose between concrete names with `if`"
        )
    return found


def read_attribute(owner: Value, name: Value) -> Value:
    """`owner.name`; raises where the attribute is not there."""
    if type(name) is Union:
        return over(name, lambda member: read_attribute(owner, member))
    if type(owner) is Union:
        return over(owner, lambda member: read_attribute(member, name))
    if isinstance(name, Term):
        return _read_symbolic(owner, name)
    value = get_attribute(owner, name)
    if not is_partial(value):
        return value
    return absent(value, name, owner)


def _read_symbolic(owner: Value, name: Term) -> Value:
    """Read one of the attributes that an object has, or none."""
    cls = type(owner)
    computed = hasattr(cls, "__getattr__") or type(cls.__getattribute__) is FunctionType
    if not isinstance(name, TextTerm) or computed or isinstance(owner, (Term, StandIn)):
        return read_attribute(owner, each_name(name, "getattr"))
    names = [found for found in object.__dir__(owner) if len(found) == len(name)]
    rows: list[Choice] = [(name == found, found) for found in sorted(names)]
    rows = [(guard, found) for guard, found in rows if guard is not False]
    missing = text((*map(ord, f"'{type_name(owner)}' object has no attribute '"), *name.codes, 39))

    def read(found: Value) -> Value:
        if found is missing:
            raise AttributeError(missing)
        return read_attribute(owner, found)

    return over(Union((*rows, (True, missing))), read) if rows else read(missing)


# Classes whose attributes are written without any descriptor or method of their own.
SIMPLE: set[type] = set()
_SEEN: set[type] = set()


def _sets_plainly(cls: type) -> bool:
    return cls.__setattr__ is object.__setattr__  # type: ignore[comparison-overlap]


def _look_at(cls: type) -> None:
    """Find out whether a class is simple."""
    _SEEN.add(cls)
    for base in cls.__mro__:
        for found in vars(base).values():
            if (
                type(found) is property
                or type(getattr(type(found), "__set__", None)) is FunctionType
            ):
                return
    if _sets_plainly(cls):
        SIMPLE.add(cls)


def set_attribute(owner: Value, name: str, value: Value) -> None:
    """`owner.name = value`."""
    if type(owner) is Union:
        over(owner, lambda member: set_attribute(member, name, value))
        return
    cls = type(owner)
    if cls not in _SEEN:
        _look_at(cls)
    if isinstance(owner, type):
        _set_plainly(CLASS_ATTRIBUTES, owner, name, value)
        return
    if _sets_plainly(cls):
        found = None if cls in SIMPLE else _descriptor(cls, name)
        if found is not None:
            _set_by(found, owner, value)
            return
    elif type(cls.__setattr__) is FunctionType and not _is_frozen(cls):
        call(cls.__setattr__)(owner, name, value)
        return
    _set_plainly(ATTRIBUTES, owner, name, value)


def _set_plainly(kind: Kind, owner: Value, name: str, value: Value) -> None:
    """Set an attribute; the journal is told only if that succeeds."""
    machine = current()
    if not machine.listens and not hidden.ELSEWHERE:
        setattr(owner, name, value)
        return
    if kind is ATTRIBUTES and hidden.strategy_of(type(owner)) is not None:
        foreign.write(owner, name, value)
        return
    old = kind.read(owner, name)
    setattr(owner, name, value)
    machine.wrote_slot(kind, owner, name, old)


def keep_attribute(owner: Value, name: str, value: Value) -> None:
    """Write an attribute past all that its class does when one is set."""
    machine = current()
    if machine.listens:
        machine.write_slot(ATTRIBUTES, owner, name)
    ATTRIBUTES.write(owner, name, value)


def _is_frozen(cls: type) -> bool:
    parameters = getattr(cls, "__dataclass_params__", None)
    return parameters is not None and bool(parameters.frozen)


def _descriptor(cls: type, name: str) -> Value:
    """A property or other descriptor with a setter of its own, written in Python."""
    for base in cls.__mro__:
        found = base.__dict__.get(name)
        if found is not None:
            if (
                type(found) is property
                or type(getattr(type(found), "__set__", None)) is FunctionType
            ):
                return found
            return None
    return None


def _name_of(found: object, owner: object) -> str:
    for base in type(owner).__mro__:
        for name, value in vars(base).items():
            if value is found:
                return name
    return ""


def _set_by(found: Value, owner: Value, value: Value) -> None:
    if type(found) is property:
        if found.fset is None:
            kind = type_name(owner)
            raise AttributeError(
                f"property '{_name_of(found, owner)}' of '{kind}' object has no setter"
            )
        call(found.fset)(owner, value)
    else:
        call(type(found).__set__)(found, owner, value)


def delete_attribute(owner: Value, name: str) -> None:
    """`del owner.name`."""
    machine = current()
    if type(owner) is Union:
        over(owner, lambda member: delete_attribute(member, name))
        return
    found = _descriptor(type(owner), name)
    if type(found) is property:
        if found.fdel is None:
            shown = type_name(owner)
            raise AttributeError(f"property '{name}' of '{shown}' object has no deleter")
        call(found.fdel)(owner)
        return
    old = ATTRIBUTES.read(owner, name) if not isinstance(owner, type) else None
    if is_partial(old):
        message = f"'{type_name(owner)}' object has no attribute '{name}'"
        machine.fail_if(not_(guard_of(old)), AttributeError(message))
    kind: Kind = CLASS_ATTRIBUTES if isinstance(owner, type) else ATTRIBUTES
    held = kind.read(owner, name)
    delattr(owner, name)
    machine.wrote_slot(kind, owner, name, held)


def set_global(namespace: dict[str, Value], name: str, value: Value) -> None:
    """Assign a global variable."""
    machine = current()
    if machine.listens:
        machine.write_slot(ENTRIES, namespace, name)
    namespace[name] = value


def note_cell(cell: CellType) -> None:
    """A variable of an enclosing function is about to be assigned."""
    machine = current()
    if machine.listens:
        machine.write_slot(CELL, cell, None)


def _set_as_object(owner: Value, name: str, value: Value) -> None:
    """`object.__setattr__(owner, name, value)`."""
    machine = current()
    old = ATTRIBUTES.read(owner, name)
    object.__setattr__(owner, name, value)
    machine.wrote_slot(ATTRIBUTES, owner, name, old)


def _delete_as_object(owner: Value, name: str) -> None:
    """`object.__delattr__(owner, name)`."""
    machine = current()
    old = ATTRIBUTES.read(owner, name)
    object.__delattr__(owner, name)
    machine.wrote_slot(ATTRIBUTES, owner, name, old)


OBJECT_METHODS["__setattr__"] = _set_as_object
OBJECT_METHODS["__delattr__"] = _delete_as_object
