"""A model of a lock-free queue with one producer and one consumer, in every interleaving.

Each thread does one access to shared memory at a time, so it is a function from where it is to
where it goes on; the schedule, a list of truth values, says who is next. It is an ordinary
symbolic input.

Found: if the producer moves `tail` before it writes the item, there is a schedule with which the
consumer reads a slot that has not been written.
Proved: with the two stores in the right order, the consumer sees the items in order and none
twice, for all schedules of up to ten steps.
"""

from __future__ import annotations

from solvent import Bool, lists, verify

SIZE = 2
ITEMS = (1, 2, 3)


class Ring:
    """What both threads see; a slot that nobody has written holds 0."""

    def __init__(self) -> None:
        self.slots = [0] * SIZE
        self.head = self.tail = 0


class Producer:
    """Puts the items in; `at` is the next step."""

    def __init__(self, ring: Ring, publish_first: bool) -> None:
        self.ring = ring
        self.publish_first = publish_first
        self.at = "look"
        self.sent = 0

    def step(self) -> None:
        ring = self.ring
        if self.at == "look":
            if self.sent < len(ITEMS) and ring.tail - ring.head < SIZE:
                self.at = "first store"
        elif (self.at == "first store") == self.publish_first:
            ring.tail += 1
            self.advance()
        else:
            ring.slots[self.sent % SIZE] = ITEMS[self.sent]
            self.advance()

    def advance(self) -> None:
        if self.at == "first store":
            self.at = "second store"
        else:
            self.at = "look"
            self.sent += 1


class Consumer:
    """Takes items out, and remembers them."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.at = "look"
        self.seen: list[int] = []

    def step(self) -> None:
        ring = self.ring
        if self.at == "look":
            if ring.head < ring.tail:
                self.at = "load"
        elif self.at == "load":
            self.seen.append(ring.slots[ring.head % SIZE])
            self.at = "free"
        else:
            ring.head += 1
            self.at = "look"


def run(schedule: list[bool], publish_first: bool) -> list[int]:
    """What the consumer has seen after these steps, True being one of the producer."""
    ring = Ring()
    producer, consumer = Producer(ring, publish_first), Consumer(ring)
    for producing in schedule:
        if producing:
            producer.step()
        else:
            consumer.step()
    return consumer.seen


def in_order(schedule: list[bool], publish_first: bool) -> None:
    seen = run(schedule, publish_first)
    assert seen == list(ITEMS[: len(seen)])


if __name__ == "__main__":
    proof = verify(in_order, lists(Bool, max_len=10), publish_first=False)
    race = verify(in_order, lists(Bool, max_len=6), publish_first=True)
    print(proof)
    print(race)
