"""Checks an installed Solvent: commands, the documentation's examples, an installed user package.

Run by the Python of an environment that Solvent is installed in, from a folder outside of
the checkout: `python /checkout/.ci/installed.py`.  The exit code is 1 if anything is not as it
should be.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
SOLVENT = Path(sysconfig.get_path("scripts")) / "solvent"

SHOP = """
from solvent import Int, assume


def price():
    amount = Int("amount")
    assume(0 <= amount <= 10)
    return amount * 3


def cheap():
    found = price()
    if found > 27:
        found += 1
    assert found != 31


def total(amount: int) -> int:
    return amount * 3 + 1


def right():
    assert total(5) == 15
"""

DOCTEST = """
import doctest, sys
failures, tried = doctest.testfile(
    sys.argv[1], module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS
)
sys.exit(bool(failures))
"""


def run(*command: str | Path, code: int = 0, shows: str = "") -> str:
    """Run a command; what is wrong with it, or nothing."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    said = done.stdout + done.stderr
    if done.returncode != code or shows not in said:
        return f"exit code {done.returncode}, expected {code} and {shows!r}:\n{said}"
    return ""


def outside() -> str:
    """What is imported is what was installed, not the checkout."""
    where = "import solvent; print(solvent.__file__)"
    return run(sys.executable, "-c", where, shows="site-packages")


def readme() -> str:
    """The example of the README."""
    (text,) = re.findall(r"```python\n(.*?)```", (CHECKOUT / "README.md").read_text(), re.DOTALL)
    Path("readme.py").write_text(text)
    return run(sys.executable, "readme.py", shows="confirmed: CPython raised AssertionError")


def package() -> str:
    """A user's package that is installed is the user's all the same."""
    shop = Path(sysconfig.get_path("purelib")) / "shop.py"
    shop.write_text(SHOP)
    asked = "import shop, solvent; print(solvent.{0}(shop.{1}))"
    return run(
        sys.executable, "-c", asked.format("verify", "cheap"), shows="confirmed: CPython raised"
    ) or run(sys.executable, "-c", asked.format("debug", "right"), shows="amount * 3 + 1")


def page(path: Path) -> Callable[[], str]:
    """The examples of a page of the documentation."""
    return lambda: run(sys.executable, "-c", DOCTEST, path)


def can_be_tried(path: Path) -> bool:
    """Whether a page has examples, and all that they import is installed."""
    text = path.read_text()
    wanted = re.findall(r"^>>> (?:from|import) (\w+)", text, re.MULTILINE)
    return ">>>" in text and all(map(find_spec, wanted))


def checks() -> dict[str, Callable[[], str]]:
    """Everything that is checked, by name."""
    Path("wrong.py").write_text(
        "def double(x: int) -> int:\n    return x + 3\n\n\n"
        "def right() -> None:\n    assert double(2) == 4\n\n\n"
        "def small(x: int) -> None:\n    assert x < 3\n"
    )
    only = ("--only", "B1", "--only", "MM1 verify", "--only", "libffi")
    found: dict[str, Callable[[], str]] = {
        "what is imported": outside,
        "solvent tour": lambda: run(SOLVENT, "tour", shows="Every answer was checked"),
        "solvent demo": lambda: run(SOLVENT, "demo"),
        "solvent doctor": lambda: run(SOLVENT, "doctor"),
        "python -m solvent": lambda: run(sys.executable, "-m", "solvent", "--version"),
        "solvent verify": lambda: run(SOLVENT, "verify", "wrong.py::small", code=1),
        "solvent debug": lambda: run(SOLVENT, "debug", "wrong.py::right", shows="x + 3"),
        "solvent bench": lambda: run(SOLVENT, "bench", "table4", *only),
        "the example of the README": readme,
        "an installed package": package,
    }
    pages = sorted((CHECKOUT / "docs").glob("*.md"))
    return {**found, **{f"docs/{path.name}": page(path) for path in pages if can_be_tried(path)}}


def main() -> int:
    """Run all checks, some at a time."""
    if CHECKOUT in (Path.cwd(), *Path.cwd().parents):
        print("run this from a folder outside of the checkout", file=sys.stderr)
        return 2
    os.environ.pop("PYTHONPATH", None)
    wrong = 0

    def timed(check: Callable[[], str]) -> tuple[str, float]:
        started = time.perf_counter()
        return check(), time.perf_counter() - started

    with ThreadPoolExecutor(max(2, os.cpu_count() or 1)) as pool:
        rows = [(name, pool.submit(timed, check)) for name, check in checks().items()]
        for name, future in rows:
            problem, seconds = future.result()
            wrong += bool(problem)
            print(f"{'wrong' if problem else 'ok':6}{seconds:6.1f} s  {name}", flush=True)
            if problem:
                print(problem)
    print(f"{len(rows) - wrong} of {len(rows)} are as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
