"""Questions about programs: angelic execution, verification, optimisation.

>>> from solvent import Int
>>> def absolute(x):
...     return x if x > 0 else -x
>>> def positive(x):
...     assert absolute(x) > 0
>>> verify(positive, Int("x")).inputs
{'x': 0}
"""

from solvent.queries import library_inputs as _library_inputs
from solvent.queries.inputs import (
    dicts,
    integers,
    lists,
    objects,
    one_of,
    sets,
    space,
    texts,
    tuples,
)
from solvent.queries.optimizing import Optimum
from solvent.queries.options import Options
from solvent.queries.parallel import Question, ask_all, question
from solvent.queries.rendering import Localisation, Suspect
from solvent.queries.results import QueryStats, Result, Solution, Verification
from solvent.queries.session import (
    Session,
    debug,
    optimize,
    session,
    solve,
    solve_all,
    synthesize,
    verify,
    verify_all,
)
from solvent.queries.synthesizing import Synthesis
from solvent.vm.own import own

__all__ = [
    "Localisation",
    "Optimum",
    "Options",
    "QueryStats",
    "Question",
    "Result",
    "Session",
    "Solution",
    "Suspect",
    "Synthesis",
    "Verification",
    "ask_all",
    "debug",
    "dicts",
    "integers",
    "lists",
    "objects",
    "one_of",
    "optimize",
    "question",
    "session",
    "sets",
    "solve",
    "solve_all",
    "space",
    "synthesize",
    "texts",
    "tuples",
    "verify",
    "verify_all",
]

assert _library_inputs

own(__file__)
