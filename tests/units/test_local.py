"""Units in forks of this process: side by side, with limits, and none loses another."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from solvent.errors import SolventError, UnknownSolverError
from solvent.units.bundle import Bundle, BundleError
from solvent.units.frames import write_frame
from solvent.units.local import Local, RefusedError
from solvent.units.nursery import Nursery, NurseryDiedError, request
from solvent.units.unit import Limits, Reply, Unit, UnsentError, canonical, decoded, encoded
from solvent.units.versions import difference, versions
from tests.patience import patient


def nap(number: int, seconds: float = 0.0, **more: object) -> Unit:
    return Unit("nap", f"nap {number}", {"seconds": seconds, "number": number, **more})


def replies(units: list[Unit], jobs: int = 2) -> dict[int, Reply]:
    return {index: reply for index, _, reply in Local(jobs).run(units)}


def test_all_come_back_with_their_numbers() -> None:
    found = replies([nap(number) for number in range(9)], 3)
    assert {index: (r.answer or {})["number"] for index, r in found.items()} == {
        number: number for number in range(9)
    }


def test_so_many_at_a_time() -> None:
    started = time.monotonic()
    replies([nap(number, 0.4) for number in range(4)], 4)
    four = time.monotonic() - started
    started = time.monotonic()
    replies([nap(number, 0.4) for number in range(4)], 1)
    one = time.monotonic() - started
    assert one >= 1.6
    assert four < one


def die(tell: object) -> dict[str, object]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def fail(tell: object) -> dict[str, object]:
    raise ValueError("no reason")


def leave(tell: object) -> dict[str, object]:
    os._exit(0)


def test_what_goes_wrong_with_one_is_no_matter_to_others() -> None:
    units = [
        nap(0),
        Unit("nap", "dies", {}, here=die),
        Unit("nap", "fails", {}, here=fail),
        Unit("nap", "leaves", {}, here=leave),
        Unit("nap", "complains", {}, here=complain),
        Unit("nap", "late", {"seconds": 600}, limits=Limits(seconds=0.3)),
        Unit("nap", "large", {"seconds": 0, "megabytes": 1 << 20}, limits=Limits(memory=1 << 32)),
        nap(7),
    ]
    found = replies(units)
    assert {index for index, reply in found.items() if reply.answer is not None} == {0, 7}
    assert "SIGKILL" in found[1].problem
    assert "ValueError: no reason" in found[2].problem
    assert "without an answer" in found[3].problem
    assert found[4].problem == "this formula has no translation"
    assert found[5].problem == "it was ended after 0.3 s"
    assert found[6].problem == "it needs more than its 4096 MB of memory"


def refuse(tell: object) -> dict[str, object]:
    raise UnknownSolverError("there is no such solver")


def complain(tell: object) -> dict[str, object]:
    raise SolventError("this formula has no translation")


def test_a_command_that_is_wrong_ends_everything() -> None:
    with pytest.raises(RefusedError, match="no such solver"):
        replies([Unit("nap", "wrong", {}, here=refuse), nap(1, 600)])


def test_units_are_asked_for_when_they_can_begin() -> None:
    begun: list[int] = []

    def units() -> Iterator[Unit]:
        for number in range(6):
            begun.append(number)
            yield nap(number)

    for index, _, _ in Local(1).run(units()):
        assert len(begun) <= index + 1


def test_data_of_all_kinds() -> None:
    data = {"text": "\ud800 ü", "number": 10**5_000, "list": [1, None, True]}
    assert decoded(encoded(data)) == data
    assert canonical({"a": 1, "b": 2}) == canonical({"b": 2, "a": 1})
    with pytest.raises(ValueError, match="JSON object"):
        decoded(b"[]")


def test_what_json_cannot_say_is_not_sent() -> None:
    """Rather than something else in its place."""
    for data in ({"a": {1, 2}}, {"a": [object()]}, {"a": threading.Lock()}):
        with pytest.raises(UnsentError, match="it cannot be sent"):
            request(Unit("nap", "a nap", {"seconds": 0, **data}))


def test_a_bundle_never_leaves_its_folder(tmp_path: Path) -> None:
    folder = tmp_path
    for name in ("../outside.py", "/etc/outside", "a/../../b"):
        with pytest.raises(BundleError, match="outside"):
            Bundle(str(folder), ".", {name: b""}).written(folder / "inner")
    (folder / "a").mkdir()
    (folder / "a" / "b.py").write_text("x = 1\n")
    bundle = Bundle.of([folder / "a" / "b.py"], folder / "a")
    again = Bundle.unpacked(bundle.packed())
    assert (again.files, again.here, again.digest) == (bundle.files, bundle.here, bundle.digest)
    (folder / "a" / "b.py").write_text("x = 2\n")
    assert Bundle.of([folder / "a" / "b.py"], folder / "a").digest != bundle.digest
    said = {"file": "/T/a/b.py:3", "more": ["/T/a"]}
    base = str(folder / "a")
    assert bundle.translated(said, "/T") == {"file": f"{base}/a/b.py:3", "more": [f"{base}/a"]}


def test_versions_are_compared() -> None:
    assert difference(versions(), dict(versions())) == ""
    assert "python 3.1" in difference(versions(), {**versions(), "python": "3.1"})
    assert "z3-solver unknown" in difference(
        versions(), {key: value for key, value in versions().items() if key != "z3-solver"}
    )


def test_a_nursery_keeps_its_promises() -> None:
    """One process: limits, what nobody wants, a death, and that it is not taken for an answer."""
    with Nursery() as nursery:
        assert nursery.versions == versions()
        late = Unit("nap", "late", {"seconds": 600}, limits=Limits(seconds=0.3))
        assert nursery.ask(request(late), b"")["problem"] == "it was ended after 0.3 s"
        large = Unit(
            "nap", "large", {"seconds": 0, "megabytes": 1 << 20}, limits=Limits(memory=1 << 32)
        )
        assert "more than its 4096 MB" in str(nursery.ask(request(large), b"")["problem"])
        started = time.monotonic()
        found = nursery.ask(request(nap(1, 600)), b"", is_wanted=lambda: False)
        assert found["problem"] == "nobody wants it any more"
        assert time.monotonic() - started < patient(20)
        # A wish that comes too late does not touch the next unit.
        write_frame(nursery._requests, b"stop")
        assert "no unit of kind 'x'" in str(nursery.ask(request(Unit("x", "x", {})), b""))
        assert nursery.ask(request(nap(7)), b"")["answer"] == {"slept": 0.0, "number": 7}
        nursery._process.kill()
        with pytest.raises(NurseryDiedError):
            nursery.ask(request(nap(8)), b"")
