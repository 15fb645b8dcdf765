"""Checks in processes of their own, for who must go on meanwhile: what they answer, or their end.

A process is `solvent` itself with `--json`: what it says is the envelope.  It leads a session,
which is ended with all that it has started when nobody wants the answer any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from solvent.errors import InternalError
from solvent.verdicts.rendering import Json


async def asked(arguments: Sequence[str], folder: Path) -> Json:
    """The JSON object of a command that is run in a folder; to cancel this ends the command."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "solvent", *arguments, "--json"),
        cwd=folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        out, _ = await process.communicate()
    finally:
        _end(process)
    try:
        found: Json = json.loads(out)
    except ValueError:
        code = process.returncode
        raise InternalError(
            f"solvent {' '.join(arguments)} ended with {code} without an answer"
        ) from None
    return found


def _end(process: asyncio.subprocess.Process) -> None:
    """End a process that still runs, with all that it has started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
