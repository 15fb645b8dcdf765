"""Completed sketches: runnable, the same as the sketch under the model, otherwise as written."""

from __future__ import annotations

import itertools
import linecache
import random
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import solvent
import solvent.sketch
from solvent import BitVec, Bool, Int, Real, Str, evaluate, lifted, synthesize
from solvent.errors import SketchError
from solvent.lift import execute, lift, symbolics
from solvent.queries.replay import values_under
from solvent.sketch import choose, choose_each, complete, complete_source, grammar, hole, hole_each
from solvent.terms import Float64, Model, bv
from solvent.terms.term import constants_are
from tests.sketch import sample_sketch
from tests.sketch.enumerating import models

pick = choose


def body(text: str) -> str:
    """The last line of some source, without indentation."""
    return text.splitlines()[-1].strip()


def bodies(function: Any, *args: Any) -> set[str]:
    """What the last line may become."""
    value = execute(function, *args).value
    return {body(complete(model, function)) for model in models(symbolics(value))}


def check_agreement(function: Any, domain: Any, numbers: range = range(0, 2)) -> None:
    """Compare the completed source with the sketch, for all models and inputs."""
    outcomes = {args: execute(function, *args) for args in domain}
    constants = symbolics([(found.value, found.asserts) for found in outcomes.values()])
    texts = set()
    for model in models(constants, numbers):
        text = complete(model, function)
        texts.add(text)
        namespace = dict(function.__globals__)
        name = f"<doctest {len(texts)}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), namespace)
        completed = namespace[function.__name__]
        for args, outcome in outcomes.items():
            try:
                value = completed(*args)
            except Exception:
                assert evaluate(outcome.asserts, model) is False
            else:
                assert evaluate(outcome.asserts, model) is True
                assert evaluate(outcome.value, model) == value
    assert len(texts) > 1


# --- choices -----------------------------------------------------------------------------------


def test_the_chosen_text_is_kept_as_it_was_written():
    def written(x):  # a comment
        """And a docstring."""
        y = choose( x+1,   # one more
                    x  -  1 )  # fmt: skip # another comment
        return  y  # fmt: skip

    line = written.__code__.co_firstlineno + 2
    assert complete(Model(), written) == (
        "def written(x):  # a comment\n"
        '    """And a docstring."""\n'
        "    y = x+1  # fmt: skip # another comment\n"
        "    return  y  # fmt: skip"
    )
    model = Model({Bool(f"choose@test_completion.py:{line}:12.0"): True})
    assert "    y = x  -  1  # fmt" in complete(model, written)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: 2 * choose(x + 1, x),
        lambda x: choose(x + 1, x) ** 2,
        lambda x: -choose(x - 1, x),
        lambda x: choose(1, -1) ** 2 - choose(x - 1, x),
        lambda x: choose(-1, 2).bit_length(),
        lambda x: choose(5, 2).bit_length(),
        lambda x: choose([1], (2, 3), {4: 5})[choose(0, 1, 4)],
        lambda x: choose(lambda y: y + 1, abs)(x),
        lambda x: not choose(x and 1, x or 2),
        lambda x: (choose(1 if x else 2, 3), 4),
        lambda x: choose((y := x), (y := 2)) + y,
        lambda x: [choose(x, 1), *choose([1], (2,))],
        lambda x: choose(choose(x, x + 1) * 2, choose(x, 3)) - 1,
        lambda x: len(choose("a" "b", "c")),
        lambda x: sum(choose(x, 1) for x in range(choose(2, 3))),
        lambda x: x < choose(3, x) < choose(5, 6),
        lambda x: {choose(1, 2): choose(x, x + 1)}[choose(1, 2)],
        lambda x: choose(x if x else 1, 2) if choose(x > 1, True) else choose(abs, len)(x),
        lambda x: choose(x
                         + 1, x
                         - 1) * 2,
    ],
)  # fmt: skip
def test_completed_expressions_mean_the_same(function):
    values = {x: execute(function, x) for x in (0, 1, 5)}
    constants = symbolics([(found.value, found.asserts) for found in values.values()])
    for model in models(constants):
        text = complete(model, function)
        completed = eval(text, globals())
        for x, outcome in values.items():
            try:
                value = completed(x)
            except Exception:
                assert evaluate(outcome.asserts, model) is False
            else:
                assert evaluate(outcome.value, model) == value, text


