// The page itself. Everything that comes from a model is put in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

const data = JSON.parse(document.getElementById("data").textContent);
const result = data.result;
const steps = result.trace || [];
const states = new States(result.initial, steps);
const arrows = messages(steps);
const lifelines = processes(steps);
const cycle = cycleOf(result);
const byId = (id) => document.getElementById(id);

let chosen = steps.length; // how many steps have been taken in the state that is shown
let rows = filtered(steps, {});
let position = new Map(rows.map((index, row) => [index, row]));

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
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

// The head of the page

function number(value) {
  return typeof value === "number" ? value.toLocaleString("en") : String(value);
}

function showSummary() {
  byId("property").textContent = result.property || "";
  byId("verdict").textContent = result.verdict;
  byId("verdict").setAttribute("data-verdict", result.verdict);
  byId("reason").textContent = result.reason || "";
  const facts = [
    ["model", result.model],
    ["steps", result.trace_length],
    ["cycle", cycle === null ? null : cycle === steps.length ? "at rest" : `steps ${cycle + 1} to ${steps.length}`],
    ["shortest", result.trace_is_shortest ? "yes" : null],
    ["search", [result.search, result.heuristic].filter(Boolean).join(", ")],
    ["states stored", result.states && result.states.stored],
    ["expanded", result.states && result.states.expanded],
    ["depth", result.depth],
    ["ends at", result.duration],
    ["seconds", typeof result.time_s === "number" ? result.time_s.toFixed(3) : null],
    ["Beeline", result.version],
  ];
  for (const [name, value] of facts) {
    if (value === null || value === undefined || value === "") continue;
    byId("facts").append(element("dt", {}, name), element("dd", {}, number(value)));
  }
  document.title = `${result.property || "result"} · Beeline`;
}

// The state, the step and the source beside it

function showStep() {
  const step = chosen > 0 ? steps[chosen - 1] : null;
  const changes = (step && step.changes) || {};
  const said = step ? `step ${chosen} of ${steps.length}: ${step.process} ${step.action}` : "initial state";
  byId("now").textContent = step && step.error ? `${said}: ${step.error}` : said;
  byId("slider").value = String(chosen);
  byId("slider").setAttribute("aria-valuetext", said);
  const details = [];
  for (const partner of (step && step.partners) || []) details.push(`with ${partner.process}: ${partner.action}`);
  for (const line of (step && step.output) || []) details.push(`prints: ${line}`);
  if (chosen === cycle && cycle < steps.length) details.push("the cycle begins");
  if (chosen === steps.length && cycle !== null) details.push(goesOn(result, cycle));
  byId("details").replaceChildren(...details.map((text) => element("li", {}, text)));
  const state = states.at(chosen);
  showState(state, changes);
  showSource(state, step);
  showAutomata(state, step);
  showGraphPlace();
  drawChart();
}

function showState(state, changes) {
  const wanted = byId("names-filter").value.toLowerCase();
  const onlyChanged = byId("only-changed").checked;
  const shown = [];
  for (const name of states.order) {
    const changed = Object.hasOwn(changes, name);
    if ((!state.has(name) && !changed) || (onlyChanged && !changed)) continue;
    if (wanted && !name.toLowerCase().includes(wanted)) continue;
    const before = changed ? changes[name][0] : null;
    shown.push(
      element(
        "tr",
        changed ? { class: "changed" } : {},
        element("th", { scope: "row" }, name),
        element("td", {}, state.has(name) ? String(state.get(name)) : "gone"),
        element("td", { class: "before" }, changed ? (before === null ? "new" : `was ${before}`) : ""),
      ),
    );
  }
  byId("state").replaceChildren(...shown);
}

let shownFile = null;
let marked = [];

// The file of the step, or the model's own, with the line of the step and the lines where the processes stand marked.
function showSource(state, step) {
  const place = step && step.source;
  const files = Object.keys(data.sources);
  const file = place && files.includes(place.file) ? place.file : shownFile || files[0];
  if (file === undefined) return;
  if (file !== shownFile) {
    const lines = data.sources[file].map((text, i) => element("li", { id: `line-${i + 1}` }, text || " "));
    byId("source").replaceChildren(...lines);
    byId("source-file").textContent = file;
    shownFile = file;
    marked = [];
  }
  for (const line of marked) {
    line.classList.remove("current", "stands");
    line.removeAttribute("title");
  }
  marked = [];
  for (const [line, name] of standing(state)) mark(line, "stands", name);
  const current = place && place.file === file ? mark(place.line, "current", step.process) : null;
  const shown = current || marked[0];
  if (shown) {
    // Only the box moves: the page stays where the reader has it.
    const box = byId("source-scroll");
    box.scrollTop = Math.max(0, shown.offsetTop - (box.clientHeight || 0) / 2);
  }
}

