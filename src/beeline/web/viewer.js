// The page itself: what is shown of a step, and how people go about.

const data = JSON.parse(document.getElementById("data").textContent);
const result = data.result;
const steps = ruled(result.trace || []);
const states = new States(result.initial, steps);
const messages = data.messages || [];
const lifelines = processes(steps);
const cycle = cycleOf(result);

let chosen = steps.length; // how many steps have been taken in the state that is shown
let rows = filtered(steps, {});
let position = new Map(rows.map((index, row) => [index, row]));

const WORDS = { violated: "VIOLATED", holds: "holds", unknown: "unknown" };

function showSummary() {
  byId("property").textContent = result.property || "result";
  const answer = (result.answers || []).find((one) => one.property === result.property);
  byId("asked").textContent = answer && answer.text && answer.text !== result.property ? answer.text : "";
  byId("verdict").textContent = WORDS[result.verdict] || result.verdict;
  byId("verdict").setAttribute("data-verdict", result.verdict);
  byId("reason").textContent = result.reason || "";
  const round = cycle === null ? null : cycle === steps.length ? "at rest" : `steps ${cycle + 1} to ${steps.length}`;
  const facts = [
    ["model", result.model],
    ["steps", result.trace_is_shortest ? `${result.trace_length}, the fewest possible` : result.trace_length],
    ["cost", result.trace_is_cheapest ? `${result.trace_cost}, the least possible` : result.trace_cost],
    ["cycle", round],
    ["in every turn", cycle === null ? null : result.broken_promise],
    ["ends at", result.duration],
    ["states", result.states && result.states.stored],
    ["certificate", result.certificate_text],
    ["search", [result.search, result.heuristic].filter(Boolean).join(", ")],
    ["seconds", typeof result.time_s === "number" ? result.time_s.toFixed(3) : null],
  ];
  for (const [name, value] of facts) {
    if (value === null || value === undefined || value === "") continue;
    byId("facts").append(element("div", {}, element("dt", {}, name), element("dd", {}, number(value))));
  }
  document.title = `${result.property || "result"} · Beeline`;
}

function showStep() {
  const step = chosen > 0 ? steps[chosen - 1] : null;
  const changes = (step && step.changes) || {};
  const said = step ? `step ${chosen} of ${steps.length}: ${step.process} ${step.action}`.trim() : "initial state";
  byId("now").textContent = step && step.error ? `${said}: ${step.error}` : said;
  byId("position").textContent = `${chosen} / ${steps.length}`;
  byId("slider").value = String(chosen);
  byId("slider").setAttribute("aria-valuetext", said);
  showDetails(step);
  const state = states.at(chosen);
  showState(state, changes, (step && step.elapsed) || []);
  showSource(state, step);
  showAutomata(state, step);
  showTimeline();
  showGraphPlace();
  drawChart();
}

// What a step says besides its action: its partners, what it prints, and where it stands in a cycle.
function showDetails(step) {
  const details = [];
  for (const partner of (step && step.partners) || []) {
    details.push(partner.process === step.process ? partner.action : `with ${partner.process}: ${partner.action}`);
  }
  if (step && step.message) details.push(`hands over ${step.message}`);
  for (const line of (step && step.output) || []) details.push(`prints: ${line}`);
  if (step && step.at !== undefined) details.push(`at ${step.at}`);
  if (chosen === cycle && cycle < steps.length) details.push("the cycle begins");
  if (chosen === steps.length && cycle !== null) details.push(goesOn(result, cycle));
  byId("details").replaceChildren(...details.map((text) => element("li", {}, text)));
}

// Going about

function choose(wanted) {
  chosen = Math.max(0, Math.min(steps.length, wanted));
  bringIntoView(chosen - 1);
  showStep();
  remember();
}

// The address leads to the step, so that a link does.
function remember() {
  const wanted = `#step=${chosen}`;
  if (!window.location || window.location.hash === wanted) return;
  try {
    window.history.replaceState(null, "", wanted);
  } catch {
    // Some browsers refuse after many changes, and so do some frames: the page does without.
  }
}

