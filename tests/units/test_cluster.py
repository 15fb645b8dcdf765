"""Units on a cluster of real processes on the loopback address, and what may befall them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from distributed import Future

import solvent
from solvent.cli import depending, main
from solvent.errors import QueryError
from solvent.queries import Session, ask_all, question
from solvent.solvers.splitting import Conquest
from solvent.solvers.status import Status
from solvent.units.cluster import Cluster, ClusterError, Security
from solvent.units.pieces import on_pool
from solvent.units.unit import Limits, Reply, Unit
from tests.cli.test_spreading import COUNTER
from tests.patience import FOREVER, patient
from tests.solvers.test_splitting import multiplier
from tests.units.harness import LOOPBACK, PATH, Processes, eventually, free_port
from tests.units.questions import never_negative

PROGRAM = """
from package import helper

def good(x: int) -> int:
    assert helper.K + x != x
    return x

def bad(x: int) -> None:
    assert x != 3

def outside(x: int) -> None:
    assert x == x
"""


READS = """
def f(x: int) -> None:
    assert len(open(__file__).read()) > 3
"""


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """A scheduler and two workers for all tests of this file."""
    with Processes(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def nap(number: int, seconds: float = 0.0, **more: object) -> Unit:
    return Unit("nap", f"nap {number}", {"seconds": seconds, "number": number, **more})


def replies(cluster: Cluster, units: list[Unit]) -> dict[int, Reply]:
    return {index: reply for index, _, reply in cluster.run(units)}


def numbers(found: dict[int, Reply]) -> dict[int, object]:
    return {
        index: (reply.answer or {"number": reply.problem})["number"]
        for index, reply in found.items()
    }


def expected(count: int) -> dict[int, object]:
    return {number: number for number in range(count)}


def test_units_with_limits(processes: Processes) -> None:
    shown: list[str] = []
    units = [
        *(nap(number, 0.05) for number in range(6)),
        Unit("nap", "late", {"seconds": 600}, limits=Limits(seconds=0.5)),
        Unit("nap", "large", {"seconds": 0, "megabytes": 1 << 20}, limits=Limits(memory=1 << 32)),
    ]
    with Cluster(processes.address) as cluster:
        found = {index: reply for index, _, reply in cluster.run(units, shown.append)}
        assert len(cluster.workers()) == 2
    assert numbers(found) == {
        **expected(6),
        6: "it was ended after 0.5 s",
        7: "it needs more than its 4096 MB of memory",
    }
    assert any("running: " in line for line in shown)


def test_nothing_listens_beyond_this_machine(processes: Processes) -> None:
    """Neither what is started as the manual says, nor the client, while units are done."""
    with Cluster(processes.address) as cluster:
        heard: set[str] = set()
        for _ in cluster.run([nap(number, 0.2) for number in range(4)]):
            heard |= processes.listening()
            ours = psutil.Process().net_connections("inet")
            assert [one for one in ours if one.status == psutil.CONN_LISTEN] == []
    assert heard == {LOOPBACK}


def test_functions_are_sent_with_their_sources(
    processes: Processes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same answers as here, from workers that see no file of this folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(depending, "MARGIN", 0)
    Path("package").mkdir()
    Path("package/__init__.py").write_text("")
    Path("package/helper.py").write_text("K = 1\n")
    Path("package/program.py").write_text(PROGRAM)
    Path("package/reads.py").write_text(READS)
    Path("pyproject.toml").touch()

    def rows(*more: str) -> list[dict[str, object]]:
        assert main(["verify", "package", "--json", *more]) == 1
        found = json.loads(capsys.readouterr().out)["results"]
        return [{**row, "stats": None, "coverage": None} for row in found]

    here = rows("--no-cache", "--jobs", "1")
    there = rows("--cluster", processes.address)
    assert there == here
    assert [row["function"] for row in there] == ["good", "bad", "outside", "f"]
    # Tests of functions are written here, from what workers have explored.
    for folder, more in (("one", ["--jobs", "1"]), ("other", ["--cluster", processes.address])):
        assert main(["test", "package", "-o", f"{folder}/tests", *more]) == 0
    written = {path.name: path.read_text() for path in Path("one/tests").iterdir()}
    assert written == {path.name: path.read_text() for path in Path("other/tests").iterdir()}
    assert "bad(3)" in written["test_package_program_bad.py"]
    assert main(["test", "package", "--from-findings", "--cluster", processes.address]) == 0
    assert "bad(x=3)" in capsys.readouterr().out
    # What workers have found is kept here.
    again = {str(row["function"]): row.get("cached", False) for row in rows()}
    assert again == {"good": True, "bad": True, "outside": True, "f": False}


def test_a_worker_has_so_much_memory(processes: Processes) -> None:
    """A unit that needs more than its worker has is ended, and its worker goes on."""
    small = processes.start_worker("--memory-limit", "4GiB", "--name", "small")
    try:
        with Cluster(processes.address) as cluster:
            assert eventually(lambda: len(cluster.workers()) == 3, FOREVER)
            for number in range(2):
                processes.kill_worker(number)
            assert eventually(lambda: len(cluster.workers()) == 1, FOREVER)
            large = Unit("nap", "large", {"seconds": 0, "megabytes": 1 << 20})
            found = replies(cluster, [large, nap(1)])
            assert found[0].problem == "it needs more than its 4096 MB of memory"
            assert found[1].answer == {"slept": 0.0, "number": 1}
    finally:
        processes.end(small)
        for number in range(2):
            processes.workers[number] = processes.start_worker()


def test_a_worker_that_is_killed(processes: Processes) -> None:
    """In the middle of a unit: it is done by another, and nothing is lost."""
    with Cluster(processes.address) as cluster:
        found: dict[int, Reply] = {}
        for index, _, reply in cluster.run([nap(number, 0.3) for number in range(12)]):
            found[index] = reply
            if len(found) == 3:
                processes.kill_worker(0)
        assert numbers(found) == expected(12)
        processes.workers[0] = processes.start_worker()
        assert eventually(lambda: len(cluster.workers()) == 2, FOREVER)


def test_a_client_that_goes_away(processes: Processes) -> None:
    """What it wanted is ended, and the next client finds idle workers."""
    text = (
        "from solvent.units.cluster import Cluster\n"
        "from solvent.units.unit import Unit\n"
        f"with Cluster({processes.address!r}) as cluster:\n"
        "    units = [Unit('nap', 'n', {'seconds': 600, 'number': n}) for n in range(2)]\n"
        "    print('sent', flush=True)\n"
        "    list(cluster.run(units))\n"
    )
    client = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE)
    assert client.stdout is not None
    assert client.stdout.readline() == b"sent\n"
    with processes.client() as watcher:

        def running() -> int:
            return sum(map(len, watcher.processing().values()))

        assert eventually(lambda: running() == 2, FOREVER)
        client.kill()
        client.wait()
        assert eventually(lambda: running() == 0, FOREVER)
    with Cluster(processes.address) as cluster:
        started = time.monotonic()
        assert numbers(replies(cluster, [nap(number) for number in range(4)])) == expected(4)
        assert time.monotonic() - started < patient(60)


def test_ctrl_c_ends_what_runs_anywhere(processes: Processes) -> None:
    """What is known is told, what runs here and elsewhere is ended, and nobody waits for it."""
    endless = {"seconds": 3_600}
    units = [
        nap(0),
        Unit("nap", "there", endless),
        Unit("nap", "here", endless, only_here="it looks around"),
    ]
    shown: list[str] = []
    with Cluster(processes.address) as cluster, processes.client() as watcher:
        run = cluster.run(units, shown.append)
        assert next(run)[0] == 0
        before = time.monotonic()
        told = [run.throw(KeyboardInterrupt()), next(run)]
        with pytest.raises(KeyboardInterrupt):
            next(run)
        assert [unit.name for _, unit, _ in told] == ["there", "here"]
        assert all(reply.problem.startswith("it was stopped") for _, _, reply in told)
        assert not any(reply.finished for _, _, reply in told)
        assert eventually(lambda: not any(watcher.processing().values()), FOREVER)
    assert time.monotonic() - before < patient(60)


def test_a_reply_that_is_lost_on_its_way(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker dies when it has finished: the unit is done again."""
    right, lost = Future.result, [1, 4]

    def result(future: Future, timeout: float | None = None) -> object:
        if lost:
            lost.pop()
            raise TimeoutError
        return right(future, timeout)

    monkeypatch.setattr(Future, "result", result)
    with Cluster(processes.address) as cluster:
        assert numbers(replies(cluster, [nap(number) for number in range(4)])) == expected(4)
    assert not lost


