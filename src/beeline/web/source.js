// The file of the step with its line marked, and who stands where.

let shownFile = null;
let marked = [];

// Of a model in XML the lines without their markup; those that are nothing else are left out.
function readable(lines) {
  const isMarkup = lines.some((line) => line.includes("<nta"));
  return lines.map((text, i) => [i + 1, isMarkup ? plain(text) : text]).filter(([, text]) => !isMarkup || text.trim());
}

function plain(text) {
  const names = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  return text.replace(/<[^>]*>?|^[^<]*(?<=[a-z"])>/g, " ").replace(/&(lt|gt|amp|quot|apos);/g, (_, name) => names[name]).trimEnd();
}

function showSource(state, step) {
  if (!isOpen("source")) return;
  const place = step && step.source;
  const files = Object.keys(data.sources);
  const file = place && files.includes(place.file) ? place.file : shownFile || files[0];
  if (file === undefined) return;
  if (file !== shownFile) {
    const lines = readable(data.sources[file]).map(([i, text]) =>
      element("li", { id: `line-${i}`, value: i }, element("code", {}, text || " ")),
    );
    byId("source").replaceChildren(...lines);
    byId("source-file").textContent = file;
    shownFile = file;
    marked = [];
  }
  for (const line of marked) {
    line.classList.remove("current", "stands");
    line.replaceChildren(line.children[0]);
  }
  marked = [];
  const standing = standingAt(state);
  for (const [line, names] of standing) mark(line, "stands", names);
  const current = place && place.file === file ? mark(place.line, "current", []) : null;
  const shown = current || marked[0];
  if (shown && !printing) {
    // Only the box moves: the page stays where the reader has it.
    const box = byId("panel-source");
    const head = byId("source-file").offsetHeight || 0;
    box.scrollTop = Math.max(0, shown.offsetTop - (box.clientHeight || 0) / 2 + head);
  }
}

function mark(line, kind, names) {
  const found = byId(`line-${line}`);
  if (found === null) return null;
  found.classList.add(kind);
  for (const name of names) found.append(element("span", { class: "who" }, name));
  marked.push(found);
  return found;
}

// The lines where processes stand, from their locations: [line, [processes]].
function standingAt(state) {
  const found = new Map();
  for (const [name, at] of result.automata ? state : []) {
    const kind = kindOf(name);
    const place = kind && kind.locations.find((location) => location.name === String(at));
    if (!place || !place.line) continue;
    if (!found.has(place.line)) found.set(place.line, []);
    found.get(place.line).push(name);
  }
  return [...found];
}
