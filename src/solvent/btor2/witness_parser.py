"""Reading witnesses: each rule of figure 10 is one function here, under the names of section 7.3.

Comments are skipped wherever they stand, and an empty state part may be left out.  Like BtorMC's
own witnesses, several may stand in one file, one after the other.
"""

from __future__ import annotations

import re
from pathlib import Path

from solvent.btor2.errors import WitnessError
from solvent.btor2.witness import Assignment, Frame, Witness

# Positions are numbers of a few digits.
_PROPERTY = re.compile(r"[bj][0-9]{1,18}")
_BITS = re.compile(r"[01]+")
# The bits that nobody decided, which some checkers write.
_UNDECIDED = re.compile(r"[01xX]+")
_INDEX = re.compile(r"\[([01]+)\]")
_NUMBER = re.compile(r"[0-9]{1,18}")
_END_OF_LINE = "end of line"
_END = "end of file"


class _Parser:
    """The symbols of a witness and the rules for them."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        # Lines that are neither empty nor comments: their symbols with line and column.
        self.lines: list[list[tuple[str, int, int]]] = []
        self.comments: list[str] = []
        for number, line in enumerate(text.split("\n"), 1):
            code, semicolon, comment = line.partition(";")
            found = [(m.group(), number, m.start() + 1) for m in re.finditer(r"\S+", code)]
            if found:
                self.lines.append(found)
            elif semicolon and not self.lines:
                self.comments.append(comment)
        self.last = text.count("\n") + 1
        self.line = 0
        self.position = 0

    # --- symbols -----------------------------------------------------------------------------

    @property
    def symbol(self) -> str | None:
        """The current symbol; None at the end of a line."""
        if self.line < len(self.lines) and self.position < len(self.lines[self.line]):
            return self.lines[self.line][self.position][0]
        return None

    @property
    def at_end(self) -> bool:
        """Whether all lines have been read."""
        return self.line >= len(self.lines)

    def get_symbol(self) -> None:
        """Go on to the next symbol of the line."""
        self.position += 1

    def next_line(self) -> None:
        """Go on to the next line; nothing may be left of this one."""
        if self.symbol is not None:
            self.parser_error(_END_OF_LINE)
        self.line += 1
        self.position = 0

    def parser_error(self, expected: str) -> None:
        """Complain about the current symbol."""
        if self.at_end:
            raise WitnessError(expected, _END, self.name, self.last, 1)
        line = self.lines[self.line]
        if self.position < len(line):
            text, number, column = line[self.position]
            raise WitnessError(expected, text, self.name, number, column)
        text, number, column = line[-1]
        raise WitnessError(expected, _END_OF_LINE, self.name, number, column + len(text))

    # --- the grammar -------------------------------------------------------------------------

    def parse_witness(self) -> Witness:
        """witness = header { frame } "." ."""
        witness = Witness(comments=self.comments)
        self.parse_header(witness)
        while self.symbol is not None and self.symbol[0] in "#@":
            self.parse_frame(witness)
        if self.symbol != ".":
            # What could stand here is another frame, or more of the last one.
            self.parser_error("." if witness.frames else "#0")
        self.get_symbol()
        self.next_line()
        return witness

    def parse_header(self, witness: Witness) -> None:
        """header = "sat" "\\n" { prop } "\\n" ."""
        if self.symbol != "sat":
            self.parser_error("sat")
        self.get_symbol()
        self.next_line()
        if self.symbol is None or self.symbol[0] in "#@.":
            # A header without properties has an empty line, which has been skipped.
            return
        while self.symbol is not None:
            self.parse_prop(witness)
        self.next_line()

    def parse_prop(self, witness: Witness) -> None:
        """prop = ( "b" | "j" ) uint ."""
        symbol = self.symbol
        if symbol is None or not _PROPERTY.fullmatch(symbol):
            self.parser_error("b<number> or j<number>")
        assert symbol is not None
        witness.properties.append(symbol)
        self.get_symbol()

    def parse_frame(self, witness: Witness) -> None:
        """frame = [ state_part ] input_part ."""
        expected = len(witness.frames)
        frame = Frame(expected)
        if self.symbol is not None and self.symbol[0] == "#":
            self.parse_state_part(frame)
        self.parse_input_part(frame)
        witness.frames.append(frame)

    def parse_state_part(self, frame: Frame) -> None:
        """state_part = "#" uint "\\n" model ."""
        self.parse_time("#", frame)
        frame.states = self.parse_model()

    def parse_input_part(self, frame: Frame) -> None:
        """input_part = "@" uint "\\n" model ."""
        self.parse_time("@", frame)
        frame.inputs = self.parse_model()

    def parse_time(self, mark: str, frame: Frame) -> None:
        """The head of a part: frames are numbered from zero, without gaps."""
        if self.symbol != f"{mark}{frame.time}":
            self.parser_error(f"{mark}{frame.time}")
        self.get_symbol()
        self.next_line()

    def parse_model(self) -> list[Assignment]:
        """model = { comment "\\n" | assignment "\\n" } ."""
        found = []
        while self.symbol is not None and self.symbol[0] not in "#@.":
            found.append(self.parse_assignment())
        return found

    def parse_assignment(self) -> Assignment:
        """assignment = uint ( bv_assignment | array_assignment ) [ symbol ] ."""
        symbol = self.symbol
        if symbol is None or not _NUMBER.fullmatch(symbol):
            self.parser_error("<number>")
        assert symbol is not None
        position = int(symbol)
        self.get_symbol()
        if self.symbol is not None and self.symbol[0] == "[":
            found = self.parse_array_assignment(position)
        else:
            found = self.parse_bv_assignment(position)
        if self.symbol is not None:
            found.symbol = self.symbol
            self.get_symbol()
        self.next_line()
        return found

    def parse_bv_assignment(self, position: int, index: str | None = None) -> Assignment:
        """bv_assignment = binary_string ."""
        symbol = self.symbol
        if symbol is None or not (_BITS.fullmatch(symbol) or _UNDECIDED.fullmatch(symbol)):
            self.parser_error("<binary string>")
        assert symbol is not None
        self.get_symbol()
        return Assignment(position, re.sub("[xX]", "0", symbol), index)

    def parse_array_assignment(self, position: int) -> Assignment:
        """array_assignment = "[" binary_string "]" binary_string ."""
        symbol = self.symbol
        assert symbol is not None
        found = _INDEX.fullmatch(symbol)
        if found is None:
            self.parser_error("[<binary string>]")
        assert found is not None
        self.get_symbol()
        return self.parse_bv_assignment(position, found.group(1))


def parse_witness(text: str, name: str = "<witness>") -> Witness:
    """The witness that a text is.

    >>> witness = parse_witness("sat\\nb2\\n@0\\n0 00110100 input0@0\\n.\\n")
    >>> witness.properties, witness.frames[0].inputs[0].value
    (['b2'], 52)
    >>> parse_witness("sat\\nb2\\n@0\\n0 2\\n.\\n")
    Traceback (most recent call last):
        ...
    solvent.btor2.errors.WitnessError: <witness>(4,3): Parser Error: "<binary string>" expected \
but "2" found!
    """
    parser = _Parser(text, name)
    witness = parser.parse_witness()
    if not parser.at_end:
        parser.parser_error(_END)
    return witness


def parse_witnesses(text: str, name: str = "<witness>") -> list[Witness]:
    """All witnesses in a text, one after the other; at least one."""
    parser = _Parser(text, name)
    found = [parser.parse_witness()]
    while not parser.at_end:
        found.append(parser.parse_witness())
    return found


def parse_witness_file(path: str | Path) -> Witness:
    """The witness in a file."""
    return parse_witness(Path(path).read_text(encoding="utf-8"), str(path))
