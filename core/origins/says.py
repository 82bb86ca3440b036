"""How a summary says what it does not have word for word, and what the summary is called."""

from core.model.text import counted
from core.origins.reworded import Reworded
from core.trace.added import adding
from core.trace.trace import Trace
from core.why import words
from core.window.ranges import ADDED


def how_said(row: Reworded) -> str:
    """How the text is there, at the begin of a sentence."""
    if row.name:
        return "Only with commas" if "," in row.name else "Only by its last part"
    if row.words or not says_whole(row):
        return "Only in part" if row.words else "Only in other words"
    return "Kept" if row.sentences == 1 else "Sentence by sentence"


def what_it_has(row: Reworded) -> str:
    """What the last of the summaries has of it."""
    if row.places[-1] < ADDED:
        return "says it again"
    if row.name:
        return f"calls it {row.name}"
    quoted = f"{row.quoted:,} of its {counted(row.sentences, 'sentence')} word for word"
    if row.words:
        return f"has {share(row.kept, row.words)}" + (f", and {quoted}" if row.quoted else "")
    if says_whole(row):
        return (
            "has it word for word"
            if row.sentences == 1
            else f"has all of its {row.sentences:,} sentences word for word"
        )
    return f"has {quoted}, and most words of the rest" if row.quoted else "has most of its words"


def share(kept: int, words: int) -> str:
    """How many words of a text a summary has, as `remains` counts them."""
    return f"{kept:,} of its {words:,} content words in the sentences nearest to it"


def says_whole(row: Reworded) -> bool:
    """Whether the last of the summaries has every sentence of it word for word: that is no other words, and no loss."""
    return 0 < row.sentences == row.quoted


def summary_of(trace: Trace, place: int) -> str:
    """The words "summary #2", or those for one without a number; "message 171" for one that a user typed."""
    if place < ADDED:
        return f"message {place + 1:,}"
    k = adding(trace, place)
    return "a summary" if k is None else words.summary_name(trace, k + 1)
