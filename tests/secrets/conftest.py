"""A cache for Kingfisher's rules, which take seconds to be made ready: one for all tests of a process."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where a cache would lie in the user's home."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
