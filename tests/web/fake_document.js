// Just enough of a document to run the page's script outside a browser. Reads the page from the file named first,
// runs the commands in the second argument (JavaScript that sees `window`, `byId` and `press`), and prints what it returns.
"use strict";
const fs = require("fs");
const vm = require("vm");

const page = fs.readFileSync(process.argv[2], "utf8");
const ids = new Map();
const listeners = new Map();

class Node {
  constructor(tag) {
    this.tagName = tag.toUpperCase();
    this.attributes = new Map();
    this.children = [];
    this.listeners = new Map();
    this.style = {};
    this.value = "";
    this.checked = false;
    this.hidden = false;
    this.scrollTop = 0;
    this.scrollLeft = 0;
    this.clientHeight = 600;
    this.clientWidth = 800;
    this.open = true;
    this.offsetHeight = 30;
    this.offsetTop = 0;
    this.own = "";
    const classes = new Set();
    const each = (act) => (...names) => names.forEach((name) => act(name));
    this.classList = { add: each((c) => classes.add(c)), remove: each((c) => classes.delete(c)), has: (c) => classes.has(c) };
  }
  set textContent(text) { this.children = []; this.own = String(text); }
  get textContent() { return this.own + this.children.map((child) => child.textContent).join(""); }
  set innerHTML(_) { throw new Error("markup"); }
  setAttribute(name, value) {
    if (name.startsWith("on") || name === "style") throw new Error(`attribute ${name}`);
    this.attributes.set(name, value);
    if (name === "id") ids.set(value, this);
  }
  getAttribute(name) { return this.attributes.has(name) ? this.attributes.get(name) : null; }
  removeAttribute(name) { this.attributes.delete(name); }
  append(...added) { this.children.push(...added); }
  replaceChildren(...added) { this.own = ""; this.children = added; }
  addEventListener(name, action) { this.listeners.set(name, action); }
  getBoundingClientRect() { return { top: 0, left: 0, width: 0, height: 0 }; }
  querySelectorAll() { return []; }
  focus() { document.focused = this; }
  blur() {}
  fire(name) { this.listeners.get(name)({ target: this, preventDefault() {}, clientY: 0 }); }
}

const document = {
  title: "",
  documentElement: new Node("html"),
  createElement: (tag) => new Node(tag),
  createElementNS: (_, tag) => new Node(tag),
  createTextNode: (text) => ({ textContent: String(text), text: true }),
  getElementById: (id) => (ids.has(id) ? ids.get(id) : null),
  addEventListener: (name, action) => listeners.set(name, action),
};
for (const [, tag, attributes] of page.split('<script type="application/json"')[0].matchAll(/<([a-z]+)([^>]*)>/g)) {
  const id = /\bid="([^"]+)"/.exec(attributes);
  if (!id) continue;
  const made = new Node(tag);
  for (const [, name, value] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) if (name !== "style") made.setAttribute(name, value);
}
const block = new Node("script");
block.own = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(page)[1];
ids.set("data", block);
const script = /<script>([\s\S]*?)<\/script>/.exec(page)[1];

const heard = new Map();
const window = {
  location: { hash: "" },
  history: { replaceState: (_, __, hash) => (window.location.hash = hash) },
  addEventListener: (name, action) => heard.set(name, action),
  fire: (name) => heard.get(name)({}),
  matchMedia: () => ({ matches: false }),
};
const press = (key) =>
  listeners.get("keydown")({ key, target: new Node("body"), preventDefault() {}, stopPropagation() {} });
const context = vm.createContext({ document, window, press, alert: () => { throw new Error("alert"); } });
vm.runInContext(script, context);
const answer = vm.runInContext(`(() => { ${process.argv[3]} })()`, context);
process.stdout.write(JSON.stringify(answer === undefined ? null : answer));
