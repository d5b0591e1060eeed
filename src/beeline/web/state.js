// The state after the chosen step as a tree: processes with their locations and variables, records, arrays. What the step
// changed is marked, with its old value.

const MOST_LEAVES = 3000; // names that are shown at once

let tree = null;

// `elapsed` are the clocks that only time changed: no news.
function showState(state, changes, elapsed) {
  if (!isOpen("state")) return;
  tree = tree || treeOf(states.order);
  const asked = {
    state,
    changes,
    aged: new Set(elapsed),
    wanted: byId("names-filter").value.toLowerCase(),
    onlyChanged: byId("only-changed").checked,
    left: MOST_LEAVES,
  };
  const [plain, grouped] = [[], []];
  for (const node of tree.children) {
    const shown = showNode(node, asked);
    if (shown) (isGroup(node) ? grouped : plain).push(shown);
  }
  const parts = [];
  if (plain.length > 0) parts.push(element("table", { class: "values" }, element("tbody", {}, ...plain)));
  if (asked.left <= 0) grouped.push(element("p", {}, `more than ${MOST_LEAVES} names: narrow them above`));
  byId("state").replaceChildren(...parts, ...grouped);
}

function isGroup(node) {
  return node.children.length > 0;
}

function isShown(path, asked) {
  const changed = Object.hasOwn(asked.changes, path);
  if ((!asked.state.has(path) && !changed) || (asked.onlyChanged && !changed)) return false;
  return !asked.wanted || path.toLowerCase().includes(asked.wanted);
}

// A row for a value or an array, a box that opens for what has parts; null if nothing of it is to be shown.
function showNode(node, asked) {
  if (asked.left <= 0) return null;
  if (isGroup(node)) return showGroup(node, asked);
  if (node.cells.length > 0) return showArray(node, asked);
  return node.path !== null && isShown(node.path, asked) ? showLeaf(node.name, node.path, asked) : null;
}

function showLeaf(name, path, asked) {
  asked.left -= 1;
  const kind = kindOfChange(path, asked);
  return element(
    "tr",
    kind ? { class: kind } : {},
    element("th", { scope: "row", title: path }, name),
    element("td", {}, ...valueOf(path, asked)),
  );
}

function kindOfChange(path, asked) {
  if (!Object.hasOwn(asked.changes, path)) return "";
  return asked.aged.has(path) ? "aged" : "changed";
}

// The value of a part; if the step changed it, the old one before it.
function valueOf(path, asked) {
  const now = asked.state.has(path) ? placed(String(asked.state.get(path))) : "gone";
  if (!Object.hasOwn(asked.changes, path)) return [now];
  const [before] = asked.changes[path];
  return [element("span", { class: "before" }, before === null ? "new" : placed(String(before))), " → ", now];
}

function showArray(node, asked) {
  const cells = node.cells.filter(([label, path]) => isShown(path, asked));
  if (cells.length === 0) return null;
  asked.left -= cells.length;
  let any = false;
  const shown = cells.map(([label, path]) => {
    const kind = kindOfChange(path, asked);
    any = any || kind === "changed";
    return element("span", { class: `cell ${kind}`.trim(), title: `${path}` }, element("i", {}, label.replace(/^\[(.*)\]$/, "$1")), ...valueOf(path, asked));
  });
  return element(
    "tr",
    any ? { class: "some" } : {},
    element("th", { scope: "row" }, node.name || "state"),
    element("td", { class: "cells" }, ...shown),
  );
}

function showGroup(node, asked) {
  const own = node.path !== null && isShown(node.path, asked);
  const [plain, grouped] = [[], []];
  for (const child of node.children) {
    const shown = showNode(child, asked);
    if (shown) (isGroup(child) ? grouped : plain).push(shown);
  }
  if (!own && plain.length === 0 && grouped.length === 0) return null;
  const there = node.path !== null && (asked.state.has(node.path) || Object.hasOwn(asked.changes, node.path));
  const moved = there && Object.hasOwn(asked.changes, node.path);
  const head = element("summary", moved ? { class: "changed" } : {}, element("b", {}, node.name));
  if (there) head.append(" ", element("span", { class: "at" }, ...valueOf(node.path, asked)));
  const box = element("details", { class: "group", open: "" }, head);
  if (plain.length > 0) box.append(element("table", { class: "values" }, element("tbody", {}, ...plain)));
  box.append(...grouped);
  return box;
}
