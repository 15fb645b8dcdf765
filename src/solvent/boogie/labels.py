"""Labels: each is declared once, `goto` reaches any of them, and `break` leaves a statement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from solvent.boogie import statements as st
from solvent.boogie.symbols import Reporter


class _Enclosing(NamedTuple):
    """A statement, the labels directly before it, and the statement around it."""

    labels: frozenset[str]
    statement: st.If | st.While
    outer: _Enclosing | None


class _Labels:
    """The labels of one body."""

    def __init__(self, reporter: Reporter, breaks: dict[st.Break, st.If | st.While]) -> None:
        self.reporter = reporter
        self.breaks = breaks
        self.declared: set[str] = set()
        self.jumps: list[st.Goto] = []
        self.pending: list[tuple[st.Block, _Enclosing | None]] = []

    def check(self, statements: st.Block) -> None:
        self.pending.append((statements, None))
        while self.pending:
            self._block(*self.pending.pop())
        for jump in self.jumps:
            for label in jump.labels:
                if label not in self.declared:
                    self.reporter.error(jump.position, f"goto label '{label}' is undefined")

    def _block(self, block: st.Block, enclosing: _Enclosing | None) -> None:
        own = [each for each in block if isinstance(each, st.Label)]
        for each in own:
            if each.name in self.declared:
                message = f"more than one declaration of block name: {each.name}"
                self.reporter.error(each.position, message)
            self.declared.add(each.name)
        for labels, statement in _labelled(block):
            if isinstance(statement, st.Goto):
                self.jumps.append(statement)
            elif isinstance(statement, st.Break):
                self._break(statement, enclosing)
            elif isinstance(statement, (st.If, st.While)):
                inner = _Enclosing(labels, statement, enclosing)
                for part in _parts(statement):
                    self.pending.append((part, inner))

    def _break(self, statement: st.Break, enclosing: _Enclosing | None) -> None:
        wanted = statement.label
        while enclosing is not None:
            found = enclosing.statement
            if wanted in enclosing.labels or (wanted is None and isinstance(found, st.While)):
                self.breaks[statement] = found
                return
            enclosing = enclosing.outer
        message = f"break label '{wanted}' must designate an enclosing statement"
        if wanted is None:
            message = "break statement is not inside a loop"
        self.reporter.error(statement.position, message)


def check_labels(
    statements: st.Block, reporter: Reporter, breaks: dict[st.Break, st.If | st.While]
) -> None:
    """Check all labels of one body, and record which statement each break leaves."""
    _Labels(reporter, breaks).check(statements)


def _parts(statement: st.If | st.While) -> tuple[st.Block, ...]:
    if isinstance(statement, st.While):
        return (statement.body,)
    return (statement.then, statement.otherwise or ())


def _labelled(block: st.Block) -> Iterator[tuple[frozenset[str], st.Statement]]:
    """Each statement with the labels of the run of simple statements that it ends."""
    labels: frozenset[str] = frozenset()
    after_label = False
    for statement in block:
        if isinstance(statement, st.Label):
            labels = labels.union([statement.name]) if after_label else frozenset([statement.name])
            after_label = True
            continue
        after_label = False
        yield labels, statement
        if isinstance(statement, (st.If, st.While, st.Goto, st.Break, st.Return)):
            labels = frozenset()
