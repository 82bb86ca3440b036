"""Finds the tool families beside it: `make_tools(["calculator", "files"], folder)` gives what a live agent may call.

A family is one module in this folder with

    FAMILY     its `Family`: name, label, one line for people, and whether it needs a folder
    make       (folder) -> its tools, new ones for each run
    replay     (tools, calls) -> None, for tools with state: restores the state from recorded calls

To add a family, add a module. No tool leaves its folder or runs code, and every answer has a limit.
"""

import importlib
import os
import pkgutil
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

from core.model.errors import ParameterError, named
from core.model.paths import check_place
from core.model.session import ToolCall
from core.toolbox.limits import limited, limited_answer
from core.toolbox.tools import Family, Tool, ToolRegistry

__all__ = ["Family", "checked_folder", "families", "limited", "limited_answer", "make_tools"]


@cache
def _modules() -> dict[str, ModuleType]:
    """Every family's module by the family's name, in order of name."""
    found = [importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)]
    families = [module for module in found if isinstance(getattr(module, "FAMILY", None), Family)]
    return dict(sorted((module.FAMILY.name, module) for module in families))


def families() -> list[Family]:
    """Every family, in order of name."""
    return [module.FAMILY for module in _modules().values()]


def make_tools(
    names: Iterable[str], folder: str | os.PathLike[str] | None = None, calls: Sequence[ToolCall] = ()
) -> ToolRegistry:
    """The tools of these families, in this order, new for one run.

    `calls` are the answered calls of a reopened run: tools restore their state from them. Raises
    UnknownNameError for a family that does not exist, ParameterError for a folder that is missing or cannot be used.
    """
    registry = ToolRegistry()
    for name in dict.fromkeys(names):
        module = named("tool family", name, _modules())
        tools: list[Tool] = module.make(_folder_for(module.FAMILY, folder))
        if calls and hasattr(module, "replay"):
            module.replay(tools, calls)
        for one in tools:
            registry.register(one)
    return registry


def _folder_for(family: Family, folder: str | os.PathLike[str] | None) -> Path | None:
    if not family.needs_folder:
        return None
    if folder is None or not str(folder):
        raise ParameterError(f"the tools {family.name!r} need a folder", "choose a folder")
    return checked_folder(folder)


def checked_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder as an absolute path without links. Raises ParameterError unless it exists and may be read."""
    if "\0" in str(folder):
        raise ParameterError(f"{str(folder)!r} is not a path", "choose a folder")
    check_place(str(folder))
    try:
        path = Path(folder).expanduser().resolve(strict=True)
    except (OSError, RuntimeError):
        raise ParameterError(f"there is no folder {str(folder)!r}", "choose a folder that exists") from None
    if not path.is_dir():
        raise ParameterError(f"{str(folder)!r} is not a folder", "choose the folder that contains it")
    if not os.access(path, os.R_OK | os.X_OK):
        raise ParameterError(f"the folder {str(folder)!r} cannot be read", "choose another, or change its permissions")
    return path
