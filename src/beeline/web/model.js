// What the page knows about a result: states by number, filters, comparisons, spans of time. Pure: tested without a page.

const EVERY = 100; // a state is kept for each so many steps; those between are computed

// The states of a trace, from the first one and what each step changes.
class States {
  constructor(initial, steps) {
    this.steps = steps;
    this.known = new Set();
    this.order = []; // names, in the order in which they are first met
    const state = new Map();
    const learn = (name) => {
      if (!this.known.has(name)) {
        this.known.add(name);
        this.order.push(name);
      }
    };
    for (const [name, value] of Object.entries(initial || {})) {
      learn(name);
      state.set(name, value);
    }
    // A result without its initial state still tells the first values of what changes later.
    const seen = new Set(this.known);
    for (const step of steps) {
      for (const [name, [before]] of Object.entries(step.changes || {})) {
        learn(name);
        if (!seen.has(name) && before !== null) state.set(name, before);
        seen.add(name);
      }
    }
    this.kept = [new Map(state)];
    for (let i = 0; i < steps.length; i += 1) {
      States.apply(state, steps[i]);
      if ((i + 1) % EVERY === 0) this.kept.push(new Map(state));
    }
  }

  static apply(state, step) {
    for (const [name, [, after]] of Object.entries(step.changes || {})) {
      if (after === null) state.delete(name);
      else state.set(name, after);
    }
  }

  // The state after `number` steps.
  at(number) {
    const from = Math.floor(number / EVERY);
    const state = new Map(this.kept[from]);
    for (let i = from * EVERY; i < number; i += 1) States.apply(state, this.steps[i]);
    return state;
  }
}

// A model of rules has no processes: its steps stand below each other, each with the name of its rule.
function ruled(steps) {
  if (!steps.every((step) => step.action === "rule" && (step.partners || []).length === 0)) return steps;
  return steps.map((step) => ({ ...step, process: "", action: step.process }));
}

// All processes that take part, in the order in which they first do.
function processes(steps) {
  const names = new Set();
  for (const step of steps) {
    names.add(step.process || "");
    for (const partner of step.partners || []) names.add(partner.process);
  }
  return [...names];
}

// A place without a name is called by its line.
function placed(text) {
  const found = /^(\d+)#\d+$/.exec(text);
  return found ? `line ${found[1]}` : text;
}

function textOf(step) {
  const changes = Object.entries(step.changes || {}).map(([name, [a, b]]) => `${name}: ${a} -> ${b}`);
  const partners = (step.partners || []).map((one) => `${one.process} ${one.action}`);
  return [step.process, step.action, ...partners, ...changes, ...(step.output || []), step.error || ""].join("\n");
}

// Numbers (from 0) of the steps that fit all that is asked.
function filtered(steps, asked) {
  const words = (asked.text || "").toLowerCase();
  const variable = (asked.variable || "").toLowerCase();
  const fits = (step) =>
    (!asked.process ||
      step.process === asked.process ||
      (step.partners || []).some((one) => one.process === asked.process)) &&
    (!variable || Object.keys(step.changes || {}).some((name) => name.toLowerCase().includes(variable))) &&
    (!words || textOf(step).toLowerCase().includes(words));
  return steps.map((step, index) => (fits(step) ? index : -1)).filter((index) => index >= 0);
}

const LARGEST_TABLE = 4000000; // cells; traces that differ in more are compared at their ends only

// Two traces side by side: rows of [number here, number there], null where a step has no counterpart. Steps are the same
// if the same process does the same; as many as possible are matched, in their order.
function aligned(here, there) {
  const key = (step) => `${step.process}\n${step.action}`;
  const a = here.map(key);
  const b = there.map(key);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let enda = a.length;
  let endb = b.length;
  while (enda > start && endb > start && a[enda - 1] === b[endb - 1]) {
    enda -= 1;
    endb -= 1;
  }
  const found = [];
  for (let i = 0; i < start; i += 1) found.push([i, i]);
  found.push(...between(a, b, start, enda, endb));
  for (let i = enda; i < a.length; i += 1) found.push([i, i - enda + endb]);
  return found;
}

