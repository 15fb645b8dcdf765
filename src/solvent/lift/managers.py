"""What `with` asks of a context manager.

The generator of a manager that `contextlib.contextmanager` made is left once, by all paths
together: it is advanced, and raises where it had yielded what each path has for it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import _GeneratorContextManager

from solvent.errors import NotLiftedError
from solvent.lift.calls import call
from solvent.lift.values.generators import is_lifted_generator
from solvent.lift.values.lazy import close, throw_on_paths
from solvent.terms.booleans import and_
from solvent.vm.kinds import type_name
from solvent.vm.machine import current
from solvent.vm.own import position
from solvent.vm.slots import is_partial, opened
from solvent.vm.spread import over
from solvent.vm.union import Union, choices_of
from solvent.vm.values import Choice, Value


def enter(manager: Value) -> Value:
    """What `with` does first."""
    if type(manager) is Union:
        return over(manager, enter)
    return call(_special(manager, "__enter__"))(manager)


def exit_of(manager: Value) -> Callable[..., Value]:
    """What `with` does last."""
    if type(manager) is Union:
        over(manager, lambda member: _special(member, "__exit__") and None)
        return lambda *details: over(manager, lambda member: exit_of(member)(*details))
    lifted = call(_special(manager, "__exit__"))
    return lambda *details: lifted(manager, *details)


def _special(manager: Value, name: str) -> Value:
    method = getattr(type(manager), name, None)
    if method is None:
        raise TypeError(
            f"'{type_name(manager)}' object does not support the context manager protocol"
        )
    return method


def meets(manager: Value) -> bool:
    """Whether all paths leave a manager together."""
    return type(manager) is _GeneratorContextManager and is_lifted_generator(manager.gen)


def leave_together(manager: Value, leave: Callable[..., Value], raised: Value) -> None:
    """All paths leave a manager; `raised` is what the body has raised on some of them."""
    guard, errors = opened(raised)
    if guard is False:
        leave(None, None, None)
        return
    choices: list[Choice] = [(and_(guard, case), error) for case, error in choices_of(errors)]
    if any(isinstance(error, (StopIteration, GeneratorExit)) for _, error in choices):
        _leave_alone(leave, choices)
        return
    try:
        again = throw_on_paths(manager.gen, choices)
    except StopIteration:
        return
    if is_partial(again):
        raise NotLiftedError(
            f"{position()}: a context manager whose generator yields again on some paths only is "
            "not lifted; let it yield once"
        )
    close(manager.gen)
    current().fail_if(guard, RuntimeError("generator didn't stop after throw()"))
    raise RuntimeError("generator didn't stop")


def _leave_alone(leave: Callable[..., Value], choices: list[Choice]) -> None:
    """As Python does it, where an exception means something to generators themselves."""
    (guard, error), *others = choices
    if guard is not True or others:
        raise NotLiftedError(
            f"{position()}: `{type(error).__name__}` raised on some paths only in the body of a "
            "`with` whose manager is a generator is not lifted; raise another exception"
        )
    suppressed = leave(type(error), error, error.__traceback__)
    if type(suppressed) is not bool:
        raise NotLiftedError(
            f"{position()}: a manager that suppresses an exception of generators "
            "on some paths only is not lifted; raise another exception"
        )
    if not suppressed:
        raise error
