"""The sources of what was typed in.

The prompt of Python 3.11 and 3.12 forgets what was typed and calls all of it `<stdin>`.  The lines
are in the history of `readline`, though, and the text given to `python -c` among its arguments.  A
piece of text is taken for the source of a function only if compiling it gives the very same code,
down to the columns.  It is then kept under a name of its own, as Solvent's console does from the
start, where `linecache` finds it.
"""

from __future__ import annotations
import __future__

import codeop
import inspect
import itertools
import linecache
import sys
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType

from solvent.lift.origins import is_generated

# By text: the name under which it is kept.
_NAMES: dict[str, str] = {}
_numbers = itertools.count()

# So many lines of one input are looked at, and so many texts compiled to find lines that the
# history has left out.
_LONGEST = 1000
_TRIALS = 1500

_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


def new_name() -> str:
    """A file name for what was typed in."""
    return f"<solvent-input-{next(_numbers)}>"


def keep(text: str, name: str) -> None:
    """Keep the text of an input where `linecache` finds it."""
    text = text if text.endswith("\n") else text + "\n"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)


def code_of(function: FunctionType) -> CodeType:
    """The code of a function, whose file name leads to its source.

    What was typed in gets a file name of its own if its source can be found.
    """
    code = function.__code__
    filename = code.co_filename
    if not filename.startswith("<") or (
        not is_generated(filename) and linecache.getlines(filename, function.__globals__)
    ):
        return code
    text = _source(code)
    if text is None:
        return code
    name = _NAMES.get(text)
    if name is None:
        name = _NAMES[text] = new_name()
        keep(text, name)
    function.__code__ = _renamed(code, name)
    return function.__code__


def is_made(function: FunctionType) -> bool:
    """Whether a program made a function, so that it has no source (but no branches either)."""
    return is_generated(function.__code__.co_filename) and is_generated(
        code_of(function).co_filename
    )


def _renamed(code: CodeType, name: str) -> CodeType:
    constants = tuple(_renamed(c, name) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_filename=name, co_consts=constants)


def _source(code: CodeType) -> str | None:
    """The text that was compiled to a code object, if it can be found and is surely right."""
    if is_generated(code.co_filename):
        return next((t for t in _command_line(code.co_filename) if _fits(t, code, "exec")), None)
    try:
        lines = inspect.findsource(code)[0]
    except (OSError, IndexError):
        lines = []
    text = "".join(lines)
    if text and _fits(text, code, "single"):
        return text
    return _typed(_history(), code)


# --- where texts may be ---------------------------------------------------------------------------


def _command_line(filename: str) -> Iterator[str]:
    """The text given to `python -c`."""
    if filename == "<string>" and "-c" in sys.orig_argv[:-1]:
        yield sys.orig_argv[sys.orig_argv.index("-c") + 1]


def _history() -> list[str]:
    """The lines that `readline` remembers, oldest first."""
    readline = sys.modules.get("readline")
    if readline is None:
        return []
    count = readline.get_current_history_length()
    return [readline.get_history_item(place) or "" for place in range(1, count + 1)]


_GOES_ON = ("else", "elif", "except", "finally", " ", "\t", ")", "]", "}")


def _typed(lines: Sequence[str], code: CodeType) -> str | None:
    """The input among some lines that was compiled to a code object; the newest are tried first."""
    word = "lambda" if code.co_name == "<lambda>" else code.co_name
    incomplete = []
    for start in range(len(lines) - 1, -1, -1):
        if not lines[start] or lines[start].startswith(_GOES_ON):
            continue
        found = list(_input(lines[start : start + _LONGEST]))
        if not any(word in line for line in found):
            continue
        text = "\n".join(found) + "\n"
        if _fits(text, code, "single"):
            return text
        incomplete.append(found)
    trials = itertools.chain.from_iterable(map(_with_lost_lines, incomplete))
    for text in itertools.islice(trials, _TRIALS):
        if _fits(text, code, "single"):
            return text
    return None


def _input(lines: Sequence[str]) -> Sequence[str]:
    """The lines, from the first one on, that are one input."""
    for end in range(1, len(lines) + 1):
        if end < len(lines) and lines[end].startswith(_GOES_ON):
            continue
        try:
            if codeop.compile_command("\n".join(lines[:end]) + "\n", "<stdin>", "single"):
                return lines[:end]
        except (SyntaxError, ValueError, OverflowError):
            return ()
    return ()


def _with_lost_lines(lines: Sequence[str]) -> Iterator[str]:
    """An input with one or two more lines: a history has no empty ones, nor repeated ones."""
    once = [
        (*lines[:place], lost, *lines[place:])
        for place in range(1, len(lines) + 1)
        for lost in (lines[place - 1], "")
    ]
    yield from ("\n".join(longer) + "\n" for longer in once)
    for longer in once:
        for place in range(1, len(longer) + 1):
            for lost in (longer[place - 1], ""):
                yield "\n".join((*longer[:place], lost, *longer[place:])) + "\n"


# --- whether a text is the right one --------------------------------------------------------------


def _fits(text: str, code: CodeType, mode: str) -> bool:
    """Whether compiling a text gives this code object, among others."""
    try:
        whole = compile(
            text, code.co_filename, mode, flags=code.co_flags & _FUTURE, dont_inherit=True
        )
    except (SyntaxError, ValueError, OverflowError, MemoryError, RecursionError):
        return False
    stack = [whole]
    while stack:
        found = stack.pop()
        if _same(found, code):
            return True
        stack.extend(c for c in found.co_consts if isinstance(c, CodeType))
    return False


_FIELDS = (
    "co_name", "co_qualname", "co_firstlineno", "co_code", "co_linetable", "co_exceptiontable",
    "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount", "co_posonlyargcount",
    "co_kwonlyargcount", "co_flags",
)  # fmt: skip


def _same(a: CodeType, b: CodeType) -> bool:
    return (
        all(getattr(a, field) == getattr(b, field) for field in _FIELDS)
        and len(a.co_consts) == len(b.co_consts)
        and all(map(_same_constant, a.co_consts, b.co_consts))
    )


def _same_constant(a: object, b: object) -> bool:
    if isinstance(a, CodeType) and isinstance(b, CodeType):
        return _same(a, b)
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return sorted(map(repr, a)) == sorted(map(repr, b))
    # The text tells numbers apart that are equal.
    return repr(a) == repr(b)
