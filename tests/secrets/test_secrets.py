"""What looks secret is found and masked; what does not is left; no number changes."""

import sys
from base64 import b64encode
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message, Session, meter, policy, simulate
from core.meters.tokenizer import count_text
from core.model.errors import FoldlineError
from core.model.session import SubAgent
from core.secrets import patterns
from core.secrets.encoded import encoded_in
from core.secrets.found import find_secrets
from core.secrets.masking import is_mask, mask
from core.secrets.patterns import spans_of
from core.secrets.redact import redacted
from core.trace.trace import as_session
from tests.secrets.planted import harmless, planted
from tests.support import calls


@pytest.fixture(scope="module")
def sessions() -> tuple[Session, Session]:
    """A session with 216 secrets of 27 kinds among 5,000 lines without, and the same redacted: one search takes seconds."""
    secrets, lines = planted(), harmless(5000)
    said = [
        Message(id=f"m{i}", role="assistant" if i % 3 else "user", content=f"Look:\n{one.text}\nThanks.")
        for i, one in enumerate(secrets)
    ]
    told = [Message(id=f"t{i}", role="user", content="\n".join(lines[i : i + 100])) for i in range(0, 5000, 100)]
    encoded = b64encode(b'{"login": "shop", "password": "b4se-64-hidden"}').decode()
    told += [
        Message(
            id="x1", role="tool", content=f"data: {encoded}\nkey: {b64encode(secrets[4].secret.encode()).decode()}"
        ),
        Message(id="x2", role="tool", content="annameyer@laptop:~$ ls -l\n-rw-r--r--  1 annameyer annameyer 12 a.txt"),
        Message(id="x3", role="tool", content="annameyer\n"),
        Message(id="x4", role="user", content="The user annameyers of annameyer-tools is someone else."),
    ]
    arguments = {
        "pin_code": 471124,
        "max_tokens": 471124,
        "password": "abc-12",
        "cmd": secrets[0].text,
        "env": [{"TOKEN": secrets[1].secret}],
        "pwd": ["def-45"],
    }
    call = Message(id="c1", role="assistant", tool_calls=(calls("call_1", "bash", **arguments),))
    child = as_session([Message(id="k1", role="user", content=secrets[2].text)])
    whole = as_session([*said, *told, call], title=f"Use {secrets[3].secret}", project="/home/annameyer/shop")
    whole = whole.model_copy(update={"children": (SubAgent(id="a1", session=child),)})
    return whole, redacted(whole, find_secrets(whole))


def test_a_search_that_does_not_run_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kingfisher's own words are in it; no session passes for one without secrets."""
    broken = [sys.executable, "-c", "import sys; sys.exit('no rules here')"]
    monkeypatch.setattr("core.secrets.makers._command", lambda folder: broken)

    with pytest.raises(FoldlineError, match="kingfisher did not run: no rules here"):
        find_secrets(as_session([Message(id="m1", role="user", content="hello")]))


def test_nothing_planted_is_left(sessions: tuple[Session, Session]) -> None:
    """In no message, argument, title, folder or sub-agent; short passwords behind their key among them."""
    text = sessions[1].model_dump_json()
    left = [one for one in planted() for part in one.secret.split("\n") if part[:5] != "-----" and part in text]
    assert left == []
    assert "abc-12" not in text
    assert "def-45" not in text
    assert encoded_texts(sessions[1]) == []


def encoded_texts(session: Session) -> list[str]:
    """What still stands as Base64 in the messages."""
    return [decoded for m in session.messages for _, decoded in encoded_in(m.content)]


def test_a_user_is_masked_where_the_word_names_one(sessions: tuple[Session, Session]) -> None:
    """In a prompt, a list of files, an answer of whoami and a path; the same letters in other words stay."""
    masked = {m.id: m.content for m in sessions[1].messages}
    assert [masked[id].count("annameyer") for id in ("x2", "x3", "x4")] == [0, 0, 2]
    assert "annameyer" not in sessions[1].project
    assert masked["x2"].endswith(" 12 a.txt")


def test_a_person_is_masked_where_a_commit_is_signed() -> None:
    """The name in front of an address, in `git log`, a trailer or an option; a program keeps its own, and other words stay."""
    lines = [
        "Author: Mira <mira@example.org>",
        "    Co-Authored-By: Per Lund-Berg <per@shop.test>",
        "Co-Authored-By: Claude Opus <noreply@anthropic.test>",
        "Author: dependabot[bot] <49+dependabot[bot]@shop.test>",
        "git commit --author='Ana B. <ana@shop.test>'",
        "Mira is a star, and its author: a < b @ c",
        "author Eva Holm <eva@shop.test> 1700000000 +0100",
        "\x1b[33mFrom: Tom K <tom@shop.test>",
        '{"author": "Ida Berg <ida@shop.test>"}',
    ]
    session = as_session([Message(id="m1", role="tool", content="\n".join(lines))])
    found = find_secrets(session)
    assert {one.text for one in found if one.kind == "name of a person"} == {
        *("Mira", "Per Lund-Berg", "Ana B.", "Eva Holm", "Tom K", "Ida Berg")
    }
    masked = redacted(session, found).messages[0].content.split("\n")
    names = ("Mira", "Per", "Claude", "bot", "Ana", "Mira", "Eva", "Tom", "Ida")
    left = [name for name, line in zip(names, masked, strict=True) if name in line]
    assert left == ["Claude", "bot", "Mira"]


