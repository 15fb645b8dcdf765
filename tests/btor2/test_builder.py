"""Terms become BTOR2: every operator has its node, and what BTOR2 lacks is refused."""

from __future__ import annotations

import pytest

from solvent.btor2 import (
    Builder,
    ModelError,
    Property,
    Simulator,
    State,
    TransitionSystem,
    parse,
    print_model,
    to_system,
)
from solvent.terms import (
    Array,
    ArrayValue,
    BitVec,
    Bool,
    Function,
    Int,
    Real,
    and_,
    ashr,
    bv,
    concat,
    const_array,
    eq,
    evaluate,
    extract,
    iff,
    implies,
    int_to_bv,
    ite,
    lshr,
    not_,
    or_,
    rotate_left,
    sdiv,
    sge,
    shl,
    sign_extend,
    slt,
    smod,
    srem,
    store,
    udiv,
    ugt,
    ule,
    urem,
    xor,
    zero_extend,
)

X, Y, P, Q, B = BitVec("x", 4), BitVec("y", 4), Bool("p"), Bool("q"), BitVec("b", 1)
M = Array("m", BitVec(4), BitVec(4))

WORDS = [
    X + Y,
    X - Y,
    X * 3,
    -X,
    ~X,
    X & Y,
    X | Y,
    X ^ Y,
    shl(X, Y),
    lshr(X, Y),
    ashr(X, Y),
    udiv(X, Y),
    urem(X, Y),
    sdiv(X, Y),
    srem(X, Y),
    smod(X, Y),
    concat(extract(1, 0, X), extract(3, 2, Y)),
    zero_extend(2, extract(2, 1, X)),
    sign_extend(2, extract(2, 1, X)),
    sign_extend(3, B),
    ite(P, X, Y),
    rotate_left(1, X),
    zero_extend(3, ite(P, bv(1, 1), bv(0, 1))),
    zero_extend(3, ite(P, bv(0, 1), B)),
    store(M, X, Y)[Y],
    ite(Q, store(M, 3, X), M)[X],
]
TESTS = [
    and_(P, Q),
    or_(P, not_(Q)),
    xor(P, Q),
    iff(P, Q),
    implies(P, Q),
    eq(X, Y),
    not_(eq(X, Y)),
    ule(X, Y),
    ugt(X, Y),
    slt(X, Y),
    sge(X, Y),
    eq(B, 1),
    eq(B, 0),
    not_(eq(B, 1)),
    eq(extract(0, 0, X), B),
    ite(P, Q, eq(X, 3)),
    eq(store(M, X, Y), M),
]


def outputs(values):
    """The model that has all inputs and these outputs, read again from its text."""
    builder = Builder()
    for one in (X, Y, P, Q, B, M):
        builder.input(one)
    for value in values:
        builder.output(value)
    return parse(print_model(builder.model))


def test_every_operator() -> None:
    model = outputs([*WORDS, *TESTS])
    for x in range(16):
        for y in (0, 1, 3, 8, 15):
            p, q, b = bool(x & 1), bool(y & 1), (x >> 1) & 1
            table = {3: 2, x: y ^ 5, y: 7}
            given = [x, y, int(p), int(q), b, table]
            step = Simulator(model, lambda k, _, given=given: given[k]).step()
            assignment = {
                X: bv(x, 4),
                Y: bv(y, 4),
                P: p,
                Q: q,
                B: bv(b, 1),
                M: ArrayValue(M.sort, 0, table),
            }
            for value, found in zip([*WORDS, *TESTS], step.outputs, strict=True):
                assert int(evaluate(value, assignment)) == found, value


def test_equal_terms_are_one_node() -> None:
    builder = Builder()
    builder.input(X)
    assert builder.node(X + 1) == builder.node(X + 1)
    before = len(builder.model.nodes)
    builder.node((X + 1) * (X + 1))
    assert len(builder.model.nodes) == before + 1
    # A Boolean and the bit made from it are one.
    builder.input(P)
    assert builder.node(ite(P, bv(1, 1), bv(0, 1))) == builder.node(P)


def test_deep_terms() -> None:
    term = X
    for k in range(8_000):
        term = (term ^ Y) + bv(k % 15 + 1, 4)
    model = outputs([term])
    assert len(model.nodes) > 16_000
    again = to_system(model)
    assert again.outputs[0].condition is term


@pytest.mark.parametrize(
    ("term", "message"),
    [
        (Int("i") > 3, "BTOR2 has no values of sort Int"),
        (int_to_bv(Int("i"), 4) + X, "BTOR2 has no values of sort Int"),
        (Real("r") > 1, "BTOR2 has no values of sort Real"),
        (Function("f", [BitVec(4)], BitVec(4))(X), "BTOR2 has no operator"),
        (BitVec("unknown", 4) + 1, "neither a state nor an input"),
        (eq(const_array(BitVec(4), X), M), "no array of which all elements are"),
    ],
)
def test_what_is_refused(term, message: str) -> None:
    builder = Builder()
    for one in (X, Y, M):
        builder.input(one)
    with pytest.raises(ModelError, match=message):
        builder.node(term)


def test_declarations_that_are_refused() -> None:
    builder = Builder()
    builder.input(X)
    with pytest.raises(ModelError, match="declared twice"):
        builder.state(X)
    with pytest.raises(ModelError, match="a constant must stand for a state"):
        builder.state(X + 1)
    with pytest.raises(ModelError, match="no values of sort Int"):
        builder.input(Int("i"))
    builder.state(P)
    with pytest.raises(ModelError, match="is used where"):
        builder.next(P, X)
    with pytest.raises(ModelError, match="is used where"):
        builder.bad(X)


def test_comments_symbols_and_numbers() -> None:
    builder = Builder()
    builder.comment("a processor")
    builder.input(X, "two words")
    builder.skip_to(1000)
    builder.state(Y, "")
    assert print_model(builder.model) == (
        "; a processor\n1 sort bitvec 4\n2 input 1 two_words\n1000 state 1\n"
    )


def test_constant_arrays_become_states() -> None:
    system = TransitionSystem(
        [State(M, ArrayValue(M.sort, 2, {3: 4}), store(const_array(BitVec(4), bv(1, 4)), X, Y))],
        [X, Y],
        outputs=[Property("read", M[3])],
    )
    model = parse(system.to_text())
    simulator = Simulator(model, lambda k, t: (3, 9)[k])
    assert [simulator.step().outputs[0] for _ in range(3)] == [4, 9, 9]


def test_states_start_in_an_order_that_works() -> None:
    system = TransitionSystem(
        [State(X, Y + 1, X), State(Y, P_AS_WORD, Y), State(P, True, P)],
        outputs=[Property("x", X)],
    )
    step = Simulator(parse(system.to_text())).step()
    assert step.outputs == [2]
    round_about = TransitionSystem([State(X, Y, X), State(Y, X, Y)])
    with pytest.raises(ModelError, match="starts with a value of its own"):
        round_about.to_model()


P_AS_WORD = ite(P, bv(1, 4), bv(0, 4))


def test_initial_arrays_of_one_element() -> None:
    text = TransitionSystem([State(M, const_array(BitVec(4), bv(0, 4)), M)]).to_text()
    assert len(parse(text).states) == 1