def test_parentheses_only_where_they_are_needed():
    assert bodies(lambda x: 2 * choose(x + 1, x, -x), 1) == {
        "lambda x: 2 * (x + 1)", "lambda x: 2 * x", "lambda x: 2 * -x",
    }  # fmt: skip

    def several(x):
        return choose(x + 1, x), [choose(x, 1)], x == choose(x + 1, 2)

    assert "return x + 1, [1], x == x + 1" in bodies(several, 7)


def test_aliases_and_modules():
    def aliased(x):
        mine = choose
        return pick(x, 1), solvent.sketch.choose(x, 2), mine(x, 3)

    assert bodies(aliased, 0) == {f"return {a}, {b}, {c}" for a in "x1" for b in "x2" for c in "x3"}

    def shadowed(choose):
        return choose(3, 4)

    assert body(complete(Model(), shadowed)) == "return choose(3, 4)"


def test_functions_in_functions_and_lifted_ones():
    @lifted
    def outer(x):
        def inner(y):
            return choose(y, -y)

        return [inner(z) for z in (x, choose(1, 2))]

    check_agreement(outer.__wrapped__, [(1,), (2,)])
    assert complete(Model(), outer) == complete(Model(), outer.__wrapped__)
    assert complete(Model(), outer).startswith("@lifted\ndef outer(x):\n    def inner")


def decorated(text):
    return lambda function: function


def test_defaults_and_decorators():
    @decorated(choose("first", "second"))
    def default(x, y=choose(1, 2), *, z=choose(3, 4)):  # noqa: B008
        return x + y + z

    text = complete(Model(), default)
    assert text.splitlines()[:2] == [
        '@decorated("first")',
        "def default(x, y=1, *, z=3):  # noqa: B008",
    ]


def test_methods_and_classes():
    # fmt: off
    class Box:
        limit = choose(1, 2)

        def get(self):
            return """
not moved""", choose(self.limit, 9)
    # fmt: on

    text = complete(Model(), Box)
    assert text.startswith("class Box:\n    limit = 1\n\n    def get(self):\n")
    assert text.endswith('"""\nnot moved""", self.limit')
    assert complete(Model(), Box.get) == 'def get(self):\n    return """\nnot moved""", self.limit'
    assert complete(Model(), Box().get) == complete(Model(), Box.get)


# --- holes -------------------------------------------------------------------------------------


def test_literals_of_all_sorts():
    def literals():
        return (
            hole(Int), hole(Bool), hole(BitVec(8)), hole(Real), hole(Float64), hole(Str),
            hole(Int, 5, 7), -hole(Int), hole(Int).__abs__(),
        )  # fmt: skip

    constants = symbolics(execute(literals).value)
    values: list[Any] = [-3, True, bv(200, 8), Fraction(-1, 3), float("-inf"), "a'b\n", 9, -4, -5]
    model = Model(dict(zip(constants, values, strict=True)))
    text = complete(model, literals)
    namespace = dict(globals())
    exec(text, namespace)
    found = namespace["literals"]()
    assert found == (-3, True, bv(200, 8), Fraction(-1, 3), float("-inf"), "a'b\n", 5, 4, 5)
    assert [type(value) for value in found[:6]] == [type(value) for value in values[:6]]
    del namespace["bv"], namespace["Fraction"]
    text = complete(model, lift(literals)).replace("\n", " ")
    assert "bv(200, 8), Fraction(-1, 3), float(" in text


def test_literals_where_their_names_are_not_known():
    text = (
        "from solvent import BitVec, Real\nfrom solvent.sketch import hole\nx = hole(BitVec(8))\n"
    )
    text += "y = hole(Real) * 2\n"
    model = Model({BitVec(8)("hole@lit.py:3:4"): bv(7, 8), Real("hole@lit.py:4:4"): Fraction(1, 3)})
    completed = complete_source(model, text, "lit.py")
    assert completed.endswith("x = BitVec(8).require(7)\ny = (Real.require(1) / 3) * 2\n")
    namespace: dict[str, Any] = {}
    exec(completed, namespace)
    assert (namespace["x"], namespace["y"]) == (bv(7, 8), Fraction(2, 3))


def test_holes_that_were_never_made_have_default_values():
    def never(x):
        return hole(Int), hole(BitVec(4)), hole(Int, 3, 5), hole(Int, low=-5, high=-3), hole(Str)

    assert body(complete(Model(), never)) == "return 0, bv(0, 4), 3, -5, ''"

    def depends(sort):
        return hole(sort)

    with pytest.raises(SketchError, match="this hole was never made, and its sort is not known"):
        complete(Model(), depends)
    depends(Int)
    assert body(complete(Model(), depends)) == "return 0"
    depends(Str)
    with pytest.raises(SketchError, match="with different sorts or bounds"):
        complete(Model(), depends)


