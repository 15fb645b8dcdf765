"""What threads share: the first to meet something decides for all of them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from solvent.boogie import types
from solvent.sketch import places

THREADS = 4


@pytest.fixture(autouse=True)
def take_turns_often() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def at_once(action: Callable[[int], Any]) -> list[Any]:
    """What an action returns in several threads that start together."""
    ready = threading.Barrier(THREADS)
    found: list[Any] = [None] * THREADS

    def run(number: int) -> None:
        ready.wait()
        found[number] = action(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_equal_types_of_boogie_are_one_object() -> None:
    def make(_: int) -> list[types.Type]:
        words = [types.bitvec_type(width) for width in range(1000, 1400)]
        return words + [types.map_type((word,), types.INT) for word in words]

    for made in zip(*at_once(make), strict=True):
        assert all(one is made[0] for one in made)


def test_files_of_one_name_get_different_names() -> None:
    def name(number: int) -> list[str]:
        return [places.short_name(f"/{number}/of_a_thread_{k}.py") for k in range(400)]

    for names in zip(*at_once(name), strict=True):
        assert len(set(names)) == THREADS
