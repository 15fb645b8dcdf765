"""What a worker of a Dask cluster does with units: it has a nursery do them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from distributed import get_worker
from distributed.worker import thread_state

from solvent.units.nursery import Nursery, NurseryDiedError
from solvent.units.unit import decoded, encoded
from solvent.units.versions import difference

# So often a nursery may die at a unit before the unit is to blame.
_ATTEMPTS = 2
# The topic of Dask's events that tell how far units are.
TOPIC = "solvent-units"

_IDLE: list[Nursery] = []
_LOCK = threading.Lock()


def describe() -> dict[str, str]:
    """Who this worker is; afterwards it is ready."""
    nursery = _taken()
    _given_back(nursery)
    return nursery.versions


def serve(request: bytes, bundle: bytes, expected: dict[str, str]) -> bytes:
    """Do a unit, if this worker is as it is expected to be; the reply as the bytes of JSON."""
    address = _address()
    request = _limited(request)
    for attempt in range(_ATTEMPTS):
        nursery = _taken()
        other = difference(expected, nursery.versions)
        if other:
            _given_back(nursery)
            return encoded({"other": other, "worker": address})
        try:
            reply = nursery.ask(request, bundle, _teller(), _wanted())
        except NurseryDiedError as error:
            if attempt + 1 == _ATTEMPTS:
                reply = {"problem": f"{error}, {_ATTEMPTS} times"}
                break
        else:
            _given_back(nursery)
            break
    return encoded({**reply, "worker": address})


def _limited(request: bytes) -> bytes:
    """A request that keeps to the memory of this worker, of which each of its threads has a share.

    Dask looks at the memory of the worker itself only, which does nothing.
    """
    try:
        worker = get_worker()
    except ValueError:
        return request
    allowed = worker.memory_manager.memory_limit
    if not allowed:
        return request
    asked: Any = decoded(request)
    share = int(allowed) // worker.state.nthreads
    known = asked["limits"]["memory"]
    asked["limits"]["memory"] = share if known is None else min(known, share)
    return encoded(asked)


def held(bundle: bytes) -> bytes:
    """The files of units, which stay with the workers that have them."""
    decoded(bundle)
    return bundle


def _taken() -> Nursery:
    """A nursery that nobody else uses."""
    with _LOCK:
        while _IDLE:
            nursery = _IDLE.pop()
            if nursery.is_alive:
                return nursery
            nursery.close()
    return Nursery()


def _given_back(nursery: Nursery) -> None:
    with _LOCK:
        _IDLE.append(nursery)


def _address() -> str:
    try:
        return str(get_worker().address)
    except ValueError:
        return ""


def _wanted() -> Callable[[], bool]:
    """Whether the task of this thread is still wanted: the client may be gone."""
    try:
        worker = get_worker()
    except ValueError:
        return lambda: True
    key = thread_state.key

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return is_wanted


def _teller() -> Callable[[str], None]:
    try:
        worker = get_worker()
    except ValueError:
        return lambda text: None
    key = str(thread_state.key)
    return lambda text: worker.log_event(TOPIC, {"key": key, "said": text})
