"""What shell commands commit, push or send to a code host: `git commit`, `git push`, `gh pr create`, `gh issue close`, ….

This is a lower bound, as of what they remove: what a script does when it runs cannot be seen.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from core.measure.shellruns import base, behind_options, shell_runs
from core.model.text import cut

_SHOWN = 120  # characters of one that is told
_HARMLESS = frozenset(("--help", "-h", "--dry-run"))
_HOSTS = frozenset(("gh", "glab"))
_THINGS = frozenset(("pr", "mr", "issue", "release"))
_SENDS = frozenset(
    ["create", "merge", "close", "reopen", "comment", "note", "edit", "update", "review", "ready", "delete", "approve"]
)
_METHODS = frozenset(("POST", "PUT", "PATCH", "DELETE"))
_FIELDS = frozenset(("-f", "-F", "--field", "--raw-field", "--input"))
_VALUED = _FIELDS | frozenset(
    ["-X", "--method", "-H", "--header", "-q", "--jq", "-t", "--template", "-p", "--preview", "--hostname", "--cache"]
)
"""Options of a request that a word of their own follows."""
_MUTATION = re.compile(r"query=\s*mutation\b")
_MAY = re.compile(r"\b(?:commit|push)\b|\b(?:gh|glab)\b")
_MESSAGE = re.compile(r"-[a-ln-zA-Z]*m|--message")
_TITLE = re.compile(r"--title|-t")
_JOINED = re.compile(r"(--[a-z-]+(?==)|-[a-zA-Z])=?(.+)", re.DOTALL)  # "--method=PUT", "-XPUT"
_HERE = re.compile(r"\$\(cat <<-?\s*['\"\\]?\w+['\"]?\s*\n")  # "$(cat <<'EOF'": the message stands on the lines below


@lru_cache(maxsize=4096)
def published(command: str) -> tuple[str, ...]:
    """What a shell command commits, pushes or sends, in order: a commit and what has a title by that, others by their words."""
    if not _MAY.search(command):
        return ()
    return tuple(cut(text, _SHOWN) for run in shell_runs(command) if run.words for text in _sent(run.words))


def _sent(words: Sequence[str]) -> Iterator[str]:
    name = base(words[0])
    if not _HARMLESS.isdisjoint(words):
        return
    if name == "git":
        words = ["git", *behind_options(words)]
    if words[:2] == ["git", "push"] and "-n" not in words:  # --dry-run
        yield " ".join(words)
    elif words[:2] == ["git", "commit"]:
        yield _titled(words, 2, _MESSAGE)
    elif name in _HOSTS and len(words) > 2 and words[1] in _THINGS and words[2] in _SENDS:
        yield _titled([name, *words[1:]], 3, _TITLE)
    elif name in _HOSTS and words[1:2] == ["api"] and _writes(request := _apart(words[2:], _VALUED.__contains__)):
        yield _request(name, request)


def _apart(words: Sequence[str], valued: Callable[[str], object]) -> list[str]:
    """The words, an option that takes a value apart from one that is joined to it."""
    found = ((word, _JOINED.fullmatch(word)) for word in words)
    return [part for word, joined in found for part in (joined.groups() if joined and valued(joined[1]) else (word,))]


def _writes(words: Sequence[str]) -> bool:
    """Whether a request to a code host changes something: by its method (POST where it has fields), or GraphQL query.

    https://cli.github.com/manual/gh_api
    """
    if _address(words) == "graphql":
        return any(map(_MUTATION.match, words))
    method = _method(words)
    return method in _METHODS if method else not _FIELDS.isdisjoint(words)


def _address(words: Sequence[str]) -> str:
    """Where a request goes: the first word that is neither an option nor its value."""
    found = (word for before, word in pairwise(["", *words]) if before not in _VALUED and not word.startswith("-"))
    return next(found, "")


def _method(words: Sequence[str]) -> str:
    return next((value.upper() for option, value in pairwise(words) if option in ("-X", "--method")), "")


def _request(name: str, words: Sequence[str]) -> str:
    """A request to a code host: its method where it names one, where it goes, and the fields that it sends."""
    fields = dict.fromkeys(
        value.split("=")[0] for option, value in pairwise(words) if option in _FIELDS and "=" in value
    )
    said = " ".join(filter(None, (name, "api", _method(words), _address(words))))
    return f"{said}: {', '.join(fields)}" if fields else said


def _titled(words: Sequence[str], behind: int, option: re.Pattern[str]) -> str:
    """The first words, and the title given with such an option; else those words and what they are about, if that is next."""
    begins, rest = " ".join(words[:behind]), words[behind:]
    options = pairwise(_apart(rest, option.fullmatch))
    title = next((_first_line(value) for name, value in options if option.fullmatch(name)), "")
    if title:
        return f"{begins}: {title}"
    about = [word for word in rest[:1] if "\n" not in word and (word == "--amend" or not word.startswith("-"))]
    return " ".join((begins, *about))


def _first_line(text: str) -> str:
    return next(iter(_HERE.sub("", text, count=1).strip().splitlines()), "")
