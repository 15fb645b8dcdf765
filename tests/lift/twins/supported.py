"""What works of the standard library: a program for each group of functions, run against CPython.

The page `docs/library.md` is made from this table: a row is on the page exactly if it is tested.
"""

from __future__ import annotations

import base64
import bisect
import calendar
import collections
import colorsys
import contextlib
import copy
import csv
import dataclasses
import datetime
import decimal
import enum
import fnmatch
import fractions
import functools
import graphlib
import heapq
import html
import io
import ipaddress
import itertools
import json
import operator
import pathlib
import posixpath
import random
import shlex
import statistics
import string
import struct
import textwrap
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Row:
    """Some functions of a module, and a program that uses them on each input of small domains."""

    module: str
    names: str
    program: Callable[..., Any]
    domains: tuple[Sequence[int] | Sequence[bool], ...]
    remark: str = ""


ROWS: list[Row] = []

Program = Callable[..., Any]


def works(
    module: str, names: str, *domains: Sequence[int] | Sequence[bool], remark: str = ""
) -> Callable[[Program], Program]:
    """The decorated program shows that functions of a module work."""

    def add(program: Program) -> Program:
        ROWS.append(Row(module, names, program, domains, remark))
        return program

    return add


LETTERS = [ord("a"), ord("b"), ord(" "), ord("é")]
SMALL = [0, 1, 2, 5]


@works("datetime", "`date`, `timedelta`: fields, arithmetic, order, texts, `fromordinal`, "
       "`fromisoformat`, `isocalendar`, `replace`, `strftime`", [2023, 2024], [1, 2, 12],
       remark="`strftime` with %a %A %b %B %d %f %H %I %j %m %M %p %S %u %w %y %Y")  # fmt: skip
def dates(y: int, m: int) -> Any:
    day = datetime.date(y, m, 28) + datetime.timedelta(days=m)
    return (
        day, day.weekday(), day.isoformat(), f"{day:%d/%m/%y}", day > datetime.date(2024, 1, 1),
        day.fromordinal(730000 + y), day.fromisoformat(f"{y}-{m:02d}-28"), day.isocalendar(),
        day.replace(day=m), day.strftime("%j"),
    )  # fmt: skip


@works("datetime", "`datetime`, `time`, `timezone`", [0, 12, 23])
def moments(h: int) -> Any:
    found = datetime.datetime(2024, 2, 29, h, 30, tzinfo=datetime.UTC)
    there = found.astimezone(datetime.timezone(datetime.timedelta(hours=-5)))
    later = found + datetime.timedelta(hours=h), datetime.time(h) < datetime.time(12), there
    return *later, found.timetz(), found.isoformat(), found.timestamp()


@works("datetime", "`fromisoformat` of `datetime` and `time`, `strptime`", [0, 12, 24],
       remark="not of texts with an unusual separator or zone")  # fmt: skip
def read_moments(h: int) -> Any:
    found = datetime.datetime.fromisoformat(f"2024-02-29T{h:02d}:30")
    return found, datetime.time.fromisoformat(f"{h:02d}"), found.strptime(f"{h}", "%H")


@works("datetime", "`fromtimestamp` with a zone, `utcfromtimestamp`, `timestamp`", [0, 1, 86400],
       remark="not in the machine's own zone")  # fmt: skip
def numbered_moments(seconds: int) -> Any:
    found = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return found, found.timestamp(), found.utcfromtimestamp(seconds)


@works("decimal", "`Decimal`: `+ - * /`, order, `quantize`, rounding as the context says",
       SMALL, remark="the flags of the context are not set")  # fmt: skip
def decimals(a: int) -> Any:
    one = decimal.Context(prec=1, rounding="ROUND_UP")
    found = decimal.Decimal(a) + decimal.Decimal("0.25")
    return found, one.plus(found), decimal.Decimal(a) < 2, found.quantize(decimal.Decimal("0.1"))


@works("builtins", "`complex`: `+ - * /`, `**` by a known int, `==`, `real`, `imag`, `conjugate`",
       SMALL, remark="`abs` where a part is 0; no hash and no text")  # fmt: skip
def complex_numbers(a: int) -> Any:
    found = complex(a, 0.5) * 2j
    parts = found.real, found.imag, found.conjugate()
    return found, found**2, 1 / found, found == a, *parts, abs(complex(0, a))


