"""Objects of C types: what some paths only do to them is undone and merged exactly, or refused.

PYTEST_DONT_REWRITE: some assertions in here are part of the programs.
"""

from __future__ import annotations

import array
import contextlib
import contextvars
import csv
import decimal
import functools
import hashlib
import hmac
import io
import logging
import os
import random
import re
import shlex
import socket
import sys
import threading
import types
import warnings
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from solvent import Bool, verify
from solvent.errors import NotLiftedError
from solvent.lift.execution import execute
from solvent.lift.under_model import evaluate
from tests.lift.differential import agree

BOOLS = [False, True]
SMALL = range(3)


# --- programs that must agree with CPython on every input -----------------------------------------


def text_read(p: bool) -> Any:
    s = io.StringIO("ab")
    if p:
        s.read(1)
    return s.read(1)


def text_written(p: bool, q: bool) -> Any:
    s = io.StringIO()
    s.write("start ")
    if p:
        s.write("p")
    if q:
        s.write("q")
    else:
        s.seek(1)
        s.truncate()
    return s.getvalue(), s.tell()


def text_lines(p: bool, q: bool) -> Any:
    s = io.StringIO("a\nb\nc\n")
    if p:
        next(s)
    found = []
    for line in s:
        found.append(line)
        if q:
            break
    return found, s.read()


def text_closed(p: bool) -> Any:
    s = io.StringIO("a")
    if p:
        s.close()
    return s.closed, s.read()


def text_aliased(p: bool, q: bool) -> Any:
    s = io.StringIO()
    streams = [s, io.StringIO()]
    target = streams[0] if p else streams[1]
    target.write("x")
    if q:
        s.write("y")
    return [stream.getvalue() for stream in streams]


def text_printed(p: bool, n: int) -> Any:
    s = io.StringIO()
    if p:
        print("a", 1, sep="-", file=s)
    if n == 1:
        with contextlib.redirect_stdout(s):
            print("b")
    return s.getvalue()


def bytes_written(p: bool, q: bool) -> Any:
    s = io.BytesIO(b"abc")
    if p:
        s.seek(0, 2)
    s.write(b"xy")
    if q:
        s.read()
    return s.getvalue(), s.tell(), list(s.getvalue())


def array_changed(p: bool, q: bool) -> Any:
    a = array.array("i", [3, 1, 2])
    b = a
    if p:
        a.append(7)
    if q:
        b[0] = 9
        del b[1]
    else:
        a.extend([5, 6])
    a += array.array("i", [0])
    return a.tolist(), list(a), len(b), a[0], 9 in b, a == b, a[-1], bool(a), sum(a), a.count(5)


def array_grows_while_iterated(p: bool) -> Any:
    a = array.array("b", [1, 2])
    seen = []
    for item in a:
        seen.append(item)
        if p and len(a) < 4:
            a.append(item + 2)
    return seen, a.tolist()


def array_compared(p: bool) -> Any:
    a, b = array.array("d", [1.0]), array.array("d", [1.0, 2.0])
    if p:
        a.append(2.0)
    return a == b, a < b, a + b == array.array("d", [1.0, 1.0, 2.0]), (a * 2).tolist(), str(a)


def numbers_drawn(p: bool, q: bool) -> Any:
    source = random.Random(7)
    if p:
        source.random()
    first = source.randint(0, 1000)
    if q:
        source.seed(3)
    return first, source.random(), source.choice([1, 2, 3])


def hashes(p: bool, q: bool) -> Any:
    h = hashlib.sha256(b"a")
    if p:
        h.update(b"b")
    other = h.copy()
    if q:
        h.update(b"c")
    return h.hexdigest(), other.hexdigest(), h.name


def keyed_hashes(p: bool) -> Any:
    h = hmac.new(b"key", b"a", "sha256")
    if p:
        h.update(b"b")
    return h.hexdigest()


