"""Builds the compiled core, if there is a compiler; without one Solvent runs on the core in Python.

`SOLVENT_CORE=require` in the environment makes it an error that the core cannot be built, which is
what a release wants; `SOLVENT_CORE=skip` leaves it out.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("src", "solvent", "terms", "compiled.c")
FLAGS = ("-O3", "-DNDEBUG", "-fwrapv", "-fPIC")


def file_name() -> str:
    """The name of the compiled core for the Python that runs this."""
    return f"{SOURCE.stem}{sysconfig.get_config_var('EXT_SUFFIX')}"


def command(source: Path, target: Path) -> list[str]:
    """The command that compiles a source into an extension module."""
    linker = shlex.split(sysconfig.get_config_var("LDSHARED") or "cc -shared")
    if os.environ.get("CC"):
        linker[:1] = shlex.split(os.environ["CC"])
    extra = [
        flag
        for name in ("ARCHFLAGS", "CFLAGS", "LDFLAGS")
        for flag in shlex.split(os.environ.get(name, ""))
    ]
    include = sysconfig.get_path("include")
    return [*linker, *FLAGS, *extra, f"-I{include}", str(source), "-o", str(target)]


def compiled(root: Path, folder: Path) -> Path | None:
    """The compiled core in a folder, or None if it cannot be built here."""
    wanted = os.environ.get("SOLVENT_CORE", "")
    if wanted == "skip":
        return None
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / file_name()
    # An old one must not stay: it may be of other sources.  A running process keeps its own.
    target.unlink(missing_ok=True)
    try:
        subprocess.run(command(root / SOURCE, target), check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        if wanted == "require":
            details = getattr(error, "stderr", "") or error
            raise RuntimeError(f"the compiled core cannot be built: {details}") from error
        return None
    return target


class CoreHook(BuildHookInterface[Any]):
    """Puts the compiled core into a wheel, or beside its source for an editable installation."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files of a wheel are collected."""
        root = Path(self.root)
        if version == "editable":
            compiled(root, root / SOURCE.parent)
            return
        built = compiled(root, root / "build" / "core")
        if built is not None:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["force_include"][str(built)] = f"solvent/terms/{built.name}"
