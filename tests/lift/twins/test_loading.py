"""The modules of twins are private, and each class has one twin."""

from __future__ import annotations

import _pydecimal
import csv
import datetime
import decimal
import fractions
import importlib
import json
import marshal
import subprocess
import sys
import threading
import uuid
from typing import Any

import pytest

from solvent import lifted
from solvent.errors import NotLiftedError
from solvent.lift import execute
from solvent.lift.twins.conversion import twin_call
from solvent.lift.twins.loading import loaded, made_native, made_twin, twin_class
from solvent.lift.twins.table import BY_MODULE, TWINS
from solvent.terms import Int
from solvent.vm.twins import NATIVE
from tests.lift.differential import agree


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.module)
def test_modules_stay_what_they_are(twin: Any) -> None:
    original = importlib.import_module(twin.module)
    before = {name: id(value) for name, value in vars(original).items()}
    module = loaded(twin)
    assert sys.modules[twin.module] is original is not module
    assert {name: id(value) for name, value in vars(original).items()} == before
    assert not any(found is module for found in sys.modules.values())


@pytest.mark.parametrize(
    "value",
    [
        datetime.date(2024, 2, 29),
        datetime.time(1, 2, 3, 4, fold=1),
        datetime.datetime(2024, 2, 29, 1, 2, 3, 4, datetime.UTC, fold=1),
        datetime.timedelta(-1, 2, 3),
        decimal.Decimal("-1.20"),
        decimal.Decimal("NaN"),
        decimal.Decimal("1E+5"),
    ],
)
def test_there_and_back(value: Any) -> None:
    twin = made_twin(value)
    assert type(twin) is twin_class(type(value))
    assert NATIVE[type(twin)] is type(value)
    back = made_native(twin)
    assert type(back) is type(value)
    assert repr(back) == repr(value) == repr(twin)
    assert back != back or (back == value and hash(back) == hash(value))


def test_other_modules_of_the_same_name() -> None:
    """Somebody who imports the Python version gets another one, which has no twin."""
    assert twin_class(_pydecimal.Decimal) is None
    assert twin_call(_pydecimal.Decimal.__add__) is None
    assert twin_class(decimal.Decimal) is not _pydecimal.Decimal
    assert twin_call(json.JSONEncoder.encode) is not None


class _Derived(fractions.Fraction):
    pass


def test_concrete_values_are_of_the_class_itself() -> None:
    def several(a: int, b: int) -> tuple[object, ...]:
        found = fractions.Fraction(a, b)
        return abs(found), found + 1, fractions.Fraction.from_float(b / 4), -uuid.UUID(int=a).int

    results = lifted(several)(17, 30)
    assert results == several(17, 30)
    assert [type(result) for result in results] == [fractions.Fraction] * 3 + [int]


def test_class_methods() -> None:
    agree(lambda n: fractions.Fraction.from_float(0.5) + n, [0, 1, 2])
    agree(lambda n: fractions.Fraction(n, 4).from_float(0.5) * n, [0, 1, 2])
    agree(lambda n: (type(_Derived.from_float(0.5)).__name__, n), [0, 1, 2])


def test_threads_get_one_twin() -> None:
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(loaded(BY_MODULE["uuid"]))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1


_UNSEEN = """
import datetime, sys
import solvent.lift
from solvent.terms import Int
before = set(sys.modules)
solvent.lift.execute(lambda d: datetime.date(2024, 1, d).isoformat(), Int("d"))
new = {name for name in set(sys.modules) - before if not name.startswith("solvent")}
assert not new & {"_pydatetime", "_strptime"}, new
assert datetime.date(2024, 1, 1).__class__ is datetime.date
"""


def test_nothing_is_imported() -> None:
    subprocess.run([sys.executable, "-c", _UNSEEN], check=True)


def test_code_in_c_without_a_twin_is_refused() -> None:
    with pytest.raises(NotLiftedError, match="marshal"):
        execute(lambda d: marshal.dumps(datetime.date(2024, 1, d)), Int("d"))


def test_rows_that_are_none() -> None:
    class Lines:
        def write(self, text: str) -> None:
            raise AssertionError

    agree(lambda n: csv.writer(Lines()).writerow(n), [1])
    with pytest.raises(NotLiftedError, match="dialect"):
        execute(
            lambda n: csv.writer(Lines(), quoting=csv.QUOTE_NONE, escapechar="x").writerow([n]),
            Int("n"),
        )
