"""The names of generated code: what rewritten functions refer to, as variables of an outer scope.

Generated names start with `_sv_`.  Those in `NAMES` are filled by `solvent.lift.runtime` when
everything that they stand for is there; functions may be rewritten before that.  All others are
local variables of the rewritten function, numbered (`_sv_comp3`), except `_sv_globals`, its
namespace.
"""

from __future__ import annotations

from types import CellType

PREFIX = "_sv_"

# The namespace of the function, which each has for itself.
GLOBALS = "_sv_globals"

# How the inner functions are called that comprehensions and lambdas become.
COMPREHENSION = "_sv_comp"
LAMBDA = "_sv_lambda"

# Methods of builtin types that rewritten code calls without looking them up.
OWNERS = {
    "append": "list", "extend": "list", "pop": "list",
    "get": "dict", "items": "dict", "keys": "dict", "values": "dict", "setdefault": "dict",
    "add": "set", "discard": "set",
}  # fmt: skip


def owned(name: str) -> str:
    """How generated code calls a lifted method of a builtin type."""
    return f"_sv_{OWNERS[name]}_{name}"


OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or",
    "xor", "matmul",
)  # fmt: skip

NAMES = (
    # control flow
    "truth", "test", "not", "check", "unbound", "absent", "exception", "matches",
    "Fork", "journaling", "chain", "Scope", "Try", "Leave", "Maybe", "UNBOUND", "Union",
    "iterate", "once", "unpack", "unpack_star", "enter", "exit_of",
    "GeneratorState", "generate", "Delegate",
    # calls, attributes, items
    "call", "resolve", "UNRESOLVED", "at", "picks", "method", "method_of", "apply",
    "hasattr", "getattr", "of_value", "setattr", "delattr", "simple", "set_global", "note_cell",
    "isinstance", "len", "getitem", "setitem", "delitem", "slice", "contained", "not_contained",
    # displays, patterns, texts
    "add_element", "set_entry", "make_list", "make_set", "make_dict",
    "tuple_display", "list_display", "set_parts", "snapshot", "dict_snapshot",
    "sequence", "mapping", "without", "positional", "format_parts",
    # operators; `and_` and `or_` because the others are keywords
    *(f"{name}_" if name in ("and", "or") else name for name in OPERATORS),
    *(f"i{name}" for name in OPERATORS),
    "neg", "pos", "invert", "eq", "ne", "lt", "le", "gt", "ge", "is_", "is_not",
    # Python's own, whatever the program calls them
    "type", "length", "bool", "int", "list", "tuple", "set", "dict", "str", "atoms",
    "BaseException", "GeneratorExit",
)  # fmt: skip

HELPERS: dict[str, CellType] = {f"_sv_{name}": CellType() for name in NAMES}
HELPERS |= {owned(name): CellType() for name in OWNERS}


def provide(name: str, value: object) -> None:
    """Say what a name of generated code stands for; a name that is not in the table is added."""
    HELPERS.setdefault(name, CellType()).cell_contents = value


def missing() -> list[str]:
    """The names that nobody has provided."""
    result = []
    for name, cell in HELPERS.items():
        try:
            cell.cell_contents  # noqa: B018
        except ValueError:
            result.append(name)
    return result