def test_a_worker_of_another_version(processes: Processes, tmp_path: Path) -> None:
    """It is asked for nothing; and if there is no other, one sentence says so."""
    altered = tmp_path / "altered"
    altered.mkdir()
    (altered / "sitecustomize.py").write_text(
        "import importlib.metadata as metadata\n"
        "right = metadata.version\n"
        "metadata.version = lambda name: '0.0' if name == 'bitwuzla' else right(name)\n"
    )
    stranger = processes.start_worker(PYTHONPATH=f"{altered}{os.pathsep}{PATH}")
    try:
        with Cluster(processes.address) as cluster:
            assert eventually(lambda: len(cluster.workers()) == 3, FOREVER)
            found = replies(cluster, [nap(number, 0.05) for number in range(9)])
            assert numbers(found) == expected(9)
            assert all(text.startswith("bitwuzla 0.0, here ") for text in cluster.others.values())
        with Cluster(processes.address) as cluster:
            assert len(cluster.others) == 1
    finally:
        os.killpg(stranger.pid, signal.SIGKILL)
        stranger.wait()


def test_no_scheduler_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "p.py"
    file.write_text("def f(x: int) -> None:\n    pass\n")
    for address in (f"tcp://{LOOPBACK}:{free_port()}", "nonsense://x"):
        with (
            pytest.raises(ClusterError, match="no scheduler of Dask"),
            Cluster(address, patience=1),
        ):
            pass
    assert main(["verify", str(file), "--cluster", "tls://127.0.0.1:1"]) == 2
    assert "give --cluster-ca FILE" in capsys.readouterr().err
    with pytest.raises(ClusterError, match="there is no such file"):
        Cluster("tls://127.0.0.1:1", Security("a", "b", "c"))


