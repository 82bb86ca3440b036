"""Where a transcript names a user of whom a home folder is known.

In a prompt, a list of files, a field, the folder of pytest's temporary files, and the answer of `whoami`.

A name alone is no reason to mask a word: "will", "mark" and "claude" are names of users, too.
"""

import re
from collections.abc import Callable, Iterable, Iterator

_FIELD = r"(?i:\b(?:user_?(?:name)?|owner|login|logname))[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
_LISTED = r"^[-bcdlps][-rwxsStT]{9}[+.@]?\s{1,9}\d{1,9}\s{1,9}"  # a line of `ls -l`: mode, links, owner, group
_COMMAND = r"\b(?:chown|su|sudo -u)\s{1,3}"

Spans = Callable[[str], Iterator[tuple[int, int]]]


def user_names(names: Iterable[str]) -> Spans:
    """A function that tells where a text names one of these users, in no order."""
    one = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    if not one:
        return lambda text: iter(())
    found = re.compile(
        rf"(?<![\w.-])(?P<host>{one})@|\bpytest-of-(?P<temporary>{one})(?![\w-])"
        rf"|(?:{_FIELD}|{_COMMAND})(?P<field>{one})(?![\w-])"
        rf"|{_LISTED}(?P<owner>{one})(?:\s{{1,9}}(?P<group>{one}))?(?=\s)|\A\s{{0,9}}(?P<whole>{one})\s{{0,9}}\Z",
        re.MULTILINE,
    )

    def spans(text: str) -> Iterator[tuple[int, int]]:
        for match in found.finditer(text):
            yield from (match.span(name) for name, value in match.groupdict().items() if value)

    return spans
