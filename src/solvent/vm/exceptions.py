"""Whose exception it is: the program's, Solvent's own, or the user's Ctrl-C."""

from __future__ import annotations

import dis
import re
from weakref import WeakSet

from solvent.errors import InternalError, NotLiftedError, SolventError
from solvent.terms.term import Term
from solvent.vm.kinds import StandIn, python_type, type_name
from solvent.vm.own import is_own, last_outside, line_of, position
from solvent.vm.state import PathEnd

# Exceptions that need no second look: neither Solvent nor Ctrl-C raises them, nor a name of ours.
_ORDINARY = frozenset((AssertionError, IndexError, KeyError, ValueError, ZeroDivisionError))


# What Solvent or Ctrl-C may have raised, or what may name or come from Solvent's own code.
_SPECIAL = (
    SolventError, PathEnd, KeyboardInterrupt, MemoryError, RecursionError, AttributeError,
    NameError, TypeError,
)  # fmt: skip
# Classes that are none of these, as far as they have been met.
_PLAIN: WeakSet[type] = WeakSet()


def is_program_exception(error: BaseException) -> bool:
    """Whether the program under test raised this, rather than Solvent or the user."""
    cls = type(error)
    if cls in _ORDINARY or cls in _PLAIN:
        return True
    if not issubclass(cls, _SPECIAL):
        # A class of the program's, of which nothing has to be known.
        _PLAIN.add(cls)
        return True
    if isinstance(error, (SolventError, PathEnd)):
        return False
    if isinstance(error, (KeyboardInterrupt, MemoryError, RecursionError)):
        # Other code that raises one may be the handler of a signal.
        return is_raised_on_purpose(error, LIFTED)
    check_not_internal(error)
    _check_names(error)
    return True


# Marks the code of lifted functions; CPython uses the lower bits.
LIFTED = 0x4000_0000

_RAISE = dis.opmap["RAISE_VARARGS"]


def is_raised_on_purpose(error: BaseException, flag: int = 0) -> bool:
    """Whether a `raise` statement raised this, not Ctrl-C or a lack of memory or of stack.

    The statement stands in code with this flag, if one is given.
    """
    traceback = error.__traceback__
    if traceback is None:
        return False
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    if code.co_code[traceback.tb_lasti] != _RAISE or is_own(code.co_filename):
        return False
    if code.co_flags & flag != flag:
        return False
    # A handler may have raised it instead of one that the user caused.
    before = error.__context__
    return not isinstance(before, type(error)) or is_raised_on_purpose(before, flag)


# How symbolic values are called inside of Solvent; a program that asks for a type sees Python's.
_OWN_NAMES = re.compile(
    r"\b(?:Int|Bool|Real|BitVec|Float|String|Regex|Array)Term\b|'(?:Union|Maybe|Elements)'"
)


def _check_names(error: BaseException) -> None:
    """A message must not name our own classes, which no program has ever seen."""
    if type(error) is AttributeError and isinstance(error.obj, (Term, StandIn)):
        name = type_name(error.obj)
        if hasattr(python_type(error.obj), error.name or ""):
            raise NotLiftedError(f"{position_of(error)}: `{error.name}` of a {name} is not lifted")
        error.args = (f"'{name}' object has no attribute '{error.name}'",)
    elif isinstance(error, (TypeError, AttributeError)) and len(error.args) == 1:
        message = error.args[0]
        if type(message) is str and _OWN_NAMES.search(message):
            raise NotLiftedError(
                f"{position_of(error)}: this operation on a symbolic value is not lifted "
                f"({message}); compute it concretely, or write it in Python"
            ) from error


# Looking up a name or an attribute; in Solvent's own code no program can make this fail.
_LOOKUPS = frozenset(
    number
    for name, number in dis.opmap.items()
    if name.startswith(
        ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER", "LOAD_GLOBAL", "LOAD_FAST", "LOAD_DEREF")
    )
)


def check_not_internal(error: BaseException) -> None:
    """Raise an error of Solvent instead of one that Solvent itself, not the program, caused."""
    traceback = error.__traceback__
    if traceback is None or not isinstance(error, (AttributeError, NameError)):
        return
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    if is_own(code.co_filename) and code.co_code[traceback.tb_lasti] in _LOOKUPS:
        raise InternalError(
            f"{code.co_filename}:{traceback.tb_lineno}: Solvent itself failed here, not the "
            f"program that it runs ({type(error).__name__}: {error}); please report this"
        ) from error


def position_of(error: BaseException) -> str:
    """File and line where an exception was raised, outside of Solvent itself."""
    found = last_outside(error.__traceback__)
    if found is not None:
        return line_of(found.tb_frame.f_code, found.tb_lasti, found)
    return position()