@works(
    "fractions",
    "`Fraction`: arithmetic, order, `numerator`, `denominator`, `str`",
    SMALL,
    [1, 2, 4],
)
def quotients(a: int, b: int) -> Any:
    found = fractions.Fraction(a, b)
    return found, found + 1, found * 2, found.numerator / found.denominator, found < 1, str(found)


@works("fractions", "`sum` of `Fraction`s, ints on the left", [0, 1, 3])
def sums_of_quotients(a: int) -> Any:
    found = fractions.Fraction(a, 2)
    return sum([found, found]), 1 - found, sum([fractions.Fraction(1, 2)] * a) == found


@works("json", "`dumps`", [False, True], SMALL)
def json_texts(p: bool, a: int) -> Any:
    value = {"k": [p, a, None, 1.5, {"x": "é\n"}]}
    return json.dumps(value), json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)


@works("json", "`dumps` of texts", [*LETTERS, ord('"'), ord("\\"), 10, 0x7F, 0x1F600], [97, 34])
def json_strings(a: int, b: int) -> Any:
    text = chr(a) + chr(b)
    return json.dumps(text), json.dumps([text], ensure_ascii=False)


@works("json", "`loads`", [ord(c) for c in "0159"], [97, 98, 99],
       remark="fast if bounds say that a symbolic character opens and closes nothing")  # fmt: skip
def json_values(a: int, b: int) -> Any:
    return json.loads('{"a": [' + chr(a) + ', true, "' + chr(b) + '"]}')


@works("json", "`loads` that fails", [ord(c) for c in "015[]{x "])
def json_errors(a: int) -> Any:
    return json.loads(chr(a))


@works("csv", "`reader`, `DictReader`", [ord(c) for c in 'a,"\n '], [ord(c) for c in 'b,"'])
def csv_rows(a: int, b: int) -> Any:
    rows = list(csv.reader(["x," + chr(a) + chr(b), "z"]))
    quoted = list(csv.reader(['"p' + chr(a) + chr(b) + 'q"']))
    return rows, quoted, list(csv.DictReader(["k,l", "1," + chr(b)]))


