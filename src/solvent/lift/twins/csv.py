"""`csv` in Python: what reads and writes rows is in C only.

This is run in the module that has run the Python code of the standard library already.
"""

# ruff: noqa: F821
# mypy: disable-error-code="name-defined, no-untyped-def, no-untyped-call"
from __future__ import annotations

import _csv
from typing import Any

from solvent.lift.twins.refusing import refuse as _refuse
from solvent.lift.twins.remembering import plain_writer as _plain_writer
from solvent.lift.twins.remembering import write_of as _write_of

# What the code of the standard library has defined.
DictWriter: Any
Error: Any

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)


class reader:
    """Rows of what an iterable of lines gives."""

    def __init__(self, csvfile, dialect="excel", **options):
        # A reader of C knows what is a good dialect, and says what is wrong with others.
        self.dialect = _csv.reader([], dialect, **options).dialect
        if self.dialect.quoting not in (QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONE):
            _refuse("`csv.reader` with this `quoting` is not lifted; convert the fields yourself")
        self.lines = iter(csvfile)
        self.line_num = 0

    def __iter__(self):
        return self

    def __next__(self):
        row = _Row(self.dialect)
        while True:
            try:
                line = next(self.lines)
            except StopIteration:
                if row.field != "" or row.state == "quoted":
                    if self.dialect.strict:
                        raise Error("unexpected end of data") from None
                    row.save()
                    return row.fields
                raise
            if not isinstance(line, str):
                raise Error(
                    f"iterator should return strings, not {type(line).__name__} "
                    "(the file should be opened in text mode)"
                )
            self.line_num += 1
            for character in line:
                row.take(character)
            row.take("")
            if row.state == "start":
                return row.fields


class _Row:
    """The automaton that reads one row; the end of a line is an empty character."""

    def __init__(self, dialect):
        self.dialect = dialect
        self.fields = []
        self.field = ""
        self.state = "start"

    def save(self):
        self.fields.append(self.field)
        self.field = ""

    def take(self, c):
        if self.state == "start":
            if c == "":
                return
            if c == "\n" or c == "\r":
                self.state = "eaten"
                return
            self.state = "field"
        if self.state == "field":
            self.begin(c)
        elif self.state == "escaped":
            self.escaped(c)
        elif self.state == "inside":
            self.inside(c)
        elif self.state == "quoted":
            self.quoted(c)
        elif self.state == "escaped in quotes":
            self.escaped_in_quotes(c)
        elif self.state == "after quote":
            self.after_quote(c)
        elif c == "":
            self.state = "start"
        elif c != "\n" and c != "\r":
            raise Error(_NEW_LINE)

    def ended(self, c):
        self.save()
        self.state = "start" if c == "" else "eaten"

    def begin(self, c):
        dialect = self.dialect
        if c == "" or c == "\n" or c == "\r":
            self.ended(c)
        elif c == dialect.quotechar and dialect.quoting != QUOTE_NONE:
            self.state = "quoted"
        elif c == dialect.escapechar:
            self.state = "escaped"
        elif c == " " and dialect.skipinitialspace:
            pass
        elif c == dialect.delimiter:
            self.save()
        else:
            self.field += c
            self.state = "inside"

    def escaped(self, c):
        if c == "":
            c = "\n"
        self.field += c
        self.state = "inside"

    def inside(self, c):
        dialect = self.dialect
        if c == "" or c == "\n" or c == "\r":
            self.ended(c)
        elif c == dialect.escapechar:
            self.state = "escaped"
        elif c == dialect.delimiter:
            self.save()
            self.state = "field"
        else:
            self.field += c

    def quoted(self, c):
        dialect = self.dialect
        if c == "":
            pass
        elif c == dialect.escapechar:
            self.state = "escaped in quotes"
        elif c == dialect.quotechar and dialect.quoting != QUOTE_NONE:
            self.state = "after quote" if dialect.doublequote else "inside"
        else:
            self.field += c

    def escaped_in_quotes(self, c):
        self.field += "\n" if c == "" else c
        self.state = "quoted"

    def after_quote(self, c):
        dialect = self.dialect
        if dialect.quoting != QUOTE_NONE and c == dialect.quotechar:
            self.field += c
            self.state = "quoted"
        elif c == dialect.delimiter:
            self.save()
            self.state = "field"
        elif c == "" or c == "\n" or c == "\r":
            self.ended(c)
        elif not dialect.strict:
            self.field += c
            self.state = "inside"
        else:
            raise Error(f"'{dialect.delimiter}' expected after '{dialect.quotechar}'")


def _new_line():
    try:
        list(_csv.reader(["a\rb"]))
    except _csv.Error as error:
        return str(error)
    return ""


_NEW_LINE = _new_line()


def writer(csvfile, dialect="excel", **options):
    return _plain_writer(csvfile, dialect, options)


def _write(writer, row):
    """`writer.writerow(row)`: a writer of C has no state but what it writes with."""
    dialect = writer.dialect
    write = _write_of(writer)
    try:
        row = iter(row)
    except TypeError:
        raise Error(f"iterable expected, not {type(row).__name__}") from None
    texts = []
    for field in row:
        texts.append(_written(dialect, field))
    if len(texts) == 1 and texts[0] == "":
        if dialect.quoting == QUOTE_NONE:
            raise Error("single empty field record must be quoted")
        texts = [dialect.quotechar * 2]
    return write(dialect.delimiter.join(texts) + dialect.lineterminator)


def _write_all(writer, rows):
    for row in rows:
        _write(writer, row)


def _write_dict(self, rowdict):
    return _write(self.writer, list(self._dict_to_list(rowdict)))


def _write_dicts(self, rowdicts):
    for rowdict in rowdicts:
        _write_dict(self, rowdict)


DictWriter.writerow = _write_dict
DictWriter.writerows = _write_dicts


def _written(dialect, field):
    """A field as it stands in a line."""
    if (
        dialect.quoting not in (QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC)
        or dialect.escapechar is not None
        or dialect.skipinitialspace
        or not dialect.doublequote
    ):
        _refuse("`csv.writer` of symbolic values with this dialect is not lifted; use `excel`")
    quoted = dialect.quoting == QUOTE_ALL
    if isinstance(field, str):
        text = field
        quoted = quoted or dialect.quoting == QUOTE_NONNUMERIC
    elif field is None:
        text = ""
    else:
        text = str(field)
        quoted = quoted or (
            dialect.quoting == QUOTE_NONNUMERIC and not isinstance(field, (int, float))
        )
    quote = dialect.quotechar
    for character in text:
        if (
            character == dialect.delimiter or character == quote or character in "\r\n"
            or character in dialect.lineterminator
        ):  # fmt: skip
            quoted = True
    return quote + text.replace(quote, quote * 2) + quote if quoted else text


__methods__ = {"writer.writerow": _write, "writer.writerows": _write_all}
