"""`--help` of every command: examples that can be parsed, and the exit codes."""

from __future__ import annotations

import shlex

import pytest

from solvent.cli import COMMANDS, build_parser, main
from solvent.cli.examples import EXAMPLES
from tests.cli.test_answers import leaves

LEAVES = [name for known in COMMANDS for name, _ in leaves(build_parser(known))]


def test_every_command_has_examples() -> None:
    assert set(EXAMPLES) == set(LEAVES)


@pytest.mark.parametrize("name", LEAVES)
def test_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*name.split(), "--help"])
    assert stopped.value.code == 0
    out = capsys.readouterr().out
    assert "\nexit codes:\n  0  " in out
    for example in EXAMPLES[name]:
        assert f"\n  {example}\n" in out
        words = shlex.split(example.partition(" >")[0])
        assert words[0] == "solvent"
        assert words[1:][: len(name.split())] == name.split()
        build_parser(words[1]).parse_args(words[1:])


def test_the_codes_of_the_validator_are_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["validate", "--help"])
    assert "  4  the time is over" in capsys.readouterr().out


def test_all_commands_and_the_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    assert all(f"\n    {name}" in out for name in COMMANDS)
    assert "exit codes:" in out
