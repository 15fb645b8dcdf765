"""CPython's own tests as a client of lifted Python.

The package `test` of the running interpreter is used as an installed library.  `recording` runs its
tests and notes what they call, `replaying` does the same calls in lifted code, on concrete and on
symbolic values, and compares with CPython.  `python -m tests.cpython` prints a table.
"""
