"""Lifting functions, classes and modules: what the user sees of it."""

from __future__ import annotations

import importlib
import inspect
import itertools
import os
import subprocess
import sys
import traceback
import types
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from solvent import Bool, Int, NotLiftedError, lifted, verify
from solvent.lift import evaluate, execute, lift
from solvent.lift.function import is_lifted
from tests.lift.differential import agree


@lifted
def sign(x):
    """Documented."""
    if x < 0:
        return -1
    return 1 if x > 0 else 0


def plain(x, *, scale=2):
    return x * scale if x > 0 else helper(x)


def helper(x):
    return 0 - x


class Account:
    fee = 1

    def __init__(self, balance):
        self.balance = balance

    @property
    def rich(self):
        return self.balance > 10

    @staticmethod
    def larger(a, b):
        return a if a > b else b

    @classmethod
    def of(cls, amount):
        return cls(amount - cls.fee if amount > 0 else 0)

    def __secret(self, x):
        return x + 1

    def use_secret(self, x):
        if x > 0:
            return self.__secret(x)
        return x


class Base:
    def name(self, x):
        return ("base", x)


class Derived(Base):
    def name(self, x):
        if x > 0:
            return super().name(x)
        return ("derived", x)

    def names(self, x):
        if x > 0:
            yield super().name(x)
        yield self.name(x)


def test_a_lifted_function_is_a_function_with_the_same_face() -> None:
    assert isinstance(sign, types.FunctionType)
    assert is_lifted(sign)
    assert not is_lifted(sign.__wrapped__)
    assert sign.__name__ == "sign"
    assert sign.__doc__ == "Documented."
    assert inspect.signature(lift(plain)) == inspect.signature(plain)
    assert [sign(value) for value in (-3, 0, 5)] == [-1, 0, 1]


def test_the_source_is_the_users_own() -> None:
    assert inspect.getsource(sign) == inspect.getsource(sign.__wrapped__)
    assert inspect.getsourcefile(sign) == __file__
    assert sign.__code__.co_firstlineno == sign.__wrapped__.__code__.co_firstlineno


def test_lifting_twice_gives_the_same() -> None:
    assert lift(plain) is lift(plain)
    assert lift(sign) is sign


@lifted
def divide(a, b):
    if a > 0:
        return a // b
    return 0


def test_tracebacks_show_the_users_line() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        divide(1, 0)
    frames = traceback.extract_tb(caught.value.__traceback__)
    lines = [frame.line for frame in frames if frame.filename == __file__]
    assert "return a // b" in lines


def test_failures_show_the_users_line() -> None:
    outcome = execute(divide, Int("a"), Int("b"))
    (failure,) = outcome.failures
    source, line = failure.position.rsplit(":", 1)
    assert source == __file__
    assert Path(__file__).read_text().splitlines()[int(line) - 1].strip() == "return a // b"


def test_functions_are_lifted_on_demand() -> None:
    outcome = execute(plain, Int("x"))
    assert str(outcome.value) == "ite(x <= 0, -x, x * 2)"
    assert not is_lifted(helper)


def test_classes_are_lifted_in_place() -> None:
    lifted(Account)
    account = Account(20)
    assert account.rich is True
    assert Account.larger(2, 3) == 3
    assert Account.of(5).balance == 4
    assert account.use_secret(1) == 2
    outcome = execute(lambda x: Account.of(x).balance, Int("x"))
    assert str(outcome.value) == "ite(x <= 0, 0, x - 1)"
    assert execute(lambda x: Account(x).rich, Int("x")).value is (Int("x") > 10)


def test_super_in_methods_and_generators() -> None:
    names = execute(lambda x: Derived().name(x), Int("x"))
    assert Derived().name(1) == ("base", 1)
    assert names.value[1] is Int("x")
    assert list(lift(Derived)().names(1)) == [("base", 1), ("base", 1)]


def test_modules_are_lifted() -> None:
    module = types.ModuleType("some_module")
    source = Path(__file__).with_name("sample_module.py")
    exec(compile(source.read_text(), str(source), "exec"), module.__dict__)
    lift(module)
    assert is_lifted(module.absolute)
    assert str(module.absolute(Int("x"))) == "ite(x <= -1, -x, x)"


class Waiting:
    """Most of it has nothing to do with waiting."""

    def __init__(self, n: int) -> None:
        self.n = n

    async def wait(self) -> int:
        return self.n

    async def items(self) -> AsyncIterator[int]:
        yield self.n

    def twice(self) -> int:
        return self.n + self.n

    def waits(self) -> object:
        return self.wait()


def test_async_methods_do_not_stand_in_the_way_of_others() -> None:
    x = Int("x")

    def even() -> None:
        assert Waiting(x).twice() % 2 == 0

    def waits() -> None:
        Waiting(x).waits()

    assert verify(even).holds
    with pytest.raises(NotLiftedError, match=r"test_lifting.py:\d+: .*async"):
        verify(waits)


