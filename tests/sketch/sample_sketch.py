"""A module with holes everywhere."""

from solvent import BitVec, Int
from solvent.sketch import choose, grammar, hole

# The machine, as in figure 3.
TRANSITIONS = {
    "init": {"c": choose("s1", "s2")},  # the first letter
    "s1": {"a": choose("s1", "s2", None), "r": choose("s1", "end", None)},
    "s2": {"a": choose("s1", "s2", None), "r": choose("s1", "end", None)},
    "end": {},
}
LIMIT = hole(Int, 0, 9)


@grammar(depth=1)
def bounded(x, y):
    # Not in the completed module.
    return choose(x, y + LIMIT, bounded(x, y) - bounded(y, x))


def accepts(word):
    state = "init"
    for letter in word:
        state = TRANSITIONS[state].get(letter) if state else None
    return state == "end"


class Shape:
    """A class."""

    @grammar(depth=1)
    def size(self, x):
        return choose(x, self.factor, self.size(x) * self.size(x))

    def __init__(self, factor=choose(1, 2)):  # noqa: B008
        self.factor = factor

    def area(self, x):
        text = """
    kept as it is
"""
        return self.size(x + 1), len(text), bounded(x, self.factor)


def unused(x):
    return x if choose(x > 0, x < 0) else (hole(Int), hole(BitVec(8)), hole(Int, 3, 5))
