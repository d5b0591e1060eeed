// The automata of the processes: drawn once for each kind, with the location of a process and the edge of a step lit.

const CELL = { width: 118, height: 58, box: 96, tall: 24 };
const MOST_DRAWN = 6; // automata at once, unless somebody asks for all
const layouts = new Map(); // by kind

// The kind of a process: processes that start later are called after theirs.
function kindOf(process) {
  const { kinds, instances } = result.automata;
  if (Object.hasOwn(instances, process)) return kinds[instances[process]];
  const name = /^(.*)\(\d+\)$/.exec(process);
  return (name && kinds.find((kind) => kind.name === name[1])) || null;
}

function layoutOf(kind) {
  if (!layouts.has(kind)) {
    const arcs = kind.edges.map((edge) => [edge.from, edge.to]);
    const layer = layersOf(kind.locations.length, arcs, kind.initial);
    const rows = ordered(layer, arcs);
    const width = Math.max(...rows.map((row) => row.length)) * CELL.width + 40;
    const places = [];
    rows.forEach((row, y) => {
      const left = (width - row.length * CELL.width) / 2 + CELL.width / 2;
      row.forEach((node, x) => (places[node] = { x: left + x * CELL.width, y: y * CELL.height + CELL.tall, layer: y }));
    });
    layouts.set(kind, { places, width, height: rows.length * CELL.height });
  }
  return layouts.get(kind);
}

// The way of an edge: straight down to the next layer, round the side otherwise.
function way(a, b, lane) {
  const half = CELL.tall / 2;
  if (a === b) {
    const x = a.x + CELL.box / 2;
    return `M${x} ${a.y - 5} C${x + 22} ${a.y - 14} ${x + 22} ${a.y + 14} ${x + 1} ${a.y + 5}`;
  }
  if (b.layer === a.layer + 1) {
    return `M${a.x} ${a.y + half} C${a.x} ${a.y + half + 18} ${b.x} ${b.y - half - 18} ${b.x} ${b.y - half}`;
  }
  if (b.layer > a.layer) {
    const bend = (a.x + b.x) / 2 + CELL.box * (b.x >= a.x ? 0.7 : -0.7);
    return `M${a.x} ${a.y + half} C${bend} ${a.y + CELL.height} ${bend} ${b.y - CELL.height} ${b.x} ${b.y - half}`;
  }
  if (b.layer === a.layer && Math.abs(a.x - b.x) <= CELL.width) {
    const side = (Math.sign(b.x - a.x) * CELL.box) / 2;
    const lift = side > 0 ? -4 : 4; // both ways stay apart
    return `M${a.x + side} ${a.y + lift} L${b.x - side} ${b.y + lift}`;
  }
  const side = lane % 2 === 0 ? 1 : -1;
  const x = (side > 0 ? Math.max(a.x, b.x) : Math.min(a.x, b.x)) + side * (CELL.box / 2 + 14 + 5 * Math.min(lane, 6));
  const [from, to] = [a.x + (side * CELL.box) / 2, b.x + (side * CELL.box) / 2];
  return `M${from} ${a.y} C${x} ${a.y} ${x} ${b.y} ${to} ${b.y}`;
}

// Edges between the same two locations are drawn as one.
function joined(kind) {
  const found = new Map();
  for (const edge of kind.edges) {
    const key = `${edge.from} ${edge.to}`;
    if (!found.has(key)) found.set(key, { from: edge.from, to: edge.to, actions: [] });
    found.get(key).actions.push(edge.action);
  }
  return [...found.values()];
}

function drawAutomaton(process, kind, before, here) {
  const { places, width, height } = layoutOf(kind);
  const parts = [];
  let lanes = 0;
  let taken = null;
  for (const edge of joined(kind)) {
    const [a, b] = [places[edge.from], places[edge.to]];
    const lane = b.layer <= a.layer ? lanes++ : 0;
    const isTaken =
      before !== null && kind.locations[edge.from].name === before && kind.locations[edge.to].name === here;
    const line = drawn("path", { class: isTaken ? "edge taken" : "edge", d: way(a, b, lane), "marker-end": "url(#tip)" });
    line.append(drawn("title", {}, edge.actions.join("\n")));
    if (isTaken) taken = line;
    else parts.push(line);
  }
  if (taken) parts.push(taken);
  kind.locations.forEach((location, i) => {
    const { x, y } = places[i];
    const names = ["location", location.name === here ? "lit" : "", location.end ? "end" : ""].filter(Boolean);
    parts.push(
      drawn(
        "g",
        { class: names.join(" ") },
        drawn("title", {}, `${location.name}${location.line ? `, line ${location.line}` : ""}`),
        drawn("rect", {
          x: x - CELL.box / 2, y: y - CELL.tall / 2, width: CELL.box, height: CELL.tall, rx: i === kind.initial ? 12 : 3,
        }),
        drawn("text", { x, y: y + 4, "text-anchor": "middle" }, clip(location.name, 13)),
      ),
    );
  });
  const said = `${process} is at ${here}${before !== null && before !== here ? `, came from ${before}` : ""}`;
  const picture = drawn("svg", { width, height: height + 4, role: "img", "aria-label": said }, ...parts);
  const caption = element("figcaption", {}, element("b", {}, process), element("span", {}, `at ${here}`));
  return element("figure", {}, caption, element("div", { class: "automaton", tabindex: 0 }, picture));
}

// Which processes are drawn: all, those that take part in the step, or one.
function drawnProcesses(state, step) {
  const there = [...state.keys()].filter((name) => kindOf(name) !== null);
  const wanted = byId("automata-choice").value;
  if (wanted === "all") return there;
  if (wanted !== "moving") return there.filter((name) => name === wanted);
  const moving = step ? [step.process, ...(step.partners || []).map((one) => one.process)] : there;
  return there.filter((name) => moving.includes(name)).slice(0, MOST_DRAWN);
}

function showAutomata(state, step) {
  if (!result.automata || !byId("automata-box").open) return;
  const changes = (step && step.changes) || {};
  const figures = drawnProcesses(state, step).map((name) => {
    const moved = step && (step.process === name || (step.partners || []).some((one) => one.process === name));
    const here = String(state.get(name));
    const before = Object.hasOwn(changes, name) ? String(changes[name][0]) : moved ? here : null;
    return drawAutomaton(name, kindOf(name), before, here);
  });
  byId("automata").replaceChildren(...figures);
}

function beginAutomata(names) {
  if (!result.automata) return;
  const there = names.filter((name) => kindOf(name) !== null);
  byId("automata-box").hidden = there.length === 0;
  for (const name of there) byId("automata-choice").append(element("option", { value: name }, name));
  byId("automata-choice").value = there.length <= 4 ? "all" : "moving";
}

// The lines where processes stand, from their locations: [line, process].
function standing(state) {
  const found = [];
  for (const [name, at] of result.automata ? state : []) {
    const kind = kindOf(name);
    const place = kind && kind.locations.find((location) => location.name === String(at));
    if (place && place.line) found.push([place.line, name]);
  }
  return found;
}
