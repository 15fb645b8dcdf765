"""Findings as SARIF 2.1.0, which code scanners and editors read.

Each finding is a result; its rule is the kind of the finding.  What is not known is a notification
of the tool, not a result: who shows results takes each of them for a problem of the program.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import solvent
from solvent.cli.cases import Place, Told, sentence
from solvent.verdicts import Finding
from solvent.verdicts.rendering import Json

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# Stands for the folder in which the command was run.
ROOT = "%SRCROOT%"
# The rule of findings that have no kind.
OTHER = "violation"


def as_sarif(told: Told) -> str:
    """The text of the file."""
    run = {
        "tool": {"driver": _driver(told)},
        "invocations": [
            {
                "executionSuccessful": not (told.error or any(one.is_bad for one in told.cases)),
                "arguments": [*told.command.split(), *told.target],
                "toolExecutionNotifications": list(_notifications(told)),
            }
        ],
        "originalUriBaseIds": {ROOT: {"uri": Path.cwd().as_uri().rstrip("/") + "/"}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding) for finding in told.answer.findings],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _driver(told: Told) -> Json:
    kinds = dict.fromkeys(_rule(finding) for finding in told.answer.findings)
    return {
        "name": "Solvent",
        "version": solvent.__version__,
        "rules": [{"id": kind, "shortDescription": {"text": _meaning(kind)}} for kind in kinds],
    }


def _rule(finding: Finding) -> str:
    return finding.kind or OTHER


def _meaning(kind: str) -> str:
    if kind == OTHER:
        return "A property does not hold."
    return f"Some inputs lead to {kind}."


def _result(finding: Finding) -> Json:
    text = sentence(finding)
    result: Json = {
        "ruleId": _rule(finding),
        "level": "error",
        "message": {"text": text},
        "partialFingerprints": {"solvent/v1": _fingerprint(finding)},
        "properties": {
            "inputs": dict(finding.inputs),
            "trace": list(finding.trace),
            "confirmed": finding.confirmed,
        },
    }
    if finding.file:
        result["locations"] = [location(Place(finding.file, finding.line))]
    return result


def _fingerprint(finding: Finding) -> str:
    """What tells a finding from others, wherever its lines move and whatever its inputs are."""
    # What libraries say of values has numbers that differ from run to run, such as addresses.
    message = re.sub(r"\b0x[0-9a-f]+|\d+", "#", finding.message)
    text = "\0".join((finding.kind, finding.file, message))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def location(place: Place) -> Json:
    """A place; files below the folder of the run are relative to it.

    >>> location(Place("a b.py", 3))["physicalLocation"]["artifactLocation"]["uri"]
    'a%20b.py'
    """
    path = Path(place.file)
    if path.is_absolute():
        artifact = {"uri": path.as_uri()}
    else:
        artifact = {"uri": quote(path.as_posix()), "uriBaseId": ROOT}
    physical: Json = {"artifactLocation": artifact}
    if place.line:
        physical["region"] = {"startLine": place.line}
    return {"physicalLocation": physical}


def _notifications(told: Told) -> Iterator[Json]:
    if told.error:
        yield {"level": "error", "message": {"text": told.error}}
        return
    for case in told.cases:
        place = case.place
        if case.skipped:
            text, level = f"{case.name}: not checked: {case.skipped}", "note"
        elif case.is_bad:
            (place, text), level = case.mistake, "error"
        elif case.is_open:
            text, level = case.why, "warning"
        else:
            continue
        found: Json = {"level": level, "message": {"text": text}}
        if place.file:
            found["locations"] = [location(place)]
        yield found
