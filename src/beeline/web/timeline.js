// Timed traces over time: where each process is, and what the clocks say.

const LANE = { height: 26, gap: 6, left: 96, right: 16, clock: 40, axis: 24 };
const MOST_CLOCKS = 12;
const HUES = 6; // colours of locations, by turns
const AFTER = 0.1; // of the width, for where everybody is in the end

let timeScale = null;
const hues = new Map(); // by location

function endOfTime() {
  const last = steps.length > 0 ? momentOf(steps[steps.length - 1]) : 0;
  return Math.max(last, numeric(result.duration), 1e-9);
}

// The processes that are somewhere in every state, in the order of the model.
function placedProcesses() {
  if (!result.automata) return lifelines;
  return states.order.filter((name) => kindOf(name) !== null);
}

function showTimeline() {
  if (!isOpen("timeline") || !isTimed()) return;
  const picture = byId("timeline");
  const width = Math.max(320, (byId("panel-timeline").clientWidth || 640) - 24);
  const end = endOfTime();
  timeScale = (moment) => LANE.left + (moment / end) * (width - LANE.left - LANE.right) * (1 - AFTER);
  const edge = width - LANE.right;
  const parts = [];
  let y = LANE.axis;
  for (const name of placedProcesses()) {
    parts.push(drawn("text", { class: "lane", x: 0, y: y + 17 }, clip(name, 12)));
    parts.push(...drawSpans(name, y, end, edge));
    y += LANE.height + LANE.gap;
  }
  for (const name of clocksOf(steps).slice(0, MOST_CLOCKS)) {
    parts.push(...drawClock(name, y, end));
    y += LANE.clock + LANE.gap;
  }
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(y + 4));
  picture.setAttribute("aria-label", `Where ${placedProcesses().length} processes are from 0 to ${result.duration || end}`);
  const now = timeScale(chosen > 0 ? momentOf(steps[chosen - 1]) : 0);
  parts.push(...drawMoments(end, y), drawn("line", { class: "now", x1: now, x2: now, y1: LANE.axis - 6, y2: y }));
  picture.replaceChildren(...parts);
}

// The last location is shown beyond the end, so that it can be seen where somebody came at the last moment.
function drawSpans(name, y, end, edge) {
  const spans = spansOf(name, result.initial || {}, steps, end);
  return spans.flatMap(([location, begin, until], i) => {
    if (!hues.has(location)) hues.set(location, hues.size % HUES);
    const x = timeScale(begin);
    const wide = (i === spans.length - 1 ? edge : timeScale(until)) - x;
    if (wide < 0.5) return [];
    const kind = `span hue${hues.get(location)}`;
    const bar = drawn("rect", { class: kind, x, y, width: wide, height: LANE.height, rx: 3 });
    bar.append(drawn("title", {}, `${name} at ${placed(location)} from ${begin} to ${until}`));
    const letters = Math.floor((wide - 8) / 6.8);
    const label = clip(placed(location), letters);
    return letters < 2 ? [bar] : [bar, drawn("text", { class: "at", x: x + 5, y: y + 17 }, label)];
  });
}

function drawClock(name, y, end) {
  const corners = curveOf(name, result.initial || {}, steps, end);
  const top = Math.max(...corners.map(([, value]) => value), 1e-9);
  const foot = y + LANE.clock;
  const height = (value) => foot - (value / top) * (LANE.clock - 8);
  const line = corners.map(([t, value], i) => `${i ? "L" : "M"}${timeScale(t).toFixed(1)} ${height(value).toFixed(1)}`);
  return [
    drawn("text", { class: "lane", x: 0, y: foot - 12 }, clip(name, 12)),
    drawn("text", { class: "top", x: LANE.left - 6, y: y + 12, "text-anchor": "end" }, short(top)),
    drawn("line", { class: "floor", x1: LANE.left, x2: timeScale(end), y1: foot, y2: foot }),
    drawn("path", { class: "clock", d: line.join("") }),
  ];
}

// Moments at which something happens, as many as there is room for.
function drawMoments(end, y) {
  const parts = [];
  let free = -Infinity;
  for (const step of [...steps, { at: end }]) {
    const x = timeScale(momentOf(step));
    if (x < free) continue;
    free = x + 34;
    parts.push(drawn("line", { class: "tick", x1: x, x2: x, y1: LANE.axis - 4, y2: y }));
    parts.push(drawn("text", { class: "moment", x, y: LANE.axis - 10, "text-anchor": "middle" }, short(momentOf(step))));
  }
  return parts;
}

function beginTimeline() {
  byId("timeline").addEventListener("click", (event) => {
    const x = event.clientX - byId("timeline").getBoundingClientRect().left;
    const far = (step) => Math.abs(timeScale(momentOf(step)) - x);
    const nearest = steps.reduce((best, step, i) => (far(step) <= far(steps[best]) ? i : best), 0);
    if (steps.length > 0) choose(nearest + 1);
  });
}
