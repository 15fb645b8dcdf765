"""Other names that `posixpath` gives its functions in C."""

# ruff: noqa: F821
# mypy: disable-error-code="name-defined"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

# What the code of the standard library has defined.
normpath: Callable[..., Any]

_path_normpath = normpath
