"""A sentence that only points to files, such as "also remember docs/plan.md": who names the file says what it tells."""

import re
from functools import lru_cache
from itertools import chain

from core.entities.denials import denies
from core.origins.common import slips_of
from core.origins.facts import facts_of
from core.origins.sense import LIGHT
from core.origins.terms import terms

_LONG = ("remember", "recall", "forget", "remind", "refresh")
_POINTING = frozenset(terms(" ".join((*_LONG, *chain.from_iterable(map(slips_of, _LONG)), "mind keep see read refer"))))
"""Long words also mistyped ("rmind")."""
_BESIDE = frozenset(terms("file files folder doc docs document btw fyi too full whole memory"))


@lru_cache(maxsize=4096)
def pointed_at(sentence: str) -> tuple[str, ...]:
    """The files of a sentence that tells nothing else, each with the folder that it is in; () of any other sentence."""
    files = [fact for fact in facts_of(sentence) if fact.sort == "file"]
    others = " ".join(word for word in sentence.split() if not any(fact.key in word.lower() for fact in files))
    said = terms(others)
    if not files or denies(sentence) or said.isdisjoint(_POINTING) or said - _POINTING - _BESIDE - LIGHT:
        return ()
    return tuple(f"{fact.folder}/{fact.key}" if fact.folder else fact.key for fact in files)


def names_file(text: str, file: str) -> bool:
    """Whether a text, in lower case, names a file: "app.py" is not named by "myapp.pyc", nor by "app.py.bak"."""
    return file in text and re.search(rf"(?<![\w.+-]){re.escape(file)}(?![\w@+~-]|\.\w)", text, re.ASCII) is not None
