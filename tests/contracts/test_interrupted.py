"""Ctrl-C while contracts are put in place or taken away, and what is known before they are."""

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


def test_an_interrupt_while_the_program_is_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """No function stays exchanged for its guard."""
    code = checked.__code__
    look = enforcing.Enforced.function
    exchanged: list[bool] = []

    def interrupted(held: enforcing.Enforced, *args: object) -> None:
        look(held, *args)  # type: ignore[arg-type]
        if checked.__code__ is not code:
            exchanged.append(True)
            raise KeyboardInterrupt

    monkeypatch.setattr(enforcing.Enforced, "function", interrupted)
    with pytest.raises(KeyboardInterrupt), enforcing.enforced(checked):
        pass
    assert exchanged
    assert checked.__code__ is code
    assert is_free()


def test_what_was_not_changed_back_is_by_the_next_check(monkeypatch: pytest.MonkeyPatch) -> None:
    code = checked.__code__

    def interrupted(held: enforcing.Enforced) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(enforcing.Enforced, "end", interrupted)
        with pytest.raises(KeyboardInterrupt), enforcing.enforced(checked):
            pass
    assert checked.__code__ is not code
    with enforcing.enforced(len):
        pass
    assert checked.__code__ is code


def test_modules_without_contracts_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that are forked afterwards know them."""
    enforcing.look_ahead()
    seen: list[str] = []
    look = enforcing.Enforced.module

    def looking(held: enforcing.Enforced, namespace: dict[str, object], name: str) -> None:
        seen.append(name)
        look(held, namespace, name)

    monkeypatch.setattr(enforcing.Enforced, "module", looking)
    with enforcing.enforced(checked):
        pass
    assert __name__ in seen
    assert "tests.conftest" not in seen
    monkeypatch.setattr(enforcing, "_BARE", enforcing.Bare())
    with enforcing.enforced(checked):
        pass
    assert "tests.conftest" in seen
