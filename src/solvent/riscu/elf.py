"""ELF files for 64-bit RISC-V: writing programs, and reading those of others.

A file has one segment for code and one for data, a symbol table, and a section `.cstar.lines` that
says which line of the source each instruction comes from.  Files made by Selfie, which have one
segment for both, are read as well, and so are those of any toolchain: instructions that the machine
lacks are an error when they are reached.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass

from solvent.riscu.program import (
    PAGE,
    PROCEDURE,
    VARIABLE,
    Place,
    Program,
    ProgramError,
    Symbol,
)

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_LINE = struct.Struct("<QII")

_MAGIC = b"\x7fELF\x02\x01\x01"
_EXECUTABLE_FILE, _RISCV = 2, 243
_LOAD = 1
_EXECUTE, _WRITE, _READ = 1, 2, 4
_PROGBITS, _SYMTAB, _STRTAB = 1, 2, 3
_OBJECT, _FUNCTION, _FILE = 1, 2, 4
_GLOBAL = 1 << 4
_ABSOLUTE = 0xFFF1
_LINES = ".cstar.lines"
_MOST_DATA = 64 << 20

# Selfie writes the length of the code behind the headers; the code follows at once, or, in files of
# 2020 and before, at the next page.
_SELFIE_LENGTH = _HEADER.size + _SEGMENT.size
_SELFIE_OFFSETS = (_SELFIE_LENGTH + 8, PAGE)


# --- writing -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Section:
    name: str
    kind: int
    content: bytes
    flags: int = 0
    address: int = 0
    offset: int = 0
    link: int = 0
    info: int = 0
    entry: int = 0


class _Strings:
    """A table of strings that end with a zero."""

    def __init__(self) -> None:
        self.content = bytearray(1)

    def add(self, text: str) -> int:
        place = len(self.content)
        self.content += os.fsencode(text) + b"\0"
        return place


def write_elf(program: Program) -> bytes:
    """The file of a program.

    >>> from solvent.riscu.cstar import compile_text
    >>> file = write_elf(compile_text("uint64_t main() { return 42; }"))
    >>> file[:4], read_elf(file).words == compile_text("uint64_t main() { return 42; }").words
    (b'\\x7fELF', True)
    """
    code = b"".join(word.to_bytes(4, "little") for word in program.words)
    # Offsets in the file agree with addresses up to whole pages, so that it can be mapped.
    code_offset = PAGE + program.code_start % PAGE
    data_offset = code_offset + len(code)
    data_offset += (program.data_start - data_offset) % PAGE
    text = _Section(".text", _PROGBITS, code, 6, program.code_start, code_offset)
    data = _Section(".data", _PROGBITS, program.data, 3, program.data_start, data_offset)
    symbols, strings = _symbol_table(program)
    sections = [
        _Section("", 0, b""),
        text,
        data,
        _Section(".symtab", _SYMTAB, symbols, link=4, info=2, entry=_SYMBOL.size),
        _Section(".strtab", _STRTAB, strings),
        _Section(_LINES, _PROGBITS, _line_table(program)),
        _Section(".shstrtab", _STRTAB, b""),
    ]
    segments = b"".join(
        _SEGMENT.pack(
            _LOAD, flags, s.offset, s.address, s.address, len(s.content), len(s.content), PAGE
        )
        for s, flags in ((text, _READ | _EXECUTE), (data, _READ | _WRITE))
    )
    return _assemble(program, segments, sections)


def _assemble(program: Program, segments: bytes, sections: list[_Section]) -> bytes:
    names = _Strings()
    places = [names.add(section.name) if section.name else 0 for section in sections]
    sections[-1].content = bytes(names.content)
    file = bytearray(_HEADER.size) + segments
    for section in sections[1:]:
        if section.offset:
            file += bytes(section.offset - len(file))
        else:
            file += bytes(-len(file) % 8)
            section.offset = len(file)
        file += section.content
    file += bytes(-len(file) % 8)
    table = len(file)
    for place, s in zip(places, sections, strict=True):
        size = len(s.content)
        file += _SECTION.pack(
            place,
            s.kind,
            s.flags,
            s.address,
            s.offset,
            size,
            s.link,
            s.info,
            8 if size else 0,
            s.entry,
        )
    file[: _HEADER.size] = _HEADER.pack(
        _MAGIC.ljust(16, b"\0"), _EXECUTABLE_FILE, _RISCV, 1, program.entry, _HEADER.size, table,
        0, _HEADER.size, _SEGMENT.size, 2, _SECTION.size, len(sections), len(sections) - 1,
    )  # fmt: skip
    return bytes(file)


def _symbol_table(program: Program) -> tuple[bytes, bytes]:
    strings = _Strings()
    table = bytearray(_SYMBOL.size)
    table += _SYMBOL.pack(strings.add(program.source), _FILE, 0, _ABSOLUTE, 0, 0)
    for symbol in program.symbols:
        kind, section = (_FUNCTION, 1) if symbol.kind == PROCEDURE else (_OBJECT, 2)
        name = strings.add(symbol.name)
        table += _SYMBOL.pack(name, _GLOBAL | kind, 0, section, symbol.address, symbol.size)
    return bytes(table), bytes(strings.content)


def _line_table(program: Program) -> bytes:
    rows = sorted(program.lines.items())
    return b"".join(_LINE.pack(address, place.line, place.column) for address, place in rows)


# --- reading -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Segment:
    flags: int
    offset: int
    address: int
    size: int


def read_elf(content: bytes, file: str = "<binary>") -> Program:
    """The program in a file.

    >>> read_elf(b"#!/bin/sh", "run.sh")
    Traceback (most recent call last):
        ...
    solvent.riscu.program.ProgramError: run.sh: this is no ELF file of 64-bit RISC-V
    """
    if len(content) < _HEADER.size or content[:6] != _MAGIC[:6]:
        raise ProgramError(f"{file}: this is no ELF file of 64-bit RISC-V")
    header = _HEADER.unpack_from(content)
    if header[2] != _RISCV:
        raise ProgramError(f"{file}: this is no ELF file of 64-bit RISC-V")
    try:
        return _read(content, header, file)
    except ProgramError:
        raise
    except (struct.error, IndexError, ValueError, OverflowError):
        raise ProgramError(f"{file}: this ELF file is damaged") from None


def _read(content: bytes, header: tuple[int, ...], file: str) -> Program:
    entry, table, count = header[4], header[5], header[10]
    segments = []
    for number in range(count):
        kind, flags, offset, address, _, size, wanted, _ = _SEGMENT.unpack_from(
            content, table + number * _SEGMENT.size
        )
        if kind == _LOAD and wanted:
            if offset + size > len(content):
                raise ProgramError(f"{file}: this ELF file is damaged")
            segments.append((_Segment(flags, offset, address, size), wanted))
    code = next((s for s, _ in segments if s.flags & _EXECUTE and _holds(s, entry)), None)
    if code is None:
        raise ProgramError(f"{file}: there is no code at the entry point {entry:#x}")
    length = _code_length(content, header, code, file)
    if entry >= code.address + length:
        raise ProgramError(f"{file}: there is no code at the entry point {entry:#x}")
    words = [
        int.from_bytes(content[at : at + 4], "little")
        for at in range(code.offset, code.offset + length - length % 4, 4)
    ]
    data_start, data = _data(content, segments, code, length, file)
    program = Program(words, data, data_start, entry, code.address, file)
    _read_sections(content, header, program)
    return program


def _holds(segment: _Segment, address: int) -> bool:
    return segment.address <= address < segment.address + segment.size


def _code_length(content: bytes, header: tuple[int, ...], code: _Segment, file: str) -> int:
    """How much of a segment is code: all of it, or as much as Selfie says."""
    segments, sections = header[10], header[12]
    alone = segments == 1 and not sections and code.flags & _WRITE
    if not alone or code.offset not in _SELFIE_OFFSETS:
        return code.size
    length = int.from_bytes(content[_SELFIE_LENGTH : _SELFIE_LENGTH + 8], "little")
    if length > code.size or length % 4:
        raise ProgramError(
            f"{file}: {length} bytes of code are no whole instructions in a segment of {code.size}"
        )
    return length or code.size


def _data(
    content: bytes, segments: list[tuple[_Segment, int]], code: _Segment, length: int, file: str
) -> tuple[int, bytes]:
    """Where the data starts, and all of it, with zeros between its segments."""
    pieces = [
        (s.address, content[s.offset : s.offset + s.size], wanted)
        for s, wanted in segments
        if s is not code
    ]
    if code.flags & _WRITE:
        rest = content[code.offset + length : code.offset + code.size]
        wanted = next(size for s, size in segments if s is code)
        pieces.append((code.address + length, rest, wanted - length))
    pieces = sorted(piece for piece in pieces if piece[2] > 0)
    if not pieces:
        end = code.address + length
        return end + -end % PAGE, b""
    start = pieces[0][0]
    if max(address + wanted for address, _, wanted in pieces) - start > _MOST_DATA:
        raise ProgramError(f"{file}: more than {_MOST_DATA >> 20} MB of data are too many")
    data = bytearray()
    for address, piece, wanted in pieces:
        data += bytes(address - start - len(data)) + piece + bytes(wanted - len(piece))
    return start, bytes(data)


def _read_sections(content: bytes, header: tuple[int, ...], program: Program) -> None:
    """Symbols and source lines, as far as the file has them."""
    table, count, names_at = header[6], header[12], header[13]
    if not table or not count:
        return
    rows = [_SECTION.unpack_from(content, table + n * _SECTION.size) for n in range(count)]
    names = _content(content, rows[names_at])
    for row in rows:
        if row[1] == _SYMTAB:
            _read_symbols(_content(content, row), _content(content, rows[row[6]]), program)
        elif _text(names, row[0]) == _LINES:
            for address, line, column in _LINE.iter_unpack(_content(content, row)):
                program.lines[address] = Place(line, column)


def _content(content: bytes, row: tuple[int, ...]) -> bytes:
    return content[row[4] : row[4] + row[5]]


def _text(strings: bytes, at: int) -> str:
    return os.fsdecode(strings[at : strings.index(b"\0", at)]) if at < len(strings) else ""


def _read_symbols(table: bytes, strings: bytes, program: Program) -> None:
    kinds = {_FUNCTION: PROCEDURE, _OBJECT: VARIABLE}
    for name, info, _, _, address, size in _SYMBOL.iter_unpack(table):
        if info & 15 == _FILE:
            program.source = _text(strings, name)
        elif info & 15 in kinds:
            program.symbols.append(Symbol(_text(strings, name), address, size, kinds[info & 15]))
