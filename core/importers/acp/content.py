"""Content blocks of the protocol, and what a tool call shows of its result.

https://agentclientprotocol.com/protocol/content · https://agentclientprotocol.com/protocol/tool-calls
"""

from typing import Any

from core.importers._shapes.blocks import list_of, object_of, string
from core.importers._shapes.images import embedded, linked
from core.importers._shapes.loose_blocks import as_text
from core.model.session import Image


def text_of(block: Any) -> str:
    """The text of a block: of a resource what it holds, or its address."""
    block = object_of(block)
    if block.get("type") == "text":
        return string(block.get("text"))
    resource = object_of(block.get("resource")) or block
    return string(resource.get("text")) or string(resource.get("uri"))


def image_of(block: Any) -> Image | None:
    """The picture, or the sound, of a block; None for any other."""
    block = object_of(block)
    if block.get("type") not in ("image", "audio"):
        return None
    return embedded(block.get("mimeType"), block.get("data")) if block.get("data") else linked(block.get("uri"))


def result_of(raw: Any, content: Any) -> str:
    """What a tool answered: its output where that is text, else what was shown of it, else the output as JSON.

    What was shown may be fenced or cut for people, and the model be sent neither: nothing says what it was sent.
    """
    if isinstance(raw, str) and raw:
        return raw
    shown = [_shown(object_of(item)) for item in list_of(content)]
    return "\n".join(filter(None, shown)) or ("" if raw is None else as_text(raw))


def _shown(item: dict[str, Any]) -> str:
    """A block, or a file as it was changed; of a terminal only its id is known."""
    if item.get("type") == "diff":
        return as_text({key: item[key] for key in ("path", "oldText", "newText") if item.get(key) is not None})
    return text_of(item.get("content"))
