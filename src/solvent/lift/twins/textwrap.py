"""`textwrap.dedent` without the regular expression that it makes of the text."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations


def dedent(text):
    lines = text.split("\n")
    margin = None
    kept = []
    for line in lines:
        found = len(line) - len(line.lstrip(" \t"))
        if found == len(line):
            kept.append("")
            continue
        kept.append(line)
        if margin is None:
            margin = line[:found]
        else:
            margin = margin[: _common(margin, line[:found])]
    if margin is None:
        margin = ""
    return "\n".join([line.removeprefix(margin) for line in kept])


def _common(first, second):
    """How many characters two texts have in common at their start."""
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count
