"""Which solver answers a query: names, modes, settings, and the choice by theory."""

from __future__ import annotations

import contextvars
import math
import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from solvent.errors import SolverError, UnknownSolverError, UnsupportedError

BUILT_IN = ("z3", "bitwuzla", "cvc5")


@dataclass(frozen=True, slots=True)
class Spec:
    """A solver and its mode, as in `z3:QF_BV`; or a command that speaks SMT-LIB."""

    name: str
    mode: str = ""

    def __str__(self) -> str:
        return f"{self.name}:{self.mode}" if self.mode else self.name

    @property
    def command(self) -> list[str]:
        """The command line of a solver that runs as an SMT-LIB process."""
        return shlex.split(self.mode)


def parse_spec(text: str) -> Spec:
    """The solver that a name stands for.

    `z3`, `bitwuzla`, `cvc5`, with an optional mode (`z3:QF_BV`), or `smtlib:COMMAND`.

    >>> parse_spec("z3:QF_BV")
    Spec(name='z3', mode='QF_BV')
    """
    if not isinstance(text, str):
        raise UnknownSolverError(f"a solver is given by its name, not by {text!r}")
    name, _, mode = text.partition(":")
    if name == "smtlib":
        if not mode.strip():
            raise UnknownSolverError(
                "smtlib needs a command, as in 'smtlib:yices-smt2 --incremental'"
            )
        try:
            shlex.split(mode)
        except ValueError as error:
            problem = str(error).lower()
            raise UnknownSolverError(f"the command of {text!r} makes no sense: {problem}") from None
        return Spec(name, mode)
    if name not in BUILT_IN:
        known = ", ".join((*BUILT_IN, "smtlib:COMMAND"))
        raise UnknownSolverError(f"there is no solver {text!r}; known are {known} and auto")
    return Spec(name, mode)


@dataclass(frozen=True, slots=True)
class Settings:
    """Defaults for solvers; None means that Solvent chooses.

    * `solver`: the name of a solver, or `auto` for a choice by theory;
    * `timeout`: seconds for each check;
    * `memory_limit`: megabytes for each solver's process;
    * `remember`: whether answers that took a while are kept for questions of the same form (they
      are, unless this is False).
    """

    solver: str | None = None
    timeout: float | None = None
    memory_limit: int | None = None
    remember: bool | None = None


def _from_environment() -> Settings:
    solver = os.environ.get("SOLVENT_SOLVER") or None
    timeout = _number("SOLVENT_TIMEOUT")
    memory = _number("SOLVENT_MEMORY_LIMIT")
    # An infinite limit is none, and a part of a megabyte is one.
    limit = None if memory is None or math.isinf(memory) else math.ceil(memory)
    return Settings(solver, timeout, limit, _switch("SOLVENT_REMEMBER"))


def _switch(variable: str) -> bool | None:
    text = os.environ.get(variable)
    if not text:
        return None
    if text not in ("0", "1"):
        raise SolverError(f"the environment variable {variable} must be 0 or 1, not {text!r}")
    return text == "1"


def _number(variable: str) -> float | None:
    text = os.environ.get(variable)
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not number > 0:
        raise SolverError(
            f"the environment variable {variable} must be a positive number, not {text!r}"
        )
    return number


_global = Settings()
_local: contextvars.ContextVar[Settings | None] = contextvars.ContextVar("settings", default=None)


def settings() -> Settings:
    """The settings in force: of the innermost `with config(...)`, of `config(...)`, or of the
    environment variables `SOLVENT_SOLVER`, `SOLVENT_TIMEOUT`, `SOLVENT_MEMORY_LIMIT` and
    `SOLVENT_REMEMBER`."""
    current = _local.get() or _global
    environment = _from_environment()
    return Settings(
        current.solver if current.solver is not None else environment.solver,
        current.timeout if current.timeout is not None else environment.timeout,
        current.memory_limit if current.memory_limit is not None else environment.memory_limit,
        current.remember if current.remember is not None else environment.remember,
    )


def time_limit(seconds: float | None) -> float | None:
    """A time limit that a user gave, None if it never ends.

    >>> time_limit(2.5), time_limit(float("inf"))
    (2.5, None)
    """
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0:
        raise SolverError(f"a time limit must be a positive number of seconds, not {seconds!r}")
    return None if math.isinf(seconds) else seconds


def memory_size(megabytes: int) -> int:
    """A memory limit that a user gave.

    >>> memory_size(500)
    500
    """
    if isinstance(megabytes, bool) or not isinstance(megabytes, int) or megabytes <= 0:
        raise SolverError(
            f"a memory limit must be a positive whole number of megabytes, not {megabytes!r}"
        )
    return megabytes


