"""What the JSON object of a command must be."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "envelope.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)