def test_what_cannot_be_sent_is_one_sentence(processes: Processes) -> None:
    """Questions of Python on the executor of Dask."""
    with processes.client() as client:
        executor = client.get_executor(pure=False)
        asked = [question(solvent.verify, never_negative, n) for n in (1, -1)]
        assert [one.holds for one in ask_all(asked, executor)] == [True, False]
        lock = question(solvent.verify, never_negative, threading.Lock())
        with pytest.raises(QueryError, match="cannot be sent to another process"):
            ask_all([lock], executor)


def test_a_unit_that_cannot_be_sent_or_done_loses_no_other(processes: Processes) -> None:
    units = [
        nap(0),
        nap(1, what={1, 2}),
        Unit("depth", "no model", {"model": "?", "depth": 0, "solver": None, "timeout": None}),
        nap(3),
    ]
    with Cluster(processes.address) as cluster:
        found = replies(cluster, units)
    assert {number for number, reply in found.items() if reply.answer is not None} == {0, 3}
    assert found[1].problem.startswith("it cannot be sent: ")
    assert found[2].problem.startswith("<btor2>(1,1): Error: the number of a node is expected")


def test_a_session_in_pieces(processes: Processes) -> None:
    """Its questions are text, so that workers need nothing of what they are about."""

    def factored(x: int, y: int) -> None:
        if 1 < x <= y:
            assert x * y != 391

    def doubled(x: int, y: int) -> None:
        if 0 < x < 40 and 0 < y < 40:
            assert x * x != 2 * y * y

    with (
        processes.client() as client,
        Session(executor=client.get_executor(), share=0.001) as session,
    ):
        found = session.verify(factored)
        assert (found.inputs, found.confirmed) == ({"x": 17, "y": 23}, True)
        assert session.verify(doubled).holds


