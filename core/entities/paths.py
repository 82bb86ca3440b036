"""Addresses and paths in a word. Each reader gives the word back with what it has taken as blanks."""

import re
from itertools import chain
from re import Match

from core.entities.entity import Entity

_ENDINGS = """
py pyi ipynb js jsx ts tsx mjs cjs vue svelte go rs rb php java kt kts scala c cc cpp cxx h hh hpp cs fs swift m mm r jl lua
pl sh bash zsh fish ps1 bat sql html htm css scss sass less xml svg json jsonl json5 yaml yml toml ini cfg conf env lock md
mdx rst txt csv tsv parquet log proto graphql tf gradle diff patch pdf png jpg jpeg gif webp docx xlsx pptx zip tar gz whl db
sqlite
"""
_URL = re.compile(r"""https?://[^\s<>"'`\\|^{}\[\]()，。、；：！？」』）】》]+""")
_WINDOWS = re.compile(r"(?<!\w)[A-Za-z]:[\\/]+[\w.@+~-]+(?:[\\/]+[\w.@+~-]+)*")
_RUN = re.compile(r"[\w.@+~/-]+")
_BARE = re.compile(rf"(?<![\w./\\@-])\w[\w-]*(?:\.[\w-]+)*\.(?:{'|'.join(_ENDINGS.split())})(?![\w-])")
_EXTENSION = re.compile(r".\.[A-Za-z][A-Za-z0-9]{0,7}\Z", re.DOTALL)
_MARK = re.compile(r"[@+-]")
_NO_START = ("<", "\\")  # in front of a run: a closing tag, a Windows path that did not count
_HOST = re.compile(r"(?:[^/?]*@)?([^/?:]*)[^/?]*")
_ANCHORS = ("/", "~/", "./", "../")
_NO_SEGMENTS = ("", ".", "..", "~")
_LONGEST = 250


def paths_of(word: str, found: list[Entity]) -> str:
    """Take the addresses and paths out of a word without blanks; returns the word with blanks in their place."""
    if "://" in word:
        word = _URL.sub(lambda match: _address(match[0], found), word)
    if ":/" in word or ":\\" in word:
        word = _WINDOWS.sub(lambda match: _path(match[0].replace("\\", "/"), found, anchored=True), word)
    if "/" in word:
        word = _RUN.sub(lambda match: _in_run(match, found), word)
    return _BARE.sub(lambda match: _file(match[0], found), word) if "." in word else word


def _address(url: str, found: list[Entity]) -> str:
    """An address with a host: without fragment and what ends a sentence, scheme and host in lower case."""
    scheme, _, rest = url.partition("#")[0].rstrip(".,;:!?*_~/").partition("://")
    host = _HOST.match(rest)
    if host and any(map(str.isalnum, host[1])):
        found.append(Entity("url", f"{scheme.lower()}://{host[0].lower()}{rest[host.end() :]}"))
    return " " * len(url)


def _in_run(match: Match[str], found: list[Entity]) -> str:
    """The path in a run of the letters that paths are made of: from the first place where one may begin to the end."""
    run = match[0]
    path = run.rstrip("/")
    inner = path.rfind("/")
    start = _start(run, inner, match.string[match.start() - 1 : match.start()])
    if start < 0:
        return run
    end = len(path) + (len(path) < len(run))
    return run[:start] + _path(run[start:end], found) + run[end:]


def _start(run: str, inner: int, before: str) -> int:
    """Where a path may begin that goes beyond the slash at `inner`: at the beginning of the run, or behind one of @ + -."""
    starts = [] if before in _NO_START else [0]
    for start in chain(starts, (mark.end() for mark in _MARK.finditer(run, 0, max(inner, 0)))):
        if start > inner:
            return -1
        if run[start] != "/" or run[start + 1] != "/":
            return start
    return -1


def _path(path: str, found: list[Entity], anchored: bool = False) -> str:
    """A path that counts, as its last two segments, and blanks; one that does not stays."""
    named = path.rstrip("./")
    known = named[2 * anchored :].rpartition(".../")[2]  # behind folders that are left out
    segments = [part for part in known.split("/") if part not in _NO_SEGMENTS]
    enough = 2 if anchored or path.startswith(_ANCHORS) else 3
    if not (segments and len(named) <= _LONGEST and any(map(str.isalpha, named))):
        return path
    if len(segments) < enough and not _EXTENSION.search(named):
        return path
    found.append(Entity("path", "/".join(segments[-2:])))
    return " " * len(path)


def _file(name: str, found: list[Entity]) -> str:
    found.append(Entity("path", name))
    return " " * len(name)