function mark(number, kind, process) {
  const line = byId(`line-${number}`);
  if (line === null) return null;
  line.classList.add(kind);
  const said = line.getAttribute("title");
  line.setAttribute("title", said && !said.split(", ").includes(process) ? `${said}, ${process}` : process);
  marked.push(line);
  return line;
}

function showExplanation() {
  const why = result.explanation;
  if (!why) return;
  byId("why").hidden = false;
  byId("why-headline").textContent = why.headline;
  const lines = [];
  for (const part of why.parts || []) {
    const reads = Object.entries(part.reads || {}).map(([name, value]) => `${name} = ${value}`);
    const value = part.value === null ? "" : ` is ${part.value}${part.when ? ` ${part.when}` : ""}`;
    lines.push(`${"  ".repeat(part.depth)}${part.text}${value}${reads.length ? `   (${reads.join(", ")})` : ""}`);
  }
  for (const wait of why.waits || []) {
    lines.push(`${wait.process} stands at ${wait.location}`);
    for (const way of wait.ways) lines.push(`  ${way.action}: ${way.missing}`);
  }
  byId("why-parts").textContent = lines.join("\n");
  for (const write of why.writes || []) {
    const where = write.step ? `step ${write.step}, ${write.process}: ${write.action}` : "since the start";
    const button = element("button", { type: "button" }, `${write.name} = ${write.value}: ${where}`);
    button.addEventListener("click", () => choose(write.step));
    byId("why-writes").append(element("li", {}, button));
  }
  const list = (values) => Object.entries(values).map(([name, value]) => `${name} = ${value}`).join(", ");
  for (const cause of why.causes || []) {
    const read = Object.keys(cause.read).length > 0 ? ` from ${list(cause.read)}` : "";
    const text = `step ${cause.step}, ${cause.process}: ${cause.action}; ${list(cause.wrote)}${read}`;
    const button = element("button", { type: "button" }, text);
    button.addEventListener("click", () => choose(cause.step));
    byId("why-causes").append(element("li", {}, button));
  }
  byId("why-chain").hidden = (why.causes || []).length === 0;
}

const MOST_ROWS = 2000; // of a comparison

function showComparison() {
  if (!data.other) return;
  const there = data.other.trace || [];
  const compared = aligned(steps, there);
  const shared = compared.filter(([i, j]) => i !== null && j !== null).length;
  const first = compared.findIndex(([i, j]) => i === null || j === null);
  const parting = first < 0 ? "they do the same" : `they part after ${first} step${first === 1 ? "" : "s"}`;
  byId("compare").hidden = false;
  byId("compare-headline").textContent =
    `${steps.length} steps here, ${there.length} in the other trace, ${shared} in both; ${parting}`;
  for (const [i, j] of compared.slice(0, MOST_ROWS)) {
    const step = i === null ? there[j] : steps[i];
    const mark = i === null ? "+" : j === null ? "−" : "=";
    const text = `${mark} ${step.step} ${step.process}: ${step.action}`;
    const kind = i === null ? "there" : j === null ? "here" : "both";
    if (i === null) {
      byId("compare-rows").append(element("li", { class: kind }, text));
      continue;
    }
    const button = element("button", { type: "button" }, text);
    button.addEventListener("click", () => choose(i + 1));
    byId("compare-rows").append(element("li", { class: kind }, button));
  }
  if (compared.length > MOST_ROWS) {
    byId("compare-rows").append(element("li", {}, `${compared.length - MOST_ROWS} more`));
  }
}

// Going about

