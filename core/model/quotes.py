"""Quotes, which are typed straight and stand curly in texts."""

APOSTROPHES = "'’‘ʼ"
DOUBLE_QUOTES = '"“”„'
_STRAIGHT = {ord(mark): kind[0] for kind in (APOSTROPHES, DOUBLE_QUOTES) for mark in kind[1:]}


def straight_quotes(text: str) -> str:
    """The text with each curly quote as the straight one: as long as before."""
    return text if text.isascii() else text.translate(_STRAIGHT)
