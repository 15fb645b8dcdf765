"""Statements of kernels in OpenCL C."""

from __future__ import annotations

import ast

from solvent.languages.synthcl.opencl import code as c
from solvent.languages.synthcl.opencl.code import Code, Number
from solvent.languages.synthcl.opencl.expressions import (
    BITWISE,
    RING,
    SHIFTS,
    Expressions,
    Scope,
    Variable,
    namespace_of,
)
from solvent.languages.synthcl.opencl.flow import GEOMETRY, Places, is_one, names_outside_of_indices
from solvent.languages.synthcl.opencl.names import free
from solvent.languages.synthcl.runtime import ParameterType, PointerType
from solvent.languages.synthcl.types import Scalar, Type, VectorType, bool_, float_, int_

INDENT = "    "
PYTHON_TYPES: dict[type, Type] = {int: int_, float: float_, bool: bool_}
SIGNS = {kind: sign for kind, (sign, _) in RING.items()} | BITWISE | SHIFTS


class Statements(Expressions):
    """Translates the body of a function."""

    def __init__(self, scope: Scope, places: Places, counters: set[str], used: set[str]) -> None:
        super().__init__(scope)
        self.places = places
        # The names of loop counters, which are signed in C.
        self.counters = counters
        self.used = used
        self.lines: list[str] = []
        self.depth = 1

    def emit(self, line: str) -> None:
        """Add a line."""
        self.lines.append(f"{INDENT * self.depth}{line}" if line else "")

    def block(self, body: list[ast.stmt]) -> None:
        """The statements of a block."""
        for statement in body:
            method = getattr(self, f"_{statement.__class__.__name__.lower()}_", None)
            if method is None:
                first = ast.unparse(statement).splitlines()[0]
                self.refuse(statement, f"`{first}` has no translation to OpenCL")
            method(statement)

    def _inner(self, head: str, body: list[ast.stmt]) -> None:
        self.emit(f"{head} {{")
        self.depth += 1
        self.block(body)
        self.depth -= 1

    # --- variables -------------------------------------------------------------------------------

    def variable(self, node: ast.AST, name: str, of: ParameterType) -> Variable:
        """The variable of a name, which is new if nothing was assigned to it before."""
        found = self.scope.variables.get(name)
        if found is None:
            is_unsigned = getattr(of, "base", None) is int_ and (
                isinstance(of, VectorType)
                or (name in self.scope.flow.data and name not in self.counters)
            )
            found = Variable(self.c_name(node, name), of, is_unsigned)
            self.scope.variables[name] = found
        elif found.type != of:
            self.refuse(node, f"{name} is {found.type} and {of}; use two variables")
        return found

    def c_name(self, node: ast.AST, name: str) -> str:
        """The name of a variable in C."""
        if not name.isascii():
            self.refuse(node, f"{name}: OpenCL has only ASCII letters in names")
        return free(name, self.used)

    def type_of(self, annotation: ast.expr) -> ParameterType:
        """The type that an annotation stands for."""
        text = ast.unparse(annotation)
        try:
            found = eval(text, namespace_of(self.scope.function))
            if isinstance(found, str):
                found = eval(found, namespace_of(self.scope.function))
        except Exception as error:
            self.refuse(annotation, f"the annotation `{text}` means nothing: {error}")
        return self.known_type(annotation, found, text)

    def known_type(self, node: ast.AST, found: object, text: str) -> ParameterType:
        """A type of SynthCL, or of Python where it means the same."""
        if not isinstance(found, (Scalar, VectorType, PointerType)):
            if isinstance(found, type) and found in PYTHON_TYPES:
                return PYTHON_TYPES[found]
            self.refuse(node, f"`{text}` is no type of SynthCL, such as int_ or float4")
        return found

    def _annassign_(self, node: ast.AnnAssign) -> None:
        if not isinstance(node.target, ast.Name):
            self.refuse(node, "only variables are annotated")
        name = node.target.id
        of = self.type_of(node.annotation)
        if node.value is None:
            variable = self.variable(node, name, of)
            if self.places.declares(node, name):
                self.emit(f"{c.declared(of, variable.name, variable.unsigned)};")
            return
        self.outermost = node.value
        value = self.expression(node.value)
        self.assign(node, name, self.variable(node, name, of), value)

    def assign(self, node: ast.stmt, name: str, variable: Variable, value: Code) -> None:
        """Assign a variable, which may declare it."""
        value = self.fitting(node, value, variable.type, variable.unsigned, name)
        target = variable.name
        if self.places.declares(node, name):
            target = c.declared(variable.type, variable.name, variable.unsigned)
        self.emit(f"{target} = {_assigned(value, variable.type)};")

    def _assign_(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            self.refuse(node, f"`{ast.unparse(node)}` assigns twice; write two statements")
        target = node.targets[0]
        if isinstance(target, ast.Tuple) or isinstance(node.value, ast.Tuple):
            self._assign_several(node, target)
            return
        self.outermost = node.value
        self._assign_one(node, target, self.expression(node.value))

    def _assign_one(self, node: ast.stmt, target: ast.expr, value: Code) -> None:
        if isinstance(target, ast.Name):
            known = self.scope.variables.get(target.id)
            if value.type is None:
                self.refuse(node, f"{target.id} is assigned nothing; the function returns no value")
            of = value.type if known is None else known.type
            self.assign(node, target.id, self.variable(node, target.id, of), value)
            return
        place = self.place(target)
        self.emit(f"{place.text} = {self._put(target, place, value)};")

    def _assign_several(self, node: ast.Assign, target: ast.expr) -> None:
        """`a, b = x, y`: all values are there before the first is assigned."""
        if not (isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)) or len(
            target.elts
        ) != len(node.value.elts):
            self.refuse(node, f"`{ast.unparse(node)}` needs as many values as targets")
        values = []
        for part in node.value.elts:
            value = self.expression(part)
            name = free("value", self.used)
            is_pointer = isinstance(value.type, PointerType)
            self.emit(
                f"{c.declared(value.type, name, value.unsigned)} = "
                f"{value.text if is_pointer else _assigned(value, value.type)};"
            )
            values.append(Code(name, value.type, unsigned=value.unsigned))
        for part, value in zip(target.elts, values, strict=True):
            self._assign_one(node, part, value)

    def place(self, target: ast.expr) -> Code:
        """Memory, or components of a vector, to which something is assigned."""
        if isinstance(target, ast.Subscript):
            found = self.element(target)
            pointer = self.expression(target.value)
            if not pointer.type.writable:
                self.refuse(target, f"`{ast.unparse(target)}` is read-only")
            self.scope.writes = True
            return found
        if isinstance(target, ast.Attribute):
            if not isinstance(target.value, ast.Name):
                self.refuse(
                    target, f"`{ast.unparse(target)}`: components are assigned of variables only"
                )
            return self.component(target, self.value(target.value), target=True)
        self.refuse(target, f"`{ast.unparse(target)}` cannot be assigned in OpenCL")

    def _put(self, node: ast.expr, place: Code, value: Code) -> str:
        """A value as it is stored: converted, and a scalar in all components."""
        of = place.type
        if not isinstance(value.type, (Scalar, VectorType)):
            self.refuse(node, f"`{ast.unparse(node)}` is a value, but gets none")
        if value.is_vector and value.type.width != of.width:
            self.refuse(node, f"{value.type} cannot be stored as {of}")
        value = c.convert(value, of.base)
        if isinstance(of, VectorType):
            value = value if value.is_vector else c.splat(value, of.width)
            return c.stored(value, place.unsigned).text
        return c.mask(value) if of is bool_ else value.text

    def _augassign_(self, node: ast.AugAssign) -> None:
        target = node.target
        read = ast.copy_location(_reading(target), node)
        operation = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
        value = self.expression(operation)
        if isinstance(target, ast.Name):
            known = self.scope.variables[target.id]
            place = Code(known.name, known.type, unsigned=known.unsigned)
            value = self.fitting(node, value, known.type, known.unsigned, target.id)
            text = _assigned(value, known.type)
        else:
            place = self.place(target)
            text = self._put(target, place, value)
        self.emit(f"{self._shortened(node, place, text)};")

    def _shortened(self, node: ast.AugAssign, place: Code, text: str) -> str:
        """`x += 1` where this is the same as `x = x + 1`."""
        sign = SIGNS.get(type(node.op))
        start = f"{place.text} {sign} "
        if sign is None or not text.startswith(start):
            return f"{place.text} = {text}"
        rest = text.removeprefix(start)
        whole = self.expression(node.value).text
        return f"{place.text} {sign}= {whole if rest == f'({whole})' else rest}"

    # --- control ---------------------------------------------------------------------------------

    def _if_(self, node: ast.If) -> None:
        head = "if"
        while True:
            self._inner(f"{head} ({self.truth(node.test).text})", node.body)
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
                head, node = "} else if", node.orelse[0]
                continue
            break
        if node.orelse:
            self._inner("} else", node.orelse)
        self.emit("}")

    def _while_(self, node: ast.While) -> None:
        self._no_else(node)
        self._inner(f"while ({self.truth(node.test).text})", node.body)
        self.emit("}")

    def _no_else(self, node: ast.While | ast.For) -> None:
        if node.orelse:
            self.refuse(node.orelse[0], "OpenCL has no `else` of loops")

    def _for_(self, node: ast.For) -> None:
        self._no_else(node)
        call = node.iter
        is_range = isinstance(call, ast.Call) and self.scope.resolve(call.func) is range
        if not isinstance(call, ast.Call) or not is_range or not 1 <= len(call.args) <= 3:
            self.refuse(node, f"`{ast.unparse(node.iter)}`: loops are over range(...)")
        if not isinstance(node.target, ast.Name) or call.keywords:
            self.refuse(node, "a loop has one counter")
        name = node.target.id
        kept = id(node) in self.places.kept
        bounds = [self.integer(arg, "a bound of a loop") for arg in call.args]
        variable = self.variable(node, name, int_)
        counter = free(f"{variable.name}_now", self.used) if kept else variable.name
        self.emit(f"{self._loop(node, call.args, bounds, counter)} {{")
        self.depth += 1
        if kept:
            self.emit(f"{variable.name} = {counter};")
        self.block(node.body)
        self.depth -= 1
        self.emit("}")

    def _loop(self, node: ast.For, args: list[ast.expr], bounds: list[Code], counter: str) -> str:
        """The head of a loop in C, which computes the bounds once only if that matters."""
        start = c.literal(0) if len(bounds) == 1 else bounds[0]
        stop = bounds[0] if len(bounds) == 1 else bounds[1]
        step = bounds[2] if len(bounds) == 3 else c.literal(1)
        if step.literal == 0:
            self.refuse(node, "a loop has a step that is not 0")
        first = [f"int {counter} = {_plain(start)}"]
        if not self._is_stable(args[1] if len(args) > 1 else args[0], node):
            stop = self._kept(f"{counter}_end", stop, first)
        if step.literal is None and not self._is_stable(args[2], node):
            step = self._kept(f"{counter}_step", step, first)
        up, down = (f"{counter} {sign} {stop.inside(c.SHIFT)}" for sign in "<>")
        if step.literal is None:
            test = f"{step.inside(c.SHIFT)} > 0 ? {up} : {down}"
        else:
            test = up if step.literal > 0 else down
        changes: dict[Number | None, str] = {1: f"{counter}++", -1: f"{counter}--"}
        change = changes.get(step.literal, f"{counter} += {step.text}")
        return f"for ({', '.join(first)}; {test}; {change})"

    def _kept(self, name: str, bound: Code, first: list[str]) -> Code:
        name = free(name, self.used)
        first.append(f"{name} = {_plain(bound)}")
        return Code(name, int_)

    def _is_stable(self, node: ast.expr, loop: ast.For) -> bool:
        """Whether an expression is the same after each round of a loop."""
        for part in ast.walk(node):
            if isinstance(part, ast.Subscript):
                return False
            if isinstance(part, ast.Call) and not is_one(self.scope.resolve(part.func), GEOMETRY):
                return False
        changed = {
            part.id
            for part in ast.walk(loop)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        return not changed & names_outside_of_indices(node)

    def _break_(self, _: ast.Break) -> None:
        self.emit("break;")

    def _continue_(self, _: ast.Continue) -> None:
        self.emit("continue;")

    def _pass_(self, _: ast.Pass) -> None:
        self.emit(";")

    def _return_(self, node: ast.Return) -> None:
        value = node.value
        is_none = value is None or (isinstance(value, ast.Constant) and value.value is None)
        if self.scope.returns is None:
            if not is_none:
                self.refuse(node, "a kernel, or a function without `-> type`, returns nothing")
            self.emit("return;")
            return
        if value is None or is_none:
            self.refuse(node, f"the function returns {self.scope.returns}, but here nothing")
        self.outermost = value
        returns = self.scope.returns
        is_unsigned = getattr(returns, "base", None) is int_
        found = self.fitting(node, self.expression(value), returns, is_unsigned, "the result")
        self.emit(f"return {_assigned(found, self.scope.returns)};")

    def _assert_(self, node: ast.Assert) -> None:
        self.emit(f"// assert {' '.join(ast.unparse(node.test).split())}")

    def _expr_(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self.emit(f"// {' '.join(node.value.value.split())}")
            return
        if not isinstance(node.value, ast.Call):
            self.refuse(node, f"`{ast.unparse(node)}` does nothing")
        self.outermost = node.value
        self.emit(f"{self.expression(node.value).text};")


def _assigned(value: Code, of: ParameterType) -> str:
    """The text of a value that is assigned to a variable; C makes an int of a size by itself."""
    if of is int_:
        return _plain(value)
    return value.text


def _plain(value: Code) -> str:
    text = value.text
    if text.startswith("(int)get_") and text.count("(") == 2 and text.endswith(")"):
        return text.removeprefix("(int)")
    return text


def _reading(target: ast.expr) -> ast.expr:
    """A target as an expression."""
    match target:
        case ast.Name(id=name):
            return ast.Name(name, ast.Load())
        case ast.Attribute(value=value, attr=attr):
            return ast.Attribute(value, attr, ast.Load())
        case ast.Subscript(value=value, slice=index):
            return ast.Subscript(value, index, ast.Load())
    return target