def compressed(p: bool) -> Any:
    c = zlib.compressobj()
    data = c.compress(b"a" * 50)
    if p:
        data += c.compress(b"b" * 50)
    data += c.flush()
    d = zlib.decompressobj()
    out = d.decompress(data)
    if p:
        d.flush()
    return out, d.eof, d.unused_data


def rows_written(p: bool) -> Any:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["a", 1])
    if p:
        writer.writerow(["b", 2])
    return out.getvalue()


def records_written(p: bool) -> Any:
    out = io.StringIO()
    writer = csv.DictWriter(out, ["x", "y"])
    if p:
        writer.writeheader()
    writer.writerow({"x": 1, "y": 2})
    return out.getvalue()


def proxy(p: bool, n: int) -> Any:
    held = {"a": 1}
    view = types.MappingProxyType(held)
    if p:
        held["b"] = n
    held["a"] += n
    return (
        view["a"], "b" in view, len(view), list(view), view.get("b", 5), dict(view.items()),
        sorted(view.values()), view == {"a": 1}, bool(view), list(view.keys()), view | {"c": 3},
        {**view}, [key + "!" for key in view],
    )  # fmt: skip


def decimal_context(p: bool) -> Any:
    with decimal.localcontext() as context:
        if p:
            context.prec = 3
        third = decimal.Decimal(1) / decimal.Decimal(3)
        inner = decimal.getcontext().prec
    return str(third), inner, decimal.getcontext().prec


def decimal_flags(p: bool) -> Any:
    context = decimal.Context(prec=5)
    if p:
        context.divide(1, 3)
    return context.prec, str(context.divide(2, 3)), str(context.copy().divide(1, 8))


def decimal_set(p: bool) -> Any:
    before = decimal.getcontext().copy()
    if p:
        decimal.getcontext().prec = 4
    result = str(decimal.Decimal(1) / 7)
    decimal.setcontext(before)
    return result


def locked(p: bool) -> Any:
    lock, again = threading.Lock(), threading.RLock()
    if p:
        lock.acquire()
        with again:
            pass
    return lock.locked(), lock.acquire(blocking=False)


def split_by_shlex(p: bool) -> Any:
    lexer = shlex.shlex("a b c", posix=True)
    if p:
        lexer.get_token()
    return list(lexer), shlex.split("x 'y z'" if p else "w")


def called_back(p: bool) -> Any:
    seen: list[str] = []

    def note(match: Any) -> str:
        seen.append(match.group())
        return "-"

    text = re.sub("[ab]", note, "abc") if p else ""
    return text, seen


@dataclass
class Log:
    stream: Any = field(default_factory=io.StringIO)
    name: str = "log"

    def note(self, text: str) -> None:
        self.stream.write(text)


def inside_objects(p: bool, q: bool) -> Any:
    log = Log()
    if p:
        log.note("p")
    if q:
        log = Log()
        log.note("q")
    return log.stream.getvalue()


class Counting(io.StringIO):
    """A class of its own that derives from a C type."""

    calls = 0

    def write(self, text: str) -> int:
        self.calls += 1
        return super().write(text.upper())


def derived(p: bool) -> Any:
    s = Counting()
    if p:
        s.write("a")
    s.write("b")
    return s.getvalue(), s.calls


def caught(p: bool, q: bool) -> Any:
    s = io.StringIO("abc")
    try:
        s.read(1)
        if p:
            s.read(1)
            raise ValueError
        s.write("!")
    except ValueError:
        s.write("?")
    finally:
        if q:
            s.seek(0)
    return s.read(), s.getvalue()


def file_read_in_branch(p: bool) -> Any:
    if p:
        with open(__file__, encoding="utf-8") as source:
            return source.readline()
    return ""


def many_states(a: bool, b: bool, c: bool, d: bool) -> Any:
    s = io.StringIO()
    for flag in (a, b, c, d):
        if flag:
            s.write("x")
    return s.getvalue()


