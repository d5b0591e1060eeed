// What the page knows about a trace, without a document: states, messages, filters. Tested by itself.
"use strict";

const EVERY = 200; // a copy of the state is kept for every so many steps

// The state after any step, put together from the nearest kept copy.
class States {
  constructor(initial, steps) {
    this.steps = steps;
    this.order = [];
    this.known = new Set();
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

// The messages in the text of a channel such as "[1, (2, 3)]", or null if it is none.
function contents(text) {
  if (typeof text !== "string" || !text.startsWith("[") || !text.endsWith("]")) return null;
  const inner = text.slice(1, -1);
  if (inner === "") return [];
  const messages = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < inner.length; i += 1) {
    if (inner[i] === "(") depth += 1;
    else if (inner[i] === ")") depth -= 1;
    else if (inner[i] === "," && depth === 0) {
      messages.push(inner.slice(start, i).trim());
      start = i + 1;
    }
  }
  messages.push(inner.slice(start).trim());
  return messages;
}

// Where two lists begin to differ.
function difference(shorter, longer) {
  let i = 0;
  while (i < shorter.length && shorter[i] === longer[i]) i += 1;
  return i;
}

// Arrows through channels: who put a message in, at which step, and who took it out.
function messages(steps) {
  const found = [];
  const inside = new Map(); // for each channel the steps that sent what is in it, in its order
  steps.forEach((step, index) => {
    for (const [name, [before, after]] of Object.entries(step.changes || {})) {
      const old = contents(before);
      const now = contents(after);
      if (old === null || now === null) continue;
      const queue = inside.get(name) || old.map(() => null);
      inside.set(name, queue);
      if (now.length === old.length + 1) {
        const place = difference(old, now);
        queue.splice(place, 0, { channel: name, text: now[place], from: index });
      } else if (now.length === old.length - 1) {
        // Of equal messages in a row the first was taken.
        let place = difference(now, old);
        while (place > 0 && old[place - 1] === old[place]) place -= 1;
        const [sent] = queue.splice(place, 1);
        if (sent) found.push({ ...sent, to: index });
      } else {
        inside.set(name, now.map(() => null));
      }
    }
  });
  return found.sort((a, b) => a.from - b.from || a.to - b.to);
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
  if (cycle === result.trace.length) {
    return timed ? "time passes, and nothing else, for ever" : "nothing happens any more, for ever";
  }
  const when = cycle > 0 ? `after step ${cycle}` : "at the start";
  return `and so on for ever: ${timed ? "all but clocks as" : "as"} ${when}`;
}

// The moment of a step as a number, 0 in traces without time. Moments are decimals, or fractions such as 1/3.
function momentOf(step) {
  const [above, below] = String(step.at === undefined ? 0 : step.at).split("/").map(Number);
  return below === undefined ? above : above / below;
}

if (typeof module !== "undefined") {
  module.exports = { States, contents, messages, processes, filtered, visible, momentOf, aligned, cycleOf, goesOn };
}
