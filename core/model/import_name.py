"""What modules are called: in a checkout `core.cli`, in the installed package `foldline.core.cli` (see hatch_build.py)."""

import tomllib
from importlib.metadata import version
from pathlib import Path

_PREFIX = __package__.removesuffix("core.model")

IMPORT_ROOT = Path(__file__).parents[__package__.count(".") + 1]
"""The folder from which the modules are imported: the checkout, or where the package is installed."""


def import_name(module: str) -> str:
    """The name by which a module of this project is imported here, such as `core.cli` or `viewer.serve`."""
    return f"{_PREFIX}{module}"


def own_version() -> str:
    """The version of this project: as the installed package's metadata has it, in a checkout as pyproject.toml does."""
    if _PREFIX:
        return version(_PREFIX.removesuffix("."))
    project = tomllib.loads((IMPORT_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])
