"""The module `binascii`, and of `base64` what is not lifted as it is written."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable
from functools import partial

from solvent.errors import NotLiftedError
from solvent.lift.messages import raised
from solvent.lift.registry import lifts
from solvent.lift.spelling.arguments import sample_of
from solvent.lift.spelling.base64 import (
    from_base32,
    from_base64,
    from_strict_base64,
    to_base32,
    to_base64,
)
from solvent.lift.spelling.hexadecimals import hex_codes, hex_digit
from solvent.lift.spelling.spans import Codes
from solvent.lift.truth import test
from solvent.lift.unlifted import is_concrete
from solvent.lift.values.byte_items import as_bytes, number
from solvent.terms.bitvectors import bv_to_int, int_to_bv, lshr
from solvent.terms.booleans import and_, eq, ite, not_
from solvent.terms.kinds import Bits, Integer
from solvent.terms.term import Term
from solvent.terms.texts import TextTerm, codes_of, octets
from solvent.terms.values import bv
from solvent.vm.machine import current
from solvent.vm.spread import either, over
from solvent.vm.union import Union
from solvent.vm.values import Value


def of_data(native: Callable[..., Value], of_text: bool = False) -> Callable[..., Value]:
    """Register a function whose first argument is like bytes, and may be an ASCII text."""

    def register(function: Callable[..., Value]) -> Callable[..., Value]:
        # Functions in C tell by a slash before their arguments that they take names.
        told = getattr(native, "__text_signature__", None)
        takes_names = told is None or told.startswith("($module, /")
        name = "data" if native.__module__ == "binascii" else "s"

        def lifted(*given: Value, **named: Value) -> Value:
            if not given and takes_names and name in named:
                given = (named.pop(name),)
            if not given:
                raise raised(partial(native, **dict.fromkeys(named, b"")))
            data, *arguments = given
            if type(data) is Union:
                return over(data, lambda member: lifted(member, *arguments, **named))
            if is_concrete((data, arguments, tuple(named.values()))):
                return native(data, *arguments, **named)
            is_text = of_text and (type(data) is TextTerm or isinstance(data, str))
            found = _ascii(native, codes_of(str, data) or ()) if is_text else as_bytes(data)
            if found is None:
                named = {key: sample_of(value) for key, value in named.items()}
                raise raised(partial(native, **named), *map(sample_of, (data, *arguments)))
            if type(found) is Union:
                return over(found, lambda m: function(codes_of(bytes, m), *arguments, **named))
            return function(codes_of(bytes, found), *arguments, **named)

        lifts(native)(lifted)
        return lifted

    return register


def _ascii(native: Callable[..., Value], codes: Codes) -> Value:
    """The bytes of a text, which must be ASCII."""
    outside = not_(and_([code < 128 for code in codes]))
    if outside is True:
        raise raised(native, "\xe9")
    current().fail_if(outside, raised(native, "\xe9"))
    return octets(codes)


# --- hexadecimal ----------------------------------------------------------------------------------


@of_data(binascii.hexlify)
def hexlify(codes: Codes, sep: Value = None, bytes_per_sep: Value = 1) -> Value:
    """`binascii.hexlify(data, sep, bytes_per_sep)`."""
    return octets(hex_codes(codes, sep, bytes_per_sep))


of_data(binascii.b2a_hex)(lambda codes, *arguments: octets(hex_codes(codes, *arguments)))


def _from_hex(codes: Codes) -> Value:
    if len(codes) % 2:
        raise raised(binascii.unhexlify, b"0")
    digits = [hex_digit(code) for code in codes]
    wrong = not_(and_([valid for valid, _ in digits]))
    current().fail_if(wrong, raised(binascii.unhexlify, b"xx"))
    values = [value for _, value in digits]
    return octets([high * 16 + low for high, low in zip(values[::2], values[1::2], strict=True)])


of_data(binascii.unhexlify, True)(_from_hex)
of_data(binascii.a2b_hex, True)(_from_hex)


@of_data(base64.b16decode, True)
def b16decode(codes: Codes, casefold: Value = False) -> Value:
    """`base64.b16decode(data, casefold)`."""
    if isinstance(casefold, Term):
        raise NotLiftedError("`base64.b16decode` with a symbolic `casefold` is not lifted")
    if not casefold:
        small = and_([not_(and_(code >= 97, code <= 102)) for code in codes])
        current().fail_if(not_(small), raised(base64.b16decode, b"aa"))
    valid = and_([hex_digit(code)[0] for code in codes])
    current().fail_if(not_(valid), raised(base64.b16decode, b"xx"))
    return _from_hex(codes)


# --- base 64 and base 32 --------------------------------------------------------------------------


@of_data(binascii.b2a_base64)
def b2a_base64(codes: Codes, *, newline: Value = True) -> Value:
    """`binascii.b2a_base64(data, newline=...)`."""
    if isinstance(newline, Term):
        raise NotLiftedError("`binascii.b2a_base64` with a symbolic `newline` is not lifted")
    return octets([*to_base64(codes), *[10] * bool(newline)])


@of_data(binascii.a2b_base64, True)
def a2b_base64(codes: Codes, *, strict_mode: Value = False) -> Value:
    """`binascii.a2b_base64(data, strict_mode=...)`."""
    strictly = test(strict_mode)
    return either(strictly, lambda: from_strict_base64(codes), lambda: from_base64(codes))


@of_data(base64.b32encode)
def b32encode(codes: Codes) -> Value:
    """`base64.b32encode(data)`."""
    return octets(to_base32(codes))


@of_data(base64.b32decode, True)
def b32decode(codes: Codes, casefold: Value = False, map01: Value = None) -> Value:
    """`base64.b32decode(data, casefold)`."""
    if isinstance(casefold, Term) or map01 is not None:
        raise NotLiftedError(
            "`base64.b32decode` of symbolic bytes with `map01` or a symbolic `casefold` is not "
            "lifted"
        )
    return from_base32(codes, bool(casefold))


# --- checksums ------------------------------------------------------------------------------------

_POLYNOMIAL = bv(0xEDB88320, 32)


def _crc32(codes: Codes, value: Value = 0) -> Integer:
    """The cyclic redundancy check of bytes, bit by bit: solvers take tables badly."""
    ones = bv(0xFFFFFFFF, 32)
    result: Bits = int_to_bv(number(value), 32) ^ ones
    for code in codes:
        result = result ^ int_to_bv(code, 32)
        for _ in range(8):
            half = lshr(result, bv(1, 32))
            result = ite(eq(result & bv(1, 32), bv(1, 32)), half ^ _POLYNOMIAL, half)
    return bv_to_int(result ^ ones)


def _adler32(codes: Codes, value: Value = 1) -> Integer:
    start = number(value)
    low, high = start % 65536, start // 65536 % 65536
    for code in codes:
        low = (low + code) % 65521
        high = (high + low) % 65521
    return high * 65536 + low


def _crc_hqx(codes: Codes, crc: Value) -> Integer:
    """The check of 16 bits that BinHex has, bit by bit."""
    top, polynomial, one = bv(0x8000, 16), bv(0x1021, 16), bv(1, 16)
    result: Bits = int_to_bv(number(crc), 16)
    for code in codes:
        result = result ^ (int_to_bv(code, 16) << bv(8, 16))
        for _ in range(8):
            twice = result << one
            result = ite(eq(result & top, top), twice ^ polynomial, twice)
    return bv_to_int(result)


of_data(binascii.crc_hqx)(_crc_hqx)
of_data(binascii.crc32)(_crc32)
of_data(zlib.crc32)(_crc32)
of_data(zlib.adler32)(_adler32)
