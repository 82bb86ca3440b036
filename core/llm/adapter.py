"""What the adapters of all providers share: connect, check tool pairs, send, read the reply, translate errors."""

import importlib
import weakref
from collections.abc import Callable, Generator
from contextlib import closing
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self

from core.llm.endpoint import TIMEOUT, Endpoint, endpoint_for
from core.llm.exchange import Exchange, current, exchanging
from core.llm.failures import bad_reply, cut_off, failure
from core.llm.masking import masked_json, masker
from core.llm.noting import noting
from core.llm.pairs import check_pairs
from core.llm.protocol import Cancelled, Messages, OnText, Tools
from core.llm.provider import Provider
from core.llm.reply import Reply, as_dict, mark_of, message_of
from core.llm.watched import watched
from core.model.errors import FoldlineError
from core.model.session import Message


class StreamReader(Protocol):
    """Puts the events of a stream together."""

    @property
    def reply(self) -> dict[str, Any]:
        """The events so far, in the shape of a whole reply."""
        ...

    @property
    def whole(self) -> bool:
        """Whether the reply came to its end."""
        ...

    def take(self, event: dict[str, Any]) -> str:
        """Read one event; returns its text."""
        ...


class Adapter:
    """A model of a provider, behind the LLM protocol. A subclass builds the requests and reads the replies.

    `complete`, `stream`, `request` and, where a provider has it, `count_tokens` raise BrokenPairError before anything is sent,
    and ModelError for what fails. Retries are the SDK's, with backoff. An adapter may be used from several threads.
    """

    provider: ClassVar[Provider]
    stream_reader: ClassVar[type[StreamReader]]
    sdk: ClassVar[tuple[str, str]] = ("openai", "OpenAI")
    """The SDK's module, imported at the first request because that takes seconds, and the class of its client."""
    leading: ClassVar[tuple[str, ...]] = ()
    """The fields that the SDK puts first in a body, as its tested releases do; the rest is sorted by name."""
    streaming: ClassVar[dict[str, Any]] = {"stream": True}
    """The fields of a body that ask for a stream."""

    def __init__(self, endpoint: Endpoint, max_output: int | None = None) -> None:
        self.endpoint, self.model, self.max_output = endpoint, endpoint.model, max_output

    @classmethod
    def connect(
        cls,
        model: str,
        key: str = "",
        base_url: str = "",
        max_output: int | None = None,
        timeout: float = TIMEOUT,
        max_retries: int = 2,
    ) -> Self:
        """A model to ask; nothing is sent yet. Raises ModelError.

        `max_output` is in tokens (None: the default of the server or the adapter), `timeout` in seconds.
        """
        return cls(endpoint_for(cls.provider, model, key, base_url, timeout, max_retries), max_output)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r}, {self.endpoint.host!r})"

    @cached_property
    def _client(self) -> Any:
        """The SDK's client."""
        module, kind = self.sdk
        found = importlib.import_module(module)
        client = self.endpoint.client(found, kind, noting(found.DefaultHttpxClient, self.endpoint))
        weakref.finalize(self, client.close)
        return client

    def request(self, messages: Messages, tools: Tools = (), streamed: bool = False) -> dict[str, Any]:
        """The JSON body that `complete` would send, or `stream` if `streamed`, with its fields in the order they are sent.

        Raises BrokenPairError.
        """
        check_pairs(messages)
        body = self._body(messages, tools) | (self.streaming if streamed else {})
        return {name: body[name] for name in sorted(body, key=self._place)}

    def _place(self, name: str) -> tuple[int, str]:
        return (self.leading.index(name), "") if name in self.leading else (len(self.leading), name)

    def complete(self, messages: Messages, tools: Tools = ()) -> Message:
        """The model's reply. Raises ModelError."""
        body = self.request(messages, tools)
        exchange = self._exchange(body)
        reply = self._translating(lambda: as_dict(self._send(body), self.endpoint))
        exchange.reply = self._without_keys(reply)
        return message_of(self._read(reply), self.endpoint)

    def stream(self, messages: Messages, tools: Tools, on_text: OnText, cancelled: Cancelled) -> Message:
        """The reply; `on_text` gets its text as it comes, in this thread.

        Raises ModelError, and RunCancelledError within a moment once `cancelled()` is true.
        """
        body, reader = self.request(messages, tools, streamed=True), self.stream_reader()
        length = events = 0
        exchange = self._exchange(body)
        try:
            with closing(self._texts(body, reader, cancelled)) as texts:
                for text in texts:
                    events += 1
                    if text:
                        exchange.note_text()
                        length += len(text)
                        on_text(text)
        finally:
            exchange.reply = self._without_keys(reader.reply) or None
        if not events:
            raise bad_reply(self.endpoint, "no event of a stream came")
        return self._message(reader, length, on_text)

    def _exchange(self, body: dict[str, Any]) -> Exchange:
        """The exchange that is open, with this request; one that nobody reads where none is."""
        exchange = current()
        if exchange is None:
            return Exchange()
        exchange.request = self._without_keys(body)
        return exchange

    def _without_keys(self, value: Any) -> Any:
        return masked_json(value, masker(self.endpoint.secrets)) if current() else None

    def _texts(self, body: dict[str, Any], reader: StreamReader, cancelled: Cancelled) -> Generator[str, None, None]:
        """The text of each event of a stream. Raises ModelError."""
        length, exchange = None, current()

        def send() -> Any:
            with exchanging(exchange):  # it is another thread
                return self._send(body)

        try:
            for event in watched(send, cancelled):
                text = reader.take(event.to_dict(warnings=False))
                length = (length or 0) + len(text)
                yield text
        except FoldlineError:
            raise
        except Exception as error:
            raise failure(error, self.endpoint, length) from None

    def _message(self, reader: StreamReader, length: int, on_text: OnText) -> Message:
        """The message of a stream that has come to its end."""
        if not reader.whole:
            raise cut_off(self.endpoint, length)
        reply = self._read(reader.reply)
        message = message_of(reply, self.endpoint)
        if mark := mark_of(reply):
            on_text(mark)
        return message

    def _translating(self, call: Callable[[], Any]) -> Any:
        """What a call of the SDK returns. Raises ModelError."""
        try:
            return call()
        except FoldlineError:
            raise
        except Exception as error:
            raise failure(error, self.endpoint) from None

    def _body(self, messages: Messages, tools: Tools) -> dict[str, Any]:
        """The body of a request."""
        raise NotImplementedError

    def _send(self, body: dict[str, Any]) -> Any:
        """What the SDK returns for a body: a reply, or the events of a stream."""
        raise NotImplementedError

    def _read(self, reply: dict[str, Any]) -> Reply:
        """The reply of the provider's API, in foldline's shape."""
        raise NotImplementedError

    def _counted(self, count: Any) -> int:
        """Tokens as the provider's counting endpoint returns them. Raises ModelError where it returns none."""
        tokens = getattr(self._translating(count), "input_tokens", None)
        if not isinstance(tokens, int):
            raise bad_reply(self.endpoint, "it holds no count of tokens")
        return tokens
