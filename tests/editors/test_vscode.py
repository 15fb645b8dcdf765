"""The extension for VS Code: it is built from npm, and starts the server that the settings name."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"

# Stands for VS Code, and prints what the extension would start.
HOST = """
const Module = require("module");
const settings = {command: process.argv[2], budget: 7};
const configuration = {get: (name) => settings[name]};
const started = [];
const stubs = {
  vscode: {
    commands: {registerCommand: (name) => ({name})},
    window: {showErrorMessage: (text) => started.push({error: text})},
    workspace: {
      getConfiguration: () => configuration,
      workspaceFolders: [{uri: {fsPath: "/folder"}}],
      onDidChangeConfiguration: () => ({}),
    },
  },
  "vscode-languageclient/node": {
    LanguageClient: class {
      constructor(id, name, server, options) {
        this.told = {id, server, options};
      }
      async start() {
        if (settings.command === "broken") throw new Error("no such file");
        started.push(this.told);
      }
      async stop() {
        started.push("stopped");
      }
    },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => stubs[name] ?? load(name, ...rest);
(async () => {
  const extension = require("./out/extension.js");
  const context = {subscriptions: []};
  await extension.activate(context);
  await extension.deactivate();
  console.log(JSON.stringify({started, subscriptions: context.subscriptions.length}));
})();
"""


def test_the_lock_names_no_place() -> None:
    """What is installed is the same everywhere, and comes from where the user gets packages."""
    lock = json.loads((FOLDER / "package-lock.json").read_text())
    packages = [one for name, one in lock["packages"].items() if name]
    assert all(one["integrity"] and "resolved" not in one for one in packages)


@pytest.mark.mass
def test_build(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path / "vscode"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("node_modules", "out"))
    around = os.environ | {"SOLVENT": f"{sys.executable} -m solvent"}
    for command in ([npm, "ci"], [npm, "run", "compile"], [npm, "test"]):
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, env=around
        )
        assert done.returncode == 0, done.stdout + done.stderr
    (folder / "host.js").write_text(HOST)

    def told(setting: str) -> dict[str, list[dict[str, object]]]:
        command = ["node", "host.js", setting]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        found: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
        return found

    first, stopped = told("solvent")["started"]
    assert stopped == "stopped"
    assert first["server"] == {"command": "solvent", "args": ["lsp"]}
    assert first["options"] == {
        "documentSelector": [{"scheme": "file", "language": "python"}],
        "initializationOptions": {"budget": 7},
    }
    server = told(".venv/bin/solvent")["started"][0]["server"]
    assert server == {"command": "/folder/.venv/bin/solvent", "args": ["lsp"]}
    (problem,) = told("broken")["started"]
    assert "pip install 'solvent[lsp]'" in str(problem["error"])