function choose(wanted) {
  chosen = Math.max(0, Math.min(steps.length, wanted));
  const row = position.get(chosen - 1);
  const view = byId("chart");
  if (row !== undefined) {
    const y = tops[row];
    const below = row === rows.length - 1 ? bottom : y + ROW;
    const height = view.clientHeight || 600;
    const head = byId("names").offsetHeight || 0;
    if (y < view.scrollTop) view.scrollTop = y;
    else if (below + head > view.scrollTop + height) view.scrollTop = below + head - height;
    const x = middle(steps[chosen - 1].process || "");
    const width = view.clientWidth || 0;
    const outside = x - column / 2 < view.scrollLeft || x + column / 2 > view.scrollLeft + width;
    if (width > 0 && outside) view.scrollLeft = x - width / 2;
  }
  showStep();
}

// The next step in a direction among those that the filter leaves. Past the last step a cycle begins again.
function go(direction, by) {
  const round = direction > 0 && cycle !== null && rows.some((index) => index >= cycle);
  let left = by;
  let at = chosen;
  while (left > 0) {
    at += direction;
    if (at > steps.length && round) at = cycle + 1;
    if (at < 0 || at > steps.length) return;
    if (at === 0 || position.has(at - 1)) {
      left -= 1;
      chosen = at;
    }
    if (at === 0) break;
  }
  choose(chosen);
}

function filter() {
  rows = filtered(steps, {
    text: byId("search").value,
    process: byId("process").value,
    variable: byId("variable").value,
  });
  position = new Map(rows.map((index, row) => [index, row]));
  layRows();
  byId("count").textContent = rows.length === steps.length ? "" : `${rows.length} of ${steps.length} steps`;
  byId("chart").scrollTop = 0;
  choose(chosen);
}

const KEYS = {
  ArrowDown: () => go(1, 1),
  ArrowRight: () => go(1, 1),
  j: () => go(1, 1),
  ArrowUp: () => go(-1, 1),
  ArrowLeft: () => go(-1, 1),
  k: () => go(-1, 1),
  PageDown: () => go(1, 10),
  PageUp: () => go(-1, 10),
  Home: () => choose(0),
  End: () => choose(steps.length),
  "/": () => byId("search").focus(),
  d: turnLights,
};

function turnLights() {
  const root = document.documentElement;
  const dark =
    root.getAttribute("data-theme") === "dark" ||
    (!root.getAttribute("data-theme") && window.matchMedia("(prefers-color-scheme: dark)").matches);
  root.setAttribute("data-theme", dark ? "light" : "dark");
}

function listen() {
  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing && event.key === "Escape") event.target.blur();
    if (typing || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  byId("first").addEventListener("click", () => choose(0));
  byId("previous").addEventListener("click", () => go(-1, 1));
  byId("next").addEventListener("click", () => go(1, 1));
  byId("last").addEventListener("click", () => choose(steps.length));
  byId("lights").addEventListener("click", turnLights);
  byId("slider").addEventListener("input", () => choose(Number(byId("slider").value)));
  for (const id of ["search", "process", "variable"]) byId(id).addEventListener("input", filter);
  byId("automata-choice").addEventListener("input", showStep);
  byId("automata-box").addEventListener("toggle", showStep);
  byId("names-filter").addEventListener("input", showStep);
  byId("only-changed").addEventListener("input", showStep);
  byId("chart").addEventListener("scroll", drawChart);
  window.addEventListener("resize", () => {
    showNames();
    drawChart();
  });
  byId("picture").addEventListener("click", (event) => {
    const y = event.clientY - byId("picture").getBoundingClientRect().top + parseFloat(byId("picture").style.top);
    const index = rows[tops.findIndex((top) => y < top + ROW)];
    if (index !== undefined) choose(index + 1);
  });
}

function begin() {
  showSummary();
  showExplanation();
  showComparison();
  showPlots();
  showGraph();
  if (result.trace === null || result.trace === undefined) {
    for (const id of ["controls", "chart", "side"]) byId(id).hidden = true;
    byId("no-trace").hidden = false;
    return;
  }
  showNames();
  for (const name of lifelines) byId("process").append(element("option", { value: name }, name || "model"));
  for (const name of states.order.slice(0, 1000)) byId("variables").append(element("option", { value: name }));
  byId("slider").max = String(steps.length);
  byId("source-box").hidden = Object.keys(data.sources).length === 0;
  beginAutomata(states.order);
  listen();
  layRows();
  choose(steps.length);
}

begin();
