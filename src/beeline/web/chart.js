// The sequence chart: one lifeline for each process, one row for each step. Only the rows in view are drawn.

const ROW = 30;
const NARROWEST = 150; // a column; columns grow to fill the chart, up to the widest
const WIDEST = 320;
const LETTER = 7.3; // pixels
const TURN = 22; // pixels above the first step of a cycle, for a line that says so, and below the last one
const LONGEST_GAP = 90; // pixels for the longest time between two steps of a timed trace

let tops = []; // where each row begins
let bottom = 0;
let column = NARROWEST;
let margin = 64; // left of the first lifeline: the number of the step, and the time axis

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
}

// The row of the first step of the cycle that is shown, -1 if there is none.
function turningRow() {
  return cycle === null ? -1 : rows.findIndex((index) => index >= cycle);
}

function isTimed() {
  return steps.some((step) => step.at !== undefined);
}

function middle(process) {
  return margin + column * lifelines.indexOf(process) + column / 2;
}

function showNames() {
  margin = isTimed() ? 120 : 64;
  const room = (byId("chart").clientWidth || 0) - margin;
  column = Math.max(NARROWEST, Math.min(WIDEST, Math.floor(room / Math.max(1, lifelines.length))));
  const head = byId("names");
  head.style.width = `${margin + column * lifelines.length}px`;
  const corner = element("span", { class: "corner" }, isTimed() ? "step, time" : "step");
  corner.style.flexBasis = `${margin}px`;
  const names = lifelines.map((name) => {
    const made = element("span", { class: "name", title: name }, clip(name || "model", Math.floor(column / LETTER)));
    made.style.flexBasis = `${column}px`;
    return made;
  });
  head.replaceChildren(corner, ...names);
}

function drawChart() {
  const view = byId("chart");
  const [first, last] = visible(tops, ROW, view.scrollTop, view.clientHeight || 600);
  const width = margin + column * lifelines.length;
  byId("rows").style.width = `${width}px`;
  const start = first > 0 ? tops[first - 1] + ROW : 0;
  const end = last === tops.length ? bottom : tops[last - 1] + ROW;
  const picture = byId("picture");
  picture.style.top = `${start}px`;
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(end - start));
  const parts = [];
  for (const name of lifelines) {
    const x = middle(name);
    parts.push(drawn("line", { class: "lifeline", x1: x, x2: x, y1: 0, y2: end - start }));
  }
  for (let row = first; row < last; row += 1) parts.push(...drawStep(rows[row], tops[row] - start, width));
  if (isTimed()) parts.push(...drawTime(first, last, start));
  parts.push(...drawMessages(first, last, start));
  if (cycle !== null) parts.push(...drawCycle(first, last, start, width));
  picture.replaceChildren(...parts);
}

// Where the cycle begins, and the way back to there from its end, left of the numbers.
function drawCycle(first, last, start, width) {
  const row = turningRow();
  const foot = bottom - TURN - start;
  const said = (y, text) => [
    drawn("line", { class: "cycle", x1: 0, x2: width, y1: y, y2: y }),
    drawn("text", { class: "cycle", x: margin, y: y + 15 }, text),
  ];
  const parts = [];
  if (last === tops.length) parts.push(...said(foot, goesOn(result, cycle)));
  if (row < 0) return parts;
  const head = tops[row] - start;
  if (row >= first && row < last) parts.push(...said(head - TURN, "the cycle begins"));
  const way = `M16 ${foot + 8} H4 V${head - TURN / 2} H14`;
  parts.push(drawn("path", { class: "cycle back", d: way, "marker-end": "url(#back)" }));
  return parts;
}

// The time axis: a tick and its moment where time has passed.
function drawTime(first, last, start) {
  const x = margin - 22;
  const parts = [drawn("line", { class: "axis", x1: x, x2: x, y1: 0, y2: tops[last - 1] + ROW - start })];
  for (let row = first; row < last; row += 1) {
    const { at } = steps[rows[row]];
    if (row > 0 && steps[rows[row - 1]].at === at) continue;
    const y = tops[row] - start + ROW / 2;
    parts.push(drawn("line", { class: "axis", x1: x - 5, x2: x + 5, y1: y, y2: y }));
    parts.push(drawn("text", { class: "moment", x: x - 9, y: y + 4, "text-anchor": "end" }, clip(String(at), 8)));
  }
  return parts;
}

function drawStep(index, y, width) {
  const step = steps[index];
  const x = middle(step.process || "");
  const here = index + 1 === chosen;
  const parts = [
    drawn("rect", { class: here ? "row chosen" : "row", x: 0, y, width, height: ROW, "data-step": index + 1 }),
    drawn("text", { class: "step", x: 8, y: y + 19 }, String(step.step)),
  ];
  for (const partner of step.partners || []) {
    const to = middle(partner.process);
    if (to === x) continue;
    const end = to > x ? to - 6 : to + 6;
    parts.push(
      drawn("line", { class: "handshake", x1: x, x2: end, y1: y + 24, y2: y + 24, "marker-end": "url(#head)" }),
      drawn("circle", { class: "partner", cx: to, cy: y + 24, r: 3 }),
    );
  }
  const label = step.error ? `! ${step.error}` : step.action || "";
  const hint = drawn("title", {}, `${step.process}: ${textOf(step).split("\n").slice(1).filter(Boolean).join("\n")}`);
  parts.push(
    drawn(
      "g",
      { class: step.error ? "action error" : "action" },
      hint,
      drawn("rect", { x: x - column / 2 + 6, y: y + 4, width: column - 12, height: 18, rx: 4 }),
      drawn("text", { x, y: y + 17, "text-anchor": "middle" }, clip(label, Math.floor((column - 16) / LETTER))),
    ),
  );
  return parts;
}

function drawMessages(first, last, start) {
  const parts = [];
  for (const one of arrows) {
    const from = position.get(one.from);
    const to = position.get(one.to);
    if (from === undefined || to === undefined || to < first || from >= last) continue;
    const sender = steps[one.from].process || "";
    const receiver = steps[one.to].process || "";
    if (sender === receiver) continue;
    const side = middle(receiver) > middle(sender) ? 1 : -1;
    parts.push(
      drawn(
        "line",
        {
          class: "message",
          x1: middle(sender) + side * (column / 2 - 6),
          x2: middle(receiver) - side * (column / 2 - 4),
          y1: tops[from] - start + 13,
          y2: tops[to] - start + 13,
          "marker-end": "url(#head)",
        },
        drawn("title", {}, `${one.channel}: ${one.text}`),
      ),
    );
  }
  return parts;
}
