// The automata of the processes: drawn once for each kind, with the location of a process and the edge of a step lit; where
// people placed them, if they did.

const CELL = { width: 150, height: 66, tall: 24, letter: 7 };
const CIRCLE = 12;
const MOST_DRAWN = 6; // automata at once, unless somebody asks for all
const LABEL = 24; // letters of a label beside an edge
const layouts = new Map(); // by kind

// The kind of a process: processes that start later are called after theirs.
function kindOf(process) {
  if (!result.automata) return null;
  const { kinds, instances } = result.automata;
  if (Object.hasOwn(instances, process)) return kinds[instances[process]];
  const name = /^(.*)\(\d+\)$/.exec(process);
  return (name && kinds.find((kind) => kind.name === name[1])) || null;
}

// The name of a location as people gave it, else its line.
function locationName(location) {
  return placed(location.name);
}

function layoutOf(kind) {
  if (!layouts.has(kind)) {
    const arcs = kind.edges.map((edge) => [edge.from, edge.to]);
    const layer = layersOf(kind.locations.length, arcs, kind.initial);
    const rows = ordered(layer, arcs);
    // Edges that go up or skip a layer pass at the sides, with their labels.
    const around = kind.edges.filter((edge) => layer[edge.to] !== layer[edge.from] + 1);
    const letters = around.reduce((most, edge) => Math.max(most, Math.min(LABEL + 3, edge.action.length)), 0);
    const aside = around.length > 0 ? 2 * (letters * 6.4 + 30) : 40;
    const width = Math.max(...rows.map((row) => row.length)) * CELL.width + aside;
    const places = [];
    rows.forEach((row, y) => {
      const left = (width - row.length * CELL.width) / 2 + CELL.width / 2;
      row.forEach((node, x) => {
        const wide = Math.min(CELL.width - 14, locationName(kind.locations[node]).length * CELL.letter + 18);
        places[node] = { x: left + x * CELL.width, y: y * CELL.height + CELL.tall, layer: y, half: wide / 2 };
      });
    });
    layouts.set(kind, { places, width, height: rows.length * CELL.height });
  }
  return layouts.get(kind);
}

// The way of an edge and the middle of it: straight down to the next layer, round the side otherwise.
function way(a, b, lane) {
  const half = CELL.tall / 2;
  if (a === b) {
    const x = a.x + a.half;
    return [`M${x} ${a.y - 5} C${x + 24} ${a.y - 16} ${x + 24} ${a.y + 16} ${x + 1} ${a.y + 5}`, x + 20, a.y + 4, "start"];
  }
  if (b.layer === a.layer + 1) {
    const path = `M${a.x} ${a.y + half} C${a.x} ${a.y + half + 20} ${b.x} ${b.y - half - 20} ${b.x} ${b.y - half}`;
    return [path, (a.x + b.x) / 2, (a.y + b.y) / 2 + 4, "middle"];
  }
  if (b.layer > a.layer) {
    const bend = (a.x + b.x) / 2 + CELL.width * (b.x >= a.x ? 0.55 : -0.55);
    const path = `M${a.x} ${a.y + half} C${bend} ${a.y + CELL.height} ${bend} ${b.y - CELL.height} ${b.x} ${b.y - half}`;
    return [path, (a.x + b.x + 6 * bend) / 8, (a.y + b.y) / 2, "middle"];
  }
  if (b.layer === a.layer && Math.abs(a.x - b.x) <= CELL.width) {
    const turn = Math.sign(b.x - a.x);
    const lift = turn > 0 ? -4 : 4; // both ways stay apart
    const [from, to] = [a.x + turn * a.half, b.x - turn * b.half];
    return [`M${from} ${a.y + lift} L${to} ${b.y + lift}`, (from + to) / 2, a.y + (turn > 0 ? -8 : 16), "middle"];
  }
  const side = lane % 2 === 0 ? 1 : -1;
  const outer = side > 0 ? Math.max(a.x + a.half, b.x + b.half) : Math.min(a.x - a.half, b.x - b.half);
  const x = outer + side * (18 + 7 * Math.min(lane, 6));
  const [from, to] = [a.x + side * a.half, b.x + side * b.half];
  const path = `M${from} ${a.y} C${x} ${a.y} ${x} ${b.y} ${to} ${b.y}`;
  const lift = ((Math.floor(lane / 2) % 3) - 1) * 13; // labels of neighbours stay apart
  return [path, (from + to + 6 * x) / 8, (a.y + b.y) / 2 + 4 + lift, side > 0 ? "start" : "end"];
}

