// Runs a check, and makes the page of its answer. Knows nothing of the editor.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs/promises");
const os = require("node:os");
const path = require("node:path");

const ANSWERED = [0, 1, 3]; // holds, violated, unknown: all others are mistakes

// What a command writes, and its exit code.
function run(command, words, cwd, input, token) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd, stdio: "pipe" });
    const out = [];
    let said = "";
    child.stdout.on("data", (data) => out.push(data));
    child.stderr.on("data", (data) => (said += data));
    child.on("error", (error) => reject(new Error(`${command} cannot be started (${error.code}): see the setting beeline.command`)));
    child.on("close", (code) => resolve({ code, out: Buffer.concat(out).toString("utf8"), said: said.trim() }));
    child.stdin.on("error", () => {}); // it ended without reading all of it
    child.stdin.end(input);
    if (token) token.onCancellationRequested(() => child.kill("SIGINT"));
  });
}

// The result of checking a file, and the page of the trace explorer that shows it.
async function check(file, options, { command, cwd }, token) {
  const words = ["check", file, "--json", "--explain", "--graph", ...options];
  const checked = await run(command, words, cwd, "", token);
  if (!ANSWERED.includes(checked.code)) throw new Error(checked.said || `beeline ended with ${checked.code}`);
  return { result: JSON.parse(checked.out), page: await explorer(file, checked.out, command, cwd, token) };
}

async function explorer(file, result, command, cwd, token) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "beeline-"));
  try {
    const page = path.join(folder, "page.html");
    const shown = await run(command, ["view", "-", "--export", page, "--source", file], cwd, result, token);
    if (shown.code !== 0) throw new Error(shown.said || `beeline view ended with ${shown.code}`);
    return await fs.readFile(page, "utf8");
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

// The answers in a line, those that matter most first.
function summary(result) {
  const answers = result.answers && result.answers.length > 0 ? result.answers : [result];
  const rank = { violated: 0, unknown: 1, holds: 2 };
  const told = [...answers].sort((a, b) => rank[a.verdict] - rank[b.verdict]).map((one) => {
    const steps = one.trace_length ? `, ${one.trace_length} steps` : "";
    return `${one.property}: ${one.verdict}${steps}`;
  });
  return told.length > 3 ? `${told.slice(0, 3).join("; ")}; and ${told.length - 3} more` : told.join("; ");
}

module.exports = { check, summary };
