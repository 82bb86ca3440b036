"""What a person can do so that a text stays."""

from urllib.parse import urlsplit

import pytest

from core import fate, load, policy, replay, simulate
from core.importers import importers
from core.model.advice import Advice
from core.model.session import Session
from core.summaries.standing import is_standing
from core.why.advice import advice, advice_to, once_to
from scripts.forgotten_rule import SAMPLE
from tests.support import assistant, calls, result, user, with_ids

KNOWN = [name for name, one in importers().items() if hasattr(one, "KEEPS")]


def _session(format: str) -> Session:
    reply = assistant("I will read notes.md.", calls("c1", "read", path="notes.md"))
    said = [user("Never push to main."), reply, result("c1", "Round as the ledger does.")]
    return Session(format=format, messages=tuple(with_ids(said)))


@pytest.mark.parametrize("name", KNOWN)
def test_what_an_importer_advises_has_a_source(name: str) -> None:
    """A page that anybody can open, and words that name a file or a setting as code."""
    found = importers()[name].KEEPS  # type: ignore[attr-defined]
    assert urlsplit(found.source).scheme == "https"
    assert found.text.count("`") % 2 == 0
    assert "`" in found.text


def test_the_user_of_an_agent_is_told_what_its_makers_say() -> None:
    """Of what the user said in a session of Claude Code: its CLAUDE.md."""
    found = advice(fate(replay(_session("claude-code")), "Never push to main."))
    assert found is not None
    assert found.text.startswith("Put it into the project's `CLAUDE.md`")
    assert found.source == "https://code.claude.com/docs/en/context-window#what-survives-compaction"


def test_an_order_for_once_is_no_rule() -> None:
    """No file of instructions is the place for it: it is named when one compacts, or said again."""
    said = "Fix the flaky `test_login` now, then go on with the report of last week and its three figures."
    reply = assistant("Done.")
    for format, expected in (
        (
            "claude-code",
            "Compact by hand before the window is full, `/compact Keep word for word the message of the user that says "
            '"Fix the flaky test_login now, then go on with the report of…"`,',
        ),
        ("codex", "Say it again after the compaction, or begin it in a session of its own with `/new`."),
        ("gemini-cli", "Say it again after the compaction: the agent reads your newest message word for word."),
    ):
        found = advice(fate(replay(Session(format=format, messages=tuple(with_ids([user(said), reply])))), said[:80]))
        assert found is not None
        assert found.text.startswith(expected), format
    assert once_to(simulate(_session("claude-code"), policy("agentkit.memory"))) is None


def test_a_command_quotes_what_it_is_to_keep() -> None:
    """Read alone it is an instruction, and shows where the quote ends."""
    said = 'I think "by file" is too much'
    session = Session(format="claude-code", messages=tuple(with_ids([user(said), assistant("Done.")])))
    found = advice(fate(replay(session), said))
    assert found is not None
    assert """`/compact Keep word for word what the user said: "I think 'by file' is too much"`,""" in found.text


def test_a_rule_is_told_from_an_order_by_its_words() -> None:
    """What half or more of the sentences state for good; a long order with one rule in it is an order."""
    for rule in (
        "Never push to main.",
        "no new dependency, not even a small one",
        "Keep in mind that the API is public.",
        "You must never commit to main.",
        "If you change the schema, always add a migration.",
        "When you write code, never use global state.",
        "Write all comments in English, always.",
    ):
        assert is_standing(rule), rule
    order = "Fix the login test. Look at the log first. Then run it twice. Never push to main. Tell me what you find."
    for once in (
        "fix this test now",
        "now run it again",
        "Now you must fix the login test.",
        "you never ran the tests",
        "When I press the button it never opens.",
        "Write the report, do not run it.",
        "okay do a 3pass crituqe check",
        "the squash in GitHub keeps trailers",
        order,
        "",
    ):
        assert not is_standing(once), once


def test_a_simulated_agent_has_the_advice_of_that_agent() -> None:
    """The policy of Codex on a session of Claude Code: AGENTS.md. A library's policy has none: its own settings help."""
    session = _session("claude-code")
    found = advice_to(simulate(session, policy("codex.local")))
    assert found is not None
    assert "`AGENTS.md`" in found.text
    assert advice_to(simulate(session, policy("agentkit.memory"))) is None


def test_what_a_tool_said_can_be_asked_again() -> None:
    """No file of instructions is the place for it; of what the model said itself nothing is advised."""
    trace = replay(_session("claude-code"))
    said = f"It came from a tool: the agent can call that tool again. The result has {trace.tokens[2]} tokens."
    assert advice(fate(trace, "Round as the ledger does.")) == Advice(said)
    assert advice(fate(trace, "I will read notes.md.")) is None
    assert advice(fate(trace, "never said")) is None


def test_words_that_stand_in_several_messages_are_the_users_to_keep() -> None:
    """Where the user says them after a tool or the model did, the advice is that to a user, not to call the tool again."""
    told = "Round as the ledger does."
    asked = [user("Look up how to round."), assistant("", calls("r1", "read", path="notes.md")), result("r1", told)]
    session = Session(format="claude-code", messages=tuple(with_ids([*asked, assistant(told), user(told)])))
    found = advice(fate(replay(session), told))
    assert found is not None
    assert found.source == advice_to(replay(session)).source  # type: ignore[union-attr]


def test_a_session_of_no_known_agent_has_none() -> None:
    """The sample is a list of messages: nobody knows what its agent reads."""
    assert advice_to(replay(load(SAMPLE))) is None
