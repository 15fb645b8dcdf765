"""Bytearrays with symbolic contents: the object holds its bytes as soon as all are concrete."""

from __future__ import annotations

import pytest

from solvent import Int, NotLiftedError, evaluate
from solvent.vm.buffers import contents, held, made, shadow, store, store_at


def test_the_object_holds_its_bytes_again_once_all_are_concrete() -> None:
    x, y = Int("x"), Int("y")
    data = made([97, x, y])
    assert held(data) == [97, x, y]
    store_at(data, 1, 98)
    assert contents(data) == [97, 98, y]
    assert data != b"ab"
    store_at(data, 2, 99)
    assert shadow(data) is None
    assert held(data) is data
    assert data == b"abc"


def test_one_symbolic_item_is_enough_for_a_shadow() -> None:
    x = Int("x")
    data = bytearray(b"abc")
    store_at(data, 0, 65)
    assert data == b"Abc"
    store_at(data, 1, x)
    assert contents(data) == [65, x, 99]
    # One term in place of another, and an int in place of an int: still symbolic.
    store_at(data, 1, x + 1)
    store_at(data, 2, 67)
    assert evaluate(data, {x: 65}) == b"ABC"
    store(data, [1, 2])
    assert (shadow(data), data) == (None, b"\x01\x02")


def test_a_view_of_the_bytes_keeps_them_as_they_are() -> None:
    data = bytearray(b"abc")
    with memoryview(data), pytest.raises(NotLiftedError, match="memoryview"):
        store(data, [Int("x")])
    assert data == b"abc"
    assert shadow(data) is None
