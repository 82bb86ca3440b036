"""What shell commands commit, tag, push or send to a code host: `git commit`, `git push`, `gh pr create`, `gh issue close`, ….

This is a lower bound, as of what they remove: what a script does when it runs cannot be seen.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from core.measure.shellfolders import is_elsewhere, within
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
_MAY = re.compile(r"\b(?:commit|push|tag)\b|\b(?:gh|glab)\b")
_MESSAGE = re.compile(r"-[a-ln-zA-Z]*m|--message|-[a-zA-Z]*F|--file")
_FILE = re.compile(r"-[a-zA-Z]*F|--file")
_TAG_VALUED = re.compile(r"-[a-z]*[mFu]|--message|--file|--local-user")
_NO_TAG = re.compile(
    r"-[a-z]*[dlvn]\d*|--(?:delete|list|verify|contains|no-contains|merged|no-merged|points-at|sort|format).*"
)
_TITLE = re.compile(r"--title|-t")
_JOINED = re.compile(r"(--[a-z-]+(?==)|-[a-zA-Z])=?(.+)", re.DOTALL)  # "--method=PUT", "-XPUT"
_GOES_BACK = re.compile(r"\(\s*cd\b|\bpopd\b")
EMPTY: Mapping[str, str] = {}
_HERE = re.compile(r"\$\(cat <<-?\s*['\"\\]?\w+['\"]?\s*\n")  # "$(cat <<'EOF'": the message stands on the lines below


@lru_cache(maxsize=4096)
def published(command: str, project: str = "") -> tuple[str, ...]:
    """What a shell command commits, tags, pushes or sends, in order: what has a title by that, others by their words.

    Of what it does in a folder elsewhere than the `project` that folder is told.
    """
    return tuple(_published(command, project)) if _MAY.search(command) else ()


def _published(command: str, project: str) -> Iterator[str]:
    folder: str | None = ""
    project = "" if _GOES_BACK.search(command) else project  # where it is then is not known
    texts = dict[str, str]()  # what is written here, by the name of the file
    for words, targets, document in shell_runs(command):
        texts |= dict.fromkeys((*targets, "-"), document)
        if words[:1] == ["cd"]:
            folder = within(folder, words[1]) if len(words) == 2 else None
        there = _folder(folder, words)
        where = f" (in {there})" if words and base(words[0]) == "git" and is_elsewhere(there, project) else ""
        yield from (cut(text, _SHOWN) + where for text in (_sent(words, texts) if words else ()))


def _folder(folder: str | None, words: Sequence[str]) -> str | None:
    """The folder that git works in: as its options before the command say."""
    rest = behind_options(words) if words and base(words[0]) == "git" else words
    for option, value in pairwise(words[: len(words) - len(rest)]):
        folder = within(folder, value) if option == "-C" else folder
    return folder


def _sent(words: Sequence[str], texts: Mapping[str, str]) -> Iterator[str]:
    name = base(words[0])
    if not _HARMLESS.isdisjoint(words):
        return
    if name == "git":
        words = ["git", *behind_options(words)]
    if words[:2] == ["git", "push"] and "-n" not in words:  # --dry-run
        yield " ".join(words)
    elif words[:2] == ["git", "commit"]:
        yield _titled(words, 2, _MESSAGE, texts)
    elif words[:2] == ["git", "tag"] and (tag := _tag(words[2:])):
        yield f"git tag {tag}"
    elif name in _HOSTS and len(words) > 2 and words[1] in _THINGS and words[2] in _SENDS:
        yield _titled([name, *words[1:]], 3, _TITLE)
    elif name in _HOSTS and words[1:2] == ["api"] and _writes(request := _apart(words[2:], _VALUED.__contains__)):
        yield _request(name, request)


def _tag(words: Sequence[str]) -> str:
    """The tag that is made: the first word that is neither an option nor its value; "" where tags are listed or removed."""
    if any(map(_NO_TAG.fullmatch, words)):
        return ""
    found = (word for before, word in pairwise(["", *words]) if not _TAG_VALUED.fullmatch(before) and word[:1] != "-")
    return next(found, "")


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


def _titled(words: Sequence[str], behind: int, option: re.Pattern[str], texts: Mapping[str, str] = EMPTY) -> str:
    """The first words, and the title given with such an option; else those words and what they are about, if that is next.

    A title that a file has, or the standard input ("-"), is the first line of its text, where that is known.
    """
    begins, rest = " ".join(words[:behind]), words[behind:]
    options = pairwise(_apart(rest, option.fullmatch))
    given = (
        texts.get(value, "") if _FILE.fullmatch(name) else value for name, value in options if option.fullmatch(name)
    )
    title = next(filter(None, map(_first_line, given)), "")
    if title:
        return f"{begins}: {title}"
    about = [word for word in rest[:1] if "\n" not in word and (word == "--amend" or not word.startswith("-"))]
    return " ".join((begins, *about))


def _first_line(text: str) -> str:
    return next(iter(_HERE.sub("", text, count=1).strip().splitlines()), "")
