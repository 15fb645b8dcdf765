"""What a term consists of beside applications: `let`, quantifiers, annotations.

An open form is kept by the parser until it is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from solvent.terms.kinds import Guard, Operand
from solvent.terms.ops import Op
from solvent.terms.smtlib.scope import Scope

if TYPE_CHECKING:
    from solvent.terms.smtlib.signatures import Argument
    from solvent.terms.term import Term


class Form:
    """An open form that is no application."""

    __slots__ = ()

    noun: ClassVar[str]


class Binding(Form):
    """A form that gives meanings to symbols until it is closed."""

    __slots__ = ("hidden",)

    # What the symbols stood for before: the table, the symbol, and its meaning if it had one.
    hidden: list[tuple[dict[str, Any], str, object]]

    def __init__(self) -> None:
        self.hidden = []

    def bind(self, scope: Scope, symbol: str, value: Argument) -> None:
        """Let a symbol stand for a value; a function of that name cannot be applied meanwhile."""
        values, heads = scope.values, scope.heads
        self.hidden.append((values, symbol, values.get(symbol)))
        values[symbol] = value
        if symbol in heads:
            self.hidden.append((heads, symbol, heads.pop(symbol)))

    def leave(self) -> None:
        """Let the symbols stand for what they did before."""
        for table, symbol, previous in reversed(self.hidden):
            if previous is None:
                del table[symbol]
            else:
                table[symbol] = previous


class Let(Binding):
    """`let`; as long as its bindings are read, their values are its arguments."""

    __slots__ = ("names", "reading_bindings")

    noun = "let"

    def __init__(self, name: str) -> None:
        self.names = [name]
        self.reading_bindings = True


class Quantifier(Binding):
    __slots__ = ("op", "patterns", "variables")

    noun = "a quantifier"

    def __init__(self, op: Op[Guard]) -> None:
        self.op = op
        self.variables: list[Term] = []
        self.patterns: list[tuple[Operand, ...]] = []
        super().__init__()


class Annotation(Form):
    __slots__ = ("named", "patterns")

    noun = "an annotation"

    def __init__(self) -> None:
        self.named: str | None = None
        self.patterns: list[tuple[Operand, ...]] = []
