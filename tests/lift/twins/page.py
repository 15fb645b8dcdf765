"""Makes `docs/library.md` from the table of what is tested: `python -m tests.lift.twins.page`."""

from __future__ import annotations

from pathlib import Path

from solvent.lift.twins.table import TWINS
from tests.lift.twins.supported import ROWS

PAGE = Path(__file__).parents[3] / "docs" / "library.md"

_HEAD = """# The standard library

What is written in Python is lifted like any other code. What is written in C is lifted where
there is a function for it in `solvent.lift.library`, or a *twin*: the same module in Python, as
the standard library has it for other interpreters ([PEP 399](https://peps.python.org/pep-0399/)).
When code in C is given something symbolic, its twin is run, in a module of its own that no
program sees. An object that a twin makes is one of the class in C for the program: `type(d) is
datetime.date`, and a counterexample that contains it is printed and replayed with real ones.

```python
>>> from datetime import date
>>> from solvent import verify
>>> def next_year(day: date) -> date:
...     return day.replace(year=2025) if day.year == 2024 else day
>>> print(verify(next_year).call)
next_year(day=datetime.date(2024, 2, 29))

```

Parameters annotated with `date`, `time`, `datetime` (both without a zone), `timedelta`, `Decimal`
or `complex` are [inputs](inputs.md).

This page is made from `tests/lift/twins/supported.py`, in which a program for every row is compared
with CPython: `python -m tests.lift.twins.page` writes it again.

| module | what works on symbolic values | by | remarks |
| --- | --- | --- | --- |
"""

_TAIL = """
Concrete values go to the module itself, whatever it is. What is not in the table may work, too;
what does not says so. Not lifted are, among others, files with symbolic contents, the hash of a
symbolic date, identity (`is`) of dates, and classes of the program that derive from `date` or
`Decimal` together with symbolic values.
"""


def text() -> str:
    """The page."""
    twins = {twin.module for twin in TWINS}
    rows = sorted(ROWS, key=lambda row: row.module)
    lines = [
        f"| `{row.module}` | {row.names} | {'twin' if row.module in twins else 'lifting'} | "
        f"{row.remark} |\n"
        for row in rows
    ]
    return _HEAD + "".join(lines) + _TAIL


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