class Lines:
    """A file of the program's own."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        """Keep a text."""
        self.text += text


@works("csv", "`writer`, `DictWriter`", [ord(c) for c in 'a,"\n '],
       remark="into a `StringIO` or an object of the program with a method `write`")  # fmt: skip
def csv_lines(a: int) -> Any:
    lines = Lines()
    csv.writer(lines).writerow([chr(a), 1, None])
    csv.DictWriter(lines, ["k"]).writerow({"k": chr(a)})
    stream = io.StringIO()
    csv.writer(stream).writerow([chr(a), 1])
    return lines.text, stream.getvalue(), list(csv.reader(io.StringIO("x," + chr(a))))


@works("io", "`StringIO`, `BytesIO`: all methods but `getbuffer` and `readinto`", LETTERS, [10, 97],
       remark="without a `newline` of its own")  # fmt: skip
def streams(a: int, b: int) -> Any:
    stream = io.StringIO("x" + chr(b) + chr(a))
    lines = [*stream]
    print(a, "!", file=stream)
    octets = io.BytesIO(bytes([b, 0]))
    return lines, stream.getvalue(), stream.seek(2), stream.read(1), octets.read(1), octets.tell()


@works("uuid", "`UUID(int=...)` and its fields", [0, 1, 0x1234 << 64, (1 << 128) - 1])
def uuids(n: int) -> Any:
    found = uuid.UUID(int=n)
    return found.version, found.int, found.time_low, found == uuid.UUID(int=1), found.variant


@works("posixpath", "`join`, `split`, `splitext`, `basename`, `dirname`, `normpath`, `isabs`",
       [ord(c) for c in "a./"], [ord(c) for c in "b./"])  # fmt: skip
def paths(a: int, b: int) -> Any:
    path = chr(a) + chr(b)
    return (
        posixpath.join("/x", path), posixpath.split(path), posixpath.splitext(path),
        posixpath.basename(path), posixpath.dirname(path), posixpath.normpath(path),
        posixpath.isabs(path),
    )  # fmt: skip


class Color(enum.Enum):
    """An enumeration."""

    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    """Numbers with names."""

    LOW = 1
    HIGH = 5


@works("enum", "`Enum`, `IntEnum`: members by value and by name", [0, 1, 2])
def members(n: int) -> Any:
    found = Color(n)
    name = found.name
    return found, Color[name], [color for color in Color if color.value != n], Level(n) + 1


class Access(enum.Flag):
    """What may be done."""

    READ = enum.auto()
    WRITE = enum.auto()
    BOTH = READ | WRITE


@works("enum", "`Flag`, `IntFlag`: members by numbers, operators, parts", range(4), range(4),
       remark="an `IntFlag`, which keeps all bits, of ints with few values")  # fmt: skip
def flags(n: int, m: int) -> Any:
    a, b = Access(n), Access(m)
    return a | b, ~a, a & b in Access.BOTH, list(a ^ b), a.name, bool(a)


@contextlib.contextmanager
def noting(log: list[Any]) -> Iterator[int]:
    """A manager that is a generator."""
    log.append("in")
    try:
        yield len(log)
    except ValueError:
        log.append("caught")
    finally:
        log.append("out")


@works("contextlib", "`contextmanager`, `suppress`, `closing`, `nullcontext`, `ExitStack`", SMALL)
def managed(n: int) -> Any:
    log: list[Any] = []
    with noting(log) as count, contextlib.suppress(KeyError):
        if n > count:
            raise ValueError
        if n < 0:
            raise KeyError
        log.append(n)
    with contextlib.ExitStack() as stack, contextlib.closing(io.StringIO()):
        stack.enter_context(contextlib.nullcontext(n))
        if n == 0:
            stack.callback(log.append, "end")
    return log


@dataclasses.dataclass
class Point:
    """A record."""

    x: int
    y: int = 0
    tags: list[int] = field(default_factory=list)


@works("dataclasses", "`dataclass`, `asdict`, `astuple`, `replace`, `fields`", SMALL)
def records(a: int) -> Any:
    point = Point(a, tags=[a])
    other = dataclasses.replace(point, y=a)
    names = [one.name for one in dataclasses.fields(other)]
    return dataclasses.asdict(point), dataclasses.astuple(other), point == other, names


@works(
    "calendar", "`isleap`, `leapdays`, `monthrange`, `weekday`", [1, 1900, 2000, 2024], [1, 2, 12]
)
def months(y: int, m: int) -> Any:
    found = calendar.monthrange(y, m), calendar.weekday(y, m, 1)
    return calendar.isleap(y), *found, calendar.leapdays(1, y)


@works(
    "ipaddress", "`IPv4Address`: arithmetic, texts, order, membership in networks", [0, 1, 77, 255]
)
def addresses(n: int) -> Any:
    found = ipaddress.IPv4Address("10.0.0.0") + n
    return str(found), found in ipaddress.ip_network("10.0.0.64/26"), int(found)


@works("ipaddress", "`ip_network`, `ip_address`: `network_address`, `broadcast_address`, "
       "`num_addresses`, `is_private`, `packed`, texts", [0, 10, 200])  # fmt: skip
def networks(n: int) -> Any:
    network = ipaddress.ip_network(f"10.{n}.0.0/30")
    ends = network.network_address, network.broadcast_address, network.num_addresses
    address = ipaddress.ip_address(n << 24)
    return [*map(str, ends)], str(network), address.is_private, address.packed


@works("pathlib", "`PurePosixPath`, `PureWindowsPath`: `name`, `stem`, `suffix`, `parent`, "
       "`parts`, `with_suffix`, `is_absolute`", [ord(c) for c in "a./"], [98, 46])  # fmt: skip
def pure_paths(a: int, b: int) -> Any:
    path = pathlib.PurePosixPath("x") / (chr(a) + chr(b) + ".c")
    found = path.name, path.stem, path.suffix, str(path.parent), path.parts, path.is_absolute()
    windows = pathlib.PureWindowsPath("C:" + chr(a) + "n.txt")
    return found, str(path.with_suffix(".py")), str(windows), windows.name


@works("statistics", "`mean`, `pvariance`, `variance` of ints", SMALL, SMALL,
       remark="`mean` also of symbolic fractions; many values may take long")  # fmt: skip
def means(a: int, b: int) -> Any:
    found = statistics.mean([a, b, 3]), statistics.pvariance([a, b])
    return *found, statistics.variance([a, b, 1])


@works("struct", "`pack`, `unpack`, `Struct` and the others: ints, bytes, truth", [0, 7, 255],
       remark="floats too: the bits of a NaN are not known")  # fmt: skip
def structures(a: int) -> Any:
    form = struct.Struct(f"<{a % 2 + 1}B")
    return struct.pack(">Hb?", a, 1, a > 7), struct.unpack("<H", bytes([a, 1])), form.size


@works("statistics", "`median`, `median_low`, `median_high`, `mode`", SMALL, SMALL)
def middles(a: int, b: int) -> Any:
    found = statistics.median_low([a, b]), statistics.median_high([a, b])
    return *found, statistics.median([a, b, 3]), statistics.mode([a, b, a])


@works("string", "`capwords`, `Template`", LETTERS, LETTERS)
def templates(a: int, b: int) -> Any:
    return string.capwords(chr(a) + chr(b)), string.Template("$x!").substitute(x=chr(a))


@works("string", "`Formatter` with a known template", LETTERS, SMALL)
def formatters(a: int, b: int) -> Any:
    return string.Formatter().format("{:>4}{n!r}", chr(a), n=b)


@works("html", "`escape`, `unescape`", [ord(c) for c in "al<>&\"'"])
def markup(a: int) -> Any:
    text = chr(a)
    return html.escape(text + "b"), html.escape(text, quote=False), html.unescape(f"&{text}t;x")


@works("shlex", "`quote`", [ord(c) for c in "a '$-"], LETTERS)
def shell_words(a: int, b: int) -> Any:
    return shlex.quote(chr(a) + chr(b))


@works("shlex", "`split`", [ord(c) for c in "a '"], [ord(c) for c in "b "])
def words(a: int, b: int) -> Any:
    return shlex.split("x" + chr(a) + chr(b))


@works("urllib.parse", "`quote`, `quote_plus`, `unquote`, `urlencode`, `parse_qs`, `parse_qsl`",
       [97, 32, 38, 37, 0xE9], [ord(c) for c in "1a%&="])  # fmt: skip
def escapes(a: int, b: int) -> Any:
    text = chr(a)
    return (
        urllib.parse.quote(text),
        urllib.parse.quote_plus(text + "/"),
        urllib.parse.unquote("%4" + chr(b) + text),
        urllib.parse.parse_qs("k=" + chr(b) + "v"),
        urllib.parse.parse_qsl(chr(b) + "=v"),
        urllib.parse.urlencode({"k": text}),
    )


@works("urllib.parse", "`hostname`, `port`, `username` of a split address, `urljoin`, `urlunsplit`",
       [ord(c) for c in "a:1@"], [ord(c) for c in "b2."])  # fmt: skip
def parts_of_addresses(a: int, b: int) -> Any:
    found = urllib.parse.urlsplit("http://h" + chr(a) + chr(b) + "/z")
    joined = urllib.parse.urljoin("http://h/a/c", chr(b) + chr(a))
    return found.hostname, found.port, found.username, joined, urllib.parse.urlunsplit(found)


@works("urllib.parse", "`urlsplit`, `urlparse`", [ord(c) for c in "a:/?#@[℀"])
def addresses_of_pages(a: int) -> Any:
    return urllib.parse.urlsplit("http://x" + chr(a) + "/z"), urllib.parse.urlparse("b:" + chr(a))


@works("textwrap", "`wrap`", [32, 45, 97])
def wrapped(a: int) -> Any:
    return textwrap.wrap("x" + chr(a) + "y", 2)


@works("textwrap", "`indent`, `dedent`", [9, 10, 32, 97], [10, 32, 97])
def indented(a: int, b: int) -> Any:
    text = " " + chr(a) + "x\n " + chr(b) + "y"
    return textwrap.indent("x" + chr(a) + "y", "> "), textwrap.dedent(text)


@works("fnmatch", "`fnmatchcase`", LETTERS)
def wildcards(a: int) -> Any:
    return fnmatch.fnmatchcase(chr(a) + "x", "[ab]?")


@works("base64", "`b64encode`, `b64decode`", [0, 65, 255])
def encoded(a: int) -> Any:
    return base64.b64encode(bytes([a, 7])), base64.b64decode(base64.b64encode(bytes([a])))


@works("colorsys", "`rgb_to_hsv` and the others", [0, 1, 2])
def colors(a: int) -> Any:
    return (
        colorsys.rgb_to_yiq(a, 0, 1),
        colorsys.rgb_to_hsv(a, 0.5, 1),
        colorsys.hsv_to_rgb(0, a, 1),
    )


@works("random", "`Random` with a known seed", SMALL)
def chances(a: int) -> Any:
    generator = random.Random(7)
    return generator.randint(0, 9) + a, generator.choice([a, 3, a + 1])


@functools.total_ordering
@dataclasses.dataclass
class Size:
    """Values of which only `<` is told."""

    value: int

    def __lt__(self, other: Size) -> bool:
        return self.value < other.value


@works(
    "functools", "`reduce`, `partial`, `lru_cache`, `cmp_to_key`, `total_ordering`", SMALL, SMALL
)
def folded(a: int, b: int) -> Any:
    calls = []

    @functools.lru_cache
    def doubled(x: int) -> int:
        calls.append(x)
        return 2 * x

    total = functools.reduce(lambda x, y: x * 2 + y, [a, b, 1])
    ordered = sorted([a, b, 3], key=functools.cmp_to_key(lambda x, y: y - x))
    compared = Size(a) >= Size(b), functools.total_ordering(Size) is Size
    return total, functools.partial(max, a)(b), ordered, doubled(a) + doubled(b), calls, compared


class Parcel:
    """Something with a price that is computed once."""

    def __init__(self, weight: int) -> None:
        self.weight = weight

    @functools.cached_property
    def price(self) -> int:
        """The price."""
        return 5 if self.weight < 2 else self.weight * 2

    @functools.singledispatchmethod
    def add(self, value: object) -> str:
        """Add something."""
        return "nothing"

    @add.register
    def _(self, value: int) -> str:
        self.weight += value
        return "added"


@works("functools", "`cached_property`, `singledispatchmethod`", SMALL, SMALL)
def computed_once(a: int, b: int) -> Any:
    parcel = Parcel(a)
    before = parcel.price if b > 1 else 0
    return before, parcel.add(b if a > 1 else None), parcel.price, parcel.weight


@works("heapq", "all functions", SMALL, SMALL)
def heaps(a: int, b: int) -> Any:
    heap = [a, b, 3]
    heapq.heapify(heap)
    return heapq.heappop(heap), heapq.nsmallest(2, [a, b, 1]), heapq.heappushpop(heap, b)


@works("bisect", "all functions", SMALL)
def sorted_places(a: int) -> Any:
    return bisect.bisect_left([1, 2, 4], a), bisect.bisect([1, 2, 4], a)


@works("collections", "`Counter`, `deque`, `defaultdict`, `OrderedDict`, `ChainMap`, `namedtuple`",
       SMALL, SMALL)  # fmt: skip
def containers(a: int, b: int) -> Any:
    counted = collections.Counter([a, b, 1])
    queue = collections.deque([a, b], maxlen=2)
    queue.append(3)
    groups: collections.defaultdict[int, list[int]] = collections.defaultdict(list)
    groups[a].append(b)
    places = collections.OrderedDict([(1, a), (2, b)])
    places.move_to_end(1)
    pair = collections.namedtuple("pair", "x y")(a, b)
    chained = collections.ChainMap({1: a}, {1: 0, 2: b})[2]
    return counted.most_common(), list(queue), chained, groups, list(places), pair.y


@works("itertools", "all functions", SMALL)
def combined(a: int) -> Any:
    return list(itertools.accumulate([a, 1, 2])), list(itertools.pairwise([a, 1, 2]))


@works("operator", "all functions", SMALL)
def operators(a: int) -> Any:
    return operator.itemgetter(1)([0, a]), operator.add(a, 1)


@works("copy", "`copy`, `deepcopy`", SMALL)
def copies(a: int) -> Any:
    inner = [a]
    return copy.deepcopy([inner, inner]), copy.copy({1: a})


@works("graphlib", "`TopologicalSorter` of known graphs", SMALL)
def in_order(a: int) -> Any:
    return [*graphlib.TopologicalSorter({"a": {"b"}, "c": {"a"}}).static_order()], a
