"""Scripts: reading the commands of a text, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from solvent.terms.functions import Function
from solvent.terms.kinds import Operand
from solvent.terms.smtlib import commands as c
from solvent.terms.smtlib.lexer import END, KEYWORD, Source, unquote
from solvent.terms.smtlib.literals import string_value
from solvent.terms.smtlib.parser import Parser
from solvent.terms.smtlib.scope import Scope
from solvent.terms.smtlib.signatures import ROUNDING, Problem
from solvent.terms.sorts import Bool, Sort, uninterpreted_sort
from solvent.terms.term import Term


@dataclass(slots=True)
class Script:
    """The commands of a script, in their order."""

    commands: list[c.Command]
    source: str

    @property
    def logic(self) -> str | None:
        """The logic that the script sets, if it does."""
        for command in self.commands:
            if isinstance(command, c.SetLogic):
                return command.logic
        return None


class ScriptReader:
    """Reads one script, command by command."""

    def __init__(self, text: str, source: str = "<smtlib>") -> None:
        self.source = Source(text, source)
        self.scope = Scope()
        self.parser = Parser(self.source, self.scope)
        self.tokens = self.source.tokens

    def read(self) -> Script:
        """All commands."""
        found: list[c.Command] = []
        places = self.source.places
        index = 0
        try:
            while self.tokens[index] != END:
                start = index
                index = self.parser.expect("(", index, "a command in parentheses")
                name = self.tokens[index]
                read = _COMMANDS.get(name)
                if read is None:
                    raise self._unknown(name, index)
                command, index = read(self, index + 1)
                index = self.parser.expect(")", index, f"the end of {name}")
                found.append(command.placed(places, start))
                if isinstance(command, c.Exit):
                    break
        except Problem as problem:
            raise self.parser.error(problem, index) from None
        return Script(found, self.source.name)

    @staticmethod
    def _unknown(name: str, index: int) -> Problem:
        if name == END:
            return Problem("this parenthesis is not closed", index - 1)
        if name in ("declare-datatype", "declare-datatypes", "declare-codatatypes"):
            return Problem(f"{name} is not supported: there are no datatypes", index)
        if name in ("define-fun-rec", "define-funs-rec"):
            return Problem(f"{name} is not supported: there are no recursive functions", index)
        if name in ("(", ")"):
            return Problem(f"expected the name of a command instead of {name}", index)
        return Problem(f"the command {name} is not supported", index)

    # --- settings ------------------------------------------------------------------------------

    def set_logic(self, index: int) -> tuple[c.Command, int]:
        logic = unquote(self.parser.symbol(index, "the name of a logic"))
        self.scope.set_logic(logic)
        return c.SetLogic(logic), index + 1

    def _attribute(self, index: int) -> tuple[str, str, int]:
        """The name and the text of an attribute, and the index behind it."""
        name = self._keyword(index)
        if self.tokens[index + 1] == ")":
            return name, "", index + 1
        end = self.parser.skip(index + 1)
        return name, _text(self.tokens[index + 1 : end]), end

    def _keyword(self, index: int) -> str:
        keyword = self.tokens[index]
        if not KEYWORD.fullmatch(keyword):
            if keyword == END:
                self.parser.symbol(index)
            raise Problem(f"expected a keyword such as :status instead of {keyword}", index)
        return keyword[1:]

    def set_option(self, index: int) -> tuple[c.Command, int]:
        name, value, end = self._attribute(index)
        if name == "global-declarations":
            self.scope.global_declarations = value == "true"
        return c.SetOption(name, value), end

    def set_info(self, index: int) -> tuple[c.Command, int]:
        name, value, end = self._attribute(index)
        return c.SetInfo(name, value), end

    def get_info(self, index: int) -> tuple[c.Command, int]:
        return c.GetInfo(self._keyword(index)), index + 1

    def get_option(self, index: int) -> tuple[c.Command, int]:
        return c.GetOption(self._keyword(index)), index + 1

    def echo(self, index: int) -> tuple[c.Command, int]:
        token = self.tokens[index]
        if not token.startswith('"'):
            raise Problem(f"expected a string instead of {token or 'the end of the text'}", index)
        return c.Echo(string_value(token)), index + 1

    # --- declarations --------------------------------------------------------------------------

    def _located(self, index: int, declare: Callable[..., None], *args: object) -> None:
        """Declare something; what is wrong with it is wrong at an index."""
        try:
            declare(*args)
        except Problem as problem:
            raise Problem(problem.message, index) from None

    def declare_sort(self, index: int) -> tuple[c.Command, int]:
        name = self.parser.symbol(index, "the name of a sort")
        end = index + 1
        if self.tokens[end] != ")":
            if self.parser.numeral(end) != 0:
                raise Problem(f"the sort {name} has parameters, which is not supported", end)
            end += 1
        sort = uninterpreted_sort(unquote(name) or "||")
        self._located(index, self.scope.declare_sort, name, sort)
        return c.DeclareSort(unquote(name), sort), end

    def define_sort(self, index: int) -> tuple[c.Command, int]:
        name = self.parser.symbol(index, "the name of a sort")
        start = self.parser.expect("(", index + 1, "parameters in parentheses")
        parameters = []
        while self.tokens[start] != ")":
            parameters.append(self.parser.symbol(start, "the name of a parameter"))
            start += 1
        start += 1
        tables = self.scope.sorts

        def expand(*sorts: Sort[Term]) -> Sort[Term]:
            hidden = {parameter: tables.get(parameter) for parameter in parameters}
            tables.update(zip(parameters, sorts, strict=True))
            try:
                return self.parser.sort(start)[0]
            finally:
                for parameter, previous in hidden.items():
                    if previous is None:
                        del tables[parameter]
                    else:
                        tables[parameter] = previous

        if parameters:
            # The body must make sense before the sort is used, whatever its parameters.
            expand(*[Bool] * len(parameters))
            self._located(index, self.scope.declare_sort, name, (len(parameters), expand))
        else:
            self._located(index, self.scope.declare_sort, name, expand())
        listed = tuple(unquote(parameter) for parameter in parameters)
        return c.DefineSort(unquote(name), listed), self.parser.skip(start)

    def declare_const(self, index: int) -> tuple[c.Command, int]:
        name = self.parser.symbol(index, "the name of a constant")
        sort, end = self.parser.sort(index + 1)
        return self._declare_constant(name, sort, index), end

    def _declare_constant(self, name: str, sort: Sort[Term], index: int) -> c.Command:
        if sort is ROUNDING:
            raise Problem(f"the rounding mode {name} is symbolic, which is not supported", index)
        constant = sort(unquote(name))
        self._located(index, self.scope.declare_value, name, constant)
        return c.DeclareConst(unquote(name), constant)

    def declare_fun(self, index: int) -> tuple[c.Command, int]:
        name = self.parser.symbol(index, "the name of a function")
        end = self.parser.expect("(", index + 1, "the sorts of the arguments in parentheses")
        domain: list[Sort[Term]] = []
        while self.tokens[end] != ")":
            sort, end = self.parser.sort(end)
            domain.append(sort)
        sort, end = self.parser.sort(end + 1)
        if not domain:
            return self._declare_constant(name, sort, index), end
        if ROUNDING in (*domain, sort):
            raise Problem(f"the function {name} of rounding modes is not supported", index)
        function = Function(unquote(name), domain, sort)
        self._located(index, self.scope.declare_function, name, function)
        return c.DeclareFun(unquote(name), function), end

    def define_fun(self, index: int) -> tuple[c.Command, int]:
        name = self.parser.symbol(index, "the name of a function")
        listed, end = self.parser.sorted_variables(index + 1)
        sort, end = self.parser.sort(end)
        parameters = tuple(sort_.fresh(unquote(symbol)) for symbol, sort_ in listed)
        symbols = [symbol for symbol, _ in listed]
        body, end = self._body(name, symbols, parameters, sort, end)
        if parameters:
            self._located(index, self.scope.define_function, name, parameters, body)
        else:
            self._located(index, self.scope.declare_value, name, body)
        return c.DefineFun(unquote(name), parameters, sort, body), end

    def _body(
        self,
        name: str,
        symbols: list[str],
        parameters: tuple[Term, ...],
        sort: Sort[Term],
        index: int,
    ) -> tuple[Any, int]:
        if not symbols:
            return self.parser.term_of(sort, index, f"the body of {name}")
        with self.parser.binding(symbols, parameters):
            return self.parser.term_of(sort, index, f"the body of {name}")

    def define_const(self, index: int) -> tuple[c.Command, int]:
        name = self.parser.symbol(index, "the name of a constant")
        sort, end = self.parser.sort(index + 1)
        body, end = self._body(name, [], (), sort, end)
        self._located(index, self.scope.declare_value, name, body)
        return c.DefineFun(unquote(name), (), sort, body), end

    # --- assertions ----------------------------------------------------------------------------

    def assertion(self, index: int) -> tuple[c.Command, int]:
        term, end = self.parser.term_of(Bool, index, "an assertion")
        return c.Assert(term, self._name_of_assertion(index, end)), end

    def _name_of_assertion(self, index: int, end: int) -> str | None:
        """The name in `(! ... :named name)`, where an annotation is the whole assertion."""
        tokens = self.tokens
        if tokens[index] != "(" or tokens[index + 1] != "!":
            return None
        position = self.parser.skip(index + 2)
        while position < end - 1:
            if tokens[position] == ":named":
                return unquote(tokens[position + 1])
            position = self.parser.skip(position)
        return None

    def _levels(self, index: int) -> tuple[int, int]:
        if self.tokens[index] == ")":
            return 1, index
        return self.parser.numeral(index, "a number of levels"), index + 1

    def push(self, index: int) -> tuple[c.Command, int]:
        levels, end = self._levels(index)
        if levels > _MOST_LEVELS:
            raise Problem(f"more than {_MOST_LEVELS} levels are not supported", index)
        self.scope.push(levels)
        return c.Push(levels), end

    def pop(self, index: int) -> tuple[c.Command, int]:
        levels, end = self._levels(index)
        self._located(index, self.scope.pop, levels)
        return c.Pop(levels), end

    def reset(self, index: int) -> tuple[c.Command, int]:
        self.scope.global_declarations = False
        self.scope.reset()
        return c.Reset(), index

    def reset_assertions(self, index: int) -> tuple[c.Command, int]:
        self.scope.reset_assertions()
        return c.ResetAssertions(), index

    # --- queries -------------------------------------------------------------------------------

    def _terms(self, index: int) -> tuple[list[Any], list[int], int]:
        """The terms of a list, where each begins, and the index behind the list."""
        index = self.parser.expect("(", index, "terms in parentheses")
        terms, starts = [], []
        while self.tokens[index] != ")":
            starts.append(index)
            term, index = self.parser.term(index)
            terms.append(term)
        return terms, starts, index + 1

    def check_sat_assuming(self, index: int) -> tuple[c.Command, int]:
        terms, starts, end = self._terms(index)
        for term, start in zip(terms, starts, strict=True):
            if Bool.coerce(term) is NotImplemented:
                raise Problem("an assumption must be of sort Bool", start)
        return c.CheckSatAssuming(tuple(terms)), end

    def get_value(self, index: int) -> tuple[c.Command, int]:
        terms, starts, end = self._terms(index)
        if not terms:
            raise Problem("get-value needs at least one term", index)
        bounds = [*starts, end - 1]
        texts = tuple(_text(self.tokens[start:stop]) for start, stop in pairwise(bounds))
        return c.GetValue(tuple(terms), texts), end

    def _objective(self, index: int) -> tuple[Operand, int]:
        term, end = self.parser.term(index)
        # z3 allows attributes such as :id behind the term.
        while self.tokens[end].startswith(":"):
            end = self.parser.skip(end + 1)
        return term, end

    def minimize(self, index: int) -> tuple[c.Command, int]:
        term, end = self._objective(index)
        return c.Minimize(term), end

    def maximize(self, index: int) -> tuple[c.Command, int]:
        term, end = self._objective(index)
        return c.Maximize(term), end


_MOST_LEVELS = 1_000_000


def _plain(command: type[c.Command]) -> Callable[[ScriptReader, int], tuple[c.Command, int]]:
    """How to read a command without arguments."""
    return lambda reader, index: (command(), index)


_COMMANDS: dict[str, Callable[[ScriptReader, int], tuple[c.Command, int]]] = {
    "assert": ScriptReader.assertion,
    "check-sat": _plain(c.CheckSat),
    "check-sat-assuming": ScriptReader.check_sat_assuming,
    "declare-const": ScriptReader.declare_const,
    "declare-fun": ScriptReader.declare_fun,
    "declare-sort": ScriptReader.declare_sort,
    "define-const": ScriptReader.define_const,
    "define-fun": ScriptReader.define_fun,
    "define-sort": ScriptReader.define_sort,
    "echo": ScriptReader.echo,
    "exit": _plain(c.Exit),
    "get-assertions": _plain(c.GetAssertions),
    "get-assignment": _plain(c.GetAssignment),
    "get-info": ScriptReader.get_info,
    "get-model": _plain(c.GetModel),
    "get-option": ScriptReader.get_option,
    "get-proof": _plain(c.GetProof),
    "get-unsat-assumptions": _plain(c.GetUnsatAssumptions),
    "get-unsat-core": _plain(c.GetUnsatCore),
    "get-value": ScriptReader.get_value,
    "maximize": ScriptReader.maximize,
    "minimize": ScriptReader.minimize,
    "pop": ScriptReader.pop,
    "push": ScriptReader.push,
    "reset": ScriptReader.reset,
    "reset-assertions": ScriptReader.reset_assertions,
    "set-info": ScriptReader.set_info,
    "set-logic": ScriptReader.set_logic,
    "set-option": ScriptReader.set_option,
}


def _text(tokens: list[str]) -> str:
    """The text of some tokens, with single spaces."""
    parts = []
    for before, token in zip(["(", *tokens], tokens, strict=False):
        if before != "(" and token != ")":
            parts.append(" ")
        parts.append(token)
    return "".join(parts)
