"""Going along a witness: which bytes are read, and which memory is needed."""

from __future__ import annotations

from solvent.btor2.engines import check
from solvent.btor2.witness import Assignment, Frame, Witness
from solvent.riscu.cstar import compile_text
from solvent.riscu.faults import Exited
from solvent.riscu.following import follow
from solvent.riscu.model import generate_model
from tests.riscu.corpus import CORPUS


def test_only_memory_that_matters_is_needed() -> None:
    program = CORPUS["memory_constraint"].program
    model = generate_model(program, free_memory=True)
    witness = check(model, kmax=150, engine="bmc").witnesses[0]
    address = program.heap_start + 64
    witness.frames[0].states.append(Assignment(0, f"{9:064b}", f"{address:064b}"))
    found = follow(program, witness)
    assert found.memory == {program.heap_start + 8: 2}
    assert (found.input, found.bad_state) == (b"42", 1)


def test_the_emulator_picks_the_bytes() -> None:
    text = (
        """uint64_t main() { uint64_t* x; x = malloc(16); read(0, x, 3); return read(0, x, 10); }"""
    )
    program = compile_text(text)
    # Whatever step reads: an input of each size is offered at each.
    inputs = [Assignment(size - 1, f"{7 + size:0{8 * size}b}") for size in range(1, 9)]
    witness = Witness(["b1"], [Frame(time, [], inputs) for time in range(200)])
    found = follow(program, witness)
    assert [one.bytes for one in found.taken] == [b"\x0a\0\0", b"\x0f" + bytes(7), b"\x09\0"]
    assert isinstance(found.end, Exited)
    assert found.end.code == 10


def test_a_witness_that_is_too_short() -> None:
    program = CORPUS["two_reads_then_division"].program
    found = follow(program, Witness(["b2"], [Frame(time) for time in range(10)]))
    assert (found.end, found.bad_state, found.input) == (None, None, b"")