def parsed_numbers(p: bool) -> Any:
    total = decimal.Decimal("0.1")
    if p:
        total += decimal.Decimal("0.2")
    return str(total), total > decimal.Decimal("0.2"), str(-total), str(abs(total))


AGREE: list[tuple[Callable[..., Any], list[Any]]] = [
    (text_read, [BOOLS]), (text_written, [BOOLS, BOOLS]), (text_lines, [BOOLS, BOOLS]),
    (text_closed, [BOOLS]), (text_aliased, [BOOLS, BOOLS]), (text_printed, [BOOLS, SMALL]),
    (bytes_written, [BOOLS, BOOLS]), (array_changed, [BOOLS, BOOLS]),
    (array_grows_while_iterated, [BOOLS]), (array_compared, [BOOLS]),
    (numbers_drawn, [BOOLS, BOOLS]), (hashes, [BOOLS, BOOLS]), (keyed_hashes, [BOOLS]),
    (compressed, [BOOLS]), (rows_written, [BOOLS]), (records_written, [BOOLS]),
    (proxy, [BOOLS, SMALL]), (decimal_context, [BOOLS]), (decimal_flags, [BOOLS]),
    (decimal_set, [BOOLS]), (locked, [BOOLS]), (split_by_shlex, [BOOLS]), (called_back, [BOOLS]),
    (inside_objects, [BOOLS, BOOLS]), (derived, [BOOLS]), (caught, [BOOLS, BOOLS]),
    (file_read_in_branch, [BOOLS]), (many_states, [BOOLS] * 4),
    (parsed_numbers, [BOOLS]),
]  # fmt: skip


@pytest.mark.parametrize(("program", "domains"), AGREE, ids=[row[0].__name__ for row in AGREE])
def test_agrees_with_cpython(program: Callable[..., Any], domains: list[Any]) -> None:
    agree(program, *domains)


# --- queries: objects that were there before the run ---------------------------------------------

# The replay of a failure in CPython does change them: each is used by one program.
STREAM = io.StringIO("ab")
SOURCE = random.Random(5)
ITEMS = array.array("i", [1, 2])
DIGEST = hashlib.md5(b"a")
ITERATOR = iter([1, 2, 3])
VARIABLE: contextvars.ContextVar[int] = contextvars.ContextVar("variable", default=0)


def reads_a_global(p: bool) -> None:
    if p:
        STREAM.read(1)
    assert STREAM.read(1) == "b"


def draws_from_a_global(p: bool) -> None:
    first = SOURCE.random()
    if p:
        SOURCE.seed(5)
    assert SOURCE.random() != first


def appends_to_a_global(p: bool) -> None:
    if p:
        ITEMS.append(3)
    assert len(ITEMS) == 2


def digests_into_a_global(p: bool) -> None:
    if p:
        DIGEST.update(b"b")
    assert DIGEST.digest() == hashlib.md5(b"a").digest()


@pytest.mark.parametrize(
    ("program", "failing"),
    [(reads_a_global, False), (draws_from_a_global, True), (appends_to_a_global, True),
     (digests_into_a_global, True)],
)  # fmt: skip
def test_a_query_finds_what_objects_of_the_module_do(program: Any, failing: bool) -> None:
    answer = verify(program)
    assert answer.holds is False
    assert answer.inputs == {"p": failing}
    assert answer.confirmed, str(answer)


def test_a_proof_leaves_no_trace() -> None:
    stream, source = io.StringIO("ab"), random.Random(1)
    items, digest = array.array("i", [1]), hashlib.md5(b"a")

    def program(p: bool) -> None:
        if p:
            stream.read()
            source.random()
            items.append(1)
            digest.update(b"x")
        assert stream.tell() in (0, 2)
        stream.seek(1)

    before = stream.tell(), source.getstate(), items.tolist(), digest.digest()
    assert verify(program).holds
    assert before == (stream.tell(), source.getstate(), items.tolist(), digest.digest())


