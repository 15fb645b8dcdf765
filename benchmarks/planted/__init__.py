"""Functions with planted bugs of different depth, and correct ones, for `make planted`."""
