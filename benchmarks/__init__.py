"""Benchmarks: `make bench` runs them all and prints one table.

A figure counts only beside another one of the same run: this is why z3's Python interface is
measured next to ours.  Each measurement is the best of several, as machines are noisy.
"""
