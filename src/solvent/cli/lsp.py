"""`solvent lsp`: the language server, at standard input and output."""

from __future__ import annotations

import argparse
import importlib.util

from solvent.cli.common import Commands, InputError
from solvent.verdicts import DONE


def run(options: argparse.Namespace) -> int:
    """Serve until the editor ends it."""
    if importlib.util.find_spec("pygls") is None:
        raise InputError("the language server needs pygls; install it: pip install 'solvent[lsp]'")
    # Only now, since it takes long to import.
    from solvent.cli.server import serve

    serve()
    return DONE


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("lsp", help="the language server, for editors")
    parser.set_defaults(run=run)
