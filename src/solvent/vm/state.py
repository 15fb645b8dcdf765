"""The state of figure 6 of "A formal foundation for symbolic evaluation with merging".

The paper's state is the pair (assumes, asserts), and a branch is an assumption.  Here the guards of
the branches are kept apart in the *path*, and every assumption and assertion is made under its
path: what a path adds is then vacuous on every other path, so that the merged state is simply the
conjunction, and nothing has to be undone or merged at a join.  A failed assertion or assumption
takes its models off the path, so at most one of the two formulas is false under any model
(legality), whatever comes later.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvent.terms.booleans import and_, not_, or_
from solvent.terms.term import Term
from solvent.vm import buffers
from solvent.vm.values import Guard


class PathEnd(BaseException):
    """The path that was being executed has ended; others may go on.

    Each end is an exception of its own: one that is raised again keeps all frames that it came
    through.
    """


class Path:
    """The condition under which the program is where it is: a chain of conditions to the root."""

    __slots__ = ("_term", "decision", "holds", "parent")

    def __init__(self, parent: Path | None, decision: Guard, holds: bool = True) -> None:
        self.parent = parent
        # The negation of a decision is made only when somebody asks for it: most forks do not.
        self.decision = decision
        self.holds = holds
        self._term: Guard | None = None

    @property
    def condition(self) -> Guard:
        """What this path adds to the one before."""
        return self.decision if self.holds else not_(self.decision)

    @property
    def term(self) -> Guard:
        """The conjunction of all conditions of the path."""
        known = self._term
        if known is not None:
            return known
        chain = []
        path: Path | None = self
        while path is not None and path._term is None:
            chain.append(path)
            path = path.parent
        result = True if path is None or path._term is None else path._term
        for path in reversed(chain):
            result = path._term = and_(result, path.condition)
        return result

    def since(self, ancestor: Path) -> Guard:
        """The conjunction of the conditions after `ancestor`."""
        result: Guard = True
        path: Path | None = self
        while path is not ancestor and path is not None:
            result = and_(path.condition, result)
            path = path.parent
        return result


def is_below(path: Path, ancestor: Path) -> bool:
    """Whether a path is a part of another."""
    found: Path | None = path
    while found is not None:
        if found is ancestor:
            return True
        found = found.parent
    return False


def on_one_of(paths: Sequence[Path], ancestor: Path) -> Guard:
    """Whether one of several paths is taken, in the conditions after their common ancestor.

    What paths share is said once, so that the formula has the size of the tree that they form.
    """
    ends = set(map(id, paths))
    branches: dict[int, list[Path]] = {}
    # Parents come before what branches off from them.
    order: list[Path] = []
    for path in paths:
        fresh = []
        while path is not ancestor and id(path) not in branches:
            branches[id(path)] = []
            fresh.append(path)
            assert path.parent is not None
            path = path.parent
        order += reversed(fresh)
    branches[id(ancestor)] = []
    for path in order:
        branches[id(path.parent)].append(path)
    taken: dict[int, Guard] = {}
    for path in (*reversed(order), ancestor):
        if id(path) in ends:
            taken[id(path)] = True
            continue
        result: Guard = False
        for branch in branches[id(path)]:
            result = or_(result, and_(branch.condition, taken[id(branch)]))
        taken[id(path)] = result
    return taken[id(ancestor)]


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that fails: under which condition, with which exception, where."""

    condition: Guard
    exception: BaseException
    position: str

    def __repr__(self) -> str:
        name = type(self.exception).__name__
        text = str(self.exception)
        where = f" at {self.position}" if self.position else ""
        return f"{name}{': ' + text if text else ''}{where} if {self.condition!r}"


_FIXED = (int, float, complex, str, bytes, type(None), Term, type)


def as_it_is(error: BaseException) -> BaseException:
    """An exception that keeps showing its objects as they are now, when other paths change them."""
    for value in (*error.args, *vars(error).values()):
        if not _never_changes(value):
            return _copied(error)
    return error


def _never_changes(value: object, depth: int = 3) -> bool:
    """Whether a value is one of those that never change, or a tuple of such."""
    if isinstance(value, _FIXED):
        return True
    if type(value) is not tuple or not depth:
        return False
    return all(_never_changes(item, depth - 1) for item in value)


def _copied(error: BaseException) -> BaseException:
    """An exception like another one, with copies of its objects."""
    try:
        arguments, attributes = copy.deepcopy((error.args, vars(error)), buffers.copies())
        result = type(error).__new__(type(error), *arguments)
        result.args = arguments
    except Exception:
        # What cannot be copied is shown as it is in the end.
        return error
    result.__dict__.update(attributes)
    result.__traceback__, result.__cause__ = error.__traceback__, error.__cause__
    result.__context__ = error.__context__
    result.__suppress_context__ = error.__suppress_context__
    return result


class State:
    """Assumptions and assertions so far, and the path that is being executed."""

    __slots__ = ("asserts", "assumes", "failures", "on_doubt", "path")

    def __init__(self) -> None:
        self.assumes: Guard = True
        self.asserts: Guard = True
        self.failures: list[Failure] = []
        self.path = Path(None, True)
        # Who is told of the first condition on which it depends whether the program fails.
        self.on_doubt: Callable[[Guard], None] | None = None

    def assume(self, condition: Guard) -> None:
        """The models in which the condition is false are not of interest."""
        if self.on_doubt is not None:
            self._tell(condition)
        self.assumes = and_(self.assumes, or_(not_(self.path.term), condition))
        self.path = Path(self.path, condition)

    def refute(self, condition: Guard, exception: BaseException, position: str) -> None:
        """The program fails with this exception where the condition holds."""
        reached = and_(self.path.term, condition)
        if self.on_doubt is not None:
            self._tell(reached)
        self.asserts = and_(self.asserts, not_(reached))
        if reached is not False:
            self.failures.append(Failure(reached, as_it_is(exception), position))

    def _tell(self, condition: Guard) -> None:
        """It depends on a condition whether the program fails, if that is not known."""
        tell = self.on_doubt
        if tell is not None and isinstance(condition, Term):
            self.on_doubt = None
            tell(condition)
