"""Walking over terms without recursion: order, size, free constants, substitution, pickling.

A term's number is larger than those of its arguments, so sorting the reachable terms by number
puts arguments first; every algorithm here is one loop over that order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, overload

from solvent.errors import SortError, UnknownConstantError
from solvent.terms.functions import APPLY, FunctionSymbol
from solvent.terms.hooks import HOOKS
from solvent.terms.quantifiers import QUANTIFIERS
from solvent.terms.softfloat import external
from solvent.terms.sorts import Sort, describe
from solvent.terms.term import CONSTANT, Term, node

if TYPE_CHECKING:
    from solvent.terms.kinds import Bits, Guard, Integer, Operand

_by_id = attrgetter("id")

# What stands for a constant or a function in a mapping: itself, or its name.
KeyT = TypeVar("KeyT", bound="Term | FunctionSymbol | str")
ValueT = TypeVar("ValueT")


def reachable(roots: Iterable[object]) -> list[Term]:
    """All different terms in the roots, arguments before the terms that use them.

    >>> from solvent.terms import Int
    >>> x = Int("x")
    >>> reachable([(x + 1) * (x + 1)])
    [x, x + 1, (x + 1) * (x + 1)]
    """
    stack = [root for root in roots if isinstance(root, Term)]
    seen = set(stack)
    add = seen.add
    while stack:
        term = stack.pop()
        if term.op is CONSTANT:
            continue
        for arg in term.key[1:]:
            if isinstance(arg, Term) and arg not in seen:
                add(arg)
                stack.append(arg)
    return sorted(seen, key=_by_id)


def size(*roots: object) -> int:
    """The number of different terms, shared ones counted once.

    >>> from solvent.terms import Int
    >>> size(Int("x") + 1)
    2
    """
    return len(reachable(roots))


def constants(*roots: object) -> list[Term]:
    """The free constants of the terms, oldest first.

    >>> from solvent.terms import Int, forall
    >>> x, y = Int("x"), Int("y")
    >>> constants(forall([x], x > y))
    [y]
    """
    terms = reachable(roots)
    if QUANTIFIERS.isdisjoint([term.op.base for term in terms]):
        return [term for term in terms if term.op is CONSTANT]
    nothing: frozenset[Term] = frozenset()
    free: dict[Term, frozenset[Term]] = {}
    for term in terms:
        if term.op is CONSTANT:
            free[term] = frozenset((term,))
            continue
        found = nothing.union(*(free[arg] for arg in term.key[1:] if isinstance(arg, Term)))
        if term.op.base in QUANTIFIERS:
            found -= set(term.op.params[0])
        free[term] = found
    return sorted(nothing.union(*(free[r] for r in roots if isinstance(r, Term))), key=_by_id)


def applied_functions(*roots: object) -> list[FunctionSymbol]:
    """The uninterpreted functions applied in the terms, in the order of first use."""
    found = {term.op.params[0]: None for term in reachable(roots) if term.op.base is APPLY}
    return list(found)


def sorts(*roots: object) -> set[Sort[Term]]:
    """The sorts of all terms in the roots."""
    return {term.sort for term in reachable(roots)}


def by_constant(
    mapping: Mapping[KeyT, ValueT], terms: Iterable[Term]
) -> dict[Term | FunctionSymbol, ValueT]:
    """A mapping whose names are replaced by the constants of that name among the terms."""
    result: dict[Term | FunctionSymbol, ValueT] = {}
    named: dict[str, list[Term]] = {}
    for term in terms:
        if term.op is CONSTANT:
            named.setdefault(term.name, []).append(term)
    for key, value in mapping.items():
        if isinstance(key, str):
            found = named.get(key, ())
            if len(found) > 1:
                sorts_found = " and ".join(str(t.sort) for t in found)
                raise UnknownConstantError(
                    f"the name {key!r} is ambiguous ({sorts_found}); use the constant itself"
                )
            for term in found:
                result[term] = value
        else:
            result[key] = value
    return result


@overload
def substitute(  # type: ignore[overload-overlap]
    term: Guard, replacements: Mapping[KeyT, Operand]
) -> Guard: ...
@overload
def substitute(term: Integer, replacements: Mapping[KeyT, Operand]) -> Integer: ...
@overload
def substitute(term: Bits, replacements: Mapping[KeyT, Operand]) -> Bits: ...
@overload
def substitute(term: Operand, replacements: Mapping[KeyT, Operand]) -> Any: ...


def substitute(term: Operand, replacements: Mapping[KeyT, Operand]) -> Any:
    """The term with constants (or other subterms) replaced, simplified anew.

    Keys are terms or names of constants; bound variables are renamed where they would capture.

    >>> from solvent.terms import Int
    >>> x, y = Int("x"), Int("y")
    >>> substitute(x * 2 + y, {x: 3, "y": y + 1})
    y + 7
    """
    if not isinstance(term, Term):
        return term
    terms = reachable([term])
    done: dict[Term, Any] = {}
    for old, value in by_constant(replacements, terms).items():
        if not isinstance(old, Term):
            raise SortError(f"only terms and names can be replaced, not {describe(old)}")
        done[old] = old.sort.require(value)
    direct = dict(done)
    captured = frozenset(constants(*direct, *direct.values()))
    for old in terms:
        if old in done:
            continue
        if old.op is CONSTANT:
            done[old] = old
            continue
        op, *args = old.key
        if op.base in QUANTIFIERS and not captured.isdisjoint(op.params[0]):
            done[old] = _substitute_under_binder(old, direct)
            continue
        changed = [done[arg] if isinstance(arg, Term) else arg for arg in args]
        # A term whose arguments stay the same stays the same.
        if all(a is b for a, b in zip(args, changed, strict=True)):
            done[old] = old
        else:
            done[old] = op(*changed)
    return external(done[term])


def _substitute_under_binder(quantified: Term, replacements: Mapping[Term, Operand]) -> Operand:
    """Substitute below a quantifier some of whose variables are replaced or would capture.

    What is replaced is not the bound variables but free ones of the same name, and those that
    would capture are renamed to fresh ones.  This recurses, but only as deep as such quantifiers
    are nested.
    """
    op, *args = quantified.key
    bound, sizes = op.params
    inner = {old: new for old, new in replacements.items() if not _mentions(old, bound)}
    inserted = frozenset(constants(*inner.values()))
    renaming = {v: v.sort.fresh(v.key[1]) for v in bound if v in inserted}
    changed = [substitute(arg, inner | renaming) for arg in args]
    return op.base.at(tuple(renaming.get(v, v) for v in bound), sizes)(*changed)


def _mentions(term: Operand, variables: Iterable[Term]) -> bool:
    return not frozenset(constants(term)).isdisjoint(variables)


# Each row has an operator or None, a sort and the arguments; then the numbers of the roots' rows.
Flat = tuple[list[tuple[Any, ...]], list[int]]


def flatten(roots: Iterable[Term]) -> Flat:
    """Terms as a flat list of rows, for pickling: no recursion however deep the terms are."""
    roots = list(roots)
    terms = reachable(roots)
    position = {term: index for index, term in enumerate(terms)}
    rows: list[tuple[object, ...]] = []
    for term in terms:
        if term.op is CONSTANT:
            rows.append((None, term.sort, *term.key[1:]))
        else:
            marked = (
                (True, position[arg]) if isinstance(arg, Term) else (False, arg)
                for arg in term.key[1:]
            )
            rows.append((term.op, term.sort, *marked))
    return rows, [position[root] for root in roots]


def unflatten(flat: Flat) -> list[Term]:
    """The terms of a flat list, interned here."""
    rows, roots = flat
    terms: list[Term] = []
    for op, sort, *args in rows:
        if op is None:
            terms.append(node(sort.term_class, CONSTANT, sort, *args))
        else:
            values = (terms[arg] if is_term else arg for is_term, arg in args)
            terms.append(node(sort.term_class, op, sort, *values))
    return [terms[root] for root in roots]


def unflatten_one(flat: Flat) -> Term:
    """The single term of a flat list."""
    return unflatten(flat)[0]


def _reduced(term: Term) -> tuple[object, ...]:
    """What `pickle` makes of a term."""
    return (unflatten_one, (flatten((term,)),))


HOOKS.reduced = _reduced
