"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const measures = Object.keys(data.measures);
  const shown = (name, number) => {
    if (!data.times.includes(name)) return number.toLocaleString("en");
    return Math.abs(number) >= 1e9 ? (number / 1e9).toFixed(2) + " s" : (number / 1e6).toFixed(1) + " ms";
  };
  const short = (file) => data.names[file] ?? file.split(/[\\/]/).pop();
  const made = (tag, text, parent, attributes = {}) => {
    const element = document.createElement(tag);
    if (text !== null) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (parent) parent.append(element);
    return element;
  };

  // --- the flame graph: contexts as wide as what they did with all that they called ---
  const children = data.contexts.map(() => []);
  data.contexts.forEach((context, number) => {
    if (context.parent >= 0) children[context.parent].push(number);
  });
  // What starts solvers and imports modules would hide the program: its own part is drawn first.
  const ofProgram = (number) =>
    Boolean(data.contexts[number].file) || children[number].some(ofProgram);
  let root = 0;
  while (!data.contexts[root].file && children[root].filter(ofProgram).length === 1)
    root = children[root].find(ofProgram);
  const height = 24;
  const valueOf = (number, measure) => Math.max(data.contexts[number].inclusive[measure], 0);
  // A measure such as calls is not contained in that of the caller: a context holds its callees.
  const extent = (number, measure) => {
    const below = children[number].reduce((sum, child) => sum + extent(child, measure), 0);
    return Math.max(valueOf(number, measure), below);
  };
  const hue = (text) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const drawFlame = () => {
    const measure = at("measure").value;
    const flame = at("flame");
    flame.replaceChildren();
    const whole = extent(root, measure);
    let deepest = 0;
    const draw = (number, left, depth) => {
      const context = data.contexts[number];
      const width = whole ? (100 * extent(number, measure)) / whole : number === root ? 100 : 0;
      if (width < 0.05) return;
      deepest = Math.max(deepest, depth);
      const button = made("button", context.name, flame, { type: "button" });
      const where = context.file ? short(context.file) + ":" + context.first : "";
      const text = `${context.name} ${where} — ${shown(measure, valueOf(number, measure))}`;
      button.title = text;
      button.dataset.context = number;
      button.style.left = left + "%";
      button.style.width = width + "%";
      button.style.top = depth * height + "px";
      button.style.background = context.file ? `hsl(${hue(context.name)} 70% 72%)` : "#bbb";
      const tell = () => { at("told").textContent = text; };
      button.addEventListener("focus", tell);
      button.addEventListener("mouseenter", tell);
      button.addEventListener("click", () => { zoom(number); if (context.file) showLine(context.file, context.first, false); });
      let place = left;
      for (const child of children[number]) {
        draw(child, place, depth + 1);
        if (whole) place += (100 * extent(child, measure)) / whole;
      }
    };
    draw(root, 0, 0);
    flame.style.height = (deepest + 1) * height + "px";
    at("out").disabled = root === 0;
  };
  const zoom = (number) => {
    root = number;
    drawFlame();
    const first = at("flame").querySelector("button");
    if (first) first.focus();
  };
  at("out").addEventListener("click", () => zoom(0));
  at("flame").addEventListener("keydown", (event) => {
    const buttons = [...at("flame").querySelectorAll("button")];
    const here = buttons.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step && here >= 0) {
      event.preventDefault();
      const next = buttons[here + step];
      if (next) next.focus();
    } else if (event.key === "Escape") zoom(0);
  });

  // --- the table ---
  const columns = ["score", "place", ...measures];
  let kind = "lines", sortedBy = "score", ascending = false;
  for (const name of Object.keys(data.entries)) {
    const button = made("button", `${name} (${data.entries[name].length})`, at("tabs"), { type: "button", "aria-pressed": name === kind });
    button.dataset.kind = name;
    button.addEventListener("click", () => {
      kind = name;
      for (const other of at("tabs").children) other.setAttribute("aria-pressed", other.dataset.kind === kind);
      drawTable();
    });
  }
  const cellOf = (entry, column) => {
    if (column === "score") return entry.score;
    if (column === "place") return `${short(entry.file)}:${String(entry.line).padStart(6)} ${entry.name}`;
    return (at("inclusive").checked ? entry.inclusive : entry.exclusive)[column];
  };
  const drawTable = () => {
    const table = at("entries");
    table.replaceChildren();
    const head = made("tr", null, made("thead", null, table));
    for (const column of columns) {
      const th = made("th", null, head, { scope: "col" });
      if (column === "place") th.className = "text";
      if (column === sortedBy) th.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const button = made("button", column.replace("_", " "), th, { type: "button", title: data.measures[column] || column });
      button.dataset.column = column;
      button.addEventListener("click", () => {
        ascending = column === sortedBy ? !ascending : column === "place";
        sortedBy = column;
        drawTable();
        table.querySelector(`button[data-column="${column}"]`).focus();
      });
    }
    const wanted = at("filter").value.toLowerCase();
    const rows = data.entries[kind].filter((entry) => `${entry.file}:${entry.line} ${entry.name}`.toLowerCase().includes(wanted));
    const sign = ascending ? 1 : -1;
    rows.sort((a, b) => {
      const x = cellOf(a, sortedBy), y = cellOf(b, sortedBy);
      return sign * (typeof x === "string" ? x.localeCompare(y) : x - y);
    });
    const body = made("tbody", null, table);
    for (const entry of rows.slice(0, 500)) {
      const row = made("tr", null, body);
      for (const column of columns) {
        const value = cellOf(entry, column);
        if (column === "place") {
          const name = entry.name.split("<locals>.").pop();
          const from = entry.caller ? ` from ${entry.caller.split("<locals>.").pop()}` : "";
          const cell = made("td", null, row, { class: "text" });
          const link = made("a", `${short(entry.file)}:${entry.line}`, cell, { href: "#source" });
          link.addEventListener("click", (event) => { event.preventDefault(); showLine(entry.file, entry.line, true); });
          cell.append(" " + name + from);
        } else made("td", column === "score" ? value.toFixed(2) : shown(column, value), row);
      }
    }
  };
  at("inclusive").addEventListener("change", drawTable);
  at("filter").addEventListener("input", drawTable);

  // --- the source with a heat margin ---
  const files = Object.keys(data.sources);
  const first = data.entries.lines.length ? data.entries.lines[0].file : files[0];
  for (const file of files) {
    const option = made("option", short(file), at("file"), { value: file, title: file });
    option.selected = file === first;
  }
  const drawSource = () => {
    const file = at("file").value, measure = at("measure").value;
    const own = {};
    for (const entry of data.entries.lines) {
      if (entry.file === file) own[entry.line] = (own[entry.line] || 0) + Math.max(entry.exclusive[measure], 0);
    }
    const largest = Math.max(1, ...Object.values(own));
    const box = at("source");
    box.replaceChildren();
    const body = made("tbody", null, made("table", null, box));
    data.sources[file].split("\n").forEach((text, place) => {
      const line = place + 1;
      const row = made("tr", null, body);
      row.dataset.line = line;
      const heat = made("td", own[line] ? shown(measure, own[line]) : "", row, { class: "heat" });
      if (own[line]) {
        const share = own[line] / largest;
        heat.style.background = `linear-gradient(to left, rgb(220 60 20 / ${0.15 + 0.6 * share}) ${100 * share}%, transparent 0)`;
      }
      made("td", String(line), row, { class: "num" });
      made("td", text, row);
    });
  };
  const showLine = (file, line, focus) => {
    if (!(file in data.sources)) return;
    if (at("file").value !== file) { at("file").value = file; drawSource(); }
    const box = at("source");
    for (const row of box.querySelectorAll("tr.marked")) row.classList.remove("marked");
    const row = box.querySelector(`tr[data-line="${line}"]`);
    if (!row) return;
    row.classList.add("marked");
    box.scrollTop = row.offsetTop - box.clientHeight / 3;
    if (focus) { box.scrollIntoView({ block: "nearest" }); box.focus({ preventScroll: true }); }
  };
  for (const link of document.querySelectorAll(".advice a[data-line]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      showLine(link.dataset.file, Number(link.dataset.line), true);
    });
  }
  at("file").addEventListener("change", drawSource);
  at("measure").addEventListener("change", () => { drawFlame(); drawSource(); });
  drawFlame(); drawTable(); drawSource();
})();
