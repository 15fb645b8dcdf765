"""Faults in the machine are noticed: each is put in on purpose, and a batch of programs must fail.

The batch passes on the machine as it is.  A fault that it does not notice would mean that the tests
do not look at what the broken part is for.  The random programs of `test_programs.py` must notice
each fault as well.
"""

# ruff: noqa: F841

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from solvent.terms.booleans import not_
from solvent.vm import forks, journal, merge, owned, places, slots, spread, trying
from solvent.vm.forks import Fork
from solvent.vm.machine import Machine
from solvent.vm.scopes import Scope
from solvent.vm.state import Path
from solvent.vm.trying import TryScope
from tests.lift.cases import Cases
from tests.lift.programs import Program, explore, refusal

batch = Cases()


class Box:
    made = 0

    def __init__(self, v):
        self.v = v


TABLE: dict[str, Any] = {}


# --- the batch ------------------------------------------------------------------------------------


@batch
def values_of_all_kinds(x):
    if x > 0:
        a, b, c, d = 1, (x, 2), "s", None
    else:
        a, b, c, d = x, (3, 4), (x,), x
    return a, b, c, d


@batch
def unions_of_several(x, y):
    a = None if x > 1 else "s" if x > 0 else (x, y) if x == 0 else x
    b = a if y > 0 else "t" if y == 0 else a
    return a, b, b == "s"


@batch
def references(x, y):
    a, b, c = [1], [2], [3]
    d = a if x > 0 else b
    e = c if y > 0 else d if y == 0 else a
    f = e if x > y else d
    f.append(x)
    return a, b, c, d, e, f


@batch
def both_sides_write(x):
    items, table, box = [1, 2], {1: 2}, Box(0)
    if x > 0:
        items.append(x)
        items[0] = 5
        table[3] = x
        box.v = x
        box.w = 1
    else:
        items.pop()
        table[1] = 7
        del box.v
    return items, table, box


@batch
def second_side_sees_the_state_before(x):
    items, box, table = [1], Box(1), {}
    n = 1
    if x > 0:
        items.append(2)
        items[0] = 9
        box.v += 1
        table["k"] = 1
        n += 1
    else:
        n += 10 * len(items) + items[0] + box.v + len(table)
    return items, box, table, n


@batch
def one_slot_written(x):
    items = [1, 2]
    table = {1: 1, 2: 2}
    if x > 0:
        items[0] = x
        table[1] = x
    return items, table


@batch
def early_returns(x, y):
    items = [0]
    if x > 1:
        items.append("a")
        return items, 1
    if y > 1:
        items.append("b")
        if x > 0:
            return items, 2
        items.append("c")
    if x == y:
        items[0] = "d"
        return items, 3
    return items, 4


@batch
def loop_exits(x, y):
    items = []
    for i in range(3):
        if i == x:
            continue
        items.append(i)
        if i == y:
            break
        if i > x + y:
            return items, "returned"
        items.append("next")
    else:
        items.append("else")
    return items


@batch
def nested_exits(x, y):
    items = []
    for i in range(2):
        for j in range(2):
            if j == x:
                items.append("c")
                continue
            if i == y:
                break
            items.append((i, j))
        items.append("after")
        if i == x:
            return items
    return items


@batch
def aliases(x):
    a = [1]
    b = a
    box = Box(a)
    other = Box([1])
    c = box if x > 0 else other
    if x > 1:
        a = [1]
    a.append(2)
    c.v.append(3)
    return a, b, box, other, c


@batch
def new_on_both_sides_and_kept(x):
    if x > 0:
        a = [1]
        kept = (a,)
    else:
        a = [2]
        kept = (a, 0)
    a.append(3)
    return a, kept


@batch
def failures(x, y):
    items = [1, 2]
    if x > 2:
        raise ValueError(x)
    r = items[y] + 6 // (x + 1)
    assert_positive(r)
    return r


def assert_positive(k):
    if k < 0:
        raise KeyError("negative")


@batch
def dead_side(x):
    n = 1
    items = []
    if x > 0:
        n = 2
        items.append(1)
        if x > 1:
            n = 3
            raise ValueError(n)
    else:
        items.append(2)
    return n, items


