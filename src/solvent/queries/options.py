"""The options of queries, and what tells them from the arguments of the function.

The function's keywords are its own: a keyword that names a parameter is an argument, whatever else
it may mean.  Options are therefore one object, `Options`, given as `options=` or as the last
positional argument.  Where nothing can be confused they may also be written as keywords, which
`signatures` shows to `help()`, to editors and to type checkers.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields, replace
from inspect import cleandoc
from textwrap import fill
from types import EllipsisType

from solvent.errors import QueryError
from solvent.queries.replay import plain, shown
from solvent.queries.spaces.base import DEFAULT_LENGTH
from solvent.queries.subjects import check_subject, name_of
from solvent.vm.values import Value


@dataclass(frozen=True, slots=True)
class Options:
    """How a query is answered; each query takes those of the options that concern it.

    >>> from solvent import verify
    >>> def below(bound: int):
    ...     assert bound < 3
    >>> verify(below, bound=2, options=Options(timeout=10)).holds
    True
    """

    bound: int | None = None
    unwinding: str = "assert"
    max_len: int = DEFAULT_LENGTH
    alias: bool = False
    solver: str | None = None
    timeout: float | None = None
    budget: float | None = None
    probes: bool = True
    raises: tuple[type[BaseException], ...] = ()
    assertions_only: bool = False
    limit: int | EllipsisType | None = ...
    minimize: object = None
    maximize: object = None
    forall: object = None
    method: str = "cegis"
    rounds: int | None = None
    samples: int = 0
    select: object = None
    order: str = "depth"
    depth: int = 100
    paths: int = 1_000
    seconds: float | None = None
    compositional: bool = False
    merged: bool = False
    confirm: bool = True
    concretize: bool = False
    progress: Callable[..., object] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.raises, type):
            # One class alone, as in an `except` clause.
            object.__setattr__(self, "raises", (self.raises,))
        for name, (fits, needed) in _NEEDED.items():
            value = getattr(self, name)
            if value is not _DEFAULTS[name] and not fits(value):
                raise QueryError(f"the option `{name}` must be {needed}, not {shown(value, 60)}")

    def changed(self) -> list[str]:
        """The names of the options that are not as they are by default."""
        return [
            name
            for name, default in _DEFAULTS.items()
            if (value := getattr(self, name)) is not default and not _same(value, default)
        ]


_DEFAULTS: dict[str, object] = {option.name: option.default for option in fields(Options)}


def _same(value: object, default: object) -> bool:
    # Other values may be terms, whose equality is a term.
    return type(value) in (int, str, tuple) and value == default


def _is_number(value: object, least: int) -> bool:
    return type(value) is int and value >= least


def _is_time(value: object) -> bool:
    return value is None or ((type(value) is int or type(value) is float) and value > 0)


def _are_exceptions(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(cls, type) and issubclass(cls, BaseException) for cls in value
    )


_SECONDS = "a positive number of seconds"
_YES_OR_NO: tuple[Callable[[object], bool], str] = (lambda v: type(v) is bool, "True or False")

# What each option means, as the documentation of queries says it.
MEANING = {
    "bound": "unroll loops with symbolic tests and recursion at most so often",
    "unwinding": (
        "whether reaching the bound is an 'assert' that fails, so that the answer is unknown, or "
        "an 'assume', so that longer runs are not looked at"
    ),
    "max_len": "the longest list, set or dict that an annotation stands for",
    "alias": "whether two inputs, or parts of them, may be the same object",
    "solver": "the name of a solver, or several separated by commas, which then race",
    "timeout": "how many seconds each check of the solver may take",
    "budget": (
        "how many seconds the whole check may take: probes, merged runs of growing size and paths "
        "then race, and the answer says what was covered"
    ),
    "probes": "whether CPython tries small inputs first, in a check with a budget",
    "raises": (
        "exceptions that are meant, so that they are no failures, besides those that the docstring "
        "or a comment `# solvent: raises ...` names"
    ),
    "assertions_only": "whether only failing assertions are failures",
    "limit": (
        "how many solutions or cores at most, None for all; `...` stands for what the query does "
        "by itself, that is, all solutions and one core"
    ),
    "minimize": "a term, a function of the result, True for the result, or a list",
    "maximize": "the same, to be as large as can be",
    "forall": "the inputs: terms, containers of terms, or names of parameters",
    "method": "how to search: 'cegis', 'quantifiers' or 'sygus'",
    "rounds": "how many guesses at most",
    "samples": "with how many random inputs the search starts",
    "select": "which expressions are under suspicion",
    "order": "which paths come first: 'depth', 'breadth' or 'coverage'",
    "depth": "how many decisions on a path at most",
    "paths": "how many paths at most",
    "seconds": "how many seconds at most",
    "compositional": "whether functions that are called are summarised",
    "merged": "whether the function is also run once with merging, for comparison",
    "confirm": "whether CPython runs the function on every example",
    "concretize": (
        "whether what is not lifted is done with values of the path's example, so that nothing "
        "found is a proof"
    ),
    "progress": (
        "what to call: for `synthesize` with the round, the guess and its counterexample, for "
        "`explore` with the number of paths"
    ),
}

# What each option must be; what is missing here is checked by the query itself.
_NEEDED: dict[str, tuple[Callable[[object], bool], str]] = {
    "bound": (lambda v: v is None or _is_number(v, 0), "a number from 0 on, or None"),
    "unwinding": (lambda v: v in ("assert", "assume"), "'assert' or 'assume'"),
    "max_len": (lambda v: _is_number(v, 0), "a number from 0 on"),
    "alias": _YES_OR_NO,
    "solver": (lambda v: v is None or (isinstance(v, str) and v != ""), "the name of a solver"),
    "timeout": (_is_time, _SECONDS),
    "budget": (_is_time, _SECONDS),
    "probes": _YES_OR_NO,
    "raises": (_are_exceptions, "a tuple of classes of exceptions"),
    "assertions_only": _YES_OR_NO,
    "limit": (lambda v: v is None or v is ... or _is_number(v, 0), "a number from 0 on, or None"),
    "rounds": (lambda v: v is None or _is_number(v, 0), "a number from 0 on, or None"),
    "samples": (lambda v: _is_number(v, 0), "a number from 0 on"),
    "depth": (lambda v: _is_number(v, 0), "a number from 0 on"),
    "paths": (lambda v: _is_number(v, 0), "a number from 0 on"),
    "seconds": (lambda v: v is None or _is_number(v, 0) or _is_time(v), _SECONDS),
    "compositional": _YES_OR_NO,
    "merged": _YES_OR_NO,
    "confirm": _YES_OR_NO,
    "concretize": _YES_OR_NO,
    "progress": (lambda v: v is None or callable(v), "something to call"),
}

_ALL = frozenset(("bound", "max_len", "alias", "solver", "timeout"))
_MOST = _ALL | {"unwinding"}
# What makes a check a race.
_RACE = frozenset(("budget", "probes"))
_VERIFY = _MOST | {"raises", "assertions_only"}

# The options that each query takes.
TAKEN: dict[str, frozenset[str]] = {
    "solve": _MOST,
    "solve_all": _MOST | {"limit"},
    "verify": _VERIFY | _RACE,
    "verify_all": _VERIFY | _RACE,
    "optimize": _MOST | {"minimize", "maximize"},
    "synthesize": _MOST | {"forall", "method", "rounds", "samples", "progress"},
    "debug": _ALL | {"select", "limit"},
    "explore": _ALL
    | {"order", "depth", "paths", "seconds", "compositional", "merged", "confirm", "concretize"}
    | {"progress"},
}

# What a session has for all its queries, and what none of them takes there.
OF_SESSION = frozenset(("solver", "timeout"))
NOT_IN_SESSION = OF_SESSION | _RACE


def explained(names: Collection[str]) -> str:
    """What options mean, one paragraph each, as the end of a docstring.

    >>> print(explained({"timeout", "bound"}))
    Options, as keywords or in `options=Options(...)`:
      `bound`: unroll loops with symbolic tests and recursion at most so often.
      `timeout`: how many seconds each check of the solver may take.
    """
    lines = ["Options, as keywords or in `options=Options(...)`:"]
    for name, meaning in MEANING.items():
        if name in names:
            text = f"`{name}`: {meaning}."
            lines.append(fill(text, 94, initial_indent="  ", subsequent_indent="    "))
    return "\n".join(lines)


def document(target: object, names: Collection[str]) -> None:
    """Let the docstring of a query, or of `Options` itself, explain its options."""
    # Python started with -OO has no docstrings.
    if target.__doc__ is not None:
        target.__doc__ = f"{cleandoc(target.__doc__)}\n\n{explained(names)}\n"


document(Options, MEANING)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a query was given: the arguments of the function, and its own options."""

    args: tuple[Value, ...]
    named: dict[str, Value]
    options: Options

    def in_session(self) -> Options:
        """The options without those that a session has."""
        return replace(self.options, solver=None, timeout=None)


