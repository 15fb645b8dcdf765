"""Sketches: programs with holes, which a solver fills in (section 2.2).

>>> from solvent.terms import Bool, Model
>>> def smaller(a, b):
...     return choose(a, b) if a < b else choose(a, b)
>>> print(complete(Model({Bool("choose@<doctest solvent.sketch[1]>:2:38.0"): True}), smaller))
def smaller(a, b):
    return a if a < b else b
"""

from solvent.sketch.choices import choose, choose_each, hole, hole_each
from solvent.sketch.completion import complete, complete_source
from solvent.sketch.grammars import Grammar, grammar
from solvent.vm.own import own

__all__ = [
    "Grammar",
    "choose",
    "choose_each",
    "complete",
    "complete_source",
    "grammar",
    "hole",
    "hole_each",
]

own(__file__)
