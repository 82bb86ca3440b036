"""Packages that not everybody needs: those of the extra `cluster`."""

import importlib
from typing import Any

from core.model.errors import FoldlineError


def extra(module: str, what: str) -> Any:
    """The module. Raises FoldlineError, which says what needs it and how to get it, where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise FoldlineError(f"{what} needs the package {module}", "pip install 'foldline[cluster]'") from None
