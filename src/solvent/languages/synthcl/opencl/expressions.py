"""Expressions of kernels in OpenCL C."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from solvent.languages.synthcl import memory, runtime, types
from solvent.languages.synthcl.opencl import code as c
from solvent.languages.synthcl.opencl.code import Code, Number, TranslationError, UnplacedError
from solvent.languages.synthcl.opencl.flow import GEOMETRY, Flow, is_one
from solvent.languages.synthcl.opencl.helpers import helper
from solvent.languages.synthcl.runtime import ParameterType, PointerType
from solvent.languages.synthcl.types import Scalar, Type, VectorType, bool_, float_, int_
from solvent.vm.values import Value

RING = {ast.Add: ("+", c.SUM), ast.Sub: ("-", c.SUM), ast.Mult: ("*", c.PRODUCT)}
BITWISE = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
SHIFTS = {ast.LShift: "<<", ast.RShift: ">>"}
FLOORED = {ast.FloorDiv: ("/", "floor_div"), ast.Mod: ("%", "floor_mod")}
COMPARISONS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
DIMENSIONS = 3


class Local:
    """What a name means that is a variable of the function."""


LOCAL = Local()


@dataclass(slots=True)
class Variable:
    """A variable of the function, as C has it."""

    name: str
    type: ParameterType
    unsigned: bool = False


@dataclass(slots=True)
class Called:
    """Another function that a kernel calls, as C has it."""

    name: str
    parameters: list[Variable]
    returns: Any
    # Whether it writes memory, so that the order of calls matters.
    writes: bool


@dataclass
class Scope:
    """What a function is translated with."""

    function: FunctionType
    where: Callable[[ast.AST], str]
    # Translates another function first.
    call: Callable[[FunctionType, ast.AST, Scope], Called]
    # Notes a helper, or a constant, that the program needs.
    need: Callable[[str, str], str]
    constant: Callable[[str, Number], str]
    # Whether the function is a kernel.
    is_kernel: bool = False
    # What its result is.
    returns: ParameterType | None = None
    variables: dict[str, Variable] = field(default_factory=dict)
    locals: set[str] = field(default_factory=set)
    flow: Flow = field(init=False)
    writes: bool = False

    def resolve(self, node: ast.expr) -> Value:
        """The object that a name means outside of the function, `LOCAL` or `None`."""
        if isinstance(node, ast.Attribute):
            of = self.resolve(node.value)
            return getattr(of, node.attr, None) if isinstance(of, ModuleType) else None
        if not isinstance(node, ast.Name):
            return None
        if node.id in self.locals:
            return LOCAL
        namespace = namespace_of(self.function)
        return namespace.get(node.id, getattr(builtins, node.id, None))


def namespace_of(function: FunctionType) -> dict[str, object]:
    """All names that a function sees from outside."""
    found = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return found


class Expressions:
    """Translates expressions."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        # The call that is a statement, or all that a statement assigns.
        self.outermost: ast.AST | None = None

    def refuse(self, node: ast.AST, sentence: str) -> NoReturn:
        """Raise an error that says where and why."""
        raise TranslationError(f"{self.scope.where(node)}: {sentence}")

    def expression(self, node: ast.expr) -> Code:
        """An expression in C."""
        method = getattr(self, f"_{node.__class__.__name__.lower()}", None)
        if method is None:
            self.refuse(node, f"`{ast.unparse(node)}` has no translation to OpenCL")
        try:
            found: Code = method(node)
        except UnplacedError as error:
            self.refuse(node, str(error))
        return found

    def value(self, node: ast.expr) -> Code:
        """An expression that is a number, a truth value or a vector."""
        found = self.expression(node)
        if not isinstance(found.type, (Scalar, VectorType)):
            what = "a pointer" if isinstance(found.type, PointerType) else "nothing"
            self.refuse(node, f"`{ast.unparse(node)}` is {what}, but a value is needed")
        return found

    def scalar(self, node: ast.expr, why: str) -> Code:
        """An expression that is no vector."""
        found = self.value(node)
        if found.is_vector:
            self.refuse(node, f"`{ast.unparse(node)}` is a vector, but {why}")
        return found

    def integer(self, node: ast.expr, what: str) -> Code:
        """An expression that is a signed int."""
        found = self.scalar(node, f"{what} is an int")
        if found.type is float_:
            self.refuse(node, f"`{ast.unparse(node)}` is a float, but {what} is an int")
        return c.signed(found)

    def truth(self, node: ast.expr) -> Code:
        """An expression as a condition."""
        match node:
            case ast.BoolOp(op=op, values=values):
                return self._joined(op, [self.truth(value) for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Code(f"!{self.truth(operand).inside(c.UNARY)}", bool_, c.UNARY)
        return self.scalar(node, "a condition is true or false; use all_(...) or any_(...)")

    # --- names and literals ----------------------------------------------------------------------

    def _constant(self, node: ast.Constant) -> Code:
        if not isinstance(node.value, (bool, int, float)):
            self.refuse(node, f"{node.value!r} is no value in OpenCL")
        return c.literal(node.value)

    def _name(self, node: ast.Name) -> Code:
        variable = self.scope.variables.get(node.id)
        if variable is not None:
            return Code(variable.name, variable.type, unsigned=variable.unsigned)
        if node.id in self.scope.locals:
            self.refuse(node, f"{node.id} is used before it has a type; annotate it")
        found = self.scope.resolve(node)
        if isinstance(found, (bool, int, float)):
            literal = c.literal(found)
            name = self.scope.constant(node.id, found)
            return replace(literal, text=name, rank=c.ATOM, literal=None)
        self.refuse(node, f"{node.id} is {found!r}, which a kernel in OpenCL cannot use")

    # --- operators -------------------------------------------------------------------------------

    def _binop(self, node: ast.BinOp) -> Code:
        return self.binary(node, self.expression(node.left), self.expression(node.right))

    def binary(self, node: ast.BinOp, a: Code, b: Code) -> Code:
        """The operation of a node on two values."""
        if isinstance(a.type, PointerType) and isinstance(node.op, (ast.Add, ast.Sub)):
            index = self.integer(node.right, "what is added to a pointer")
            return Code(f"{a.inside(c.SUM)} {RING[type(node.op)][0]} {index.inside(c.PRODUCT)}",
                        a.type, c.SUM)  # fmt: skip
        for part, found in ((node.left, a), (node.right, b)):
            if not isinstance(found.type, (Scalar, VectorType)):
                self.refuse(part, f"`{ast.unparse(part)}` is no value to compute with")
        kind = type(node.op)
        if kind in RING:
            return self._ring(node, *RING[kind], a, b)
        if kind in BITWISE:
            return self._bitwise(node, BITWISE[kind], a, b)
        if kind in SHIFTS:
            return self._shift(node, SHIFTS[kind], a, b)
        if kind in FLOORED:
            return self._floored(node, *FLOORED[kind], a, b)
        if kind is ast.Div:
            return self._divided(node, a, b)
        self.refuse(node, f"`{ast.unparse(node)}`: OpenCL has no such operator")

    def _together(self, node: ast.AST, a: Code, b: Code) -> tuple[Code, Code, Type]:
        """Two operands as numbers of one base, and the type of the result."""
        width = self._width(node, a, b)
        base = float_ if float_ in (a.type.base, b.type.base) else int_
        if base is float_ or width > 1:
            a, b = c.convert(a, base), c.convert(b, base)
        return a, b, c.shaped(base, width)

    def _width(self, node: ast.AST, *codes: Code) -> int:
        widths = {code.type.width for code in codes} - {1}
        if len(widths) > 1:
            shown = " and ".join(str(code.type) for code in codes)
            self.refuse(node, f"{shown} have different numbers of components")
        return widths.pop() if widths else 1

    def _ring(self, node: ast.BinOp, op: str, rank: int, a: Code, b: Code) -> Code:
        """Sums and products, which wrap around if they are data."""
        a, b, of = self._together(node, a, b)
        if of.base is int_ and (of.width > 1 or not self.scope.flow.is_count(node)):
            a, b = self._unsigned_pair(a, b)
        text = f"{a.inside(rank)} {op} {b.inside(rank + 1)}"
        return Code(text, of, rank, a.unsigned or b.unsigned)

    def _unsigned_pair(self, a: Code, b: Code) -> tuple[Code, Code]:
        """Two ints of which at least one is unsigned, so that C computes with unsigned ones."""
        if a.is_vector or b.is_vector:
            return _unsigned_beside(a), _unsigned_beside(b)
        if a.unsigned or b.unsigned:
            return a, b
        if a.literal is None:
            return c.unsigned(_as_int(a)), b
        return a, c.unsigned(_as_int(b))

    def _bitwise(self, node: ast.BinOp, op: str, a: Code, b: Code) -> Code:
        width = self._width(node, a, b)
        if a.type.base is bool_ and b.type.base is bool_ and (width == 1 or op != "^"):
            if width > 1:
                a, b = _as_vector(a, width), _as_vector(b, width)
            return Code(_loosely(a, op, b), c.shaped(bool_, width), c.BITWISE)
        a, b, of = self._together(node, a, b)
        if of.base is float_:
            self.refuse(node, f"`{ast.unparse(node)}` needs ints, not floats")
        if width > 1:
            a, b = self._unsigned_pair(a, b)
        return Code(_loosely(a, op, b), of, c.BITWISE, a.unsigned or b.unsigned)

    def _shift(self, node: ast.BinOp, op: str, a: Code, b: Code) -> Code:
        a, b, of = self._together(node, a, b)
        if of.base is float_:
            self.refuse(node, f"`{ast.unparse(node)}` needs ints, not floats")
        if of.width > 1 and not a.is_vector:
            a = c.splat(a, of.width)
        is_count = of.width == 1 and self.scope.flow.is_count(node)
        left = op == "<<"
        if left and not is_count:
            a = c.unsigned(_as_int(a))
        elif not left:
            a = c.signed(a)
        if (b.literal is not None and 0 <= b.literal < 32) or (left and is_count):
            return Code(_loosely(a, op, b), of, c.SHIFT, a.unsigned)
        name = self._help("shift_left" if left else "shift_right", of)
        if of.width > 1 and not b.is_vector:
            b = c.splat(b, of.width)
        amount = c.unsigned(b) if b.is_vector else b
        return Code(f"{name}({a.text}, {amount.text})", of, unsigned=left)

    def _floored(self, node: ast.BinOp, op: str, name: str, a: Code, b: Code) -> Code:
        a, b, of = self._together(node, a, b)
        if of.width > 1:
            self.refuse(
                node, f"`{ast.unparse(node)}`: vectors have div(a, b) and rem(a, b) instead"
            )
        if of.base is float_:
            self.refuse(node, f"`{ast.unparse(node)}`: OpenCL rounds no quotient of floats")
        a, b = c.signed(a), c.signed(b)
        flow = self.scope.flow
        if flow.is_natural(node.left) and flow.is_natural(node.right):
            return Code(f"{a.inside(c.PRODUCT)} {op} {b.inside(c.UNARY)}", of, c.PRODUCT)
        return Code(f"{self._help(name, of)}({a.text}, {b.text})", of)

    def _divided(self, node: ast.BinOp, a: Code, b: Code) -> Code:
        if self._width(node, a, b) > 1:
            self.refuse(node, f"`{ast.unparse(node)}`: vectors have div(a, b) instead")
        a, b = c.convert(a, float_), c.convert(b, float_)
        return Code(f"{a.inside(c.PRODUCT)} / {b.inside(c.UNARY)}", float_, c.PRODUCT)

    def _help(self, name: str, of: Type) -> str:
        return self.scope.need(*helper(name, of))

    def _unaryop(self, node: ast.UnaryOp) -> Code:
        if isinstance(node.op, ast.Not):
            return self.truth(node)
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return c.literal(-value)
        a = self.value(node.operand)
        if isinstance(node.op, ast.Invert):
            return self._inverted(node, a)
        a = c.number(a)
        if isinstance(node.op, ast.UAdd):
            return a
        if a.is_vector or not self.scope.flow.is_count(node):
            a = c.unsigned(a)
        return c.negated(a)

    def _inverted(self, node: ast.UnaryOp, a: Code) -> Code:
        if a.type is bool_:
            self.refuse(node, f"`{ast.unparse(node)}` of a truth value; use `not`")
        if a.type.base is float_:
            self.refuse(node, f"`{ast.unparse(node)}` needs ints, not floats")
        return replace(a, text=f"~{a.inside(c.UNARY)}", rank=c.UNARY, literal=None)

    def _boolop(self, node: ast.BoolOp) -> Code:
        values = [self.value(value) for value in node.values]
        if any(value.type is not bool_ for value in values):
            self.refuse(
                node,
                f"`{ast.unparse(node)}` is no truth value in Python; compare, or use bool_(...)",
            )
        return self._joined(node.op, values)

    def _joined(self, op: ast.boolop, values: list[Code]) -> Code:
        name, rank = ("&&", c.AND) if isinstance(op, ast.And) else ("||", c.OR)
        # Compilers warn where `&&` is beside `||` without parentheses.
        text = f" {name} ".join(value.inside(c.BITWISE) for value in values)
        return Code(text, bool_, rank)

    def _compare(self, node: ast.Compare) -> Code:
        operands = [node.left, *node.comparators]
        parts = []
        for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
            sign = COMPARISONS.get(type(op))
            if sign is None:
                self.refuse(node, f"`{ast.unparse(node)}`: OpenCL compares only numbers")
            parts.append(self._compared(node, sign, self.value(left), self.value(right)))
        if len(parts) == 1:
            return parts[0]
        if any(part.is_vector for part in parts):
            self.refuse(node, f"`{ast.unparse(node)}` compares vectors twice; use &")
        return self._joined(ast.And(), parts)

    def _compared(self, node: ast.Compare, sign: str, a: Code, b: Code) -> Code:
        a, b, of = self._together(node, a, b)
        rank = c.EQUAL if sign in ("==", "!=") else c.ORDER
        if of.base is int_ and (rank == c.ORDER or of.width > 1):
            a, b = c.signed(a), c.signed(b)
        return Code(f"{a.inside(c.SHIFT)} {sign} {b.inside(c.SHIFT)}",
                    c.shaped(bool_, of.width), rank)  # fmt: skip

    def _ifexp(self, node: ast.IfExp) -> Code:
        return self._chosen(node, self.truth(node.test), self.value(node.body),
                            self.value(node.orelse))  # fmt: skip

    def _chosen(self, node: ast.AST, test: Code, a: Code, b: Code) -> Code:
        """`test ? a : b`."""
        if a.is_vector or b.is_vector:
            if a.type is not b.type:
                self.refuse(node, f"one choice is {a.type}, the other {b.type}")
            a, b = c.unsigned(a), c.unsigned(b)
            of = a.type
        elif a.type is not b.type:
            a, b, of = self._together(node, a, b)
        else:
            of = a.type
        text = f"{test.inside(c.OR)} ? {a.inside(c.OR)} : {b.inside(c.CONDITIONAL)}"
        return Code(text, of, c.CONDITIONAL, a.unsigned or b.unsigned)

    # --- components and memory -------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute) -> Code:
        found = self.scope.resolve(node)
        if isinstance(found, (bool, int, float)):
            return c.literal(found)
        return self.component(node, self.value(node.value))

    def component(self, node: ast.Attribute, of: Code, target: bool = False) -> Code:
        """Some components of a vector."""
        if not of.is_vector:
            self.refuse(node, f"`{ast.unparse(node.value)}` is {of.type}, which has no components")
        try:
            places = types.selection(node.attr, of.type)
        except AttributeError as error:
            self.refuse(node, str(error))
        if target and len(set(places)) != len(places):
            self.refuse(node, f"`{ast.unparse(node)}` assigns a component twice")
        text = f"{of.inside(c.ATOM)}.{_selector(node.attr, places, of.type)}"
        found = Code(text, c.shaped(of.type.base, len(places)), unsigned=of.unsigned)
        if found.type is bool_ and not target:
            return Code(f"{text} != 0", bool_, c.EQUAL)
        return found

    def _subscript(self, node: ast.Subscript) -> Code:
        found = self.element(node)
        return Code(f"{found.text} != 0", bool_, c.EQUAL) if found.type is bool_ else found

    def element(self, node: ast.Subscript) -> Code:
        """What a pointer with an index points to."""
        pointer = self.expression(node.value)
        if not isinstance(pointer.type, PointerType):
            self.refuse(node, f"`{ast.unparse(node.value)}` is no pointer")
        if isinstance(node.slice, (ast.Slice, ast.Tuple)):
            self.refuse(node, f"`{ast.unparse(node)}`: an index is an int")
        index = self.integer(node.slice, "an index")
        of = pointer.type.target
        return Code(f"{pointer.inside(c.ATOM)}[{index.text}]", of, unsigned=of.base is int_)

    # --- calls -----------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Code:
        if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
            self.refuse(node, f"`{ast.unparse(node)}`: arguments are passed by position")
        function = node.func
        found = self.scope.resolve(function)
        if isinstance(function, ast.Attribute) and found is None and len(node.args) == 1:
            if function.attr != "cast":
                self.refuse(node, f"`{ast.unparse(function)}` is no function that OpenCL has")
            return self._pointer_cast(node, node.args[0], function.value)
        if is_one(found, GEOMETRY):
            return self._geometry(node, found)
        if isinstance(found, VectorType):
            return self._vector(node, found)
        if isinstance(found, Scalar):
            return self._conversion(node, found)
        for known, (method, count) in FUNCTIONS.items():
            if found is known:
                if count is not None and len(node.args) != count:
                    self.refuse(node, f"`{ast.unparse(node)}` needs {count} arguments")
                return method(self, node)
        return self._other_call(node, found)

    def _other_call(self, node: ast.Call, found: object) -> Code:
        """A call of an ordinary function, which becomes one in C."""
        plain = found
        while hasattr(plain, "__wrapped__") and not isinstance(plain, runtime.Kernel):
            plain = plain.__wrapped__
        module = getattr(plain, "__module__", None) or ""
        if module.startswith("solvent.sketch"):
            self.refuse(
                node,
                f"`{ast.unparse(node)}` is a hole; complete the sketch first (sketch.complete)",
            )
        if not isinstance(plain, FunctionType) or module.split(".")[0] == "builtins":
            self.refuse(node, f"`{ast.unparse(node.func)}` is no function that OpenCL has")
        called = self.scope.call(plain, node, self.scope)
        if called.writes:
            self.scope.writes = True
            if node is not self.outermost:
                self.refuse(
                    node, f"{plain.__name__} writes memory; call it in a statement of its own"
                )
        if len(node.args) != len(called.parameters):
            self.refuse(node, f"{plain.__name__} takes {len(called.parameters)} arguments")
        args = [
            self.fitting(arg, self.expression(arg), one.type, one.unsigned, one.name).text
            for arg, one in zip(node.args, called.parameters, strict=True)
        ]
        is_unsigned = called.returns is not None and called.returns.base is int_
        return Code(f"{called.name}({', '.join(args)})", called.returns, unsigned=is_unsigned)

    def fitting(self, node: ast.AST, value: Code, of: Any, is_unsigned: bool, name: str) -> Code:
        """A value as it is assigned to a variable of a type."""
        if isinstance(of, PointerType) and isinstance(value.type, PointerType):
            if of.target is not value.type.target:
                self.refuse(node, f"{name} is {of}, but the pointer is {value.type}; cast it")
            if of.writable and not value.type.writable:
                self.refuse(node, f"{name} is {of}, but the pointer is read-only")
            return value
        if value.type is of:
            return c.stored(value, is_unsigned)
        if of is int_ and value.type is bool_:
            return value
        if of is float_ and value.type in (int_, bool_):
            return c.convert(value, float_)
        shown = value.type or "nothing"
        self.refuse(node, f"{name} is {of}, but its value is {shown}; convert it, as in {of}(...)")

    def _pointer_cast(self, node: ast.Call, to: ast.expr, pointer: ast.expr) -> Code:
        target, found = self.scope.resolve(to), self.expression(pointer)
        if not isinstance(target, (Scalar, VectorType)) or not isinstance(found.type, PointerType):
            self.refuse(node, f"`{ast.unparse(node)}` casts no pointer to a type such as int4")
        if target.base is not found.type.target.base:
            self.refuse(node, f"a pointer to {found.type.target} cannot be cast to one to {target}")
        of = PointerType(target, found.type.writable)
        return c.cast(c.c_type(of), found, of)

    def _cast(self, node: ast.Call) -> Code:
        return self._pointer_cast(node, node.args[0], node.args[1])

    def _geometry(self, node: ast.Call, found: Callable[..., int]) -> Code:
        args = [self.integer(arg, "a dimension") for arg in node.args]
        if len(args) != (found is not runtime.get_work_dim):
            self.refuse(node, f"`{ast.unparse(node)}` has the wrong number of arguments")
        for arg in args:
            if arg.literal is not None and not 0 <= arg.literal < DIMENSIONS:
                self.refuse(node, f"`{ast.unparse(node)}`: the dimensions are 0, 1 and 2")
        call = Code(f"{found.__name__}({', '.join(arg.text for arg in args)})", int_)
        return c.cast("int", call, int_)

    def _vector(self, node: ast.Call, of: VectorType) -> Code:
        parts = [c.convert(self.value(arg), of.base) for arg in node.args]
        width = sum(part.type.width for part in parts)
        if width not in (1, of.width):
            self.refuse(node, f"{of} needs 1 or {of.width} components, not {width}")
        if width == 1:
            return c.splat(parts[0], of.width)
        if len(parts) == 1:
            return parts[0]
        is_int = of.base is int_
        texts = [c.unsigned(part).text if part.is_vector else c.mask(part) if of.base is bool_
                 else part.text for part in parts]  # fmt: skip
        return Code(f"({c.c_type(of, is_int)})({', '.join(texts)})", of, unsigned=is_int)

    def _conversion(self, node: ast.Call, of: Scalar) -> Code:
        if not node.args:
            return c.convert(c.literal(0), of)
        return c.convert(self.scalar(node.args[0], f"{of} has one component"), of)

    def _select(self, node: ast.Call) -> Code:
        a, b, test = map(self.value, node.args)
        if not test.is_vector:
            return self._chosen(node, test, b, a)
        self._width(node, a, b, test)
        given = [value for value in (a, b) if value.is_vector]
        if not given:
            self.refuse(
                node, f"`{ast.unparse(node)}` selects scalars by a vector; make them vectors"
            )
        of = given[0].type
        a, b = (self._as(node, value, of) for value in (a, b))
        test = c.convert(test, bool_)
        return Code(f"select({a.text}, {b.text}, {test.text})", of, unsigned=a.unsigned)

    def _as(self, node: ast.AST, value: Code, of: VectorType) -> Code:
        """An operand as a vector of a type; a scalar stands for equal components."""
        if value.is_vector:
            if value.type is not of:
                self.refuse(node, f"{of} and {value.type} are mixed; convert one of them")
            return c.unsigned(value)
        if value.type is not of.base and not (of.base is float_ and value.type is int_):
            self.refuse(node, f"{of} and {value.type} are mixed; convert one of them")
        return c.splat(c.convert(value, of.base), of.width)

    def _least(self, node: ast.Call) -> Code:
        return self._extreme(node, "min", [self.value(arg) for arg in node.args])

    def _greatest(self, node: ast.Call) -> Code:
        return self._extreme(node, "max", [self.value(arg) for arg in node.args])

    def _extreme(self, node: ast.Call, name: str, values: list[Code]) -> Code:
        width = self._width(node, *values)
        if width > 1:
            of = next(value.type for value in values if value.is_vector)
            if of.base is bool_:
                self.refuse(node, f"`{ast.unparse(node)}` of truth values; use & or |")
            values = [self._as(node, value, of) for value in values]
        else:
            values = [c.number(value) for value in values]
        if width == 1 and any(value.type is float_ for value in values):
            values = [c.convert(value, float_) for value in values]
        values = [c.signed(value) for value in values]
        found = values[0]
        for value in values[1:]:
            found = Code(f"{name}({found.text}, {value.text})", value.type)
        return found

    def _python_extreme(self, node: ast.Call) -> Code:
        if len(node.args) < 2:
            self.refuse(node, f"`{ast.unparse(node)}` needs two scalars")
        for arg in node.args:
            self.scalar(arg, "min and max are for scalars; use minimum or maximum")
        name = "min" if self.scope.resolve(node.func) is min else "max"
        return self._extreme(node, name, [self.value(arg) for arg in node.args])

    def _absolute(self, node: ast.Call) -> Code:
        a = c.number(self.value(node.args[0]))
        if a.type.base is float_:
            return Code(f"fabs({a.text})", a.type)
        text = f"abs({c.signed(a).text})"
        # It is unsigned in OpenCL.
        found = Code(text, a.type, unsigned=True)
        return c.signed(found) if self.scope.flow.is_count(node) else found

    def _dot(self, node: ast.Call) -> Code:
        a, b, of = self._together(node, *map(self.value, node.args))
        if of.width == 1:
            self.refuse(node, f"`{ast.unparse(node)}` needs a vector")
        a, b = _as_vector(c.unsigned(a), of.width), _as_vector(c.unsigned(b), of.width)
        plain = of.base is float_ and of.width <= 4
        name = "dot" if plain else self._help("dot", of)
        return Code(f"{name}({a.text}, {b.text})", of.base, unsigned=of.base is int_)

    def _all(self, node: ast.Call) -> Code:
        return self._of_all("all", node)

    def _any(self, node: ast.Call) -> Code:
        return self._of_all("any", node)

    def _of_all(self, name: str, node: ast.Call) -> Code:
        found = self.value(node.args[0])
        if not found.is_vector:
            self.refuse(node, f"`{ast.unparse(node)}` needs a vector")
        return Code(f"{name}({c.convert(found, bool_).text})", bool_)

    def _div(self, node: ast.Call) -> Code:
        return self._c_division(node, "/", "quotient")

    def _rem(self, node: ast.Call) -> Code:
        return self._c_division(node, "%", "remainder")

    def _c_division(self, node: ast.Call, op: str, name: str) -> Code:
        a, b, of = self._together(node, *map(self.value, node.args))
        if of.base is float_ and op == "%":
            self.refuse(node, f"`{ast.unparse(node)}`: OpenCL has no remainder of floats")
        a, b = c.signed(a), c.signed(b)
        safe = of.base is float_ or (b.literal is not None and b.literal not in (0, -1))
        if of.width > 1:
            a = _as_vector(a, of.width)
        if safe or all(map(self.scope.flow.is_natural, node.args)):
            return Code(
                f"{a.inside(c.PRODUCT)} {op} {b.inside(c.UNARY)}", of, c.PRODUCT, a.unsigned
            )
        if of.width > 1:
            a, b = (c.signed(_as_vector(one, of.width)) for one in (a, b))
        return Code(f"{self._help(name, of)}({a.text}, {b.text})", of)


FUNCTIONS: dict[object, tuple[Callable[[Expressions, ast.Call], Code], int | None]] = {
    types.select: (Expressions._select, 3),
    types.minimum: (Expressions._least, 2),
    types.maximum: (Expressions._greatest, 2),
    types.dot: (Expressions._dot, 2),
    types.all_: (Expressions._all, 1),
    types.any_: (Expressions._any, 1),
    types.div: (Expressions._div, 2),
    types.rem: (Expressions._rem, 2),
    memory.cast: (Expressions._cast, 2),
    abs: (Expressions._absolute, 1),
    min: (Expressions._python_extreme, None),
    max: (Expressions._python_extreme, None),
}


def _as_int(code: Code) -> Code:
    """A scalar truth value is an int in C already."""
    return replace(code, type=int_) if code.type is bool_ else code


def _unsigned_beside(code: Code) -> Code:
    """An operand beside a vector; a literal becomes unsigned by itself."""
    return code if code.literal is not None else c.unsigned(code)


def _as_vector(code: Code, width: int) -> Code:
    return code if code.is_vector else c.splat(code, width)


def _loosely(a: Code, op: str, b: Code) -> str:
    """An operation on bits, of which nobody knows how tightly it binds."""
    return f"{a.inside(c.UNARY)} {op} {b.inside(c.UNARY)}"


def _selector(name: str, places: tuple[int, ...], of: VectorType) -> str:
    """Letters are for up to four components of short vectors."""
    if name in ("lo", "hi", "even", "odd") or (of.width <= 4 and len(places) <= 4):
        return name
    return "s" + "".join(f"{place:x}" for place in places)
