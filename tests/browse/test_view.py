"""Views of values: the graph, sharing, unions with examples, and the page in a browser."""

from __future__ import annotations

import json
import random
import re
from collections import deque
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from solvent.browse import browse
from solvent.browse.graphs import MOST, concrete
from solvent.lift import execute
from solvent.terms import BitVec, Bool, Int, Real, Str, and_, ite, not_, or_
from solvent.terms.graph import reachable, size
from solvent.terms.model import Model
from solvent.terms.ops import OPERATORS
from solvent.terms.term import Term
from solvent.terms.values import BV, bv
from solvent.vm.union import Union
from solvent.vm.values import Value
from tests.chromium import opened


def nodes_of(value: Value) -> list[dict[str, Any]]:
    found = browse(value).data["nodes"]
    assert isinstance(found, list)
    return found


def picked(x: Value, p: Value) -> Value:
    if x > 3:
        return [x, x * x]
    if p:
        return "text"
    return None


def test_what_is_shared_is_one_node() -> None:
    x = Int("x")
    nodes = nodes_of((x + 1) * (x + 1))
    (product,) = [node for node in nodes if node.get("op") == "*"]
    assert product["args"][0] == product["args"][1]
    assert product["size"] == 3
    assert sum(node["kind"] == "constant" for node in nodes) == 1


def test_members_of_a_union_have_examples_that_lead_to_them() -> None:
    x, p = Int("x"), Bool("p")
    outcome = execute(picked, x, p)
    (union,) = [node for node in nodes_of(outcome) if node["kind"] == "union"]
    assert len(union["members"]) == 3
    for member in union["members"]:
        found = dict(re.findall(r"(\w) = ([-\w]+)", member["example"]))
        value = picked(int(found.get("x", 0)), found.get("p") == "True")
        nodes = nodes_of(outcome)
        label = nodes[member["value"]]["label"]
        assert label == ("list of 2" if isinstance(value, list) else repr(value))


def test_a_guard_that_never_holds_has_no_example() -> None:
    x = Int("x")
    value = Union(((and_(x > 3, x * x < 9), "never"), (True, "always")))
    (union,) = [node for node in nodes_of(value) if node["kind"] == "union"]
    assert [member["example"] is None for member in union["members"]] == [True, False]


def test_containers_and_objects_have_named_parts() -> None:
    class Point:
        def __init__(self) -> None:
            self.x, self.y = Int("x"), 2

    nodes = nodes_of({"point": Point(), "set": {1}, "empty": []})
    labels = [node["label"] for node in nodes if node["kind"] == "parts"]
    assert sorted(labels) == ["Point", "dict of 3", "list of 0", "set of 1"]
    (point,) = [node for node in nodes if node["label"] == "Point"]
    assert [part["name"] for part in point["parts"]] == ["x", "y"]


class Slotted:
    __slots__ = ("__hidden", "empty", "shown")

    def __init__(self) -> None:
        self.shown, self.__hidden = Int("x"), [Int("y")]


class Derived(Slotted):
    def __init__(self) -> None:
        super().__init__()
        self.own = Bool("p")


class Named(NamedTuple):
    first: Value
    second: Value


class Colour(Enum):
    RED = 1


def filled(x: Value) -> Value:
    return bytearray([x if 0 <= x < 256 else 0, 7])


def parts_of(value: Value) -> list[tuple[str, str]]:
    nodes = nodes_of(value)
    return [(part["name"], nodes[part["value"]]["label"]) for part in nodes[0].get("parts", ())]


def test_every_kind_of_container_and_object_is_opened() -> None:
    x = Int("x")
    assert parts_of(Named(x, 2)) == [("first", "x"), ("second", "2")]
    assert parts_of(deque([x, 2])) == [("0", "x"), ("1", "2")]
    assert parts_of(Derived()) == [("own", "p"), ("_Slotted__hidden", "list of 1"), ("shown", "x")]
    assert parts_of(execute(filled, x).value) == [("0", "ite[Int]"), ("1", "7")]
    # These have attributes, too, but are values themselves.
    for whole in (Colour.RED, Fraction(1, 2), bv(3, 8), Int, re):
        assert parts_of(whole) == []


def test_a_value_may_be_nested_deeply() -> None:
    value: Value = Int("x")
    for _ in range(3_000):
        value = [value]
    assert len(nodes_of(value)) == 3_001


def test_a_value_that_contains_itself_ends() -> None:
    value: list[object] = [Int("x")]
    value.append(value)
    nodes = nodes_of(value)
    assert nodes[0]["parts"][1]["value"] == 0


def test_a_large_term_is_cut_off_at_the_top() -> None:
    term = Int("x")
    for place in range(2 * MOST):
        term = term * Int(f"y{place}") + 1
    view = browse(term)
    assert len(view.data["nodes"]) <= 4 * MOST  # type: ignore[arg-type]
    assert view.data["cut"]
    assert view.data["size"] == size(term)


