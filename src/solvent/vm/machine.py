"""The machine: one symbolic run, with its state, its journal, its open forks and scopes.

What opens and closes them is in `forks`, `scopes` and `trying`.  A path that ends raises `PathEnd`,
which the innermost fork or scope with a living path catches.
"""

from __future__ import annotations

import dis
import re
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar, copy_context
from functools import wraps
from inspect import CO_GENERATOR
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from solvent.errors import AssumptionError, InternalError, NotLiftedError, SolventError
from solvent.terms.booleans import not_
from solvent.terms.term import Term
from solvent.vm.journal import (
    Layer,
    commit,
    note_old,
    note_slot,
    note_whole,
    undo,
)
from solvent.vm.kinds import StandIn, python_type, type_name
from solvent.vm.limits import Limits
from solvent.vm.own import is_own, position
from solvent.vm.owned import JOURNAL_REFERENCES
from solvent.vm.places import ATTRIBUTES, BYTES, ENTRIES, ITEMS, MEMBERS, Kind
from solvent.vm.report import STATS, Stats
from solvent.vm.state import PATH_END, Path, PathEnd, State

if TYPE_CHECKING:
    from solvent.vm.forks import Fork
    from solvent.vm.scopes import Scope


Values = tuple[Any, ...]


def is_program_exception(error: BaseException) -> bool:
    """Whether the program under test raised this, rather than Solvent or the user."""
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


# All layers that are open on any machine: as long as it is empty, no write needs to be journaled.
JOURNALING: set[int] = set()