// Edges between the same two locations are drawn as one.
function joined(kind) {
  const found = new Map();
  for (const edge of kind.edges) {
    const key = `${edge.from} ${edge.to}`;
    if (!found.has(key)) found.set(key, { from: edge.from, to: edge.to, actions: [] });
    if (!found.get(key).actions.includes(edge.action)) found.get(key).actions.push(edge.action);
  }
  return [...found.values()];
}

function edgeLabel(actions, x, y, anchor, taken) {
  const text = clip(actions[0] || "", LABEL) + (actions.length > 1 ? ` +${actions.length - 1}` : "");
  const label = drawn("text", { class: taken ? "label taken" : "label", x, y, "text-anchor": anchor }, text);
  label.append(drawn("title", {}, actions.join("\n")));
  return label;
}

function isTakenEdge(kind, edge, before, here) {
  return before !== null && kind.locations[edge.from].name === before && kind.locations[edge.to].name === here;
}

// A kind of process laid out by layers.
function drawLayers(kind, before, here) {
  const { places, width, height } = layoutOf(kind);
  const [lines, labels, last] = [[], [], []];
  let lanes = 0;
  for (const edge of joined(kind)) {
    const [a, b] = [places[edge.from], places[edge.to]];
    const lane = b.layer <= a.layer ? lanes++ : 0;
    const taken = isTakenEdge(kind, edge, before, here);
    const [path, x, y, anchor] = way(a, b, lane);
    const line = drawn("path", { class: taken ? "edge taken" : "edge", d: path, "marker-end": taken ? "url(#tip-taken)" : "url(#tip)" });
    line.append(drawn("title", {}, edge.actions.join("\n")));
    (taken ? last : lines).push(line);
    (taken ? last : labels).push(edgeLabel(edge.actions, x, y, anchor, taken));
  }
  const nodes = kind.locations.map((location, i) => {
    const { x, y, half } = places[i];
    return drawn(
      "g",
      { class: locationClass(kind, i, here) },
      drawn("title", {}, `${locationName(location)}${location.line ? `, line ${location.line}` : ""}`),
      drawn("rect", { x: x - half, y: y - CELL.tall / 2, width: 2 * half, height: CELL.tall, rx: i === kind.initial ? 12 : 3 }),
      drawn("text", { x, y: y + 4, "text-anchor": "middle" }, clip(locationName(location), Math.floor((2 * half - 8) / CELL.letter))),
    );
  });
  return [width, height + 6, [...lines, ...nodes, ...labels, ...last]];
}

function locationClass(kind, i, here) {
  const location = kind.locations[i];
  return ["location", location.name === here ? "lit" : "", location.end ? "end" : ""].filter(Boolean).join(" ");
}

// A kind of process where people placed it.
function drawPlaced(kind, before, here) {
  const { places, names, invariants, edges } = kind.drawing;
  const points = [...places, ...names, ...invariants.map((one) => one.at)];
  for (const edge of edges) points.push(...edge.nails, ...edge.labels.map((one) => one.at), edge.begins, edge.ends);
  const met = points.filter(Boolean);
  const [left, top] = [0, 1].map((axis) => Math.min(...met.map((point) => point[axis])) - 40);
  const right = Math.max(...met.map((point) => point[0])) + 150;
  const low = Math.max(...met.map((point) => point[1])) + 40;
  const parts = [];
  for (const edge of edges) parts.push(...drawPlacedEdge(kind, edge, places, before, here));
  kind.locations.forEach((location, i) => {
    const [x, y] = places[i];
    const shape = [drawn("circle", { cx: x, cy: y, r: CIRCLE })];
    if (i === kind.initial) shape.push(drawn("circle", { class: "inner", cx: x, cy: y, r: CIRCLE - 4 }));
    parts.push(drawn("g", { class: locationClass(kind, i, here) }, drawn("title", {}, location.name), ...shape));
    if (location.name.startsWith("_")) return;
    const [nx, ny] = names[i] ? [names[i][0], names[i][1] + 12] : [x + CIRCLE, y - CIRCLE];
    parts.push(drawn("text", { class: location.name === here ? "name lit" : "name", x: nx, y: ny }, location.name));
  });
  for (const one of invariants) if (one.at) parts.push(...placedText(one.text, one.at, "invariant"));
  return [right - left, low - top, [drawn("g", { transform: `translate(${-left} ${-top})` }, ...parts)]];
}

