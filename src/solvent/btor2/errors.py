"""What can be wrong with a model, with a term on its way to a model, and with a witness."""

from __future__ import annotations

from solvent.errors import SolventError, shortened


class Btor2Error(SolventError, ValueError):
    """A mistake in a BTOR2 text, with its position.

    >>> print(Btor2Error("node 7 is not defined", "f.btor2", 3, 9))
    f.btor2(3,9): Error: node 7 is not defined
    """

    def __init__(self, message: str, file: str = "<btor2>", line: int = 0, column: int = 0) -> None:
        message = shortened(message)
        super().__init__(f"{file}({line},{column}): Error: {message}")
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
        found = shortened(found)
        super().__init__(
            f'{file}({line},{column}): Parser Error: "{expected}" expected but "{found}" found!'
        )
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
        super().__init__(shortened(message))
