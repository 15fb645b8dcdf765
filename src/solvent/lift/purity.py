"""What is known of code that is not lifted: types that never change, functions that change nothing.

A call under a symbolic condition must be possible to take back.  So the tables say what is known,
and whatever is in none of them counts as changing something: a type with state, a function with
effects.  Everything here was looked at by name.

* `FIXED`: C types whose objects never change, or whose changes no program can see.
* `TRANSPARENT`: C types whose only state is that of the objects they refer to.
* `_EXCEPT`: modules in C whose functions change nothing but their arguments, and the exceptions.
* `_ONLY`: modules with effects, and their functions that only read or make something new.

A function with a cache (`functools.lru_cache`, `re`'s patterns, `fnmatch`) may be called: whether
an answer is remembered or computed again makes no difference that a program can see.
"""

from __future__ import annotations

import dis
import types
import warnings
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from solvent.vm.hidden import name_of
from solvent.vm.values import Value

FIXED = frozenset(
    (
        "builtins.NoneType", "builtins.NotImplementedType", "builtins.bool", "builtins.bytes",
        "builtins.classmethod", "builtins.classmethod_descriptor", "builtins.code",
        "builtins.complex", "builtins.ellipsis", "builtins.float", "builtins.getset_descriptor",
        "builtins.int", "builtins.member_descriptor", "builtins.method_descriptor",
        "builtins.module", "builtins.property", "builtins.range", "builtins.staticmethod",
        "builtins.str", "builtins.type", "builtins.weakref", "builtins.wrapper_descriptor",
        "_csv.Dialect", "_functools._lru_cache_wrapper", "_json.Encoder", "_json.Scanner",
        "_struct.Struct", "_thread._ExceptHookArgs", "collections._tuplegetter",
        "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta",
        "datetime.timezone", "datetime.tzinfo", "decimal.ContextManager", "decimal.Decimal",
        "functools._lru_cache_wrapper", "operator.attrgetter", "operator.itemgetter",
        "operator.methodcaller", "posix.DirEntry", "re.Match", "re.Pattern",
        "types.GenericAlias", "types.UnionType", "typing.ParamSpec", "typing.TypeAliasType",
        "typing.TypeVar", "typing.TypeVarTuple", "unicodedata.UCD", "weakref.ReferenceType",
        "weakref.CallableProxyType", "weakref.ProxyType", "zoneinfo.ZoneInfo",
    )
)  # fmt: skip

TRANSPARENT = frozenset(
    (
        "_csv.writer", "builtins.builtin_function_or_method", "builtins.dict_items",
        "builtins.dict_keys", "builtins.dict_values", "builtins.mappingproxy",
        "builtins.memoryview", "builtins.method", "builtins.method-wrapper",
        "builtins.odict_items", "builtins.odict_keys", "builtins.odict_values",
        "functools.partial",
    )
)  # fmt: skip

_NONE: frozenset[str] = frozenset()

_EXCEPT: dict[str, frozenset[str]] = {
    "_abc": frozenset(("_abc_init", "_abc_register", "_reset_caches", "_reset_registry")),
    "_bisect": _NONE, "_blake2": _NONE, "_collections": _NONE, "_contextvars": _NONE,
    "_codecs": frozenset(("register", "register_error", "unregister")),
    "_csv": frozenset(("field_size_limit", "register_dialect", "unregister_dialect")),
    "_datetime": _NONE, "_decimal": _NONE, "_functools": _NONE, "_hashlib": _NONE,
    "_heapq": _NONE, "_json": _NONE, "_lzma": _NONE, "_md5": _NONE, "_operator": _NONE,
    "_random": _NONE, "_sha1": _NONE, "_sha2": _NONE, "_sha256": _NONE, "_sha3": _NONE,
    "_sha512": _NONE, "_sre": _NONE, "_stat": _NONE, "_statistics": _NONE, "_string": _NONE,
    "_struct": _NONE, "_typing": _NONE, "_uuid": _NONE, "_weakref": _NONE, "_zoneinfo": _NONE,
    "array": _NONE, "binascii": _NONE,
    "builtins": frozenset(
        ("__build_class__", "__import__", "breakpoint", "delattr", "eval", "exec", "input", "open",
         "print", "setattr")
    ),
    "cmath": _NONE, "datetime": _NONE, "decimal": _NONE, "errno": _NONE, "functools": _NONE,
    "itertools": _NONE, "marshal": _NONE, "math": _NONE, "operator": _NONE,
    "time": frozenset(("clock_settime", "clock_settime_ns", "tzset")),
    "unicodedata": _NONE, "zlib": _NONE,
}  # fmt: skip

