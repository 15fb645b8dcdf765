"""For the manual: examples in docstrings are code, also where no heading says so."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

# From a prompt to the next empty line, at the start of a docstring's line.
_EXAMPLE = re.compile(
    r"(?:^>>> .*(?:\n(?!\s*$).*)*)(?:\n\n(?=>>> ).*(?:\n(?!\s*$).*)*)*", re.MULTILINE
)


def fenced(text: str) -> str:
    """A docstring whose examples stand between fences."""
    return _EXAMPLE.sub(lambda found: f"```python\n{found[0]}\n```", text)


class Fenced(Extension):
    """Changes each docstring before it is rendered."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Called for each function, class, module and attribute."""
        if obj.docstring is not None and "```" not in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)
