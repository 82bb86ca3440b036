"""For the tests of models: no key and no address of the machine's own."""

import pytest

VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the environment is taken."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