def test_the_result_of_a_run_has_the_state_of_its_path() -> None:
    def program(p: bool) -> Any:
        s, a, h = io.StringIO("x"), array.array("i"), hashlib.md5()
        if p:
            s.read()
            a.append(1)
            h.update(b"z")
        return s, a, h

    p = Bool("p")
    outcome = execute(program, p)
    for value in BOOLS:
        stream, items, digest = evaluate(outcome.value, {p: value})
        expected = program(value)
        assert stream.tell() == expected[0].tell()
        assert items == expected[1]
        assert digest.digest() == expected[2].digest()


def test_states_do_not_multiply() -> None:
    def program(*flags: Any) -> Any:
        s = io.StringIO()
        for flag in flags:
            if flag:
                s.write("x")
        return len(s.getvalue())

    flags = [Bool(f"b{place}") for place in range(12)]
    outcome = execute(program, *flags)
    # With 12 flags there are 13 different states, not 4,096.
    assert outcome.stats.joins < 13 * 13
    assert evaluate(outcome.value, dict.fromkeys(flags, True)) == 12


# --- what cannot be undone is refused -------------------------------------------------------------


def sets_a_variable(p: bool) -> Any:
    if p:
        VARIABLE.set(1)
    return VARIABLE.get()


def sets_the_environment(p: bool) -> Any:
    if p:
        os.environ["SOLVENT_TEST_OF_THE_ENVIRONMENT"] = "1"
    return "SOLVENT_TEST_OF_THE_ENVIRONMENT" in os.environ


def sets_the_recursion_limit(p: bool) -> Any:
    if p:
        sys.setrecursionlimit(5000)
    return sys.getrecursionlimit()


def changes_directory(p: bool) -> Any:
    if p:
        os.chdir("/")
    return os.getcwd()


def writes_a_file(p: bool) -> Any:
    if p:
        with open("/tmp/solvent-test-of-foreign", "w", encoding="utf-8") as file:
            file.write("x")
    return p


def removes_a_file(p: bool) -> Any:
    if p:
        Path("/tmp/solvent-test-of-foreign").unlink()
    return p


def opens_a_socket(p: bool) -> Any:
    with socket.socket() as found:
        if p:
            found.close()
        return found.fileno()


def reads_on_in_a_file(p: bool) -> Any:
    with open(__file__, encoding="utf-8") as file:
        if p:
            file.readline()
        return file.readline()


def reads_in_a_loop_that_is_left(p: bool) -> Any:
    with open(__file__, encoding="utf-8") as file:
        for _ in range(2):
            file.readline()
            if p:
                break
        return file.readline()


def steps_an_iterator_of_the_module(p: bool) -> Any:
    if p:
        next(ITERATOR)
    return p


def loops_over_an_iterator_of_the_module(p: bool) -> Any:
    if p:
        for _ in ITERATOR:
            break
    return p


def evaluates_text(p: bool) -> Any:
    seen: list[int] = []
    if p:
        eval("seen.append(1)", {"seen": seen})
    return seen


def runs_generated_code(p: bool) -> Any:
    if p:
        GENERATED()
    return p


def reads_with_a_reader(p: bool) -> Any:
    rows = csv.reader(["a,b", "c,d"])
    if p:
        next(rows)
    return next(rows)


def reads_the_line_of_a_reader(p: bool) -> Any:
    rows = csv.reader(["a,b", "c,d"])
    if p:
        next(rows)
    return rows.line_num


def reads_flags(p: bool) -> Any:
    context = decimal.Context(prec=5)
    if p:
        context.divide(1, 3)
    return bool(context.flags[decimal.Inexact])


def starts_a_thread(p: bool) -> Any:
    if p:
        threading.Thread(target=print).start()
    return p


def writes_a_symbolic_text(n: bool) -> Any:
    s = io.StringIO()
    s.write(str(n))
    return s.getvalue()


