"""Tests of what a parameter may be."""
