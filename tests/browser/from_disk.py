"""Files that were exported, opened from disk without a network."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.conftest import Watch


@contextmanager
def offline(watch: Watch, page: Any, address: str) -> Iterator[None]:
    """The page asks for nothing but the file, and raises no error."""
    page.context.set_offline(True)
    try:
        with watch.requests(page):
            page.goto(address)
            yield
        assert set(watch.strangers) == {address.partition("#")[0]}
        assert watch.errors == []
    finally:
        page.context.set_offline(False)
