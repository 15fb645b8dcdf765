"""Which modules have a twin: a new one is one line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Twin:
    """How the Python code for a module of the standard library is found."""

    # The module that programs import, and others whose C functions and classes it uses.
    module: str
    # Modules whose source is run, one after the other, those of this package with a dot; of several
    # in brackets the first that is there.
    sources: tuple[str, ...]
    # C modules that the source shall not find.
    without: tuple[str, ...] = ()
    # Modules that the source imports, of which it shall find the twin.
    private: tuple[str, ...] = ()
    # Classes whose instances are values: they never change and have no identity.
    values: tuple[str, ...] = ()
    # Other modules in which its functions and classes say that they are.
    parts: tuple[str, ...] = ()


TWINS = (
    Twin("datetime", ("_pydatetime", ".datetime", ".isoformat"), ("_datetime",),
         private=("_strptime",), values=("date", "time", "datetime", "timedelta")),
    Twin("_strptime", ("_strptime", ".strptime"), private=("datetime",)),
    Twin("json", ("json.scanner", "json.decoder", "json.encoder", ".json"), ("_json",),
         private=("json.scanner",), parts=("json.scanner", "json.decoder", "json.encoder")),
    Twin("fractions", ("fractions",), values=("Fraction",)),
    Twin("posixpath", ("posixpath", ".posixpath"), ("posix",)),
    Twin("uuid", ("uuid",), values=("UUID",)),
    Twin("csv", ("csv", ".csv"), parts=("_csv",)),
    Twin("textwrap", ("textwrap", ".textwrap")),
    Twin("builtins", (".complexes",), values=("complex",)),
    Twin("decimal", ("_pydecimal", ".decimal"), values=("Decimal",), parts=("_decimal",)),
)  # fmt: skip

# By each module in which functions and classes say that they are.
BY_MODULE: dict[str, Twin] = {
    name: twin for twin in TWINS for name in (twin.module, *twin.without, *twin.parts)
}
