"""Units on the workers of a Dask cluster: they are sent with their sources, and again if need be.

Each unit is a task of Dask's that has a worker's nursery do it (`serving`).  A worker that dies in
the middle of a unit loses it, and Dask gives it to another; one that is of another version refuses
it, and it is sent elsewhere; when the scheduler is gone, all that was not answered is sent anew
once it is back.  A unit counts as answered only by a reply that says so, and the same one may be
done twice, which changes nothing.
"""

from __future__ import annotations

import queue
import time
import uuid
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import distributed
from distributed import Client

from solvent.errors import SolventError
from solvent.units.local import UNWANTED, Local, RefusedError, Show, progress, stopped
from solvent.units.nursery import Nursery, NurseryDiedError, request
from solvent.units.serving import TOPIC, describe, held, serve
from solvent.units.unit import Reply, Unit, UnsentError, decoded
from solvent.units.versions import difference, versions
from solvent.verdicts import Deadline
from solvent.verdicts.rendering import Json

# So often a unit is sent again after workers have died at it, beyond what Dask itself does.
MOST_TRIES = 5
# For how long the scheduler, or a worker, may be missing.
PATIENCE_SECONDS = 60.0
_PAUSE_SECONDS = 0.1
# So long a reply may take from the worker that has it.
_FETCH_SECONDS = 30.0
_INFO_SECONDS = 0.5
# So many units are with the cluster for each thread of its workers.
_AHEAD = 4
_LEAST_AHEAD = 16


class ClusterError(SolventError):
    """A cluster that cannot be used."""


@dataclass(frozen=True, slots=True)
class Security:
    """The files that show who this client is, for addresses with `tls://`."""

    ca: str | None = None
    cert: str | None = None
    key: str | None = None

    def for_dask(self, address: str) -> distributed.Security | None:
        """What Dask is told."""
        files = {"ca": self.ca, "cert": self.cert, "key": self.key}
        missing = [name for name, path in files.items() if path is None]
        if not address.startswith("tls://"):
            if len(missing) < len(files):
                raise ClusterError(f"{address}: certificates are for an address with tls://")
            return None
        if missing:
            raise ClusterError(f"{address}: give --cluster-{missing[0]} FILE, too")
        for name, path in files.items():
            if not Path(str(path)).is_file():
                raise ClusterError(f"--cluster-{name} {path}: there is no such file")
        return distributed.Security(
            tls_ca_file=self.ca,
            tls_client_cert=self.cert,
            tls_client_key=self.key,
            require_encryption=True,
        )


@dataclass(slots=True)
class _Task:
    """A unit that was sent."""

    index: int
    unit: Unit
    tries: int = 0
    future: Any = None
    said: str = ""


@dataclass(slots=True)
class _Run:
    """What is going on."""

    done: int = 0
    tasks: dict[str, _Task] = field(default_factory=dict)
    here: dict[str, _Task] = field(default_factory=dict)
    # Keys of futures that came to an end, and replies of units that were done here.
    ended: queue.SimpleQueue[tuple[str, Json | None]] = field(default_factory=queue.SimpleQueue)
    more: bool = True
    # Nobody waits for replies any more.
    is_over: bool = False


