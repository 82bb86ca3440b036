"""pydantic-ai: a list of its messages, as `ModelMessagesTypeAdapter` or `result.all_messages_json()` writes it.

The list may also stand in an object: the dump of a run's result (`messages`, older ones `_state.message_history`), or what
an app keeps of a chat. A file of several such objects, in a list or line by line, holds several sessions.

Tools come back as parts of the next request. A `retry-prompt` asks the model again, as the result of a call or else by
itself; the words around it differ by version and are not recorded. A `compaction` part is the summary of a provider, in a
response, or of a harness, in a request: then what it stands for is gone from the list. Usage includes what was cached.

https://ai.pydantic.dev/message-history/ · https://github.com/pydantic/pydantic-ai (pydantic_ai_slim/pydantic_ai/messages.py)
"""

from collections.abc import Iterator
from typing import Any

from core.importers._files.source import Head, Source
from core.importers._files.text import counted
from core.importers._shapes.blocks import string, total
from core.importers._shapes.chats import Chats, Items, chat_session
from core.importers.pydantic_ai.messages import Reading, is_message
from core.importers.pydantic_ai.parts import usage_of
from core.model.session import Session

LABEL = "pydantic-ai"
DOCS = "https://ai.pydantic.dev/message-history/"
GROUP = "frameworks"


def recognises(head: Head) -> bool:
    """Whether the file is a message, a list of messages, or has objects with such a list."""
    return _CHATS.recognises(head)


def read(source: Source) -> Iterator[Session]:
    """The session of a list, or of each object that holds one."""
    return _CHATS.read(source)


def _session(items: Items, known: dict[str, Any]) -> Session:
    """The session of messages, each with its place; `known` is the object they lay in."""
    reading = Reading()
    for place, item in items:
        reading.take(place, item)
    return chat_session(
        "pydantic-ai",
        reading.messages,
        known,
        id=string(known.get("id")) or string(known.get("conversation_id")) or reading.conversation,
        compactions=tuple(reading.compactions),
        usage=total(m.usage for m in reading.messages) or usage_of(known.get("usage")),
        records=reading.records,
        malformed_lines=reading.unknown,
        other=counted(reading.other),
        notes=tuple(reading.notes()),
    )


_CHATS = Chats(
    is_message,
    keys=("messages", "all_messages", "message_history", "new_messages", "history"),
    states=("_state", "state", "result", "run"),
    session=_session,
)