def asked(
    query: str,
    function: object,
    args: tuple[Value, ...],
    named: dict[str, Value],
    *,
    session: bool = False,
) -> Asked:
    """Tell the arguments of a function from the options of a query about it."""
    check_subject(query, function)
    taken = TAKEN[query] - NOT_IN_SESSION if session else TAKEN[query]
    parameters, any_keyword = _keywords(function)
    named = dict(named)
    given: Options | None = None
    if args and isinstance(args[-1], Options):
        args, given = args[:-1], args[-1]
    elif isinstance(named.get("options"), Options) and "options" not in parameters:
        given = named.pop("options")
    elif "options" in named and "options" not in parameters and not any_keyword:
        raise _no_options(named["options"])
    options = [name for name in named if name in taken and name not in parameters]
    if given is None:
        if options and any_keyword:
            raise QueryError(
                f"`{options[0]}` may be meant for {name_of(function)}(), which takes any keyword, "
                f"or for {query}(): write options=Options({options[0]}=...) if it is an option, "
                "and add options=Options() if it is an argument"
            )
        given = Options(**{name: named.pop(name) for name in options})
    elif options and not any_keyword:
        raise QueryError(
            f"{name_of(function)}() has no parameter `{options[0]}`; as an option it belongs "
            f"into the Options(...) that {query}() was given"
        )
    for name in given.changed():
        if name in OF_SESSION and session:
            raise QueryError(f"the session has a solver: give `{name}` to session()")
        if name not in taken:
            raise _no_such_option(query, name, taken)
    return Asked(args, named, given)


def check_of_session(given: Options, keywords: dict[str, object]) -> None:
    """Refuse options that a session does not have, and keywords beside them."""
    if not isinstance(given, Options):
        raise _no_options(given)
    for name, value in keywords.items():
        if value is not None:
            raise QueryError(f"`{name}` belongs into the Options(...) that session() was given")
    for name in given.changed():
        if name not in OF_SESSION:
            raise _no_such_option("session", name, OF_SESSION)


def _no_options(value: object) -> QueryError:
    return QueryError(f"options must be Options(...), not {shown(value, 60)}")


def _no_such_option(query: str, name: str, taken: Collection[str]) -> QueryError:
    return QueryError(f"{query}() has no option `{name}`; it has {', '.join(sorted(taken))}")


def _keywords(function: object) -> tuple[frozenset[str], bool]:
    """The names of the parameters of a function, and whether it takes any other keyword too."""
    try:
        parameters = inspect.signature(plain(function)).parameters.values()
    except (TypeError, ValueError):
        return frozenset(), True
    any_keyword = any(found.kind is found.VAR_KEYWORD for found in parameters)
    variable = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    return frozenset(p.name for p in parameters if p.kind not in variable), any_keyword
