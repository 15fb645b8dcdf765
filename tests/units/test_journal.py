"""Journals: what was finished is not done again, and what is not right is done again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solvent.units.journal import Journal
from solvent.units.unit import Reply, Unit


def unit(number: int) -> Unit:
    return Unit("nap", f"nap {number}", {"seconds": 0, "number": number})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with two finished units of a run that was stopped."""
    found = tmp_path / "journals" / "a.jsonl"
    journal = Journal(found, "around")
    for number in range(2):
        journal.add(unit(number), Reply({"number": number}))
    journal.add(unit(2), Reply({"number": 2}, finished=False))
    journal.add(unit(3), Reply(problem="it died"))
    journal.close(complete=False)
    return found


def known(path: Path, around: str = "around") -> set[int]:
    journal = Journal(path, around, resume=True)
    return {number for number in range(5) if journal.answer(unit(number)) is not None}


def test_what_is_finished_is_known(path: Path) -> None:
    assert known(path) == {0, 1}
    assert Journal(path, "around", resume=True).answer(unit(1)) == {"number": 1}


def test_what_no_text_tells_apart_is_done_again(tmp_path: Path) -> None:
    odd = Unit("nap", "a nap", {"seconds": 0, "what": object()})
    journal = Journal(tmp_path / "a.jsonl", "around")
    journal.add(odd, Reply({"number": 1}))
    journal.add(unit(0), Reply({"number": 0}))
    journal.close(complete=False)
    again = Journal(tmp_path / "a.jsonl", "around", resume=True)
    assert (len(again), again.answer(odd), again.answer(unit(0))) == (1, None, {"number": 0})


def test_what_answers_depend_on_matters(path: Path) -> None:
    assert known(path, "another version") == set()


def test_without_resume_it_begins_anew(path: Path) -> None:
    assert Journal(path, "around").answer(unit(0)) is None
    assert not path.exists()


def test_a_complete_run_needs_none(path: Path) -> None:
    journal = Journal(path, "around", resume=True)
    journal.add(unit(4), Reply({"number": 4}))
    assert (path.parent / ".gitignore").read_text() == "*\n"
    journal.close(complete=True)
    assert not path.parent.exists()


@pytest.mark.parametrize("complete", [True, False])
def test_a_full_disk_is_no_reason_to_fail(tmp_path: Path, complete: bool) -> None:
    found = tmp_path / "a.jsonl"
    journal = Journal(found, "around")
    found.symlink_to("/dev/full")
    for number in range(2):
        journal.add(unit(number), Reply({"number": number}))
    journal.close(complete=complete)
    assert found.is_symlink() != complete


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_line_that_was_cut_off(path: Path, cut: int) -> None:
    """Only the last one is lost, and what follows it is not."""
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    journal = Journal(path, "around", resume=True)
    journal.add(unit(4), Reply({"number": 4}))
    journal.close(complete=False)
    # The end of the line itself does not matter.
    assert known(path) == ({0, 4} if cut > 1 else {0, 1, 4})


def test_an_answer_that_was_edited(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
    lines[0]["answer"] = {"number": 99}
    lines[1]["key"], lines[0]["key"] = lines[0]["key"], lines[1]["key"]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert known(path) == set()


# Who unpickles this opens a file.
PICKLED = b"cbuiltins\nopen\n(S'opened'\nS'w'\ntR."


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"{", b"[]\n{}\n", b"[" * 50_000, PICKLED])
def test_a_damaged_journal_is_empty(
    path: Path, damage: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    path.write_bytes(damage)
    assert known(path) == set()
    assert not Path("opened").exists()


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = Journal(tmp_path / "file" / "a.jsonl", "around")
    journal.add(unit(0), Reply({"number": 0}))
    journal.close(complete=False)
