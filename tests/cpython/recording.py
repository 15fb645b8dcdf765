"""Cases from CPython's tests: what their methods call, with which plain values.

The modules of tests are compiled from their source with each call, operator, subscript and f-string
replaced by a call of a recorder that notes it and then does it.  Where an object is not plain but
was made by a noted call, such as a pattern, a match or a date, its recipe is part of later cases.
So a case is always an expression of plain values, whose truth CPython can be asked for again.

`python -m tests.cpython.recording FILE [NAME...]` writes the cases of some modules to a file.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import itertools
import operator
import os
import pickle
import random
import re
import signal
import sys
import tempfile
import time
import unittest
import warnings
from collections.abc import Callable, Iterator
from types import (
    BuiltinFunctionType,
    CodeType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, NamedTuple

from tests.cpython.cases import MODULES, Case, copied, is_plain, size

# Modules of tests by their names in some version; a name that is not there is left out.
TESTS = (
    "test_str", "test_unicode", "test_bytes", "test_re", "test_format", "test_fstring", "test_int",
    "test_long", "test_float", "test_types", "test_builtin", "test_contains", "test_string",
    "test_strtod", "test_json", "test_datetime", "test_strptime", "test_fractions",
    "test_statistics", "test_textwrap", "test_shlex", "test_calendar", "test_bisect", "test_heapq",
    "test_difflib", "test_struct", "test_base64", "test_binascii",
)  # fmt: skip

# Larger values than this say nothing new and are slow to print.
LARGEST = 200
# How many cases one place in one test may give, of one function.
SHARE = {"re": 400, "format": 300}
USUAL_SHARE = 80
# How often one place in one test is looked at.
VISITS = 1500
# Processor time for one test, and for one module after which tests have less, in seconds.
TEST_LIMIT, MODULE_LIMIT, LEAST = 3.0, 20.0, 0.2

TYPES = {kind.__name__: kind for kind in (str, bytes, bytearray, int, float, bool)}
_FUNCTIONS = """
len ord chr repr ascii format hex oct bin abs divmod pow round sum min max sorted any all
list tuple dict reversed enumerate zip
"""
FUNCTIONS = {getattr(builtins, name): name for name in _FUNCTIONS.split()}
# What depends on more than its arguments, or has effects.
_IMPURE = """
now today utcnow fromtimestamp utcfromtimestamp timestamp astimezone ctime localtime mktime
setfirstweekday seed template purge load dump main prmonth pryear prweek fromfile
make_file make_table unpack_from pack_into
"""
IMPURE = frozenset(_IMPURE.split())
# Which arguments of a function are templates, not data.
TEMPLATES = {
    "format": {1}, "__format__": {1}, "encode": {1, 2}, "decode": {1, 2}, "str": {1, 2},
    "bytes": {1, 2}, "bytearray": {1, 2}, "strftime": {1}, "strptime": {1, 2}, "int": {1},
}  # fmt: skip

OPERATORS: dict[type[ast.AST], tuple[str, Callable[..., Any]]] = {
    ast.Add: ("+", operator.add), ast.Sub: ("-", operator.sub), ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv), ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod), ast.Pow: ("**", operator.pow), ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_), ast.BitXor: ("^", operator.xor),
    ast.LShift: ("<<", operator.lshift), ast.RShift: (">>", operator.rshift),
    ast.Eq: ("==", operator.eq), ast.NotEq: ("!=", operator.ne), ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le), ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge),
    ast.In: ("in", lambda item, owner: item in owner),
    ast.NotIn: ("not in", lambda item, owner: item not in owner),
}  # fmt: skip
UNARY: dict[type[ast.AST], tuple[str, Callable[..., Any]]] = {
    ast.USub: ("-", operator.neg), ast.Invert: ("~", operator.invert),
}  # fmt: skip
SYMBOLS = dict(OPERATORS.values())


class Recipe(NamedTuple):
    """An expression in which `@` stands for each of the values, in their order."""

    source: str
    values: tuple[Any, ...] = ()
    fixed: frozenset[int] = frozenset()
    area: str = ""


def joined(template: str, *parts: Recipe) -> Recipe:
    """The expressions put into a template, whose places for them are marked by `@`."""
    texts = template.split("@")
    source, values, fixed = texts[0], [], set()
    for part, text in zip(parts, texts[1:], strict=True):
        fixed.update(len(values) + place for place in part.fixed)
        values.extend(part.values)
        source += part.source + text
    return Recipe(source, tuple(values), frozenset(fixed))


# --- what an expression does ----------------------------------------------------------------------


class Recorder:
    """Notes cases; the instrumented modules call its methods."""

    def __init__(self) -> None:
        self.test = ""
        self.found: dict[tuple[str, str, str], tuple[list[int], list[Case]]] = {}
        self.known: set[str] = set()
        # The objects that are not plain, with the calls that made them; kept alive beside it.
        self.made: dict[int, tuple[Any, Recipe]] = {}
        self.visits: dict[tuple[str, str], int] = {}
        self.quiet = False

    def cases(self) -> list[Case]:
        return [case for _, kept in self.found.values() for case in kept]

    # --- doing and noting ---

    def call(self, site: str, function: Any, /, *args: Any, **named: Any) -> Any:
        if self.quiet:
            return function(*args, **named)
        if getattr(function, "__name__", "") in ("assertRaises", "assertRaisesRegex"):
            # The callable is among the arguments, and is called by the library.
            args = tuple(self._watched(site, a) if _is_callable(a) else a for a in args)
            return function(*args, **named)
        return self.noted(
            site, lambda: self.call_recipe(function, args, named), function, args, named
        )

    def _watched(self, site: str, function: Any) -> Callable[..., Any]:
        return lambda *args, **named: self.call(site, function, *args, **named)

    def operate(self, site: str, symbol: str, *operands: Any) -> Any:
        return self.noted(
            site, lambda: self.operator_recipe(symbol, operands), SYMBOLS[symbol], operands, {}
        )

    def negate(self, site: str, symbol: str, operand: Any) -> Any:
        function = operator.neg if symbol == "-" else operator.invert
        return self.noted(
            site, lambda: self.unary_recipe(symbol, operand), function, (operand,), {}
        )

    def item(self, site: str, owner: Any, key: Any) -> Any:
        return self.noted(
            site, lambda: self.item_recipe(owner, key), operator.getitem, (owner, key), {}
        )

    def template(self, site: str, source: str, *values: Any) -> Any:
        function = eval(f"lambda {', '.join(f'v{n}' for n in range(len(values)))}: {source}")
        return self.noted(site, lambda: self.template_recipe(source, values), function, values, {})

    def noted(
        self, site: str, recipe_of: Callable[[], Recipe | None],
        function: Any, args: tuple[Any, ...], named: dict[str, Any],
    ) -> Any:  # fmt: skip
        if self.quiet or not self.test:
            return function(*args, **named)
        visits = self.visits[self.test, site] = self.visits.get((self.test, site), 0) + 1
        if visits > VISITS:
            return function(*args, **named)
        self.quiet = True
        try:
            recipe = recipe_of()
        finally:
            self.quiet = False
        if recipe is None:
            return function(*args, **named)
        # A call that ends in an exception is a case too.
        result, returned = None, False
        try:
            result = function(*args, **named)
            returned = True
            return result
        finally:
            self.quiet = True
            try:
                self.note(site, recipe, result, returned)
            finally:
                self.quiet = False

    def note(self, site: str, recipe: Recipe, result: Any, returned: bool) -> None:
        source = recipe.source
        kind = type(result)
        if kind.__module__ in MODULES or kind.__module__ == "_datetime":
            self.made[id(result)] = (result, recipe)
        if kind.__name__ == "Match":
            source = f"shown({source})"
        elif kind.__name__ == "callable_iterator":
            source = f"[shown(m) for m in {source}]"
        elif hasattr(kind, "__next__"):
            source = f"list({source})"
        elif recipe.area == "re" and result is None and _MATCHES.search(source):
            source = f"shown({source})"
        elif kind.__module__ in ("re", "shlex", "textwrap", "string", "difflib"):
            # An object without a text of its own.
            return
        elif returned and not (is_plain(result) or kind.__module__ in MODULES):
            return
        if returned and is_plain(result) and size(result) > 5 * LARGEST:
            return
        self.keep(site, Case(recipe.area, self.test, _named(source), recipe.values, recipe.fixed))

    def keep(self, site: str, case: Case) -> None:
        """Keep a case, or one out of many from the same place, drawn evenly."""
        shown = f"{case.source} {case.values!r}"
        if shown in self.known:
            return
        self.known.add(shown)
        seen, kept = self.found.setdefault((case.test, site, case.source), ([0], []))
        seen[0] += 1
        share = SHARE.get(case.area, USUAL_SHARE)
        if len(kept) < share:
            kept.append(case)
        else:
            place = random.Random(f"{case.test}{site}{seen[0]}").randrange(seen[0])
            if place < share:
                kept[place] = case

    # --- recipes ---

    def of(self, value: Any) -> Recipe | None:
        """The expression of a value."""
        known = self.made.get(id(value))
        if known is not None:
            return known[1]
        kind = type(value)
        if is_plain(value):
            return Recipe("@", (copied(value),)) if size(value) <= LARGEST else None
        if kind.__module__ in ("re", "enum") and isinstance(value, int):
            return Recipe(f"{int(value)}")
        if kind is slice:
            parts = [self.of(part) for part in (value.start, value.stop, value.step)]
            return _all("slice(@, @, @)", parts)
        name = self.function_name(value)
        return None if name is None else Recipe(name[1])

    def function_name(self, function: Any) -> tuple[str, str] | None:
        """The area and the name of a function or class that can be named."""
        if isinstance(function, type) and TYPES.get(function.__name__) is function:
            return _AREA_OF_TYPE[function], function.__name__
        with contextlib.suppress(TypeError):
            if function in FUNCTIONS:
                return "builtins", FUNCTIONS[function]
        if isinstance(function, (MethodDescriptorType, WrapperDescriptorType)):
            owner = function.__objclass__
            if TYPES.get(owner.__name__) is owner:
                return _AREA_OF_TYPE[owner], f"{owner.__name__}.{function.__name__}"
            return None
        return _name_in_module(function)

    def call_recipe(
        self, function: Any, args: tuple[Any, ...], named: dict[str, Any]
    ) -> Recipe | None:
        head = self.head(function)
        name = getattr(function, "__name__", "")
        if head is None or name in IMPURE:
            return None
        parts = [self.of(value) for value in (*args, *named.values())]
        shape = ", ".join(["@"] * len(args) + [f"{key}=@" for key in named if key.isidentifier()])
        if head.area == "builtins":
            if not args or all(type(a) in (list, tuple, dict) for a in args):
                return None
            area = _AREA_OF_TYPE.get(type(args[0]))
            owner = self.made.get(id(args[0]))
            area = owner[1].area if owner is not None else area
            if area is None:
                return None
            head = head._replace(area="format" if name == "format" else area)
        found = _all(f"@({shape})", [head, *parts])
        if found is None or shape.count("@") != len(parts):
            return None
        area = "format" if name in ("format", "format_map", "__format__", "__mod__") else head.area
        return found._replace(area=area, fixed=found.fixed | self.templates(head, name, parts))

    def templates(self, head: Recipe, name: str, parts: list[Any]) -> frozenset[int]:
        """Which values are templates."""
        count = len(head.values)
        if head.area == "re":
            # A regular expression, and its flags; texts of patterns are in the recipe of the head.
            return frozenset(range(max(count, 1))) if not count else head.fixed
        if name in ("format", "format_map", "__mod__") and count:
            return frozenset({0})
        if head.area == "struct":
            return frozenset({0})
        places, fixed = TEMPLATES.get(name, set()), set()
        for number, part in enumerate(parts):
            if number + (1 if head.source.startswith("@") else 0) in places:
                fixed.update(range(count, count + len(part.values)))
            count += len(part.values)
        return frozenset(fixed)

    def head(self, function: Any) -> Recipe | None:
        """The expression of what is called."""
        name = self.function_name(function)
        if name is not None:
            return Recipe(name[1], area=name[0])
        if not isinstance(function, (BuiltinFunctionType, MethodWrapperType, MethodType)):
            return None
        owner, method = function.__self__, function.__name__
        if method.startswith("_") and method not in _SPECIAL:
            return None
        if isinstance(owner, type):
            found = self.function_name(owner)
            if found is None:
                return None
            return Recipe(f"{found[1]}.{method}", area=found[0])
        recipe = self.made[id(owner)][1] if id(owner) in self.made else None
        area = recipe.area if recipe is not None else _AREA_OF_TYPE.get(type(owner), "")
        recipe = recipe or self.of(owner)
        if recipe is None or not area:
            return None
        return joined(f"@.{method}", recipe)._replace(area=area)

    def operator_recipe(self, symbol: str, operands: tuple[Any, ...]) -> Recipe | None:
        recipes = [self.of(value) for value in operands]
        found = _all(f"(@ {symbol} @)", recipes)
        owner = operands[1] if symbol.endswith("in") else operands[0]
        area = self.area_of(owner) or self.area_of(operands[-1])
        if found is None or not area:
            return None
        if symbol == "%" and type(owner) in (str, bytes, bytearray):
            return found._replace(area="format", fixed=frozenset({0}))
        return found._replace(area=area)

    def unary_recipe(self, symbol: str, operand: Any) -> Recipe | None:
        found, area = _all(f"({symbol}@)", [self.of(operand)]), self.area_of(operand)
        return None if found is None or not area else found._replace(area=area)

    def item_recipe(self, owner: Any, key: Any) -> Recipe | None:
        area = self.area_of(owner)
        if not area or isinstance(owner, type):
            return None
        if type(key) is slice:
            parts = [self.of(owner), *(self.of(p) for p in (key.start, key.stop, key.step))]
            found = _all("@[@:@:@]", parts)
        else:
            found = _all("@[@]", [self.of(owner), self.of(key)])
        return None if found is None else found._replace(area=area)

    def template_recipe(self, source: str, values: tuple[Any, ...]) -> Recipe | None:
        if not all(is_plain(value) and size(value) <= LARGEST for value in values):
            return None
        for place in range(len(values)):
            source = source.replace(f"v{place}__", "@")
        # The values are met in their order.
        return Recipe(source, tuple(map(copied, values)), area="format")

    def area_of(self, value: Any) -> str:
        known = self.made.get(id(value))
        return known[1].area if known is not None else _AREA_OF_TYPE.get(type(value), "")


_AREA_OF_TYPE: dict[type, str] = {
    str: "str", bytes: "bytes", bytearray: "bytearray", int: "int", bool: "int", float: "float",
}  # fmt: skip
_METHODS = """
__contains__ __getitem__ __mul__ __rmul__ __add__ __mod__ __format__ __len__ __eq__ __ne__
__lt__ __le__ __gt__ __ge__ __repr__ __str__ __round__ __floor__ __ceil__ __trunc__
__iadd__ __imul__
"""
_SPECIAL = frozenset(_METHODS.split())
_ABSENT = object()
_MATCHES = re.compile(r"\.(match|search|fullmatch)\([^()]*\)$")


def _is_callable(value: Any) -> bool:
    return callable(value) and not (isinstance(value, type) and issubclass(value, BaseException))


def _all(template: str, parts: list[Recipe | None]) -> Recipe | None:
    """The parts in a template, if all are there and the whole is not too large."""
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return None
    whole = joined(template, *found)
    return whole if len(whole.values) <= 10 and len(whole.source) <= 300 else None


def _named(source: str) -> str:
    """The expression with names for its values."""
    numbers = itertools.count()
    return "".join(f"v{next(numbers)}" if c == "@" else c for c in source)


def _name_in_module(function: Any) -> tuple[str, str] | None:
    """The public name of a function or class of one of the modules."""
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", "")
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    module = module.split(".")[0].lstrip("_").removeprefix("py")
    if module not in MODULES or any(part.startswith("_") for part in name.split(".")):
        return None
    found: Any = MODULES[module]
    if isinstance(function, MethodType) and not isinstance(function.__self__, type):
        return None
    if type(getattr(function, "__self__", None)) not in (type(None), ModuleType, type):
        return None
    for part in name.split("."):
        found = getattr(found, part, _ABSENT)
    if found is _ABSENT or name.split(".")[-1] in IMPURE:
        return None
    return module, f"{module}.{name}"


# --- modules with a recorder in them --------------------------------------------------------------

# What looks at the frame that calls it.
_FRAMES = frozenset(("super", "locals", "globals", "vars", "dir", "eval", "exec"))
RECORDER = "__recorder__"


class Instrument(ast.NodeTransformer):
    """Calls, operators, subscripts and f-strings become calls of the recorder."""

    def record(self, node: ast.expr, method: str, *args: ast.expr, **more: Any) -> ast.Call:
        function = ast.Attribute(ast.Name(RECORDER, ast.Load()), method, ast.Load())
        site = ast.Constant(f"{node.lineno}:{node.col_offset}")
        return ast.Call(function, [site, *args], more.get("keywords", []))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _FRAMES:
            return node
        return self.record(node, "call", node.func, *node.args, keywords=node.keywords)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) not in OPERATORS:
            return node
        symbol = ast.Constant(OPERATORS[type(node.op)][0])
        return self.record(node, "operate", symbol, node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) > 1 or type(node.ops[0]) not in OPERATORS:
            return node
        symbol = ast.Constant(OPERATORS[type(node.ops[0])][0])
        return self.record(node, "operate", symbol, node.left, node.comparators[0])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) not in UNARY:
            return node
        return self.record(node, "negate", ast.Constant(UNARY[type(node.op)][0]), node.operand)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        key: ast.expr = node.slice
        if isinstance(key, ast.Slice):
            bounds = [part or ast.Constant(None) for part in (key.lower, key.upper, key.step)]
            key = ast.Call(ast.Name("slice", ast.Load()), bounds, [])
        return self.record(node, "item", node.value, key)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        template = _Template()
        source = ast.unparse(ast.fix_missing_locations(template.visit(node)))
        if not template.values or template.strange:
            return node
        values = [self.visit(value) for value in template.values]
        return self.record(node, "template", ast.Constant(source), *values)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        node.cases = [self._case(case) for case in node.cases]
        return node

    def _case(self, case: ast.match_case) -> ast.match_case:
        case.body = [self.visit(line) for line in case.body]
        return case


class _Template(ast.NodeTransformer):
    """Takes the values out of an f-string."""

    def __init__(self) -> None:
        self.values: list[ast.expr] = []
        self.strange = False

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.JoinedStr([self.visit(part) for part in node.values])

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        name = ast.Name(f"v{len(self.values)}__", ast.Load())
        self.values.append(node.value)
        inner = (ast.NamedExpr, ast.Yield, ast.Await, ast.Lambda)
        self.strange |= any(isinstance(found, inner) for found in ast.walk(node.value))
        spec = self.visit(node.format_spec) if node.format_spec else None
        return ast.FormattedValue(name, node.conversion, spec)


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from its source, with the recorder in it."""

    recorder: Recorder

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:
        tree = ast.fix_missing_locations(Instrument().visit(ast.parse(data)))
        return compile(tree, path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__[RECORDER] = self.recorder
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of tests and what they share."""

    def __init__(self, recorder: Recorder) -> None:
        self.loader = type("RecordingLoader", (Loader,), {"recorder": recorder})

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        last = name.rpartition(".")[2]
        if not name.startswith("test.") or not (
            last.startswith("test_") or last in _SHARED or name.startswith("test.test_json")
        ):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = self.loader(name, spec.loader.path)
        return spec


_SHARED = frozenset(("string_tests", "re_tests", "seq_tests", "list_tests", "datetimetester"))


# --- running the tests ----------------------------------------------------------------------------


class TookTooLong(BaseException):
    """A test that is stopped."""


def _stop(*_: Any) -> None:
    raise TookTooLong


def tests_in(suite: Any) -> Iterator[unittest.TestCase]:
    """The single tests of a suite."""
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from tests_in(part)
        else:
            yield part


class Result(unittest.TestResult):
    """Tells the recorder which test runs, and limits its time."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder
        self.end = 0.0

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        module, _, rest = test.id().removeprefix("test.").partition(".")
        self.recorder.test = f"{module}.{rest}"
        random.seed(test.id())
        left = self.end - time.process_time()
        if left < -MODULE_LIMIT:
            self.stop()
        limit = max(LEAST, min(TEST_LIMIT, left))
        # Again and again, for a test that goes on after an exception.
        signal.setitimer(signal.ITIMER_VIRTUAL, limit, limit)

    def stopTest(self, test: unittest.TestCase) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.recorder.test = ""
        super().stopTest(test)


def available() -> bool:
    """Whether the running Python has its tests."""
    return importlib.util.find_spec("test.string_tests") is not None


def record(names: list[str]) -> list[Case]:
    """The cases of tests with names such as `test_re` or `test_re.ReTests.test_group`."""
    recorder = Recorder()
    sys.meta_path.insert(0, Finder(recorder))
    signal.signal(signal.SIGVTALRM, _stop)
    result = Result(recorder)
    for name in names:
        module = name.partition(".")[0]
        if importlib.util.find_spec(f"test.{module}") is None:
            continue
        every = unittest.defaultTestLoader.loadTestsFromName(f"test.{name}")
        # Those of time zones read the machine's files for hours.
        suite = unittest.TestSuite(t for t in tests_in(every) if "ZoneInfo" not in t.id())
        result.shouldStop = False
        result.end = time.process_time() + MODULE_LIMIT
        suite.run(result)
        recorder.made.clear()
    return recorder.cases()


def main(path: str, *names: str) -> None:
    warnings.simplefilter("ignore")
    found: list[Case] = []
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        here = os.getcwd()
        os.chdir(folder)
        stack.callback(os.chdir, here)
        for stream in (contextlib.redirect_stdout, contextlib.redirect_stderr):
            stack.enter_context(stream(io.StringIO()))
        found = record(list(names) or list(TESTS))
    with open(path, "wb") as file:
        pickle.dump(found, file)


if __name__ == "__main__":
    # Under its own name, so that the cases can be read elsewhere.
    from tests.cpython.recording import main as imported_main

    imported_main(*sys.argv[1:])
