"""Ctrl-C while contracts are put in place or taken away keeps no other thread out."""

from __future__ import annotations

import threading

import pytest

from solvent.contracts import enforcing


def is_free() -> bool:
    """Whether another thread would not wait."""
    found: list[bool] = []

    def look() -> None:
        found.append(enforcing._LOCK.acquire(timeout=0.5))
        if found[0]:
            enforcing._LOCK.release()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return found[0]


def checked(n: int) -> int:
    """Has a contract.

    pre: n > 0
    """
    return n


def test_an_interrupt_while_contracts_are_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    end = enforcing.Enforced.end

    def interrupted(held: enforcing.Enforced) -> None:
        end(held)
        raise KeyboardInterrupt

    monkeypatch.setattr(enforcing.Enforced, "end", interrupted)
    seen: list[bool] = []
    with pytest.raises(KeyboardInterrupt), enforcing.enforced(checked) as held:
        seen += [held.is_empty, is_free()]
    assert seen == [False, False]
    assert is_free()


def test_what_an_interrupt_left_is_released_by_the_next_check() -> None:
    enforcing._LOCK.acquire()
    assert not is_free()
    with enforcing.enforced(len):
        pass
    enforcing.release_left()
    assert is_free()
