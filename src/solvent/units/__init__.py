"""Many checks, here or on a cluster: each is a unit of work, and one that fails loses no other.

A *unit* says what is to be done as data, and its *answer* is data, too (`unit`).  Units are done in
forks of this process (`local`) or by the workers of a Dask cluster (`cluster`), which get the
sources with them (`bundle`), are asked who they are (`versions`), and do each unit in a process of
its own (`nursery`).  What is finished is in a *journal*, so that a run can go on after a crash
(`journal`).  One hard question is divided into *pieces*, which are units as well (`pieces`).
"""