class Cluster:
    """The workers of a scheduler, and processes here for units that cannot be sent."""

    def __init__(
        self,
        address: str,
        security: Security = Security(),
        here: Local | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self.address = address
        self.patience = patience
        self._jobs = (here or Local(1)).jobs
        self._security = security.for_dask(address)
        self._client: Client | None = None
        # Workers that are of another version, by address, and how they differ.
        self.others: dict[str, str] = {}
        self._bundles: dict[str, Any] = {}
        self._known: dict[str, Any] = {}
        self._asked = float("-inf")
        self._name = uuid.uuid4().hex[:12]
        self._count = 0
        self._threads: ThreadPoolExecutor | None = None
        self._nurseries: list[Nursery] = []

    def __enter__(self) -> Cluster:
        self._connect(Deadline(min(self.patience, 20)))
        self._inspect()
        return self

    def __exit__(self, *_: object) -> None:
        if self._threads is not None:
            # What they do is not wanted any more, so that this does not take long.
            self._threads.shutdown(cancel_futures=True)
            for nursery in self._nurseries:
                nursery.close()
        self._disconnect()

    # --- the connection --------------------------------------------------------------------------

    def _connect(self, deadline: Deadline) -> None:
        while True:
            try:
                self._client = Client(
                    self.address, security=self._security, timeout=5, set_as_default=False
                )
                self._client.subscribe_topic(TOPIC, lambda event: None)
                return
            except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
                self._disconnect()
                if deadline.is_over or isinstance(error, (ValueError, TypeError)):
                    reason = str(error).partition("\n")[0]
                    raise ClusterError(
                        f"{self.address}: no scheduler of Dask answers there ({reason})"
                    ) from None
                time.sleep(0.5)

    def _disconnect(self) -> None:
        if self._client is not None:
            with suppress(Exception):
                self._client.close(timeout=2)
            self._client = None
        self._bundles.clear()
        self._asked = float("-inf")

    @property
    def client(self) -> Client:
        """The connection."""
        assert self._client is not None, "it is open"
        return self._client

    def workers(self) -> list[str]:
        """The addresses of all workers, whoever they are."""
        return list(self._info())

    def _info(self) -> dict[str, Any]:
        """What the scheduler says of its workers; it is asked now and then, as that takes long."""
        now = time.monotonic()
        if now - self._asked > _INFO_SECONDS:
            self._known = dict(self.client.scheduler_info(n_workers=-1)["workers"])
            self._asked = now
        return self._known

    def _inspect(self) -> None:
        """Ask all workers who they are."""
        deadline = Deadline(self.patience)
        while not self.workers():
            if deadline.is_over:
                raise ClusterError(f"{self.address}: the scheduler has no workers")
            time.sleep(_PAUSE_SECONDS)
        self.others.clear()
        for address, found in self.client.run(describe, on_error="return").items():
            if isinstance(found, dict):
                other = difference(versions(), found)
            else:
                other = f"it cannot run this version ({type(found).__name__}: {found})"
            if other:
                self.others[address] = other
        self._usable()

    def _usable(self) -> list[str] | None:
        """The workers to which units are sent; `None` if these are all."""
        known = self.workers()
        usable = [address for address in known if address not in self.others]
        if known and not usable:
            address = known[0]
            raise ClusterError(
                f"{self.address}: no worker has this version; {address}: {self.others[address]}"
            )
        return usable if len(usable) < len(known) else None

    # --- units -----------------------------------------------------------------------------------

    def run(
        self, units: Iterable[Unit | None], show: Show = lambda text: None
    ) -> Iterator[tuple[int, Unit, Reply]]:
        """Replies as they come, each with the number of its unit."""
        state = _Run()
        waiting = enumerate(units)
        missing_since = 0.0
        self._listen(state)
        try:
            while True:
                self._fill(waiting, state)
                if not state.tasks and not state.here:
                    return
                running = [*state.tasks.values(), *state.here.values()]
                threads = self._threads_there()
                show(f"{threads} threads: {progress(state.done, _busy(running))}")
                yield from self._unwanted(state)
                yield from self._ended(state)
                # Somebody may start workers again.
                missing_since = 0.0 if threads else missing_since or time.monotonic()
                if missing_since and time.monotonic() - missing_since > self.patience:
                    raise ClusterError(f"{self.address}: all workers are gone; {_GO_ON}")
        except KeyboardInterrupt:
            yield from self._last_words(state)
            raise
        finally:
            state.is_over = True
            futures = [task.future for task in state.tasks.values() if task.future is not None]
            with suppress(Exception):
                self.client.cancel(futures, force=True)

    def _listen(self, state: _Run) -> None:
        def hear(event: Any) -> None:
            content = event[1]
            task = state.tasks.get(content["key"])
            if task is not None:
                task.said = str(content["said"])

        self.client.subscribe_topic(TOPIC, hear)

    @property
    def width(self) -> int:
        """How many units are done at a time."""
        return max(1, self._threads_there())

    def _threads_there(self) -> int:
        with suppress(Exception):
            return sum(int(worker["nthreads"]) for worker in self._info().values())
        return 0

    def _fill(self, waiting: Iterator[tuple[int, Unit | None]], state: _Run) -> None:
        """Send units until there are enough with the cluster."""
        ahead = max(_LEAST_AHEAD, _AHEAD * self._threads_there())
        while state.more and len(state.tasks) < ahead and len(state.here) < ahead:
            found = next(waiting, None)
            if found is None:
                state.more = False
                return
            index, unit = found
            if unit is None:
                # There is none before a reply.
                return
            task = _Task(index, unit)
            try:
                if task.unit.only_here:
                    self._do_here(task, state)
                else:
                    self._send(task, state)
            except UnsentError as error:
                self._count += 1
                state.here[f"unsent-{self._count}"] = task
                state.ended.put((f"unsent-{self._count}", {"problem": str(error)}))

    def _send(self, task: _Task, state: _Run) -> None:
        asked = request(task.unit)
        self._count += 1
        key = f"solvent-{self._name}-{self._count}"
        bundle = task.unit.bundle
        # Each goes where it can be done, and nowhere else.
        usable = self._usable()
        where = {} if usable is None else {"workers": usable, "allow_other_workers": False}
        files: object = b""
        if bundle is not None:
            if bundle.digest not in self._bundles:
                self._bundles[bundle.digest] = self.client.submit(
                    held, bundle.packed(), key=f"{key}-files", **where
                )
            files = self._bundles[bundle.digest]
        task.said = ""
        task.future = self.client.submit(
            serve, asked, files, versions(), key=key, pure=False, **where
        )
        state.tasks[key] = task
        task.future.add_done_callback(lambda future: state.ended.put((key, None)))

    def _ended(self, state: _Run) -> Iterator[tuple[int, Unit, Reply]]:
        """Replies of units that came to an end, after a moment at most."""
        try:
            ended = [state.ended.get(timeout=_PAUSE_SECONDS)]
        except queue.Empty:
            if self.client.status not in ("running", "connecting"):
                self._again(state)
            return
        with suppress(queue.Empty):
            while True:
                ended.append(state.ended.get_nowait())
        for key, here in ended:
            task = state.here.pop(key, None) if here is not None else state.tasks.pop(key, None)
            if task is None:
                # It was sent again meanwhile.
                continue
            reply = self._reply(task, here, state)
            if reply is not None:
                state.done += 1
                yield task.index, task.unit, reply

    def _last_words(self, state: _Run) -> Iterator[tuple[int, Unit, Reply]]:
        """After Ctrl-C: what has come already, and how far the others were."""
        with suppress(queue.Empty):
            while True:
                key, here = state.ended.get_nowait()
                task = (state.tasks if here is None else state.here).get(key)
                if task is None:
                    continue
                known = here
                with suppress(Exception):
                    known = known or decoded(task.future.result(timeout=2))
                if known is not None and isinstance(known.get("answer"), dict):
                    del (state.tasks if here is None else state.here)[key]
                    yield task.index, task.unit, _told(known)
        for task in (*state.tasks.values(), *state.here.values()):
            yield task.index, task.unit, stopped(task.said)

    def _unwanted(self, state: _Run) -> Iterator[tuple[int, Unit, Reply]]:
        """Give up what nobody wants any more."""
        for key, task in list(state.tasks.items()):
            if not task.unit.is_wanted():
                del state.tasks[key]
                with suppress(Exception):
                    self.client.cancel([task.future], force=True)
                yield task.index, task.unit, UNWANTED

    def _reply(self, task: _Task, here: Json | None, state: _Run) -> Reply | None:
        """The reply to a unit; none if it was sent again."""
        found = here
        if found is None:
            status = task.future.status
            if status in ("cancelled", "lost"):
                state.tasks[str(task.future.key)] = task
                self._again(state)
                return None
            failure: BaseException | None
            try:
                failure = None if status == "finished" else task.future.exception(timeout=10)
                reply = b"" if failure else task.future.result(timeout=_FETCH_SECONDS)
            except (TimeoutError, CancelledError) as error:
                # The worker that had the reply died before it was fetched.
                failure = error
            if failure is not None or status != "finished":
                return self._failed(task, failure, state)
            found = decoded(reply)
        task.future = None
        if "other" in found:
            self.others[str(found["worker"])] = str(found["other"])
            self._send(task, state)
            return None
        if not task.unit.is_wanted():
            return UNWANTED
        if found.get("stopped"):
            # Dask took it back, and then wanted it after all.
            return self._failed(task, None, state)
        if "refused" in found:
            raise RefusedError(str(found["refused"]))
        return _told(found)

    def _failed(self, task: _Task, error: BaseException | None, state: _Run) -> Reply | None:
        """A task came to nothing: its workers died, or could not even read it."""
        task.tries += 1
        if task.tries >= MOST_TRIES:
            reason = str(error or "it was stopped").partition("\n")[0] or type(error).__name__
            return Reply(problem=f"no worker could do it: {reason}", finished=False)
        if error is not None and not isinstance(error, distributed.KilledWorker):
            self._inspect()
        self._bundles.clear()
        self._send(task, state)
        return None

    def _again(self, state: _Run) -> None:
        """The scheduler has gone: send what is not answered once it is back."""
        self._disconnect()
        try:
            self._connect(Deadline(self.patience))
            self._inspect()
        except ClusterError as error:
            raise ClusterError(f"{error}; {_GO_ON}") from None
        self._listen(state)
        tasks = list(state.tasks.values())
        state.tasks.clear()
        for task in tasks:
            self._send(task, state)

    # --- units that cannot be sent ---------------------------------------------------------------

    def _do_here(self, task: _Task, state: _Run) -> None:
        asked = request(task.unit, str(Path.cwd()))
        self._count += 1
        key = f"here-{self._count}"
        state.here[key] = task
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._jobs)
        self._threads.submit(self._ask_here, asked, key, task, state)

    def _ask_here(self, asked: bytes, key: str, task: _Task, state: _Run) -> None:
        def tell(text: str) -> None:
            task.said = text

        def is_wanted() -> bool:
            return not state.is_over and task.unit.is_wanted()

        reply: Json
        try:
            nursery = self._nurseries.pop() if self._nurseries else Nursery()
            reply = nursery.ask(asked, b"", tell, is_wanted)
            self._nurseries.append(nursery)
        except (NurseryDiedError, OSError) as error:
            reply = {"problem": str(error)}
        state.ended.put((key, reply))


_GO_ON = "what is finished is in the journal: --resume goes on"


def _told(found: Json) -> Reply:
    """The reply that a worker has sent."""
    seconds = float(str(found.get("seconds", 0.0)))
    answer = found.get("answer")
    if isinstance(answer, dict):
        return Reply(answer, seconds=seconds)
    return Reply(problem=str(found.get("problem", "its reply says nothing")), seconds=seconds)


def _busy(tasks: list[_Task]) -> list[tuple[str, str]]:
    """What is shown of the units that are with the cluster: those that say something first."""
    said = [(task.unit.name, task.said) for task in tasks if task.said]
    return said or [(task.unit.name, "") for task in tasks]
