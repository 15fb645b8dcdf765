"""`python -m solvent.cli` is the command `solvent`."""

import sys

from solvent.cli import main

if __name__ == "__main__":
    sys.exit(main())
