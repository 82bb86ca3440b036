"""A session with what is secret or personal masked: every message keeps its characters and, by o200k_base, its tokens."""

from collections.abc import Sequence

from core.meters import meter
from core.meters.tokenizer import count_groups
from core.model.session import Message, Session
from core.secrets.found import Finder, Found
from core.secrets.masking import mask
from core.secrets.texts import Change, with_texts

_AROUND = 24  # characters on either side of a secret whose tokens it may share
_TRIES = 4


def redacted(session: Session, secrets: Sequence[Found]) -> Session:
    """The session with a mask in the place of each of these secrets, wherever it stands, and of sub-agents' sessions as well.

    Ids stay, so that everything that names a message still does. Where no mask has as many tokens, a message may differ by one.
    """
    return _Redactor(secrets).session(session)


class _Redactor:
    def __init__(self, secrets: Sequence[Found]) -> None:
        self._finder = Finder(secrets)
        self._numbers = {secret.text: number for number, secret in enumerate(secrets, 1)}
        self._masks: dict[str, str] = {}
        self._meter = meter("o200k_base")

    def session(self, session: Session) -> Session:
        children = tuple(
            child.model_copy(update={"session": self.session(child.session)}) for child in session.children
        )
        messages = tuple(map(self.message, session.messages))
        rest = session.model_copy(update={"messages": (), "children": ()})
        changed = with_texts(rest, self._text)
        return changed.model_copy(update={"messages": messages, "children": children})

    def message(self, message: Message) -> Message:
        """The message masked; its first mask is chosen anew until the tokens of the whole are what they were."""
        found = with_texts(message, self._text)
        if found == message:
            return message
        wanted, more = self._meter.count(message), 0
        for _ in range(_TRIES):
            off = self._meter.count(found) - wanted
            if not off:
                break
            more -= off
            found = with_texts(message, self._adjusted(more))
        return found

    def _adjusted(self, more: int) -> Change:
        """Masks texts one after the other; the first that holds a secret gets so many tokens more."""
        left = more

        def change(text: str) -> str:
            nonlocal left
            found = self._text(text, left)
            left = left if found == text else 0
            return found

        return change

    def _text(self, text: str, more: int = 0) -> str:
        spans, parts, done = list(self._finder.spans(text)), [], 0
        for start, end in spans:
            last = (start, end) == spans[-1]
            before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
            parts += [text[done:start], self._mask(text[start:end], before, after, more if last else 0)]
            done = end
        return "".join((*parts, text[done:])) if spans else text

    def _mask(self, secret: str, before: str, after: str, more: int) -> str:
        """The mask that the secret has elsewhere, if it has as many tokens here, too."""
        known = self._masks.get(secret)
        if known and not more and _count(f"{before}{known}{after}") == _count(f"{before}{secret}{after}"):
            return known
        number = self._numbers.setdefault(secret, len(self._numbers) + 1)
        found = mask(secret, number, before, after, _count, more)
        self._masks.setdefault(secret, found)
        return found


def _count(text: str) -> int:
    """The tokens of a text."""
    return next(count_groups([[text]]))[0]
