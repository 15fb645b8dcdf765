"""One measured figure and what it should reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its unit; `reached` is None where there is nothing to reach."""

    name: str
    value: float
    unit: str
    target: str = ""
    reached: bool | None = None

    @property
    def measured(self) -> str:
        number = f"{self.value:,.0f}" if abs(self.value) >= 100 else f"{self.value:.2f}"
        return f"{number} {self.unit}"

    @property
    def verdict(self) -> str:
        return {None: "", True: "[green]reached[/green]", False: "[red]missed[/red]"}[self.reached]

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "target": self.target,
            "reached": self.reached,
        }
