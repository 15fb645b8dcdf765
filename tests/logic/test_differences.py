"""Sections 6 and 7: where the methods differ, about loops and about what is not known."""

from __future__ import annotations

from solvent.logic.bmc import BoundedModelChecking
from solvent.logic.dse import DynamicSymbolicExecution
from solvent.logic.method import Limits
from solvent.logic.methods import agreed, analyse
from solvent.reach.program import Program
from solvent.verdicts import Verdict
from tests.logic.programs import PRECISE, SECTION_7, WEAK, read, section_6

LIMITS = Limits(10.0, 12)
# What testing does not find soon, it does not find at all here.
SOON = Limits(0.3)


def verdicts(program: Program, testing: Limits = SOON) -> dict[str, str]:
    reports = analyse(program, "main", ["vc", "smc", "bmc"], LIMITS)
    reports += analyse(program, "main", ["dse"], testing)
    agreed(reports)
    return {one.method: one.words for one in reports}


def test_a_loop_with_its_precise_invariant() -> None:
    # All that the invariant proves inductively, k-induction proves too.
    found = verdicts(read(section_6(PRECISE)))
    assert found["vc"] == found["smc"] == found["bmc"] == "safe"
    # Testing has no end: each number of rounds is a path of its own.
    assert found["dse"] == "unknown"


def test_a_loop_without_an_invariant() -> None:
    for invariant in ("", WEAK):
        found = verdicts(read(section_6(invariant)))
        assert found["vc"] == "unknown"
        assert found["smc"] == "safe"
        assert found["dse"] == "unknown"


def test_a_bound_is_no_proof() -> None:
    report = BoundedModelChecking(induction=False).analyse(read(section_6()), "main", LIMITS)
    assert report.verdict is Verdict.UNKNOWN
    assert report.figures["bound"] == 12


def test_an_error_after_many_rounds() -> None:
    text = section_6().replace("j == start", "j != 9")
    found = verdicts(read(text), LIMITS)
    assert found == {"vc": "unknown", "smc": "error", "bmc": "error", "dse": "error"}


def test_an_unknown_function_may_be_any_for_proofs() -> None:
    program = read(SECTION_7)
    found = verdicts(program)
    # For these the function is scrambled: there is one with which the assertion fails.
    assert found["vc"] == found["bmc"] == "error"

    def hash_(x: int) -> int:
        return 1000 * x + 5

    # With the real one only real executions are found, and never more than was observed.
    never = read(SECTION_7.replace("y < 10", "x mod 1000 == 5"))
    assert verdicts(never)["bmc"] == "error"
    tested = DynamicSymbolicExecution(externals={"hash": hash_}).analyse(never, "main", LIMITS)
    assert tested.verdict is Verdict.UNKNOWN
    assert "external functions gave concrete values" in tested.reason


def test_a_procedure_without_a_body_is_scrambled() -> None:
    text = """
    procedure read() returns (x: int); ensures x >= 0;
    procedure main() { var a: int; var b: int; call a := read(); call b := read(); assert @; }
    """
    for condition, expected in (("a + b >= 0", "safe"), ("a == b", "error")):
        found = verdicts(read(text.replace("@", condition)), LIMITS)
        assert found["smc"] == found["bmc"] == found["dse"] == expected
