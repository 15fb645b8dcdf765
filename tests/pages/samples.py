"""One page of each kind, as the commands write them."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from solvent.browse import browse
from solvent.cli import main
from solvent.languages import figure10
from solvent.lift import execute
from solvent.pages import box, page, table
from solvent.pages.graphs import Edge, graph
from solvent.pages.plots import Series, bars, chart
from solvent.terms import Bool, Int
from solvent.vm.values import Value

# Texts that would do something if they were not escaped.
EVIL = "</script><script>document.title = 'broken'</script><b>"

PROGRAM = f"""\
def insert(items: list[int], item: int) -> list[int]:
    place = len(items)
    while place > 1 and items[place - 1] > item:
        place -= 1
    items.insert(place, item)
    return items


def stays_sorted(items: list[int], item: int):
    after = insert(sorted(items), item)
    assert after == sorted(after), "{EVIL}"


def positive(x: int):
    assert x * x >= 0
"""
BOOGIE = """\
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
  {
    i := i + 2;
  }
  assert i != 4;
}
"""
CSTAR = """\
uint64_t main() {
  uint64_t* x;
  uint64_t y;
  x = malloc(8);
  y = 10;
  *x = 0;
  read(0, x, 1);
  if (*x == 49)
    y = y - 10;
  return 100 / y;
}
"""
BTOR2 = """\
1 sort bitvec 8
2 sort bitvec 1
3 zero 1
4 state 1 count
5 init 1 4 3
6 input 2 enable
7 one 1
8 add 1 4 7
9 ite 1 6 8 4
10 next 1 4 9
11 constd 1 3
12 eq 2 4 11
13 bad 12 reached
"""
TEXTS = {"program.py": PROGRAM, "loop.bpl": BOOGIE, "division.c": CSTAR, "counter.btor2": BTOR2}

COMMANDS = {
    "verify": "verify program.py --budget 20",
    "debug": "debug program.py::stays_sorted",
    "reach": "reach loop.bpl",
    "boogie": "boogie verify loop.bpl",
    "logic": "logic loop.bpl",
    "cstar": "cstar check division.c",
    "btor2": "btor2 check counter.btor2 --vcd counter.vcd",
    "validate": "validate division.c -kmax 300",
    "profile": "profile program.py::stays_sorted",
    "reference": "reference diff --count 3 --jobs 1",
    "table4": "bench table4 --language ifcl --only B1 --quiet",
}


def write_texts(folder: Path) -> None:
    """The programs that the pages are about."""
    for name, text in TEXTS.items():
        (folder / name).write_text(text)


def write_page_of(name: str) -> Path:
    """The page that a command writes into the working directory."""
    path = Path(f"{name}.html")
    with contextlib.redirect_stdout(io.StringIO()):
        main([*COMMANDS[name].split(), "--html", str(path)])
    return path


def write_value(path: Path) -> None:
    """A page of a value, with names that would do something if they were not escaped."""

    def picked(x: Value, some: Value) -> Value:
        if x > 3:
            return [x, x * x]
        return EVIL if some else {EVIL: x}

    outcome = execute(picked, Int("x"), Bool(EVIL))
    browse(outcome, f"What {EVIL} returns").save(path)


def write_pictures(path: Path) -> None:
    """A page with every kind of picture."""
    points = [(n, n * n / 2 + n) for n in range(0, 4000, 250)]
    times = [("short", 4.2), ("a benchmark with a long name", 130.0), ("slower", 0.25)]
    edges = [Edge("init", "more", "c"), Edge("more", "more", "a, d"), Edge("more", "end", "r"),
             Edge("end", "init", "<again>", certain=False)]  # fmt: skip
    path.write_text(
        page(
            "Pictures",
            [
                box(figure10.as_svg(points), "plot"),
                table(
                    ["bound", "joins", "sum"],
                    [[str(n), f"{x:,}", f"{y:,}"] for n, (x, y) in enumerate(points)],
                    texts=0,
                ),
                box(
                    chart("Times", "n", "seconds", [Series("one", [(1, 0.02), (8, 30)])], log=True)
                ),
                box(bars("How many times faster", times, even="as fast")),
                box(bars("Seconds", times, unit=" s")),
                graph("init", edges, frozenset(["end"])),
            ],
        )
    )
