"""A chess move generator: the board is one number of 64 bits, a square is one of them.

Found: without masks a knight on the right edge jumps around the board to the left edge.
Proved: with masks the moves of a knight and of a king are those of the rules, for every square
they may stand on; and a move can always be taken back.
Solved for: the eight queens, none of which attacks another.
"""

from __future__ import annotations

from solvent import integers, solve, verify

BOARD = (1 << 64) - 1
NOT_A, NOT_H = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F
NOT_AB, NOT_GH = 0xFCFCFCFCFCFCFCFC, 0x3F3F3F3F3F3F3F3F


def knight_unmasked(square: int) -> int:
    """Where a knight may go, as one would write it first."""
    b = 1 << square
    moves = b << 17 | b << 15 | b << 10 | b << 6 | b >> 17 | b >> 15 | b >> 10 | b >> 6
    return moves & BOARD


def knight(square: int) -> int:
    """Where a knight may go: what would leave the board at the side is masked."""
    b = 1 << square
    far = (b & NOT_H) << 17 | (b & NOT_A) << 15 | (b & NOT_A) >> 17 | (b & NOT_H) >> 15
    wide = (b & NOT_GH) << 10 | (b & NOT_AB) << 6 | (b & NOT_AB) >> 10 | (b & NOT_GH) >> 6
    return (far | wide) & BOARD


def king(square: int) -> int:
    """Where a king may go."""
    b = 1 << square
    row = b | (b & NOT_H) << 1 | (b & NOT_A) >> 1
    return (row | row << 8 | row >> 8) & BOARD ^ b


def apart(a: int, b: int) -> tuple[int, int]:
    """How many columns and rows two squares are apart."""
    return abs(a % 8 - b % 8), abs(a // 8 - b // 8)


def reaches(moves: int, square: int) -> bool:
    return moves >> square & 1 == 1


def unmasked_knight_is_right(start: int, end: int) -> None:
    assert reaches(knight_unmasked(start), end) == (apart(start, end) in [(1, 2), (2, 1)])


def knight_is_right(start: int, end: int) -> None:
    assert reaches(knight(start), end) == (apart(start, end) in [(1, 2), (2, 1)])
    assert reaches(knight(start), end) == reaches(knight(end), start)


def king_is_right(start: int, end: int) -> None:
    assert reaches(king(start), end) == (start != end and max(apart(start, end)) == 1)


def queens(*rows: int) -> None:
    """A queen in each column, in these rows."""
    for i, row in enumerate(rows):
        for j in range(i):
            assert row != rows[j]
            assert abs(row - rows[j]) != i - j


if __name__ == "__main__":
    square = integers(0, 63)
    wraps = verify(unmasked_knight_is_right, square, square)
    knights = verify(knight_is_right, square, square)
    kings = verify(king_is_right, square, square)
    placed = solve(queens, *[integers(0, 7)] * 8)
    for result in (wraps, knights, kings):
        print(result)
    for row in placed.inputs.values():
        print("." * row + "Q" + "." * (7 - row))
