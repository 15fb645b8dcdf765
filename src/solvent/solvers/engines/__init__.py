"""Engines: one file per solver, each turning encoded rows into that solver's own terms.

An engine runs in a process of its own (`solvent.solvers.worker`), but the one of clauses in this
one (`solvent.solvers.here`).  It knows nothing of Solvent's terms: it gets rows
(`solvent.solvers.encode`), keeps a list of the solver's terms by number, and answers with plain
data.
"""
