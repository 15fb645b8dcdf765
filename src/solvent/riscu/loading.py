"""Programs from files: C* text is compiled, ELF files are read."""

from __future__ import annotations

from pathlib import Path

from solvent.riscu.cstar import check_text
from solvent.riscu.cstar.diagnostics import Diagnostic
from solvent.riscu.cstar.generate import generate
from solvent.riscu.elf import read_elf
from solvent.riscu.program import Program, ProgramError

_ELF = b"\x7fELF"


def load(path: str) -> tuple[Program, list[Diagnostic]]:
    """The program in a file, and what the compiler warns of."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise ProgramError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ProgramError(f"{path}: {error.strerror}") from None
    if content.startswith(_ELF):
        return read_elf(content, path), []
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ProgramError(
            f"{path}: neither an ELF file nor UTF-8 text (byte {error.start})"
        ) from None
    checked = check_text(text, path)
    return generate(checked), checked.warnings
