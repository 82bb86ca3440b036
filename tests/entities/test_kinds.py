"""The names in a text, by the rules for each kind."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message
from core.entities.entity import Entity
from core.entities.kinds import Names, entities_of
from core.entities.paths import _BARE, _LONGEST, _URL, _WINDOWS
from core.entities.words import _HASH, _NUMBER, _TICKET, _WORD
from tests.support import assistant, calls, user


def named(text: str) -> set[str]:
    """The names in a text, each as kind:key."""
    return {f"{kind}:{key}" for kind, key in entities_of(text)}


def of(message: Message) -> set[str]:
    """The same of a message."""
    return {f"{kind}:{key}" for kind, key in Names().of_message(message)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Fix the crash in src/app/main.py. Ticket OPS-4821.", {"path:app/main.py", "identifier:OPS-4821"}),
        ("see https://Example.COM:8080/Docs/a_b?q=1#top, please", {"url:https://example.com:8080/Docs/a_b?q=1"}),
        ("(https://example.com/a).", {"url:https://example.com/a"}),
        ("https://.../x", set()),
        ("run `python ...` or\n$ python ...", set()),
        ("$ go test ./... -run X", {"command:go test ./... -run X"}),
        ("see src/.../a.py and .../b/c.py", {"path:a.py", "path:b/c.py"}),
        (r"C:\Users\ada\notes.txt and D:/ours/tests/a", {"path:ada/notes.txt", "path:tests/a"}),
        (r"C:\\Users\\ada\\notes.txt", {"path:ada/notes.txt"}),
        ("C:/one", set()),
        ("/etc/hosts ~/bin/run ./a/b ../x/y.py /usr", {"path:etc/hosts", "path:bin/run", "path:a/b", "path:x/y.py"}),
        ("one/two one/two/three he/she 1/2/3", {"path:two/three"}),
        ("main.py, README.md and a.unknown", {"path:main.py", "path:README.md"}),
        ("core.model.session.py x.tar.gz v1.2.json", {"path:core.model.session.py", "path:x.tar.gz", "path:v1.2.json"}),
        ("</div/a/b> user@host.sh", set()),
        ("9F86d081 deadbeef 12345678", {"hash:9f86d081", "number:12345678"}),
        ("6113E919-67d3-417b-b525-c63700228d19", {"hash:6113e919-67d3-417b-b525-c63700228d19"}),
        ("1,234 12_345.5 48213 999", {"number:1234", "number:12345.5", "number:48213"}),
        ("1999 2000 2101 3000 50000 4096 4097 1.2345 1234.", {"number:2101", "number:4097", "number:1234"}),
        ("2026.5 1.234.5678 12345x", {"number:2026.5"}),
        ("retry_limit parseConfig HTTP _x_ w1a", {"identifier:retry_limit", "identifier:parseConfig"}),
        ("abc12 ab12c 12abc", {"identifier:abc12", "identifier:ab12c"}),
        ("ABC-12 A-12 A1-12 A1B-12 SHA-256 old_string GitHub", {"identifier:ABC-12", "identifier:A1B-12"}),
        ("\uff34\uff29\uff23\uff2b\uff25\uff34-\uff11\uff12", {"identifier:TICKET-12"}),
        ('He said "no new dependency" and "short" once', {"quoted:no new dependency"}),
        ("`run the tests`, “non-ascii”, « une  fois pour toutes »", {"quoted:run the tests", "quoted:une fois pour toutes"}),
        ("「重试的上限是多少呢」 and 「短」", {"quoted:重试的上限是多少呢"}),
        ('"open on\none line"', set()),
        ("$ pytest -q\n  $ ls  -la   src\n$ ls", {"command:pytest -q", "command:ls -la src"}),
        ("```bash\n\nmake  check\n```", {"command:make check"}),
        ("```sh\n```\nnot a command", set()),
        ("```python\nprint(12)\n```", set()),
        ("```console\n$ make check\nok\n```", {"command:make check"}),
    ],
)  # fmt: skip
def test_a_text(text: str, names: set[str]) -> None:
    """Each kind by its form, in the form in which it is compared."""
    assert named(text) == names


def test_a_match_is_gone_for_the_kinds_behind_it() -> None:
    """No file within an address, no number in a path, no identifier in a hash; what is quoted is still read."""
    assert named("https://x.io/src/retry_limit/main.py") == {"url:https://x.io/src/retry_limit/main.py"}
    assert named("/var/log/48213_x") == {"path:log/48213_x"}
    assert named("`cat src/app/main.py`") == {"quoted:cat src/app/main.py", "path:app/main.py"}
    assert named("retry_limit/x_y") == {"identifier:retry_limit"}


def test_arguments_and_decoded_content() -> None:
    """Values are read, keys and names of tools are not; a command is told by the name of its argument."""
    call = calls("c", "read_file_now", file_name="src/app/main.py", at={"line_number": 48213}, command="pytest -q\nls")
    shell = calls("d", "shell", command=["bash", "-lc", "make  check all"])
    words = calls("e", "shell", cmd=["git", "log", "--oneline"])

    assert of(assistant("", call)) == {"path:app/main.py", "number:48213", "command:pytest -q"}
    assert of(assistant("", shell)) == {"command:make check all"}
    assert of(assistant("", words)) == {"command:git log --oneline"}
    assert of(user('{"some_key": ["retry_limit", {"other_key": 48213}]}')) == {
        "identifier:retry_limit",
        "number:48213",
    }
    assert of(user('{"some_key": ')) == {"identifier:some_key"}


def test_a_line_that_begins_a_here_document_is_no_command() -> None:
    """Two commits whose messages stand below the same line are two commands; a here-string is all on one line."""
    assert of(assistant("", calls("c", "shell", command="git commit -q -F - <<'EOF'\none\nEOF"))) == set()
    assert of(assistant("", calls("c", "shell", command="wc -w <<< 'a b'"))) == {"command:wc -w <<< 'a b'"}


def test_odd_content_does_no_harm() -> None:
    """Brackets without end, lone surrogates, numbers of any length, words of any length."""
    assert of(user("[" * 100_000 + "]")) == set()
    assert of(user('["\\ud83d retry_limit"]')) == {"identifier:retry_limit"}
    assert of(Message.model_construct(id="m", role="user", content="a\ud83d_b retry_limit")) == {
        "identifier:retry_limit"
    }
    assert of(user("9" * 10_000)) == {"number:" + "9" * 10_000}


@pytest.mark.parametrize(
    "piece",
    ["a", "A", "1", "a1", "-", "a-", "/", "a/", "<", "</a-", "a.", ".", "1,", "1_", "_", "A-", "\\", "C:\\", "“", '"', "`",
     "```sh\n", "$ ", "https://", "1a", "漢", ".py", "[", "{"],
)  # fmt: skip
def test_no_text_takes_long(piece: str) -> None:
    """A long text of one repeated piece is read in a time that grows with its length; a square of it would take hours."""
    for text in (piece * 200_000, "<" + piece * 200_000, piece * 200_000 + "/"):
        entities_of(text)


LITERAL = re.compile(r"(?<![\w<./\\~])(?:(?:~|\.{1,2})?/[\w.@+~-]+(?:/+[\w.@+~-]+)*|[\w.@+~-]+(?:/+[\w.@+~-]+)+)/?")
"""A path, as it is defined."""


def in_turn(text: str) -> set[Entity]:
    """The names without blanks, by looking for one kind after the other in the whole text, each time blanking out."""
    found = set[Entity]()

    def blanked(pattern: re.Pattern[str], read: Callable[[str], list[Entity] | None], text: str) -> str:
        def one(match: re.Match[str]) -> str:
            names = read(match[0])
            found.update(names or ())
            return match[0] if names is None else " " * len(match[0])

        return pattern.sub(one, text)

    def path(text: str, anchored: bool) -> list[Entity] | None:
        name = text.replace("\\", "/").rstrip("./")
        parts = [part for part in name[2 * anchored :].split("/") if part not in ("", ".", "..", "~")]
        begins = anchored or text.startswith(("/", "~/", "./", "../"))
        long = re.search(r".\.[A-Za-z][A-Za-z0-9]{0,7}$", name) or len(parts) >= (2 if begins else 3)
        counts = parts and len(name) <= _LONGEST and any(c.isalpha() for c in name) and long
        return [Entity("path", "/".join(parts[-2:]))] if counts else None

    text = blanked(_URL, lambda one: [e for e in entities_of(one) if e.kind == "url"], text)
    text = blanked(_WINDOWS, lambda one: path(one, True), text)
    text = blanked(LITERAL, lambda one: path(one, False), text)
    text = blanked(_BARE, lambda one: [Entity("path", one)], text)
    text = blanked(_HASH, lambda one: [Entity("hash", one.lower())], text)
    text = blanked(_TICKET, lambda one: [e for e in entities_of(one) if e.kind == "identifier"], text)
    text = blanked(_NUMBER, lambda one: [e for e in entities_of(one) if e.kind == "number"], text)
    blanked(_WORD, lambda one: [e for e in entities_of(one) if e.kind == "identifier"], text)
    return found


FORMS = st.sampled_from(
    [
        *"aZ1é字_-./\\@+~<:,# \t",
        "//",
        "../",
        "~/",
        "C:\\",
        "http://h",
        ".py",
        "abc",
        "deadbeef1",
        "1,234",
        "AB-12",
        "\u3000",
    ]
)


@given(st.lists(FORMS, max_size=14).map("".join))
def test_reading_word_by_word_finds_what_the_whole_text_has(text: str) -> None:
    """The names of a text are those of its words; a path begins where its definition lets it."""
    assert {e for e in entities_of(text) if e.kind not in ("quoted", "command")} == in_turn(text)


@given(st.text())
def test_any_text(text: str) -> None:
    """Nothing raises; names are the same whether words are known or not; blanks around a text change nothing."""
    names = Names()
    first = set(names.of_text(text))
    assert set(names.of_text(text)) == first == set(entities_of(text))


def test_texts_and_names_are_read_together() -> None:
    """The texts come with one space for a run of white space; only the content is decoded, not the value of an argument."""
    value = '{"path": "src\\u002fapp.py"}'
    text, names = Names().read(assistant(value, calls("c", "t", a="two\n  lines", b=value)))

    assert text == f"{value}\ntwo lines\n{value}"
    assert names == {Entity("path", "src/app.py"), *Names().of_text(value)}
    assert Entity("path", "src/app.py") not in Names().of_text(value)


def test_a_word_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a session says again is not read again, and what is remembered is bounded."""
    read = list[str]()
    monkeypatch.setattr("core.entities.kinds.names_of", lambda word: read.append(word) or [])
    names = Names()
    for text in ("one two", "two three", "x" * 81, "x" * 81):
        assert not set(names.of_text(text))

    assert sorted(read) == sorted(["one", "two", "three", "x" * 81, "x" * 81])

    monkeypatch.setattr("core.entities.kinds._KNOWN", 4)
    set(names.of_text("four five"))
    assert len(names._plain) == 1


def test_a_word_that_stands_for_any_name_is_none() -> None:
    """abc123 and the like, which examples and help texts are full of; what only looks like one is a name."""
    assert entities_of("abc123 ABC_1234 abcd1234 abcdef1234") == []
    assert {e.key for e in entities_of("a1b2c3d abc124 xyz123 cab1234")} == {"a1b2c3d", "abc124", "xyz123", "cab1234"}
