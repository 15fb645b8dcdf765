"""`python -m solvent.cli` is the command `solvent`."""

from solvent.cli import main
from solvent.cli.leaving import leave

if __name__ == "__main__":
    leave(main())
