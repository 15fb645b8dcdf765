"""The validator: the three experiments of section 8, external tools, the six exit codes."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from solvent.riscu import validator
from solvent.riscu.validator import Settings, validate
from tests.riscu.corpus import CORPUS

FOLDER = Path(__file__).parent / "corpus"


def run(tmp_path: Path, in_file: str, **options: object) -> tuple[int, list[str]]:
    """The exit code and the lines of a validation in debug mode."""
    lines: list[str] = []
    settings = Settings(in_file, debug=True, **options)  # type: ignore[arg-type]
    code = validate(settings, tmp_path, lines.append)
    return code, lines


def experiment(tmp_path: Path, name: str, **options: object) -> tuple[int, list[str]]:
    return run(tmp_path, str(FOLDER / f"{name}.c"), **options)


def test_experiment_1_multiple_reads_with_division_by_zero(tmp_path: Path) -> None:
    code, lines = experiment(tmp_path, "two_reads_then_division")
    assert code == 0
    values = [line.partition(" at frame")[0] for line in lines if line.startswith("Value")]
    assert "Properties: ['b2']" in lines
    assert values == ["Value: 52", "Value: 50"]
    assert [line for line in lines if line.startswith("Byte")] == [
        "Byte#1 = 00110100",
        "Byte#1 = 00110010",
    ]
    assert "division by zero error state found!" in lines
    assert 'Error text: "division by zero"' in lines
    assert "division by zero error verified!" in lines
    assert (tmp_path / "error_input.txt").read_bytes() == b"42"
    frames = (tmp_path / "witness.wit").read_text().count("@") // 9
    assert f"Number of Frames parsed: {frames}" in lines
    for name in ("model.btor2", "witness.wit", "error_input.txt", "selfie_out.txt"):
        assert (tmp_path / name).is_file()


def test_experiment_2_memory_constraint(tmp_path: Path) -> None:
    code, lines = experiment(tmp_path, "memory_constraint", free_memory=True)
    assert code == 1
    assert "Properties: ['b1']" in lines
    assert any(line.startswith("Value: 12852 at frame ") for line in lines)
    assert lines.index("Byte#2 = 00110100") + 1 == lines.index("Byte#1 = 00110010")
    place = lines.index("Memory constraints:")
    address = CORPUS["memory_constraint"].program.heap_start + 8
    assert lines[place + 1 : place + 2] == [f"Value: 2 at address {address}"]
    assert lines[place + 2].startswith("Error causing input written to")
    assert 'Error text: "exit code 1"' in lines
    assert "non-zero exit code error could not be verified." in lines
    assert any("consider memory constraints" in line for line in lines)
    assert (tmp_path / "error_input.txt").read_bytes() == b"42"


def test_experiment_2_with_memory_as_the_emulator_starts_it(tmp_path: Path) -> None:
    code, lines = experiment(tmp_path, "memory_constraint")
    assert (code, lines[-2]) == (1, "no error state found")


def test_experiment_3_invalid_memory_access(tmp_path: Path) -> None:
    code, lines = experiment(tmp_path, "invalid_access")
    assert code == 0
    assert "Properties: ['b5']" in lines
    assert not any(line.startswith("Value") for line in lines)
    assert 'Error text: "uncaught invalid address"' in lines
    assert "memory access at or above upper bound error verified!" in lines
    assert (tmp_path / "error_input.txt").read_bytes() == b""


def test_without_debug_it_says_less(tmp_path: Path) -> None:
    lines: list[str] = []
    path = str(FOLDER / "two_reads_then_division.c")
    assert validate(Settings(path), tmp_path, lines.append) == 0
    assert lines == [
        "parsing witness...",
        "division by zero error state found!",
        f"Executing {path} on the emulator with calculated input",
        "division by zero error verified!",
    ]


def test_zero_bytes_are_part_of_the_input(tmp_path: Path) -> None:
    """The thesis drops them, which shifts what is read after them."""
    source = tmp_path / "zero.c"
    source.write_text(
        """uint64_t main() { uint64_t* x; uint64_t n; x = malloc(8); read(0, x, 1); n = *x;
        read(0, x, 1); if (n == 0) if (*x == 'z') return 1; return 0; }"""
    )
    code, _ = run(tmp_path, str(source))
    assert code == 0
    assert (tmp_path / "error_input.txt").read_bytes() == b"\0z"


def test_the_chosen_exit_code(tmp_path: Path) -> None:
    source = tmp_path / "exit.c"
    source.write_text(
        """uint64_t main() { uint64_t* x; x = malloc(8); read(0, x, 1);
        if (*x == 'a') return 3; if (*x == 'b') return 4; return 0; }"""
    )
    code, lines = run(tmp_path, str(source), exit_code=4)
    assert (code, (tmp_path / "error_input.txt").read_bytes()) == (0, b"b")
    assert 'Error text: "exit code 4"' in lines


# --- external tools ----------------------------------------------------------------------------

WITNESS = """sat
b2
#0
@0
0 00000000 input0@0
#1
@1
0 00110100 input0@1
@2
1 0011001000110101 input1@2
.
"""


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, str]:
    """Programs that behave like Selfie, its modeler and BtorMC."""
    (tmp_path / "prepared.wit").write_text(WITNESS)
    return {
        "modeler": script(
            tmp_path / "modeler", 'echo "modeler $4"; echo "; model" > "${2%.c}.btor2"'
        ),
        "btormc": script(tmp_path / "btormc", f'cat "{tmp_path}/prepared.wit"'),
        "selfie": script(tmp_path / "selfie", 'echo "$1 $3 $4"; cat; echo division by zero'),
    }


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "program.c"
    path.write_text("uint64_t main() { return 0; }")
    return str(path)


def test_external_tools(tmp_path: Path, tools: dict[str, str], source: str) -> None:
    code, lines = run(tmp_path, source, memory=7, **tools)
    assert code == 0
    assert "modeler 1\n" in lines
    assert (tmp_path / "model.btor2").read_text() == "; model\n"
    # Section 7.3: the lowest byte of a value is read first.
    assert (tmp_path / "error_input.txt").read_bytes() == b"452"
    assert (tmp_path / "selfie_out.txt").read_text() == "-c -m 7\n452division by zero\n"
    assert f"Executing {source} on Mipster with calculated input" in lines


def test_only_the_checker_is_external(tmp_path: Path, tools: dict[str, str], source: str) -> None:
    code, lines = run(tmp_path, source, btormc=tools["btormc"])
    assert code == 1
    assert "division by zero error could not be verified." in lines


def test_missing_files(tmp_path: Path, tools: dict[str, str], source: str) -> None:
    assert run(tmp_path, str(tmp_path / "none.c"))[0] == validator.FILE_NOT_FOUND
    for name in tools:
        wrong = {**tools, name: str(tmp_path / "none")}
        code, lines = run(tmp_path, source, **wrong)
        assert code == validator.FILE_NOT_FOUND
        assert lines[-1] == f"{tmp_path}/none: there is no such program"
    tools["modeler"] = script(tmp_path / "modeler", "exit 0")
    assert run(tmp_path, source, **tools)[0] == validator.FILE_NOT_FOUND


def test_parser_errors(tmp_path: Path, tools: dict[str, str], source: str) -> None:
    (tmp_path / "prepared.wit").write_text("sat\nb2\n#0\n@0\n0 0012 input0@0\n.\n")
    code, lines = run(tmp_path, source, **tools)
    assert code == validator.PARSER_ERROR
    assert 'Parser Error: "' in lines[-1]
    Path(source).write_text("uint64_t main() { return 0 }")
    code, lines = run(tmp_path, source)
    assert (code, lines) == (
        validator.PARSER_ERROR,
        [f"{source}(1,28): error: ';' is needed after return, not }}"],
    )


def test_timeouts(tmp_path: Path, tools: dict[str, str], source: str) -> None:
    tools["btormc"] = script(tmp_path / "btormc", "exec sleep 5")
    code, lines = run(tmp_path, source, btormc_timeout=0.2, **tools)
    assert (code, lines[-1]) == (validator.TIMEOUT, "btormc timed out")
    tools["btormc"] = script(tmp_path / "btormc", f'cat "{tmp_path}/prepared.wit"')
    tools["selfie"] = script(tmp_path / "selfie", "exec sleep 5")
    code, lines = run(tmp_path, source, selfie_timeout=0.2, **tools)
    assert (code, lines[-1]) == (validator.TIMEOUT, "selfie timed out")
    code, lines = run(tmp_path, str(FOLDER / "count_down.c"), btormc_timeout=0.01)
    assert (code, lines[-1]) == (validator.TIMEOUT, "model checking timed out")


def test_what_should_never_happen(tmp_path: Path, tools: dict[str, str], source: str) -> None:
    (tmp_path / "prepared.wit").write_text(WITNESS.replace("b2", "j0"))
    code, lines = run(tmp_path, source, **tools)
    assert (code, lines[-1]) == (validator.INTERNAL_ERROR, "unknown properties: j0")
