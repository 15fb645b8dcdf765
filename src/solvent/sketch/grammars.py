"""Grammars: recursive choices with a bound on their depth.

A grammar is a function that chooses between expressions, some of which call it again.  Each call of
it in the source stands for one expression; each call inside of it is an expansion with choices of
its own, called after the path to it.  Options that would need more depth than is left are no
options, so that every assignment to the constants is an expression of the grammar.

At most one option of a choice is used, so calls in different options of one choice share their
expansions: the first call in each option is expansion 0, the second is expansion 1, and so on.
The terms of an expansion with the same arguments are then shared too, and a grammar with twenty
binary operators has no more constants than one with a single operator.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
from collections.abc import Callable, Sequence
from functools import partial, update_wrapper
from types import FunctionType, MethodType
from weakref import WeakSet

from solvent.errors import NotLiftedError, SketchError
from solvent.lift import source
from solvent.lift.calls import call
from solvent.lift.function import is_lifted
from solvent.lift.registry import Place, Placed, placed
from solvent.lift.rewrite.macros import NOTHING, lookup_in, place_of, resolved
from solvent.lift.rewrite.scoping import parameters
from solvent.sketch import scopes
from solvent.sketch.choices import Chooser, Hole
from solvent.sketch.places import calling_place, shown, where
from solvent.terms.term import Term
from solvent.terms.values import BV
from solvent.vm.machine import current
from solvent.vm.values import Value, Values

# What has no effects on numbers and texts, apart from failing.
_PURE = (
    ast.Return, ast.Expr, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp,
    ast.Compare, ast.IfExp, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip

# How often each grammar occurs on the path to an expansion, itself included.
Counts = tuple[tuple["Grammar", int], ...]

# The label of an expansion and the identities of arguments; its value, with the arguments.
Key = tuple[str, tuple[int, ...], tuple[tuple[str, int], ...]]
Evaluated = tuple[Value, Values, dict[str, Value]]


class Grammar(Placed):
    """A function whose calls stand for expressions; made by `grammar`."""

    def __init__(self, function: FunctionType, depth: int) -> None:
        self.function = function
        self.depth = depth
        self._shape: Shape | None = None
        update_wrapper(self, function)
        _ALL.add(self)

    @property
    def name(self) -> str:
        """What the grammar is called."""
        return self.function.__name__

    @property
    def shape(self) -> Shape:
        """What is known from the source."""
        if self._shape is None:
            self._shape = Shape(self)
        return self._shape

    def __call__(self, *args: Value, **named: Value) -> Value:
        return self.expand(calling_place(self.name), *args, **named)

    def __get__(self, owner: object, cls: type | None = None) -> Grammar | MethodType:
        return self if owner is None else MethodType(self, owner)

    def at(self, place: Place) -> Callable[..., Value]:
        return partial(self.expand, place)

    def expand(self, place: Place, /, *args: Value, **named: Value) -> Value:
        """The value of the expression that a call at a place stands for."""
        expansion = self.expansion(place)
        key = self.key(expansion, args, named)
        known = None if key is None else expansion.known.get(key)
        if known is not None:
            return known[0]
        state, stats = current().state, current().stats
        path, calls = state.path, stats.solver_calls
        token = scopes.CURRENT.set(expansion)
        try:
            value = call(self.function)(*args, **named)
        finally:
            scopes.CURRENT.reset(token)
        same = state.path is path and stats.solver_calls == calls
        if key is not None and same and is_value(value):
            # The arguments are kept alive, as they are known by their identity.
            expansion.known[key] = (value, args, named)
        return value

    def key(self, expansion: Expansion, args: Values, named: dict[str, Value]) -> Key | None:
        """What tells an evaluation from others of the expansion; `None` if it may have effects.

        Calls that share an expansion need not evaluate it twice.
        """
        if not self.shape.is_pure or not all(map(is_value, (*args, *named.values()))):
            return None
        return expansion.label, tuple(map(id, args)), tuple((n, id(v)) for n, v in named.items())

    def expansion(self, place: Place) -> Expansion:
        """What a call at a place expands to, inside of the expansion that is being evaluated."""
        scopes.SEEN[place] = self
        outer = scopes.scope_of(self.name, place)
        if outer is None:
            active = scopes.CURRENT.get()
            if isinstance(active, Expansion) and self in dict(active.counts):
                raise SketchError(
                    f"{where(place)}: the grammar `{self.name}` calls itself through another "
                    "function; write the call into the grammar"
                )
            return self.root(place)
        assert isinstance(outer, Expansion)
        return outer.inner(self, place)

    def root(self, place: Place) -> Expansion:
        """What a call outside of any grammar expands to."""
        if not self.admits(()):
            raise SketchError(
                f"{self.where}: the grammar `{self.name}` has no expression of depth {self.depth}; "
                "give it an option that does not call it"
            )
        return Expansion(self, f"{self.name}@{shown(place)}", ((self, 1),))

    @property
    def where(self) -> str:
        """File and line of the definition."""
        code = self.function.__code__
        return f"{code.co_filename}:{code.co_firstlineno}"

    def admits(self, counts: Counts) -> bool:
        """Whether there is an expression if each grammar is on the path so often already."""
        inner = counted(counts, self)
        if dict(inner)[self] > self.depth + 1:
            return False
        return all(self.shape.possible(part, inner) for part in self.shape.node.body)


def is_value(value: object) -> bool:
    """Whether a value is one whose operators have no effects."""
    return isinstance(value, (Term, int, str, float, BV))


_ALL: WeakSet[Grammar] = WeakSet()


def _owner(place: Place) -> str | None:
    """The name of the grammar that has a place in its body."""
    if not len(_ALL):
        return None
    for found in _ALL:
        # Without its source it has never run.
        if found.function.__code__.co_filename == place[0]:
            with contextlib.suppress(NotLiftedError):
                if found.shape.covers(place):
                    return found.name
    return None


scopes.OWNERS.append(_owner)


def grammars_of(filename: str, cls: str = "") -> dict[str, Grammar]:
    """The grammars at the top of a file that ran, or in a class of it, by name."""
    return {
        found.name: found
        for found in _ALL
        if found.function.__code__.co_filename == filename
        and found.function.__qualname__.split(".")[-2:] == ([cls] if cls else []) + [found.name]
    }


def counted(counts: Counts, grammar: Grammar) -> Counts:
    """The counts with one more of a grammar."""
    found = dict(counts)
    found[grammar] = found.get(grammar, 0) + 1
    return tuple(found.items())


class Shape:
    """The source of a grammar: its choices, and the calls of grammars in it."""

    def __init__(self, grammar: Grammar) -> None:
        function = grammar.function
        node, _ = source.find(function)
        assert isinstance(node, ast.FunctionDef)
        self.node = node
        self.filename = function.__code__.co_filename
        self.parameters = parameters(node.args)
        self.find = lookup_in(function)
        self.owner = grammar
        # The calls that matter, by line and column.
        self.calls: dict[tuple[int, int], ast.Call] = {}
        # Which expansion each call of a grammar is.
        self.slots: dict[tuple[int, int], int] = {}
        self._known: dict[tuple[ast.AST, Counts], bool] = {}
        for part in node.body:
            self.number(part, {})
        # Whether there is nothing in it but operators and holes.
        self.is_pure = all(map(self.has_no_effects, node.body))

    def has_no_effects(self, node: ast.AST) -> bool:
        """Whether there is nothing in a node but operators and holes."""
        called = self.called(node)
        if isinstance(called, (Chooser, Hole)) and called.fresh:
            return False
        if isinstance(called, Hole):
            return True
        if called is not None:
            assert isinstance(node, ast.Call)
            return all(map(self.has_no_effects, [*node.args, *(k.value for k in node.keywords)]))
        if isinstance(node, ast.Name):
            return node.id in self.parameters or is_value(self.find(node.id))
        return isinstance(node, _PURE) and all(map(self.has_no_effects, ast.iter_child_nodes(node)))

    def covers(self, place: Place) -> bool:
        """Whether a place is in the body."""
        first, last = self.node.body[0], self.node.body[-1]
        position = place[1:]
        return (
            place[0] == self.filename
            and (first.lineno, first.col_offset) <= position
            and position < (last.end_lineno or 0, last.end_col_offset or 0)
        )

    def called(self, node: ast.AST) -> Placed | None:
        """What a call is a hole by: what chooses, what makes constants, or a grammar."""
        if not isinstance(node, ast.Call):
            return None
        function = node.func
        root: ast.expr = function
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and root.id in self.parameters:
            return self.method(function)
        return placed(resolved(function, self.find))

    def method(self, function: ast.expr) -> Grammar | None:
        """The grammar that `self.name` is."""
        if not (
            isinstance(function, ast.Attribute)
            and isinstance(function.value, ast.Name)
            and function.value.id == self.parameters[0]
        ):
            return None
        *path, _ = self.owner.function.__qualname__.split(".")
        found: object = None
        for name in path[path.index("<locals>") + 1 if "<locals>" in path else 0 :]:
            found = self.find(name) if found is None else vars(found).get(name, NOTHING)
        if not isinstance(found, type):
            # The class of a function is not known from its source: at least itself is.
            return self.owner if function.attr == self.owner.name else None
        known = inspect.getattr_static(found, function.attr, None)
        return known if isinstance(known, Grammar) else None

    def number(self, node: ast.AST, used: dict[Grammar, int]) -> dict[Grammar, int]:
        """Number the calls of grammars; options of one choice start with the same numbers."""
        called = self.called(node)
        if not isinstance(called, (Grammar, Chooser)):
            for child in ast.iter_child_nodes(node):
                used = self.number(child, used)
            return used
        assert isinstance(node, ast.Call)
        position = place_of(node, "")[1:]
        self.calls[position] = node
        if isinstance(called, Grammar):
            for child in ast.iter_child_nodes(node):
                used = self.number(child, used)
            self.slots[position] = used.get(called, 0)
            return {**used, called: self.slots[position] + 1}
        if called.fresh:
            # Another option may be chosen next time: no two options share anything.
            for option in node.args:
                used = self.number(option, used)
            return used
        results = [self.number(option, used) for option in node.args]
        return {
            found: max(result.get(found, 0) for result in results)
            for found in dict.fromkeys(found for result in [used, *results] for found in result)
        }

    def possible(self, node: ast.AST, counts: Counts) -> bool:
        """Whether some code can be an expression if the grammars are on the path so often."""
        key = (node, counts)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._possible(node, counts)
        return known

    def _possible(self, node: ast.AST, counts: Counts) -> bool:
        called = self.called(node)
        if isinstance(called, Chooser) and isinstance(node, ast.Call) and options_of(node):
            return any(self.possible(option, counts) for option in options_of(node))
        if isinstance(called, Grammar) and not called.admits(counts):
            return False
        return all(self.possible(child, counts) for child in ast.iter_child_nodes(node))


def options_of(node: ast.Call) -> list[ast.expr]:
    """The options of a choice, none if they are not all in the source."""
    if any(isinstance(option, ast.Starred) for option in node.args):
        return []
    return list(node.args)


class Expansion:
    """One of the expressions that a grammar is expanded to."""

    def __init__(
        self,
        grammar: Grammar,
        label: str,
        counts: Counts,
        known: dict[Key, Evaluated] | None = None,
    ) -> None:
        self.grammar = grammar
        self.label = label
        self.counts = counts
        # What was evaluated already for the call outside that this expansion is part of.
        self.known = {} if known is None else known

    def covers(self, place: Place) -> bool:
        return self.grammar.shape.covers(place)

    def allowed(self, place: Place, count: int) -> Sequence[int]:
        shape = self.grammar.shape
        node = shape.calls.get(place[1:])
        options = options_of(node) if node is not None else []
        if len(options) != count:
            return range(count)
        result = [n for n, part in enumerate(options) if shape.possible(part, self.counts)]
        if not result:
            raise SketchError(
                f"{where(place)}: no option is left at depth {self.grammar.depth} of the "
                f"grammar `{self.grammar.name}`; give it an option that does not call it"
            )
        return result

    def inner(self, grammar: Grammar, place: Place) -> Expansion:
        """What a call of a grammar inside of this expansion expands to."""
        counts = counted(self.counts, grammar)
        if dict(counts)[grammar] > grammar.depth + 1:
            raise SketchError(
                f"{where(place)}: the grammar `{grammar.name}` is called beyond its depth of "
                f"{grammar.depth}; call it by its name in an option of `choose`"
            )
        slot = self.grammar.shape.slots.get(place[1:])
        number = f"{place[1]}:{place[2]}" if slot is None else str(slot)
        same = grammar is self.grammar
        label = f"{self.label}/{'' if same else grammar.name}{number}"
        return Expansion(grammar, label, counts, self.known)


def grammar(*, depth: int) -> Callable[[Callable[..., Value]], Grammar]:
    """Make a function a grammar: calls of it inside of it are nested at most `depth` deep.

    >>> from solvent import Int
    >>> from solvent.lift import symbolics
    >>> from solvent.sketch import choose, hole
    >>> @grammar(depth=1)
    ... def linear(x):
    ...     return choose(x, hole(Int), linear(x) + linear(x))
    >>> len(symbolics(linear(Int("x"))))
    8
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise SketchError(f"the depth of a grammar is a number from 0 on, not {depth!r}")

    def make(function: Callable[..., Value]) -> Grammar:
        found: object = function
        while is_lifted(found) and hasattr(found, "__wrapped__"):
            found = found.__wrapped__
        if not isinstance(found, FunctionType):
            raise SketchError(f"{function!r} is no function, so it cannot be a grammar")
        if inspect.isgeneratorfunction(found) or inspect.iscoroutinefunction(found):
            raise SketchError(f"`{found.__qualname__}` does not return an expression at once")
        return Grammar(found, depth)

    return make
