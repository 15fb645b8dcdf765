"""What to do about a bad place: a sentence, and the anti-pattern of the manual that it is.

Which pattern it is follows from what the place did and how its source looks; the page
`docs/antipatterns.md` has each with a program before and after.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from solvent.profiling.entries import Entry
from solvent.profiling.profile import Profile

# Up to so many members, a union is what unions are for.
_SMALL = 3
# From so many arms on, a chain of tests is a table.
_MANY_ARMS = 6


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, and under which heading the manual shows it."""

    anchor: str
    sentence: str


CHAIN = Advice(
    "a-big-table-in-an-if-chain",
    "this chain of tests is a table: put its values into a list or dict and look them up once",
)
KEY = Advice(
    "a-symbolic-key-where-a-concrete-one-is-known",
    "this key is symbolic, so that every entry is looked at: go over the concrete keys, or "
    "concretise the argument by trying its values one by one (`for_all`)",
)
RECURSION = Advice(
    "recursion-before-the-test",
    "this call is made on all paths and its result is needed on few: test before the recursive "
    "call, or give a bound",
)
LISTS = Advice(
    "unions-of-lists-where-an-index-would-do",
    "lists of many lengths are merged here: keep a list of fixed length with an index or a count, "
    "or a smaller space of inputs",
)
IRRELEVANT = Advice(
    "irrelevant-branching",
    "terms that are made here reach no solver: what this decides does not matter for the question, "
    "so leave it out or move it behind the question",
)
SPACE = Advice(
    "a-space-of-inputs-that-is-larger-than-needed",
    "how often this loop runs is symbolic: a smaller space of inputs (`max_len`), or one question "
    "for each length",
)
MERGES = Advice(
    "a-choice-inside-of-the-loop",
    "paths part and meet here again and again: decide once outside of the loop (`choose` too), or "
    "give the loop a smaller bound",
)


def advice_for(profile: Profile, entry: Entry) -> Advice | None:
    """What to do about a line, if anything is known."""
    source = profile.sources.get(entry.file, "")
    node = _statement_at(source, entry.line)
    terms, unused = entry.value("terms"), entry.value("unused")
    unions = entry.value("unions")
    if isinstance(node, ast.If) and _arms(node) >= _MANY_ARMS:
        return CHAIN
    if node is not None and _calls(node, entry.name) and not isinstance(node, (ast.For, ast.While)):
        return RECURSION
    if isinstance(node, ast.For) and entry.value("forks"):
        return SPACE
    wasted = bool(terms) and entry.asked and unused > 0.8 * terms
    if wasted and isinstance(node, (ast.If, ast.Expr)):
        return IRRELEVANT
    if unions and entry.value("union_sizes") > _SMALL * unions:
        return LISTS
    if isinstance(node, ast.If) and _grows(node):
        return LISTS
    if node is not None and _looks_up(node) and terms:
        return KEY
    if unions:
        return LISTS
    if entry.value("joins") or entry.value("forks"):
        return MERGES
    return None


def _statement_at(source: str, line: int) -> ast.stmt | None:
    """The innermost statement that starts at a line."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    found = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno == line:
            found = node
    return found


def _arms(node: ast.If) -> int:
    count = 1
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        count += 1
    return count


def _own_parts(node: ast.stmt) -> list[ast.AST]:
    """What a statement evaluates itself, without the statements inside of it."""
    if isinstance(node, (ast.If, ast.While)):
        return [node.test]
    if isinstance(node, ast.For):
        return [node.iter]
    if isinstance(node, (ast.With, ast.Try, ast.FunctionDef, ast.ClassDef)):
        return []
    return [node]


def _calls(node: ast.stmt, name: str) -> bool:
    """Whether a statement calls a function by its last name."""
    last = name.rpartition(".")[2]
    for part in _own_parts(node):
        for found in ast.walk(part):
            if isinstance(found, ast.Call):
                called = found.func
                text = called.attr if isinstance(called, ast.Attribute) else None
                text = called.id if isinstance(called, ast.Name) else text
                if text == last:
                    return True
    return False


def _grows(node: ast.If) -> bool:
    """Whether a branch changes the length of something."""
    return any(
        isinstance(found, ast.Call)
        and isinstance(found.func, ast.Attribute)
        and found.func.attr in ("append", "extend", "insert", "pop", "remove", "add", "appendleft")
        for found in ast.walk(node)
    )


def _looks_up(node: ast.stmt) -> bool:
    """Whether a statement reads or writes an item by a key that is no literal."""
    return any(
        isinstance(found, ast.Subscript) and not isinstance(found.slice, (ast.Constant, ast.Slice))
        for part in _own_parts(node)
        for found in ast.walk(part)
    )
