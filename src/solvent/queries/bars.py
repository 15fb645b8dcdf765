"""A bar that shows how far something is, in a notebook."""

from __future__ import annotations

import html
import time
from types import TracebackType
from typing import Any

# How often a bar changes at most.
PAUSE_SECONDS = 0.2


class Bar:
    """A bar that is gone when its work is done."""

    def __init__(self, name: str, total: float) -> None:
        self.name = name
        self.total = total
        self._handle: Any = None
        self._last = 0.0

    def __enter__(self) -> Bar:
        return self

    def update(self, done: float, text: str = "") -> None:
        """Show how much is done, unless the last change was a moment ago."""
        now = time.monotonic()
        if now - self._last < PAUSE_SECONDS:
            return
        self._last = now
        from IPython.display import HTML, display

        shown = HTML(self.as_html(done, text))
        if self._handle is None:
            self._handle = display(shown, display_id=True)
        else:
            self._handle.update(shown)

    def as_html(self, done: float, text: str = "") -> str:
        """The bar.

        >>> Bar("sorting", 4).as_html(1)
        '<progress value="1" max="4"></progress> sorting'
        """
        words = html.escape(text or self.name)
        return (
            f'<progress value="{min(done, self.total):g}" max="{self.total:g}"></progress> {words}'
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._handle is not None:
            from IPython.display import HTML

            self._handle.update(HTML(""))
