"""A check as a race against a budget: the first confirmed failure wins, only a complete run proves.

Several lanes look for an answer side by side, each in a process of its own (`lanes`): probes run
the plain function in CPython on small inputs (`probing`), merged execution runs all paths at
growing sizes (`merged`), and paths are followed one by one where merging is refused or slow
(`paths`).  The race (`racing`) takes what they report, makes failures small (`shrinking`), has
CPython confirm them, and says at any moment what is covered.
"""

from solvent.race.verifying import verify, verify_all
from solvent.vm.own import own

__all__ = ["verify", "verify_all"]

own(__file__)
