"""Rate limiters: how many requests get through in one window of time?

Found: a counter that starts again at every full minute lets more than the limit through within a
minute, around the turn of one.
Proved: the sliding log never does, and the token bucket never exceeds its burst plus what its
rate gives in the time between; for all times of arrival, in milliseconds, of four requests.
"""

from __future__ import annotations

from solvent import assume, verify

WINDOW = 60_000
LIMIT = 2


def fixed_window(arrivals: list[int]) -> list[int]:
    """The arrivals that are let through: at most LIMIT in each minute of the clock."""
    passed: list[int] = []
    minute, count = -1, 0
    for now in arrivals:
        if now // WINDOW != minute:
            minute, count = now // WINDOW, 0
        if count < LIMIT:
            count += 1
            passed.append(now)
    return passed


def sliding_log(arrivals: list[int]) -> list[int]:
    """The arrivals that are let through: at most LIMIT of those in the minute before."""
    passed: list[int] = []
    for now in arrivals:
        if sum(1 for earlier in passed if now - earlier < WINDOW) < LIMIT:
            passed.append(now)
    return passed


def token_bucket(arrivals: list[int]) -> list[int]:
    """A bucket of LIMIT tokens, of which LIMIT come back in each window."""
    passed: list[int] = []
    parts, before = LIMIT * WINDOW, arrivals[0]  # a token is WINDOW parts, so all is exact
    for now in arrivals:
        parts = min(LIMIT * WINDOW, parts + (now - before) * LIMIT)
        before = now
        if parts >= WINDOW:
            parts -= WINDOW
            passed.append(now)
    return passed


def ordered(a: int, b: int, c: int, d: int) -> list[int]:
    """Four arrivals, none before the one before it."""
    assume(0 <= a <= b <= c <= d)
    return [a, b, c, d]


def at_most(limit: int, passed: list[int]) -> bool:
    """Whether no window of time has more than `limit` of them."""
    return all(passed[i + limit] - passed[i] >= WINDOW for i in range(len(passed) - limit))


def fixed_window_keeps_the_limit(a: int, b: int, c: int, d: int) -> None:
    assert at_most(LIMIT, fixed_window(ordered(a, b, c, d)))


def sliding_log_keeps_the_limit(a: int, b: int, c: int, d: int) -> None:
    assert at_most(LIMIT, sliding_log(ordered(a, b, c, d)))


def token_bucket_keeps_its_rate(a: int, b: int, c: int, d: int) -> None:
    passed = token_bucket(ordered(a, b, c, d))
    for i in range(len(passed)):
        for j in range(i, len(passed)):
            # Between two that pass: the burst, and what the rate gives in that time.
            assert (j - i + 1 - LIMIT) * WINDOW <= (passed[j] - passed[i]) * LIMIT


if __name__ == "__main__":
    burst = verify(fixed_window_keeps_the_limit)
    sliding = verify(sliding_log_keeps_the_limit)
    bucket = verify(token_bucket_keeps_its_rate)
    for result in (burst, sliding, bucket):
        print(result)