def test_what_is_chosen_anew_each_time_is_completed_if_it_is_always_the_same():
    def each(n):
        return [choose_each(1, 2) + hole_each(Int) for _ in range(n)]

    constants = symbolics(execute(each, 2).value)
    always = Model({c: 7 if c.sort is Int else True for c in constants})
    assert body(complete(always, each)) == "return [2 + 7 for _ in range(n)]"
    differs = Model({c: c.name.endswith("#1.0") for c in constants if c.sort is Bool})
    with pytest.raises(SketchError, match="this choose_each is not the same each time"):
        complete(differs, each)


# --- grammars ----------------------------------------------------------------------------------


@grammar(depth=1)
def expr(x, y=2):
    """An expression."""
    return choose(x, y, hole(Int), expr(x, y) - expr(y, x), -expr(x + 1))


def uses(a, b):
    return expr(a, b) * 2 + expr(b)


def test_grammar_calls_become_expressions():
    check_agreement_of_samples(uses, [(1, 2), (5, -3), (0, 0)])


def arguments(a, b):
    return expr(y=a + b, x=a), expr(a // b, 1), expr(*[a, b]), expr(count(a), b)


def count(x):
    count.calls += 1
    return x


count.calls = 0


def test_arguments_are_evaluated_as_in_a_call():
    check_agreement_of_samples(arguments, [(1, 2), (5, -3), (4, 0)])


def check_agreement_of_samples(function: Any, domain: list[Any], samples: int = 60) -> None:
    """Compare completed source with the sketch in CPython for some models."""
    chosen = random.Random(7)
    constants = symbolics([(found.value, found.asserts) for found in (
        execute(function, *args) for args in domain
    )])  # fmt: skip
    texts = set()
    for _ in range(samples):
        values = {c: chosen.choice([False, True]) if c.sort is Bool else chosen.randint(-2, 3)
                  for c in constants}  # fmt: skip
        model = Model(values)
        text = complete(model, function)
        texts.add(text)
        namespace = dict(function.__globals__)
        exec(compile(text, "<completed>", "exec"), namespace)
        for args in domain:
            results = []
            for run in (function, namespace[function.__name__]):
                count.calls = 0
                with constants_are(values_under(model)):
                    try:
                        results.append((run(*args), count.calls))
                    except ZeroDivisionError as error:
                        results.append((str(error), count.calls))
            assert results[0] == results[1], text
    assert len(texts) > samples // 3


def test_what_is_substituted():
    def simple(a, b):
        return expr(a, b)

    constants = [c for c in symbolics(simple(Int("a"), Int("b"))) if c.sort is Bool]
    root = [c for c in constants if "/" not in c.name]
    rest = [c for c in constants if "/" in c.name]
    texts = set()
    for option, bits in itertools.product(range(5), itertools.product([False, True], repeat=4)):
        values = {c: n < option for n, c in enumerate(root)} | dict(zip(rest, bits, strict=True))
        texts.add(body(complete(Model(values), simple)))
    inner = {f"{u} - {v}" for u in ("a", "b", "0") for v in ("b", "a", "0")}
    negated = {"-(a + 1)", "-2", "-0"}
    assert texts == {f"return {text}" for text in {"a", "b", "0"} | inner | negated}


def test_grammars_with_inner_names_are_called():
    @grammar(depth=0)
    def total(k):
        return choose(sum(k for i in range(3)), sum(i for k in range(3) for i in [k]))

    def caller(i):
        return total(i)

    model = Model()
    caller(5)
    assert body(complete(model, caller)) == "return (lambda k: sum((k for i in range(3))))(i)"
    check_agreement(caller, [(5,)])


def test_names_that_mean_something_else_at_the_call_are_refused():
    def caller(x, count):
        return counted(x)

    with pytest.raises(SketchError, match="the grammar `counted` uses the name `count`, which"):
        complete(Model(), caller)


@grammar(depth=0)
def counted(x):
    return choose(count(x), x)


def test_what_cannot_be_completed():
    @grammar(depth=0)
    def steps(x):
        y = x
        return y

    def caller(x):
        return steps(x)

    caller(1)
    with pytest.raises(SketchError, match="`steps` does more than return an expression"):
        complete(Model(), caller)
    with pytest.raises(SketchError, match="complete a function that calls it"):
        complete(Model(), steps)
    with pytest.raises(SketchError, match="there is no model to complete a sketch with in None"):
        complete(None, caller)
    with pytest.raises(SketchError, match="3 is neither a function nor a class nor a module"):
        complete(Model(), 3)

    @grammar(depth=0)
    def adds(x, y=hole(Int)):  # noqa: B008
        return choose(x, x + y)

    def adding(x):
        return adds(x)

    adding(1)
    with pytest.raises(SketchError, match="`adds` has a default that is no literal"):
        complete(Model(), adding)

    def starred(xs):
        return choose(*xs)

    with pytest.raises(SketchError, match="the options of this choose are not in the source"):
        complete(Model(), starred)
    namespace: dict[str, Any] = {}
    exec("def made(): pass", namespace)
    with pytest.raises(SketchError, match="the source of `made` is not available"):
        complete(Model(), namespace["made"])


def test_f_strings():
    def text(x):
        return f"""
    {choose(x, 1)} and {choose("a", "b")}
    {hole(Int):>{choose(3, 4)}}"""

    completed = complete(Model(), text)
    assert completed.endswith('{x} and {"a"}\n    {0:>{3}}"""')
    namespace: dict[str, Any] = {}
    exec(completed, namespace)
    assert namespace["text"](5) == "\n    5 and a\n      0"


def test_a_result_is_as_good_as_its_model():
    def check(x):
        assert choose(x, x + x, x * x) == x * 2

    result = synthesize(check, Int("x"))
    assert complete(result, check) == "def check(x):\n    assert x + x == x * 2"
    assert complete(SimpleNamespace(model=result.model), check) == complete(result, check)


# --- modules -----------------------------------------------------------------------------------


def words():
    return [w for n in range(4) for w in itertools.product("car", repeat=n)]


def is_right(word):
    assert sample_sketch.accepts(word) == (
        len(word) > 2 and word[0] == "c" and word[-1] == "r" and set(word[1:-1]) == {"a"}
    )


def test_a_module_with_a_sketch_at_its_top():
    def all_right():
        for word in words():
            is_right(word)

    result = solvent.solve(all_right)
    assert result.model is not None
    text = complete(result, sample_sketch)
    source = Path(sample_sketch.__file__).read_text()
    assert text == complete_source(result, source, sample_sketch.__file__)
    assert '    "init": {"c": "s1"},  # the first letter\n' in text
    assert "@grammar" not in text
    assert "Not in the completed module" not in text
    assert "choose(" not in text
    assert 'text = """\n    kept as it is\n"""\n' in text
    completed: dict[str, Any] = {"__name__": "completed"}
    exec(compile(text, "completed.py", "exec"), completed)
    for word in words():
        expected = "".join(word).startswith("ca") and set(word[1:-1]) == {"a"} and word[-1] == "r"
        assert completed["accepts"](word) == (expected and len(word) > 2)
    assert completed["unused"](3) == 3
    assert completed["unused"](-3) == (0, bv(0, 8), 3)


def test_classes_of_a_module():
    shape = sample_sketch.Shape
    outcome = execute(lambda x: shape().area(x), 3)
    constants = symbolics(outcome.value)
    for number, model in enumerate(models(constants)):
        if number % 5:
            continue
        namespace = dict(vars(sample_sketch))
        namespace["LIMIT"] = evaluate(sample_sketch.LIMIT, model)
        text = complete(model, shape)
        assert "grammar" not in text
        exec(text, namespace)
        assert namespace["Shape"]().area(3) == evaluate(outcome.value, model)


def test_a_grammar_that_is_still_used_stays(tmp_path):
    text = (
        "from solvent.sketch import choose, grammar\n\n"
        "@grammar(depth=0)\ndef one(x):\n    return choose(x, 1)\n\n\n"
        "@grammar(depth=0)\ndef two(x):\n    return choose(x, 2)\n\n\n"
        "again = two\nvalue = one(5), two(6)\n"
    )
    path = tmp_path / "stays.py"
    path.write_text(text)
    namespace: dict[str, Any] = {}
    linecache.checkcache()
    exec(compile(text, str(path), "exec"), namespace)
    completed = complete_source(Model(), text, str(path))
    assert completed == text.replace(text[text.index("@") : text.index("@", 60)], "").replace(
        "one(5), two(6)", "5, 6"
    )