GENERATED_SEEN: list[int] = []
_namespace: dict[str, Any] = {"seen": GENERATED_SEEN}
exec("def generated(): seen.append(1)", _namespace)
GENERATED = _namespace["generated"]

REFUSED = [
    sets_a_variable, sets_the_environment, sets_the_recursion_limit, changes_directory,
    writes_a_file, removes_a_file, opens_a_socket, reads_on_in_a_file,
    reads_in_a_loop_that_is_left, steps_an_iterator_of_the_module,
    loops_over_an_iterator_of_the_module, evaluates_text, runs_generated_code, reads_with_a_reader,
    reads_the_line_of_a_reader, reads_flags, starts_a_thread,
]  # fmt: skip


@pytest.mark.parametrize("program", REFUSED, ids=[program.__name__ for program in REFUSED])
def test_what_cannot_be_undone_is_refused(program: Callable[..., Any]) -> None:
    before = sys.getrecursionlimit(), os.getcwd(), VARIABLE.get()
    with pytest.raises(NotLiftedError) as refusal:
        execute(program, Bool("p"))
    assert before == (sys.getrecursionlimit(), os.getcwd(), VARIABLE.get())
    assert GENERATED_SEEN == []
    assert not Path("/tmp/solvent-test-of-foreign").exists()
    assert str(refusal.value)


def test_a_refusal_says_where_and_why() -> None:
    message = r"test_foreign\.py:\d+: `posix.chdir` .* cannot be undone"
    with pytest.raises(NotLiftedError, match=message):
        execute(changes_directory, Bool("p"))


def test_what_all_paths_do_is_not_refused(tmp_path: Path) -> None:
    def program(p: bool) -> Any:
        path = tmp_path / "file"
        path.write_text("a\nb\n", encoding="utf-8")
        with path.open(encoding="utf-8") as file:
            lines = list(file)
        return len(lines) + p

    assert verify(program, Bool("p")).holds


# --- output and warnings --------------------------------------------------------------------------


def test_logging_under_a_condition(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("solvent.test")
    handler = logging.StreamHandler(sys.stderr)
    logger.addHandler(handler)
    logger.propagate = False

    def program(p: bool) -> Any:
        logger.debug("never shown")
        if p:
            logger.warning("shown")
        return p

    try:
        execute(program, Bool("p"))
    finally:
        logger.removeHandler(handler)
    assert capsys.readouterr().err == "[if p] shown\n"


def test_what_is_written_to_the_terminal_says_its_condition(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def program(p: bool) -> Any:
        if p:
            sys.stdout.write("yes\n")
            sys.stdout.flush()
        return p

    execute(program, Bool("p"))
    assert capsys.readouterr().out == "[if p] yes\n"


def test_a_warning_that_is_only_shown_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    def program(p: bool) -> Any:
        if p:
            warnings.warn("careful", stacklevel=1)
        return p

    def shown(message: Any) -> None:
        raise AssertionError("shown on some paths")

    shown.__module__ = "warnings"
    monkeypatch.setattr(warnings, "_showwarnmsg_impl", shown)
    monkeypatch.setattr(warnings, "filters", [])
    monkeypatch.setattr(warnings, "showwarning", warnings._showwarning_orig)  # type: ignore[attr-defined]
    execute(program, Bool("p"))
    monkeypatch.setattr(warnings, "filters", [("error", None, Warning, None, 0)])
    with pytest.raises(NotLiftedError):
        execute(program, Bool("p"))


# --- caches ---------------------------------------------------------------------------------------


@functools.lru_cache
def squared(n: int) -> int:
    return n * n


def test_caches_of_functions_make_no_difference() -> None:
    def program(p: bool, n: int) -> Any:
        if p:
            squared(n)
            re.compile("a+b").match("ab")
        return squared(n), squared(3)

    agree(program, BOOLS, SMALL)
