"""Packages that not everybody needs: those of the extra `cluster`."""

from collections.abc import Iterator
from contextlib import contextmanager

from core.model.errors import FoldlineError


@contextmanager
def extra(what: str) -> Iterator[None]:
    """Import one of them inside. Raises FoldlineError where it is not installed: what needs it, and how to get it."""
    try:
        yield
    except ImportError as error:
        raise FoldlineError(f"{what} needs the package {error.name}", "pip install 'foldline[cluster]'") from None
