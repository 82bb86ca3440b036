"""What a sentence says by a path: that a file is to be remembered, or in which folder something is to be.

Who names the file of "also remember docs/plan.md", or the folder of "put it in ~/notes/drafts/2026", says what it tells.
"""

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
_PLACED = re.compile(
    r"\b(?:be|go|goes|belongs?|put|keep|write|save|store|create|place|move|copy|live)\b[^.!?\n]{0,30}"
    r"\b(?:under|in|into|to|at|inside)\s+[`\"'@]?((?:[\w.~<>+-]*+/){3,}+[\w<>+-]*+)(?![\w.]*\.\w)"
)


@lru_cache(maxsize=4096)
def put_in(sentence: str) -> str:
    """The folder, of three names or more, in which a sentence says that something is to be; "" of any other sentence."""
    found = None if denies(sentence) else _PLACED.search(sentence)
    return found[1].rstrip("/").lower() if found else ""


@lru_cache(maxsize=4096)
def pointed_at(sentence: str) -> tuple[str, ...]:
    """The files of a sentence that tells nothing else, each with the folder that it is in; () of any other sentence."""
    files = [fact for fact in facts_of(sentence) if fact.sort == "file"]
    others = " ".join(word for word in sentence.split() if not any(fact.key in word.lower() for fact in files))
    said = terms(others)
    if not files or denies(sentence) or said.isdisjoint(_POINTING) or said - _POINTING - _BESIDE - LIGHT:
        return ()
    return tuple(f"{fact.folder}/{fact.key}" if fact.folder else fact.key for fact in files)


def names_folder(text: str, folder: str) -> bool:
    """Whether a text, in lower case, names a folder itself, and not only one in it."""
    return (
        folder in text and re.search(rf"(?<![\w.~/+-]){re.escape(folder)}/?(?![\w@+~/<-])", text, re.ASCII) is not None
    )


def names_file(text: str, file: str) -> bool:
    """Whether a text, in lower case, names a file: "app.py" is not named by "myapp.pyc", nor by "app.py.bak"."""
    return file in text and re.search(rf"(?<![\w.+-]){re.escape(file)}(?![\w@+~-]|\.\w)", text, re.ASCII) is not None
