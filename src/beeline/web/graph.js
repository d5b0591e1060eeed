// The state graph of a small space, from left to right by distance from the start, with the path of the trace lit.

let spots = []; // of the states along the trace

function showGraph() {
  const { graph } = result;
  if (!graph) return;
  const rows = ordered(graph.depths, graph.arcs);
  const tallest = Math.max(...rows.map((row) => row.length));
  const across = Math.max(14, Math.min(46, 900 / rows.length));
  const height = Math.max(80, Math.min(520, tallest * 14));
  const places = [];
  rows.forEach((row, depth) => {
    row.forEach((node, i) => {
      places[node] = [14 + depth * across, 10 + ((i + 0.5) / row.length) * height];
    });
  });
  const spot = (node) => places[node].map((value) => value.toFixed(1)).join(" ");
  const dots = (nodes) => nodes.map((node) => `M${spot(node)}h0`).join("");
  const lines = graph.arcs.filter(([a, b]) => a !== b).map(([a, b]) => `M${spot(a)}L${spot(b)}`);
  const way = graph.path.map((node, i) => `${i === 0 ? "M" : "L"}${spot(node)}`).join("");
  spots = graph.path.map((node) => places[node]);
  const picture = byId("graph");
  picture.setAttribute("width", String(28 + (rows.length - 1) * across));
  picture.setAttribute("height", String(height + 20));
  const said =
    `${number(graph.depths.length)} states, ${number(graph.arcs.length)} arcs, ` +
    `${rows.length - 1} steps deep, ${number(graph.bad.length)} sought`;
  picture.setAttribute("aria-label", `State graph: ${said}`);
  byId("graph-said").textContent = said;
  picture.replaceChildren(
    drawn("path", { class: "arcs", d: lines.join("") }),
    drawn("path", { class: "states", d: dots(places.map((_, node) => node)) }),
    drawn("path", { class: "way", d: way }),
    drawn("path", { class: "bad", d: dots(graph.bad) }),
    drawn("circle", { class: "here", id: "graph-here", r: 6, cx: -20, cy: -20 }),
  );
  if (spots.length > 0) {
    picture.addEventListener("click", (event) => {
      const { left, top } = picture.getBoundingClientRect();
      choose(nearest(event.clientX - left, event.clientY - top));
    });
  }
}

// The step whose state is nearest to a point.
function nearest(x, y) {
  const far = ([a, b]) => (a - x) ** 2 + (b - y) ** 2;
  return spots.reduce((best, one, i) => (far(one) < far(spots[best]) ? i : best), 0);
}

function showGraphPlace() {
  if (spots.length === 0) return;
  // A step that fails leads to no state.
  const [x, y] = spots[Math.min(chosen, spots.length - 1)];
  byId("graph-here").setAttribute("cx", String(x));
  byId("graph-here").setAttribute("cy", String(y));
}