@batch
def handlers(x, y):
    log = []
    try:
        log.append("t")
        if x == 0:
            raise KeyError(y)
        if x == 1:
            raise KeyError("other")
        log.append(6 // y)
        if x == 2:
            raise IndexError(x)
    except KeyError as error:
        log.append(error.args)
    except IndexError:
        log.append("i")
    except ZeroDivisionError:
        log.append("z")
    else:
        log.append("else")
    return log


@batch
def finally_clauses(x, y):
    log = []
    for i in range(2):
        try:
            if i == x:
                continue
            if i == y:
                break
            if x == 3:
                return log
            log.append(4 // (i - y + 1))
        finally:
            log.append("f")
    return log


@batch
def closures_and_globals(x):
    global TABLE
    TABLE = 0
    Box.made = 0
    n = 0

    def step():
        nonlocal n
        global TABLE
        n += 1
        TABLE += 2
        Box.made += 3

    if x > 0:
        step()
    else:
        before = n, TABLE, Box.made
    step()
    result = n, TABLE, Box.made
    TABLE = Box.made = 0
    return result


@batch
def unbound(x):
    if x > 0:
        a = x
    box = Box(0)
    if x > 1:
        box.w = a
    try:
        return a, box.w
    except UnboundLocalError:
        return "a"
    except AttributeError:
        return "w"


@batch
def ragged(x):
    items = []
    for i in range(3):
        if i != x:
            items.append(i)
    if len(items) > 2:
        items.append(items[-1])
    total = 0
    for k in items:
        total = 10 * total + k
    return items, total


@batch
def sets_and_dicts(x, y):
    s = {1}
    d = {}
    if x > 0:
        s.add(y)
        d[y] = x
    return len(s), y in s, 1 in s, len(d), y in d


@batch
def symbolic_loops(x):
    n = 0
    items = []
    while n < x:
        n += 1
        items.append(n)
        if n == 2:
            break
    else:
        items.append("else")
    return n, items


def failing() -> list[str]:
    """The programs of the batch that go wrong, up to the first."""
    for case in batch:
        try:
            case.check()
        except Exception as error:
            return [f"{case}: {error}"]
    return []


def test_batch_passes_without_faults() -> None:
    assert failing() == []


# --- the faults -----------------------------------------------------------------------------------

Fault = Callable[[pytest.MonkeyPatch], None]
FAULTS: dict[str, Fault] = {}


def fault(install: Fault) -> Fault:
    FAULTS[install.__name__] = install
    return install


def replace(patch: pytest.MonkeyPatch, original: Any, broken: Any) -> None:
    """Put another function in the place of one, in every module that refers to it."""
    name = original.__name__
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("solvent.") and getattr(module, name, None) is original:
            patch.setattr(module, name, broken)


def without(module: Any, name: str, action: Callable[..., Any], *args: Any) -> Any:
    """Do something while a function of a module does nothing."""
    original = getattr(module, name)
    setattr(module, name, lambda *args: None)
    try:
        return action(*args)
    finally:
        setattr(module, name, original)


@fault
def merge_takes_the_wrong_side(patch):
    original = merge.merge
    replace(patch, original, lambda c, a, b: original(not_(c), a, b))


@fault
def merge_members_takes_the_first(patch):
    replace(patch, merge.merge_members, lambda c, a, b: a)


@fault
def flip_does_not_undo(patch):
    original = Fork.flip
    patch.setattr(Fork, "flip", lambda self, values: without(forks, "undo", original, self, values))


@fault
def flip_keeps_the_variables(patch):
    original = Fork.flip

    def flip(self, values):
        original(self, values)
        return values

    patch.setattr(Fork, "flip", flip)


@fault
def join_drops_the_effects(patch):
    original = Fork.join

    def join(self, values):
        self.effects = {}
        return original(self, values)

    patch.setattr(Fork, "join", join)


@fault
def join_drops_the_first_values(patch):
    original = Fork.join

    def join(self, values):
        self.first = self.first and values
        return original(self, values)

    patch.setattr(Fork, "join", join)


@fault
def record_forgets_the_effects(patch):
    original = Scope.record

    def record(self, values, condition=True):
        original(self, values, condition)
        self.exits[-1].effects = {}

    patch.setattr(Scope, "record", record)


@fault
def guard_of_exits_ignores_forks(patch):
    original = Scope.guard

    def guard(self):
        open_forks, self.machine.forks = self.machine.forks, []
        try:
            return original(self)
        finally:
            self.machine.forks = open_forks

    patch.setattr(Scope, "guard", guard)


@fault
def guard_of_exits_ignores_inner_scopes(patch):
    original = Scope.guard

    def guard(self):
        scopes = self.machine.scopes
        self.machine.scopes = scopes[: scopes.index(self) + 1]
        try:
            return original(self)
        finally:
            self.machine.scopes = scopes

    patch.setattr(Scope, "guard", guard)


@fault
def exits_are_merged_in_the_wrong_order(patch):
    original = Scope._merge

    def merge_exits(self, layer, values):
        self.exits.reverse()
        return original(self, layer, values)

    patch.setattr(Scope, "_merge", merge_exits)


@fault
def paths_that_left_still_go_on(patch):
    original = Scope.leave_if

    def leave_if(self, condition, values):
        original(self, condition, values)
        self.exits.pop()

    patch.setattr(Scope, "leave_if", leave_if)


@fault
def aliases_are_split(patch):
    original = owned.merge_owned
    many = 1 << 40
    replace(patch, original, lambda c, a, b, refs_a, refs_b: original(c, a, b, many, many))


@fault
def failing_paths_do_not_halt(patch):
    original = Machine.fail_if

    def fail_if(self, condition, error):
        path = self.state.path
        original(self, condition, error)
        self.state.path = path

    patch.setattr(Machine, "fail_if", fail_if)


@fault
def failures_are_forgotten(patch):
    def fail_if(self, condition, error):
        if condition is True:
            raise error
        if condition is not False:
            self.state.path = Path(self.state.path, not_(condition))

    patch.setattr(Machine, "fail_if", fail_if)


@fault
def a_dead_side_is_merged(patch):
    original = Fork.end

    def end(self, error):
        original(self, error)
        self.dead = False

    patch.setattr(Fork, "end", end)


@fault
def unions_are_in_the_wrong_order(patch):
    original = merge.union_of

    def union_of(choices):
        if len(choices) > 1:
            (g, v), (h, w), *rest = choices
            choices = ((g, w), (h, v), *rest)
        return original(choices)

    replace(patch, original, union_of)


@fault
def guards_of_unions_overlap(patch):
    original = merge.merge_choices

    def merge_choices(c, left, right, key, members):
        result = list(original(c, left, right, key, members))
        return tuple([(True, value) for _, value in result[:1]] + result[1:])

    replace(patch, original, merge_choices)


@fault
def members_of_unions_are_reversed(patch):
    original = merge.merge_choices

    def merge_choices(c, left, right, key, members):
        result = original(c, left, right, key, members)
        guards = [guard for guard, _ in result]
        values = [value for _, value in result]
        return tuple(zip(guards, reversed(values), strict=True))

    replace(patch, original, merge_choices)


@fault
def results_over_unions_are_mixed_up(patch):
    original = spread.combine
    replace(patch, original, lambda rows: original([(not_(g), v) for g, v in rows]))


@fault
def slots_that_may_be_empty_are_full(patch):
    original = merge.merge_slots

    def merge_slots(c, a, b):
        result = original(c, a, b)
        if type(result) is slots.Maybe and result.guard is not False:
            return result.value
        return result

    replace(patch, original, merge_slots)


@fault
def phases_skip_an_exception(patch):
    original = TryScope._form_groups

    def form_groups(self):
        original(self)
        if len(self.groups) > 1:
            del self.groups[0]

    patch.setattr(TryScope, "_form_groups", form_groups)


@fault
def phases_skip_the_normal_paths(patch):
    original = TryScope._form_groups

    def form_groups(self):
        original(self)
        self.normal = None

    patch.setattr(TryScope, "_form_groups", form_groups)


@fault
def exceptions_of_one_class_are_not_merged(patch):
    replace(patch, trying.merge_errors, lambda c, a, b: a)


@fault
def handlers_do_not_see_what_the_body_wrote(patch):
    original = TryScope._start_phase
    patch.setattr(TryScope, "_start_phase", lambda self: without(trying, "apply", original, self))


@fault
def journal_is_not_committed(patch):
    replace(patch, journal.commit, lambda layer, parent: None)


@fault
def blending_takes_the_wrong_side(patch):
    original = journal.blend
    replace(patch, original, lambda c, effects, layer: original(not_(c), effects, layer))


@fault
def assumptions_do_not_narrow_the_path(patch):
    original = Fork.join

    def join(self, values):
        result = original(self, values)
        self.machine.state.path = self.path
        return result

    patch.setattr(Fork, "join", join)


def forgetting(kind: places.Kind) -> Fault:
    """The journal does not hear of the writes to places of one kind."""

    def install(patch: pytest.MonkeyPatch) -> None:
        for name in ("write_slot", "wrote_slot", "write_whole"):
            original = getattr(Machine, name)

            def write(self, found, *details, original=original):
                if found is not kind:
                    original(self, found, *details)

            patch.setattr(Machine, name, write)

    return install


for _kind in (
    places.ITEMS, places.ENTRIES, places.ATTRIBUTES, places.MEMBERS, places.CELL,
    places.CLASS_ATTRIBUTES,
):  # fmt: skip
    FAULTS[f"journal_forgets_{_kind.name.replace(' ', '_')}"] = forgetting(_kind)


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    FAULTS[name](monkeypatch)
    assert failing() != []


def failing_at_random(rounds: int) -> list[str]:
    """The random programs that go wrong, up to the first round with one."""
    found: list[str] = []

    def check(program: Program) -> None:
        try:
            refusal(program)
        except Exception as error:
            found.append(str(error))

    for number in range(rounds):
        if not found:
            explore(f"fault:{number}", check, shrink=False)
    return found


def test_random_programs_pass_without_faults() -> None:
    assert failing_at_random(4) == []


@pytest.mark.mass
@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_noticed_by_random_programs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    FAULTS[name](monkeypatch)
    assert failing_at_random(40) != []


@pytest.mark.mass
def test_a_fault_is_shown_by_a_small_program(monkeypatch: pytest.MonkeyPatch) -> None:
    FAULTS["merge_takes_the_wrong_side"](monkeypatch)
    with pytest.raises(AssertionError) as caught:
        explore("shown", refusal, examples=100)
    problem, program = str(caught.value).split("\n\n", 1)
    assert "main(" in problem
    assert "def main(x" in program
    assert len(program.splitlines()) <= 22
