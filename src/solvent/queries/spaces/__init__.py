"""Spaces of inputs: what a parameter may be, given by the caller or read from its annotation."""
