"""Everyday functions on bytes."""

from __future__ import annotations

import base64
import struct

from benchmarks.everyday.claims import fails, holds

DATA = [bytes(found) for found in ([], [0], [65], [255], [65, 10], [195, 164], [255, 254, 0])]


@holds(data=DATA)
def checksum(data: bytes) -> None:
    assert 0 <= (-sum(data)) % 256 <= 255
    assert (sum(data) + (-sum(data)) % 256) % 256 == 0


@holds(number=[0, 1, 255, 256, 65535])
def to_bytes_and_back(number: int) -> None:
    if 0 <= number < 65536:
        assert int.from_bytes(number.to_bytes(2, "big"), "big") == number


@holds(port=[0, 80, 65535], flags=[0, 7, 255])
def packed(port: int, flags: int) -> None:
    if 0 <= port < 65536 and 0 <= flags < 256:
        assert struct.unpack(">HB", struct.pack(">HB", port, flags)) == (port, flags)


@holds(data=DATA)
def base64_and_back(data: bytes) -> None:
    assert base64.b64decode(base64.b64encode(data)) == data


@fails(data=DATA)
def always_text(data: bytes) -> None:
    data.decode("utf-8")


@holds(data=DATA)
def hexadecimal(data: bytes) -> None:
    assert bytes.fromhex(data.hex()) == data


@holds(data=DATA, key=range(256))
def xor_twice(data: bytes, key: int) -> None:
    if 0 <= key < 256:
        once = bytes(octet ^ key for octet in data)
        assert bytes(octet ^ key for octet in once) == data


@fails(text=["", "a", "ä", "aä"])
def one_byte_a_character(text: str) -> None:
    assert len(text.encode("utf-8", "replace")) == len(text)
