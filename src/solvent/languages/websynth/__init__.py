"""WebSynth: XPaths from examples, after "A Lightweight Symbolic Virtual Machine", section 5.

>>> page = "<li class=song>Imagine<li>Buy!<li class=song>Yesterday<li class=song>Hey Jude"
>>> print(scrape(page, ["Imagine", "Hey Jude"]))
//li[@class="song"]
  Imagine
  Yesterday
  Hey Jude
"""

from solvent.languages.websynth.interpreter import reaches, reaches_all
from solvent.languages.websynth.pages import (
    ExampleError,
    Node,
    Page,
    PageError,
    Tree,
    read_page,
)
from solvent.languages.websynth.synthesis import Scraper, scrape

__all__ = [
    "ExampleError",
    "Node",
    "Page",
    "PageError",
    "Scraper",
    "Tree",
    "reaches",
    "reaches_all",
    "read_page",
    "scrape",
]
