const show = (box, data) => {
  const made = (tag, text, parent, attributes = {}) => {
    const element = document.createElement(tag);
    if (text !== null) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (parent) parent.append(element);
    return element;
  };
  const { nodes } = data;
  const parents = nodes.map(() => 0);
  const partsOf = (node) =>
    node.args ? node.args.map((n) => ["", n])
      : node.parts ? node.parts.map((part) => [part.name, part.value])
        : node.members ? node.members.flatMap((m) => [["value", m.value], ["if", m.guard]]) : [];
  nodes.forEach((node) => partsOf(node).forEach(([, n]) => parents[n]++));
  let values = [];
  const places = new Map();
  const marks = [];
  const model = {};
  made("p", `${nodes.length.toLocaleString("en")} nodes, ${data.size.toLocaleString("en")} different terms` + (data.cut ? `, cut off at ${data.cut} places` : ""), box);
  const bar = made("div", null, box);
  for (const [text, open] of [["Unfold all", true], ["Fold all", false]]) {
    made("button", text, bar, { type: "button" }).addEventListener("click", () => {
      // What is folded has no content yet: unfold level by level, within reason.
      for (let round = 0; round < (open ? 60 : 1) && places.size < 4000; round++) {
        const found = [...tree.querySelectorAll("details")].filter((one) => one.open !== open);
        if (!found.length) break;
        for (const one of found) { one.open = open; if (open) one.fill(); }
      }
    });
    bar.append(" ");
  }
  if (data.constants.length) {
    const form = made("div", null, box, { class: "model", role: "group", "aria-label": "Model" });
    for (const constant of data.constants) {
      const label = made("label", `${constant.name} (${constant.sort.name}) = `, form);
      const field = made("input", null, label, { spellcheck: "false", "data-constant": constant.name });
      field.disabled = !constant.sort.reads;
      field.addEventListener("input", () => {
        const found = evaluator.read(constant.sort, field.value);
        field.setAttribute("aria-invalid", found === null);
        model[constant.node] = found;
        compute();
      });
      model[constant.node] = evaluator.read(constant.sort, "");
    }
  }
  const tree = made("div", null, box, { class: "scroll" });
  const compute = () => {
    values = evaluator.evaluate(nodes, model);
    for (const [number, element] of marks) element.textContent = values[number] ? " = " + evaluator.show(values[number]) : "";
  };
  const describe = (number, name, into) => {
    const node = nodes[number];
    if (name) made("code", name + ": ", into);
    made("span", node.label, into, { class: node.kind === "term" || node.kind === "union" ? "op" : "" });
    if (node.sort) made("span", " " + node.sort.name, into, { class: "sort" });
    if (node.size) made("span", ` · ${node.size} ${node.size === 1 ? "term" : "terms"}`, into, { class: "size" });
    if (parents[number] > 1 && node.kind !== "value") made("span", ` · used ${parents[number]} times`, into, { class: "size" });
    if (node.kind === "term" || node.kind === "constant") marks.push([number, made("span", "", into, { class: "is" })]);
  };
  const draw = (number, name, into, depth) => {
    const node = nodes[number];
    const parts = partsOf(node);
    const first = places.get(number);
    if (!parts.length) {
      describe(number, name, made("div", null, into, { class: "leaf" }));
      return;
    }
    if (first) {
      // What is shared is shown once; here is the way to it.
      const line = made("div", null, into, { class: "leaf" });
      describe(number, name, line);
      line.append(" ");
      const link = made("a", "shown above", line, { href: "#" });
      link.addEventListener("click", (event) => {
        event.preventDefault();
        for (let above = first; above && above !== tree; above = above.parentElement) if (above.tagName === "DETAILS") above.open = true;
        const summary = first.querySelector("summary");
        for (const old of tree.querySelectorAll(".marked")) old.classList.remove("marked");
        summary.classList.add("marked");
        summary.focus();
      });
      return;
    }
    const details = made("details", null, into);
    places.set(number, details);
    details.dataset.node = number;
    describe(number, name, made("summary", null, details));
    details.fill = () => {
      if (details.filled) return;
      details.filled = true;
      if (node.members) {
        // The first guard that holds decides.
        for (const [place, member] of node.members.entries()) {
          const group = made("div", null, details, { class: "member" });
          draw(member.value, "value", group, depth + 1);
          draw(member.guard, place ? "otherwise, if" : "if", group, depth + 1);
          const line = made("div", member.example === null ? "no input gets here" : `for example ${member.example}`, group, { class: "leaf example" });
          line.dataset.member = member.value;
        }
      } else for (const [label, part] of parts) draw(part, label, details, depth + 1);
      compute();
    };
    details.addEventListener("toggle", () => { if (details.open) details.fill(); });
    if (depth < data.depth) { details.open = true; details.fill(); }
  };
  draw(data.root, "", tree, 0);
  compute();
};
