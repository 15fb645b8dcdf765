"""What prints with colours, unless `NO_COLOR` says that there shall be none."""

from __future__ import annotations

import os
from typing import Any

from rich.console import Console


def console(**options: Any) -> Console:
    """A console of rich's: lines are as long as they are, and words have no colours of their own.

    With `NO_COLOR` in the environment, and not empty, there are no other marks in the text either.

    >>> console(soft_wrap=True).soft_wrap
    True
    """
    if os.environ.get("NO_COLOR"):
        options["color_system"] = None
    return Console(**{"highlight": False, **options})
