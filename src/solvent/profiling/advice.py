"""What to do about a bad place: a sentence, and the anti-pattern of the manual that it is.

Which pattern it is follows from what the place did and how its source looks; the page
`docs/antipatterns.md` has each with a program before and after.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import takewhile

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
    "a key that is symbolic means that every entry is looked at: go over the concrete keys, or "
    "concretise the argument by trying its values one by one (`for_all`)",
)
RECURSION = Advice(
    "recursion-before-the-test",
    "this call is made on all paths and its result is needed on few: test before the recursive "
    "call, or give a bound",
)
LISTS = Advice(
    "unions-of-lists-where-an-index-would-do",
    "lists of many lengths, or many objects, are merged here: keep a list of fixed length with an "
    "index or a count, or a smaller space of inputs",
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
BOUND = Advice(
    "a-space-of-inputs-that-is-larger-than-needed",
    "how often this loop runs is symbolic: give it a bound (`--bound`), or a smaller space of "
    "inputs",
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
    if isinstance(node, ast.If) and max(_arms(node), _arms_in_a_row(source, node)) >= _MANY_ARMS:
        return CHAIN
    if entry.recursive is not None and not isinstance(node, (ast.For, ast.While)):
        return RECURSION
    if isinstance(node, (ast.For, ast.While)) and entry.value("forks"):
        return SPACE if isinstance(node, ast.For) else BOUND
    wasted = bool(terms) and entry.asked and unused > 0.8 * terms
    if wasted and isinstance(node, (ast.If, ast.Expr)):
        return IRRELEVANT
    if unions and entry.value("union_sizes") > _SMALL * unions:
        return LISTS
    if isinstance(node, ast.If) and _grows(node):
        return LISTS
    if node is not None and _looks_up(node) and terms > entry.calls * _operations(node):
        return KEY
    if unions:
        return LISTS
    decides = max(entry.value("joins"), entry.value("forks")) > 1
    if decides and not _states(node) and _repeats(profile, entry):
        return MERGES
    return None


def _states(node: ast.stmt | None) -> bool:
    """Whether a statement says what is so, and decides nothing."""
    called = node.value if isinstance(node, ast.Expr) else None
    name = ast.unparse(called.func) if isinstance(called, ast.Call) else ""
    return isinstance(node, ast.Assert) or name.rpartition(".")[2] == "assume"


def _repeats(profile: Profile, entry: Entry) -> bool:
    """Whether a line is in a loop, or in a function that is called more than once."""
    around = [one for one in profile.loops if one.line <= entry.line <= one.last]
    of_function = [one for one in profile.functions if one.calls > 1]
    place = entry.file, entry.name
    return any((one.file, one.name) == place for one in (*around, *of_function))


def _statement_at(source: str, line: int) -> ast.stmt | None:
    """The outermost statement that starts at a line: of `if x: return y` the whole."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno == line:
            return node
    return None


def _arms(node: ast.If) -> int:
    count = 1
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        count += 1
    return count


def _arms_in_a_row(source: str, node: ast.If) -> int:
    """How many tests of one value against literals, each of which leaves, begin with a test."""
    tested = _tested(node)
    if tested is None:
        return 0
    for outer in ast.walk(ast.parse(source)):
        for name in ("body", "orelse"):
            found = getattr(outer, name, None)
            body = found if isinstance(found, list) else []
            for at, one in enumerate(body):
                if _same_place(one, node):
                    row = takewhile(lambda one: _leaves(one) and _tested(one) == tested, body[at:])
                    return len(list(row))
    return 0


def _same_place(one: object, node: ast.If) -> bool:
    """Whether a part of another reading of the source is this one."""
    return isinstance(one, ast.If) and (one.lineno, one.col_offset) == (
        node.lineno,
        node.col_offset,
    )


def _tested(node: ast.AST) -> str | None:
    """What an `if` compares with a literal."""
    test = node.test if isinstance(node, ast.If) else None
    if isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant):
        return ast.dump(test.left)
    return None


def _leaves(node: ast.AST) -> bool:
    """Whether a branch never goes on behind it."""
    leaving = (ast.Return, ast.Continue, ast.Break, ast.Raise)
    return isinstance(node, ast.If) and isinstance(node.body[-1], leaving)


def _own_parts(node: ast.stmt) -> list[ast.AST]:
    """What a statement evaluates itself, without the statements inside of it."""
    if isinstance(node, (ast.If, ast.While)):
        return [node.test]
    if isinstance(node, ast.For):
        return [node.iter]
    if isinstance(node, (ast.With, ast.Try, ast.FunctionDef, ast.ClassDef)):
        return []
    return [node]


def _grows(node: ast.If) -> bool:
    """Whether a branch changes the length of something."""
    return any(_changes_length(found) for found in ast.walk(node))


def _changes_length(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        changing = ("append", "extend", "insert", "pop", "remove", "add", "appendleft")
        return node.func.attr in changing
    # As `xs + [x]`, `xs += [x]` and `[*xs, x]`.
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and isinstance(node.right, (ast.List, ast.Tuple))
    if isinstance(node, ast.AugAssign):
        return isinstance(node.value, (ast.List, ast.Tuple))
    if isinstance(node, (ast.List, ast.Tuple)):
        return any(isinstance(part, ast.Starred) for part in node.elts)
    return False


def _looks_up(node: ast.stmt) -> bool:
    """Whether a statement reads or writes an item by a key that is no literal."""
    return any(_by_key(found) for part in _own_parts(node) for found in ast.walk(part))


def _operations(node: ast.stmt) -> int:
    """About how many terms a statement makes itself where all its keys are concrete."""
    kinds = (ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.IfExp, ast.Call)
    inside = [found for part in _own_parts(node) for found in ast.walk(part)]
    return 1 + sum(isinstance(found, kinds) for found in inside)


def _by_key(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, (ast.Constant, ast.Slice))
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("get", "setdefault", "pop", "index", "insert")
        and bool(node.args)
        and not isinstance(node.args[0], ast.Constant)
    )
