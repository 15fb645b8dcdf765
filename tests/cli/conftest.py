"""Every JSON object that a command prints in any test of these is the one that is described."""

from __future__ import annotations

import pytest

from solvent.cli import envelope
from solvent.verdicts.rendering import Json
from tests.cli.objects import VALIDATOR


@pytest.fixture(autouse=True)
def described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever makes the object: who asks gets only what the schema allows."""
    made = envelope.envelope

    def checked(*arguments: object, **named: object) -> Json:
        found = made(*arguments, **named)  # type: ignore[arg-type]
        # As it will be read: what has no JSON is a text.
        VALIDATOR.validate(found)
        return found

    monkeypatch.setattr(envelope, "envelope", checked)
