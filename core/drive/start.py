"""A run from its settings: the model is connected, the tools are made, the file is opened. And a run taken up again."""

from collections.abc import Callable
from typing import Any

from core.drive.drive import Drive
from core.drive.restore import Restored, restored
from core.drive.store import Store
from core.events import RunSettings
from core.llm import LLM, connect
from core.model import ToolCall
from core.toolbox import make_tools
from core.tools import ToolRegistry


def start(settings: RunSettings, store: Store, *, key: str = "", title: str = "") -> Drive:
    """A new run, ready to be told what to do. Raises FoldlineError: no key, no such folder, a file that cannot be written."""
    llm = _model(settings, key)
    tools, close = _tools(settings)
    id = store.new_id()
    recorder = store.recorder(id)
    return Drive(settings, llm, tools, recorder, id=id, title=title, closing=_all(close, lambda: store.release(id)))


def resume(id: str, store: Store, *, key: str = "") -> Drive:
    """A run taken up where its file ends. Raises FoldlineError, also where another process drives it."""
    before = restored(store.events(id))
    settings = before.settings
    llm = _model(settings, key, made=len(_replies(before)))
    tools, close = _tools(settings, _calls(before))
    recorder = store.recorder(id, before.seq)
    closing = _all(close, lambda: store.release(id))
    return Drive(settings, llm, tools, recorder, id=id, title=before.title, before=before, closing=closing)


def _replies(before: Restored) -> list[Any]:
    return [m for m in before.course.base.messages if m.role == "assistant"]


def _calls(before: Restored) -> list[ToolCall]:
    """The calls that were answered."""
    messages = before.course.base.messages
    answered = {m.tool_call_id for m in messages if m.role == "tool" and not m.is_error}
    return [call for m in messages for call in m.tool_calls if call.id in answered]


def _model(settings: RunSettings, key: str, made: int = 0) -> LLM:
    more: dict[str, Any] = {"max_output": settings.max_output} if settings.max_output else {}
    return connect(settings.provider, settings.model, key, settings.base_url, **more)


def _tools(settings: RunSettings, calls: list[ToolCall] | None = None) -> tuple[ToolRegistry, Callable[[], None]]:
    registry = make_tools(settings.tools, settings.folder or None, calls or ())
    return registry, lambda: None


def _all(*close: Callable[[], None]) -> Callable[[], None]:
    def closing() -> None:
        for one in close:
            one()

    return closing
