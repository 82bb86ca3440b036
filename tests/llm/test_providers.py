"""Providers are found beside each other, and a key goes only where it should."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.llm import LLM, Provider, connect, provider, providers
from core.llm.adapter import Adapter
from core.llm.endpoint import PLACEHOLDER
from core.meters.context_windows import limits_of
from core.model.errors import ModelError, UnknownNameError
from tests.llm.replies import KEY

REAL = ("anthropic", "openai-chat", "openai-compatible", "openai-responses")
ROOT = Path(__file__).parents[2]


def endpoint_of(model: LLM) -> tuple[str, str]:
    """Where a model is asked, and with what key."""
    assert isinstance(model, Adapter)
    return model.endpoint.host, model.endpoint.key


def test_the_providers_there_are() -> None:
    """In order of name, each with what a page needs to offer it."""
    names = [one.name for one in providers()]
    assert names == sorted(names)
    assert set(REAL) <= set(names)
    assert provider("anthropic").key_variables == ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
    assert all(one.label and isinstance(one, Provider) for one in providers())


def test_an_unknown_provider_is_an_error_that_lists_the_known() -> None:
    """Whether it is looked up or connected to."""
    for ask in (provider, connect):
        with pytest.raises(UnknownNameError, match="unknown provider 'gpt'") as caught:
            ask("gpt")
        assert "anthropic, " in caught.value.hint


@pytest.mark.parametrize("name", REAL)
def test_suggested_models_are_known(name: str) -> None:
    """Their windows are in the table, so that a budget can be suggested too."""
    assert [model for model in provider(name).models if limits_of(model) is None] == []


def test_a_module_offers_a_provider_without_an_edit_elsewhere(tmp_path: Path) -> None:
    """A file put into the folder is found, and connects."""
    code = """
import core.llm, sys
core.llm.__path__.append(sys.argv[1])
print([p.name for p in core.llm.providers()], core.llm.connect("mine", "x", a=1))
"""
    module = 'from core.llm.provider import Provider\nPROVIDER = Provider(name="mine", label="Mine")\n'
    module += "def connect(model, key, base_url, **settings): return (model, settings)\n"
    (tmp_path / "of_mine.py").write_text(module)
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "'mine'" in done.stdout
    assert done.stdout.endswith("('x', {'a': 1})\n")


def test_importing_core_imports_no_sdk() -> None:
    """Nor does looking for providers, connecting, or looking at a request: that takes seconds and is not needed."""
    code = """
import sys, core, core.llm.exports
from core import Message
from core.llm import connect, providers
providers()
for name in ("anthropic", "openai-chat", "openai-responses", "openai-compatible"):
    connect(name, "m", "key-of-mine").request([Message(role="user", content="Hi")], [])
print([name for name in ("anthropic", "openai", "httpx2", "httpx") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken where none is typed; one that is typed comes first."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert endpoint_of(connect("openai-responses")) == ("api.openai.com:443", KEY)
    assert endpoint_of(connect("openai-chat", key=" other ")) == ("api.openai.com:443", "other")


def test_a_key_of_the_environment_goes_to_no_typed_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to another host or port, nor unencrypted to the right one; the provider's own address may be typed."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for address in ("http://localhost:8000/v1", "https://api.openai.com:444/v1"):
        assert endpoint_of(connect("openai-chat", base_url=address))[1] == PLACEHOLDER
    with pytest.raises(ModelError, match="no key"):
        connect("openai-chat", base_url="http://api.openai.com:443/v1")
    assert endpoint_of(connect("openai-chat", base_url="https://api.openai.com/v1/")) == ("api.openai.com:443", KEY)


def test_an_address_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken where none is typed, and the environment's key goes there: they were set together."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://localhost:4000")
    assert endpoint_of(connect("anthropic")) == ("localhost:4000", KEY)
    assert endpoint_of(connect("anthropic", base_url="http://localhost:5000")) == ("localhost:5000", PLACEHOLDER)
    assert endpoint_of(connect("openai-compatible", "llama")) == ("localhost:11434", PLACEHOLDER)


@pytest.mark.parametrize(
    "address", ["localhost:8000", "ftp://a", "http://", "http://a:port", "http://[::1", "file:///a"]
)
def test_an_address_that_is_none(address: str) -> None:
    """It is refused before anything is sent, without repeating it: it may hold a password."""
    with pytest.raises(ModelError, match="is not an http") as caught:
        connect("openai-compatible", "m", base_url=address)
    assert caught.value.kind == "bad_request"
    assert caught.value.hint == "it looks like http://localhost:11434/v1"


@pytest.mark.parametrize("key", ["sk-1234 5678", "sk-1234\n5678", "sk-1234…5678", '"sk-12345678"'])
def test_a_key_that_is_none(key: str) -> None:
    """What was copied with a line break or in quotes is refused at once, and not repeated."""
    with pytest.raises(ModelError, match="contains a space or another invalid character") as caught:
        connect("anthropic", key=key)
    assert caught.value.kind == "no_key"
    assert "1234" not in f"{caught.value} {caught.value.hint}"


def test_a_model_must_be_named() -> None:
    """Where a provider has no default, as only its server knows its models."""
    with pytest.raises(ModelError, match="no model given"):
        connect("openai-compatible")
    assert getattr(connect("anthropic", key=KEY), "model", "") == "claude-sonnet-5-5"