_ONLY: dict[str, frozenset[str]] = {
    "_asyncio": frozenset(("current_task", "get_event_loop", "get_running_loop")),
    "_imp": frozenset(("is_builtin", "is_frozen", "lock_held")),
    "_io": frozenset(("text_encoding",)),
    "_locale": frozenset(("getencoding", "localeconv", "nl_langinfo", "strcoll", "strxfrm")),
    "_thread": frozenset(
        ("RLock", "_count", "allocate", "allocate_lock", "get_ident", "get_native_id")
    ),
    # It only makes what is remembered of earlier warnings invalid.
    "_warnings": frozenset(("_filters_mutated",)),
    "gc": frozenset(("get_count", "get_referents", "get_threshold", "is_tracked", "isenabled")),
    "posix": frozenset(
        ("_path_normpath", "_path_splitroot", "_path_splitroot_ex", "access", "cpu_count",
         "device_encoding", "fspath", "fstat", "get_terminal_size", "getcwd", "getcwdb", "getegid",
         "geteuid", "getgid", "getloadavg", "getpid", "getppid", "getrandom", "getuid", "isatty",
         "listdir", "lstat", "readlink", "scandir", "stat", "strerror", "sysconf", "times", "uname",
         "urandom")
    ),
    "sys": frozenset(
        ("_getframe", "_is_gil_enabled", "_is_interned", "call_tracing", "exc_info", "exception",
         "get_int_max_str_digits", "getallocatedblocks", "getdefaultencoding",
         "getfilesystemencodeerrors", "getfilesystemencoding", "getrecursionlimit", "getrefcount",
         "getsizeof", "getswitchinterval", "gettrace", "intern", "is_finalizing")
    ),
}  # fmt: skip

_VARIABLE = frozenset(("get",))
_CONTEXT = frozenset(("__contains__", "__getitem__", "__len__", "get", "items", "keys", "values"))

# Methods that only read, of types with a state that cannot be taken back.
_READERS: dict[str, frozenset[str]] = {
    "_contextvars.Context": _CONTEXT, "_contextvars.ContextVar": _VARIABLE,
    "builtins.Context": _CONTEXT, "builtins.ContextVar": _VARIABLE,
}  # fmt: skip


def is_reader(function: object, owner: object) -> bool:
    """Whether a method of an object only reads it."""
    return getattr(function, "__name__", "") in _READERS.get(name_of(type(owner)), _NONE)


# Values that are free of state wherever they occur.
_PLAIN = (int, float, bool, str, bytes, type(None), complex, range, type, ModuleType)


def changes_nothing(function: object, args: tuple[object, ...], named: dict[str, Value]) -> bool:
    """Whether a call changes nothing but the objects it is given.

    >>> import math, os
    >>> changes_nothing(math.sqrt, (2.0,), {}), changes_nothing(os.chdir, ("/",), {})
    (True, False)
    """
    if function is open:
        return _only_reads(*args, **named)
    if isinstance(function, FunctionType):
        return _is_self_contained(function)
    if isinstance(function, type):
        return True
    owner = getattr(function, "__self__", None)
    if isinstance(function, BuiltinFunctionType) and (owner is None or type(owner) is ModuleType):
        return _is_listed(function.__module__ or "", function.__name__)
    # The methods of a type are judged by the type of the object, which is among the arguments.
    return True


def _is_listed(module: str, name: str) -> bool:
    if not module:
        # Functions of types, such as `str.maketrans`.
        return True
    if module in _EXCEPT:
        return name not in _EXCEPT[module]
    return name in _ONLY.get(module, _NONE)


def _only_reads(file: object, mode: object = "r", *more: object, **named: object) -> bool:
    """Whether `open` with these arguments neither makes nor truncates a file."""
    return isinstance(mode, str) and not set(mode) & set("wax+") and "opener" not in named


_GLOBAL_READS = frozenset(("LOAD_GLOBAL", "LOAD_NAME"))
_GLOBAL_WRITES = frozenset(("STORE_GLOBAL", "DELETE_GLOBAL"))


@cache
def _globals_of(code: CodeType) -> tuple[str, ...] | None:
    """The global variables that some code reads; `None` if it assigns any."""
    found = []
    for instruction in dis.get_instructions(code):
        if instruction.opname in _GLOBAL_WRITES:
            return None
        if instruction.opname in _GLOBAL_READS:
            found.append(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            inner = _globals_of(constant)
            if inner is None:
                return None
            found.extend(inner)
    return tuple(found)


def _is_self_contained(function: FunctionType) -> bool:
    """Whether generated code (of dataclasses, named tuples and the like) gets at nothing else.

    It may compute with what it is given and with constants, classes and builtins.
    """
    names = _globals_of(function.__code__)
    if names is None:
        return False
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    for cell in function.__closure__ or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:
            continue
    return all(_is_harmless(value) for value in values)


def _is_harmless(value: object) -> bool:
    cls = type(value)
    if cls in _PLAIN or isinstance(value, type):
        return True
    if isinstance(value, (types.BuiltinFunctionType, types.WrapperDescriptorType)):
        owner = getattr(value, "__self__", None)
        return owner is None or isinstance(owner, (ModuleType, type))
    if isinstance(value, tuple):
        return all(map(_is_harmless, value))
    return cls is object or name_of(cls) in FIXED or cls.__module__ in ("dataclasses", "enum")


def warning_is_silent(category: type[Warning]) -> bool:
    """Whether a warning would be shown at most: it raises nothing and nobody records it."""
    original = getattr(warnings, "_showwarnmsg_impl", None)
    recorded = getattr(original, "__module__", None) != "warnings" or (
        warnings.showwarning is not getattr(warnings, "_showwarning_orig", None)
    )
    return not recorded and not any(
        action == "error" and issubclass(category, kind) for action, _, kind, *_ in warnings.filters
    )


# Functions that call nothing of the program's for plain items, which are all that is ready.
HARMLESS: frozenset[object] = frozenset((abs, bool, chr, float, int, len, ord, repr, str))