def test_other_commands_say_the_same(
    processes: Processes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Procedures, programs and depths, with pieces of a question."""
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").touch()
    Path("p.bpl").write_text(
        "procedure a(x: int) { assert x + 1 > x; }\nprocedure b(x: int) { assert x > 0; }\n"
    )
    Path("good.c").write_text("uint64_t main() { return 0; }")
    Path("bad.c").write_text("uint64_t main() { return 1; }")
    Path("m.btor2").write_text(COUNTER)
    for command, code in (
        (["boogie", "verify", "p.bpl"], 1),
        (["cstar", "check", "good.c", "bad.c"], 1),
        (["btor2", "check", "m.btor2", "--engine", "bmc", "--split", "-kmax", "5", "--all"], 1),
    ):
        outputs = []
        for more in (["--jobs", "2"], ["--cluster", processes.address]):
            assert main([*command, *more]) == code
            outputs.append(capsys.readouterr().out)
        assert outputs[0] == outputs[1]
    # One file alone is sent, too, and has the same fields as when it is checked here.
    fields = []
    for more in ([], ["--cluster", processes.address]):
        assert main(["cstar", "check", "bad.c", "--json", *more]) == 1
        said = json.loads(capsys.readouterr().out)
        fields.append({**said, "seconds": 0, "engine_seconds": 0, "target": []})
    assert fields[0] == fields[1]
    multiplied = multiplier(5)
    with Cluster(processes.address) as cluster:
        assert cluster.width == 2
        found = Conquest(multiplied, on_pool(cluster), width=cluster.width).run()
    assert found.status is Status.UNSAT


# --- faults -------------------------------------------------------------------------------------


def with_kills(processes: Processes, count: int, kills: int, seconds: float) -> dict[int, Reply]:
    """Units while workers are killed at random moments, each replaced by a new one."""
    chance = random.Random(24)
    moments = sorted(chance.sample(range(1, count - 2), kills))
    found: dict[int, Reply] = {}
    with Cluster(processes.address) as cluster:
        for index, _, reply in cluster.run([nap(number, seconds) for number in range(count)]):
            assert index not in found
            found[index] = reply
            while moments and len(found) >= moments[0]:
                moments.pop(0)
                time.sleep(chance.random() * seconds)
                number = chance.randrange(len(processes.workers))
                processes.kill_worker(number)
                processes.workers[number] = processes.start_worker()
    return found


@pytest.mark.mass
def test_twenty_kills_in_two_hundred_units(tmp_path: Path) -> None:
    with Processes(tmp_path, 3) as processes:
        with Cluster(processes.address) as cluster:
            right = numbers(replies(cluster, [nap(number, 0.2) for number in range(200)]))
        assert right == expected(200)
        assert numbers(with_kills(processes, 200, 20, 0.2)) == right


@pytest.mark.mass
def test_two_kills_in_twenty_units(processes: Processes) -> None:
    assert numbers(with_kills(processes, 20, 2, 0.2)) == expected(20)


@pytest.mark.mass
def test_the_scheduler_is_restarted(processes: Processes) -> None:
    """All that was not answered is sent again."""
    found: dict[int, Reply] = {}
    with Cluster(processes.address) as cluster:
        for index, _, reply in cluster.run([nap(number, 0.2) for number in range(10)]):
            assert index not in found
            found[index] = reply
            if len(found) == 3:
                processes.restart_scheduler()
    assert numbers(found) == expected(10)


@pytest.mark.mass
def test_tls_with_certificates_of_ones_own(tmp_path: Path) -> None:
    """Made with openssl; who has none is not let in."""
    ca, cert, key = make_certificates(tmp_path)
    files = ["--tls-ca-file", ca, "--tls-cert", cert, "--tls-key", key]
    with Processes(tmp_path, 1, tls=files) as processes:
        with Cluster(processes.address, Security(ca, cert, key)) as cluster:
            assert numbers(replies(cluster, [nap(number) for number in range(3)])) == expected(3)
        plain = processes.address.replace("tls://", "tcp://")
        with pytest.raises(ClusterError, match="no scheduler"), Cluster(plain, patience=1):
            pass


def make_certificates(folder: Path) -> tuple[str, str, str]:
    """An authority, and a certificate that it has signed for this machine."""
    ca, ca_key = folder / "ca.pem", folder / "ca.key"
    cert, key, asked = folder / "cert.pem", folder / "key.pem", folder / "asked.pem"
    new = ("req", "-newkey", "rsa:2048", "-nodes", "-days", "2")
    for arguments in (
        (*new, "-x509", "-subj", "/CN=solvent-ca", "-keyout", str(ca_key), "-out", str(ca)),
        (*new[:-2], "-subj", "/CN=127.0.0.1", "-keyout", str(key), "-out", str(asked)),
        (
            *("x509", "-req", "-in", str(asked), "-CA", str(ca), "-CAkey", str(ca_key)),
            *("-days", "2", "-CAcreateserial", "-out", str(cert)),
        ),
    ):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)
    return str(ca), str(cert), str(key)
