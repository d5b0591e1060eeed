// The sequence chart: one lifeline for each process, one row for each step. Only the rows in view are drawn, unless the
// page is printed. Numbers of steps stay at the left, and names at the top, while the chart is scrolled.

const ROW = 30;
const BOX = 20;
const NARROWEST = 84; // a column
const SQUEEZED = 150; // what a wide column is made to before the chart is scrolled sideways
const WIDEST = 340;
const LETTER = 7.25; // pixels
const NAME_LETTER = 9; // of names, which are in bold
const AIR = 22; // beside a box in its column
const TURN = 22; // pixels above the first step of a cycle, for a line that says so, and below the last one
const LONGEST_GAP = 70; // pixels for the longest time between two steps of a timed trace
const MOST_PRINTED = 3000; // rows

let tops = []; // where each row begins
let bottom = 0;
let columns = new Map(); // for each process: where its column begins, its width, and its middle
let sheetWidth = 0;
let gutter = 48;

// In a timed trace the gap above a row is as long, to scale, as the time that passes before it. There is room for what is
// said of a cycle.
function layRows() {
  const moments = rows.map((index) => momentOf(steps[index]));
  const delays = moments.map((moment, row) => moment - (row > 0 ? moments[row - 1] : 0));
  const longest = delays.reduce((a, b) => Math.max(a, b), 0);
  bottom = 0;
  tops = delays.map((delay, row) => {
    const top = bottom + (longest > 0 ? (LONGEST_GAP * delay) / longest : 0) + (row === turningRow() ? TURN : 0);
    bottom = top + ROW;
    return top;
  });
  if (cycle !== null) bottom += TURN;
  byId("rows").style.height = `${bottom}px`;
  byId("gutter").style.height = `${bottom}px`;
}

// The row of the first step of the cycle that is shown, -1 if there is none.
function turningRow() {
  return cycle === null ? -1 : rows.findIndex((index) => index >= cycle);
}

function isTimed() {
  return steps.some((step) => step.at !== undefined);
}

function labelOf(step) {
  return step.error ? `! ${step.error}` : step.action || "";
}

// What each process says at most, in letters; others of a synchronisation say their part.
function longestLabels() {
  const found = new Map(lifelines.map((name) => [name, (name || "model").length + 2]));
  const meet = (name, text) => found.set(name, Math.max(found.get(name), text.length));
  for (const step of steps) {
    meet(step.process || "", labelOf(step));
    for (const partner of step.partners || []) if (partner.process !== step.process) meet(partner.process, partner.action);
  }
  return found;
}

const longest = new Map();

// Columns as wide as they must be, wider if there is room, narrower if there is too little.
function layColumns() {
  if (longest.size === 0) for (const [name, length] of longestLabels()) longest.set(name, length);
  gutter = isTimed() ? 92 : cycle !== null ? 62 : 48;
  const room = Math.max(200, (byId("chart").clientWidth || 800) - gutter - 2);
  const wished = lifelines.map((name) => Math.max(NARROWEST, Math.min(WIDEST, longest.get(name) * LETTER + 12 + AIR)));
  let total = wished.reduce((a, b) => a + b, 0);
  if (total > room) {
    const yielding = wished.map((width) => Math.max(0, width - SQUEEZED));
    const spare = yielding.reduce((a, b) => a + b, 0);
    const share = spare > 0 ? Math.min(1, (total - room) / spare) : 0;
    wished.forEach((width, i) => (wished[i] = Math.floor(width - yielding[i] * share)));
  } else {
    const more = (room - total) / Math.max(1, wished.length);
    wished.forEach((width, i) => (wished[i] = Math.min(Math.max(width, WIDEST), Math.floor(width + more))));
  }
  total = 0;
  columns = new Map();
  lifelines.forEach((name, i) => {
    columns.set(name, { left: total, width: wished[i], middle: total + wished[i] / 2 });
    total += wished[i];
  });
  sheetWidth = Math.max(total, room);
}

function middle(process) {
  return columns.get(process).middle;
}

// Half of the width of a box with a text.
function half(process, text) {
  const { width } = columns.get(process);
  return Math.min(width - 8, text.length * LETTER + 14) / 2;
}

