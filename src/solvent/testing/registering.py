"""What Hypothesis loads at its start: the name of the backend, and nothing of Solvent's."""

from __future__ import annotations


def register() -> None:
    """Let `settings(backend="solvent")` find the backend when it is used."""
    try:
        from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS
    except ImportError:
        # Older versions have no backends.
        return
    AVAILABLE_PROVIDERS["solvent"] = "solvent.strategies.backend.SolventProvider"
