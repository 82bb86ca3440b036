"""Where a transcript names a user of whom a home folder is known.

In a prompt, a list of files, a field, the folder of pytest's temporary files, and the answer of `whoami`.

A name alone is no reason to mask a word: "will", "mark" and "claude" are names of users, too.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from core.secrets.patterns import lowered

_FIELD = r"(?i:\b(?:user_?(?:name)?|owner|login|logname))[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
_LISTED = r"^[-bcdlps][-rwxsStT]{9}[+.@]?\s{1,9}\d{1,9}\s{1,9}"  # a line of `ls -l`: mode, links, owner, group
_COMMAND = r"\b(?:chown|su|sudo -u)\s{1,3}"
_BLANK = 9  # characters of white space that the answer of `whoami` may have on either side

_FORMS = (
    (("@",), r"(?<![\w.-])(NAMES)@"),
    (("pytest-of-",), r"\bpytest-of-(NAMES)(?![\w-])"),
    (("user", "owner", "login", "logname"), rf"{_FIELD}(NAMES)(?![\w-])"),
    (("chown", "su"), rf"{_COMMAND}(NAMES)(?![\w-])"),
    (("rw", "r-", "-w", "--"), rf"{_LISTED}(NAMES)(?:\s{{1,9}}(NAMES))?(?=\s)"),
)
"""Where a name may stand, and what a text has then, in lower case: to look for that takes a tenth of the time."""

Spans = Callable[[str], Iterator[tuple[int, int]]]


def user_names(names: Iterable[str]) -> Spans:
    """A function that tells where a text names one of these users, in no order; what two forms find is told twice."""
    known = sorted(names, key=len, reverse=True)
    if not known:
        return lambda text: iter(())
    one = "|".join(map(re.escape, known))
    forms = [(needed, re.compile(form.replace("NAMES", one), re.MULTILINE)) for needed, form in _FORMS]
    whole = re.compile(rf"\s{{0,{_BLANK}}}({one})\s{{0,{_BLANK}}}")

    def spans(text: str) -> Iterator[tuple[int, int]]:
        low = lowered(text)
        for needed, form in forms:
            if any(word in low for word in needed):
                for match in form.finditer(text):
                    yield from (match.span(group) for group in range(1, form.groups + 1) if match[group])
        if len(text) <= len(known[0]) + 2 * _BLANK and (answer := whole.fullmatch(text)):
            yield answer.span(1)

    return spans
