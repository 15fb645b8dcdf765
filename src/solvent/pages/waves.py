"""Signals over time: as a waveform on a page, and as a value change dump that viewers read.

The format of the dump is that of IEEE 1364 (section 18): a header that names the variables, and for
each time the values that have changed.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from solvent.pages.style import COLOURS

STEP, ROW, HIGH, NAMES = 72, 34, 20, 7


@dataclass(frozen=True, slots=True)
class Signal:
    """A name, a width in bits, and a value for each time; None is not known."""

    name: str
    width: int
    values: Sequence[int | None]


def vcd(signals: Sequence[Signal], module: str = "model") -> str:
    """The value change dump.

    >>> print(vcd([Signal("x", 1, [0, 1]), Signal("n", 4, [5, 5])]), end="")
    $timescale 1ns $end
    $scope module model $end
    $var wire 1 ! x $end
    $var wire 4 " n $end
    $upscope $end
    $enddefinitions $end
    #0
    0!
    b101 "
    #1
    1!
    #2
    """
    lines = ["$timescale 1ns $end", f"$scope module {_word(module)} $end"]
    codes = [_code(number) for number in range(len(signals))]
    for code, signal in zip(codes, signals, strict=True):
        lines.append(f"$var wire {signal.width} {code} {_word(signal.name)} $end")
    lines += ["$upscope $end", "$enddefinitions $end"]
    length = max((len(signal.values) for signal in signals), default=0)
    for time in range(length):
        lines.append(f"#{time}")
        for code, signal in zip(codes, signals, strict=True):
            value = signal.values[time]
            if time == 0 or value != signal.values[time - 1]:
                lines.append(_change(value, signal.width, code))
    # The last values last for a step, too.
    return "".join(f"{line}\n" for line in [*lines, f"#{length}"])


def _change(value: int | None, width: int, code: str) -> str:
    if width == 1:
        return f"{'x' if value is None else value}{code}"
    return f"b{'x' if value is None else format(value, 'b')} {code}"


def _code(number: int) -> str:
    """A short name of the printable characters: the digits of a number of base 94."""
    code = chr(33 + number % 94)
    while number >= 94:
        number = number // 94 - 1
        code = chr(33 + number % 94) + code
    return code


def _word(name: str) -> str:
    """A name without spaces, which would end it."""
    return "_".join(name.split()) or "_"


def waveform(signals: Sequence[Signal]) -> str:
    """The signals as SVG: bits as levels, words as boxes with their value.

    >>> picture = waveform([Signal("x<y", 1, [0, 1, 1]), Signal("n", 8, [5, 6, 6])])
    >>> "x&lt;y" in picture, picture.count("<title>6</title>")
    (True, 1)
    """
    length = max((len(signal.values) for signal in signals), default=0)
    left = 20 + max((NAMES * len(signal.name) for signal in signals), default=0)
    width, height = left + STEP * length + 12, ROW * (len(signals) + 1)
    parts = []
    for time in range(length + 1):
        x = left + STEP * time
        parts.append(f'<path class="grid" d="M{x} 22V{height}"/>')
        if time < length:
            parts.append(f'<text x="{x + STEP / 2}" y="16" text-anchor="middle">{time}</text>')
    for number, signal in enumerate(signals):
        bottom = ROW * (number + 2) - 8
        parts.append(f'<text x="{left - 8}" y="{bottom - 5}" text-anchor="end">'
                     f"{html.escape(signal.name)}</text>")  # fmt: skip
        parts += (
            _levels(signal, left, bottom) if signal.width == 1 else _boxes(signal, left, bottom)
        )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="waves" width="{width}" '
            f'height="{height}" role="img" font-size="12" '
            'font-family="ui-monospace, monospace"><title>signals over time</title>'
            f"<style>{COLOURS}{_STYLE}</style>",
            *parts,
            "</svg>",
        ]
    )


_STYLE = """
.waves text { fill: var(--ink); } .waves .grid { stroke: var(--line); }
.waves .level, .waves .box { fill: none; stroke: var(--one); stroke-width: 1.5; }
.waves .box { fill: var(--soft); }
"""


def _levels(signal: Signal, left: int, bottom: int) -> list[str]:
    path = ""
    for time, value in enumerate(signal.values):
        y = bottom - HIGH / 2 if value is None else bottom - HIGH * value
        path += f"{'M' if not path else 'L'}{left + STEP * time} {y:g}H{left + STEP * (time + 1)}"
    return [f'<path class="level" d="{path}"/>']


def _boxes(signal: Signal, left: int, bottom: int) -> list[str]:
    """A box for each run of one value."""
    parts = []
    start = 0
    for time in range(1, len(signal.values) + 1):
        if time < len(signal.values) and signal.values[time] == signal.values[start]:
            continue
        x, to = left + STEP * start, left + STEP * time
        high, middle = bottom - HIGH, bottom - HIGH / 2
        parts.append(f'<path class="box" d="M{x} {middle:g}l4 {-HIGH / 2:g}H{to - 4}L{to} '
                     f'{middle:g}L{to - 4} {bottom}H{x + 4}z"/>')  # fmt: skip
        value = signal.values[start]
        words = "?" if value is None else str(value)
        room = (to - x - 14) // NAMES
        words = words if len(words) <= room else f"{value:x}"[: max(1, room - 1)] + "…"
        parts.append(
            f'<text x="{(x + to) / 2:g}" y="{high + 14}" text-anchor="middle">'
            f"{words}<title>{value}</title></text>"
        )
        start = time
    return parts
