// Elements of the page, and what is needed everywhere. Everything that comes from a model is put in as text, never as
// markup.

const SVG = "http://www.w3.org/2000/svg";

const byId = (id) => document.getElementById(id);

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  return fill(made, attributes, children);
}

function drawn(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, String(value));
  for (const child of children) made.append(typeof child === "string" ? document.createTextNode(child) : child);
  return made;
}

function clip(text, length) {
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;
}

function number(value) {
  return typeof value === "number" ? value.toLocaleString("en") : String(value);
}

// A button that goes to a step.
function stepButton(step, ...children) {
  const made = element("button", { type: "button", class: "link" }, ...children);
  made.addEventListener("click", () => choose(step));
  return made;
}

// Tabs: a pane shows one of its panels. Panels without content have no tab.

const PANES = { upper: ["state", "why", "compare"], lower: ["source", "timeline", "automata", "graph", "search"] };
const open = new Map(); // the panel that each pane shows

function beginTabs(there) {
  for (const [pane, panels] of Object.entries(PANES)) {
    const shown = panels.filter((name) => there.includes(name));
    byId(pane).hidden = shown.length === 0;
    const tabs = shown.map((name) => {
      const panel = byId(`panel-${name}`);
      const said = panel.getAttribute("data-tab");
      const what = { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` };
      const tab = element("button", what, said);
      panel.setAttribute("aria-labelledby", `tab-${name}`);
      tab.addEventListener("click", () => openTab(name));
      tab.addEventListener("keydown", (event) => {
        const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (turn === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const next = shown[(shown.indexOf(name) + turn + shown.length) % shown.length];
        openTab(next);
        byId(`tab-${next}`).focus();
      });
      return tab;
    });
    byId(`${pane}-tabs`).replaceChildren(...tabs);
  }
}

function openTab(name) {
  const pane = PANES.upper.includes(name) ? "upper" : "lower";
  open.set(pane, name);
  for (const other of PANES[pane]) {
    byId(`panel-${other}`).hidden = other !== name;
    const tab = byId(`tab-${other}`);
    if (tab === null) continue;
    tab.setAttribute("aria-selected", String(other === name));
    tab.setAttribute("tabindex", other === name ? "0" : "-1");
  }
  if (result.trace) showStep();
}

function isOpen(name) {
  return printing || open.get(PANES.upper.includes(name) ? "upper" : "lower") === name;
}

let printing = false; // then every panel is open
