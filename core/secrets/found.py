"""Everything in a session that looks secret or personal, once each, with how often it stands there."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from core.model.session import Session
from core.secrets.encoded import encoded_in
from core.secrets.makers import keys_in
from core.secrets.masking import is_mask
from core.secrets.patterns import KINDS, spans_of
from core.secrets.texts import texts_of
from core.secrets.user_names import user_names

_LEAST = 8
"""Characters of a secret that is looked for wherever it stands; a shorter one only where a pattern finds it."""


class Found(NamedTuple):
    """One secret: its text, its kind, and how often it stands in the session; 0 where it only stands there encoded, other
    than as Base64, which is found as a secret of its own."""

    text: str
    kind: str
    times: int = 0

    @property
    def anywhere(self) -> bool:
        """Whether it is masked wherever it stands, and not only where a pattern finds it."""
        return len(self.text) >= _LEAST and self.kind != "user name"

    @property
    def preview(self) -> str:
        """Enough to know it by, and no more; what is only personal is shown whole."""
        if self.kind in ("user name", "name of a person", "e-mail address"):
            return self.text
        shown = 6 if len(self.text) > 24 else 3 if len(self.text) > 8 else 1
        return f"{self.text[:shown]}… ({len(self.text):,} characters)"


class Finder:
    """Finds a list of secrets in texts."""

    def __init__(self, secrets: Sequence[Found]) -> None:
        self._known = {secret.text for secret in secrets}
        self._kinds = _kinds_of(secrets)
        self._users = user_names(secret.text for secret in secrets if secret.kind == "user name")
        longest_first = sorted((s.text for s in secrets if s.anywhere), key=len, reverse=True)
        self._anywhere = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def is_in(self, texts: Iterable[str]) -> bool:
        """Whether one of the texts may have one of them: most have none, and to tell that takes no pattern."""
        return any(secret in text for text in texts for secret in self._known)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where they stand, in order; those that overlap are one."""
        if not self.is_in((text,)):
            return
        found = [(start, end) for start, end, _ in spans_of(text, self._kinds) if text[start:end] in self._known]
        found += (match.span() for match in (self._anywhere.finditer(text) if self._anywhere else ()))
        found += self._users(text)
        last: tuple[int, int] | None = None
        for start, end in sorted(found):
            if last and start < last[1]:
                last = (last[0], max(end, last[1]))
                continue
            if last:
                yield last
            last = (start, end)
        if last:
            yield last


def _kinds_of(secrets: Sequence[Found]) -> Sequence[str]:
    """The patterns without which one of these would be missed: those that stand for themselves are found anywhere.

    Most sessions hold nothing shorter than that but names of users, and looking for one kind takes a sixth of looking for all.
    """
    kinds = {secret.kind for secret in secrets if not secret.anywhere}
    return ("user name",) if kinds == {"user name"} else KINDS if kinds else ()


_TELL_EVERY = 64
"""Texts between two reports of how far the search is."""

Tell = Callable[[int, int], object]
"""Is given how many texts have been read, and of how many."""


def quiet(read: int, of: int) -> None:
    """Report nothing."""


def find_secrets(session: Session, meanwhile: Callable[[], object] = tuple, tell: Tell = quiet) -> list[Found]:
    """What looks secret or personal in a session and its sub-agents', by kind, and of one kind in order of appearance.

    `meanwhile` is done where nothing is left but to wait for the search for makers' keys; `tell` reports how far this is.

    Ids of messages and of tool calls are never among it. Raises FoldlineError where the search for makers' keys does not run.
    """
    texts, known = texts_of(session), ids_of(session)
    with keys_in(texts) as keys:  # which another process looks for meanwhile
        each = list(dict.fromkeys(texts))
        spans = list(_spans(each, tell))
        meanwhile()
        kinds = {key.text: key.kind for key in keys()}
    for text, kind in spans:
        kinds.setdefault(text, kind)
    plain = [Found(text, kind) for text, kind in kinds.items() if text not in known and not _is_masked(text, kind)]
    encoded, decoded = _encoded(each, plain)
    times = _times(texts, [*plain, *encoded])
    found = (one._replace(times=times[one.text]) for one in (*plain, *encoded))
    return sorted((one for one in found if one.times or one.text not in decoded), key=lambda one: one.kind)


def _spans(texts: Sequence[str], tell: Tell) -> Iterator[tuple[str, str]]:
    """What looks secret in each text, with its kind."""
    for read, text in enumerate(texts):
        if read % _TELL_EVERY == 0:
            tell(read, len(texts))
        yield from ((text[start:end], kind) for start, end, kind in spans_of(text))
    tell(len(texts), len(texts))


def _is_masked(text: str, kind: str) -> bool:
    """Whether it was masked before; of an address the part in front of the @ is."""
    return is_mask(text.partition("@")[0], kind == "user name")


def _encoded(texts: Sequence[str], plain: Sequence[Found]) -> tuple[list[Found], set[str]]:
    """The runs of Base64 that encode something secret, and which of the secrets in plain text they encode."""
    finder, kinds = Finder(plain), {one.text: one.kind for one in plain}
    runs: dict[str, str] = {}
    inside: set[str] = set()
    for run, decoded in (pair for text in texts for pair in encoded_in(text)):
        known = {decoded[start:end]: "secret" for start, end in finder.spans(decoded)}
        secrets = known | {decoded[start:end]: kind for start, end, kind in spans_of(decoded)}
        if secrets and run not in kinds:
            inside.update(secrets)
            first = next(iter(secrets))
            runs[run] = f"{kinds.get(first, secrets[first])} in Base64"
    return [Found(run, kind) for run, kind in runs.items()], inside


def _times(texts: Sequence[str], secrets: Sequence[Found]) -> Counter[str]:
    """How often each secret stands in the texts."""
    finder = Finder(secrets)
    return Counter(text[start:end] for text in texts for start, end in finder.spans(text))


def ids_of(session: Session) -> Set[str]:
    """The ids of messages and tool calls: names, and not secret."""
    ids = {m.id for m in session.messages} | {c.id for m in session.messages for c in m.tool_calls}
    return ids.union(*(ids_of(child.session) for child in session.children))
