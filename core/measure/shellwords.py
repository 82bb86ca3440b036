"""The simple commands of a shell's text as words: what stands between its operators.

Quotes, comments, here-documents and redirections are known.
Nothing is expanded. What stands in double quotes as `$(…)` is a part of its word. Where a quote does not end, reading does.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

_DOUBLE = r'"(?:\\.|\$\((?:[^()]|\([^()]*\))*+\)|[^"\\])*+"'
_WORD = rf"(?:\\.|\$'(?:\\.|[^'\\])*+'|'[^']*'|{_DOUBLE}|\$\(\([^\n]{{0,200}}?\)\)|[^\s;&|()<>`'\"\\])++"
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r]+|\\\n|\(\([^\n]{0,200}?\)\))"
    r"|(?P<comment>#[^\n]*)"
    rf"|\d*<<(?!<)(?P<tabs>-?)[ \t]*(?P<here>{_WORD})"
    r"|(?P<redirection>\d*(?:<<<|<&|<>|>>|>&|>\||<|>)|&>>?)"
    r"|(?P<operator>&&|\|\||[;&|()`\n])"
    rf"|(?P<word>{_WORD})",
    re.DOTALL,
)
_PRINTS = frozenset((">", ">>", ">|", "1>", "1>>", "&>", "&>>"))
"""Redirections of what a command prints into a file. That of its errors alone is none."""
_QUOTED = re.compile(rf"\\(.)|\$'((?:\\.|[^'\\])*+)'|'([^']*)'|({_DOUBLE})", re.DOTALL)
_ESCAPED = re.compile(r'\\(["\\$`\n])')


def with_targets(text: str) -> Iterator[tuple[list[str], list[str], str]]:
    """The words between operators, those behind a redirection of what is printed (where it is written), and its here-document.

    Such a word is as it stands where a shell would put it together, and where `\\` is followed by a letter: a path of Windows.
    """
    yield from ((words, targets, document) for words, targets, _, document in _commands(text))


def statements(text: str) -> list[list[tuple[list[str], list[str], str]]]:
    """The commands by statement, with the operator behind each: `;` and line ends part statements.

    Empty where brackets occur, whose insides may not run.
    """
    found, goes_on = list[list[tuple[list[str], list[str], str]]](), False
    if any(kind == "operator" and token in "()`" for kind, token in _tokens(text)):
        return []
    for words, targets, operator, _ in _commands(text):
        if not goes_on:
            found.append([])
        found[-1].append((words, targets, operator))
        goes_on = operator not in (";", "\n")
    return found


def _commands(text: str) -> Iterator[tuple[list[str], list[str], str, str]]:
    """The simple commands with their targets, the operator behind each, and the here-document that it is given."""
    words, targets, document, before = list[str](), list[str](), "", ""
    for kind, token in _tokens(text):
        if kind == "here":
            document = token
        elif kind == "word" and before not in ("redirection", "arrow", *_PRINTS):
            words.append(_unquoted(token))
        elif kind == "word" and before in _PRINTS:
            targets.append(token if re.search(r"\$|\\\w", token) else _unquoted(token))
        elif kind == "operator" and (words or targets):
            yield words, targets, token, document
            words, targets, document = [], [], ""
        before = token if token in _PRINTS and kind == "redirection" else kind


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """What a text consists of, up to a quote that does not end; an operator stands at the end of one that is read whole.

    The token of a here-document is its text.
    """
    at, ends = 0, list[tuple[str, str]]()
    while found := _TOKEN.match(text, at):
        at, kind = found.end(), found.lastgroup or ""
        if kind == "here":
            ends.append((found["tabs"], _unquoted(found["here"])))
            yield kind, _document(text, at, ends)
        elif kind == "redirection" and text[max(found.start() - 1, 0)] in "-=":
            yield "arrow", found[0]
        elif kind not in ("blank", "comment"):
            yield kind, found[0]
        if found[0] == "\n":
            at, ends = _documents_end(text, at, ends), []
    if at == len(text):
        yield "operator", ";"


def _document(text: str, at: int, ends: Sequence[tuple[str, str]]) -> str:
    """The last of the here-documents that begin below the line that goes on at a place, with the line that ends it."""
    while (found := _TOKEN.match(text, at)) and found[0] != "\n":
        at = found.end()
    return text[_documents_end(text, at + 1, ends[:-1]) : _documents_end(text, at + 1, ends)].lstrip("\r\n")


def _documents_end(text: str, at: int, ends: Iterable[tuple[str, str]]) -> int:
    """Where the last line of here-documents ends: the whole text is in one that has none."""
    for tabs, end in ends:
        line = "\t*" * bool(tabs) + re.escape(end)
        found = re.compile(rf"^{line}\r?$", re.MULTILINE).search(text, at)
        at = found.end() if found else len(text)
    return at


def _unquoted(word: str) -> str:
    """A word without its quotes."""
    return _QUOTED.sub(_content, word)


def _content(found: re.Match[str]) -> str:
    escaped, ansi, single, double = found.groups()
    if double is not None:
        return _ESCAPED.sub(lambda one: one[1].strip("\n"), double[1:-1])
    return next(text for text in (single, ansi, (escaped or "").strip("\n")) if text is not None)
