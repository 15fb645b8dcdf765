"""How much memory lanes may take, so that a program that takes all it gets is ended alone.

A lane has a limit of its own.  Several lanes, of several checks side by side, could take more than
there is all the same: so who waits for them ends the largest before others have none left.

>>> 0 < available() <= total()
True
>>> limit() > taken(os.getpid())
True
"""

from __future__ import annotations

import os
from collections.abc import Iterable

# The share of the memory that is free with which a lane may begin.
SHARE = 0.4
# What it always has: a limit is no reason to refuse what is small.
LEAST = 1 << 30
# When less than this share of all memory is free, it is scarce.
RESERVE = 1 / 16
# The group of processes that this one is in, which may have less memory than the machine.
_GROUP = "/sys/fs/cgroup/"
_PAGE = os.sysconf("SC_PAGE_SIZE")


def total() -> int:
    """How much memory there is, in bytes."""
    machine = _PAGE * os.sysconf("SC_PHYS_PAGES")
    return min(machine, _group("memory.max") or machine)


def available() -> int:
    """How much of it is free, or can be freed at once; all of it where nobody says."""
    free = _field("/proc/meminfo", "MemAvailable:")
    result = total() if free is None else free * 1024
    most, used = _group("memory.max"), _group("memory.current")
    if most is not None and used is not None:
        # Files that are kept in memory give way.
        cached = _field(f"{_GROUP}memory.stat", "inactive_file") or 0
        result = min(result, most - used + cached)
    return max(result, 0)


def taken(pid: int) -> int:
    """How much memory a process holds, 0 if nobody says."""
    return _PAGE * _pages(pid)[1]


def limit() -> int:
    """The address space that a lane may have: that of this process, and a share of what is free.

    The solvers that it starts may each have as much.
    """
    return _PAGE * _pages(os.getpid())[0] + max(LEAST, int(SHARE * available()))


def is_scarce() -> bool:
    """Whether there is hardly any left."""
    return available() < RESERVE * total()


def greediest(pids: Iterable[int]) -> int | None:
    """The process that takes most, if memory is scarce, and not only because of others."""
    if not is_scarce():
        return None
    found = max(pids, key=taken, default=None)
    return found if found is not None and taken(found) > RESERVE * total() else None


def _pages(pid: int) -> tuple[int, int]:
    """The pages that a process may touch, and those that it has touched."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            size, resident = file.read().split()[:2]
    except OSError:
        return 0, 0
    return int(size), int(resident)


def _field(path: str, name: str) -> int | None:
    """The number after a name in a file of rows."""
    try:
        with open(path) as file:
            rows = (line.split() for line in file)
            return next((int(row[1]) for row in rows if row[0] == name), None)
    except OSError:
        return None


def _group(name: str) -> int | None:
    """A number that the group of processes has, if it is one."""
    try:
        with open(_GROUP + name) as file:
            said = file.read().strip()
    except OSError:
        return None
    return int(said) if said.isdigit() else None
