"""The benchmarks of tables 1 and 4: matrix multiplication, Sobel filter, fast Walsh transform.

>>> [found.name for found in benchmarks()][:3]
['MM1 verify', 'MM1 verify', 'MM2 verify']
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from solvent.languages.benchmark import Benchmark, Outcome, PaperRow, Rosette
from solvent.languages.synthcl.programs import (
    matrix,
    matrix_sketch,
    sobel,
    sobel_sketch,
    walsh,
    walsh_sketch,
)
from solvent.languages.synthcl.queries import (
    VERIFICATION_BITS,
    Cost,
    Numbers,
    Program,
    agrees,
    numbers,
    synthesize,
    verify,
)
from solvent.solvers import Status
from solvent.terms import bv
from solvent.vm.values import Value

Cases = list[tuple[Value, ...]]


def matrices(sizes: Sequence[int]) -> Cases:
    """Pairs of matrices with all combinations of dimensions.

    >>> matrices([4])
    [(4, 4, 4, Numbers(count=16), Numbers(count=16))]
    """
    return [
        (n, p, m, numbers(n * p), numbers(p * m)) for n, p, m in product(sizes, repeat=3)
    ]  # fmt: skip


def images(sizes: Sequence[int]) -> Cases:
    """Images with all combinations of width and height.

    >>> images([2])
    [(2, 2, Numbers(count=16))]
    """
    return [(w, h, numbers(w * h * 4)) for w, h in product(sizes, repeat=2)]


def powers(exponents: Sequence[int]) -> Cases:
    """Arrays whose length is a power of 2.

    >>> powers([0, 3])
    [(Numbers(count=1),), (Numbers(count=8),)]
    """
    return [(numbers(2**k),) for k in exponents]


# --- running -------------------------------------------------------------------------------------


def _outcome(answer: str, expected: bool, cost: Cost, detail: str = "") -> Outcome:
    return Outcome(
        answer,
        expected,
        cost.joins,
        cost.unions,
        cost.union_sum,
        cost.union_max,
        cost.terms,
        cost.evaluation,
        cost.solving,
        detail,
    )


_ANSWERS = {Status.UNSAT: "verified", Status.SAT: "counterexample", Status.UNKNOWN: "unknown"}


def _runs(program: Program, reference: Program, case: Sequence[Value]) -> bool:
    """Whether a program gives what its reference gives for random numbers."""
    source = random.Random(0)
    args = [
        [bv(source.getrandbits(VERIFICATION_BITS), VERIFICATION_BITS) for _ in range(arg.count)]
        if isinstance(arg, Numbers)
        else arg
        for arg in case
    ]
    try:
        agrees(program, reference, args)
    except AssertionError:
        return False
    return True


def verification(program: Program, reference: Program, cases: Cases) -> Callable[[float], Outcome]:
    """A verification query, to be run within so many seconds, in any process."""
    return partial(_verification, program, reference, cases)


def _verification(program: Program, reference: Program, cases: Cases, seconds: float) -> Outcome:
    found = verify(program, reference, cases, timeout=seconds)
    expected = found.holds and _runs(program, reference, cases[-1])
    return _outcome(_ANSWERS[found.status], expected, found.cost, str(found))


def synthesis(
    sketch: Program, reference: Program, cases: Cases, kernels: Sequence[str]
) -> Callable[[float], Outcome]:
    """A synthesis query, to be run within so many seconds, in any process."""
    return partial(_synthesis, sketch, reference, cases, kernels)


def _synthesis(
    sketch: Program, reference: Program, cases: Cases, kernels: Sequence[str], seconds: float
) -> Outcome:
    found = synthesize(sketch, reference, cases, timeout=seconds)
    if not found.found:
        answer = "unknown" if found.status is Status.UNKNOWN else "impossible"
        return _outcome(answer, False, found.cost, str(found))
    detail = "\n".join(found.kernel(name) for name in kernels)
    return _outcome("synthesized", found.confirmed, found.cost, detail)


# --- the rows of table 4 -------------------------------------------------------------------------

_FOURS = (4, 8, 12, 16)

_SOBEL_PAPER = {
    1: PaperRow(576_636, 0, 0, 0, 28, 0),
    2: PaperRow(463_740, 0, 0, 0, 27, 0),
    3: PaperRow(465_868, 0, 0, 0, 28, 0),
    4: PaperRow(426_988, 0, 0, 0, 25, 0),
    5: PaperRow(385_980, 0, 0, 0, 23, 0),
    6: PaperRow(707_318, 0, 0, 0, 28, 0),
    7: PaperRow(553_948, 0, 0, 0, 23, 0),
}
# For images of 3 by 3 to 9 by 9 pixels.
_SOBEL_ROSETTE = Rosette(3.5, 0.0, 89_000)


def _verify(
    name: str,
    bound: str,
    program: Program,
    reference: Program,
    cases: Cases,
    paper: PaperRow | None,
    rosette: Rosette | None,
) -> Benchmark:
    run = verification(program, reference, cases)
    return Benchmark("synthcl", f"{name} verify", bound, run, paper, rosette)


def _matrix_verifications() -> list[Benchmark]:
    fours, eights = "n, p, m in 4, 8, 12, 16", "n, p, m in 5 to 8"
    paper_1 = PaperRow(2_233_155, 0, 0, 0, 59, 0)
    paper_2 = PaperRow(1_586_947, 0, 0, 0, 64, 1)
    scalar, vector = matrix.multiply_scalar, matrix.multiply_vector
    reference = matrix.multiply
    small, large, largest = matrices(range(5, 9)), matrices(_FOURS), matrices(_FOURS[2:])
    return [
        _verify("MM1", fours, scalar, reference, large, paper_1, None),
        _verify("MM1", eights, scalar, reference, small, None, Rosette(1.8, 0.0, 84_000)),
        _verify("MM2", fours, vector, reference, large, paper_2, None),
        _verify(
            "MM2", "n, p, m in 12, 16", vector, reference, largest, None, Rosette(2.1, 0.4, 200_000)
        ),
    ]


def _sobel_verifications() -> list[Benchmark]:
    found = []
    for step, paper in _SOBEL_PAPER.items():
        first = 1 if step < 6 else 3
        program = getattr(sobel, f"sobel_{step}")
        cases = images(range(first, 10))
        bound = f"w, h in {first} to 9"
        found.append(
            _verify(f"SF{step}", bound, program, sobel.sobel, cases, paper, _SOBEL_ROSETTE)
        )
    return found


def _walsh_verifications() -> list[Benchmark]:
    cases = powers(range(7))
    bound = "length in 1, 2, 4, ..., 64"
    scalar, vector = walsh.transform_scalar, walsh.transform_vector
    paper_1, paper_2 = PaperRow(21_644, 0, 0, 0, 1, 0), PaperRow(16_914, 0, 0, 0, 0, 0)
    rosette = Rosette(0.05, 0.0, 3_600)
    return [
        _verify("FWT1", bound, scalar, walsh.transform, cases, paper_1, rosette),
        _verify("FWT2", bound, vector, walsh.transform, cases, paper_2, rosette),
    ]


def _synthesize(
    name: str,
    bound: str,
    run: Callable[[float], Outcome],
    paper: PaperRow | None,
    rosette: Rosette | None,
) -> Benchmark:
    return Benchmark("synthcl", f"{name} synthesize", bound, run, paper, rosette)


def _matrix_synthesis(size: int) -> Callable[[float], Outcome]:
    return synthesis(matrix_sketch.multiply, matrix.multiply, matrices([size]), ["mm2"])


def _syntheses() -> list[Benchmark]:
    reference, transform = sobel.sobel, walsh.transform
    sobel_3 = synthesis(sobel_sketch.sobel_3, reference, images(range(1, 5)), ["sf3"])
    sobel_7 = synthesis(sobel_sketch.sobel_7, reference, images([4]), ["sf7"])
    walsh_1 = synthesis(walsh_sketch.transform_scalar, transform, powers([3]), ["fwt1"])
    kernels = ["fwt2_inside", "fwt2"]
    walsh_2 = synthesis(walsh_sketch.transform_vector, transform, powers([3]), kernels)
    return [
        _synthesize(
            "MM2", "n, p, m = 8", _matrix_synthesis(8),
            PaperRow(18_781, 3_705, 15_915, 65, 136, 69), None,
        ),
        _synthesize(
            "MM2", "n, p, m = 4", _matrix_synthesis(4), None, Rosette(0.10, 19.5, 5_200)
        ),
        _synthesize(
            "SF3", "w, h in 1 to 4", sobel_3,
            PaperRow(20_716, 0, 0, 0, 2, 18), Rosette(0.35, 15.8, 13_000),
        ),
        _synthesize(
            "SF7", "w, h = 4", sobel_7,
            PaperRow(4_258, 48, 3_120, 65, 9, 6), Rosette(0.24, 3.1, 12_400),
        ),
        _synthesize(
            "FWT1", "length 8", walsh_1,
            PaperRow(3_419, 279, 894, 9, 3, 3), Rosette(0.33, 2.3, 13_300),
        ),
        _synthesize(
            "FWT2", "length 8", walsh_2,
            PaperRow(945, 50, 142, 9, 0, 0), Rosette(0.04, 0.17, 700),
        ),
    ]  # fmt: skip


def benchmarks() -> list[Benchmark]:
    """The benchmarks of SynthCL, with the paper's rows and Rosette's figures."""
    return [
        *_matrix_verifications(), *_sobel_verifications(), *_walsh_verifications(), *_syntheses(),
    ]  # fmt: skip
