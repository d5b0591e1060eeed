// The colours: the grammars, read by the engine that the editor reads them with, on the models of this project.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test, before } = require("node:test");
const { loadWASM, OnigScanner, OnigString } = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const HERE = path.join(__dirname, "..");
const MODELS = path.join(HERE, "..", "..", "models");
const { grammars, languages } = require("../package.json").contributes;
let registry;

before(async () => {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new OnigScanner(patterns),
      createOnigString: (text) => new OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = path.join(HERE, grammars.find((one) => one.scopeName === scope).path);
      return parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    },
  });
});

// The pieces of a text, each with what it is called.
async function pieces(language, text) {
  const grammar = await registry.loadGrammar(`source.${language}`);
  let stack = INITIAL;
  return text.split("\n").flatMap((line) => {
    const found = grammar.tokenizeLine(line, stack);
    stack = found.ruleStack;
    return found.tokens.map((token) => [line.slice(token.startIndex, token.endIndex).trim(), token.scopes.slice(1).join(" ")]);
  });
}

async function named(language, text, piece) {
  const found = (await pieces(language, text)).find(([shown]) => shown === piece);
  assert.ok(found, `'${piece}' is no piece of its own in: ${text}`);
  return found[1];
}

const EXPECTED = [
  ["promela", "active [2] proctype Worker(byte me) {", "proctype", "keyword.declaration.promela"],
  ["promela", "active [2] proctype Worker(byte me) {", "Worker", "entity.name.function.promela"],
  ["promela", "mtype:colour c = red;", "mtype", "storage.type.promela"],
  ["promela", "end_wait: do", "end_wait", "entity.name.tag.promela"],
  ["promela", "again: skip", "again", "entity.name.label.promela"],
  ["promela", ":: x > 3 -> goto again", "::", "keyword.operator.choice.promela"],
  ["promela", ":: x > 3 -> goto again", "again", "entity.name.label.promela"],
  ["promela", "/* one\n two */ skip", "skip", "keyword.control.promela"],
  ["promela", "#define N 3", "#define", "meta.preprocessor.promela keyword.control.directive.promela"],
  ["promela", "ltl live { [] (a -> <> b) }", "[]", "keyword.operator.temporal.promela"],
  ["promela", 'printf("%d\\n", x)', "\\n", "string.quoted.double.promela constant.character.escape.promela"],
  ["dve", "process P {", "P", "entity.name.function.dve"],
  ["dve", " idle -> set { guard mode != 0; };", "idle", "entity.name.label.dve"],
  ["dve", " idle -> set { guard mode != 0; };", "guard", "keyword.control.dve"],
  ["dve", "system async;", "system", "keyword.declaration.dve"],
  ["smv", "MODULE main -- begins", "MODULE", "keyword.declaration.smv"],
  ["smv", "  next(x) := TRUE;", "TRUE", "constant.language.smv"],
  ["asbru", "plan observation", "plan", "keyword.declaration.asbru"],
  ["murphi", 'Rule "take a ticket"', '"take a ticket"', "entity.name.function.murphi"],
  ["murphi", "x := x + 1; -- one more", "-- one more", "comment.line.double-dash.murphi"],
  ["murphi", "ENDRULE;", "ENDRULE", "keyword.declaration.murphi"],
  ["murphi", "Var turn : 0..3;", "..", "keyword.operator.murphi"],
  ["uppaal", "process P(const int[0,3] me) {", "P", "entity.name.function.uppaal"],
  ["uppaal", "clock x;", "clock", "storage.type.uppaal"],
  ["uppaal", "broadcast chan go;", "broadcast", "storage.modifier.uppaal"],
  ["uppaal", "a -> b { guard x > 3; sync go!; assign x := 0; };", "->", "keyword.operator.transition.uppaal"],
  ["uppaal", "A[] not deadlock", "A[]", "keyword.operator.query.uppaal"],
  ["uppaal", "A[] not deadlock", "deadlock", "constant.language.uppaal"],
];

for (const [language, text, piece, wanted] of EXPECTED) {
  test(`${language}: '${piece}' in '${text}'`, async () => assert.equal(await named(language, text, piece), wanted));
}

test("every model of the project is coloured, and no comment runs away", async () => {
  const kinds = languages.filter((one) => grammars.some((grammar) => grammar.language === one.id));
  let seen = 0;
  for (const file of fs.readdirSync(MODELS, { recursive: true })) {
    // Murphi's suffix belongs to other languages, too: people say whose it is.
    const suffix = path.extname(file) === ".m" ? ".murphi" : path.extname(file);
    const language = kinds.find((one) => one.extensions.includes(suffix));
    if (!language) continue;
    const found = await pieces(language.id, fs.readFileSync(path.join(MODELS, file), "utf8").trimEnd());
    const coloured = found.filter(([shown, scopes]) => shown && scopes).length;
    assert.ok(coloured > found.length / 4, `${file}: ${coloured} of ${found.length}`);
    assert.ok(!found.at(-1)[1].includes("block"), file);
    seen += 1;
  }
  assert.ok(seen > 25, `${seen} models`);
});
