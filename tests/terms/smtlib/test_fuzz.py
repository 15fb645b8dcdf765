"""Whatever the text, it is read or refused with an `SmtLibError`; nothing else comes out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from solvent.errors import SmtLibError
from solvent.terms import Array, Bool, Function, Int, Term, uninterpreted_sort
from solvent.terms.smtlib import Writer, read_model, read_script, write_script
from tests.terms.smtlib.generators import terms

SCRIPT = """\
(set-info :status sat)
(set-option :produce-models true)
(set-logic ALL) ; a comment
(declare-sort U 0)
(define-sort Pair (X) (Array X (_ BitVec 4)))
(declare-const |a b| (Pair Int))
(declare-fun f (U Int) Bool)
(declare-const u U) (declare-fun x () Int) (declare-const b (_ BitVec 8)) (declare-const s String)
(declare-const d (_ FloatingPoint 3 5)) (declare-const r Real)
(define-fun twice ((y Int)) Int (* 2 y))
(define-const limit Int 100)
(assert (! (and (f u (twice x)) (<= 0 x limit)) :named bounds))
(assert (let ((p (= x 3)) (q (bvult b #xf0))) (let ((p q)) (=> p (or (not q) (= b (_ bv3 8)))))))
(assert (forall ((v U) (n Int)) (! (=> (f v n) (exists ((x Int)) (> x n))) :pattern ((f v n)))))
(assert (= ((_ extract 3 0) (bvadd b ((_ rotate_left 2) b))) (select |a b| (- x 1))))
(assert (str.in_re s (re.+ (re.union (str.to_re "ab") (re.range "0" "9")))))
(assert (fp.lt (fp.add RNE d ((_ to_fp 3 5) RTZ 0.5)) (fp #b0 #b110 #b0000)))
(assert (= r (/ (to_real x) 3.0) (+ r (ite bounds 0.0 1.5))))
(assert (= |a b| (store ((as const (Array Int (_ BitVec 4))) #x0) (div x 2) #b1010)))
(push 1) (assert (not (= s "say ""hi\\u{21}"))) (check-sat) (pop 1)
(check-sat-assuming ((f u 0))) (get-value (x (+ x 1))) (echo "done") (get-model) (exit)
"""

MODEL = """\
(
  ;; universe
  (declare-fun U!val!0 () U)
  (define-fun x () Int (- 3))
  (define-fun u () U (as @a0 U))
  (define-fun f ((x!0 U) (x!1 Int)) Bool
    (ite (and (= x!0 U!val!0) (= x!1 2)) true (let ((a!1 (= x!1 7))) (or (k!1 x!1) a!1))))
  (define-fun k!1 ((x!0 Int)) Bool (> x!0 5))
  (define-fun a () (Array Int Int) (store (store ((as const (Array Int Int)) 0) 1 2) (- 3) 5))
)
"""


def test_the_originals_are_read() -> None:
    assert len(read_script(SCRIPT).commands) == 32
    assert len(read_model(MODEL, _writer())) == 4


def _writer() -> Writer:
    u = uninterpreted_sort("U")
    f = Function("f", [u, Int], Bool)
    writer = Writer()
    writer.declarations_for(f(u("u"), Int("x")), Array("a", Int, Int)[1] == 2)
    return writer


def _accepts(text: str) -> bool:
    try:
        read_script(text)
    except SmtLibError as error:
        problem = error
    else:
        return True
    assert problem.line >= 1
    assert problem.column >= 1
    assert "\n" not in str(problem)
    return False


@settings(max_examples=150)
@given(st.integers(0, len(SCRIPT)))
def test_truncated(end: int) -> None:
    _accepts(SCRIPT[:end])


_PIECES = """( ) " | ; _ as let ! :named x 5 0.5 #b1 #x Int (_~BitVec~8) forall - = bvadd fp.add RNE
(( )) \\ é \0 ~"""
_SNIPPETS = st.sampled_from([piece.replace("~", " ") for piece in _PIECES.split()])


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, len(SCRIPT)), st.integers(0, 12), _SNIPPETS), max_size=3))
def test_characters_replaced(changes: list[tuple[int, int, str]]) -> None:
    text = SCRIPT
    for start, removed, inserted in changes:
        text = text[:start] + inserted + text[start + removed :]
    _accepts(text)


TOKENS = SCRIPT.replace("(", " ( ").replace(")", " ) ").split(" ")


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(st.integers(0, len(TOKENS) - 1), st.integers(0, len(TOKENS) - 1)), max_size=4
    )
)
def test_tokens_exchanged(pairs: list[tuple[int, int]]) -> None:
    tokens = list(TOKENS)
    for first, second in pairs:
        tokens[first], tokens[second] = tokens[second], tokens[first]
    _accepts(" ".join(tokens))


@settings(max_examples=150)
@given(st.text('()|"; \n_as!let:x5#b', max_size=40))
def test_noise(text: str) -> None:
    _accepts(text)
    _accepts(f"(assert {text})")


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, len(MODEL)), st.integers(0, 8), _SNIPPETS), max_size=3))
def test_models(changes: list[tuple[int, int, str]]) -> None:
    text = MODEL
    for start, removed, inserted in changes:
        text = text[:start] + inserted + text[start + removed :]
    try:
        model = read_model(text, _writer())
    except SmtLibError:
        return
    assert all(not isinstance(model.internal(key), Term) for key in model)


@settings(max_examples=150)
@given(terms((Bool,)), st.data())
def test_written_scripts_with_one_change(term: object, data: st.DataObject) -> None:
    text = write_script([term])
    start = data.draw(st.integers(0, len(text)))
    _accepts(text[:start] + data.draw(_SNIPPETS) + text[start + 1 :])
