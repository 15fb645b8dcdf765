"""The commands of a script, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from solvent.terms.functions import FunctionSymbol
from solvent.terms.kinds import Guard, Operand
from solvent.terms.smtlib.lexer import Places
from solvent.terms.sorts import Sort
from solvent.terms.term import Term


@dataclass(slots=True)
class Command:
    """A command, and where it stands in the text; lines and columns are counted from 1."""

    # Set by the reader: the places of the text, and the index of the token.
    _place: tuple[Places, int] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def line(self) -> int:
        """The line on which the command begins, or 0 if it was not read from a text."""
        return self._position()[0]

    @property
    def column(self) -> int:
        """The column in which the command begins, or 0 if it was not read from a text."""
        return self._position()[1]

    def _position(self) -> tuple[int, int]:
        if self._place is None:
            return 0, 0
        places, index = self._place
        return places.position(index)

    def placed(self, places: Places, index: int) -> Command:
        """The command, from now on with its place."""
        self._place = (places, index)
        return self


@dataclass(slots=True)
class SetLogic(Command):
    logic: str


@dataclass(slots=True)
class SetOption(Command):
    """The name of an option without its colon, and the text of its value."""

    name: str
    value: str


@dataclass(slots=True)
class SetInfo(Command):
    """The name of an attribute without its colon, and the text of its value."""

    name: str
    value: str


@dataclass(slots=True)
class DeclareSort(Command):
    name: str
    sort: Sort[Term]


@dataclass(slots=True)
class DefineSort(Command):
    name: str
    parameters: tuple[str, ...]


@dataclass(slots=True)
class DeclareConst(Command):
    """A declared constant, by `declare-const` or by `declare-fun` without arguments."""

    name: str
    constant: Term


@dataclass(slots=True)
class DeclareFun(Command):
    name: str
    function: FunctionSymbol


@dataclass(slots=True)
class DefineFun(Command):
    """A definition; the terms that use it have its body in its place."""

    name: str
    parameters: tuple[Term, ...]
    sort: Sort[Term]
    body: Operand


@dataclass(slots=True)
class Assert(Command):
    term: Guard
    name: str | None = None


@dataclass(slots=True)
class Push(Command):
    levels: int


@dataclass(slots=True)
class Pop(Command):
    levels: int


@dataclass(slots=True)
class CheckSat(Command):
    pass


@dataclass(slots=True)
class CheckSatAssuming(Command):
    terms: tuple[Guard, ...]


@dataclass(slots=True)
class GetModel(Command):
    pass


@dataclass(slots=True)
class GetValue(Command):
    """The terms asked for, and their texts, by which the answer names them."""

    terms: tuple[Operand, ...]
    texts: tuple[str, ...]


@dataclass(slots=True)
class GetUnsatCore(Command):
    pass


@dataclass(slots=True)
class GetUnsatAssumptions(Command):
    pass


@dataclass(slots=True)
class GetAssertions(Command):
    pass


@dataclass(slots=True)
class GetAssignment(Command):
    pass


@dataclass(slots=True)
class GetProof(Command):
    pass


@dataclass(slots=True)
class GetInfo(Command):
    name: str


@dataclass(slots=True)
class GetOption(Command):
    name: str


@dataclass(slots=True)
class Echo(Command):
    text: str


@dataclass(slots=True)
class Reset(Command):
    pass


@dataclass(slots=True)
class ResetAssertions(Command):
    pass


@dataclass(slots=True)
class Exit(Command):
    pass


@dataclass(slots=True)
class Minimize(Command):
    term: Operand


@dataclass(slots=True)
class Maximize(Command):
    term: Operand
