"""Whether a message takes back what an earlier one said: told by words of failing, and by the words that both share.

Nothing is understood, so the benefit of the doubt goes to the later message: a missing outcome is better than a false one.
"""

import re
from functools import lru_cache

from core.model.text import sentences
from core.summaries import phrases as words

Denials = tuple[frozenset[str], ...]  # the telling words of each sentence that denies something

_WORD = re.compile(r"[^\W\d_]{3,}")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "the and but for not are was were has have had does did doesn don didn isn aren wasn weren this that these those there "
        "with from what which who why how when then than they them its our your you can cannot could would should will all any "
        "each now yes actually still more after before just also only too very fine never longer wrong true right "
        "problem problems issue issues cause culprit bug reason root own know knew think thought see seen",
    )
)


@lru_cache(maxsize=4096)
def telling_words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, case and plural aside."""
    found = map(str.casefold, _WORD.findall(text))
    return frozenset(word.rstrip("s") for word in found if word not in _COMMON)


def denials_of(text: str) -> Denials:
    """What the sentences of a text deny."""
    if not words.DENIES.search(text):
        return ()
    denied = (telling_words(sentence) for sentence in sentences(text) if words.DENIES.search(sentence))
    return tuple(filter(None, denied))


def denied(text: str, denials: Denials) -> bool:
    """Whether one of the denials is about what the text says: half of its words or more are in there.

    One word in common is enough for a cause that was found, "The cache is not the problem", and else two.
    """
    if not denials or not text:
        return False
    least, about = 1 if words.FOUND.search(text) else 2, telling_words(text)
    return any(len(about & one) >= max(least, len(one) / 2) for one in denials)


def tells_failure(text: str) -> bool:
    """Whether a sentence of the text says that something fails, and neither that it passes again nor what to do if it does."""
    if not words.FAILS.search(text):
        return False
    return any(
        words.FAILS.search(sentence)
        and not words.SUCCESS.search(words.FAILS.pattern.sub("", sentence))
        and not words.SUPPOSES.search(sentence)
        for sentence in sentences(text)
    )
