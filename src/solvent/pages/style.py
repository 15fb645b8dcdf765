"""The one style of all pages, and the few lines of script that sort, fold and step.

Colours have names and two values, so that a page follows the scheme of whoever looks at it.  What
is wider than the window scrolls in a box of its own, which the keyboard can reach.
"""

from __future__ import annotations

COLOURS = """
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --line: #d1d9e0; --soft: #f3f5f7;
  --good: #1a7f37; --bad: #cf222e; --unsure: #8a5a00; --mark: #fff0b8; --wrong: #ffdcd9;
  --one: #0550ae; --two: #cf222e; --three: #1a7f37; --four: #8250df; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #0d1117; --ink: #e6edf3; --faint: #9aa4af; --line: #3d444d; --soft: #171d25;
  --good: #4ac26b; --bad: #ff7b72; --unsure: #d8a63a; --mark: #4d3f10; --wrong: #5c1f1c;
  --one: #6cb6ff; --two: #ff8f87; --three: #56d364; --four: #c297ff; } }
"""

STYLE = (
    COLOURS
    + """
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 90rem;
  padding: 0 1rem; background: var(--paper); color: var(--ink); overflow-wrap: break-word; }
h1 { font-size: 1.4rem; line-height: 1.25; } h2 { font-size: 1.15rem; } h3 { font-size: 1rem; }
a { color: var(--one); }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td:not(.text), .short { white-space: nowrap; }
th { font-weight: 600; } tr.all td { border-top: 2px solid; }
/* A heading of several columns, with a line where they begin. */
th.group { text-align: center; } .begins { border-left: 1px solid var(--line); }
td.text, th.text { text-align: left; }
th button { all: unset; cursor: pointer; }
/* The arrow never stands on a line of its own. */
th button::after { content: "\\00a0↕"; color: var(--faint); }
th[aria-sort=ascending] button::after { content: "\\00a0↑"; }
th[aria-sort=descending] button::after { content: "\\00a0↓"; }
td.text:last-child:not(:first-child):not(.short) { min-width: 14rem; }
tbody tr:hover { background: var(--soft); }
.yes { color: var(--good); } .no { color: var(--bad); } .maybe { color: var(--unsure); }
.faint { color: var(--faint); }
pre, .source { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 4px; }
pre { white-space: pre-wrap; } pre, code, .source { font-family: ui-monospace, monospace; }
pre, .source { font-size: 13px; }
/* On a narrow screen a plot scrolls in its box: smaller than this, nobody can read it. */
.plot { width: 100%; min-width: 34rem; max-width: 46rem; height: auto; display: block; }
body > details { margin: .6rem 0; }
:focus-visible, .wide:focus-visible { outline: 2px solid var(--one); outline-offset: 2px; }
.source { white-space: pre; scroll-padding: .8rem; }
.source .row { display: block; min-width: max-content; }
.source .number { color: var(--faint); user-select: none; }
.source .values { color: var(--one); }
.source .now { background: var(--mark); } .source .fails { background: var(--wrong); }
.steps { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .6rem 0; }
button, input, select { font: inherit; color: inherit; }
button, select, input:not([type]), input[type=search] { padding: .2rem .7rem;
  border: 1px solid var(--line); border-radius: 4px; background: var(--soft); }
button { cursor: pointer; } button:disabled { color: var(--faint); cursor: default; }
.steps input { flex: 1 1 10rem; min-width: 6rem; max-width: 40rem; accent-color: var(--one); }
@media print { .steps { display: none; } }
"""
)

# A click, or Enter on a heading, sorts a table by that column: numbers as numbers.
SORTING = """
for (const table of document.querySelectorAll("table.sortable"))
  for (const head of table.tHead.rows[table.tHead.rows.length - 1].cells) {
    const button = document.createElement("button");
    button.type = "button"; button.append(...head.childNodes); head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending", column = head.cellIndex;
      for (const other of table.tHead.querySelectorAll("th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = row => {
        const text = row.cells[column].textContent.replaceAll(",", "").trim();
        // A number with its unit, and a range by where it begins.
        const number = text.match(/^-?[\\d.]+(?=$| )/)?.[0] ?? "";
        return number !== "" && !isNaN(number) ? Number(number) : text; };
      const compare = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0)
        : typeof a === "number" ? -1 : 1;
      const rows = [...table.tBodies[0].rows].sort((a, b) => compare(key(a), key(b)));
      table.tBodies[0].append(...(down ? rows.reverse() : rows)); }); }
"""

# The arrows, Home and End go through the steps of a trace, and so do its buttons and its slider.
STEPPING = """
for (const trace of document.querySelectorAll(".trace")) {
  const steps = JSON.parse(trace.querySelector("script").textContent);
  const slider = trace.querySelector("input"), told = trace.querySelector("output");
  const rows = new Map(), known = new Map();
  for (const row of trace.querySelectorAll(".row")) rows.set(row.dataset.at, row);
  const go = to => {
    const at = Math.max(0, Math.min(steps.length - 1, to));
    slider.value = at;
    for (const row of rows.values()) {
      row.classList.remove("now", "fails"); row.querySelector(".values").textContent = ""; }
    steps.slice(0, at + 1).forEach(step => {
      const row = rows.get(step.at);
      if (row && step.values) row.querySelector(".values").textContent = "   " + step.values; });
    const step = steps[at], row = rows.get(step.at);
    told.textContent = `step ${at + 1} of ${steps.length}: ${step.text}`;
    if (row) { row.classList.add(step.fails ? "fails" : "now");
      row.scrollIntoView({ block: "nearest", inline: "start" }); } };
  trace.addEventListener("click", event => {
    const by = event.target.closest("[data-go]")?.dataset.go;
    if (by) go(by === "first" ? 0 : by === "last" ? steps.length : +slider.value + +by); });
  slider.addEventListener("input", () => go(+slider.value));
  trace.addEventListener("keydown", event => {
    const keys = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key in keys) go(+slider.value + keys[event.key]);
    else if (event.key === "Home") go(0); else if (event.key === "End") go(steps.length);
    else return;
    event.preventDefault(); });
  go(steps.length); }
"""