def test_a_number_behind_a_secret_key_stays_a_number(sessions: tuple[Session, Session]) -> None:
    """Of as many digits; a number behind another key stays as it is."""
    arguments = sessions[1].messages[-1].tool_calls[0].arguments
    assert (arguments["pin_code"], arguments["max_tokens"]) == (999999, 471124)


def test_nothing_harmless_is_masked(sessions: tuple[Session, Session]) -> None:
    """Commit ids, UUIDs, paths, ids and checksums stay, as do the ids of messages and calls."""
    before, after = sessions
    assert [m for m in after.messages if m.id[0] == "t"] == [m for m in before.messages if m.id[0] == "t"]
    assert [m.id for m in after.messages] == [m.id for m in before.messages]
    assert after.messages[-1].tool_calls[0].id == "call_1"


@pytest.mark.parametrize("name", ["o200k_base", "agentkit", "agentlib"])
def test_no_message_changes_its_tokens(name: str, sessions: tuple[Session, Session]) -> None:
    """By any meter; so that every region and every window stays as large as it was."""
    before, after = sessions
    count = meter(name).count
    assert [count(m) for m in after.messages] == [count(m) for m in before.messages]


def test_a_name_in_a_path_with_backslashes_keeps_its_tokens() -> None:
    """In the JSON of arguments a backslash is two, and the name of five letters shares its tokens with other neighbours."""
    path = r"C:\Users\jande\AppData\Local\Temp\notes.txt"
    call = calls("call_1", "Write", file_path=path, content=f"See {path} and {path}")
    said = Message(id="u1", role="user", content=f"Write to {path}.")
    before = as_session([said, Message(id="a1", role="assistant", tool_calls=(call,))])
    after, count = redacted(before, find_secrets(before)), meter("o200k_base").count
    assert "jande" not in after.model_dump_json()
    assert [count(m) for m in after.messages] == [count(m) for m in before.messages]


def test_a_name_that_is_a_word_becomes_another_word() -> None:
    """ "/entity" is one token, and of six letters that look like a mask none are: "/member" is. It is known for a mask then."""
    texts = ["cd /home/entity/projects", "cd /home/entire/projects"]
    before = as_session([Message(id=f"u{n}", role="user", content=text) for n, text in enumerate(texts)])
    after, count = redacted(before, find_secrets(before)), meter("o200k_base").count
    assert [count(m) for m in after.messages] == [count(m) for m in before.messages]
    assert len({m.content for m in after.messages} - set(texts)) == 2
    assert find_secrets(after) == []


def test_a_simulation_has_the_same_numbers(sessions: tuple[Session, Session]) -> None:
    """Compactions, windows and regions are those of the session before."""
    rule, write = policy("agentkit.memory", budget=1000, keep_recent=4), lambda *_: "A summary."
    one, other = (simulate(session, rule, meter("o200k_base"), write) for session in sessions)
    assert len(one.compactions) > 5
    assert [step.tokens for step in one.steps] == [step.tokens for step in other.steps]
    assert one.regions(len(one) - 1) == other.regions(len(other) - 1)


def test_what_is_masked_is_not_found_again(sessions: tuple[Session, Session]) -> None:
    """A mask is no secret, also where a field says that one stands there."""
    assert find_secrets(sessions[1]) == []


@pytest.mark.parametrize(
    "text",
    [
        "password: string",
        "token: str | None = None",
        "const token = process.env.GITHUB_TOKEN2",
        "api_key=os.environ['KEY_1']",
        "max_tokens=4096, total_tokens: 12345",
        "usage.inputTokens1 + usage.outputTokens2",
        "secret = ${SECRET_1}",
        "token: <your-token-1>",
        "password=********",
        "git@github.com:o/r.git and noreply@anthropic.com and you@example.com",
        "/home/user/x and /Users/runner/y and /home/$USER/z",
        "tokens took 1.45ms",
        "https://github.com/o/r/blob/main/a.py",
        "http://localhost:8501/?token",
    ],
)
def test_code_and_placeholders_are_not_secret(text: str) -> None:
    """Fields whose values are code, types, numbers or placeholders; addresses of nobody; shared folders."""
    assert list(spans_of(text)) == []


