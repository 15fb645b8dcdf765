"""Memory of a symbolic state: words at known addresses, and stores at addresses that are not known.

Known addresses are the keys of a dictionary.  A store at an address that can be too many numbers
changes every word of the dictionary that it may hit, and is remembered for those that are not
there: what such a word is follows from the remembered stores when it is looked at.
"""

from __future__ import annotations

from solvent.riscu.words import WIDTH, Word, plain, symbolic_word
from solvent.terms import BitVec, and_, eq
from solvent.terms.kinds import Guard
from solvent.vm.merge import merge

# A store that happened where a condition holds: the condition, the address and the value.
Scattered = tuple[Guard, Word, Word]


def same(a: Word, b: Word) -> bool:
    """Whether two words are the same number or the same term."""
    return a is b or (isinstance(a, int) and isinstance(b, int) and a == b)


def choose(condition: Guard, a: Word, b: Word) -> Word:
    """The word `a` where a condition holds, and `b` elsewhere; numbers stay numbers.

    >>> from solvent.terms import Bool
    >>> choose(Bool("p"), 3, 3), choose(Bool("p"), 3, 4)
    (3, ite(p, bv(3, 64), bv(4, 64)))
    """
    if same(a, b):
        return a
    merged: Word = merge(condition, symbolic_word(a), symbolic_word(b))
    return plain(merged)


class SymbolicMemory:
    """Words by address; what was never stored is zero, or unknown if memory is free.

    >>> x = BitVec("x", 64)
    >>> memory = SymbolicMemory({8: 1})
    >>> memory.scatter(True, x, 5, 0, 100)
    >>> memory.load(8), memory.load(16)
    (ite(x == 8, bv(5, 64), bv(1, 64)), ite(x == 16, bv(5, 64), bv(0, 64)))
    """

    __slots__ = ("free", "scattered", "words")

    def __init__(
        self, words: dict[int, Word], free: bool = False, scattered: tuple[Scattered, ...] = ()
    ) -> None:
        self.words = words
        self.free = free
        self.scattered = scattered

    def copy(self) -> SymbolicMemory:
        """The same memory, which can be changed alone."""
        return SymbolicMemory(self.words.copy(), self.free, self.scattered)

    # --- known addresses -----------------------------------------------------------------------

    def load(self, address: int) -> Word:
        """The word at an address."""
        found = self.words.get(address)
        return self.untouched(address) if found is None else found

    def store(self, address: int, value: Word) -> None:
        """Put a word at an address."""
        self.words[address] = value

    def untouched(self, address: int) -> Word:
        """A word that is not in the dictionary."""
        result: Word = BitVec(f"memory[{address}]", WIDTH) if self.free else 0
        for condition, place, value in self.scattered:
            result = choose(and_(condition, eq(place, address)), value, result)
        return result

    # --- unknown addresses ---------------------------------------------------------------------

    def scatter(self, condition: Guard, place: Word, value: Word, lower: int, upper: int) -> None:
        """Under a condition, put a word at an address of which only bounds are known."""
        for address, old in self.words.items():
            if lower <= address < upper:
                self.words[address] = choose(and_(condition, eq(place, address)), value, old)
        self.scattered = (*self.scattered, (condition, place, value))

    def gather(self, place: Word, lower: int, upper: int) -> Word:
        """The word at an address of which only bounds are known, if memory is not free."""
        result: Word = 0
        for condition, other, value in self.scattered:
            result = choose(and_(condition, eq(place, other)), value, result)
        for address, value in self.words.items():
            if lower <= address < upper:
                result = choose(eq(place, address), value, result)
        return result


def merge_memories(
    mine: Guard, a: SymbolicMemory, other: Guard, b: SymbolicMemory
) -> SymbolicMemory:
    """The memory of one of two states, whose conditions exclude each other."""
    words = {
        address: choose(mine, a.load(address), b.load(address))
        for address in {**a.words, **b.words}
    }
    common = 0
    for one, two in zip(a.scattered, b.scattered, strict=False):
        if one is not two:
            break
        common += 1
    scattered = list(a.scattered[:common])
    for guard, memory in ((mine, a), (other, b)):
        scattered += [
            (and_(guard, condition), place, value)
            for condition, place, value in memory.scattered[common:]
        ]
    return SymbolicMemory(words, a.free, tuple(scattered))
