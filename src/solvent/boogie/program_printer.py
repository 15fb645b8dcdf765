"""Writing statements, declarations and programs as Boogie source, one line after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.printer import (
    PIECES,
    Piece,
    attribute_pieces,
    name_text,
    names_text,
    type_parameters_text,
    type_text,
    variable_pieces,
    written,
)
from solvent.boogie.tokens import deep_recursion

INDENT = "  "

# A line still to be written with its indentation, or a statement.
_Pending = tuple[int, str | st.Statement]


def print_program(program: st.Program) -> str:
    """A program as source text that parses to the same program.

    >>> from solvent.boogie import parse_program
    >>> print(print_program(parse_program(text="var x:int;procedure P();modifies x;")), end="")
    var x: int;
    procedure P();
      modifies x;
    """
    lines: list[str] = []
    with deep_recursion():
        for declaration in program.declarations:
            lines += _DECLARATIONS[type(declaration)](declaration)
    return "".join(f"{line}\n" for line in lines)


# Statements --------------------------------------------------------------------------------------


def body_lines(body: st.Body) -> list[str]:
    """The lines between the braces of a body."""
    declared = [f"{INDENT}{_global(variable)}" for variable in body.locals]
    return declared + statement_lines(body.statements)


def _code(found: s.CodeExpr, _: int) -> list[Piece]:
    return ["|{ ", *[f"{line.strip()} " for line in body_lines(found.body)], "}|"]


PIECES[s.CodeExpr] = _code


def statement_lines(statements: st.Block) -> list[str]:
    """The lines of a list of statements, indented once."""
    # No generator: code expressions nest, and generators would use the stack of the machine.
    lines: list[str] = []
    pending: list[_Pending] = [(1, statement) for statement in reversed(statements)]
    while pending:
        depth, found = pending.pop()
        if isinstance(found, str):
            lines.append(f"{INDENT * depth}{found}")
        elif isinstance(found, st.If):
            pending.extend(reversed(_if_lines(found, depth)))
        elif isinstance(found, st.While):
            pending.extend(reversed(_while_lines(found, depth)))
        elif isinstance(found, st.Label):
            lines.append(f"{INDENT * (depth - 1)}{name_text(found.name)}:")
        else:
            lines.append(f"{INDENT * depth}{written(_STATEMENTS[type(found)](found))};")
    return lines


def _guard(word: str, found: st.If | st.While) -> str:
    condition: Piece = "*" if found.condition is None else (found.condition, 0)
    return written([word, *attribute_pieces(found.attributes), " (", condition, ")"])


def _if_lines(first: st.If, depth: int) -> list[_Pending]:
    lines: list[_Pending] = []
    found, start = first, ""
    while True:
        lines.append((depth, f"{start}{_guard('if', found)} {{"))
        lines += ((depth + 1, each) for each in found.then)
        otherwise = found.otherwise
        if otherwise is not None and len(otherwise) == 1 and isinstance(otherwise[0], st.If):
            found, start = otherwise[0], "} else "
            continue
        if otherwise is not None:
            lines.append((depth, "} else {"))
            lines += ((depth + 1, each) for each in otherwise)
        return [*lines, (depth, "}")]


def _while_lines(found: st.While, depth: int) -> list[_Pending]:
    lines: list[_Pending] = [(depth, _guard("while", found))]
    for each in found.invariants:
        lines.append((depth + 1, f"{_condition('invariant', each)};"))
    lines.append((depth, "{"))
    lines += ((depth + 1, each) for each in found.body)
    return [*lines, (depth, "}")]


def _condition(word: str, found: st.Invariant | st.Requires | st.Ensures) -> str:
    start = f"free {word}" if found.free else word
    return written([start, *attribute_pieces(found.attributes), " ", (found.condition, 0)])


def _predicate(word: str, found: st.Assert | st.Assume | st.AxiomDecl) -> list[Piece]:
    return [word, *attribute_pieces(found.attributes), " ", (found.condition, 0)]


def _listed(expressions: tuple[s.Expr, ...]) -> list[Piece]:
    pieces: list[Piece] = []
    for at, expression in enumerate(expressions):
        pieces += [", " if at else "", (expression, 0)]
    return pieces


def _assign(found: st.Assign) -> list[Piece]:
    pieces: list[Piece] = []
    for at, target in enumerate(found.targets):
        pieces.append(f"{', ' if at else ''}{name_text(target.variable.name)}")
        for indices in target.indices:
            pieces += ["[", *_listed(indices), "]"]
    return [*pieces, " :=", *attribute_pieces(found.attributes), " ", *_listed(found.values)]


def _call(found: st.Call) -> list[Piece]:
    word = "free call" if found.free else "async call" if found.asynchronous else "call"
    return [word, *attribute_pieces(found.attributes), " ", *_called(found)]


def _parallel(found: st.Parallel) -> list[Piece]:
    pieces: list[Piece] = []
    for at, call in enumerate(found.calls):
        pieces += [" | " if at else "", *_called(call)]
    return _word("par", found, *pieces)


def _called(found: st.Call) -> list[Piece]:
    pieces: list[Piece] = []
    if found.results:
        pieces.append(f"{names_text(each.name for each in found.results)} := ")
    return [*pieces, f"{name_text(found.procedure)}(", *_listed(found.arguments), ")"]


def _word(word: str, found: Any, *rest: Piece) -> list[Piece]:
    pieces: list[Piece] = [word, *attribute_pieces(found.attributes)]
    return [*pieces, " ", *rest] if rest else pieces


def _break(found: st.Break) -> list[Piece]:
    return _word("break", found, *([] if found.label is None else [name_text(found.label)]))


def _return(found: st.Return) -> list[Piece]:
    rest: list[Piece] = [] if found.value is None else [(found.value, 0)]
    return _word("return", found, *rest)


_STATEMENTS: dict[type[st.Statement], Callable[[Any], list[Piece]]] = {
    st.Assert: lambda e: _predicate("assert", e),
    st.Assume: lambda e: _predicate("assume", e),
    st.Havoc: lambda e: _word("havoc", e, names_text(each.name for each in e.variables)),
    st.Assign: _assign,
    st.Call: _call,
    st.Parallel: _parallel,
    st.Yield: lambda e: _word("yield", e),
    st.Goto: lambda e: _word("goto", e, names_text(e.labels)),
    st.Break: _break,
    st.Return: _return,
}


# Declarations ------------------------------------------------------------------------------------


def _type(found: st.TypeDecl) -> Iterator[str]:
    start = written(["type", *attribute_pieces(found.attributes), " "])
    start += "finite " if found.finite else ""
    names = " ".join(name_text(name) for name in (found.name, *(p.name for p in found.parameters)))
    synonym = "" if found.synonym is None else f" = {type_text(found.synonym)}"
    yield f"{start}{names}{synonym};"


def _constant(found: st.ConstantDecl) -> Iterator[str]:
    text = written(["const", *attribute_pieces(found.attributes), " "])
    text += "unique " if found.unique else ""
    text += f"{name_text(found.name)}: {type_text(found.type)}"
    if found.parents is not None:
        names = (
            f"{'unique ' if each.unique else ''}{name_text(each.name.name)}"
            for each in found.parents
        )
        text = f"{text} extends {', '.join(names)}".rstrip()
    yield f"{text}{' complete' if found.complete else ''};"


def _variables(variables: tuple[s.Variable, ...]) -> str:
    return ", ".join(written(variable_pieces(each)) for each in variables)


def _global(variable: s.Variable) -> str:
    return f"var {written(variable_pieces(variable))};"


def _function(found: st.FunctionDecl) -> Iterator[str]:
    start = written(["function", *attribute_pieces(found.attributes), " "])
    start += f"{name_text(found.name)}{type_parameters_text(found.type_parameters)}"
    start += f"({_variables(found.parameters)}) returns ({_variables((found.result,))})"
    if found.body is None:
        yield f"{start};"
        return
    yield start
    yield "{"
    yield f"{INDENT}{written([(found.body, 0)])}"
    yield "}"


def _signature(word: str, found: st.ProcedureDecl | st.ImplementationDecl) -> str:
    start = written([word, *attribute_pieces(found.attributes), " "])
    start += f"{name_text(found.name)}{type_parameters_text(found.type_parameters)}"
    start += f"({_variables(found.parameters)})"
    return f"{start} returns ({_variables(found.results)})" if found.results else start


def _clause(clause: st.Clause) -> str:
    if isinstance(clause, st.Modifies):
        return f"modifies {names_text(each.name for each in clause.variables)}".rstrip()
    if isinstance(clause, st.Requires):
        return _condition("requires", clause)
    assert isinstance(clause, st.Ensures)
    return _condition("ensures", clause)


def _procedure(found: st.ProcedureDecl) -> Iterator[str]:
    yield f"{_signature('procedure', found)}{';' if found.body is None else ''}"
    for clause in found.contract:
        yield f"{INDENT}{_clause(clause)};"
    if found.body is not None:
        yield from _braced(found.body)


def _braced(body: st.Body) -> Iterator[str]:
    yield "{"
    yield from body_lines(body)
    yield "}"


def _implementation(found: st.ImplementationDecl) -> Iterator[str]:
    yield _signature("implementation", found)
    yield from _braced(found.body)


_DECLARATIONS: dict[type[st.Declaration], Callable[[Any], Iterator[str]]] = {
    st.TypeDecl: _type,
    st.ConstantDecl: _constant,
    st.FunctionDecl: _function,
    st.AxiomDecl: lambda e: iter([f"{written(_predicate('axiom', e))};"]),
    st.GlobalDecl: lambda e: iter([_global(e.variable)]),
    st.ProcedureDecl: _procedure,
    st.ImplementationDecl: _implementation,
}
