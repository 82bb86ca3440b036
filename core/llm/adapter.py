"""What the adapters of all providers do alike: look at the pairs, ask, read, and tell what failed."""

import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import cached_property
from typing import Any, ClassVar, Protocol

from core.errors import FoldlineError
from core.llm.failures import bad_reply, cut_off, failure
from core.llm.line import Line
from core.llm.pairs import check_pairs
from core.llm.protocol import ToolSpec
from core.llm.reply import Reply, mark_of, message_of
from core.llm.watched import watched
from core.model import Message


class Told(Protocol):
    """What puts the events of a stream together."""

    @property
    def reply(self) -> dict[str, Any]:
        """What has been told so far, in the shape of a whole reply."""
        ...

    @property
    def whole(self) -> bool:
        """Whether the reply ended, and did not break off."""
        ...

    def take(self, event: dict[str, Any]) -> str:
        """Take in one event; the text it brings."""
        ...


class Adapter:
    """A model of a provider, behind the LLM protocol. A subclass says how a request looks and how its reply is read.

    `complete`, `stream`, `request` and, where a provider has it, `count_tokens` raise BrokenPairError before anything is sent,
    and ModelError for what fails. Retries are the SDK's, with backoff. An adapter may be used from several threads.
    """

    leading: ClassVar[tuple[str, ...]] = ()
    """What the SDK puts in front of a body, as its tested releases do; the rest is in order of name."""
    streaming: ClassVar[dict[str, Any]] = {"stream": True}
    """What a body says beside, that asks for a stream."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.model = line.model

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r}, {self.line.host!r})"

    @cached_property
    def _client(self) -> Any:
        """The SDK's client, made at the first request: importing an SDK takes seconds."""
        client = self._connected()
        weakref.finalize(self, client.close)
        return client

    def request(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), streamed: bool = False
    ) -> dict[str, Any]:
        """The JSON body that `complete` would send, or `stream` if `streamed`; in the order in which its names are sent.

        Raises BrokenPairError, as that would not be sent.
        """
        check_pairs(messages)
        body = self._body(messages, tools) | (self.streaming if streamed else {})
        return {name: body[name] for name in sorted(body, key=self._place)}

    def _place(self, name: str) -> tuple[int, str]:
        return (self.leading.index(name), "") if name in self.leading else (len(self.leading), name)

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> Message:
        """The model's reply. Raises ModelError."""
        body = self.request(messages, tools)
        return message_of(self._read(self._answered(lambda: self._ask(body))), self.line)

    def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        heard: Callable[[str], None],
        cancelled: Callable[[], bool],
    ) -> Message:
        """The reply; its text is told to `heard` as it comes, in this thread.

        Raises ModelError, and RunCancelledError within a moment once `cancelled()` is true.
        """
        body, told, length = self.request(messages, tools, streamed=True), self._told(), 0
        with closing(self._texts(body, told, cancelled)) as texts:
            for text in filter(None, texts):
                length += len(text)
                heard(text)
        return self._ended(told, length, heard)

    def _texts(self, body: dict[str, Any], told: Told, cancelled: Callable[[], bool]) -> Generator[str, None, None]:
        """The text that each event of a stream brings, its failure told as a ModelError."""
        length = None
        try:
            for event in watched(lambda: self._events(body), cancelled):
                text = told.take(event.to_dict(warnings=False))
                length = (length or 0) + len(text)
                yield text
        except FoldlineError:
            raise
        except Exception as error:
            raise failure(error, self.line, length) from None

    def _ended(self, told: Told, length: int, heard: Callable[[str], None]) -> Message:
        """The message of a stream that has come to its end."""
        if not told.whole:
            raise cut_off(self.line, length)
        reply = self._read(told.reply)
        message = message_of(reply, self.line)
        if mark := mark_of(reply):
            heard(mark)
        return message

    def _answered(self, ask: Callable[[], Any]) -> Any:
        """What a call comes to, its failure told as a ModelError."""
        try:
            return ask()
        except FoldlineError:
            raise
        except Exception as error:
            raise failure(error, self.line) from None

    def _connected(self) -> Any:
        raise NotImplementedError

    def _body(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> dict[str, Any]:
        raise NotImplementedError

    def _ask(self, body: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def _events(self, body: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _told(self) -> Told:
        raise NotImplementedError

    def _read(self, reply: dict[str, Any]) -> Reply:
        raise NotImplementedError

    def _counted(self, count: Any) -> int:
        """Tokens as a counting endpoint tells them. Raises ModelError where it tells none."""
        tokens = getattr(self._answered(count), "input_tokens", None)
        if not isinstance(tokens, int):
            raise bad_reply(self.line, "no count of tokens in it")
        return tokens