// The longest common subsequence of a[start..enda] and b[start..endb], as rows.
function between(a, b, start, enda, endb) {
  const n = enda - start;
  const m = endb - start;
  const found = [];
  const longest = n * m <= LARGEST_TABLE ? new Uint32Array((n + 1) * (m + 1)) : null;
  const cell = (i, j) => longest[i * (m + 1) + j];
  for (let i = n - 1; longest && i >= 0; i -= 1) {
    for (let j = m - 1; j >= 0; j -= 1) {
      longest[i * (m + 1) + j] =
        a[start + i] === b[start + j] ? cell(i + 1, j + 1) + 1 : Math.max(cell(i + 1, j), cell(i, j + 1));
    }
  }
  let i = 0;
  let j = 0;
  while (i < n || j < m) {
    if (longest && i < n && j < m && a[start + i] === b[start + j]) {
      found.push([start + i, start + j]);
      i += 1;
      j += 1;
    } else if (j >= m || (i < n && (!longest || cell(i + 1, j) >= cell(i, j + 1)))) {
      found.push([start + i, null]);
      i += 1;
    } else {
      found.push([null, start + j]);
      j += 1;
    }
  }
  return found;
}

// Rows of a comparison in which what only one trace has stands beside what only the other has.
function sideBySide(rows) {
  const found = [];
  let here = [];
  let there = [];
  const flush = () => {
    for (let i = 0; i < Math.max(here.length, there.length); i += 1) {
      found.push([i < here.length ? here[i] : null, i < there.length ? there[i] : null, false]);
    }
    here = [];
    there = [];
  };
  for (const [i, j] of rows) {
    if (i !== null && j !== null) {
      flush();
      found.push([i, j, true]);
    } else if (i !== null) here.push(i);
    else there.push(j);
  }
  flush();
  return found;
}

// The rows that a view shows, with some to spare; `tops` says where each begins.
function visible(tops, row, top, height) {
  const after = (y) => {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if (tops[half] > y) high = half;
      else low = half + 1;
    }
    return low;
  };
  return [Math.max(0, after(top - row) - 10), Math.min(tops.length, after(top + height) + 10)];
}

// The number of steps before the cycle of a run that goes on for ever, or null. A run at rest stays in its last state.
function cycleOf(result) {
  const length = (result.trace || []).length;
  const start = result.cycle_start;
  return Number.isInteger(start) && start >= 0 && start <= length ? start : null;
}

// What a run does after its last step.
function goesOn(result, cycle) {
  const timed = (result.trace || []).some((step) => step.at !== undefined);
  const promise = result.broken_promise ? `; ${result.broken_promise}` : "";
  if (cycle === result.trace.length) {
    return (timed ? "time passes, and nothing else, for ever" : "nothing happens any more, for ever") + promise;
  }
  const when = cycle > 0 ? `after step ${cycle}` : "at the start";
  return `and so on for ever: ${timed ? "all but clocks as" : "as"} ${when}${promise}`;
}

// A moment or a clock's value as a number: decimals, or fractions such as 1/3.
function numeric(text) {
  const [above, below] = String(text === undefined || text === null ? 0 : text).split("/").map(Number);
  return below === undefined ? above : above / below;
}

// The moment of a step, 0 in traces without time.
function momentOf(step) {
  return numeric(step.at);
}

// Names of a state as a tree: what stands before a dot holds what stands after it, and cells of an array are together.
// A node is { name, path, children: [nodes], cells: [[label, path]] }; only leaves have no children.
function treeOf(names) {
  const root = { name: "", path: null, children: [], cells: [], known: new Map() };
  for (const path of names) {
    let node = root;
    const parts = split(path);
    parts.forEach((part, i) => {
      if (!node.known.has(part)) {
        const made = { name: part, path: null, children: [], cells: [], known: new Map() };
        node.known.set(part, made);
        node.children.push(made);
      }
      node = node.known.get(part);
      if (i === parts.length - 1) node.path = path;
    });
  }
  gather(root);
  return root;
}

