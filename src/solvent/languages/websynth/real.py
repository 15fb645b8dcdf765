"""Real pages to scrape: documentation that Python and Debian ship, where it is installed."""

from __future__ import annotations

import sysconfig
from dataclasses import dataclass
from pathlib import Path

LIBRARY = Path(sysconfig.get_path("stdlib"))
DOCUMENTATION = Path("/usr/share/doc")


@dataclass(frozen=True, slots=True)
class RealPage:
    """A page, two examples from it, and what their XPath must select as well."""

    name: str
    file: Path
    examples: tuple[str, ...]
    more: frozenset[str]


def _page(name: str, file: Path, examples: str, more: str) -> RealPage:
    return RealPage(name, file, tuple(examples.split("|")), frozenset(more.split("|")))


REAL = (
    _page(
        "IDLE help",
        LIBRARY / "idlelib/help.html",
        "New File|Redo",
        "Open…|Undo|Redo|Cut|Copy|Paste",
    ),
    _page("difflib", LIBRARY / "test/test_difflib_expect.html", "123|456", "123|456"),
    _page(
        "base-passwd",
        DOCUMENTATION / "base-passwd/users-and-groups.html",
        "daemon|games",
        "sys|man",
    ),
    _page(
        "underscore", DOCUMENTATION / "libjs-underscore/index.html", "#each|#chunk", "#map|#find"
    ),
    _page(
        "Python policy",
        DOCUMENTATION / "python3/python-policy.html",
        "PEP 404|PEP 466",
        "PEP 404",
    ),
    _page("libffi", DOCUMENTATION / "libffi8/html/Index.html", "ABI|closures", "FFI|ffi_call"),
)
