"""How many tokens more a text has than another that is mostly the same: only what lies around their differences is counted."""

from bisect import bisect_left

from core.meters.tokenizer import REACH, SEAM, count_text


def more_tokens(text: str, other: str) -> int:
    """How many more tokens the other text has, as two whole counts would tell."""
    if text == other:
        return 0
    most = min(len(text), len(other))
    start = bisect_left(range(1, most + 1), True, key=lambda n: text[:n] != other[:n])
    end = bisect_left(range(1, most - start + 1), True, key=lambda n: text[-n:] != other[-n:])
    first, last = _seam_before(text, start), _seam_behind(text, len(text) - end)
    whole, changed = text[first:last], other[first : len(other) - (len(text) - last)]
    return count_text(changed)[0] - count_text(whole)[0]


def _seam_before(text: str, end: int) -> int:
    """The last place up to `end` that no token crosses, whatever follows `end`; the start where none is near."""
    found = [match.start() for match in SEAM.finditer(text, max(0, end - REACH), end)]
    return found[-1] if found else 0


def _seam_behind(text: str, start: int) -> int:
    """The first place behind `start` that no token crosses, whatever stands before `start`; the end where none is near."""
    found = SEAM.search(text, start + 1, start + REACH)
    return found.start() if found else len(text)
