"""Finds the tool families beside it: `make_tools(["calculator", "files"], folder)` gives what a live agent may call.

A family is one module in this folder with

    FAMILY     its name, label and line for people (`Family`), and whether it needs a folder
    make       (folder) -> its tools, new ones for each run
    replay     (tools, calls) -> None; may be missing: puts tools that remember back to where recorded calls left them

Adding a family is adding a module. No tool leaves the folder it was given or runs code, and every answer has limits.
"""

import importlib
import os
import pkgutil
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

from core.errors import ParameterError, UnknownNameError
from core.model import ToolCall
from core.toolbox._family import Family
from core.toolbox.limits import limited, limited_answer
from core.tools import Tool, ToolRegistry

__all__ = ["Family", "checked_folder", "families", "limited", "limited_answer", "make_tools"]

_NO_FAMILY = ("limits",)


@cache
def _modules() -> dict[str, ModuleType]:
    """Every family's module by the family's name, in order of name."""
    found = (m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_") and m.name not in _NO_FAMILY)
    made = (importlib.import_module(f"{__name__}.{name}") for name in found)
    return dict(sorted((module.FAMILY.name, module) for module in made))


def families() -> list[Family]:
    """What there is, in order of name."""
    return [module.FAMILY for module in _modules().values()]


def make_tools(
    names: Iterable[str], folder: str | os.PathLike[str] | None = None, calls: Sequence[ToolCall] = ()
) -> ToolRegistry:
    """The tools of these families, in this order, new for one run.

    `calls` are the answered calls of a run that is resumed: what a tool remembers is brought back from them. Raises
    UnknownNameError for a family that does not exist, ParameterError for a folder that is missing or cannot be used.
    """
    registry = ToolRegistry()
    for name in dict.fromkeys(names):
        module = _module(name)
        tools: list[Tool] = module.make(_folder_for(module.FAMILY, folder))
        if calls and hasattr(module, "replay"):
            module.replay(tools, calls)
        for one in tools:
            registry.register(one)
    return registry


def _module(name: str) -> ModuleType:
    if name not in _modules():
        raise UnknownNameError("tool family", name, _modules())
    return _modules()[name]


def _folder_for(family: Family, folder: str | os.PathLike[str] | None) -> Path | None:
    if not family.needs_folder:
        return None
    if folder is None or not str(folder):
        raise ParameterError(f"the tools {family.name!r} work in a folder, and none is given", "choose a folder")
    return checked_folder(folder)


def checked_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder as a whole path without links. Raises ParameterError unless it is there, a folder, and may be read."""
    if "\0" in str(folder):
        raise ParameterError(f"{str(folder)!r} is not a path", "choose a folder")
    try:
        path = Path(folder).expanduser().resolve(strict=True)
    except (OSError, RuntimeError):
        raise ParameterError(f"there is no folder {str(folder)!r}", "choose a folder that exists") from None
    if not path.is_dir():
        raise ParameterError(f"{str(folder)!r} is not a folder", "choose the folder it is in")
    if not os.access(path, os.R_OK | os.X_OK):
        raise ParameterError(f"the folder {str(folder)!r} may not be read", "choose another, or allow reading it")
    return path
