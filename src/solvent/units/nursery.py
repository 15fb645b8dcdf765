"""A process that has imported what units need, and does them one after the other in forks.

Whoever does units beside other things, such as a worker of Dask, which has threads, must not fork
by itself.  It starts a nursery (`Nursery`) and sends it requests through a pipe.  A fork gets the
files of its unit in a folder of its own, keeps to the limits, and can die without any harm; it is
ended together with the nursery, and that with who has started it.
"""

from __future__ import annotations

import hashlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from solvent.errors import SolventError
from solvent.race.lanes import Broken, Lane, Report
from solvent.units.bundle import Bundle
from solvent.units.frames import read_frame, write_frame
from solvent.units.local import broken
from solvent.units.unit import (
    REFUSALS,
    ElsewhereError,
    Limits,
    Tell,
    Unit,
    canonical,
    decoded,
    doing,
    encoded,
    is_from_outside,
    perform,
)
from solvent.units.versions import versions
from solvent.verdicts.rendering import Json

_PAUSE_SECONDS = 0.1
_STOP = b"stop"


def _mark(request: bytes) -> str:
    """What the reply to a request must have."""
    return hashlib.sha256(request).hexdigest()


class NurseryDiedError(Exception):
    """The process is gone, and what it was doing with it."""


# --- for who asks ---------------------------------------------------------------------------------


class Nursery:
    """A nursery, to be asked for one unit at a time.

    >>> with Nursery() as nursery:
    ...     nursery.ask(request(Unit("nap", "a nap", {"seconds": 0})), b"")["answer"]
    {'slept': 0}
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "solvent.units.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests = self._process.stdin.fileno()
        self._replies = self._process.stdout.fileno()
        # Who it is.
        self.versions = {name: str(value) for name, value in self._next().items()}

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def ask(
        self,
        request: bytes,
        bundle: bytes,
        tell: Tell = lambda text: None,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> Json:
        """The reply to a request: an `answer` or a `problem`; `NurseryDiedError` if none comes.

        When nobody wants it any more the unit is ended.
        """
        try:
            write_frame(self._requests, request)
            write_frame(self._requests, bundle)
            stopped = False
            while True:
                ready, _, _ = select.select([self._replies], [], [], 2 * _PAUSE_SECONDS)
                if ready:
                    reply = self._next()
                    if "said" in reply:
                        tell(str(reply["said"]))
                    elif reply.pop("asked", "") == _mark(request):
                        return reply
                    else:
                        raise ValueError("this is the reply to another request")
                if not stopped and not is_wanted():
                    stopped = True
                    write_frame(self._requests, _STOP)
        except (OSError, ValueError) as error:
            self.close()
            raise NurseryDiedError(str(error)) from None

    def _next(self) -> Json:
        data = read_frame(self._replies)
        if data is None:
            self.close()
            raise NurseryDiedError("the process that does units has died")
        return decoded(data)

    def close(self) -> None:
        """End it, with all that it does."""
        with suppress(ProcessLookupError, PermissionError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def request(unit: Unit, folder: str = "") -> bytes:
    """What a nursery is asked: to do a unit, in a folder of this machine or where its files are.

    It is all that the unit says, or `UnsentError`: nothing is made another thing on its way.
    """
    limits = {"seconds": unit.limits.seconds, "memory": unit.limits.memory}
    asked: Json = {"kind": unit.kind, "data": unit.data, "limits": limits, "folder": folder}
    return canonical(asked).encode()


# --- the process itself ---------------------------------------------------------------------------


def main() -> None:
    """Do what is asked for, until nobody is left who could ask."""
    # What a unit prints must not be taken for a reply.
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hello: Json = dict(versions())
    write_frame(replies, encoded(hello))
    while True:
        asked = read_frame(requests)
        if asked == _STOP:
            # It came too late: what was to be stopped has ended by itself.
            continue
        bundle = None if asked is None else read_frame(requests)
        if asked is None or bundle is None:
            return
        reply = _done(decoded(asked), bundle, requests, replies)
        write_frame(replies, encoded({**reply, "asked": _mark(asked)}))


def _done(asked: Json, data: bytes, requests: int, replies: int) -> Json:
    """Do a unit; while it runs somebody may want it to end, or be gone."""
    given = asked["limits"]
    assert isinstance(given, dict)
    limits = Limits(given["seconds"], given["memory"])
    bundle = Bundle.unpacked(data) if data else None
    kind = str(asked["kind"])
    if not is_from_outside(kind):
        with suppress(SolventError):
            # All units of the kind have it then; of one that does not exist the unit itself tells.
            doing(kind)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="solvent-", ignore_cleanup_errors=True) as folder:
        work: Callable[[Report], None] = lambda report: _work(asked, bundle, folder, report)  # noqa: E731
        with Lane("unit", work, limits.memory, alone=True) as lane:
            found = _reply(lane, limits, requests, replies)
        found["seconds"] = round(time.monotonic() - started, 6)
        if bundle is not None and "answer" in found:
            found["answer"] = bundle.translated(found["answer"], os.path.realpath(folder))
    return found


def _reply(lane: Lane, limits: Limits, requests: int, replies: int) -> Json:
    started = time.monotonic()
    while True:
        # Asked before it is heard, so that nothing that it said is missed.
        ended = lane.ended
        for message in lane.received():
            match message:
                case str():
                    write_frame(replies, encoded({"said": message}))
                case bytes():
                    return decoded(message)
                case Broken(reason=reason):
                    return {"problem": broken(reason, limits)}
        if ended:
            death = lane.death or "it ended without an answer"
            return {"problem": f"its process has no answer: {death}"}
        if limits.seconds is not None and time.monotonic() - started > limits.seconds:
            return {"problem": f"it was ended after {limits.seconds:g} s"}
        ready, _, _ = select.select([requests, lane.descriptor], [], [], _PAUSE_SECONDS)
        if requests in ready:
            if read_frame(requests) is None:
                lane.stop()
                os._exit(0)
            return {"problem": "nobody wants it any more", "stopped": True}


class _Teller:
    """Reports how far a unit is, now and then."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._last = 0.0

    def __call__(self, text: str) -> None:
        now = time.monotonic()
        if now - self._last >= 5 * _PAUSE_SECONDS:
            self._last = now
            self._report(text)


def _work(asked: Json, bundle: Bundle | None, folder: str, report: Report) -> None:
    """What the fork does."""
    there = Path(str(asked["folder"]) or folder)
    if bundle is not None:
        there = bundle.written(Path(os.path.realpath(folder)))
    os.chdir(there)
    data, kind = asked["data"], str(asked["kind"])
    assert isinstance(data, dict)
    if is_from_outside(kind):
        sys.path.insert(0, str(there))
    try:
        answer = perform(kind, data, _Teller(report))
    except ElsewhereError as error:
        report(encoded({"other": str(error)}))
        return
    except REFUSALS as error:
        report(encoded({"refused": str(error)}))
        return
    except SolventError as error:
        report(encoded({"problem": str(error)}))
        return
    report(encoded({"answer": answer}))


if __name__ == "__main__":
    main()
