"""The interpreter of XPaths, in lifted Python: it also runs on paths that are not known yet.

A path is a list of numbers of steps, one for each level of the tree; after its last step it goes on
with `END`.  The interpreter recurs on the tree, which is concrete, so it ends by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvent import lifted
from solvent.languages.websynth.pages import END, Node
from solvent.terms.kinds import Bits, Guard

# The number of a step, which may not be known yet.
Step = int | Bits


@lifted
def reaches(node: Node, path: Sequence[Step], level: int, text: str) -> Guard:
    """Whether the steps of a path from a level on lead from a node to a text.

    >>> song = Node((1, 3), "Imagine")
    >>> page = Node((), None, [Node((2, 3), None, [song])])
    >>> reaches(page, [2, 1], 0, "Imagine"), reaches(page, [2, END], 0, "Imagine")
    (True, False)
    """
    found = node.text == text and ends(path, level)
    for child in node.children:
        found = found or (reaches(child, path, level + 1, text) and path[level] in child.steps)
    return found


@lifted
def ends(path: Sequence[Step], level: int) -> Guard:
    """Whether a path has no step for a level.

    >>> ends([4, END], 1), ends([4, 2], 1), ends([4, 2], 2)
    (True, False, True)
    """
    return level == len(path) or path[level] == END


@lifted
def reaches_all(document: Node, path: Sequence[Step], texts: Sequence[str]) -> None:
    """Fail unless a path leads to each of some texts.

    >>> reaches_all(Node((), None, [Node((1,), "a")]), [1], ["a"])
    """
    for text in texts:
        assert reaches(document, path, 0, text), text
