"""Which expressions may be triggers of a quantifier."""

from __future__ import annotations

from solvent.boogie import syntax as s
from solvent.boogie.operators import COMPARISON, EQUALITY, LOGICAL
from solvent.boogie.symbols import Reporter, Tables
from solvent.boogie.types import variables_in
from solvent.boogie.walking import parents_first


def check_triggers(quantifier: s.Quantifier, reporter: Reporter) -> None:
    """Report what no trigger may contain, and bound variables that a trigger leaves out."""
    for trigger in quantifier.triggers:
        mentioned: set[str] = set()
        for expression in trigger.expressions:
            if isinstance(expression, s.Identifier):
                message = "a matching pattern must be more than just a variable by itself"
                reporter.error(expression.position, f"{message}: {expression.name}")
            for part in parents_first(expression):
                if isinstance(part, s.Identifier):
                    mentioned.add(part.name)
                elif what := _forbidden(part):
                    reporter.error(part.position, f"{what} not allowed in triggers")
        if trigger.negative:
            continue
        for variable in quantifier.variables:
            if variable.name not in mentioned:
                message = "trigger must mention all quantified variables, but does not mention"
                reporter.error(trigger.position, f"{message}: {variable.name}")


def check_type_variables(tables: Tables, reporter: Reporter) -> None:
    """Report triggers that tell nothing of a type variable, if no bound variable does either."""
    for e, own in tables.binders.items():
        if not own or not isinstance(e, s.Quantifier):
            continue
        told = variables_in([tables.symbols[one].type for one in e.variables])
        for trigger in e.triggers:
            parts = [part for each in trigger.expressions for part in parents_first(each)]
            known = (tables.types.get(part) for part in parts)
            found = {*told, *variables_in([one for one in known if one is not None])}
            for variable in () if trigger.negative else own:
                if variable not in found:
                    message = f"trigger does not mention {variable.name}, which does not occur"
                    reporter.error(trigger.position, f"{message} in variables types either")


def _forbidden(part: s.Expr) -> str:
    if isinstance(part, s.Unary) and part.operator == "!":
        return "boolean operators are"
    if isinstance(part, s.Binary):
        if part.operator in LOGICAL:
            return "boolean operators are"
        if part.operator in EQUALITY:
            return "equality is"
        if part.operator in COMPARISON:
            return "arithmetic comparisons are"
    if isinstance(part, (s.Quantifier, s.Lambda)):
        return "quantifiers are"
    return ""
