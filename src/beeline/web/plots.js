// How the search went, as plots: counters over time, and what the estimate said.

const PLOT = { width: 340, height: 170, left: 52, right: 12, top: 10, bottom: 26 };

function short(value) {
  if (Math.abs(value) >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  if (Math.abs(value) >= 1e4) return `${Math.round(value / 1e3)}k`;
  return Number.isInteger(value) ? String(value) : value.toPrecision(2);
}

function moment(seconds) {
  // As a number first: digits alone, without an exponent.
  return seconds < 1 ? `${Number((seconds * 1000).toPrecision(2))} ms` : `${Number(seconds.toPrecision(3))} s`;
}

// A frame with its largest values on the axes.
function frame(caption, said, top, rightmost, ...parts) {
  const { width, height, left, right, bottom } = PLOT;
  const [foot, end] = [height - bottom, width - right];
  const axes = [
    drawn("path", { class: "axis", d: `M${left} ${PLOT.top} V${foot} H${end}` }),
    drawn("text", { x: left - 6, y: PLOT.top + 8, "text-anchor": "end" }, top),
    drawn("text", { x: left - 6, y: foot, "text-anchor": "end" }, "0"),
    drawn("text", { x: left, y: height - 8 }, "0"),
    drawn("text", { x: end, y: height - 8, "text-anchor": "end" }, rightmost),
  ];
  const box = { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said };
  return element("figure", {}, element("figcaption", {}, caption), drawn("svg", box, ...axes, ...parts));
}

// A counter over time; with `stairs` it keeps its value until it changes.
function curve(caption, seconds, values, stairs) {
  const points = seconds.map((t, i) => [t, values[i]]).filter(([, value]) => typeof value === "number");
  if (points.length === 0) return null;
  if (!stairs) points.unshift([0, 0]);
  const latest = Math.max(...seconds, 1e-9);
  const top = Math.max(...points.map(([, value]) => value), 1);
  const { width, height, left, right, bottom } = PLOT;
  const x = (t) => left + (t / latest) * (width - left - right);
  const y = (value) => height - bottom - (value / top) * (height - bottom - PLOT.top);
  let line = `M${x(points[0][0]).toFixed(1)} ${y(points[0][1]).toFixed(1)}`;
  for (const [t, value] of points.slice(1)) {
    line += stairs ? `H${x(t).toFixed(1)}V${y(value).toFixed(1)}` : `L${x(t).toFixed(1)} ${y(value).toFixed(1)}`;
  }
  const [first, last] = [points[0], points[points.length - 1]];
  const said = `${caption}: ${number(first[1])} at ${moment(first[0])}, ${number(last[1])} at ${moment(last[0])}, at most ${number(top)}`;
  const dot = drawn("circle", { class: "last", cx: x(last[0]), cy: y(last[1]), r: 3 });
  return frame(caption, said, short(top), moment(latest), drawn("path", { class: "curve", d: line }), dot);
}

function bars(caption, counts) {
  if (counts.length === 0) return null;
  const top = Math.max(...counts);
  const { width, height, left, right, bottom } = PLOT;
  const each = (width - left - right) / counts.length;
  const parts = counts.map((count, value) => {
    const tall = (count / top) * (height - bottom - PLOT.top);
    const at = { x: left + value * each, y: height - bottom - tall, width: Math.max(0.8, each - 1), height: tall };
    return drawn("rect", { class: "bar", ...at }, drawn("title", {}, `${value}: ${number(count)} times`));
  });
  const most = counts.indexOf(top);
  const said = `${caption}: values up to ${counts.length - 1}, most often ${most} (${number(top)} times)`;
  return frame(caption, said, short(top), String(counts.length - 1), ...parts);
}

// Whether there is anything to plot.
function showPlots() {
  const { history, estimates } = result;
  if (!history || !Array.isArray(history.seconds)) return false;
  const { seconds } = history;
  const made = [
    curve("states over time", seconds, history.stored || [], false),
    curve("open list over time", seconds, history.frontier || [], false),
    curve("best estimate over time", seconds, history.best_estimate || [], true),
    bars("how often the estimate said so", Array.isArray(estimates) ? estimates : []),
  ].filter(Boolean);
  byId("plots").replaceChildren(...made);
  return made.length > 0;
}
