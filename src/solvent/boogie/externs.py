"""Declarations that do not count: ignored ones, and `{:extern}` ones declared elsewhere."""

from __future__ import annotations

from solvent.boogie import attributes
from solvent.boogie import statements as st


def without_repeated(program: st.Program) -> st.Program:
    """The program without `{:extern}` declarations of names that are declared elsewhere too.

    >>> from solvent.boogie import parse_program, print_program
    >>> text = "var {:extern} g: int; var g: int; function {:extern} f(): int;"
    >>> print(print_program(without_repeated(parse_program(text=text))), end="")
    var g: int;
    function {:extern} f() returns (int);
    """
    if not any(_is_extern(each) for each in program.declarations):
        return program
    kept: dict[tuple[str, str], st.Declaration] = {}
    for each in program.declarations:
        key = _key(each)
        if key is not None and (key not in kept or _is_extern(kept[key])):
            kept[key] = each
    return st.Program(
        tuple(
            each
            for each in program.declarations
            if not _is_extern(each) or kept.get(_key(each) or ("", "")) in (None, each)
        )
    )


def without_ignored(program: st.Program) -> st.Program:
    """The program without axioms and procedures that `{:ignore}` marks.

    Types, constants, functions and variables stay what they are, as in Boogie.

    >>> from solvent.boogie import parse_program, print_program
    >>> text = "axiom {:ignore} false; function {:ignore} f(x: int): int;"
    >>> print(print_program(without_ignored(parse_program(text=text))), end="")
    function {:ignore} f(x: int) returns (int);
    """
    if not any(_is_marked(each, "ignore") for each in program.declarations):
        return program
    lost = (st.AxiomDecl, st.ProcedureDecl, st.ImplementationDecl)
    return st.Program(
        tuple(
            each
            for each in program.declarations
            if not (isinstance(each, lost) and _is_marked(each, "ignore"))
        )
    )


def _key(declaration: st.Declaration) -> tuple[str, str] | None:
    """What a declaration declares: its name, and what else it could clash with."""
    match declaration:
        case st.TypeDecl(name=name):
            return ("type", name)
        case st.ConstantDecl(name=name):
            return ("variable", name)
        case st.GlobalDecl(variable=variable):
            return ("variable", variable.name)
        case st.FunctionDecl(name=name) | st.ProcedureDecl(name=name):
            return ("function", name)
        case _:
            return None


def _is_extern(declaration: st.Declaration) -> bool:
    return _is_marked(declaration, "extern")


def _is_marked(declaration: st.Declaration, name: str) -> bool:
    if isinstance(declaration, st.GlobalDecl):
        return attributes.flag(declaration.variable.attributes, name)
    return attributes.flag(getattr(declaration, "attributes", ()), name)
