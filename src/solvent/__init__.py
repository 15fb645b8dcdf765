"""Solvent."""