class Machine:
    """One symbolic run: its state, its open forks and scopes, its journal."""

    __slots__ = (
        "ambient",
        "base",
        "closing",
        "forks",
        "layers",
        "limits",
        "notes",
        "scopes",
        "state",
        "stats",
        "terminals",
        "waiting",
        "watchers",
    )

    def __init__(self) -> None:
        # Whether it is the one of code that runs outside of any run.
        self.ambient = False
        self.state = State()
        self.forks: list[Fork] = []
        self.scopes: list[Scope] = []
        self.layers: list[Layer] = []
        # How many of them belong to the run as a whole, which every path takes.
        self.base = 0
        # Scopes of `try` statements that need a layer as soon as paths differ.
        self.waiting: list[Scope] = []
        self.stats = Stats()
        self.limits = Limits()
        # Who is told of every object that is about to be written, while there is somebody.
        self.watchers: list[Callable[[Any], None]] = []
        # Layers that are off the stack but not committed yet.
        self.closing: list[Layer] = []
        # What the layers above remember for the time of this run.
        self.notes: dict[Any, Any] = {}
        # Where what the program prints goes; it cannot read what was printed.
        self.terminals = (sys.stdout, sys.stderr)

    def recursion(self, code: CodeType) -> int:
        """How many calls of one function have open forks or scopes."""
        frames = {fork.frame for fork in self.forks if fork.code is code}
        frames.update(scope.frame for scope in self.scopes if scope.code is code)
        return len(frames)

    @property
    def is_divided(self) -> bool:
        """Whether what is done now may be done on some paths only."""
        return len(self.layers) > self.base

    # --- the journal --------------------------------------------------------------------------

    def open_layer(self) -> Layer:
        """A new layer on top; every write is remembered from now on."""
        if self.waiting:
            self.give_layers()
        layer: Layer = {}
        if not self.layers:
            JOURNALING.add(id(self))
        self.layers.append(layer)
        return layer

    def give_layers(self) -> None:
        """Open the layers of the scopes that wait for one."""
        if self.waiting:
            JOURNALING.add(id(self))
            for scope in self.waiting:
                scope.level = len(self.layers)
                self.layers.append({})
            self.waiting.clear()

    def stop_waiting(self) -> None:
        """Forget waiting scopes that are closed."""
        if self.waiting:
            self.waiting = [scope for scope in self.waiting if scope in self.scopes]

    def close_layer(self, layer: Layer) -> None:
        """Keep the writes of a layer that was taken from the top."""
        if self.layers:
            if layer:
                commit(layer, self.layers[-1])
        else:
            JOURNALING.discard(id(self))
        if self.closing and self.closing[-1] is layer:
            self.closing.pop()

    def drop_layer(self) -> None:
        """Take the layer on top away and keep its writes.

        The layer below knows them before it is gone: an interrupt may come between any two steps,
        and what no layer knows can never be undone.
        """
        layers = self.layers
        if len(layers) > 1:
            commit(layers[-1], layers[-2])
        layers.pop()
        if not layers:
            JOURNALING.discard(id(self))

    def take_back(self, layer: Layer) -> None:
        """An exception came before a layer that was taken from the top was closed.

        Whoever handles the exception closes it or undoes it with the layers that it left open.
        """
        if self.closing and self.closing[-1] is layer:
            self.closing.pop()
        if layer and self.layers and all(layer is not known for known in self.layers):
            self.layers.append(layer)

    def restore(self) -> None:
        """Undo all writes that any layer knows of, the newest first; it can be done again."""
        for layer in (*reversed(self.closing), *reversed(self.layers)):
            undo(layer)

    def write_slot(self, kind: Kind, owner: Any, slot: Any) -> None:
        """Called before a slot is written."""
        if self.watchers:
            self.tell(owner)
        if self.layers:
            note_slot(self.layers[-1], kind, owner, slot)

    def wrote_slot(self, kind: Kind, owner: Any, slot: Any, old: Any) -> None:
        """Called after a slot was written that held something else before."""
        if self.watchers:
            self.tell(owner)
        if self.layers:
            note_old(self.layers[-1], kind, owner, slot, old)

    def write_whole(self, kind: Kind, owner: Any) -> None:
        """Called before the length or the order of contents changes."""
        if self.watchers:
            self.tell(owner)
        if self.layers:
            note_whole(self.layers[-1], kind, owner)

    def watch(self, watcher: Callable[[Any], None]) -> None:
        """Tell somebody of all writes from now on, also where nothing needs to be undone."""
        self.watchers.append(watcher)
        JOURNALING.add(id(self.watchers))

    def unwatch(self, watcher: Callable[[Any], None]) -> None:
        """Tell somebody no longer."""
        if watcher in self.watchers:
            self.watchers.remove(watcher)
        if not self.watchers:
            JOURNALING.discard(id(self.watchers))

    def tell(self, owner: Any) -> None:
        """An object is about to be written."""
        for watcher in self.watchers:
            watcher(owner)

    def close(self) -> None:
        """The run is over, however it ended."""
        self.watchers.clear()
        JOURNALING.discard(id(self.watchers))
        JOURNALING.discard(id(self))
        self.limits.close()

    # --- failing ------------------------------------------------------------------------------

    def fail_if(self, condition: Any, error: BaseException) -> None:
        """Raise an exception where the condition holds; elsewhere the path goes on."""
        if condition is False:
            return
        if condition is True:
            raise error
        state = self.state
        path = state.path
        state.path = Path(path, condition)
        self.end_path(error, condition)
        state.path = Path(path, not_(condition))

    def lose(self, condition: Any, error: BaseException) -> None:
        """End the paths on which the condition holds: what they would do is not known.

        That is no exception of the program, so that no handler and no `with` may deal with it.
        """
        if condition is False:
            return
        if condition is True and self.ambient:
            raise error
        state = self.state
        path = state.path
        state.path = Path(path, condition)
        for scope in self.scopes:
            scope.lossy = True
        state.refute(True, error, position())
        if condition is True:
            raise PATH_END
        state.path = Path(path, not_(condition))

    def end_path(self, error: BaseException, condition: Any = True) -> None:
        """The current path (as far as `condition` holds) ends with an exception of the program."""
        inside = _frames_in_generator() if isinstance(error, StopIteration) else None
        for place in range(len(self.scopes) - 1, -1, -1):
            scope = self.scopes[place]
            if inside is not None and scope.frame not in inside:
                error, inside = _of_generator(error), None
            if scope.catching and scope.accepts(error):
                for inner in self.scopes[place + 1 :]:
                    inner.lossy = True
                scope.record_exception(error, condition)
                return
        for scope in self.scopes:
            scope.lossy = True
        if inside is not None:
            error = _of_generator(error)
        self.state.refute(True, error, position_of(error))

    def assume(self, condition: Any) -> None:
        """Go on only where the condition holds."""
        if condition is True:
            return
        for scope in self.scopes:
            scope.lossy = True
        self.state.assume(condition)
        if condition is False:
            raise AssumptionError("no input satisfies the assumption made here")

    def caught(self, error: BaseException) -> None:
        """An exception reached the end of a path that is not the only one.

        Returns if that path has now ended; what is not the program's own goes on to the user.
        """
        if type(error) is PathEnd:
            return
        if isinstance(error, AssumptionError):
            return
        if not is_program_exception(error):
            raise error
        self.end_path(error)


