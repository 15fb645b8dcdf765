"""Boogie's options for `solvent boogie verify`: done, left out with a note, or refused."""

from __future__ import annotations

import argparse
import re
import sys

from solvent.cli.common import positive
from solvent.cli.slashed import Slashed
from solvent.reach.inlining import Limit

NO_INLINING = "none"
INTERVALS = "j"
INFER = (INTERVALS, "t")
INLINE = (NO_INLINING, *(limit.value for limit in Limit))


def count(text: str) -> int:
    """The argument of an option that must be a number, perhaps 0."""
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"a number from 0 to 999,999,999 is needed, not {text!r}")
    return int(text)


def inlining(text: str) -> str:
    """The argument of /inline."""
    if text not in INLINE:
        raise argparse.ArgumentTypeError(f"one of {', '.join(INLINE)} is needed, not {text!r}")
    return text


def subsumption(text: str) -> int:
    """The argument of /subsumption."""
    if text not in ("0", "1", "2"):
        raise argparse.ArgumentTypeError(f"one of 0, 1, 2 is needed, not {text!r}")
    return int(text)


def inferring(text: str) -> str:
    """The argument of /infer."""
    if text not in INFER:
        raise argparse.ArgumentTypeError(
            f"there are j (intervals of numbers) and t (nothing), not {text!r}"
        )
    return text


def prover(text: str) -> str:
    """The argument of /proverOpt: a setting of Z3, or what only concerns which one runs.

    >>> prover("O:smt.random_seed=3"), prover("RESOURCE_LIMIT=1000"), prover("SOLVER=Z3")
    ('smt.random_seed=3', 'rlimit=1000', '')
    """
    name, _, value = text.partition("=")
    if name.startswith("O:") and value and not re.search(r"\s", text):
        return text[2:]
    if name == "RESOURCE_LIMIT":
        return limit(value)
    if text.upper() == "SOLVER=Z3" or name in _ABOUT_PROCESSES:
        print(f"note: /proverOpt:{text} is left out: {_CHOSEN}", file=sys.stderr)
        return ""
    raise argparse.ArgumentTypeError(
        f"there are O:NAME=VALUE for a parameter of Z3 and RESOURCE_LIMIT=N, not {text!r}"
    )


def limit(text: str) -> str:
    """The argument of /rlimit as a setting of Z3."""
    return f"rlimit={count(text)}"


_ABOUT_PROCESSES = ("PROVER_PATH", "PROVER_NAME", "VERBOSITY", "BATCH_MODE", "LOG_FILE")
_CHOSEN = "which solver runs, and how it is talked to, is decided here"
_PRINTED = "it only changes what is printed"
_ENCODED = "how programs are told to solvers is decided here, and means the same"
_WORK = "it only changes how the work is divided"
_ALL = "all axioms are told to solvers, so what fewer of them prove is proved as well"

