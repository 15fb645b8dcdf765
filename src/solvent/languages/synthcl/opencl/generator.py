"""Prints kernels as OpenCL C.

A kernel is translated from its source, statement by statement, together with the functions that it
calls.  What has no translation is refused with the line and the reason.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Sequence
from types import FunctionType

from solvent.languages.synthcl.checking import check_source
from solvent.languages.synthcl.opencl import code as c
from solvent.languages.synthcl.opencl.code import Number, TranslationError
from solvent.languages.synthcl.opencl.expressions import Called, Scope, Variable
from solvent.languages.synthcl.opencl.flow import Flow, Places
from solvent.languages.synthcl.opencl.names import free
from solvent.languages.synthcl.opencl.statements import INDENT, PYTHON_TYPES, Statements
from solvent.languages.synthcl.runtime import Kernel, ParameterType, PointerType
from solvent.languages.synthcl.types import Scalar, SynthCLError, VectorType, bool_, int_

WIDTH = 100
WRAPS = (
    "// Data of type int is uint here, because that wraps around; (int) and as_int give its sign."
)
MASKS = "// Truth values in memory and in vectors are ints: 0 is false, -1 is true."
FLOATS = "#pragma OPENCL FP_CONTRACT OFF"


def to_opencl(*kernels: Kernel, source: str | None = None) -> str:
    """Kernels, and the functions that they call, as a program in OpenCL C.

    A kernel that is a sketch has no translation until its holes are filled: then `source` is what
    `solvent.sketch.complete` returns for it.

    >>> from solvent.languages.synthcl import float_, get_global_id, global_, kernel
    >>> @kernel
    ... def scale(numbers: global_(float_), by: float_) -> None:
    ...     i: int_ = get_global_id(0)
    ...     numbers[i] *= by
    >>> print(to_opencl(scale))
    #pragma OPENCL FP_CONTRACT OFF
    <BLANKLINE>
    __kernel void scale(__global float *numbers, float by)
    {
        int i = get_global_id(0);
        numbers[i] *= by;
    }
    """
    return Program(kernels, source).text()


class Program:
    """The parts of a program in OpenCL C."""

    def __init__(self, kernels: Sequence[Kernel], source: str | None = None) -> None:
        self.constants: dict[str, tuple[Number, str]] = {}
        self.helpers: dict[str, str] = {}
        self.functions: list[str] = []
        self.called: dict[FunctionType, Called | None] = {}
        # Names of functions and constants, and of the variables of all functions.
        self.used: set[str] = set()
        self.variables: set[str] = set()
        self.has_masks = False
        # The names of the kernels in C.
        self.names: dict[Kernel, str] = {}
        for kernel in kernels:
            self._name(kernel)
        for kernel, name in self.names.items():
            parameters = dict(kernel.parameters)
            self._translate(kernel.function, name, parameters, None, source, is_kernel=True)

    def _name(self, kernel: Kernel) -> None:
        if not isinstance(kernel, Kernel):
            raise SynthCLError(f"only kernels are printed as OpenCL, not {kernel!r}")
        if any(known.name == kernel.name for known in self.names if known is not kernel):
            raise SynthCLError(f"two kernels of one program are called {kernel.name}")
        if kernel not in self.names:
            self.names[kernel] = free(kernel.name, self.used, is_function=True)

    def _free(self, name: str, is_function: bool = False) -> str:
        """A free name of a function or constant, which no variable hides."""
        found = free(name, self.used | self.variables, is_function)
        self.used.add(found)
        return found

    def text(self) -> str:
        """The program."""
        constants = [text for _, text in self.constants.values()]
        parts = [*self.helpers.values(), *self.functions]
        whole = "\n\n".join(["\n".join(constants), *parts] if constants else parts)
        notes = [WRAPS] if "uint" in "\n".join(self.functions) else []
        notes += [MASKS] if self.has_masks else []
        notes += [FLOATS] if "float" in whole else []
        return "\n".join([*notes, "", whole] if notes else [whole])

    def need(self, name: str, text: str) -> str:
        """A helper that the program needs; returns its name."""
        self.helpers[name] = text
        self.used.add(name)
        return name

    def constant(self, name: str, value: Number) -> str:
        """A number that a name outside of a function means, as it is written in C."""
        literal = c.literal(value)
        if name not in self.constants and name.isascii():
            of = "int" if literal.type is bool_ else literal.type.name
            shown = self._free(name)
            self.constants[name] = value, f"__constant {of} {shown} = {literal.text};"
        known = self.constants.get(name)
        if known is None or type(known[0]) is not type(value) or known[0] != value:
            return literal.text if literal.rank == c.ATOM else f"({literal.text})"
        return known[1].split()[2]

    def call(self, function: FunctionType, node: ast.AST, caller: Scope) -> Called:
        """Another function, which is translated before its first caller."""
        if function not in self.called:
            self.called[function] = None
            self.called[function] = self._function(function)
        found = self.called[function]
        if found is None:
            raise TranslationError(
                f"{caller.where(node)}: {function.__name__} calls itself, which OpenCL has not"
            )
        return found

    def _function(self, function: FunctionType) -> Called:
        where = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
        try:
            found = inspect.get_annotations(function, eval_str=True)
        except Exception as error:
            raise TranslationError(
                f"{where}: an annotation of {function.__name__}: {error}"
            ) from None
        parameters = {}
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD or (
                parameter.default is not parameter.empty
            ):
                raise TranslationError(
                    f"{where}: {function.__name__} has parameters that OpenCL has not"
                )
            parameters[name] = _known(found.get(name), f"{where}: the parameter {name}")
        returns = found.get("return")
        if returns is not None:
            returns = _known(returns, f"{where}: the result of {function.__name__}")
        check_source(function, function.__name__)
        name = self._free(function.__name__, is_function=True)
        return self._translate(function, name, parameters, returns, None)

    def _translate(
        self,
        function: FunctionType,
        name: str,
        parameters: dict[str, ParameterType],
        returns: ParameterType | None,
        source: str | None,
        is_kernel: bool = False,
    ) -> Called:
        tree, start = _parsed(function, source)
        filename = function.__code__.co_filename if source is None else f"<{function.__name__}>"

        def where(node: ast.AST) -> str:
            return f"{filename}:{start + getattr(node, 'lineno', 1) - 1}"

        scope = Scope(function, where, self.call, self.need, self.constant)
        scope.returns = returns
        scope.locals = {*parameters, *_assigned_names(tree)}
        scope.flow = Flow(tree, parameters, scope.resolve)
        self.variables |= scope.locals
        used = self.used - {name}
        statements = Statements(scope, Places(tree, parameters), _counters(tree), used)
        variables = [statements.variable(tree, one, of) for one, of in parameters.items()]
        scope.variables.update(zip(parameters, variables, strict=True))
        if not is_kernel:
            _check_parameters(statements, tree)
        body = _without_docstring(tree.body)
        statements.block(body)
        if returns is not None and not _returns(body):
            statements.refuse(tree, f"{name} does not return a value everywhere")
        hoisted = _hoisted(statements, tree)
        signature = _signature(name, variables, returns, is_kernel)
        doc = [f"// {line}" for line in (ast.get_docstring(tree) or "").splitlines()[:1]]
        self.functions.append("\n".join([*doc, signature, "{", *hoisted, *statements.lines, "}"]))
        self.variables |= {variable.name for variable in scope.variables.values()}
        self.has_masks |= _has_masks(scope)
        return Called(name, variables, returns, scope.writes)


def _check_parameters(statements: Statements, tree: ast.FunctionDef) -> None:
    """A vector that is a parameter belongs to the caller in Python."""
    names = {argument.arg for argument in tree.args.args}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()) if name in names:
                statements.refuse(
                    node, f"`{ast.unparse(node)}` changes a vector of the caller; copy it first"
                )


def _known(found: object, what: str) -> ParameterType:
    if isinstance(found, type) and found in PYTHON_TYPES:
        return PYTHON_TYPES[found]
    if not isinstance(found, (Scalar, VectorType, PointerType)):
        raise TranslationError(f"{what} needs a type of SynthCL, such as int_ or float4")
    return found


def _parsed(function: FunctionType, source: str | None) -> tuple[ast.FunctionDef, int]:
    """The definition of a function, and the line where its source starts."""
    start = 1
    if source is None:
        try:
            lines, start = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise TranslationError(
                f"the source of {function.__name__} is not there; put it into a file"
            ) from None
        source = "".join(lines)
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError as error:
        raise TranslationError(f"the source of {function.__name__}: {error.msg}") from None
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            return node, max(start, 1)
    raise TranslationError(f"{function.__name__} is not defined by a `def` of its own")


def _assigned_names(tree: ast.FunctionDef) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _counters(tree: ast.FunctionDef) -> set[str]:
    return {
        node.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name)
    }


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    if is_text and isinstance(first.value.value, str):  # type: ignore[attr-defined]
        return body[1:]
    return body


def _returns(body: list[ast.stmt]) -> bool:
    """Whether a block always returns."""
    if not body:
        return False
    match body[-1]:
        case ast.Return():
            return True
        case ast.If(body=then, orelse=other):
            return _returns(then) and _returns(other)
    return False


def _hoisted(statements: Statements, tree: ast.FunctionDef) -> list[str]:
    """The declarations of variables that are not declared where they are assigned."""
    found = []
    for name in statements.places.hoisted:
        variable = statements.scope.variables.get(name)
        if variable is None:
            statements.refuse(tree, f"{name} is never assigned a value")
        found.append(f"{INDENT}{c.declared(variable.type, variable.name, variable.unsigned)};")
    return found


def _signature(
    name: str, variables: list[Variable], returns: ParameterType | None, is_kernel: bool
) -> str:
    result = (
        "__kernel void" if is_kernel else c.c_type(returns, getattr(returns, "base", None) is int_)
    )
    parts = [_parameter(variable, is_kernel) for variable in variables]
    line = f"{result} {name}({', '.join(parts)})"
    if len(line) <= WIDTH:
        return line
    return f"{result} {name}(\n" + ",\n".join(f"{INDENT}{part}" for part in parts) + ")"


def _parameter(variable: Variable, is_kernel: bool) -> str:
    """A kernel has no parameters of type bool in OpenCL."""
    of = int_ if is_kernel and variable.type is bool_ else variable.type
    return c.declared(of, variable.name, variable.unsigned)


def _has_masks(scope: Scope) -> bool:
    """Whether truth values are seen from outside, in memory or in vectors."""
    types = [variable.type for variable in scope.variables.values()]
    return any(
        (isinstance(of, PointerType) and of.target.base is bool_)
        or (isinstance(of, VectorType) and of.base is bool_)
        for of in types
    )