class config:
    """Set defaults for all solvers, for good or for a `with` block.

    >>> with config(solver="z3", timeout=10):
    ...     settings().solver
    'z3'
    """

    def __init__(
        self,
        *,
        solver: str | None = None,
        timeout: float | None = None,
        memory_limit: int | None = None,
        remember: bool | None = None,
    ) -> None:
        global _global
        if solver is not None and solver != "auto":
            parse_spec(solver)
        if timeout is not None:
            time_limit(timeout)
        if memory_limit is not None:
            memory_size(memory_limit)
        changes: dict[str, Any] = {
            key: value
            for key, value in (
                ("solver", solver),
                ("timeout", timeout),
                ("memory_limit", memory_limit),
                ("remember", remember),
            )
            if value is not None
        }
        self._before = _global
        self._token: contextvars.Token[Settings | None] | None = None
        self._settings = replace(_local.get() or _global, **changes)
        _global = replace(_global, **changes)

    def __enter__(self) -> Settings:
        global _global
        # Within a block the settings belong to this context, not to the whole process.
        _global = self._before
        self._token = _local.set(self._settings)
        return self._settings

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _local.reset(self._token)


# The sorts of Bitwuzla's theories, but for uninterpreted ones, on which it is incomplete.
_BITWUZLA = {"Bool", "BitVec", "Float", "Array"}
_SORTS = {"Bool", "BitVec", "Float", "Array", "Uninterpreted", "Int", "Real", "Str", "Regex"}


def choose(features: Iterable[str]) -> Spec:
    """The solver for a query in which these sorts and operators occur.

    Bitwuzla is the strongest on bitvectors, floats and arrays over them; Z3 does everything else.

    >>> str(choose({"Bool", "BitVec"})), str(choose({"Int"}))
    ('bitwuzla', 'z3')
    """
    features = set(features)
    sorts = features & _SORTS
    # Bitwuzla lacks these but for constant arrays, on which it may give up.
    foreign = {"int_to_bv", "ubv_to_int", "fp.to_real", "to_fp_from_real", "const_array"}
    foreign |= {"uncommon float", "array as index"}
    if (
        sorts <= _BITWUZLA
        and sorts & {"BitVec", "Float"}
        and "quantifier" not in features
        and not features & foreign
    ):
        return Spec("bitwuzla")
    return Spec("z3")


def prefers_bits(features: Iterable[str]) -> bool:
    """Whether ints with bounds are better off as bitvectors at once.

    So they are where unknowns are multiplied or something is divided, and beside bitvectors;
    whoever only adds and compares them is decided by either way.

    >>> prefers_bits({"Int", "product"}), prefers_bits({"Int", "mod"}), prefers_bits({"Int"})
    (True, True, False)
    """
    return not {"product", "div", "mod", "BitVec"}.isdisjoint(features)


def others(first: Spec, features: Iterable[str]) -> tuple[Spec, ...]:
    """The solvers that join another one on a query that takes it long.

    >>> [str(one) for one in others(Spec("z3"), {"Int"})]
    ['cvc5']
    """
    features = set(features)
    if first.name == "bitwuzla":
        return (Spec("z3", "QF_BV" if features & _SORTS <= {"Bool", "BitVec"} else ""),)
    # On what has quantifiers Z3 tries a lot before it begins; its plain solver begins.
    return (Spec("z3", "simple") if "quantifier" in features else Spec("cvc5"),)


# How many seconds a solver is asked alone: longer if it is hardly ever beaten, as Bitwuzla is, and
# less long where luck decides.
_ALONE_ON_BITS = 3.0
_ALONE_ON_QUANTIFIERS = 0.5
_ALONE = 1.0
# A larger query is expected to take longer.
_SECONDS_PER_TERM = 1e-4


def expected_seconds(first: Spec, features: Iterable[str], terms: int) -> float:
    """How long a solver is asked alone about a query of so many terms.

    >>> expected_seconds(Spec("bitwuzla"), {"BitVec"}, 10_000)
    4.0
    """
    if "quantifier" in features:
        alone = _ALONE_ON_QUANTIFIERS
    else:
        alone = _ALONE_ON_BITS if first.name == "bitwuzla" else _ALONE
    return alone + _SECONDS_PER_TERM * terms


# What the letters of a logic's name allow.
_LETTERS = (
    ("BV", "BitVec"),
    ("FP", "Float"),
    ("IA", "Int"),
    ("IDL", "Int"),
    ("RA", "Real"),
    ("RDL", "Real"),
    ("LIRA", "Int"),
    ("NIRA", "Int"),
    ("UF", "Uninterpreted"),
    ("SLIA", "Str"),
    ("SLIA", "Regex"),
)


# Modes that restrict no theory; HORN is about the form of clauses, which Spacer checks itself.
NO_LOGICS = ("simple", "triggers", "ALL", "HORN", "HORN-global")


def check_mode(spec: Spec, features: Iterable[str]) -> None:
    """Complain if the query leaves the logic that a mode names.

    A solver that is told a wrong logic may answer wrongly instead of complaining.
    """
    logic = spec.mode.partition(" ")[0]
    if spec.name not in ("z3", "cvc5") or not logic or logic in NO_LOGICS:
        return
    body = logic.removeprefix("QF_")
    allowed = {sort for letters, sort in _LETTERS if letters in body} | {"Bool"}
    if body.startswith("A"):
        allowed.add("Array")
    if body in ("S", "SLIA", "SNIA"):
        allowed |= {"Str", "Regex", "Int"}
    present = set(features)
    outside = (present & _SORTS) - allowed
    if logic.startswith("QF_") and "quantifier" in present:
        outside.add("quantifiers")
    if outside:
        listed = ", ".join(sorted(outside))
        raise UnsupportedError(f"the query has {listed}, which the logic {logic} of {spec} lacks")
