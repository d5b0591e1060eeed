// Where the nodes of a graph stand: in layers, with few crossings (after Sugiyama, Tagawa and Toda, 1981). Pure: tested by
// itself.

const SWEEPS = 8;

// The distance of each node from the start; what cannot be reached goes below everything else.
function layersOf(count, arcs, start) {
  const after = Array.from({ length: count }, () => []);
  for (const [from, to] of arcs) after[from].push(to);
  const layer = new Array(count).fill(-1);
  const queue = count > 0 ? [start] : [];
  if (count > 0) layer[start] = 0;
  for (let i = 0; i < queue.length; i += 1) {
    for (const next of after[queue[i]]) {
      if (layer[next] < 0) {
        layer[next] = layer[queue[i]] + 1;
        queue.push(next);
      }
    }
  }
  const below = layer.reduce((a, b) => Math.max(a, b), -1) + 1;
  return layer.map((one) => (one < 0 ? below : one));
}

// The nodes of each layer in an order in which neighbours stand near each other: sweeps by the mean of their places.
function ordered(layer, arcs) {
  const rows = [];
  layer.forEach((one, node) => {
    while (rows.length <= one) rows.push([]);
    rows[one].push(node);
  });
  const near = layer.map(() => []);
  for (const [from, to] of arcs) {
    if (layer[from] === layer[to]) continue;
    near[from].push(to);
    near[to].push(from);
  }
  const place = new Array(layer.length).fill(0);
  const settle = (row) => row.forEach((node, i) => (place[node] = row.length === 1 ? 0.5 : i / (row.length - 1)));
  rows.forEach(settle);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const down = sweep % 2 === 0;
    for (const row of down ? rows : [...rows].reverse()) {
      const wish = new Map();
      for (const node of row) {
        const seen = near[node].filter((other) => layer[other] < layer[node] === down);
        const sum = seen.reduce((total, other) => total + place[other], 0);
        wish.set(node, seen.length > 0 ? sum / seen.length : place[node]);
      }
      row.sort((a, b) => wish.get(a) - wish.get(b) || a - b);
      settle(row);
    }
  }
  return rows;
}

if (typeof module !== "undefined") module.exports = { layersOf, ordered };
