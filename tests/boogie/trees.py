"""Random syntax trees: any that the parser could have made, whether or not the types fit."""

from __future__ import annotations

from hypothesis import strategies as some

from solvent.boogie import statements as st
from solvent.boogie import syntax as s
from solvent.boogie.lexer import KEYWORDS
from solvent.boogie.operators import LEVELS

_STARTS = "abzXY'~#$^_.?`"
names = some.one_of(
    some.sampled_from(["x", "y", "f", "Mem_T.INT4", "$i0", "a'b~#^?`", "\\odd", "finite"]),
    some.sampled_from(sorted(KEYWORDS)),
    some.text(alphabet=_STARTS + "019\\", min_size=1, max_size=4).filter(lambda n: n[0] in _STARTS),
)
# The words of the basic types name nothing else.
type_names = names.filter(lambda name: name not in ("int", "bool", "real"))


def lists(part: some.SearchStrategy, low: int = 0, high: int = 2) -> some.SearchStrategy:
    """Short tuples."""
    return some.lists(part, min_size=low, max_size=high).map(tuple)


type_parameters = some.builds(s.TypeParameter, names)
types = some.recursive(
    some.one_of(
        some.sampled_from(["int", "bool", "real", "bv32", "float24e8"]).map(s.NamedTypeExpr),
        some.builds(s.NamedTypeExpr, type_names),
    ),
    lambda inner: some.one_of(
        some.builds(s.NamedTypeExpr, type_names, lists(inner, 1)),
        some.builds(s.MapTypeExpr, lists(type_parameters), lists(inner), inner),
    ),
    max_leaves=4,
)


def _real(mantissa: int, exponent: int) -> s.RealLiteral:
    while mantissa and mantissa % 10 == 0:
        mantissa, exponent = mantissa // 10, exponent + 1
    return s.RealLiteral(mantissa, exponent if mantissa else 0)


def _float(negative: bool, mantissa: int, exponent: int) -> s.FloatLiteral:
    while mantissa and mantissa % 16 == 0:
        mantissa, exponent = mantissa // 16, exponent + 1
    # So wide that every number fits.
    return s.FloatLiteral(negative, mantissa, exponent if mantissa else 0, "", 80, 20)


naturals = some.integers(0, 10**20)
exponents = some.integers(-40, 40)
strings = some.text(alphabet="ab {}:;/*'\\é", max_size=5).filter(lambda t: not t.endswith("\\"))
leaves: some.SearchStrategy = some.one_of(
    some.builds(s.Identifier, names),
    some.builds(s.BoolLiteral, some.booleans()),
    some.builds(s.IntLiteral, naturals),
    some.builds(_real, naturals, exponents),
    some.builds(lambda value: s.BitVecLiteral(value, 70), naturals),
    some.builds(_float, some.booleans(), naturals, exponents),
    some.sampled_from(["NaN", "+oo", "-oo"]).map(
        lambda special: s.FloatLiteral(False, 0, 0, special, 11, 5)
    ),
    some.sampled_from(["RNE", "RNA", "RTP", "RTN", "RTZ"]).map(s.RoundingLiteral),
    some.builds(s.StringLiteral, strings),
)


def _compound(inner: some.SearchStrategy) -> some.SearchStrategy:
    attributes = lists(some.builds(s.Attribute, names, lists(inner)), 0, 1)
    plain = attributes.map(lambda found: tuple(a for a in found if a.name != "nopats"))
    bound = some.builds(s.Variable, names, types, some.none(), attributes)
    wanted = some.builds(s.Trigger, lists(inner, 1), some.just(False))
    # A pattern that must not be used is one expression.
    single = inner.filter(lambda one: not isinstance(one, s.StringLiteral)).map(lambda one: (one,))
    negative = some.builds(s.Trigger, single, some.just(True))
    triggers = lists(wanted | negative)
    let_variable = some.builds(s.LetVariable, names, attributes)
    return some.one_of(
        some.builds(s.Old, inner),
        some.builds(s.Unary, some.sampled_from(["!", "-"]), inner),
        some.builds(s.Binary, some.sampled_from(sorted(LEVELS)), inner, inner),
        some.builds(s.Binary, some.sampled_from(sorted(LEVELS)), inner, inner),
        some.builds(s.Apply, names, lists(inner)),
        some.builds(s.Convert, some.sampled_from(["int", "real"]), inner),
        some.builds(s.Coerce, inner, types),
        some.builds(s.Select, inner, lists(inner)),
        some.builds(s.Update, inner, lists(inner), inner),
        some.builds(s.Extract, inner, some.integers(0, 64), some.integers(0, 64)),
        some.builds(s.IfThenElse, inner, inner, inner),
        some.builds(
            s.Quantifier,
            some.sampled_from(["forall", "exists"]),
            lists(type_parameters),
            lists(bound, 1),
            inner,
            triggers,
            plain,
        ),
        some.builds(s.Lambda, lists(type_parameters), lists(bound, 1), inner, attributes),
        some.builds(s.Let, lists(let_variable, 1), lists(inner, 1), inner, attributes),
        some.builds(
            s.CodeExpr,
            some.builds(st.Body, lists(bound), lists(some.builds(st.Return, inner), 1)),
        ),
    )


