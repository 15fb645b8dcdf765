"""Data inside of a page, which nothing in it can leave."""

from __future__ import annotations

import json


def data_block(identity: str, data: object) -> str:
    """A block with JSON for a script of the page; no text in it can end the block.

    >>> data_block("data", {"text": "</script>"})
    '<script type="application/json" id="data">{"text": "\\\\u003c/script\\\\u003e"}</script>'
    """
    text = json.dumps(data)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json" id="{identity}">{text}</script>'
