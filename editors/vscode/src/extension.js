// The extension: starts Beeline's language server, and shows the answers of a check beside the text.
"use strict";

const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { check, summary } = require("./check");

const LANGUAGES = ["promela", "dve", "murphi", "smv", "asbru", "uppaal", "uppaal-xml", "xml"]; // the server looks which XML is UPPAAL's
let client = null;

// The command as the settings name it; a path is one from the folder of the workspace.
function commandFor(uri) {
  const wanted = vscode.workspace.getConfiguration("beeline", uri).get("command", "beeline");
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return wanted.includes("/") && folder ? path.resolve(folder.uri.fsPath, wanted) : wanted;
}

async function startServer(context) {
  const [folder] = vscode.workspace.workspaceFolders || [];
  const run = { command: commandFor(folder && folder.uri), args: ["language-server"] };
  const documentSelector = LANGUAGES.map((language) => ({ scheme: "file", language }));
  client = new LanguageClient("beeline", "Beeline", run, { documentSelector });
  context.subscriptions.push({ dispose: () => client && client.stop() });
  try {
    await client.start();
  } catch (error) {
    const said = `Beeline cannot be started as '${run.command}': pip install 'beeline[editor]', and see the setting beeline.command.`;
    vscode.window.showWarningMessage(`${said} (${error.message})`);
    client = null;
  }
}

// One panel for each model; a check shows its answer there again.
const panels = new Map();

function panelFor(file) {
  if (!panels.has(file)) {
    const title = `Beeline: ${path.basename(file)}`;
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("beeline", title, beside, { enableScripts: true, localResourceRoots: [] });
    panel.onDidDispose(() => panels.delete(file));
    panels.set(file, panel);
  }
  return panels.get(file);
}

async function checkThis() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return vscode.window.showInformationMessage("Open the model that is to be checked.");
  const { document } = editor;
  if (document.isUntitled || (document.isDirty && !(await document.save()))) {
    return vscode.window.showInformationMessage("Save the model first: Beeline reads files.");
  }
  const file = document.uri.fsPath;
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const options = vscode.workspace.getConfiguration("beeline", document.uri).get("options", []);
  const where = { command: commandFor(document.uri), cwd: folder ? folder.uri.fsPath : path.dirname(file) };
  const progress = { location: vscode.ProgressLocation.Notification, title: `Checking ${path.basename(file)}`, cancellable: true };
  return vscode.window.withProgress(progress, async (_, token) => {
    try {
      const { result, page } = await check(file, options, where, token);
      panelFor(file).webview.html = page;
      vscode.window.setStatusBarMessage(`$(beaker) ${summary(result)}`, 30_000);
    } catch (error) {
      if (!token.isCancellationRequested) vscode.window.showErrorMessage(error.message);
    }
  });
}

async function activate(context) {
  context.subscriptions.push(vscode.commands.registerCommand("beeline.check", checkThis));
  if (vscode.workspace.isTrusted) return startServer(context);
  context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(() => startServer(context)));
}

module.exports = { activate, deactivate: () => client && client.stop() };