expressions = some.recursive(leaves, _compound, max_leaves=8)
small = some.one_of(leaves, _compound(leaves))
attributes = lists(some.builds(s.Attribute, names, lists(small)), 0, 1)
identifiers = some.builds(s.Identifier, names)
targets = some.builds(st.Target, identifiers, lists(lists(small)))
invariants = some.builds(st.Invariant, small, some.booleans(), attributes)

simple_statements = some.one_of(
    some.builds(st.Label, names),
    some.builds(st.Assert, expressions, attributes),
    some.builds(st.Assume, small, attributes),
    some.builds(st.Havoc, lists(identifiers, 1), attributes),
    some.builds(st.Assign, lists(targets, 1), lists(small, 1), attributes),
    some.builds(st.Call, names, lists(small), lists(identifiers), some.booleans(), attributes),
    some.builds(st.Break, some.none() | names, attributes),
    some.builds(st.Goto, lists(names, 1), attributes),
    some.builds(st.Return, some.none(), attributes),
)
guards = some.none() | small
statements = some.recursive(
    simple_statements,
    lambda inner: some.one_of(
        some.builds(st.If, guards, lists(inner), some.none() | lists(inner), attributes),
        some.builds(st.While, guards, lists(invariants), lists(inner), attributes),
    ),
    max_leaves=6,
)

wheres = some.none() | small
locals_ = some.builds(s.Variable, names, types, wheres, attributes)
formals = some.builds(s.Variable, names, types, wheres, attributes)
plain_formals = some.builds(s.Variable, names, types, some.none(), attributes)
function_formals = some.builds(s.Variable, some.just("") | names, types, some.none(), attributes)
bodies = some.builds(st.Body, lists(locals_), lists(statements, 0, 4))
parents = some.builds(st.Parent, identifiers, some.booleans())
clauses = some.one_of(
    some.builds(st.Requires, small, some.booleans(), attributes),
    some.builds(st.Ensures, small, some.booleans(), attributes),
    some.builds(st.Modifies, lists(identifiers)),
)
parameters = lists(type_parameters)
declarations = some.one_of(
    # The first `finite` behind `type` is a mark, not a name.
    some.builds(
        st.TypeDecl,
        type_names.filter(lambda name: name != "finite"),
        parameters,
        some.none() | types,
        some.booleans(),
        attributes,
    ),
    some.builds(
        st.ConstantDecl,
        names,
        types,
        some.booleans(),
        some.none() | lists(parents),
        some.booleans(),
        attributes,
    ),
    some.builds(
        st.FunctionDecl,
        names,
        parameters,
        lists(function_formals),
        function_formals,
        some.none() | expressions,
        attributes,
    ),
    some.builds(st.AxiomDecl, expressions, attributes),
    some.builds(st.GlobalDecl, locals_),
    some.builds(
        st.ProcedureDecl,
        names,
        parameters,
        lists(formals),
        lists(formals),
        lists(clauses),
        some.none() | bodies,
        attributes,
    ),
    some.builds(
        st.ImplementationDecl,
        names,
        parameters,
        lists(plain_formals),
        lists(plain_formals),
        bodies,
        attributes,
    ),
)
programs = some.builds(st.Program, lists(declarations, 0, 3))