def test_what_cannot_be_lifted_is_refused_with_its_position() -> None:
    async def waits(x):
        return x

    with pytest.raises(NotLiftedError, match=r"test_lifting.py:\d+: .*async"):
        lift(waits)

    def awaits_inside(x):
        async def inner():
            return x

        return inner

    with pytest.raises(NotLiftedError, match=r"test_lifting.py:\d+: .*async"):
        lift(awaits_inside)
    with pytest.raises(NotLiftedError, match="neither a function nor a class"):
        lift(3)


def test_functions_without_source_are_refused() -> None:
    namespace: dict[str, object] = {}
    exec("def hidden(x):\n    return 1 if x else 2\n", namespace)
    with pytest.raises(NotLiftedError, match="source of `hidden` is not available"):
        lift(namespace["hidden"])


def test_functions_in_c_are_named_when_they_are_refused() -> None:
    import zlib

    with pytest.raises(NotLiftedError, match=r"zlib.compress.*for_all"):
        execute(lambda x: zlib.compress(bytes(3), x), Int("x"))


def test_deep_nesting(tmp_path: Path) -> None:
    source = ["def deep(x):", "    found = 0"]
    for depth in range(14):
        source.append("    " * (depth + 1) + f"if x > {depth}:")
    source.append("    " * 15 + "return x")
    for depth in range(13, -1, -1):
        source.append("    " * (depth + 1) + f"found += {depth}")
    source.append("    return found")
    path = tmp_path / "deep_if.py"
    path.write_text("\n".join(source))
    namespace: dict[str, object] = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    agree(namespace["deep"], range(-1, 17))  # type: ignore[arg-type]


@pytest.mark.parametrize("deepest", [2, 4, 7])
def test_moved_statements_mean_the_same(deepest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    base = importlib.import_module("solvent.lift.rewrite.base")
    monkeypatch.setattr(base, "DEEPEST", deepest)

    def nested(x, y):
        log = []
        for i in range(3):
            for j in range(3):
                if i == x:
                    if j == y:
                        continue
                    log.append((i, j))
                elif j == x:
                    break
                else:
                    try:
                        if y > 1:
                            return log, j
                        log.append(6 // (j - y))
                    except ZeroDivisionError:
                        log.append("zero")
                    finally:
                        log.append("f")
        return log

    agree(nested, [0, 1, 2], [-1, 0, 1, 2])


def test_many_branches() -> None:
    from tests.lift import sample_module

    outcome = execute(sample_module.many_branches, Int("x"))
    assert outcome.stats.solver_calls == 0
    assert outcome.failures == ()


def test_unlifted_mode() -> None:
    code = (
        "from solvent import lifted\n"
        "from solvent.lift.function import is_lifted\n"
        "from tests.lift import sample_module\n"
        "print(is_lifted(lifted(sample_module.absolute)), lifted(sample_module.absolute)(-3))\n"
    )
    environment = {**os.environ, "SOLVENT_UNLIFTED": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=False, env=environment,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.stdout == "False 3\n", done.stderr


def test_branching_in_plain_code_is_refused_clearly() -> None:
    from solvent.errors import SymbolicBoolError

    with pytest.raises(SymbolicBoolError, match="lifted function"):
        helper(1) if Bool("p") else None


def test_lambdas_on_one_line() -> None:
    y = 3
    made = [
        (lambda x: x if x > 1 else 0), (lambda x: (x) + y), (lambda x: True), lambda x: lambda: x,
        (lambda x: 1), (lambda x: 1), (lambda z: z), lambda x: (lambda: lambda: x)(),
    ]  # fmt: skip

    def f(x: int) -> tuple[object, ...]:
        results = tuple(function(x) for function in made)
        return (*results[:3], results[3](), *results[4:7], results[7]())

    agree(f, [0, 1, 2])


def test_what_lifted_code_made_is_adopted_as_it_is() -> None:
    x, p = Int("x"), Bool("p")

    def make(p: Any, x: Any) -> Any:
        found = {x: 1} if p else {2: 0, x: 3}
        elements = {x, 7} if p else {7}
        return found, elements

    made = execute(make, p, x).value

    def look(made: Any) -> Any:
        found, elements = made
        return found[x], x in elements, 7 in elements, len(elements)

    for value in (2, 5, 7):
        for test in (False, True):
            model = {"x": value, "p": test}
            outcome = execute(look, made)
            # Looking at them a second time adopts them a second time.
            again = execute(look, made)
            first = evaluate(outcome.value, model)
            assert first == evaluate(again.value, model)
            assert first[0] == (1 if test else 3)
            assert first[1] is (test or value == 7)
            assert first[2] is True
            assert first[3] == (2 if test and value != 7 else 1)


def test_the_order_of_a_dict_is_not_adopted() -> None:
    def make(p: Any, x: Any) -> Any:
        return {"a": 1, x: 2} if p else {x: 3, "a": 4}

    made = execute(make, Bool("p"), Int("x")).value

    def changed(made: Any, q: Any) -> Any:
        found = dict(made)
        if q:
            found["b"] = 5
        return list(found.items())

    outcome = execute(changed, made, Bool("q"))
    for p, q in itertools.product((False, True), repeat=2):
        expected = changed(make(p, 7), q)
        assert evaluate(outcome.value, {"p": p, "x": 7, "q": q}) == expected
