"""Solvent in a real kernel: displays, positions, sentences, interrupts, `%%verify`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

manager = pytest.importorskip("jupyter_client.manager", reason="jupyter_client is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

# Only against hanging: a kernel on a busy machine is slow to start.
FOREVER = 900.0

Message = dict[str, Any]


class Kernel:
    """A kernel that runs cells, and what it shows."""

    def __init__(self) -> None:
        self.manager, self.client = manager.start_new_kernel(startup_timeout=FOREVER)

    def run(self, cell: str, meanwhile: Callable[[], object] = lambda: None) -> list[Message]:
        """The messages of a cell, until it is done."""
        asked = self.client.execute(cell)
        found: list[Message] = []
        while True:
            message = self.client.get_iopub_msg(timeout=FOREVER)
            if message["parent_header"].get("msg_id") != asked:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "busy":
                meanwhile()
            if kind == "status" and content["execution_state"] == "idle":
                return found
            found.append({"kind": kind, **content})

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    started = Kernel()
    try:
        assert not errors(started.run("%load_ext solvent\nfrom solvent import *"))
        yield started
    finally:
        started.close()


def errors(messages: list[Message]) -> list[Message]:
    return [message for message in messages if message["kind"] == "error"]


def shown(messages: list[Message], kind: str = "text/html") -> str:
    rows = [message.get("data", {}).get(kind, "") for message in messages]
    return "\n".join(rows)


def test_a_result_shows_itself_and_positions_are_cells(kernel: Kernel) -> None:
    cell = "def f(x: int):\n    assert x != 7\nverify(f)"
    made = shown(kernel.run(cell))
    assert "In [2], line 2: AssertionError when calling f(x=7)" in made
    assert "ipykernel" not in made
    assert "f(x=7)" in shown(kernel.run(cell), "text/plain")


def test_values_are_tables(kernel: Kernel) -> None:
    model = "s = Solver(); s.add(Int('x') == 3); s.check(); s.model()"
    assert "<td" in shown(kernel.run(model))
    union = "lifted(lambda p: 1 if p else None)(Bool('p'))"
    assert "not p" in shown(kernel.run(union))
    outcome = "from solvent.lift import execute\nexecute(f, Int('x'))"
    made = shown(kernel.run(outcome))
    assert "AssertionError at In [" in made


def test_a_term_tells_what_it_is(kernel: Kernel) -> None:
    made = shown(kernel.run("Int('x') * Int('y') <= 3"))
    assert "x * y &lt;= 3" in made
    assert "Bool, 4 terms, of x: Int, y: Int" in made
    assert "(&lt;= (* x y) 3)" in made
    # A large one is cut off, and asked for in full elsewhere.
    cell = "t = Int('x')\nfor n in range(9_000):\n    t = t * (t + n)\nt"
    assert 200 < len(shown(kernel.run(cell))) < 2_000


def test_automata_are_graphs(kernel: Kernel) -> None:
    cell = (
        "from solvent.languages.automata import automaton\n"
        "automaton('init', init={'c': 'more'}, more={'a': 'more', 'r': 'end'}, end={})"
    )
    assert "<svg" in shown(kernel.run(cell))
    assert "<svg" not in shown(kernel.run("f"))


def test_a_limitation_is_one_sentence(kernel: Kernel) -> None:
    cell = (
        "def g(x):\n    return __import__('ssl').RAND_status() + hash(str(x))\nverify(g, Int('x'))"
    )
    (error,) = errors(kernel.run(cell))
    assert len(error["traceback"]) == 1
    assert "\n" not in error["traceback"][0]
    assert "In [" in error["traceback"][0]


def test_a_cell_is_verified(kernel: Kernel) -> None:
    cell = "%%verify --budget 20\ndef half(x: int) -> int:\n    assert x != 9\n    return x // 2"
    made = shown(kernel.run(cell))
    assert "half(x=9)" in made
    (error,) = errors(kernel.run("%%verify nobody\n1"))
    assert "defines no function `nobody`" in error["traceback"][0]


def test_a_cell_is_profiled(kernel: Kernel) -> None:
    cell = (
        "%%profile\n"
        "def larger(x: int, y: int):\n"
        "    z = x if x > y else y\n"
        "    assert z >= x\n"
        "answer = verify(larger)"
    )
    made = shown(kernel.run(cell))
    assert "terms made" in made
    # The line belongs to a cell, not to a temporary file.
    assert ", line 3" in made
    assert "ipykernel" not in made
    assert "True" in shown(kernel.run("answer.holds"), "text/plain")


def test_several_queries_show_a_bar(kernel: Kernel) -> None:
    cell = (
        "from solvent.queries import ask_all, question\n"
        "rows = ask_all(question(verify, f, integers(0, n)) for n in range(5, 9))\n"
        "[row.holds for row in rows]"
    )
    messages = kernel.run(cell)
    assert "<progress" in shown(messages)
    assert "[True, True, False, False]" in shown(messages, "text/plain")


def test_an_interrupt_ends_the_query_and_not_the_kernel(kernel: Kernel) -> None:
    cell = (
        "def cubes(a: int, b: int, c: int):\n"
        "    assume(a > 10**6 and b > a and c > b)\n"
        "    assert a**3 + b**3 != c**3\n"
        "verify(cubes)"
    )

    def interrupt() -> None:
        time.sleep(3)
        kernel.manager.interrupt_kernel()

    start = time.monotonic()
    (error,) = errors(kernel.run(cell, interrupt))
    assert error["ename"] == "KeyboardInterrupt"
    assert time.monotonic() - start < FOREVER
    assert "9" in shown(kernel.run("4 + 5"), "text/plain")
    assert "f(x=7)" in shown(kernel.run("verify(f)"), "text/plain")
