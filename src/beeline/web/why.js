// Why the trace ends there, and what another trace does otherwise.

function listed(values) {
  return Object.entries(values || {})
    .map(([name, value]) => `${name} = ${placed(String(value))}`)
    .join(", ");
}

function partRow(part) {
  const cell = element("td", {}, part.text);
  cell.style.paddingLeft = `${8 + 16 * part.depth}px`;
  const truth = part.value === null || part.value === undefined ? "" : String(part.value);
  return element(
    "tr",
    {},
    cell,
    element("td", { class: truth ? `truth ${truth}` : "truth" }, [truth, part.when].filter(Boolean).join(" ")),
    element("td", { class: "reads" }, listed(part.reads)),
  );
}

function partsTable(parts) {
  return element("table", { class: "parts" }, element("tbody", {}, ...parts.map(partRow)));
}

function showExplanation() {
  const why = result.explanation;
  if (!why) return;
  byId("why-headline").textContent = why.headline;
  byId("why-parts").replaceChildren(element("tbody", {}, ...(why.parts || []).map(partRow)));
  const more = [...waitingParts(why.waits || []), ...entryParts(why.entries || []), ...timeoutParts(why.timeouts || [])];
  byId("why-more").replaceChildren(...more);
  for (const write of why.writes || []) {
    const by = write.step ? `step ${write.step}, ${write.process}: ${write.action}` : "unchanged since the start";
    const text = [element("b", {}, `${write.name} = ${placed(String(write.value))}`), " ", write.note || by];
    byId("why-writes").append(element("li", {}, write.step ? stepButton(write.step, ...text) : element("span", {}, ...text)));
  }
  byId("why-writes-box").hidden = (why.writes || []).length === 0;
  for (const cause of why.causes || []) {
    const head = element("b", {}, listed(cause.wrote));
    const from = Object.keys(cause.read || {}).length > 0 ? `, from ${listed(cause.read)}` : "";
    const text = ` step ${cause.step}, ${cause.process}: ${cause.action}${from}`;
    byId("why-causes").append(element("li", {}, stepButton(cause.step, head, text)));
  }
  byId("why-chain").hidden = (why.causes || []).length === 0;
}

function waitingParts(waits) {
  return waits.map((wait) =>
    element(
      "div",
      { class: "wait" },
      element("b", {}, wait.process),
      ` stands at ${placed(wait.location)}${wait.at_end ? " (a valid end)" : ""}${wait.ways.length ? "" : " and has no way on"}`,
      element("ul", {}, ...wait.ways.map((way) => element("li", {}, element("code", {}, way.action), ` ${way.missing}`))),
    ),
  );
}

function entryParts(entries) {
  if (entries.length === 0) return [];
  const parts = [element("h3", {}, "who let them in")];
  for (const entry of entries) {
    const text = `step ${entry.step}: ${entry.process} to ${placed(entry.location)} by ${entry.action}`;
    parts.push(stepButton(entry.step, text));
    if (entry.parts.length > 0) parts.push(partsTable(entry.parts));
    else parts.push(element("p", { class: "note" }, "without a guard: nothing keeps it out"));
  }
  return parts;
}

function timeoutParts(timeouts) {
  const parts = [];
  for (const one of timeouts) {
    parts.push(element("h3", {}, "nothing else was possible"));
    parts.push(stepButton(one.step, `step ${one.step}: ${one.process}: ${one.action}`));
    const waits = one.parts.map((part) => element("li", {}, element("code", {}, part.text), ` ${part.when || ""}`));
    parts.push(element("ul", {}, ...waits));
  }
  return parts;
}

const MOST_ROWS = 2000; // of a comparison

function showComparison() {
  if (!data.other) return;
  const there = ruled(data.other.trace || []);
  const compared = aligned(steps, there);
  const shared = compared.filter(([i, j]) => i !== null && j !== null).length;
  const first = compared.findIndex(([i, j]) => i === null || j === null);
  const parting = first < 0 ? "they do the same" : `they part after ${first} step${first === 1 ? "" : "s"}`;
  byId("compare-headline").textContent =
    `${steps.length} steps here, ${there.length} in the other trace, ${shared} in both; ${parting}`;
  const sides = sideBySide(compared);
  const told = (step) => (step ? `${step.step} ${step.process ? `${step.process}: ` : ""}${step.action}` : "");
  for (const [i, j, same] of sides.slice(0, MOST_ROWS)) {
    const here = i === null ? element("td", { class: "nothing" }) : element("td", {}, stepButton(i + 1, told(steps[i])));
    const other = j === null ? element("td", { class: "nothing" }) : element("td", {}, told(there[j]));
    byId("compare-rows").append(element("tr", { class: same ? "both" : "differs" }, here, other));
  }
  if (sides.length > MOST_ROWS) {
    byId("compare-rows").append(element("tr", {}, element("td", {}, `${sides.length - MOST_ROWS} more`)));
  }
}