function showNames() {
  layColumns();
  byId("sheet").style.gridTemplateColumns = `${gutter}px ${sheetWidth}px`;
  byId("corner").textContent = isTimed() ? "step  time" : "step";
  const names = lifelines.map((name) => {
    const { left, width } = columns.get(name);
    const made = element("span", { class: "name", title: name }, clip(name || "model", Math.floor((width - 12) / NAME_LETTER)));
    made.style.left = `${left}px`;
    made.style.width = `${width}px`;
    return made;
  });
  byId("names").replaceChildren(...names);
}

function drawChart() {
  const view = byId("chart");
  const height = printing ? Infinity : view.clientHeight || 600;
  let [first, last] = visible(tops, ROW, printing ? 0 : view.scrollTop, height);
  if (printing) last = Math.min(last, first + MOST_PRINTED);
  const start = first > 0 ? tops[first - 1] + ROW : 0;
  const end = last === tops.length ? bottom : tops[last - 1] + ROW;
  frameOf("picture", start, end, sheetWidth);
  frameOf("margin", start, end, gutter);
  const parts = [];
  for (const name of lifelines) {
    const x = middle(name);
    parts.push(drawn("line", { class: "lifeline", x1: x, x2: x, y1: 0, y2: end - start }));
  }
  const numbers = [];
  for (let row = first; row < last; row += 1) {
    const y = tops[row] - start;
    numbers.push(...drawNumber(rows[row], y));
    parts.push(rowBand(rows[row], y, sheetWidth));
  }
  const arrows = drawMessages(first, last, start);
  for (let row = first; row < last; row += 1) parts.push(...drawStep(rows[row], tops[row] - start));
  if (isTimed()) numbers.push(...drawTime(first, last, start));
  if (cycle !== null) {
    parts.push(...drawTurns(first, last, start));
    numbers.push(...drawLoop(start));
  }
  byId("picture").replaceChildren(...parts, ...arrows);
  byId("margin").replaceChildren(...numbers);
}

function frameOf(id, start, end, width) {
  byId(id).style.top = `${start}px`;
  byId(id).setAttribute("width", String(width));
  byId(id).setAttribute("height", String(Math.max(0, end - start)));
}

function rowBand(index, y, width) {
  const kind = index + 1 === chosen ? "row chosen" : "row";
  return drawn("rect", { class: kind, x: 0, y, width, height: ROW, "data-step": index + 1 });
}

function drawNumber(index, y) {
  return [
    rowBand(index, y, gutter),
    drawn("text", { class: "step", x: cycle === null ? 34 : 46, y: y + 19, "text-anchor": "end" }, String(steps[index].step)),
  ];
}

// A box with what a process does.
function box(process, text, y, kind, hint) {
  const x = middle(process);
  const wide = half(process, text);
  return drawn(
    "g",
    { class: kind },
    drawn("title", {}, hint),
    drawn("rect", { x: x - wide, y: y + (ROW - BOX) / 2, width: 2 * wide, height: BOX, rx: 4 }),
    drawn("text", { x, y: y + ROW / 2 + 4, "text-anchor": "middle" }, clip(text, Math.floor((2 * wide - 10) / LETTER))),
  );
}

function hintOf(step) {
  return `${step.process}: ${textOf(step).split("\n").slice(1).filter(Boolean).join("\n")}`;
}

function drawStep(index, y) {
  const step = steps[index];
  const process = step.process || "";
  const label = labelOf(step);
  const hint = hintOf(step);
  const parts = [];
  const met = new Set([process]);
  for (const partner of step.partners || []) {
    if (met.has(partner.process)) continue;
    met.add(partner.process);
    parts.push(...drawHandshake(step, process, label, partner, y));
    parts.push(box(partner.process, partner.action, y, "action partner", hint));
  }
  parts.push(box(process, label, y, step.error ? "action error" : "action", hint));
  return parts;
}

// The arrow of a handshake, with what is handed over above it if there is room.
function drawHandshake(step, process, label, partner, y) {
  const right = middle(partner.process) > middle(process);
  const turn = right ? 1 : -1;
  const from = middle(process) + turn * half(process, label);
  const to = middle(partner.process) - turn * half(partner.process, partner.action);
  const at = y + ROW / 2;
  const parts = [drawn("line", { class: "handshake", x1: from, x2: to, y1: at, y2: at, "marker-end": "url(#head)" })];
  const value = step.message ? step.message.split(": ").slice(1).join(": ") || step.message : "";
  return [...parts, ...arrowLabel(value, (from + to) / 2, at - 4, Math.abs(to - from) - 16)];
}

