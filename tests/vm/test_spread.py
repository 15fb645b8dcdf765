"""Doing something for every member of a union: all of them, or the one that a run follows."""

from __future__ import annotations

from typing import Any

import pytest

from solvent import Bool, evaluate
from solvent.vm.limits import Limits
from solvent.vm.machine import Machine, running
from solvent.vm.spread import over
from solvent.vm.union import Union

P, Q = Bool("p"), Bool("q")
CHOICES = ((P, None), (Q, 1), (True, "a"))
# Which member it is, by the values of p and q.
MEMBERS = {(True, True): None, (True, False): None, (False, True): 1, (False, False): "a"}


class Directed(Limits):
    """Limits of a run that follows the path of some values, as far as it knows them."""

    directed = True

    def __init__(self, known: dict[Any, bool]) -> None:
        super().__init__()
        self.known = known

    def settle(self, machine: Machine, condition: Any) -> Any:
        return self.known.get(condition, condition)


def visited(known: dict[Any, bool] | None) -> tuple[list[Any], Any]:
    """The members that an action sees, and its merged results."""
    machine = Machine()
    if known is not None:
        machine.limits = Directed(known)
    seen = []

    def action(member: Any) -> tuple[Any, int]:
        seen.append(member)
        return member, len(seen)

    with running(machine):
        value = over(Union(CHOICES), action)
    assert not machine.forks
    assert not machine.layers
    return seen, value


@pytest.mark.parametrize("known", [None, {}, {Q: True}, {Q: False}], ids=str)
def test_all_members_are_visited_where_a_run_forks(known: dict[Any, bool] | None) -> None:
    seen, value = visited(known)
    assert seen == [None, 1, "a"]
    for (p, q), member in MEMBERS.items():
        found, _ = evaluate(value, {P: p, Q: q})
        assert found == member


@pytest.mark.parametrize(("p", "q"), list(MEMBERS))
def test_a_directed_run_visits_one_member(p: bool, q: bool) -> None:
    seen, value = visited({P: p, Q: q})
    assert seen == [MEMBERS[p, q]]
    assert value == (MEMBERS[p, q], 1)
