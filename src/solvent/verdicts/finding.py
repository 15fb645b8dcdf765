"""One thing that is wrong with a program or a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, where, and what shows it.

    Values are texts, as they are shown.  `confirmed` says whether running the program on the inputs
    failed as predicted; it is `None` if nobody ran it.

    >>> print(Finding("division by zero", "a.c", 7, inputs={"input": "b'q'"}, confirmed=True))
    a.c:7: division by zero
    """

    message: str
    file: str = ""
    # Lines count from 1; 0 stands for the file as a whole.
    line: int = 0
    inputs: Mapping[str, str] = field(default_factory=dict)
    trace: tuple[str, ...] = ()
    confirmed: bool | None = None
    # What sort of mistake it is, such as the name of the exception, if the engine tells them apart.
    kind: str = ""

    @property
    def where(self) -> str:
        """The place as editors understand it.

        >>> Finding("wrong", "a.c", 7).where, Finding("wrong", "a.c").where, Finding("wrong").where
        ('a.c:7', 'a.c', '')
        """
        return f"{self.file}:{self.line}" if self.file and self.line else self.file

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message
