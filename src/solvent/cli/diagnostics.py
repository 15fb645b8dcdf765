"""What a check of a file has found, in the words of the language server protocol."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types

from solvent.cli.cases import Place, sentence
from solvent.cli.limits import is_lasting
from solvent.queries.coverage import Coverage, Level
from solvent.verdicts import Finding

SOURCE = "solvent"

Row = dict[str, Any]

_CODE = re.compile(r" \[(S\d+)\]$")
_PLACE = re.compile(r"(?P<file>[^:]*):(?P<line>\d+)(:\d+)?: (?P<text>.*)", re.DOTALL)


@dataclass(slots=True)
class Known:
    """What is known about the functions of a file."""

    path: Path
    # The folder in which the checks run, to which places are relative.
    folder: Path
    rows: dict[str, Row] = field(default_factory=dict)
    # Why there is no answer at all.
    error: str = ""

    def learn(self, found: Row) -> None:
        """Take in the object of a check."""
        self.error = str(found.get("error") or "")
        for row in [*found.get("results", ()), *found.get("not_checked", ())]:
            self.rows[row["function"]] = row

    def open_functions(self) -> list[str]:
        """Those about which more time may tell something."""
        rows = self.rows.items()
        unknown = [(name, row["reason"]) for name, row in rows if row["status"] == "unknown"]
        return [name for name, reason in unknown if not is_lasting(reason)]

    def at_line(self, line: int, source: str) -> Row | None:
        """What is known about the function around a line, which counts from 0."""
        around = [one for one in functions(source) if one.start <= line <= one.end]
        # The innermost is the last that begins.
        return self.rows.get(around[-1].name) if around else None

    # --- diagnostics ----------------------------------------------------------------------------

    def diagnostics(self, source: str) -> list[types.Diagnostic]:
        """What editors show beside the lines."""
        lines = source.splitlines()
        if self.error:
            return [self._of_error(lines)]
        return [one for row in self.rows.values() for one in self._of_row(row, lines)]

    def _of_error(self, lines: list[str]) -> types.Diagnostic:
        match = _PLACE.fullmatch(self.error)
        if match is None or not self._is_here(match["file"]):
            return _diagnostic(0, lines, self.error, types.DiagnosticSeverity.Error)
        line = int(match["line"]) - 1
        return _diagnostic(line, lines, match["text"], types.DiagnosticSeverity.Error)

    def _of_row(self, row: Row, lines: list[str]) -> Iterator[types.Diagnostic]:
        start = Place.of(row["position"]).line - 1
        for one in row["findings"]:
            finding = Finding(**{**one, "trace": tuple(one["trace"])})
            yield self._of_finding(finding, row, start, lines)
        if row["status"] in ("unknown", "unsupported", "error"):
            reason = row["reason"] or "no reason is given"
            code = _CODE.search(reason)
            yield _diagnostic(
                start,
                lines,
                f"{row['function']}: unknown: {reason}",
                types.DiagnosticSeverity.Information,
                code[1] if code else None,
            )

    def _of_finding(
        self, finding: Finding, row: Row, start: int, lines: list[str]
    ) -> types.Diagnostic:
        text, error = sentence(finding), types.DiagnosticSeverity.Error
        if self._is_here(finding.file):
            return _diagnostic(finding.line - 1, lines, text, error, finding.kind or None)
        # It happens in another file: shown at the function, with the other place beside it.
        found = _diagnostic(start, lines, f"{row['function']}: {text}", error, finding.kind or None)
        place = types.Location((self.folder / finding.file).as_uri(), _range(finding.line - 1, []))
        found.related_information = [types.DiagnosticRelatedInformation(place, text)]
        return found

    def _is_here(self, file: str) -> bool:
        return (self.folder / file).resolve() == self.path.resolve()


def _diagnostic(
    line: int,
    lines: list[str],
    text: str,
    severity: types.DiagnosticSeverity,
    code: str | None = None,
) -> types.Diagnostic:
    return types.Diagnostic(_range(line, lines), text, severity=severity, code=code, source=SOURCE)


def _range(line: int, lines: list[str]) -> types.Range:
    """A line without what is empty around it; columns are counted as editors do."""
    line = max(line, 0)
    text = lines[line] if line < len(lines) else ""
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip().encode("utf-16-le", "surrogatepass")) // 2
    return types.Range(types.Position(line, start), types.Position(line, max(start, end)))


# --- hover --------------------------------------------------------------------------------------


def described(row: Row) -> str:
    """What is known about a function, as Markdown: the verdict, the call, and what was covered."""
    name, verdict = row["function"], row["verdict"]
    if row["status"] == "not checked":
        return f"**{name}**: not checked: {row['reason']}"
    parts = [f"**{name}**: {'verified, no inputs fail' if verdict == 'holds' else verdict}"]
    for one in row["findings"]:
        parts.append(f"{one['message']} at {one['file']}:{one['line']}")
        parts += [f"```python\n{call}\n```" for call in one["trace"]]
    if row["reason"]:
        parts.append(row["reason"])
    coverage = row.get("coverage")
    if coverage is not None and not row["findings"]:
        parts += _coverage(coverage).lines()
    return "\n\n".join(parts)


def _coverage(row: Row) -> Coverage:
    """The coverage that a row tells of, but for the places that were decided one by one."""
    return Coverage(
        levels=tuple(Level(**one) for one in row["levels"]),
        proved=row["proved"],
        probes=row["probes"],
        drawn=row.get("drawn", 0),
        no_probes=row["no_probes"],
        paths=row["paths"],
        concretized=tuple(row["concretized"]),
        open=tuple(row["open"]),
    )


# --- functions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a source and the lines that it takes, from 0."""

    name: str
    start: int
    end: int


def functions(source: str) -> list[Function]:
    """The functions and methods of a source, in order; none if it cannot be parsed.

    >>> functions("class C:\\n    def m(self): pass\\n\\ndef f(): pass")
    [Function(name='C.m', start=1, end=1), Function(name='f', start=3, end=3)]
    """
    try:
        return list(_functions(ast.parse(source), ""))
    except (SyntaxError, ValueError, RecursionError):
        return []


def _functions(node: ast.Module | ast.ClassDef, inside: str) -> Iterator[Function]:
    for one in node.body:
        if isinstance(one, ast.ClassDef):
            yield from _functions(one, f"{inside}{one.name}.")
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            end = one.end_lineno or one.lineno
            yield Function(f"{inside}{one.name}", one.lineno - 1, end - 1)
