"""Parts of Copilot CLI events: pictures, tokens, results, and the kind of added messages."""

import json
from dataclasses import dataclass, field
from typing import Any

from core.importers._shapes.blocks import string, whole_number
from core.importers._shapes.images import embedded
from core.model.session import TOKEN_FIELDS, Image, Usage, construct_unchecked


@dataclass(slots=True)
class Event:
    """One line: `time` is its timestamp, `data` what it says, empty where it says nothing."""

    kind: str
    id: str
    line: int
    time: str
    data: dict[str, Any]


@dataclass
class Assets:
    """Pictures that were written once and are referred to by their id."""

    known: dict[str, Image] = field(default_factory=dict)

    def add(self, data: dict[str, Any]) -> None:
        """One picture, or another file, as its event holds it."""
        self.known[string(data.get("assetId"))] = embedded(data.get("mimeType"), data.get("data"))

    def pictures(self, items: Any) -> tuple[Image, ...]:
        """Those among attachments or among the parts of a result; texts and files named by their path are none."""
        found = items if isinstance(items, list) else []
        return tuple(image for item in found if isinstance(item, dict) and (image := self._picture(item)))

    def _picture(self, item: dict[str, Any]) -> Image | None:
        id, media = string(item.get("assetId")), string(item.get("mimeType"))
        if isinstance(item.get("data"), str):
            return embedded(media, item["data"])
        if id:
            return self.known.get(id, Image(media_type=media, source=id))
        return Image(media_type=media) if string(item.get("omittedReason")) and media.startswith("image/") else None


def result_text(data: dict[str, Any]) -> str:
    """What the model was told of a call: the result, or the error."""
    result, error = data.get("result"), data.get("error")
    if isinstance(result, dict):
        content = result.get("content", result.get("detailedContent"))
        return content if isinstance(content, str) else _json(content)
    if isinstance(error, dict):
        return string(error.get("message")) or _json(error)
    return result if isinstance(result, str) else string(error)


def _json(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def result_pictures(data: dict[str, Any], assets: Assets) -> tuple[Image, ...]:
    """The pictures that the model was given with a result: those meant for it, or else those the tool returned."""
    result = data.get("result")
    if not isinstance(result, dict):
        return ()
    return assets.pictures(result.get("binaryResultsForLlm")) or assets.pictures(result.get("contents"))


def usage_of(tokens: Any) -> Usage | None:
    """Recorded tokens; the input holds what was read from a cache and written to it."""
    if not isinstance(tokens, dict):
        return None
    given, output = (whole_number(tokens.get(f"{k}Tokens", tokens.get(k))) for k in ("input", "output"))
    read, write = (
        whole_number(tokens.get("cacheReadTokens", tokens.get("cachedInput"))),
        whole_number(tokens.get("cacheWriteTokens")),
    )
    if not (given or output or read or write):
        return None
    fresh = max(given - read - write, 0)
    return construct_unchecked(Usage, input_uncached=fresh, cache_read=read, cache_write=write, output=output)


def metrics_of(metrics: Any) -> Usage | None:
    """The sum over the models of what a shutdown says; None where it says nothing."""
    models = metrics.values() if isinstance(metrics, dict) else ()
    found = [used for model in models if isinstance(model, dict) and (used := usage_of(model.get("usage")))]
    return sum(found[1:], found[0]) if found else None


def grown(total: Usage | None, last: Usage | None, new: Usage | None) -> Usage | None:
    """The total after another shutdown. It counts on from the last one, unless it says less: then it began again."""
    if new is None:
        return total
    if total is None or last is None:
        return new if total is None else total + new
    if any(getattr(new, name) < getattr(last, name) for name in TOKEN_FIELDS):
        return total + new
    return total + Usage(**{name: getattr(new, name) - getattr(last, name) for name in TOKEN_FIELDS})


def injected_kind(data: dict[str, Any]) -> str:
    """What put in a user message; empty where a person typed it."""
    if data.get("isAutopilotContinuation") is True:
        return "autopilot"
    source = string(data.get("source"))
    return "" if source in ("", "user") else source.split("-")[0] or "system"
