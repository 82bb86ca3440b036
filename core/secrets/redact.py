"""A session with what is secret or personal masked: every message keeps its characters and, by o200k_base, its tokens."""

import json
from collections.abc import Sequence
from functools import partial

from core.meters.counted import counted_texts
from core.meters.difference import more_tokens
from core.meters.tokenizer import count_groups
from core.model.session import Message, Session
from core.secrets.found import Finder, Found
from core.secrets.masking import Count, mask, words_for
from core.secrets.texts import texts_of, with_texts

_AROUND = 24  # characters on either side of a secret whose tokens it may share
_TRIES = 4


def redacted(session: Session, secrets: Sequence[Found]) -> Session:
    """The session with a mask in the place of each of these secrets, wherever it stands, and of sub-agents' sessions as well.

    Ids stay, so that everything that names a message still does. Where no mask has as many tokens, a message may differ by one.
    """
    return _Redactor(secrets).session(session)


def _count(text: str) -> int:
    """The tokens of a text."""
    return next(count_groups([[text]]))[0]


def _count_written(text: str) -> int:
    """The tokens of a text in the JSON of a call's arguments."""
    return _count(json.dumps(text, ensure_ascii=False)[1:-1])


def _more_tokens(message: Message, masked: Message) -> int:
    """How many tokens more a masked message has."""
    return sum(map(more_tokens, counted_texts(message), counted_texts(masked)))


class _Redactor:
    def __init__(self, secrets: Sequence[Found]) -> None:
        self._finder = Finder(secrets)
        self._numbers = {secret.text: number for number, secret in enumerate(secrets, 1)}
        self._users = {secret.text for secret in secrets if secret.kind == "user name"}
        self._taken: dict[str, str] = {}
        self._masks: dict[str, str] = {}

    def session(self, session: Session) -> Session:
        children = tuple(
            child.model_copy(update={"session": self.session(child.session)}) for child in session.children
        )
        messages = tuple(map(self.message, session.messages))
        rest = session.model_copy(update={"messages": (), "children": ()})
        changed = with_texts(rest, self._text)
        return changed.model_copy(update={"messages": messages, "children": children})

    def message(self, message: Message) -> Message:
        """The message masked; one of its masks is chosen anew until the tokens of the whole are what they were."""
        if not self._finder.is_in(texts_of(message)):
            return message
        found = self._masked(message)
        if found == message:
            return message
        more = 0
        for _ in range(_TRIES):
            off = _more_tokens(message, found)
            if not off:
                break
            more -= off
            found = self._masked(message, more)
        return found

    def _masked(self, message: Message, more: int = 0) -> Message:
        """The message with masks; in the first text that holds a secret, the last mask gets so many tokens more."""
        left = more

        def change(text: str, count: Count = _count) -> str:
            nonlocal left
            found = self._text(text, count, left)
            left = left if found == text else 0
            return found

        calls = tuple(with_texts(call, partial(change, count=_count_written)) for call in message.tool_calls)
        return with_texts(message.model_copy(update={"tool_calls": ()}), change).model_copy(
            update={"tool_calls": calls}
        )

    def _text(self, text: str, count: Count = _count, more: int = 0) -> str:
        spans, parts, done = list(self._finder.spans(text)), [], 0
        for start, end in spans:
            last = (start, end) == spans[-1]
            before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
            parts += [text[done:start], self._mask(text[start:end], before, after, count, more if last else 0)]
            done = end
        return "".join((*parts, text[done:])) if spans else text

    def _mask(self, secret: str, before: str, after: str, count: Count, more: int) -> str:
        """The mask that the secret has elsewhere, if it has as many tokens here, too."""
        known = self._masks.get(secret)
        if known and not more and count(f"{before}{known}{after}") == count(f"{before}{secret}{after}"):
            return known
        number = self._numbers.setdefault(secret, len(self._numbers) + 1)
        words = self._words(secret) if secret in self._users else ()
        found = mask(secret, number, before, after, count, more, words)
        self._taken.setdefault(found, secret)
        self._masks.setdefault(secret, found)
        return found

    def _words(self, secret: str) -> list[str]:
        """The words that may stand for a user: those of this length that stand for nobody else."""
        return [word for word in words_for(secret, self._numbers[secret]) if self._taken.get(word, secret) == secret]
