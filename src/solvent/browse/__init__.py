"""Looking at values: terms, unions, containers, outcomes and formulas as pages and in notebooks.

`browse(value)` is a view with a page of its own: the graph of the value, where what is shared is
shown once; sizes; the guards of unions with an example for each member; SMT-LIB; and what
everything is under a model that is typed in.
"""

from solvent.browse.view import View, browse
from solvent.vm.own import own

own(__file__)

__all__ = ["View", "browse"]