def test_the_search_tells_how_many_texts_are_read() -> None:
    """From none to all, each text once however often it stands there."""
    said = [f"message {k % 100}" for k in range(200)]
    session = as_session([Message(id=f"m{k}", role="user", content=text) for k, text in enumerate(said)])
    told: list[tuple[int, int]] = []
    find_secrets(session, tell=lambda *far: told.append(far))
    assert told == [(0, 100), (64, 100), (100, 100)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("-----BEGIN RSA PRIVATE KEY-----MIIEpAIBAAKCAQEA7bq9x2-----END", "private key"),
        ("AUTHORIZAT\u0130ON: Digest abcdef123456", "authorization header"),
        ("BeaReR abcdef0123456789abcd", "bearer token"),
        ("redis://:hunter22@cache.internal", "password in an address"),
        ("?API_\u212aEY=abcd1234efgh", "secret in an address"),
        ("&s\u0131g=abcd1234efgh", "secret in an address"),
        ("--Credent\u0131al=abc123def", "secret option"),
        ("Client_\u017fecret => abc123def", "secret field"),
        ("P\u0131n: 48151", "password of digits"),
        ("Pas\u017fwd = 48151", "password of digits"),
        ("AKIAIOSFODNN7EXAMPLE", "AWS access key id"),
        ("12345678:AA" + "x1-" * 11, "Telegram bot token"),
        ("anna.meyer@firm.example", "e-mail address"),
        ("/home/annameyer/a.txt", "user name"),
        (r"C:\Users\annameyer\a.txt", "user name"),
        ("-Users-annameyer-notes", "user name"),
    ],
)
def test_a_secret_is_found_in_a_long_text_as_well(text: str, kind: str) -> None:
    """Of a long text only the patterns are used that can find something: whatever the case of a letter, or its form."""
    assert kind in [one.kind for one in spans_of(text)]
    assert kind in [one.kind for one in spans_of(f"{'word ' * 100}{text} {'word ' * 100}")]


NAMES = (
    "PassWD",
    "pas\u017fword",
    "passphrase",
    "P\u0131n",
    "pin_code",
    "PINCODE",
    "api_key",
    "API-\u212aEY",
    "token",
    "pwd",
)
MORE_NAMES = (
    "client_secret",
    "access-key",
    "Credent\u0130al",
    "auth_key",
    "private_key",
    "Author",
    "comm\u0131tter",
    "tagger",
)
SIGNED = ("Signed-off-by", "CO-AUTHORED-BY", "from", "--author")
FRONT = ("", "my.", "--", "x", "?", '"', "{\\'")
BEHIND = (":", "=", " ", "s_of-it =>", "=>", " := ", '": "', '\\": \\"', "'\t=\t'", ":\n ", "\u00a0:\u00a0", ": '")
VALUES = ("abc123def!", "48151623", "Ann Meyer <ann@firm.example>", "Ann Meyer <ann@firm.example> 170000000", "é")


def test_what_is_looked_for_ahead_costs_no_finding() -> None:
    """A text that is looked through before its patterns are used has what it has when every pattern is used at once."""
    parts = product(FRONT, (*NAMES, *MORE_NAMES, *SIGNED), BEHIND, VALUES)
    texts = list(map("".join, parts))
    with patch.object(patterns, "_SHORT", -1):
        looked_through = [list(spans_of(text)) for text in texts]
    with patch.object(patterns, "_SHORT", 1_000):
        every_pattern = [list(spans_of(text)) for text in texts]
    assert looked_through == every_pattern
    assert {one.kind for found in every_pattern for one in found} >= {
        "secret field",
        "password of digits",
        "name of a person",
    }


@given(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=80),
    st.integers(1, 999),
    st.text(max_size=12),
    st.text(max_size=12),
)
def test_a_mask_has_as_many_characters_and_nearly_as_many_tokens(
    secret: str, number: int, before: str, after: str
) -> None:
    """Any secret, between any texts; `redacted` makes up for what a short one is off."""

    def count(text: str) -> int:
        return count_text(text)[0]

    found = mask(secret, number, before, after, count)
    assert len(found) == len(secret)
    assert is_mask(found)
    assert abs(count(before + found + after) - count(before + secret + after)) <= 2


@pytest.mark.parametrize(
    "piece",
    [
        "a1",
        "-",
        "token",
        "a1.",
        "@a.",
        "Bearer ",
        "-----BEGIN PRIVATE KEY-----",
        "/home/",
        "a:",
        "https://a:",
        "Author: ",
        "author: a <",
    ],
)
def test_no_text_takes_long(piece: str) -> None:
    """Half a million characters of what patterns begin with: with one that looked back without end this would not end."""
    assert len(list(spans_of(piece * (500_000 // len(piece))))) < 100_000


def test_two_secrets_have_two_masks() -> None:
    """So that what was two names is not one afterwards."""
    session = as_session([Message(id=f"m{c}", role="user", content=f"password={c * 12}1 ") for c in "ab"])
    one, other = (m.content for m in redacted(session, find_secrets(session)).messages)
    assert one != other
