"""What can be wrong with a model, with a term on its way to a model, and with a witness."""

from __future__ import annotations

from solvent.errors import SolventError

# Longer texts are cut in the middle: a message is a sentence, not a copy of the input.
_LONGEST = 300


def cut(text: str) -> str:
    """A text without its middle, if it is very long.

    >>> len(cut("7" * 1000)), cut("seven")
    (305, 'seven')
    """
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]} ... {text[-half:]}"


class Btor2Error(SolventError, ValueError):
    """A mistake in a BTOR2 text, with its position.

    >>> print(Btor2Error("node 7 is not defined", "f.btor2", 3, 9))
    f.btor2(3,9): Error: node 7 is not defined
    """

    def __init__(self, message: str, file: str = "<btor2>", line: int = 0, column: int = 0) -> None:
        super().__init__(f"{file}({line},{column}): Error: {cut(message)}")
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[Btor2Error], tuple[str, str, int, int]]:
        return (type(self), (self.message, self.file, self.line, self.column))


class WitnessError(SolventError, ValueError):
    """A symbol of a witness that the grammar of figure 10 does not expect.

    >>> print(WitnessError("sat", "unsat", "f.wit", 1, 1))
    f.wit(1,1): Parser Error: "sat" expected but "unsat" found!
    """

    def __init__(
        self, expected: str, found: str, file: str = "<witness>", line: int = 0, column: int = 0
    ) -> None:
        text = f'"{expected}" expected but "{cut(found)}" found!'
        super().__init__(f"{file}({line},{column}): Parser Error: {text}")
        self.expected = expected
        self.found = found
        self.file = file
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[WitnessError], tuple[str, str, str, int, int]]:
        return (WitnessError, (self.expected, self.found, self.file, self.line, self.column))


class ModelError(SolventError, ValueError):
    """A model, a term or a witness that cannot be used as asked."""

    def __init__(self, message: str) -> None:
        super().__init__(cut(message))
