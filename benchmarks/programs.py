"""Ordinary programs, run on concrete values plain and lifted."""

from __future__ import annotations

import json
import re
import zlib


def sieve(limit: int) -> int:
    """Count the primes up to a limit."""
    is_prime = [True] * (limit + 1)
    count = 0
    for number in range(2, limit + 1):
        if is_prime[number]:
            count += 1
            multiple = number * number
            while multiple <= limit:
                is_prime[multiple] = False
                multiple += number
    return count


def bubble_sort(values: list[int]) -> list[int]:
    """Sort by exchanging neighbours."""
    values = list(values)
    for last in range(len(values) - 1, 0, -1):
        for place in range(last):
            if values[place] > values[place + 1]:
                values[place], values[place + 1] = values[place + 1], values[place]
    return values


def collatz(limit: int) -> int:
    """The longest chain that starts below a limit."""
    longest = 0
    for start in range(1, limit):
        number = start
        steps = 0
        while number != 1:
            number = number // 2 if number % 2 == 0 else 3 * number + 1
            steps += 1
        if steps > longest:
            longest = steps
    return longest


def loops(limit: int) -> tuple[int, list[int], int]:
    """A program that is nothing but loops."""
    values = [number * 7919 % 101 for number in range(limit // 100)]
    return sieve(limit), bubble_sort(values), collatz(limit // 20)


def library(rounds: int) -> int:
    """A program that spends its time in the library: text, JSON, compression, sorting."""
    words = str(list(range(1000)))[1:-1].split(", ")
    total = 0
    for number in range(rounds):
        text = " ".join(words)
        found = re.findall(r"\d*7\b", text)
        packed = zlib.compress(json.dumps(words).encode())
        unpacked = json.loads(zlib.decompress(packed))
        total += len(found) + len(unpacked) + sorted(unpacked).index(words[number])
    return total


def records(count: int) -> str:
    """A program on records as JSON has them: comprehensions, dicts, texts, generators."""
    rows = [
        {
            "id": number,
            "name": f" Item {number % 17} ",
            "price": number * 7 % 50,
            "tags": ["a", "b"],
        }
        for number in range(count)
    ]
    totals: dict[str, int] = {}
    for row in rows:
        name = row["name"].strip().lower()  # type: ignore[attr-defined]
        totals[name] = totals.get(name, 0) + row["price"]  # type: ignore[operator]
    cheap = {row["id"]: row.get("note", "-") for row in rows if row["price"] < 25}  # type: ignore[operator]
    kinds = {tag.upper() for row in rows for tag in row["tags"]}  # type: ignore[attr-defined]
    lines = [
        f"{place}: {name} {total:>5}"
        for place, (name, total) in enumerate(sorted(totals.items(), key=lambda pair: pair[0]))
    ]
    known = all(row["price"] >= 0 for row in rows)  # type: ignore[operator]
    longest = max(len(line) for line in lines)
    return "\n".join([*lines, ",".join(sorted(kinds)), str(len(cheap)), f"{known} {longest}"])
