"""`python -m solvent` is the command `solvent`; alone, at a terminal, it starts the console."""

import sys

from solvent.cli import main
from solvent.cli.leaving import leave

if __name__ == "__main__":
    alone = len(sys.argv) == 1 and sys.stdin.isatty() and sys.stdout.isatty()
    leave(main(["console"] if alone else None))
