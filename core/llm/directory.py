"""Finds the providers beside it: `connect("anthropic", model)` gives a model to talk to.

A provider is one module in this folder with

    PROVIDER     the Provider: its name, models, where the key is looked for
    connect      (model, key="", base_url="", **settings) -> LLM; raises ModelError, without having sent anything

Offering one more is adding a module. Modules without a PROVIDER are helpers. Nothing here imports an SDK: an adapter does so
when it makes its first request, because that takes seconds.
"""

import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any

from core.errors import UnknownNameError
from core.llm.protocol import LLM
from core.llm.provider import Provider


@cache
def _modules() -> dict[str, ModuleType]:
    """Every module that offers a provider, by the provider's name, in order of name."""
    folder = importlib.import_module("core.llm").__path__
    beside = sorted(m.name for m in pkgutil.iter_modules(folder))
    found = [importlib.import_module(f"core.llm.{name}") for name in beside if not name.startswith("_")]
    return {m.PROVIDER.name: m for m in found if isinstance(getattr(m, "PROVIDER", None), Provider)}


def providers() -> list[Provider]:
    """Every provider there is, in order of name."""
    return [module.PROVIDER for module in _modules().values()]


def provider(name: str) -> Provider:
    """The provider of that name. Raises UnknownNameError, listing the known ones."""
    return _module(name).PROVIDER  # type: ignore[no-any-return]


def connect(name: str, model: str = "", key: str = "", base_url: str = "", **settings: Any) -> LLM:
    """A model of a provider, ready to be asked; "" is the provider's default, or what the environment says.

    `settings` are the adapter's own, such as `max_output` in tokens, `timeout` in seconds and `max_retries`. Nothing is sent
    yet. Raises UnknownNameError for the provider, ModelError where there is no key, no model, or the address is none.
    """
    module = _module(name)
    return module.connect(model or module.PROVIDER.model, key, base_url, **settings)  # type: ignore[no-any-return]


def _module(name: str) -> ModuleType:
    if name not in _modules():
        raise UnknownNameError("provider", name, _modules())
    return _modules()[name]
