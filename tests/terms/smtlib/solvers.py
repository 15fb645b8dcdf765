"""The solvers' own SMT-LIB front ends, as a second opinion on what is written and read."""

from __future__ import annotations

from typing import Any

import bitwuzla
import cvc5
import z3


def z3_answer(script: str, milliseconds: int = 2000) -> str:
    """What z3 prints for a script."""
    context = z3.Context()
    z3.Z3_set_ast_print_mode(context.ref(), z3.Z3_PRINT_SMTLIB2_COMPLIANT)
    text = f"(set-option :timeout {milliseconds})\n{script}"
    try:
        return str(z3.Z3_eval_smtlib2_string(context.ref(), text))
    except z3.Z3Exception as error:
        # The answers up to an error, and the error itself.
        return str(error.value.decode())


def cvc5_answer(script: str, milliseconds: int = 2000) -> str:
    """What cvc5 prints for a script."""
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(milliseconds))
    solver.setOption("arrays-exp", "true")
    solver.setOption("strings-exp", "true")
    solver.setOption("fp-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    symbols = parser.getSymbolManager()
    printed = []
    while not (command := parser.nextCommand()).isNull():
        printed.append(str(command.invoke(solver, symbols)))
    return "".join(printed)


def bitwuzla_answer(script: str, symbols: list[str]) -> tuple[str, str]:
    """The result of checking the assertions of a script, and the values of symbols as text."""
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(script, True, False)
    solver: Any = parser.bitwuzla()
    result = str(solver.check_sat()).rsplit(".", 1)[-1].lower()
    if result != "sat":
        return result, ""
    values = (f"({symbol} {solver.get_value(parser.parse_term(symbol))})" for symbol in symbols)
    return result, f"({' '.join(values)})"