def _frames_in_generator() -> set[int] | None:
    """The frames of the innermost generator of the program and of what it calls, if it runs."""
    frame: FrameType | None = sys._getframe(2)
    inside: set[int] = set()
    while frame is not None:
        inside.add(id(frame))
        code = frame.f_code
        if code.co_flags & CO_GENERATOR and not is_own(code.co_filename):
            return inside
        frame = frame.f_back
    return None


def _of_generator(error: BaseException) -> BaseException:
    """What Python makes of a `StopIteration` that a generator does not catch."""
    result = RuntimeError("generator raised StopIteration").with_traceback(error.__traceback__)
    result.__cause__ = error
    return result


_MACHINE: ContextVar[Machine] = ContextVar("solvent_machine")

_P = ParamSpec("_P")
_R = TypeVar("_R")


def isolated(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let a function set context variables for its own time only, however it ends.

    The end of a `with` block or a `finally` does not ensure that: Ctrl-C may come just before it.
    """

    @wraps(function)
    def call(*args: _P.args, **named: _P.kwargs) -> _R:
        return copy_context().run(function, *args, **named)

    return call


def keep_context(action: Callable[[], None]) -> None:
    """Run an action in a context of its own; if it ends well, keep what the program has set."""
    context = copy_context()
    context.run(action)
    for variable, value in context.items():
        if variable is not _MACHINE and variable is not STATS and variable.get(None) is not value:
            variable.set(value)


# The runs that have not been tidied up: thread, machine, whether their writes are to be undone.
Unfinished = tuple[int, Machine, bool]
_UNFINISHED: list[Unfinished] = []


def begin(machine: Machine, *, undone: bool) -> Unfinished:
    """A run starts: what Ctrl-C kept earlier ones of this thread from tidying up is done now."""
    outside = _MACHINE.get(None)
    if outside is None or outside.ambient:
        for earlier in reversed(_UNFINISHED.copy()):
            if earlier[0] == threading.get_ident():
                finish(earlier)
    unfinished = (threading.get_ident(), machine, undone)
    _UNFINISHED.append(unfinished)
    return unfinished


def finish(unfinished: Unfinished) -> None:
    """Tidy up after a run; if an exception ends that, the next run does it again."""
    _, machine, undone = unfinished
    if undone:
        machine.restore()
    machine.close()
    _UNFINISHED.remove(unfinished)


def current() -> Machine:
    """The machine of this thread or task."""
    try:
        return _MACHINE.get()
    except LookupError:
        machine = Machine()
        machine.ambient = True
        _MACHINE.set(machine)
        STATS.set(machine.stats)
        return machine


def path_of_run() -> Any:
    """The path of the lifted program that is running, `True` if none is."""
    machine = _MACHINE.get(None)
    if machine is None or (machine.ambient and not machine.forks and not machine.scopes):
        return True
    return machine.state.path.term


def is_running() -> bool:
    """Whether a lifted program is running, on some paths only."""
    machine = _MACHINE.get(None)
    return machine is not None and bool(machine.layers)


def journal_references(owner: Any) -> int:
    """How many references to an object the journal of the running machine holds."""
    machine = current()
    identity = id(owner)
    layers: list[Layer] = [*machine.layers, *machine.closing]
    layers += [fork.effects for fork in machine.forks if fork.effects]
    layers += [found.effects for scope in machine.scopes for found in scope.exits]
    kinds = _KINDS.get(type(owner), (ATTRIBUTES,))
    return sum((kind, identity) in layer for layer in layers for kind in kinds)


_KINDS: dict[type, tuple[Kind, ...]] = {
    list: (ITEMS,), dict: (ENTRIES,), set: (MEMBERS,), bytearray: (BYTES,),
}  # fmt: skip
JOURNAL_REFERENCES.append(journal_references)


class running:
    """Run on another machine: `with running(machine): ...`."""

    __slots__ = ("machine", "stats_token", "token")

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def __enter__(self) -> Machine:
        self.token = _MACHINE.set(self.machine)
        self.stats_token = STATS.set(self.machine.stats)
        return self.machine

    def __exit__(self, *exception: object) -> None:
        _MACHINE.reset(self.token)
        STATS.reset(self.stats_token)


def position_of(error: BaseException) -> str:
    """File and line where an exception was raised, outside of Solvent itself."""
    found = ""
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_own(code.co_filename):
            found = f"{code.co_filename}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    if found:
        return found
    return position()
