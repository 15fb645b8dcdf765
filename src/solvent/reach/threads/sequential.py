"""Programs with threads as programs without, after Lal and Reps.

An execution is cut into contexts: in each of them one thread runs (or, by rounds, each thread runs
once).  The values of the shared variables at the start of each context are guessed.  Then threads
can run one after the other: a thread runs through all of its contexts where it is started, on the
values that were guessed, and leaves in each context what it has made of them.  At the end the glue
is assumed: each context began with what the one before it left.  A thread that cannot go on stops
for good; so does one that fails, and a failure counts if the glue holds up to its context.

The shared variables themselves have the values of the context that runs now.  So commands stay as
they are; only a context switch puts these values away, and takes those of a later context.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from solvent.reach.abstraction import asserted
from solvent.reach.graphs import components
from solvent.reach.program import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Command,
    Procedure,
    Program,
    Variable,
    assigned,
)
from solvent.reach.threads.contexts import ATOMIC, FAILED, FAILURE, NOW, STOPPED, Contexts
from solvent.reach.threads.primitives import Bound
from solvent.reach.threads.source import Source
from solvent.reach.threads.writing import Place, Writer
from solvent.terms import eq, implies, not_


@dataclass(frozen=True, slots=True)
class Sequential:
    """The sequential program, and how to read its executions."""

    program: Program
    main: str
    # What blocks are, by procedure and label.
    places: Mapping[tuple[str, str], Place]
    # The variables to begin with.
    tracked: tuple[Variable, ...]


def sequentialized(source: Source, bound: Bound) -> Sequential:
    """The program without threads, in which a failure is one of a schedule within the bound."""
    program, contexts = source.program, Contexts(source, bound)
    places: dict[tuple[str, str], Place] = {}
    procedures: dict[str, Procedure] = {}
    for name, found in program.procedures.items():
        plain = replace(found, requires=(), ensures=())
        if name in source.stopping:
            writer = Writer(source, contexts, plain)
            procedures[name] = writer.run()
            places.update({(name, label): place for label, place in writer.places.items()})
        elif found.blocks:
            procedures[name] = plain
    root = _root(contexts, program.procedure(source.main))
    procedures[root.name] = root
    variables = dict.fromkeys((*program.globals, *contexts.variables))
    made = _with_modifies(replace(program, globals=tuple(variables), procedures=procedures))
    known = asserted(program)
    started = [variable for variable in contexts.shared if variable in known]
    copied = [copy for variable in started for copy in contexts.copies[variable]]
    return Sequential(made, root.name, places, (*contexts.control, *started, *copied))


def _root(contexts: Contexts, main: Procedure) -> Procedure:
    """The first procedure: it guesses, runs the first thread, and assumes the glue."""
    where = main.where
    starts = {
        copy: copy.sort(f"{copy.name} at its start")
        for copies in contexts.copies.values()
        for copy in copies[1:]
    }
    at_start: dict[Variable, object] = {
        NOW: 0,
        STOPPED: False,
        FAILED: False,
        FAILURE: 0,
        ATOMIC: False,
        **{claimed: index == 0 for index, claimed in enumerate(contexts.claimed)},
        **contexts.first_identity(),
    }
    commands: list[Command] = []
    if starts:
        commands.append(Assign(tuple(starts.values()), tuple(starts), where))
    commands.append(Assign(tuple(at_start), tuple(at_start.values()), where))  # type: ignore
    commands += [Assume(clause.assumption, clause.where) for clause in main.requires]
    commands.append(Call(main.name, main.inputs, main.outputs, where))
    commands += contexts.put_away(where)
    for copies in contexts.copies.values():
        for index, (copy, following) in enumerate(pairwise(copies)):
            glue = implies(index < FAILURE, eq(copy, starts[following]))
            commands.append(Assume(glue, where))
    commands.append(Assert(not_(FAILED), where))
    block = Block("threads", tuple(commands), (), where)
    local = (*main.outputs, *starts.values())
    return Procedure(
        f"{main.name} and its threads", main.inputs, (), local, {block.label: block}, where=where
    )


def _with_modifies(program: Program) -> Program:
    """The program in which every procedure has the variables that it really changes."""
    everywhere = set(program.globals)
    graph = program.call_graph
    plain = {name: replace(found, modifies=()) for name, found in program.procedures.items()}
    bare = replace(program, procedures=plain)
    known: dict[str, dict[Variable, None]] = {}
    for component in components(graph):
        changed: dict[Variable, None] = {}
        for name in component:
            changed.update(assigned(program.procedures[name].commands, bare))
            for callee in graph[name]:
                changed.update(known.get(callee, {}))
        known.update(dict.fromkeys(component, changed))
    procedures = {
        name: replace(found, modifies=tuple(v for v in known[name] if v in everywhere))
        for name, found in program.procedures.items()
    }
    return replace(program, procedures=procedures)
