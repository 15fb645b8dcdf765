"""`strptime`: the language of the machine is asked for outside of lifted code.

This is run in the module that has run the Python code of the standard library already.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, import-not-found"
from __future__ import annotations

import _strptime as _original

from solvent.lift.twins.remembering import language as _language


def _getlang():
    return _language(_original)
