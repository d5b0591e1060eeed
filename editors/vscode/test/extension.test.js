// The extension in an editor that is not there, with the real Beeline.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const protocol = require("vscode-languageserver-protocol/node");
const { summary } = require("../src/check");
const { started } = require("./fake_editor");

const ROOT = path.join(__dirname, "..", "..", "..");
const COMMAND = process.env.BEELINE || path.join(ROOT, ".venv", "bin", "beeline");
const settings = { command: COMMAND };
const bit = { folder: ROOT, file: "models/promela/alternating_bit.pml" };

test("a check shows the counterexample beside the text", async () => {
  const { seen, check } = await started({ ...bit, settings: { ...settings, options: ["-D", "FAULTY"] } });
  await check();
  assert.deepEqual(seen.errors, []);
  const [panel] = seen.panels;
  assert.equal(panel.title, "Beeline: alternating_bit.pml");
  assert.deepEqual(panel.options, { enableScripts: true, localResourceRoots: [] });
  assert.match(panel.webview.html, /^<!doctype html>/i);
  assert.match(panel.webview.html, /Content-Security-Policy/);
  assert.match(panel.webview.html, /"verdict": ?"violated"/);
  assert.match(panel.webview.html, /The alternating bit protocol/, "the source is in the page");
  assert.deepEqual(seen.status, ["$(beaker) safety: violated, 13 steps"]);
});

test("the next check of a model is shown in the same place, unless that was closed", async () => {
  const { seen, check } = await started({ ...bit, settings });
  await check();
  await check();
  assert.equal(seen.panels.length, 1);
  seen.panels[0].dispose();
  await check();
  assert.equal(seen.panels.length, 2);
  assert.equal(seen.status.at(-1), "$(beaker) safety: holds");
});

test("a mistake in the model is told in Beeline's words", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "beeline-"));
  fs.writeFileSync(path.join(folder, "m.pml"), "active proctype P() { x = 1 }");
  const { seen, check } = await started({ folder, file: "m.pml", settings });
  await check();
  fs.rmSync(folder, { recursive: true });
  assert.equal(seen.panels.length, 0);
  assert.match(seen.errors[0], /m\.pml:1:23: .*x/);
});

test("a command that is not there is told with the setting that names it", async () => {
  const { seen, check } = await started({ ...bit, settings: { command: "no-such-beeline" } });
  await check();
  assert.match(seen.errors[0], /no-such-beeline cannot be started \(ENOENT\): see the setting beeline\.command/);
});

test("a server that cannot be started is told with the remedy, and checks still work", async () => {
  const { seen, check } = await started({ ...bit, settings: { ...settings, broken: true } });
  assert.match(seen.warnings[0], /pip install 'beeline\[editor\]'/);
  await check();
  assert.equal(seen.panels.length, 1);
});

test("unsaved changes are saved first, and without a model there is a hint", async () => {
  const changed = await started({ ...bit, settings, isDirty: true });
  await changed.check();
  assert.equal(changed.seen.saved, 1);
  const empty = await started({ folder: ROOT, settings });
  await empty.check();
  assert.deepEqual(empty.seen.hints, ["Open the model that is to be checked."]);
});

test("nothing is started in a folder that is not trusted, until it is", async () => {
  const { seen } = await started({ ...bit, settings, isTrusted: false });
  assert.equal(seen.clients.length, 0);
  await seen.trust();
  assert.equal(seen.clients[0].running, true);
});

test("a path in the settings is one from the folder of the workspace", async () => {
  const { seen } = await started({ ...bit, settings: { command: "./tools/beeline" } });
  assert.equal(seen.clients[0].run.command, path.join(ROOT, "tools", "beeline"));
});

test("the server that the extension starts answers the editor's protocol", async () => {
  const { seen, extension } = await started({ ...bit, settings });
  const [client] = seen.clients;
  assert.deepEqual(client.options.documentSelector[0], { scheme: "file", language: "promela" });
  const server = spawn(client.run.command, client.run.args);
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout),
    new protocol.StreamMessageWriter(server.stdin),
  );
  const told = new Promise((resolve) => connection.onNotification(protocol.PublishDiagnosticsNotification.type, resolve));
  connection.listen();
  const greeting = { processId: process.pid, rootUri: null, capabilities: {} };
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, greeting);
  assert.equal(capabilities.textDocumentSync.openClose, true);
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const textDocument = { uri: "file:///m.dve", languageId: "dve", version: 1, text: "process P { state a; init b; }\nsystem async;" };
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
  const { diagnostics } = await told;
  assert.deepEqual(diagnostics[0].range, { start: { line: 0, character: 26 }, end: { line: 0, character: 27 } });
  await connection.sendRequest(protocol.ShutdownRequest.type);
  const ended = new Promise((resolve) => server.on("close", resolve));
  await connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await ended, 0);
  connection.dispose();
  await extension.deactivate();
  assert.equal(client.running, false);
});

test("answers are told in a line, bad news first", () => {
  const answers = ["holds", "violated", "holds", "unknown"].map((verdict, i) => ({ property: `q${i}`, verdict, trace_length: i }));
  assert.equal(summary({ answers }), "q1: violated, 1 steps; q3: unknown, 3 steps; q0: holds; and 1 more");
});
