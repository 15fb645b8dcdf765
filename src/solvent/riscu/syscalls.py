"""The system calls of the machine, with the numbers that Linux and Selfie give them."""

from __future__ import annotations

from solvent.riscu.words import WORD

OPENAT, READ, WRITE, EXIT, BRK = 56, 63, 64, 93, 214
# What system calls return that fail: -1.
FAILED = WORD
