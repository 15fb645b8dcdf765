"""Where paths and terms come from: profiles of symbolic runs, and the failures that they swallow.

`profile` measures all runs of a `with` block, line by line, as in "Finding code that explodes under
symbolic evaluation" (OOPSLA 2018); `trace` lists what a run turned into "no such path".
"""

from solvent.profiling.comparing import Comparison, compare
from solvent.profiling.entries import Entry
from solvent.profiling.profile import Profile
from solvent.profiling.recording import profile
from solvent.profiling.tracing import Swallowed, Trace, trace
from solvent.vm.own import own

own(__file__)

__all__ = [
    "Comparison",
    "Entry",
    "Profile",
    "Swallowed",
    "Trace",
    "compare",
    "profile",
    "trace",
]
