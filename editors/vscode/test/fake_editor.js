// As much of the editor as the extension uses, so that it runs without one: what it shows is kept to be looked at.
"use strict";

const Module = require("node:module");
const path = require("node:path");

const uriOf = (file) => ({ fsPath: file, scheme: "file", toString: () => `file://${file}` });

function fakeEditor({ folder, file = null, settings = {}, isDirty = false, isTrusted = true }) {
  const seen = { commands: new Map(), panels: [], errors: [], warnings: [], hints: [], status: [], clients: [], saved: 0 };
  const document = file && {
    uri: uriOf(path.join(folder, file)),
    isUntitled: false,
    isDirty,
    save: async () => ((seen.saved += 1), true),
  };
  const token = { isCancellationRequested: false, onCancellationRequested: (act) => (seen.cancel = act) };
  const vscode = {
    ViewColumn: { Beside: -2 },
    ProgressLocation: { Notification: 15 },
    workspace: {
      isTrusted,
      workspaceFolders: [{ uri: uriOf(folder) }],
      getWorkspaceFolder: () => ({ uri: uriOf(folder) }),
      getConfiguration: () => ({ get: (name, otherwise) => (name in settings ? settings[name] : otherwise) }),
      onDidGrantWorkspaceTrust: (act) => ((seen.trust = act), { dispose() {} }),
    },
    commands: { registerCommand: (name, act) => (seen.commands.set(name, act), { dispose() {} }) },
    window: {
      activeTextEditor: document && { document },
      showErrorMessage: (text) => seen.errors.push(text),
      showWarningMessage: (text) => seen.warnings.push(text),
      showInformationMessage: (text) => seen.hints.push(text),
      setStatusBarMessage: (text) => seen.status.push(text),
      withProgress: (_, act) => act({ report() {} }, token),
      createWebviewPanel: (kind, title, column, options) => {
        const panel = { kind, title, options, webview: { html: "" }, onDidDispose: (act) => (panel.dispose = act) };
        seen.panels.push(panel);
        return panel;
      },
    },
  };
  class LanguageClient {
    constructor(id, name, run, options) {
      Object.assign(this, { id, name, run, options, running: false });
      seen.clients.push(this);
    }
    async start() {
      if (settings.broken) throw new Error("ENOENT");
      this.running = true;
    }
    async stop() {
      this.running = false;
    }
  }
  return { seen, fakes: { vscode, "vscode-languageclient/node": { LanguageClient } } };
}

// The extension, loaded anew, with fakes in the place of the editor's modules.
function load(fakes) {
  const real = Module._load;
  Module._load = (name, ...rest) => (name in fakes ? fakes[name] : real(name, ...rest));
  try {
    const file = require.resolve("../src/extension.js");
    delete require.cache[file];
    return require(file);
  } finally {
    Module._load = real;
  }
}

// An activated extension in an editor.
async function started(options) {
  const { seen, fakes } = fakeEditor(options);
  const extension = load(fakes);
  const context = { subscriptions: [] };
  await extension.activate(context);
  return { seen, extension, context, check: () => seen.commands.get("beeline.check")() };
}

module.exports = { started };
