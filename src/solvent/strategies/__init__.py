"""Hypothesis and Solvent: strategies as spaces of inputs, tests as specifications.

A test with `@given` says what its inputs are: `turning` makes spaces of its strategies, `given`
asks about the test, and `examples` writes an example with which it fails into the database of
Hypothesis, which replays it.  What cannot be turned into a space is named with its place.
"""

from solvent.vm.own import own

own(__file__)
