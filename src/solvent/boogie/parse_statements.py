"""Parsing statements and bodies.

A mistake ends its statement only: the parser goes on behind the next semicolon, so that one run
finds as many mistakes as possible.
"""

from __future__ import annotations

from collections.abc import Callable

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.attributes import flag
from solvent.boogie.lexer import END, IDENTIFIER
from solvent.boogie.parse_expressions import ExpressionParser
from solvent.boogie.tokens import Stop
from solvent.reach.positions import Position

# Words that start a declaration: a body cannot go on behind one of them.
DECLARATION_WORDS = frozenset(
    ("type", "const", "function", "axiom", "procedure", "implementation", "datatype")
)

# Statements that select axioms; elsewhere these words are names.
_SCOPING = frozenset(("push", "pop", "hide", "reveal"))


class StatementParser(ExpressionParser):
    """Bodies, blocks and statements."""

    in_code = 0

    def body(self) -> st.Body:
        """`{ var x: int; ... }`."""
        position = self.expect("{")
        return self._body_until("}", position)

    def _body_until(self, closing: str, position: Position) -> st.Body:
        variables: list[s.Variable] = []
        while self.kinds[self.at] == "var":
            try:
                self.at += 1
                variables += self.local_variables("local variables")
            except Stop:
                self._recover(closing)
        statements = self._statements(closing)
        end = self.expect(closing)
        return st.Body(tuple(variables), tuple(statements), position=position, end=end)

    def local_variables(self, what: str) -> list[s.Variable]:
        """What follows `var`, up to and with the semicolon."""
        attributes = self.attributes()
        found = self.variables(what, where=True, each=False)
        self.expect(";")
        if not attributes:
            return found
        return [
            s.Variable(each.name, each.type, each.where, attributes, position=each.position)
            for each in found
        ]

    def code_expression(self) -> s.Expr:
        """`|{ var x: int; A: x := 1; return x > 0; }|`."""
        position = self.expect("|{")
        self.enter()
        self.in_code += 1
        body = self._body_until("}|", position)
        self.in_code -= 1
        self.depth -= 1
        return s.CodeExpr(body, position=position)

    def _block(self) -> st.Block:
        self.expect("{")
        self.enter()
        found = self._statements("}")
        self.expect("}")
        self.depth -= 1
        return tuple(found)

    def _statements(self, closing: str) -> list[st.Statement]:
        found: list[st.Statement] = []
        while True:
            kind = self.kinds[self.at]
            if kind in (closing, END):
                return found
            if kind in DECLARATION_WORDS:
                self.fail(f"expected a statement or '{closing}', but found {self.found()}")
            depth, in_code, start = self.depth, self.in_code, self.at
            try:
                found.append(self._statement(kind))
            except Stop:
                self.depth, self.in_code, self.type_depth = depth, in_code, 0
                if self.kinds[self.at] in DECLARATION_WORDS:
                    raise
                if self.at == start:
                    self.at += 1
                self._recover(closing)

    def _recover(self, closing: str) -> None:
        """Go on behind the next semicolon, or before the end of this block."""
        depth = 0
        while True:
            kind = self.kinds[self.at]
            if kind == END or kind in DECLARATION_WORDS:
                return
            if kind == closing and depth == 0:
                return
            self.at += 1
            if kind in ("{", "|{"):
                depth += 1
            elif kind in ("}", "}|"):
                depth -= 1
                if depth <= 0 and kind == "}" and self.kinds[self.at] != "else":
                    return
            elif kind == ";" and depth == 0:
                return

    def _statement(self, kind: str) -> st.Statement:
        if kind == IDENTIFIER:
            if self.kinds[self.at + 1] == ":":
                name, position = self.identifier()
                self.at += 1
                return st.Label(name, position=position)
            return self._assignment()
        parse = _STATEMENTS.get(kind)
        if parse is None:
            if kind == "var":
                self.fail("local variables must be declared before the first statement")
            if kind in ("invariant", "free"):
                self.fail(f"'{kind}' must stand directly behind the condition of a loop")
            if kind == "else":
                self.fail("'else' without 'if'")
            self.fail(f"expected a statement, but found {self.found()}")
        return parse(self)

    def _start(self) -> tuple[Position, tuple[s.Attribute, ...]]:
        """Step over the keyword, and the attributes behind it."""
        position = self.positions[self.at]
        self.at += 1
        return position, self.attributes()

    def _assert(self) -> st.Statement:
        position, attributes = self._start()
        condition = self.expression()
        self.expect(";")
        return st.Assert(condition, attributes, position=position)

    def _assume(self) -> st.Statement:
        position, attributes = self._start()
        condition = self.expression()
        self.expect(";")
        return st.Assume(condition, attributes, position=position)

    def identifiers(self) -> tuple[s.Identifier, ...]:
        """`x, y, z`: variables where they are used."""
        found: list[s.Identifier] = []
        while True:
            name, position = self.identifier()
            found.append(s.Identifier(name, position=position))
            if not self.take(","):
                return tuple(found)

    def _havoc(self) -> st.Statement:
        position, attributes = self._start()
        variables = self.identifiers()
        self.expect(";")
        return st.Havoc(variables, attributes, position=position)

    def _labels(self) -> tuple[str, ...]:
        found = [self.identifier("a label")[0]]
        while self.take(","):
            found.append(self.identifier("a label")[0])
        return tuple(found)

    def _goto(self) -> st.Statement:
        position, attributes = self._start()
        labels = self._labels()
        self.expect(";")
        return st.Goto(labels, attributes, position=position)

    def _break(self) -> st.Statement:
        position, attributes = self._start()
        label = self.identifier("a label")[0] if self.kinds[self.at] == IDENTIFIER else None
        self.expect(";")
        return st.Break(label, attributes, position=position)

    def _return(self) -> st.Statement:
        position, attributes = self._start()
        value = None
        if self.kinds[self.at] != ";":
            value = self.expression()
            if not self.in_code:
                self.report("'return' has a value only in a code expression |{ ... }|", position)
        elif self.in_code:
            self.report("'return' in a code expression needs a value", position)
        self.expect(";")
        return st.Return(value, attributes, position=position)

    def _target(self) -> st.Target:
        name, position = self.identifier()
        indices: list[tuple[s.Expr, ...]] = []
        while self.take("["):
            found = [] if self.kinds[self.at] == "]" else self.expressions()
            self.expect("]")
            indices.append(tuple(found))
        variable = s.Identifier(name, position=position)
        if self.kinds[self.at] == "->":
            self.fail("datatypes and their field access '->' are not supported")
        return st.Target(variable, tuple(indices), position=position)

    def _assignment(self) -> st.Statement:
        if self.kinds[self.at + 1] == "(":
            name = self.texts[self.at]
            self.fail(f"expected a statement; a procedure is called with 'call {name}(...);'")
        if self.texts[self.at] in _SCOPING and self.kinds[self.at + 1] in (";", "*", IDENTIFIER):
            self.fail("'push', 'pop', 'hide' and 'reveal' of axioms are not supported")
        targets = [self._target()]
        while self.take(","):
            targets.append(self._target())
        if len(targets) == 1 and self.kinds[self.at] not in (":=", "->"):
            self.fail(f"expected ':=' or ':', but found {self.found()}")
        position = self.expect(":=")
        attributes = self.attributes()
        values = self.expressions()
        self.expect(";")
        return st.Assign(tuple(targets), tuple(values), attributes, position=position)

    def _free_call(self) -> st.Statement:
        if self.kinds[self.at + 1] != "call":
            self.fail(f"expected 'call' behind 'free', but found '{self.texts[self.at + 1]}'")
        self.at += 1
        return self._call(free=True)

    def _async_call(self) -> st.Statement:
        if self.kinds[self.at + 1] != "call":
            self.fail(f"expected 'call' behind 'async', but found '{self.texts[self.at + 1]}'")
        self.at += 1
        return self._call(asynchronous=True)

    def _yield(self) -> st.Statement:
        position, attributes = self._start()
        self.expect(";")
        return st.Yield(attributes, position=position)

    def _parallel(self) -> st.Statement:
        position, attributes = self._start()
        calls = [self._called(self.positions[self.at], False, (), False)]
        while self.take("|"):
            calls.append(self._called(self.positions[self.at], False, (), False))
        self.expect(";")
        return st.Parallel(tuple(calls), attributes, position=position)

    def _call(self, free: bool = False, asynchronous: bool = False) -> st.Statement:
        position, attributes = self._start()
        found = self._called(position, free, attributes, asynchronous)
        self.expect(";")
        return found

    def _called(
        self,
        position: Position,
        free: bool,
        attributes: tuple[s.Attribute, ...],
        asynchronous: bool,
    ) -> st.Call:
        """What stands behind `call`, or in an arm of `par`."""
        if self.kinds[self.at] == "forall":
            self.fail("'call forall' is not supported; state the lemma as an axiom or a quantifier")
        results: tuple[s.Identifier, ...] = ()
        names = self.identifiers()
        if self.take(":="):
            results = names
            names = self.identifiers()
        if len(names) != 1:
            self.fail("expected ':=' behind the results of a call", names[0].position)
        if self.kinds[self.at] == "(" and self.kinds[self.at + 1] == "*":
            self.fail("the argument '*' of 'call forall' is not supported")
        arguments = self.arguments()
        asynchronous = asynchronous or flag(attributes, "async")
        if asynchronous and results:
            self.report("an asynchronous call has no results: nobody waits for them", position)
        return st.Call(
            names[0].name, arguments, results, free, attributes, asynchronous, position=position
        )

    def _guard(self) -> s.Expr | None:
        depth = self.depth
        try:
            self.expect("(")
            if self.kinds[self.at] == "*" and self.kinds[self.at + 1] == ")":
                self.at += 2
                return None
            condition = self.expression()
            self.expect(")")
            return condition
        except Stop:
            self._skip_to_block(depth)
            return None

    def _skip_to_block(self, depth: int) -> None:
        """After a mistake in a condition go on with the block that follows, if there is one."""
        at = self.at
        while self.kinds[at] not in (";", "}", END) and self.kinds[at] not in DECLARATION_WORDS:
            if self.kinds[at] == "{" and self.kinds[at + 1] != ":":
                self.at, self.depth, self.type_depth = at, depth, 0
                return
            at += 1
        raise Stop

    def _if(self) -> st.Statement:
        branches: list[tuple[Position, tuple[s.Attribute, ...], s.Expr | None, st.Block]] = []
        otherwise: st.Block | None = None
        while True:
            position, attributes = self._start()
            branches.append((position, attributes, self._guard(), self._block()))
            if not self.take("else"):
                break
            if self.kinds[self.at] != "if":
                otherwise = self._block()
                break
        found: st.If | None = None
        for position, attributes, condition, then in reversed(branches):
            found = st.If(condition, then, otherwise, attributes, position=position)
            otherwise = (found,)
        assert found is not None
        return found

    def _while(self) -> st.Statement:
        position, attributes = self._start()
        condition = self._guard()
        invariants: list[st.Invariant] = []
        while self.kinds[self.at] in ("invariant", "free"):
            depth = self.depth
            try:
                invariants.append(self._invariant())
            except Stop:
                if self.kinds[self.at] == ";":
                    self.at, self.depth, self.type_depth = self.at + 1, depth, 0
                else:
                    self._skip_to_block(depth)
        body = self._block()
        return st.While(condition, tuple(invariants), body, attributes, position=position)

    def _invariant(self) -> st.Invariant:
        free = self.take("free")
        position = self.expect("invariant")
        attributes = self.attributes()
        condition = self.expression()
        self.expect(";")
        return st.Invariant(condition, free, attributes, position=position)


_STATEMENTS: dict[str, Callable[[StatementParser], st.Statement]] = {
    "assert": StatementParser._assert,
    "assume": StatementParser._assume,
    "havoc": StatementParser._havoc,
    "goto": StatementParser._goto,
    "break": StatementParser._break,
    "return": StatementParser._return,
    "call": StatementParser._call,
    "free": StatementParser._free_call,
    "async": StatementParser._async_call,
    "par": StatementParser._parallel,
    "yield": StatementParser._yield,
    "if": StatementParser._if,
    "while": StatementParser._while,
}
