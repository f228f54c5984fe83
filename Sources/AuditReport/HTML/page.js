"use strict";
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const SVG = "http://www.w3.org/2000/svg";
  const svg = (name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const grouped = (number) => number.toLocaleString("en-US");
  const size = (bytes) => {
    if (bytes < 1000) return bytes + " B";
    const units = ["KB", "MB", "GB", "TB", "PB", "EB"];
    let value = bytes / 1000, unit = 0;
    while (value >= 999.5 && unit < units.length - 1) { value /= 1000; unit += 1; }
    return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0) + " " + units[unit];
  };

  // The table is the data.
  const words = all("#filter label").map((label) => label.textContent.trim());
  const bodies = all("#files tbody");
  const rows = [];
  bodies.forEach((body) => {
    const head = one(".name", body);
    for (const element of all("tr[data-v]", body)) {
      const { v, b, n } = element.dataset;
      rows.push({
        element, body, order: rows.length, verdict: +v, bytes: +b, files: +n,
        group: head ? head.textContent : null,
        // Two inputs can hold containers of one name; the whole heading tells them apart.
        groupKey: head ? head.parentElement.textContent : "", path: one("code", element).textContent,
        node: null,
      });
    }
  });

  // The tree of the map.
  const node = (name, parent) =>
    ({ name, parent, children: new Map(), bytes: 0, files: 0, row: null });
  const root = node("everything", null);
  for (const row of rows) {
    const isFolded = row.path.endsWith("/");
    const parts = row.path.split("/").filter((part) => part !== "" && part !== ".");
    parts.push(isFolded ? "folded: " + words[row.verdict] : parts.pop());
    let place = root;
    if (row.group !== null) {
      const key = "g" + row.groupKey;
      if (!root.children.has(key)) root.children.set(key, node(row.group, root));
      place = root.children.get(key);
    }
    parts.forEach((part, index) => {
      const isLeaf = index === parts.length - 1;
      // A file and a directory can share no name; two folded leaves differ by verdict.
      const key = (isLeaf ? "f" : "d") + part;
      if (!place.children.has(key)) place.children.set(key, node(part, place));
      place = place.children.get(key);
    });
    place.row = row;
    row.node = place;
    for (let each = place; each; each = each.parent) {
      each.bytes += row.bytes;
      each.files += row.files;
    }
  }

  // What is shown.
  const view = { node: root, unit: "bytes", query: "", verdicts: new Set(words.keys()) };
  const isWithin = (inner, outer) => {
    for (let each = inner; each; each = each.parent) if (each === outer) return true;
    return false;
  };
  const filter = () => {
    let shown = 0;
    for (const row of rows) {
      const isShown = view.verdicts.has(row.verdict) &&
        isWithin(row.node, view.node) && row.path.toLowerCase().includes(view.query);
      row.element.hidden = !isShown;
      if (isShown) shown += 1;
    }
    for (const body of bodies) {
      const heading = one("tr.group", body);
      if (heading) heading.classList.toggle("idle", !one("tr[data-v]:not([hidden])", body));
    }
    one("#shown").textContent =
      shown === rows.length ? "" : `${grouped(shown)} of ${grouped(rows.length)} rows shown.`;
  };

  // Sorting: the first order is the report's own.
  const orders = {
    path: (a, b) => a.order - b.order,
    verdict: (a, b) => a.verdict - b.verdict || a.order - b.order,
    bytes: (a, b) => b.bytes - a.bytes || a.order - b.order,
    files: (a, b) => b.files - a.files || a.order - b.order,
  };
  const sort = (head) => {
    const isReversed = head.getAttribute("aria-sort") === "ascending";
    const sign = isReversed ? -1 : 1;
    for (const each of all("th[data-sort]")) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", isReversed ? "descending" : "ascending");
    const order = orders[head.dataset.sort];
    const sorted = [...rows].sort((a, b) => sign * order(a, b));
    // The report's own order keeps the containers apart; any other mixes them, and each row
    // then says where it belongs.
    const isGrouped = head.dataset.sort === "path" && !isReversed;
    for (const body of bodies) {
      const heading = one("tr.group", body);
      if (heading) heading.hidden = !isGrouped;
    }
    for (const row of sorted) {
      if (row.group !== null && !row.where) {
        row.where = document.createElement("span");
        row.where.className = "where";
        row.where.textContent = row.group;
        row.element.firstElementChild.append(row.where);
      }
      if (row.where) row.where.hidden = isGrouped;
      (isGrouped ? row.body : bodies[0]).append(row.element);
    }
  };
  for (const head of all("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(head));
    head.replaceChildren(button);
  }

  // Squarified rectangles (Bruls, Huizing, van Wijk 2000).
  const value = (each) => each[view.unit];
  const squarify = (items, x, y, w, h, place) => {
    const total = items.reduce((sum, item) => sum + value(item), 0);
    const scale = (w * h) / total;
    let start = 0;
    while (start < items.length) {
      const side = Math.min(w, h);
      const largest = value(items[start]) * scale;
      let end = start, sum = 0, worst = Infinity;
      while (end < items.length) {
        const area = value(items[end]) * scale;
        const next = sum + area;
        const ratio = Math.max(
          (side * side * largest) / (next * next), (next * next) / (side * side * area));
        if (ratio > worst) break;
        worst = ratio;
        sum = next;
        end += 1;
      }
      const depth = sum / side;
      let offset = 0;
      for (; start < end; start += 1) {
        const length = (value(items[start]) * scale) / depth;
        if (w >= h) place(items[start], x, y + offset, depth, length);
        else place(items[start], x + offset, y, length, depth);
        offset += length;
      }
      if (w >= h) { x += depth; w -= depth; } else { y += depth; h -= depth; }
    }
  };

  const plot = one("#plot");
  let nodes = [];
  const figures = (each) =>
    `${size(each.bytes)}, ${grouped(each.files)} ${each.files === 1 ? "file" : "files"}`;
  const pathOf = (each) => {
    const parts = [];
    for (; each && each.parent; each = each.parent) parts.unshift(each.name);
    return parts.join("/");
  };
  const say = (each) => {
    const word = each.row ? " – " + words[each.row.verdict] : "";
    one("#status").textContent = `${pathOf(each) || "everything"}${word} – ${figures(each)}`;
  };
  // The mean width of a character in a label, measured once in the font that is there.
  let letter = 0;
  const fit = (text, width) => {
    if (letter === 0) {
      const sample = svg("text", {}, "Containers/io.example.app.localonly-0123456789ABCDEF");
      const picture = svg("svg", { width: 1, height: 1 });
      picture.append(sample);
      plot.append(picture);
      letter = sample.getComputedTextLength() / sample.textContent.length * 1.06 || 7;
    }
    const most = Math.floor((width - 10) / letter);
    if (most < 5) return "";
    // Of a path the end tells more than the start.
    if (text.length > most && text.includes("/")) text = "…/" + text.split("/").pop();
    return text.length <= most ? text : text.slice(0, most - 1) + "…";
  };
  // The verdict that has most of a directory too small to be opened up.
  const prevailing = (each) => {
    const sums = words.map(() => 0);
    const visit = (inner) => {
      if (inner.row) sums[inner.row.verdict] += value(inner);
      for (const child of inner.children.values()) visit(child);
    };
    visit(each);
    return sums.indexOf(Math.max(...sums));
  };
  const paint = (group, each, x, y, w, h) => {
    const verdict = each.row ? each.row.verdict : prevailing(each);
    const cell = svg("rect", {
      x, y, width: Math.max(w - 1, 0.5), height: Math.max(h - 1, 0.5),
      fill: `url(#p-${words[verdict]})`, "data-node": nodes.push(each) - 1,
      class: view.verdicts.has(verdict) ? "cell" : "cell dim",
    });
    group.append(cell);
    const label = h > 20 ? fit(each.name, w) : "";
    if (label) group.append(svg("text", { x: x + 5, y: y + 15, class: "label" }, label));
  };
  const open = (group, each, x, y, w, h, level) => {
    if (each.row || w < 10 || h < 10 || level > 12) return paint(group, each, x, y, w, h);
    let inner = each, name = each.name;
    while (inner.children.size === 1) {
      const [only] = inner.children.values();
      if (only.row) break;
      inner = only;
      name += "/" + only.name;
    }
    const part = svg("g", {
      class: "dir", tabindex: 0, role: "button", "data-node": nodes.push(inner) - 1,
      "aria-label": `${name}, ${figures(inner)}`,
    });
    group.append(part);
    part.append(svg("rect", { x, y, width: w - 1, height: h - 1, class: "frame" }));
    const label = h > 40 ? fit(name, w) : "";
    const head = label ? 20 : 1, edge = label ? 2 : 1;
    if (label) part.append(svg("text", { x: x + 5, y: y + 14, class: "head" }, label));
    fill(part, inner, x + edge, y + head, w - 2 * edge - 1, h - head - edge - 1, level + 1);
  };
  const fill = (group, each, x, y, w, h, level) => {
    if (w <= 0 || h <= 0) return;
    const items = [...each.children.values()].filter((child) => value(child) > 0);
    items.sort((a, b) => value(b) - value(a));
    squarify(items, x, y, w, h, (item, ...box) => open(group, item, ...box, level));
  };
  const draw = () => {
    const width = Math.floor(plot.clientWidth);
    const height = Math.round(Math.min(Math.max(width * 0.55, 280), 560));
    nodes = [];
    const picture = svg("svg", {
      width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
      "aria-label": `Map of ${view.unit}`,
    });
    if (value(view.node) > 0) {
      if (view.node.row) paint(picture, view.node, 0, 0, width, height);
      else fill(picture, view.node, 0, 0, width, height, 0);
    } else {
      picture.append(svg("text", { x: 8, y: 24, class: "head" }, `No ${view.unit} here.`));
    }
    plot.replaceChildren(picture);
  };
  const trail = () => {
    const steps = [];
    for (let each = view.node; each; each = each.parent) steps.unshift(each);
    one("#trail").replaceChildren(...steps.map((each, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = each.name;
      if (index === steps.length - 1) button.setAttribute("aria-current", "location");
      button.addEventListener("click", () => zoom(each));
      return button;
    }));
  };
  const zoom = (each) => {
    view.node = each;
    trail();
    draw();
    filter();
    say(each);
  };
  const measure = (unit) => {
    view.unit = unit;
    for (const each of ["bytes", "files"]) {
      one("#by-" + each).setAttribute("aria-pressed", String(each === unit));
    }
    draw();
  };
  // A click opens the part of the view that holds what was clicked, one step at a time; on a
  // directory's own frame or name it opens that directory.
  const choose = (target) => {
    const hit = target.closest("[data-node]");
    if (!hit) return;
    let each = nodes[hit.dataset.node];
    if (each.row) {
      while (each.parent !== view.node && each.parent) each = each.parent;
    }
    if (each.row) say(each); else zoom(each);
  };
  plot.addEventListener("click", (event) => choose(event.target));
  plot.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(event.target);
      const first = one(".dir", plot);
      if (first) first.focus();
    } else if (event.key === "Escape" && view.node.parent) {
      zoom(view.node.parent);
      const first = one(".dir", plot);
      if (first) first.focus();
    }
  });
  for (const kind of ["pointerover", "focusin"]) {
    plot.addEventListener(kind, (event) => {
      const hit = event.target.closest("[data-node]");
      if (hit) say(nodes[hit.dataset.node]);
    });
  }
  one("#by-bytes").addEventListener("click", () => measure("bytes"));
  one("#by-files").addEventListener("click", () => measure("files"));

  const form = one("#filter");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    view.query = one("#query").value.toLowerCase();
    view.verdicts = new Set(
      all("input[type=checkbox]", form).filter((box) => box.checked).map((box) => +box.value));
    filter();
    draw();
  });

  // A form that comes back filled in after a reload would not match what is shown.
  form.reset();
  form.hidden = false;
  if (root.files > 0) {
    one("#map").hidden = false;
    if (root.bytes === 0) {
      one("#by-bytes").disabled = true;
      view.unit = "files";
    }
    trail();
    measure(view.unit);
    say(root);
    let width = plot.clientWidth;
    new ResizeObserver(() => {
      if (plot.clientWidth === width) return;
      width = plot.clientWidth;
      draw();
    }).observe(plot);
  }
})();
