"""`solvent completion`: scripts with which shells complete commands, options and their values.

They are made from the parsers themselves, so that there is no second list of what there is.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from shlex import quote

from solvent.cli.common import Commands, add_json_option
from solvent.cli.envelope import told
from solvent.verdicts import DONE

# What makes the parser of one command, by its name, or of all commands.
Build = Callable[[str | None], argparse.ArgumentParser]


@dataclass(frozen=True, slots=True)
class Option:
    """An option: how it is spelled, what may follow it, and what it is for."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """What may come after the words of a command: `path` is those words."""

    path: str
    options: tuple[Option, ...]
    # Actions of the command with what they are for, or else what its argument may be.
    words: tuple[tuple[str, str], ...] = ()
    is_leaf: bool = True


def nodes(build: Build) -> list[Node]:
    """The commands and their actions, the command `solvent` itself first."""
    top = build(None)
    found = list(_nodes(top, ""))[:1]
    for name, _ in found[0].words:
        parser = _subparsers(build(name)).choices[name]
        found += _nodes(parser, name)
    return found


def _subparsers(parser: argparse.ArgumentParser) -> Commands:
    return next(one for one in parser._actions if isinstance(one, argparse._SubParsersAction))


def _nodes(parser: argparse.ArgumentParser, path: str) -> Iterator[Node]:
    options: list[Option] = []
    words: list[tuple[str, str]] = []
    below: list[Node] = []
    for action in parser._actions:
        choices = tuple(map(str, action.choices or ()))
        if isinstance(action, argparse._SubParsersAction):
            told_of = {one.dest: one.help or "" for one in action._choices_actions}
            words += [(name, told_of.get(name, "")) for name in action.choices]
            for name, inner in action.choices.items():
                below += _nodes(inner, f"{path} {name}".strip())
        elif action.option_strings:
            names = tuple(action.option_strings)
            text = " ".join((action.help or "").split())
            options.append(Option(names, text, action.nargs != 0, choices))
        else:
            words += [(name, "") for name in choices]
    yield Node(path, tuple(options), tuple(words), not below)
    yield from below


# --- bash --------------------------------------------------------------------------------------

_BASH = """\
# Completion of solvent in bash; `source` this, or put it where bash-completion looks.
_solvent() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} at="" i words=""
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$at ${{COMP_WORDS[i]}}" in
{steps}
        esac
    done
    case "$at:$prev" in
{values}
    esac
    case "$at" in
{options}
    esac
    if [[ $cur == -* ]]; then
        words="$options"
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o default -F _solvent solvent
"""


def bash(found: list[Node]) -> str:
    """The script for bash."""
    steps = [_step(node) for node in found[1:]]
    values, options = [], []
    for node in found:
        for option in node.options:
            if option.takes_value:
                keys = "|".join(f'"{node.path}:{name}"' for name in option.names)
                words = " ".join(option.choices)
                answer = f'COMPREPLY=($(compgen -W "{words}" -- "$cur")); ' if words else ""
                values.append(f"        {keys}) {answer}return ;;")
        names = " ".join(name for option in node.options for name in option.names)
        words = " ".join(name for name, _ in node.words)
        options.append(f'        "{node.path}") local options="{names}"; words="{words}" ;;')
    return _BASH.format(
        steps="\n".join(steps), values="\n".join(values), options="\n".join(options)
    )


def _step(node: Node) -> str:
    """How a word leads from a command to one of its actions."""
    return f'            "{_parent(node)} {_last(node)}") at={quote(node.path)} ;;'


def _parent(node: Node) -> str:
    return node.path.rpartition(" ")[0]


def _last(node: Node) -> str:
    return node.path.rpartition(" ")[2]


# --- zsh ---------------------------------------------------------------------------------------

_ZSH = """\
#compdef solvent
# Completion of solvent in zsh; put it into a folder of $fpath as `_solvent`.
_solvent() {{
    local at="" word prev=${{words[CURRENT-1]}} cur=${{words[CURRENT]}}
    local -a options found
    for word in ${{words[2,CURRENT-1]}}; do
        case "$at $word" in
{steps}
        esac
    done
    case "$at:$prev" in
{values}
    esac
    case "$at" in
{options}
    esac
    if [[ $cur == -* ]]; then
        _describe option options
    elif (( $#found )); then
        _describe word found
    else
        _files
    fi
}}
if [[ $funcstack[1] == _solvent ]]; then
    _solvent "$@"
else
    compdef _solvent solvent
fi
"""


def zsh(found: list[Node]) -> str:
    """The script for zsh."""
    steps = [_step(node) for node in found[1:]]
    values, options = [], []
    for node in found:
        for option in node.options:
            if option.takes_value:
                keys = "|".join(f'"{node.path}:{name}"' for name in option.names)
                words = " ".join(map(quote, option.choices))
                answer = f"found=({words}); _describe value found" if words else "_files"
                values.append(f"        {keys}) {answer}; return ;;")
        described = [
            _described(name, option.help) for option in node.options for name in option.names
        ]
        words = " ".join(_described(*word) for word in node.words)
        options.append(
            f'        "{node.path}") options=({" ".join(described)}); found=({words}) ;;'
        )
    return _ZSH.format(steps="\n".join(steps), values="\n".join(values), options="\n".join(options))


def _described(name: str, text: str) -> str:
    """A word with what it is for, as `_describe` takes it."""
    plain = name.replace(":", "\\:")
    return quote(f"{plain}:{text}" if text else plain)


# --- fish --------------------------------------------------------------------------------------

_FISH = """\
# Completion of solvent in fish; put it into ~/.config/fish/completions/solvent.fish.
function __solvent_at
    set -l at ""
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
{steps}
        end
    end
    test "$at" = "$argv[1]"
end
{lines}
"""


def fish(found: list[Node]) -> str:
    """The script for fish."""
    steps = [
        f"            case {_fish(f'{_parent(node)} {_last(node)}')}\n"
        f"                set at {_fish(node.path)}"
        for node in found[1:]
    ]
    lines = []
    for node in found:
        start = f"complete -c solvent -n {_fish(f'__solvent_at {_fish(node.path)}')}"
        if not node.is_leaf or node.words:
            lines.append(f"{start} -f")
        for name, text in node.words:
            lines.append(f"{start} -a {_fish(name)} -d {_fish(text)}")
        for option in node.options:
            spelled = " ".join(_spelled(name) for name in option.names)
            value = ""
            if option.choices:
                value = f" -x -a {_fish(' '.join(option.choices))}"
            elif option.takes_value:
                value = " -r"
            lines.append(f"{start} {spelled}{value} -d {_fish(option.help)}")
    return _FISH.format(steps="\n".join(steps), lines="\n".join(lines))


def _spelled(name: str) -> str:
    """An option: fish tells long ones, short ones and long ones with one dash apart."""
    if name.startswith("--"):
        return f"-l {name[2:]}"
    return f"-s {name[1:]}" if len(name) == 2 else f"-o {name[1:]}"


def _fish(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


# --- the command -------------------------------------------------------------------------------

SHELLS: dict[str, Callable[[list[Node]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}


def run(options: argparse.Namespace) -> int:
    """Print the script for a shell."""
    from solvent.cli import build_parser

    text = SHELLS[options.shell](nodes(build_parser))
    if not told(options, {"shell": options.shell, "text": text}):
        print(text, end="")
    return DONE


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("completion", help="print a script for completion in a shell")
    parser.add_argument("shell", choices=list(SHELLS), help="the shell that will read it")
    add_json_option(parser)
    parser.set_defaults(run=run)
