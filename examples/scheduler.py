"""A scheduler: the shortest plan for tasks on two machines, and the proof that none is shorter.

Synthesized: the start and the machine of each task, with every dependency kept and no machine
doing two things at once, such that the last task ends as early as possible. `optimize` asks for
the best answer, so the end that it reports is a lower bound for every plan.
Found: the greedy rule "the longest task that is ready comes first" is not optimal here.
"""

from __future__ import annotations

from solvent import assume, integers, lists, optimize

TASKS = {  # name: (how long it takes, what must be done before)
    "fetch": (2, ()),
    "compile": (4, ("fetch",)),
    "docs": (7, ()),
    "lint": (3, ()),
    "unit": (3, ("compile",)),
    "slow": (6, ("compile",)),
    "ship": (1, ("unit", "slow", "docs")),
}
NAMES = list(TASKS)
MACHINES = 2


def plan(starts: list[int], machines: list[int]) -> int:
    """When the last task ends, if the plan is possible."""
    ends = [start + TASKS[name][0] for name, start in zip(NAMES, starts, strict=True)]
    for i, name in enumerate(NAMES):
        for earlier in TASKS[name][1]:
            assume(ends[NAMES.index(earlier)] <= starts[i])
        for j in range(i):
            apart = ends[i] <= starts[j] or ends[j] <= starts[i]
            assume(machines[i] != machines[j] or apart)
    return max(ends)


def greedy() -> int:
    """When the last task ends if the longest task that is ready comes first."""
    free = [0] * MACHINES
    ends: dict[str, int] = {}
    while len(ends) < len(NAMES):
        machine = free.index(min(free))
        ready = [
            name
            for name in NAMES
            if name not in ends and all(ends.get(e, 99) <= free[machine] for e in TASKS[name][1])
        ]
        if not ready:
            free[machine] = min(t for t in [*free, *ends.values()] if t > free[machine])
            continue
        chosen = max(ready, key=lambda name: TASKS[name][0])
        ends[chosen] = free[machine] = free[machine] + TASKS[chosen][0]
    return max(ends.values())


def shown(starts: list[int], machines: list[int]) -> str:
    """The plan, a line for each machine."""
    rows = [["    "] * 24 for _ in range(MACHINES)]
    for name, start, machine in zip(NAMES, starts, machines, strict=True):
        length = TASKS[name][0]
        label = name.ljust(4 * length, "·")
        rows[machine][start : start + length] = [label[4 * i :][:4] for i in range(length)]
    return "\n".join("".join(row).rstrip() for row in rows)


if __name__ == "__main__":
    count = len(NAMES)
    best = optimize(
        plan,
        lists(integers(0, 23), min_len=count, max_len=count),
        lists(integers(0, MACHINES - 1), min_len=count, max_len=count),
        minimize=True,
    )
    (end,) = best.objectives
    print(shown(**best.inputs))
    print(f"done after {end}; the greedy rule needs {greedy()}")
