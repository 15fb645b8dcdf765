"""Random inputs for everything that reads, and random formulas and models for all engines.

The inputs are the same in each run.  `SOLVENT_FUZZ=20000` tries so many of each format instead of
a few hundred, and fewer of what asks solvers; `SOLVENT_SEED=2` tries others.
"""
