"""Finds the providers beside it: `connect("anthropic", model)` gives a model to talk to.

A provider is one module in this folder, or in core/demo, with

    PROVIDER     the Provider: its name, models, where the key is looked for
    connect      (model, key="", base_url="", **settings) -> LLM; raises ModelError, and sends nothing yet

To add a provider, add a module. Modules without a PROVIDER are helpers. Nothing here imports an SDK: an adapter does so
before its first request, because that takes seconds.
"""

import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any

from core.llm.protocol import LLM
from core.llm.provider import Provider
from core.model.errors import named
from core.model.import_name import import_name

PACKAGES = (import_name("core.llm"), import_name("core.demo"))
"""Where providers are looked for."""


@cache
def _modules() -> dict[str, ModuleType]:
    """Every module that offers a provider, by the provider's name, in order of name."""
    packages = [importlib.import_module(name) for name in PACKAGES]
    names = [m.name for package in packages for m in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")]
    found = [importlib.import_module(name) for name in names]
    offered = [m for m in found if isinstance(getattr(m, "PROVIDER", None), Provider)]
    return {m.PROVIDER.name: m for m in sorted(offered, key=lambda m: m.PROVIDER.name)}


def providers() -> list[Provider]:
    """Every provider, in order of name."""
    return [module.PROVIDER for module in _modules().values()]


def provider(name: str) -> Provider:
    """The provider of that name. Raises UnknownNameError, which lists the known ones."""
    return named("provider", name, _modules()).PROVIDER  # type: ignore[no-any-return]


def connect(name: str, model: str = "", key: str = "", base_url: str = "", **settings: Any) -> LLM:
    """A model of a provider; "" is what the environment says, or the provider's default. Nothing is sent yet.

    `settings` are the adapter's own, such as `max_output` in tokens, `timeout` in seconds and `max_retries`. Raises
    UnknownNameError for the provider, ModelError for a missing key, a missing model or an invalid address.
    """
    module = named("provider", name, _modules())
    return module.connect(model or module.PROVIDER.model, key, base_url, **settings)  # type: ignore[no-any-return]
