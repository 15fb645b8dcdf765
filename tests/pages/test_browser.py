"""Pages in a real browser: Chromium, both colour schemes, narrow and wide (`make pages-test`)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pages.samples import COMMANDS, write_page_of, write_pictures, write_texts, write_value

pytestmark = pytest.mark.pages

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
DRIVER = shutil.which("chromedriver")
# Where screenshots go, to be looked at.
SHOTS = os.environ.get("SOLVENT_SCREENSHOTS")
Browser = Any
# Pages that no command writes.
MORE = {"pictures": write_pictures, "value": write_value}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if BROWSER is None or DRIVER is None:
        pytest.skip("there is no Chromium with its driver (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    try:
        # Nothing may come from a network.
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["http://*", "https://*"]})
        yield driver
    finally:
        driver.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    before = Path.cwd()
    os.chdir(folder)
    try:
        write_texts(folder)
        found = {name: folder / write_page_of(name) for name in COMMANDS}
        more = {name: folder / f"{name}.html" for name in MORE}
        for name, write in MORE.items():
            write(more[name])
    finally:
        os.chdir(before)
    return {**found, **more}


def look(browser: Browser, path: Path, width: int = 1400, scheme: str = "light") -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(path.as_uri())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("name", [*COMMANDS, *MORE])
def test_a_page_is_shown_as_it_should_be(
    name: str, width: int, scheme: str, browser: Browser, pages: dict[str, Path]
) -> None:
    look(browser, pages[name], width, scheme)
    assert browser.get_log("browser") == []
    assert browser.title != "broken"
    # The page itself never scrolls sideways: what is wide has a box of its own.
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]
    # No text of a picture is outside of it.
    assert (
        browser.execute_script(
            """return [...document.querySelectorAll("svg text")].filter(text => {
          const inner = text.getBoundingClientRect();
          const outer = text.ownerSVGElement.getBoundingClientRect();
          return inner.left < outer.left - 1 || inner.right > outer.right + 1
            || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
        }).map(text => text.textContent)"""
        )
        == []
    )
    # What scrolls can be reached by the keyboard, and all that one can press has a name.
    assert browser.execute_script(UNREACHED) == []
    assert browser.execute_script(UNNAMED) == []
    if SHOTS:
        _shoot(browser, Path(SHOTS) / f"{name}-{width}-{scheme}.png", width)


UNREACHED = """return [...document.querySelectorAll("body *")].filter(box =>
  box.scrollWidth > box.clientWidth + 1 && box.clientWidth
  && ["auto", "scroll"].includes(getComputedStyle(box).overflowX)
  && box.tabIndex < 0).map(box => box.outerHTML.slice(0, 200))"""
UNNAMED = """return [...document.querySelectorAll("button, input, select")].filter(one =>
  !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length))
  .map(one => one.outerHTML)"""


def _shoot(browser: Browser, path: Path, width: int) -> None:
    """The page as a whole."""
    height = browser.execute_script("return document.documentElement.scrollHeight")
    size = {"width": width, "height": max(300, min(height, 4000)), "deviceScaleFactor": 1}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**size, "mobile": False})
    browser.save_screenshot(str(path))


def told(browser: Browser) -> str:
    return str(browser.execute_script("return document.querySelector('output').textContent"))


@pytest.mark.parametrize("name", ["verify", "reach", "cstar", "boogie", "validate"])
def test_a_trace_is_walked_with_the_keyboard(
    name: str, browser: Browser, pages: dict[str, Path]
) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    look(browser, pages[name])
    assert len(browser.find_elements(By.CSS_SELECTOR, ".row.fails")) == 1
    slider = browser.find_element(By.CSS_SELECTOR, ".steps input")
    slider.send_keys(Keys.HOME)
    assert told(browser).startswith("step 1 of ")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert told(browser).startswith("step 2 of ")
    browser.find_element(By.CSS_SELECTOR, "[data-go='-1']").click()
    assert told(browser).startswith("step 1 of ")
    slider.send_keys(Keys.END)
    count = told(browser).split()[3].rstrip(":")
    assert told(browser).startswith(f"step {count} of {count}")
    shown = browser.execute_script(
        "return [...document.querySelectorAll('.values')].map(v => v.textContent).join('')"
    )
    assert "=" in shown


def test_a_table_is_sorted_by_a_column(browser: Browser, pages: dict[str, Path]) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    look(browser, pages["pictures"])
    heads = browser.find_elements(By.CSS_SELECTOR, "th button")
    cells = "return [...document.querySelectorAll('tbody tr')].map(r => r.cells[2].textContent)"
    before = browser.execute_script(cells)
    heads[2].send_keys(Keys.ENTER)
    heads[2].send_keys(Keys.ENTER)
    after = browser.execute_script(cells)
    numbers = [float(text.replace(",", "")) for text in after]
    assert numbers == sorted(numbers, reverse=True)
    assert after != before


def test_folding_works(browser: Browser, pages: dict[str, Path]) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    look(browser, pages["btor2"])
    summary = browser.find_element(By.CSS_SELECTOR, "summary")
    table = browser.find_element(By.CSS_SELECTOR, "details table")
    assert not table.is_displayed()
    summary.send_keys(Keys.ENTER)
    assert table.is_displayed()
