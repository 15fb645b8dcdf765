"""The disassembler: a program as text, with symbols and source lines."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.riscu.instructions import Instruction
from solvent.riscu.program import PROCEDURE, VARIABLE, Program


def disassemble(program: Program) -> str:
    """The instructions of a program, one in each line.

    >>> from solvent.riscu.cstar import compile_text
    >>> print(disassemble(compile_text("uint64_t main() { return 42; }", "a.c")).splitlines()[-6])
    0x10024: 02a00293  addi t0,zero,42            # a.c(1,26)
    """
    return "".join(f"{line}\n" for line in _lines(program))


def _lines(program: Program) -> Iterator[str]:
    names = {s.address: s.name for s in program.symbols if s.kind == PROCEDURE}
    for number, word in enumerate(program.words):
        address = program.code_start + 4 * number
        if address in names:
            yield f"{names[address]}:"
        instruction = program.instructions.get(address)
        text = f".word {word:#010x}" if instruction is None else _text(instruction, address, names)
        place = program.lines.get(address)
        comment = f"# {program.source}({place.line},{place.column})" if place else ""
        yield f"{address:#x}: {word:08x}  {text:<26} {comment}".rstrip()
    variables = sorted((s.address, s.name) for s in program.symbols if s.kind == VARIABLE)
    words = program.initial_words()
    for address, name in variables:
        yield f"{address:#x}: {words.get(address, 0):016x}  # {name}"


def _text(instruction: Instruction, address: int, names: dict[int, str]) -> str:
    text = str(instruction)
    if instruction.name in ("beq", "jal"):
        target = address + instruction.imm
        text += f" <{names.get(target, f'{target:#x}')}>"
    return text
