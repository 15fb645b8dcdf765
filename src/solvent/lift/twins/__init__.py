"""The standard library by its own Python: for what is written in C there is a twin in Python.

`table` lists the twins, `loading` runs their source in a module of their own that nobody else sees,
`conversion` says what to call instead of a C function, and how values pass from one side to the
other.  The other modules here are twins, or parts of twins, that the standard library lacks.
"""
