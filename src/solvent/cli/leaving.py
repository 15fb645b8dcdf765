"""The end of the command: at once, since taking the process apart takes longer than many answers.

What was registered for the end is done, and what was printed is written.  Where somebody still
looks at the process (a thread, a profiler, a prompt), Python ends it in its own way.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import NoReturn


def leave(code: int) -> NoReturn:
    """End this process with an exit code."""
    if not _is_watched():
        atexit._run_exitfuncs()
        if _is_written():
            os._exit(code)
    sys.exit(code)


def _is_watched() -> bool:
    """Whether something goes on after the command, or is told of its end."""
    others = [one for one in threading.enumerate() if one is not threading.main_thread()]
    if any(not one.daemon for one in others):
        return True
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is not None and any(map(monitoring.get_tool, range(6))):
        return True
    looks = sys.flags.interactive or os.environ.get("PYTHONINSPECT")
    return bool(looks or sys.getprofile() or sys.gettrace())


def _is_written() -> bool:
    """Whether all that was printed has reached its reader, as far as there is one."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
    except (OSError, ValueError):
        return False
    return True
