// Starts `solvent lsp`, which does everything else: this only says where it is and how long it may take.

import * as path from "node:path";
import { commands, ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

/** The command as the settings have it; one with a folder is looked for in the folder that is open. */
function command(): string {
  const given = workspace.getConfiguration("solvent").get<string>("command", "solvent");
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const isPlain = !given.includes("/") && !given.includes(path.sep);
  return isPlain || folder === undefined ? given : path.resolve(folder, given);
}

async function start(): Promise<void> {
  const server: ServerOptions = { command: command(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", language: "python" }],
    initializationOptions: {
      budget: workspace.getConfiguration("solvent").get<number>("budget", 5),
    },
  };
  client = new LanguageClient("solvent", "Solvent", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `Solvent does not start (${error}). Install it with pip install 'solvent[lsp]', ` +
        "and say where it is in the setting solvent.command.",
    );
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("solvent.restart", restart),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("solvent")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}
