// The server as VS Code talks to it: with VS Code's own implementation of the protocol.

const {test} = require("node:test");
const assert = require("node:assert");
const {spawn} = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const {pathToFileURL} = require("node:url");
const rpc = require("vscode-languageserver-protocol/node");

const PROGRAM = `def half(n: int) -> int:
    """
    pre: n > 0
    post: _ > 0
    """
    return n // 2


def same(n: int) -> int:
    """post: _ == n"""
    return n
`;

/** A server that has opened a folder, what it publishes, and what ends it. */
async function served(folder, context) {
  const [command, ...given] = (process.env.SOLVENT || "solvent").split(" ");
  const child = spawn(command, [...given, "lsp"], {cwd: folder, stdio: ["pipe", "pipe", "inherit"]});
  context.after(() => child.kill());
  const connection = rpc.createProtocolConnection(
    new rpc.StreamMessageReader(child.stdout),
    new rpc.StreamMessageWriter(child.stdin),
  );
  const published = [];
  const waiting = [];
  connection.onNotification(rpc.PublishDiagnosticsNotification.type, (told) => {
    published.push(told);
    waiting.forEach((look) => look());
  });
  connection.onRequest(rpc.CodeLensRefreshRequest.type, () => null);
  connection.onRequest(rpc.WorkDoneProgressCreateRequest.type, () => null);
  connection.onUnhandledNotification(() => {});
  connection.listen();
  const answer = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).toString(),
    capabilities: {textDocument: {publishDiagnostics: {relatedInformation: true}}},
    workspaceFolders: [{uri: pathToFileURL(folder).toString(), name: "folder"}],
    initializationOptions: {budget: 60},
  });
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  const until = (holds) =>
    new Promise((resolve) => {
      const look = () => {
        const found = published.find(holds);
        if (found) resolve(found);
      };
      waiting.push(look);
      look();
    });
  const end = async () => {
    await connection.sendRequest(rpc.ShutdownRequest.type);
    await connection.sendNotification(rpc.ExitNotification.type);
    return new Promise((resolve) => child.on("exit", resolve));
  };
  return {connection, capabilities: answer.capabilities, until, end};
}

test("a failure is told on the line of the contract, with lenses and hover", async (context) => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "solvent-"));
  const file = path.join(folder, "program.py");
  fs.writeFileSync(file, PROGRAM);
  const uri = pathToFileURL(file).toString();
  const {connection, capabilities, until, end} = await served(folder, context);
  assert.ok(capabilities.hoverProvider && capabilities.codeLensProvider);
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: {uri, languageId: "python", version: 1, text: PROGRAM},
  });
  const isError = (one) => one.severity === rpc.DiagnosticSeverity.Error;
  const told = await until((one) => one.uri === uri && one.diagnostics.some(isError));
  const problem = told.diagnostics.find(isError);
  assert.strictEqual(problem.range.start.line, 3);
  assert.match(problem.message, /half\(n=1\)/);
  const textDocument = {uri};
  const lenses = await connection.sendRequest(rpc.CodeLensRequest.type, {textDocument});
  assert.deepStrictEqual(
    lenses.map((one) => [one.range.start.line, one.command.title]),
    [0, 8].flatMap((line) => ["prove", "debug", "write tests"].map((title) => [line, title])),
  );
  const hover = await connection.sendRequest(rpc.HoverRequest.type, {
    textDocument,
    position: {line: 0, character: 5},
  });
  assert.match(JSON.stringify(hover.contents), /half\(n=1\)/);
  // What is mended is told no more.
  const mended = PROGRAM.replace("pre: n > 0", "pre: n > 1");
  fs.writeFileSync(file, mended);
  await connection.sendNotification(rpc.DidChangeTextDocumentNotification.type, {
    textDocument: {uri, version: 2},
    contentChanges: [{text: mended}],
  });
  await connection.sendNotification(rpc.DidSaveTextDocumentNotification.type, {textDocument});
  await until((one) => one.uri === uri && one.version !== 1 && one.diagnostics.length === 0);
  assert.strictEqual(await end(), 0);
});
