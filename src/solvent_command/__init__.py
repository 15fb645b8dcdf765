"""The entry point of the command `solvent`.

Importing Solvent takes a good part of a second, in which Ctrl-C must not show a traceback either.
So this is not a part of the package `solvent`: it is there before anything of that is imported.
"""

import sys

# As in `solvent.cli.common`, which is not there yet.
INTERRUPTED = 130


def main() -> int:
    """Import and run the command, and end this process; the exit code if it was interrupted."""
    try:
        from solvent.cli import main as command
        from solvent.cli.leaving import leave

        leave(command())
    except KeyboardInterrupt:
        print("solvent: interrupted", file=sys.stderr)
        return INTERRUPTED
