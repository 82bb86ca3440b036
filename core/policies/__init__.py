"""Finds the policies beside it: every module here with a `POLICY` is one, and needs no entry anywhere else."""

import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any

from core.model.errors import ParameterError, UnknownNameError
from core.policy.policy import Policy


@cache
def _found() -> dict[str, Policy]:
    modules = (_loaded(found.name) for found in pkgutil.iter_modules(__path__))
    known = [module.POLICY for module in modules if hasattr(module, "POLICY")]
    return {policy.name: policy for policy in sorted(known, key=lambda policy: policy.name)}


def _loaded(name: str) -> ModuleType:
    """The module of that name. Raises ParameterError, naming the file, where it is no policy."""
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ValueError as error:  # what pydantic says of a field
        raise ParameterError(
            f"core/policies/{name}.py is not a policy: {_first(error)}", "see core/README.md"
        ) from error


def _first(error: ValueError) -> str:
    return " ".join(str(error).split()[:40])


def policies() -> list[Policy]:
    """Every policy there is, in order of name, its parameters at their defaults."""
    return [policy.with_settings({}) for policy in _found().values()]


def policy(name: str, /, **parameters: Any) -> Policy:
    """The policy of that name with these parameters, the others at their defaults.

    Raises UnknownNameError, listing the known ones, on a name or parameter that does not exist, and ParameterError on a
    value that a parameter cannot take.
    """
    if name not in _found():
        raise UnknownNameError("policy", name, _found())
    return _found()[name].with_settings(parameters)
