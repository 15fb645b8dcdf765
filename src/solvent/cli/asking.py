"""Asking about one function: what goes wrong is an answer about it, and known ones are kept."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any, TypeVar

from solvent.cli.answers import Unanswered, position_of
from solvent.cli.cache import Entry, entry
from solvent.cli.checking import raced
from solvent.cli.common import LONGEST, InputError, contained, own_failure
from solvent.cli.limits import marked
from solvent.cli.loading import Inputs, Subject
from solvent.cli.members import Member
from solvent.cli.selecting import named_exceptions
from solvent.cli.settings import project
from solvent.errors import (
    InternalError,
    NotLiftedError,
    SolventError,
    SolverError,
    SolverMissingError,
    SymbolicBoolError,
    UnboundedError,
    UnknownSolverError,
    UnsupportedError,
)
from solvent.queries.guarding import defined_at
from solvent.queries.options import Options
from solvent.queries.replay import cut, relative
from solvent.queries.results import Result
from solvent.queries.subjects import name_of
from solvent.verdicts import Answer, Verdict

Asked = TypeVar("Asked")
AnyResult = TypeVar("AnyResult", bound=Result)


def query_options(options: argparse.Namespace, **more: Any) -> Options:
    """The options that all queries take, and those of one query."""
    return Options(
        **{
            "solver": options.solver,
            "timeout": options.work.within(options.timeout),
            "bound": options.bound,
            "max_len": options.max_len,
            "alias": options.alias,
            **more,
        }
    )


def attempt(function: Subject, query: Callable[[], Asked]) -> Asked | Unanswered:
    """Ask about a function; what goes wrong with one is no reason to give up on others."""
    try:
        # What the program prints is no answer of the command.
        with redirect_stdout(sys.stderr), contained():
            return query()
    except (UnknownSolverError, SolverMissingError, InputError):
        # It is not the function that is wrong.
        raise
    except SolventError as error:
        cause: type[BaseException] = type(error)
        reason = cut(relative(str(error)), LONGEST)
        if isinstance(error, UnboundedError) and "bounded(" in reason:
            reason += "; here: --bound N"
        status = next((s for kinds, s in _STATUSES if isinstance(error, kinds)), "error")
    except Exception as error:
        status, reason, cause = "unknown", own_failure(error), type(error)
    name = name_of(function)
    reason = marked(reason.removeprefix(f"{name}: "))
    return Unanswered(name, position_of(function), status, cause, reason=reason)


# What an error says about a question; others say that it was not asked rightly.
_STATUSES: tuple[tuple[tuple[type[SolventError], ...], str], ...] = (
    ((NotLiftedError, UnsupportedError, SymbolicBoolError), "unsupported"),
    ((UnboundedError, InternalError, SolverError), "unknown"),
)


def checked(
    options: argparse.Namespace, member: Member, given: Inputs
) -> Sequence[Answer] | Unanswered:
    """What is known about a function, or why nothing is."""
    kept = kept_answers(options, member)
    known = kept.read() if kept is not None else None
    return known if known is not None else found_out(options, member, given, kept)


def found_out(
    options: argparse.Namespace, member: Member, given: Inputs, kept: Entry | None = None
) -> Sequence[Result] | Unanswered:
    """What a check of a function says, which is kept if somebody says where."""
    function = member.function

    def query() -> Sequence[Result]:
        more = {
            "raises": named_exceptions(options.raises, function),
            "assertions_only": options.assertions_only,
        }
        return raced(function, query_options(options, **more), given, options)

    found = attempt(function, query)
    if not isinstance(found, Unanswered):
        found = [with_code(one) for one in found]
    if kept is not None and not isinstance(found, Unanswered):
        kept.write(found)
    return found


def with_code(result: AnyResult) -> AnyResult:
    """A result whose reason ends with the code of the limitation that it tells of."""
    if result.verdict is not Verdict.UNKNOWN or not result.reason:
        return result
    return replace(result, reason=marked(result.reason))


def kept_answers(options: argparse.Namespace, member: Member) -> Entry | None:
    """Where the cache has the answer about a function, if it is used."""
    if not options.cache:
        return None
    owner = member.owner.__qualname__ if member.owner is not None else ""
    name = f"{defined_at(member.function)} {name_of(member.function)} {owner}"
    return entry(project(), name, member.function, vars(options))