function arrowLabel(text, x, y, room) {
  const letters = Math.floor(room / 6.2);
  if (!text || letters < 3) return [];
  const shown = drawn("text", { class: "value", x, y, "text-anchor": "middle" }, clip(text, letters));
  shown.append(drawn("title", {}, text));
  return [shown];
}

// Messages through channels: dashed from the step that sends to the step that receives, with the message.
function drawMessages(first, last, start) {
  const parts = [];
  for (const [channel, text, sent, received] of messages) {
    const from = position.get(sent);
    const to = position.get(received);
    if (from === undefined || to === undefined || to < first || from >= last) continue;
    const sender = steps[sent].process || "";
    const receiver = steps[received].process || "";
    if (sender === receiver) continue;
    const turn = middle(receiver) > middle(sender) ? 1 : -1;
    const x1 = middle(sender) + turn * half(sender, labelOf(steps[sent]));
    const x2 = middle(receiver) - turn * half(receiver, labelOf(steps[received]));
    const y1 = tops[from] - start + ROW / 2;
    const y2 = tops[to] - start + ROW / 2;
    const line = drawn("line", { class: "message", x1, x2, y1, y2, "marker-end": "url(#head)" });
    line.append(drawn("title", {}, `${channel}: ${text}`));
    // Near its end, where it is received: there an arrow that comes from far above is in view.
    const near = 0.72;
    parts.push(line, ...arrowLabel(text, x1 + (x2 - x1) * near, y1 + (y2 - y1) * near - 6, Math.abs(x2 - x1)));
  }
  return parts;
}

// Where the cycle begins, and that it goes on for ever.
function drawTurns(first, last, start) {
  const row = turningRow();
  const said = (y, text) => [
    drawn("line", { class: "cycle", x1: 0, x2: sheetWidth, y1: y, y2: y }),
    drawn("text", { class: "cycle", x: 8, y: y + 15 }, text),
  ];
  const parts = [];
  if (row >= first && row < last) parts.push(...said(tops[row] - start - TURN, "the cycle begins"));
  if (last === tops.length) parts.push(...said(bottom - TURN - start, goesOn(result, cycle)));
  return parts;
}

// The way back from the end of the cycle to its beginning, left of the numbers.
function drawLoop(start) {
  const row = turningRow();
  if (row < 0) return [];
  const head = tops[row] - start - TURN / 2;
  const foot = bottom - TURN - start + 8;
  const way = `M24 ${foot} H14 Q6 ${foot} 6 ${foot - 8} V${head + 8} Q6 ${head} 14 ${head} H22`;
  return [drawn("path", { class: "cycle back", d: way, "marker-end": "url(#back)" })];
}

// The time axis: a tick and its moment where time has passed.
function drawTime(first, last, start) {
  const x = gutter - 6;
  const parts = [drawn("line", { class: "axis", x1: x, x2: x, y1: 0, y2: Math.max(0, (tops[last - 1] || 0) + ROW - start) })];
  for (let row = first; row < last; row += 1) {
    const { at } = steps[rows[row]];
    if (row > 0 && steps[rows[row - 1]].at === at) continue;
    const y = tops[row] - start + ROW / 2;
    parts.push(drawn("line", { class: "axis", x1: x - 4, x2: x + 4, y1: y, y2: y }));
    parts.push(drawn("text", { class: "moment", x: x - 8, y: y + 4, "text-anchor": "end" }, clip(String(at), 6)));
  }
  return parts;
}

// Scrolls as little as is needed for a step to be in view.
function bringIntoView(index) {
  const view = byId("chart");
  const row = position.get(index);
  if (row === undefined) {
    if (index < 0) [view.scrollTop, view.scrollLeft] = [0, 0];
    return;
  }
  const y = tops[row];
  const below = row === rows.length - 1 ? bottom : y + ROW;
  const height = view.clientHeight || 600;
  const head = byId("names").offsetHeight || 0;
  if (y < view.scrollTop) view.scrollTop = row === 0 ? 0 : y;
  else if (below + head > view.scrollTop + height) view.scrollTop = below + head - height;
  const { left, width } = columns.get(steps[index].process || "");
  const room = (view.clientWidth || 0) - gutter;
  if (room > 0 && (left < view.scrollLeft || left + width > view.scrollLeft + room)) {
    view.scrollLeft = Math.max(0, left + width / 2 - room / 2);
  }
}
