"""Random programs with threads, as text and as steps whose schedules can all be tried.

The schedules are enumerated on the steps alone: nothing of Solvent is used for that.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

SHARED = ("x", "y", "l")
LOCALS = ("a", "b")
# The most switches that are tried.
MOST = 4
# A variable of each thread is 0 or 1 at first.
OWN = "var {:thread_local} t: int where 0 <= t && t <= 1;"


@dataclass
class Step:
    """An instruction; `text` is how Boogie writes it, and jumps are to numbers of steps."""

    kind: str
    a: object = None
    b: object = None
    c: object = None


@dataclass
class Sample:
    """A program: its text, and the steps of its procedures."""

    text: str
    steps: dict[str, list[Step]] = field(default_factory=dict)


def expression(rng: random.Random, names: tuple[str, ...]) -> tuple[str, object]:
    """A small expression, and what it is as a function of values."""
    one = rng.choice(names)
    match rng.randrange(3):
        case 0:
            number = rng.randrange(3)
            return str(number), lambda v, n=number: n
        case 1:
            return one, lambda v, n=one: v[n]
        case _:
            number = rng.choice((1, 1, 2))
            return f"{one} + {number}", lambda v, n=one, k=number: v[n] + k


def condition(rng: random.Random, names: tuple[str, ...]) -> tuple[str, object]:
    """A small condition."""
    one = rng.choice(names)
    if rng.random() < 0.25 and len(names) > 1:
        other = rng.choice(names)
        return f"{one} <= {other}", lambda v, n=one, m=other: v[n] <= v[m]
    number = rng.randrange(3)
    match rng.randrange(3):
        case 0:
            return f"{one} == {number}", lambda v, n=one, k=number: v[n] == k
        case 1:
            return f"{one} != {number}", lambda v, n=one, k=number: v[n] != k
        case _:
            return f"{one} < {number + 1}", lambda v, n=one, k=number: v[n] < k + 1


class Maker:
    """Makes one program."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.identities = self.rng.random() < 0.2
        self.own = self.rng.random() < 0.25
        self.steps: dict[str, list[Step]] = {}
        self.names = (*SHARED[:2], *LOCALS, *(("t",) if self.own else ()))

    def program(self) -> Sample:
        rng = self.rng
        bodies = {"P": self.body("P", rng.randrange(2, 5), ())}
        if rng.random() < 0.6:
            bodies["Q"] = self.body("Q", rng.randrange(2, 4), ("P",) if rng.random() < 0.3 else ())
        bodies["main"] = self.main(tuple(bodies))
        lines = ["var x, y, l: int;", *([OWN] if self.own else [])]
        lines += [
            "procedure corral_atomic_begin();",
            "procedure corral_atomic_end();",
            "procedure corral_getThreadID() returns (i: int);",
            "procedure corral_getChildThreadID() returns (i: int);",
            "procedure bump(); modifies x; ensures x == old(x) + 1;",
        ]
        for name, body in bodies.items():
            given, start = ("", "0") if name == "main" else ("given: int", "given")
            lines += [f"procedure {name}({given}) {{", "  var a, b: int;"]
            lines += [f"  a, b := {start}, 0;", *body, "}"]
        return Sample("\n".join(lines), self.steps)

    def main(self, others: tuple[str, ...]) -> list[str]:
        rng, code = self.rng, list[Step]()
        self.steps["main"] = code
        lines = ["  x, y, l := 0, 0, 0;"]
        code.append(Step("init"))
        for number in range(rng.choice((1, 1, 2))):
            if rng.random() < 0.12 and len(others) > 1:
                lines.append(f"  par {others[0]}(0) | {others[1]}(1);")
                code.append(Step("par", [(others[0], 0), (others[1], 1)]))
                continue
            callee = rng.choice(others)
            lines.append(f"  async call {callee}({number});")
            code.append(Step("spawn", callee, number))
            if rng.random() < 0.4:
                lines += self.statement(code, (), 1)
        for _ in range(rng.randrange(1, 4)):
            lines += self.statement(code, (), 1)
        text, holds = condition(rng, self.names)
        lines.append(f"  assert {text};")
        code.append(Step("assert", holds))
        code.append(Step("end"))
        return lines

    def body(self, name: str, size: int, others: tuple[str, ...]) -> list[str]:
        code = self.steps[name] = []
        lines = []
        for _ in range(size):
            lines += self.statement(code, others, 1)
        code.append(Step("end"))
        return lines

    def statement(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        rng = self.rng
        kinds = ["set"] * 6 + ["assert"] * 3 + ["assume", "lock", "havoc", "bump", "yield"]
        kinds += ["if"] * 2 + ["atomic"] * 2 if depth < 3 else []
        kinds += ["spawn"] * 3 if others and depth < 3 else []
        kinds += ["who"] if self.identities else []
        kind = rng.choice(kinds)
        return getattr(self, f"make_{kind}")(code, others, depth)

    def make_set(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        target = self.rng.choice(self.names)
        text, value = expression(self.rng, self.names)
        code.append(Step("set", target, value))
        return [f"{'  ' * depth}{target} := {text};"]

    def make_assert(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        text, holds = condition(self.rng, self.names)
        code.append(Step("assert", holds))
        return [f"{'  ' * depth}assert {text};"]

    def make_assume(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        text, holds = condition(self.rng, self.names)
        code.append(Step("assume", holds))
        return [f"{'  ' * depth}assume {text};"]

    def make_lock(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        code.append(Step("begin"))
        code.append(Step("assume", lambda v: v["l"] == 0))
        code.append(Step("set", "l", lambda v: 1))
        code.append(Step("finish"))
        inner: list[str] = []
        for _ in range(self.rng.randrange(1, 3)):
            inner += self.make_set(code, others, depth)
        code.append(Step("set", "l", lambda v: 0))
        pad = "  " * depth
        lines = ["call corral_atomic_begin();", "assume l == 0;", "l := 1;"]
        lines += ["call corral_atomic_end();"]
        return [*(pad + line for line in lines), *inner, f"{pad}l := 0;"]

    def make_havoc(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        code.append(Step("choose", "b"))
        code.append(Step("assume", lambda v: 0 <= v["b"] <= 1))
        return [f"{'  ' * depth}havoc b;", f"{'  ' * depth}assume 0 <= b && b <= 1;"]

    def make_bump(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        code.append(Step("set", "x", lambda v: v["x"] + 1))
        return [f"{'  ' * depth}call bump();"]

    def make_yield(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        code.append(Step("yield"))
        return [f"{'  ' * depth}yield;"]

    def make_who(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        name = self.rng.choice(("corral_getThreadID", "corral_getChildThreadID"))
        code.append(Step("who", name, "b"))
        return [f"{'  ' * depth}call b := {name}();"]

    def make_spawn(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        callee = self.rng.choice(others)
        number = self.rng.randrange(2)
        if self.rng.random() < 0.2:
            code.append(Step("call", callee, number))
            return [f"{'  ' * depth}call {callee}({number});"]
        code.append(Step("spawn", callee, number))
        return [f"{'  ' * depth}async call {callee}({number});"]

    def make_if(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        text, holds = condition(self.rng, self.names)
        test = Step("if", holds)
        code.append(test)
        then = self.statement(code, others, depth + 1)
        leave = Step("goto")
        code.append(leave)
        test.b = len(code)
        pad = "  " * depth
        lines = [f"{pad}if ({text}) {{", *then]
        if self.rng.random() < 0.5:
            lines += [f"{pad}}} else {{", *self.statement(code, others, depth + 1)]
        leave.a = len(code)
        return [*lines, f"{pad}}}"]

    def make_atomic(self, code: list[Step], others: tuple[str, ...], depth: int) -> list[str]:
        code.append(Step("begin"))
        inner: list[str] = []
        for _ in range(self.rng.randrange(1, 3)):
            inner += self.make_set(code, others, depth)
        if self.rng.random() < 0.3:
            inner += self.make_assume(code, others, depth)
        code.append(Step("finish"))
        pad = "  " * depth
        return [f"{pad}call corral_atomic_begin();", *inner, f"{pad}call corral_atomic_end();"]


# --- all schedules -----------------------------------------------------------------------------

# A thread: frames (procedure, next step, a, b), t, number, child, in an atomic block, the threads
# that it waits for.
Frame = tuple[str, int, int, int]
Thread = tuple[tuple[Frame, ...], int, int, int, bool, tuple[int, ...]]
State = tuple[tuple[int, int, int], tuple[Thread, ...]]


def least_switches(sample: Sample, cooperative: bool = False) -> int | None:
    """The least number of context switches with which an assertion fails, if that is few."""
    starts = [((0, 0, 0), (((("main", 0, 0, 0),), t, 1, 0, False, ()),)) for t in (0, 1)]
    layer: set[tuple[State, int]] = {(start, 0) for start in starts}
    seen: set[tuple[State, int]] = set()
    for switches in range(MOST + 1):
        reached: set[tuple[State, int]] = set()
        stack = [one for one in layer if one not in seen]
        seen.update(stack)
        while stack:
            state, running = stack.pop()
            reached.add((state, running))
            for following in after(sample, state, running):
                if following is None:
                    return switches
                if (following, running) not in seen:
                    seen.add((following, running))
                    stack.append((following, running))
        layer = {
            (state, other)
            for state, running in reached
            if not state[1][running][4] and (not cooperative or may_leave(sample, state, running))
            for other in range(len(state[1]))
            if other != running
        }
    return None


def may_leave(sample: Sample, state: State, running: int) -> bool:
    """Whether a cooperative thread may be left: it yields, has started another one, or is over."""
    frames, _, _, _, _, waits = state[1][running]
    if not frames or waits:
        return True
    name, at, _, _ = frames[-1]
    before = sample.steps[name][at - 1].kind if at else ""
    return sample.steps[name][at].kind == "yield" or before in ("spawn", "par", "yield")


def after(sample: Sample, state: State, running: int) -> Iterator[State | None]:
    """The states after one step of a thread; None is a failure, and no state that it is blocked."""
    shared, threads = state
    frames, own, number, child, atomic, waits = threads[running]
    if not frames:
        return
    if waits:
        if any(threads[one][0] for one in waits):
            return
        waits = ()
    name, at, a, b = frames[-1]
    step = sample.steps[name][at]
    values = dict(zip(SHARED, shared, strict=True)) | {"a": a, "b": b, "t": own}
    new = list(threads)
    goes_to, started = at + 1, list[Thread]()
    tops: list[tuple[Frame, ...]] = []
    count = len(threads)
    match step.kind:
        case "init":
            values.update(x=0, y=0, l=0)
        case "set":
            values[step.a] = step.b(values)
        case "choose":
            for chosen in range(-1, 3):
                frame = (name, goes_to, a, chosen)
                new[running] = ((*frames[:-1], frame), own, number, child, atomic, waits)
                yield shared, tuple(new)
            return
        case "assert":
            if not step.a(values):
                yield None
                return
        case "assume":
            if not step.a(values):
                return
        case "if":
            goes_to = at + 1 if step.a(values) else step.b
        case "goto":
            goes_to = step.a
        case "begin" | "finish":
            atomic = step.kind == "begin"
        case "who":
            values[step.b] = number if step.a == "corral_getThreadID" else child
        case "spawn":
            child = count + 1
            started = [((((step.a, 0, step.b, 0),)), None, child, 0, False, ())]
        case "par":
            child = count + len(step.a)
            waits = tuple(range(count, child))
            started = [
                ((((callee, 0, given, 0),)), None, count + place + 1, 0, False, ())
                for place, (callee, given) in enumerate(step.a)
            ]
        case "call":
            tops = [((name, goes_to, a, b), (step.a, 0, step.b, 0))]
        case "end":
            new[running] = (frames[:-1], own, number, child, atomic, waits)
            yield shared, tuple(new)
            return
    frame = (name, goes_to, values["a"], values["b"])
    left = tuple(values[one] for one in SHARED)
    top = tops[0] if tops else (frame,)
    new[running] = ((*frames[:-1], *top), values["t"], number, child, atomic, waits)
    for chosen in own_values(len(started)):
        more = [(one[0], t, *one[2:]) for one, t in zip(started, chosen, strict=True)]
        yield left, (*new, *more)


def own_values(threads: int) -> list[tuple[int, ...]]:
    """What the variables that new threads have for themselves may be."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(threads):
        found = [(*one, t) for one in found for t in (0, 1)]
    return found