function stepInAddress() {
  const found = /^#step=(\d+)$/.exec((window.location && window.location.hash) || "");
  return found ? Number(found[1]) : null;
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

const FILTERS = ["search", "process", "variable"];

function filter() {
  rows = filtered(steps, {
    text: byId("search").value,
    process: byId("process").value,
    variable: byId("variable").value,
  });
  position = new Map(rows.map((index, row) => [index, row]));
  layRows();
  const narrowed = FILTERS.some((id) => byId(id).value !== "");
  byId("clear").hidden = !narrowed;
  byId("count").textContent = narrowed ? `${rows.length} of ${steps.length} steps` : "";
  byId("chart").scrollTop = 0;
  choose(chosen);
}

function clearFilters() {
  for (const id of FILTERS) byId(id).value = "";
  filter();
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
  Escape: clearFilters,
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

// Home and End belong to the trace, except where a text is being written.
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target;
  const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(field.tagName) && !["range", "checkbox"].includes(field.type);
  if (typing && event.key === "Escape") {
    if (FILTERS.includes(field.id)) clearFilters();
    field.blur();
    return;
  }
  if (typing || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
}

function listen() {
  document.addEventListener("keydown", pressed);
  byId("first").addEventListener("click", () => choose(0));
  byId("previous").addEventListener("click", () => go(-1, 1));
  byId("next").addEventListener("click", () => go(1, 1));
  byId("last").addEventListener("click", () => choose(steps.length));
  byId("clear").addEventListener("click", clearFilters);
  byId("lights").addEventListener("click", turnLights);
  byId("slider").addEventListener("input", () => choose(Number(byId("slider").value)));
  for (const id of FILTERS) byId(id).addEventListener("input", filter);
  for (const id of ["automata-choice", "names-filter", "only-changed"]) byId(id).addEventListener("input", showStep);
  byId("chart").addEventListener("scroll", drawChart);
  for (const id of ["picture", "margin"]) byId(id).addEventListener("click", clickedStep);
  window.addEventListener("resize", () => {
    showNames();
    showStep();
  });
  window.addEventListener("hashchange", () => {
    const wanted = stepInAddress();
    if (wanted !== null && wanted !== chosen) choose(wanted);
  });
  window.addEventListener("beforeprint", () => print(true));
  window.addEventListener("afterprint", () => print(false));
}

function clickedStep(event) {
  const y = event.clientY - byId("picture").getBoundingClientRect().top + parseFloat(byId("picture").style.top);
  const index = rows[tops.findIndex((top) => y < top + ROW)];
  if (index !== undefined) choose(index + 1);
}

// On paper everything is open, and nothing is scrolled.
function print(begins) {
  printing = begins;
  for (const panels of Object.values(PANES)) {
    for (const name of panels) {
      const there = byId(`tab-${name}`) !== null;
      byId(`panel-${name}`).hidden = begins ? !there : !isOpen(name);
    }
  }
  showNames();
  showStep();
}

// Which panels have something to show, and which of them is open at first.
function panels() {
  const named = beginAutomata(states.order);
  const files = Object.keys(data.sources);
  const there = ["state"];
  if (result.explanation) there.push("why");
  if (data.other) there.push("compare");
  if (files.length > 0) there.push("source");
  if (isTimed()) there.push("timeline");
  if (named.length > 0) there.push("automata");
  if (result.graph) there.push("graph");
  if (showPlots()) there.push("search");
  return there;
}

function untraced() {
  const there = result.graph ? ["graph"] : [];
  return showPlots() ? [...there, "search"] : there;
}

function begin() {
  showSummary();
  const traced = result.trace !== null && result.trace !== undefined;
  const there = traced ? panels() : untraced();
  beginTabs(there);
  byId("no-trace").hidden = traced;
  for (const id of ["controls", "now", "chart"]) byId(id).hidden = !traced;
  showGraph();
  if (traced) {
    showExplanation();
    showComparison();
    showNames();
    for (const name of lifelines) byId("process").append(element("option", { value: name }, name || "model"));
    for (const name of states.order.slice(0, 1000)) byId("variables").append(element("option", { value: name }));
    byId("slider").max = String(steps.length);
    beginTimeline();
    listen();
    layRows();
  }
  const isXml = Object.values(data.sources).some((lines) => lines.some((line) => line.includes("<nta")));
  const first = { upper: data.other ? "compare" : "state", lower: isXml ? "automata" : isTimed() ? "timeline" : "source" };
  for (const [pane, names] of Object.entries(PANES)) {
    const possible = names.filter((name) => there.includes(name));
    const wished = possible.includes(first[pane]) ? first[pane] : possible[0];
    if (wished) openTab(wished);
  }
  if (traced) {
    const wanted = stepInAddress();
    choose(wanted === null ? steps.length : wanted);
  }
}

begin();
