"""A cache for Kingfisher's rules, which take seconds to be made ready: one for all tests of a process."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the cache."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def cache(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test finds it where a cache would lie in the user's home."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(rules))
