"""Completion, by the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from solvent.cli import COMMANDS, main

SHELLS = ("bash", "zsh", "fish")

# What is typed, the last word being completed, and what that must and must not become.
CASES = [
    (["ver"], {"verify"}, {"solve"}),
    ([""], set(COMMANDS), {"check"}),
    (["btor2", ""], {"check", "simulate", "replay", "inputs"}, {"verify"}),
    (["btor2", "check", "--eng"], {"--engine"}, {"--json"}),
    (["verify", "--"], {"--budget", "--json", "--sarif", "--no-cache"}, {"--engine"}),
    (["verify", "p.py", "--format", ""], {"text", "json", "github"}, {"--json"}),
    (["btor2", "check", "--engine", "k"], {"kind"}, {"bmc"}),
    (["completion", ""], {"bash", "zsh", "fish"}, {"verify"}),
    (["boogie", "verify", "--inl"], {"--inline"}, {"--json"}),
    (["verify", "pro"], {"program.py"}, {"verify"}),
    (["verify", "--sarif", "pro"], {"program.py"}, {"verify"}),
]

BASH = """\
source ./script
COMP_WORDS=(solvent {words})
COMP_CWORD={last}
_solvent
# What `-o default` does where the function has no answer.
if (( ${{#COMPREPLY[@]}} == 0 )); then COMPREPLY=($(compgen -f -- {current})); fi
printf '%s\\n' "${{COMPREPLY[@]}}"
"""

# The system of zsh is only there in a line that is edited: what it would be told is printed.
ZSH = """\
compdef() {{ : }}
_files() {{ print -l -- *(N) }}
_describe() {{ print -l -- ${{${{(P)2}}%%:*}} }}
source ./script
words=(solvent {words})
CURRENT={next}
_solvent
"""

FISH = "source ./script; complete -C {line}"


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "program.py").write_text("")
    return folder


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest, scripts: Path, capsys: pytest.CaptureFixture[str]) -> str:
    name: str = request.param
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    assert main(["completion", name]) == 0
    (scripts / "script").write_text(capsys.readouterr().out)
    return name


def completed(shell: str, given: list[str], folder: Path) -> set[str]:
    """The words that a shell offers."""
    quoted = " ".join(f"'{word}'" for word in given)
    text, arguments = {
        "bash": (
            BASH.format(words=quoted, last=len(given), current=f"'{given[-1]}'"),
            ["bash", "--norc"],
        ),
        "zsh": (ZSH.format(words=quoted, next=len(given) + 1), ["zsh", "-f"]),
        "fish": (
            FISH.format(line=f'"solvent {" ".join(given)}"'),
            ["fish", "--no-config"],
        ),
    }[shell]
    done = subprocess.run(
        [*arguments, "-c", text], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    found = {line.partition("\t")[0] for line in done.stdout.splitlines()}
    if shell == "zsh":
        # It is told of all words, and keeps those that begin as what is typed.
        found = {word for word in found if word.startswith(given[-1])}
    return found


def test_words(shell: str, scripts: Path) -> None:
    for given, wanted, unwanted in CASES:
        found = completed(shell, given, scripts)
        assert wanted <= found, (shell, given, found)
        assert not unwanted & found, (shell, given, found)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shells_can_read_it(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    main(["completion", shell])
    text = capsys.readouterr().out
    done = subprocess.run([shell, "-n"], input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
