"""Completing a sketch: the source with what a model says instead of the holes.

Only the text of the holes is replaced, the rest stays as it was written.  A call of a grammar
becomes the expression that it stands for; definitions of grammars that nothing refers to any more
are left out.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import itertools
import linecache
import sys
from collections.abc import Mapping
from functools import lru_cache
from types import FunctionType, MethodType, ModuleType
from typing import Any

from solvent.errors import SketchError
from solvent.lift import source
from solvent.lift.function import is_lifted
from solvent.lift.registry import Placed, placed
from solvent.lift.rewrite.lowering import copied
from solvent.lift.rewrite.macros import (
    NOTHING,
    Lookup,
    local_names,
    lookup_in,
    of_imports,
    place_of,
    resolved,
)
from solvent.lift.rewrite.scoping import parameters
from solvent.sketch import scopes
from solvent.sketch.choices import CHOOSE, CHOOSE_EACH, HOLE, HOLE_EACH, Chooser, Hole
from solvent.sketch.filling import Filling
from solvent.sketch.grammars import Grammar, grammar, grammars_of
from solvent.sketch.inlining import Site, actuals_of, inlined
from solvent.sketch.texts import Edit, Text, dedented, expression, in_place

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

_BY_NAME: dict[str, Chooser | Hole] = {
    found.name: found for found in (CHOOSE, CHOOSE_EACH, HOLE, HOLE_EACH)
}  # fmt: skip


def complete(model: object, target: object) -> str:
    """The source of a function, class or module with its holes filled in by a model.

    The model may be a result that has one.

    >>> from solvent.terms import Model
    >>> from solvent.sketch import choose, complete
    >>> def smaller(a, b):
    ...     return a if choose(a < b, a > b) else b  # which?
    >>> print(complete(Model(), smaller))
    def smaller(a, b):
        return a if a < b else b  # which?
    """
    filling = Filling(model)
    target = _plain(target)
    if isinstance(target, ModuleType):
        filename = target.__file__ or ""
        text = _text_of(filename, vars(target), target.__name__)
        return _Completer(filling, text, filename, _lookup_in(vars(target))).whole()
    if isinstance(target, FunctionType):
        filename = target.__code__.co_filename
        text = _text_of(filename, target.__globals__, target.__qualname__)
        node, _ = source.find(target)
        completer = _Completer(filling, text, filename, lookup_in(target))
        return completer.part(node)
    if isinstance(target, type):
        namespace = vars(sys.modules[target.__module__])
        filename = inspect.getfile(target)
        text = _text_of(filename, namespace, target.__qualname__)
        completer = _Completer(filling, text, filename, _lookup_in(namespace))
        return completer.part(completer.of_class(target))
    if isinstance(target, Grammar):
        raise SketchError(
            f"the grammar `{target.name}` stands for an expression wherever it is called; complete "
            "a function that calls it"
        )
    raise SketchError(f"{target!r} is neither a function nor a class nor a module")


def complete_source(model: object, text: str, filename: str) -> str:
    """The text of a module with its holes filled in by a model; `filename` is where it ran.

    >>> from solvent import Bool
    >>> from solvent.terms import Model
    >>> text = "from solvent import choose; size = choose(1, 2)"
    >>> complete_source(Model({Bool("choose@size.py:1:35.0"): True}), text, "size.py")
    'from solvent import choose; size = 2'
    """
    imported = of_imports(ast.parse(text, filename))
    defined = grammars_of(filename)

    def find(name: str) -> object:
        return defined.get(name) or imported(name)

    return _Completer(Filling(model), text, filename, find).whole()


def _plain(target: object) -> object:
    if isinstance(target, MethodType):
        target = target.__func__
    while is_lifted(target) and hasattr(target, "__wrapped__"):
        target = target.__wrapped__
    return target


def _text_of(filename: str, namespace: dict[str, object], name: str) -> str:
    text = "".join(linecache.getlines(filename, namespace))
    if not text:
        raise SketchError(f"the source of `{name}` is not available; put it into a file")
    return text


def _lookup_in(namespace: Mapping[str, object]) -> Lookup:
    return lambda name: namespace.get(name, getattr(builtins, name, NOTHING))


@lru_cache(maxsize=8)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


class _Completer:
    """Completes the text of one file."""

    def __init__(self, filling: Filling, text: str, filename: str, find: Lookup) -> None:
        self.filling = filling
        self.text = Text(text)
        self.filename = filename
        self.find = find
        self.tree = _parsed(text)
        # The names that are local where the walk is, function by function.
        self.local: list[set[str]] = []
        self.edits: list[Edit] = []
        # The nodes around the one where the walk is.
        self.path: list[ast.AST] = []
        # The definitions of grammars, each with the statements that it is one of.
        self.grammars: list[tuple[ast.FunctionDef, list[ast.stmt]]] = []

    # --- which part ------------------------------------------------------------------------

    def way(self, node: Any, inside: ast.AST) -> list[ast.AST] | None:
        """The nodes from one to the node that is where a node of another tree of the text is."""
        for found in ast.iter_child_nodes(inside):
            if hasattr(found, "lineno"):
                start, end = self.whole_span(found)
                first, last = self.text.span(node)
                if not (start <= first and last <= end):
                    continue
                if type(found) is type(node) and self.text.span(found) == (first, last):
                    return [inside, found]
            rest = self.way(node, found)
            if rest is not None:
                return [inside, *rest]
        return None

    def whole_span(self, node: Any) -> tuple[int, int]:
        """Where a node starts, with its decorators, and ends."""
        start, end = self.text.span(node)
        decorators = getattr(node, "decorator_list", [])
        return min([start, *(self.text.span(found)[0] for found in decorators)]), end

    def of_class(self, target: type) -> ast.AST:
        """The definition of a class."""
        found: list[ast.AST] = [self.tree]
        for name in target.__qualname__.split("."):
            if name != "<locals>":
                found = [
                    inner
                    for outer in found
                    for inner in ast.walk(outer)
                    if isinstance(inner, (ast.ClassDef, ast.FunctionDef)) and inner.name == name
                ]
        if not found:
            raise SketchError(f"the source of `{target.__qualname__}` is not available")
        return found[-1]

    def whole(self) -> str:
        """The completed text of the file."""
        self.visit(self.tree)
        self.drop_grammars()
        return self.checked(self.text.replaced(0, len(self.text.data), self.edits))

    def part(self, node: Any) -> str:
        """The completed text of a function or class, as if it stood alone."""
        way = self.way(node, self.tree)
        if way is None:
            raise SketchError(f"{self.filename}:{node.lineno}: the source has changed")
        *self.path, node = way
        self.local += [local_names(found) for found in self.path]
        self.visit(node)
        self.drop_grammars()
        start, end = self.whole_span(node)
        if isinstance(node, ast.Lambda):
            return self.checked(self.text.replaced(start, end, self.edits))
        start, end = self.text.lines_of(start, end)[0], self.text.with_comment(end)
        return self.checked(dedented(self.text.replaced(start, end, self.edits)))

    def checked(self, text: str) -> str:
        """The text, if it is Python."""
        try:
            ast.parse(text)
        except SyntaxError as error:
            raise SketchError(
                f"{self.filename}: the completed source would not be Python ({error.msg} in "
                f"{(error.text or '').strip()!r})"
            ) from None
        return text

    # --- walking ---------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> None:
        """Collect the edits for the holes in a node; it is none itself."""
        names = local_names(node)
        self.path.append(node)
        for field, value in ast.iter_fields(node):
            # Defaults and decorators are evaluated outside of a function.
            outside = isinstance(node, _FUNCTIONS) and field != "body"
            self.local.append(set() if outside else names)
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.FunctionDef) and self.is_grammar(child):
                    self.grammars.append((child, value))
                elif isinstance(child, ast.AST):
                    text = self.replacement(child)
                    if text is None:
                        self.visit(child)
                    else:
                        assert isinstance(child, ast.expr)
                        text = in_place(text, child, node, field)
                        self.edits.append((*self.text.span(child), text))
            self.local.pop()
        self.path.pop()

    def is_local(self, name: str) -> bool:
        """Whether a name is a local variable where the walk is."""
        return any(name in names for names in self.local)

    def knows(self, name: str, value: object) -> bool:
        """Whether a name stands for a value where the walk is."""
        return not self.is_local(name) and self.find(name) is value

    def called(self, node: ast.Call) -> Placed | None:
        """What a call is a hole by: what chooses, what makes constants, or a grammar."""
        root: ast.expr = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            # What starts at the same place is another call.
            return None
        known = None if self.is_local(root.id) else placed(resolved(node.func, self.find))
        if known is not None:
            return known
        # A function by another name, if it was called here.
        seen = scopes.SEEN.get(place_of(node, self.filename))
        if seen is None:
            return self.method(node.func)
        return seen if isinstance(seen, Placed) else _BY_NAME.get(seen)

    def method(self, function: ast.expr) -> Grammar | None:
        """The grammar that `self.name` is in a method."""
        if not (isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)):
            return None
        for outer, inner in itertools.pairwise(self.path):
            if isinstance(outer, ast.ClassDef) and isinstance(inner, ast.FunctionDef):
                first = parameters(inner.args)[:1]
                if first == [function.value.id]:
                    return grammars_of(self.filename, outer.name).get(function.attr)
        return None

    def is_grammar(self, node: ast.FunctionDef) -> bool:
        """Whether a function is a grammar."""
        return any(
            isinstance(found, ast.Call) and resolved(found.func, self.find) is grammar
            for found in node.decorator_list
        )

    # --- replacing -------------------------------------------------------------------------

    def replacement(self, node: ast.AST) -> str | None:
        """The text that a hole becomes; `None` if a node is none."""
        called = self.called(node) if isinstance(node, ast.Call) else None
        if called is None:
            return None
        assert isinstance(node, ast.Call)
        self.check_text(node)
        place = place_of(node, self.filename)
        if isinstance(called, Chooser):
            return self.completed(self.filling.option(node, called, place, None))
        if isinstance(called, Hole):
            return self.filling.literal(node, called, place, None, self.find, self.knows)
        assert isinstance(called, Grammar)
        actuals = [self.argument(actual) for actual in actuals_of(node, self.find)]
        named = [ast.keyword(key.arg, self.argument(key.value)) for key in node.keywords]
        given = ast.copy_location(ast.Call(node.func, actuals, named), node)
        site = Site(self.filename, self.knows, self.is_local)
        return ast.unparse(inlined(self.filling, site, called.root(place), actuals, given))

    def completed(self, node: ast.expr) -> str:
        """The text of an expression with the holes in it filled."""
        text = self.replacement(node)
        if text is None:
            edits, self.edits = self.edits, []
            self.visit(node)
            text = self.text.replaced(*self.text.span(node), self.edits)
            self.edits = edits
        return text

    def argument(self, node: ast.expr) -> ast.expr:
        """An argument of a grammar with the holes in it filled."""
        if isinstance(node, ast.Starred):
            return ast.Starred(self.argument(node.value), ast.Load())
        return copied(expression(self.completed(node)))

    def check_text(self, node: ast.Call) -> None:
        """Complain if the text at a node is another: positions in f-strings may be wrong."""
        try:
            same = ast.dump(expression(self.text.slice(*self.text.span(node)))) == ast.dump(node)
        except SyntaxError:
            same = False
        if not same:
            raise SketchError(
                f"{self.filename}:{node.lineno}: a hole inside of an f-string cannot be completed; "
                "assign it to a variable first"
            )

    def drop_grammars(self) -> None:
        """Leave out the definitions of grammars that nothing refers to."""
        dropped = [found for found in self.grammars if len(found[1]) > 1]
        while True:
            gone = [(start, end) for start, end, _ in self.edits]
            gone += [self.text.span(node) for node, _ in dropped]
            kept = [pair for pair in dropped if not self.is_used(pair[0].name, gone)]
            if len(kept) == len(dropped):
                break
            dropped = kept
        for node, _ in dropped:
            self.edits.append((*self.text.lines_of(*self.whole_span(node)), ""))

    def is_used(self, name: str, gone: list[tuple[int, int]]) -> bool:
        """Whether something refers to a name, outside of what is gone."""
        for found in ast.walk(self.tree):
            if (isinstance(found, ast.Name) and found.id == name) or (
                isinstance(found, ast.Attribute) and found.attr == name
            ):
                start, end = self.text.span(found)
                if not any(first <= start and end <= last for first, last in gone):
                    return True
        return False