_ONLY_PRINTED = (
    "trace traceTimes tracePOs traceverify traceCaching printModel printModelToFile mv env print "
    "pretty printWithUniqueIds printUnstructured printDesugared printLambdaLifting printCFG "
    "printInlined printInstrumented xml log logPrefix proverLog proverLogAppend proverWarnings "
    "enhancedErrorMessages normalizeNames useBaseNameForFileName printVerifiedProceduresCount "
    "printNecessaryAssumes warnNotEliminatedVars vcsDumpSplits emitDebugInformation explainHoudini "
    "siVerbose"
)
_ONLY_ENCODED = (
    "typeEncoding useArrayTheory useArrayAxioms weakArrayTheory monomorphize freeVarLambdaLifting "
    "vc vcBrackets removeEmptyBlocks coalesceBlocks liveVariableAnalysis reflectAdd causalImplies "
    "useSmtOutputFormat z3types z3lets z3multipleErrors doNotUseLabels boolControlVC "
    "freshAnonymousNames modifyTopologicalSorting randomSeed instrumentInfer "
    "noPruneInfeasibleEdges"
)
_ONLY_WORK = (
    "vcsCores vcsLoad vcsMaxCost vcsMaxSplits vcsMaxKeepGoingSplits vcsKeepGoingTimeout "
    "vcsFinalAssertTimeout vcsPathJoinMult vcsPathCostMult vcsAssumeMult vcsPathSplitMult "
    "vcsSplitOnEveryAssert relaxFocus restartProver proverMemoryLimit proverShutdownLimit "
    "useUnsatCoreForContractInfer concurrentHoudini reverseHoudiniWorklist verifySnapshots wait"
)
_SOLVERS = "solvers and their options are chosen here; leave it out"
_LAYERS = (
    "trustAtomicityTypes trustNonInterference trustLayersUpto trustLayersDownto CivlDesugaredFile"
)
# Boogie's own library, with which it comes.
BASE = (
    "Option, Vec, Set and Map of this library are datatypes, which are not supported; declare the "
    "types that are needed with functions and axioms, and functions on maps as "
    '{:builtin "MapConst"}, {:builtin "MapAnd"} and so on'
)
_SEARCH = "it belongs to /stratifiedInline:1"

BOOGIE = Slashed(
    {
        "proc": ("proc", str),
        "loopUnroll": ("loop_unroll", count),
        "inline": ("inline", inlining),
        "errorLimit": ("error_limit", count),
        "timeLimit": ("timeout", positive),
        "subsumption": ("subsumption", subsumption),
        "infer": ("infer", inferring),
        "stratifiedInline": ("stratified", count),
        "recursionBound": ("recursion_bound", count),
        "inlineDepth": ("inline_depth", count),
        "errorTrace": ("error_trace", count),
        "rlimit": ("settings", limit),
        "proverOpt": ("settings", prover),
    },
    {
        "contractInfer": "contract_infer",
        "inferModifies": "infer_modifies",
        "doModSetAnalysis": "infer_modifies",
        "extractLoops": "extract_loops",
        "deterministicExtractLoops": "extract_loops",
        "alwaysAssumeFreeLoopInvariants": "free_invariants",
    },
    ("nologo", "quiet", "noinfer", "printAssignment"),
    {
        **dict.fromkeys(_ONLY_PRINTED.split(), _PRINTED),
        **dict.fromkeys(_ONLY_ENCODED.split(), _ENCODED),
        **dict.fromkeys(_ONLY_WORK.split(), _WORK),
        "prune": _ALL,
    },
    {
        "typeEncoding:n": "an encoding without types proves what is not so",
        "prover": _SOLVERS,
        "proverPreamble": _SOLVERS,
        "z3exe": _SOLVERS,
        "z3opt": _SOLVERS,
        "cvc4exe": _SOLVERS,
        "lib:base": BASE,
        "lib": "there is no library; declare what the program needs of it",
        "smoke": "whether a proof holds for want of executions is not looked at",
        "soundLoopUnrolling": "longer executions are always left out by /loopUnroll",
        "interprocInfer": "there is /infer:j, procedure by procedure",
        "checkInfer": "invariants that are inferred are assumed, and cannot be wrong",
        "verifySeparately": "give each file to a command of its own",
        "overlookTypeErrors": "a program is verified only if there are no mistakes in it",
        "noVerify": "this command verifies; leave it out",
        "noResolve": "this command verifies; leave it out",
        "noTypecheck": "this command verifies; leave it out",
        "fixedPointEngine": "there is 'solvent reach', which finds out summaries",
        "inferLeastForUnsat": "it is not done",
        "stackDepthBound": f"{_SEARCH}; use /recursionBound, or 'solvent reach'",
        "kInductionDepth": "it is not done",
        **dict.fromkeys(
            _LAYERS.split(),
            "layers of concurrent programs are not checked; 'solvent reach' searches threads",
        ),
    },
    ("proc", "settings"),
)
