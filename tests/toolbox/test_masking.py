"""Secrets are taken out of what strangers say, and the rest of it stays."""

import pytest

from core.toolbox.masking import masked, secrets_of_address, secrets_of_arguments


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("out of memory, said the server", "out of memory, said the server"),
        ("ModuleNotFoundError: No module named 'yaml'", "ModuleNotFoundError: No module named 'yaml'"),
        (
            "KeyError: 'root' in /usr/lib/python3.11/json.py line 12",
            "KeyError: 'root' in /usr/lib/python3.11/json.py line 12",
        ),
        ("wants node 18.20.4, found 16.1.0", "wants node 18.20.4, found 16.1.0"),
        ("bad sk-ant-api03-abcDEF_-12 given", "bad … given"),
        ("bad ghp_abcdefgh given", "bad … given"),
        ("id 0123456789abcdef.", "id …."),
        ("id 0123456789abcde.", "id 0123456789abcde."),
        (f"{'A' * 39} {'A' * 40}", f"{'A' * 39} …"),
        ("Authorization: Bearer abc", "Authorization: …"),
        ("sent bearer abc.def, refused", "sent bearer …, refused"),
        ("token=abc&x=1", "token=…&x=1"),
        ("OPENAI_API_KEY='abc' is wrong", "OPENAI_API_KEY=…' is wrong"),
        ("404 for url 'https://me:pw@a.example:8443/s3cr3t/mcp?k=v'", "404 for url 'https://a.example:8443/…'"),
        ("see https://a.example", "see https://a.example"),
    ],
)
def test_what_looks_like_a_secret(text: str, expected: str) -> None:
    """Runs of letters and digits, what is named a secret, an address beyond its host; plain words, versions and paths stay."""
    assert masked(text) == expected


def test_known_secrets_are_hidden_the_longest_first() -> None:
    """One that begins like another leaves no rest; none at all hides nothing."""
    assert masked("swordfish and sword", ["sword", "swordfish", ""]) == "… and …"


def test_arguments_that_may_be_secret() -> None:
    """All that are no flag and longer than five characters, and the values inside them."""
    found = secrets_of_arguments(
        ["-y", "--verbose", "--pw=hunter2", "-phunter2", "-e", "A=swordfish", "short", "Auth: B abcdef"]
    )
    assert [*found] == [
        "hunter2",
        "hunter2",
        "A=swordfish",
        "swordfish",
        "A=swordfish",
        "Auth: B abcdef",
        "B abcdef",
        "abcdef",
    ]


def test_parts_of_an_address_that_may_be_secret() -> None:
    """User and password, parts of the path, values of the query."""
    found = [*secrets_of_address("https://me:hunter2@a.example/s3cr3t/mcp?key=swordfish&a=1")]
    assert found == ["me:hunter2", "hunter2", "s3cr3t", "key=swordfish&a=1", "swordfish"]
    assert [*secrets_of_address("")] == []
