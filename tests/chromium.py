"""Pages in a real browser: Chromium without a window, driven by Selenium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


def _found() -> tuple[str, str]:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("there is no Chromium with its driver here")
    return browser, driver


class Page:
    """An open page."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def run(self, script: str, *arguments: object) -> Any:
        """What a script in the page returns."""
        return self.driver.execute_script(script, *arguments)

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that a selector finds."""
        script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
        return list(self.run(script, selector))

    def click(self, selector: str) -> None:
        """Click on the first element that a selector finds."""
        self.driver.find_element("css selector", selector).click()

    def type(self, selector: str, text: str) -> None:
        """Type into a field."""
        self.driver.find_element("css selector", selector).send_keys(text)

    def errors(self) -> list[str]:
        """What the console complains about."""
        return [row["message"] for row in self.driver.get_log("browser")]

    def fits(self) -> bool:
        """Whether nothing is wider than the window, but for what scrolls in its own box."""
        root = "document.documentElement"
        return bool(self.run(f"return {root}.scrollWidth <= {root}.clientWidth"))

    def seen_as(self, scheme: str, width: int) -> None:
        """Choose a colour scheme and a width."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


@contextmanager
def opened(path: Path) -> Iterator[Page]:
    """A page of a file; nothing can be loaded over the network."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="Selenium is not installed")
    service = pytest.importorskip("selenium.webdriver.chrome.service")
    browser, executable = _found()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=service.Service(executable))
    try:
        driver.execute_cdp_cmd("Network.enable", {})
        offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
        driver.get(path.as_uri())
        yield Page(driver)
    finally:
        driver.quit()