def test_nothing_in_a_page_is_markup_of_the_value() -> None:
    page = browse([Int("</script><b>"), "<img src=x>"], "<i>").page()
    assert "<img" not in page
    assert "<b>" not in page
    assert "<i>" not in page


# --- the evaluator in the page, against ours ------------------------------------------------------

NUMBERS = [Int(f"n{place}") for place in range(3)]
TRUTHS = [Bool(f"b{place}") for place in range(2)]
BITS = [BitVec(f"v{place}", 6) for place in range(3)]
RATIOS = [Real(f"r{place}") for place in range(2)]
WORDS = [Str(f"s{place}") for place in range(2)]


class Maker:
    """Random terms by the operators themselves, so that all of them occur."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def op(self, name: str, *args: object) -> Any:
        return OPERATORS[name](*args)

    def number(self, depth: int) -> Any:
        if depth == 0:
            return self.random.choice([*NUMBERS, self.random.randint(-4, 4)])
        kind = self.random.choice(
            ["+", "*", "-", "div", "mod", "ite", "ubv_to_int", "str.len", "to_int", "str.indexof",
             "str.to_int", "str.to_code"]
        )  # fmt: skip
        a, b = self.number(depth - 1), self.number(depth - 1)
        if kind == "-":
            return self.op("-", a)
        if kind == "ite":
            return ite(self.truth(depth - 1), a, b)
        if kind == "ubv_to_int":
            return self.op(kind, self.bits(depth - 1))
        if kind == "to_int":
            return self.op(kind, self.ratio(depth - 1))
        if kind == "str.indexof":
            return self.op(kind, self.word(depth - 1), self.word(depth - 1), a)
        if kind.startswith("str."):
            return self.op(kind, self.word(depth - 1))
        return self.op(kind, a, b)

    def ratio(self, depth: int) -> Any:
        if depth == 0:
            return self.random.choice([*RATIOS, Fraction(self.random.randint(-5, 5), 3)])
        kind = self.random.choice(["+", "*", "-", "/", "to_real"])
        if kind == "to_real":
            return self.op(kind, self.number(depth - 1))
        a, b = self.ratio(depth - 1), self.ratio(depth - 1)
        return self.op("-", a) if kind == "-" else self.op(kind, a, b)

    def bits(self, depth: int) -> Any:
        if depth == 0:
            return self.random.choice([*BITS, bv(self.random.randint(0, 63), 6)])
        a, b = self.bits(depth - 1), self.bits(depth - 1)
        kind = self.random.choice(
            ["bvadd", "bvmul", "bvand", "bvor", "bvxor", "bvneg", "bvnot", "bvudiv", "bvurem",
             "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr", "cut", "widened", "int"]
        )  # fmt: skip
        if kind in ("bvneg", "bvnot"):
            return self.op(kind, a)
        if kind == "cut":
            wide = self.op("concat", a, b)
            return OPERATORS["extract"].at(8, 3)(wide)
        if kind == "widened":
            name = self.random.choice(["zero_extend", "sign_extend"])
            return OPERATORS["extract"].at(7, 2)(OPERATORS[name].at(3)(a))
        if kind == "int":
            return OPERATORS["int_to_bv"].at(6)(self.number(depth - 1))
        return self.op(kind, a, b)

    def word(self, depth: int) -> Any:
        if depth == 0:
            return self.random.choice([*WORDS, "", "a", "12", "ab😀"])
        kind = self.random.choice(["str.++", "str.at", "str.substr", "str.replace", "str.from_int"])
        a, b = self.word(depth - 1), self.word(depth - 1)
        n = self.number(depth - 1)
        if kind == "str.++":
            return self.op(kind, a, b)
        if kind == "str.at":
            return self.op(kind, a, n)
        if kind == "str.substr":
            return self.op(kind, a, n, self.number(depth - 1))
        if kind == "str.from_int":
            return self.op(kind, n)
        return self.op(kind, a, b, self.word(depth - 1))

    def truth(self, depth: int) -> Any:
        if depth == 0:
            return self.random.choice(TRUTHS)
        kind = self.random.choice(
            ["and", "or", "not", "=", "<=", "bvule", "bvsle", "str.<", "str.<=", "str.prefixof",
             "str.suffixof", "str.contains", "is_int", "ratios", "str.is_digit"]
        )  # fmt: skip
        if kind in ("and", "or"):
            parts = [self.truth(depth - 1), self.truth(depth - 1)]
            return and_(*parts) if kind == "and" else or_(*parts)
        if kind == "not":
            return not_(self.truth(depth - 1))
        if kind == "ratios":
            return self.op("<=", self.ratio(depth - 1), self.ratio(depth - 1))
        if kind == "is_int":
            return self.op(kind, self.ratio(depth - 1))
        if kind == "str.is_digit":
            return self.op(kind, self.word(depth - 1))
        side = self.word if kind.startswith("str.") else self.number
        side = self.bits if kind.startswith("bv") else side
        return self.op(kind, side(depth - 1), side(depth - 1))

    def model(self) -> dict[Term, Any]:
        values: dict[Term, Any] = {one: self.random.randint(-9, 9) for one in NUMBERS}
        values |= {one: self.random.random() < 0.5 for one in TRUTHS}
        values |= {one: bv(self.random.randint(0, 63), 6) for one in BITS}
        values |= {one: Fraction(self.random.randint(-9, 9), 4) for one in RATIOS}
        values |= {one: self.random.choice(["", "a", "7", "ab", "ba😀"]) for one in WORDS}
        return values


def typed(value: object) -> str:
    """A value as a person types it."""
    return str(value.value) if isinstance(value, BV) else str(value)


@pytest.mark.pages
def test_the_evaluator_agrees_with_ours(tmp_path: Path) -> None:
    maker = Maker(7)
    sorts = (maker.number, maker.truth, maker.bits, maker.ratio, maker.word)
    terms = [sorts[place % 5](3) for place in range(400)]
    terms = [term for term in terms if isinstance(term, Term)]
    operators = {term.op.name for root in terms for term in _below(root)}
    assert len(operators) >= 45, sorted(operators)
    view = browse(terms)
    file = tmp_path / "evaluator.html"
    script = Path(browse.__code__.co_filename).with_name("evaluate.js").read_text()
    file.write_text(
        "<!doctype html><meta charset=utf-8>"
        f"<script>{script}; const data = {json.dumps(view.data)};</script>"
    )
    numbers = [part["value"] for part in view.data["nodes"][0]["parts"]]  # type: ignore[index]
    with opened(file) as page:
        for _ in range(6):
            model = maker.model()
            given = {one.name: typed(value) for one, value in model.items()}
            found = page.run(
                "const model = {}; for (const c of data.constants) model[c.node] = "
                "evaluator.read(c.sort, arguments[0][c.name]);"
                "const values = evaluator.evaluate(data.nodes, model);"
                "return arguments[1].map((n) => evaluator.show(values[n]))",
                given,
                numbers,
            )
            ours = Model(model)
            for term, text in zip(terms, found, strict=True):
                expected = ours.evaluate(term)
                assert text == _shown(expected), (term, given)
        assert page.errors() == []


def _below(root: Term) -> list[Term]:
    return reachable([root])


def _shown(value: object) -> str:
    form = concrete(value)
    assert form is not None
    if "bits" in form:
        return f"{form['bits']} (0x{int(str(form['bits'])):x})"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


@pytest.mark.pages
def test_a_view_in_a_browser(tmp_path: Path) -> None:
    x, p = Int("x"), Bool("p")
    outcome = execute(picked, x, p)
    file = tmp_path / "view.html"
    browse([outcome, (x + 1) * (x + 1)], "A view", depth=2).save(file)
    with opened(file) as page:
        assert page.errors() == []
        unfolded = len(page.texts(".sv-view details[open]"))
        page.run("document.querySelector('.sv-view button').click()")
        assert len(page.texts(".sv-view details[open]")) > unfolded
        assert any(text.startswith("for example") for text in page.texts(".example"))
        assert "shown above" in page.texts(".sv-view a")
        page.type('input[data-constant="x"]', "12")
        product = [text for text in page.texts(".sv-view summary") if "*" in text]
        assert any(text.endswith(" = 169") for text in product)
        page.type('input[data-constant="x"]', "no number")
        invalid = "return document.querySelector('input[data-constant=x]').ariaInvalid"
        assert page.run(invalid) == "true"
        for scheme in ("light", "dark"):
            for width in (400, 1400):
                page.seen_as(scheme, width)
                assert page.fits()
        assert page.errors() == []


class Unprintable:
    def __repr__(self) -> str:
        raise ValueError("not today")


def test_values_that_cannot_print_themselves_are_shown_too() -> None:
    nested: dict[str, Any] = {}
    inner = nested
    for _ in range(2_000):
        inner["k"] = inner = {}
    for value, words in (
        (Unprintable(), "Unprintable whose repr raises ValueError"),
        ([10**5_000, -(10**5_000)], "1000000000"),
        ({Unprintable(): 1}, "whose repr raises ValueError"),
        (nested, "dict of 1"),
    ):
        view = browse(value)
        assert words in json.dumps(view.data)
        assert len(repr(view)) < 120
    assert concrete(10**5_000) is None
