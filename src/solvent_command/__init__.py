"""The entry point of the command `solvent`.

Importing Solvent takes a good part of a second, in which Ctrl-C must not show a traceback either.
So this is not a part of the package `solvent`: it is there before anything of that is imported.
"""

import sys

# As in `solvent.cli.common`, which is not there yet.
INTERRUPTED = 130


def main() -> int:
    """Import and run the command; its exit code."""
    try:
        from solvent.cli import main as command

        return command()
    except KeyboardInterrupt:
        print("solvent: interrupted", file=sys.stderr)
        return INTERRUPTED