function placedText(text, [x, y], kind) {
  return text.split("\n").map((line, i) => drawn("text", { class: `note ${kind}`, x, y: y + 12 + 14 * i }, line));
}

function drawPlacedEdge(kind, edge, places, before, here) {
  const from = edge.from === null ? edge.begins : places[edge.from];
  const to = edge.to === null ? edge.ends : places[edge.to];
  if (!from || !to) return [];
  const taken = edge.from !== null && edge.to !== null && isTakenEdge(kind, edge, before, here);
  let corners = [from, ...edge.nails, to];
  if (from === to && edge.nails.length === 0) {
    const [x, y] = from;
    corners = [from, [x - 24, y - 34], [x + 24, y - 34], to];
  }
  const end = shortened(corners[corners.length - 2], to, edge.to === null ? 0 : CIRCLE + 1);
  const path = [...corners.slice(0, -1), end].map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join("");
  const mark = taken ? "url(#tip-taken)" : "url(#tip)";
  const parts = [drawn("path", { class: taken ? "edge taken" : "edge", d: path, "marker-end": edge.to === null ? "" : mark })];
  for (const one of edge.labels) if (one.at) parts.push(...placedText(one.text, one.at, taken ? "taken" : "plain"));
  return parts;
}

// The point before `to`, on the way from another, at a distance.
function shortened([x1, y1], [x2, y2], by) {
  const far = Math.hypot(x2 - x1, y2 - y1) || 1;
  return [x2 - ((x2 - x1) * by) / far, y2 - ((y2 - y1) * by) / far].map((value) => Math.round(value * 10) / 10);
}

function drawAutomaton(process, kind, before, here) {
  const [width, height, parts] = kind.drawing ? drawPlaced(kind, before, here) : drawLayers(kind, before, here);
  const at = placed(here);
  const said = `${process} is at ${at}${before !== null && before !== here ? `, came from ${placed(before)}` : ""}`;
  const picture = drawn("svg", { width, height, role: "img", "aria-label": said }, ...parts);
  const caption = element("figcaption", {}, element("b", {}, process), element("span", {}, `at ${at}`));
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
  if (!result.automata || !isOpen("automata")) return;
  const changes = (step && step.changes) || {};
  const figures = drawnProcesses(state, step).map((name) => {
    const moved = step && (step.process === name || (step.partners || []).some((one) => one.process === name));
    const here = String(state.get(name));
    const before = Object.hasOwn(changes, name) ? String(changes[name][0]) : moved ? here : null;
    return drawAutomaton(name, kindOf(name), before, here);
  });
  byId("automata").replaceChildren(...figures);
  showWhere();
}

// Where processes are stays in view: wide drawings are moved sideways, and the panel to the first process that moved.
function showWhere() {
  const panel = byId("panel-automata");
  const boxes = [...panel.querySelectorAll(".automaton")];
  for (const box of boxes) {
    const lit = box.querySelector(".location.lit");
    if (lit) box.scrollLeft += centreOf(lit, "left", "width") - centreOf(box, "left", "width");
  }
  const moved = boxes.find((box) => box.querySelector(".edge.taken"));
  const lit = moved && moved.querySelector(".location.lit");
  const off = lit ? centreOf(lit, "top", "height") - centreOf(panel, "top", "height") : 0;
  if (Math.abs(off) > panel.clientHeight / 2 - CELL.tall) panel.scrollTop += off;
}

function centreOf(node, edge, extent) {
  const box = node.getBoundingClientRect();
  return box[edge] + box[extent] / 2;
}

// The processes that there are automata of.
function beginAutomata(names) {
  const there = names.filter((name) => kindOf(name) !== null);
  for (const name of there) byId("automata-choice").append(element("option", { value: name }, name));
  byId("automata-choice").value = there.length <= 4 ? "all" : "moving";
  return there;
}