// The parts of a name: at its dots, but not inside brackets or quotes.
function split(path) {
  const parts = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < path.length; i += 1) {
    if ("([{".includes(path[i])) depth += 1;
    else if (")]}".includes(path[i])) depth -= 1;
    else if (path[i] === "." && depth === 0 && i > start) {
      parts.push(path.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(path.slice(start));
  return parts;
}

// Puts the cells of an array, if they are nothing but values, into one node.
function gather(node) {
  const arrays = new Map();
  const kept = [];
  for (const child of node.children) {
    gather(child);
    const cell = child.children.length === 0 && /^(.*)(\[[^[\]]*\])$/.exec(child.name);
    if (!cell) {
      kept.push(child);
      continue;
    }
    if (!arrays.has(cell[1])) {
      const made = { name: cell[1], path: null, children: [], cells: [], known: null };
      arrays.set(cell[1], made);
      kept.push(made);
    }
    arrays.get(cell[1]).cells.push([cell[2], child.path]);
  }
  node.children = kept.map((child) => alone(asRecord(child)));
}

// An array of one cell is that cell.
function alone(child) {
  const [cell] = child.cells;
  return child.cells.length === 1 && child.path === null && child.children.length === 0
    ? { ...child, name: child.name + (cell[0].startsWith("[") ? cell[0] : `.${cell[0]}`), path: cell[1], cells: [] }
    : child;
}

const LARGEST_RECORD = 12; // fields that stand in one row

// A record that has nothing but values becomes cells in a row.
function asRecord(child) {
  const { children } = child;
  const flat = children.every((one) => one.children.length === 0 && one.cells.length === 0);
  if (child.path !== null || children.length === 0 || children.length > LARGEST_RECORD || !flat) return child;
  return { ...child, children: [], cells: children.map((one) => [one.name, one.path]) };
}

// Where a process is in a timed trace, from when to when: [location, begin, end].
function spansOf(name, initial, steps, end) {
  const found = [];
  let at = initial[name];
  let since = 0;
  for (const step of steps) {
    const changed = (step.changes || {})[name];
    if (!changed || !Object.hasOwn(step.changes, name)) continue;
    const moment = momentOf(step);
    if (at !== undefined && at !== null) found.push([at, since, moment]);
    [, at] = changed;
    since = moment;
  }
  if (at !== undefined && at !== null) found.push([at, since, end]);
  return found;
}

// The clocks of a timed trace: what only time changes at some step.
function clocksOf(steps) {
  const names = new Set();
  for (const step of steps) for (const name of step.elapsed || []) names.add(name);
  return [...names];
}

// The value of a clock over time, as corners of a line: [moment, value].
function curveOf(name, initial, steps, end) {
  let value = numeric(initial[name]);
  let moment = 0;
  const found = [[0, value]];
  for (const step of steps) {
    const changed = Object.hasOwn(step.changes || {}, name) ? step.changes[name] : null;
    const now = momentOf(step);
    if (changed) {
      const reset = !(step.elapsed || []).includes(name);
      found.push([now, numeric(changed[reset ? 0 : 1])]);
      if (reset) found.push([now, numeric(changed[1])]);
      value = numeric(changed[1]);
      moment = now;
    }
  }
  if (end > moment) found.push([end, value + (end - moment)]);
  return found;
}

if (typeof module !== "undefined") {
  module.exports = {
    States, processes, ruled, placed, filtered, visible, momentOf, aligned, sideBySide, cycleOf, goesOn, treeOf, spansOf,
    clocksOf, curveOf,
  };
}
