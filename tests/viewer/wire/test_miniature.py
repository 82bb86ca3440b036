"""A policy's rule as a picture, and the list of policies the chooser shows."""

import json
from typing import Any

import pytest

from core import policies, policy
from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Drop, Placement, Scope, Size
from viewer.wire.catalogue import FIDELITY, card, catalogue, family_of
from viewer.wire.miniature import Miniature, as_rows, demo, miniature

LESSON = policy("agentkit.memory")


def like_the_lesson(**update: Any) -> Policy:
    """The lesson's policy, with its rule changed."""
    return LESSON.model_copy(update={"name": "test.rule", **update}).with_settings({})


def fates(picture: Miniature) -> str:
    """What becomes of every message of the demonstration, a letter each."""
    rows: dict[str, str] = as_rows(picture)
    return rows["before"]


def test_the_demonstration() -> None:
    """57 messages: a system message, then 14 turns of a question, a call, its result, an answer; some 100,000 tokens."""
    messages = demo()
    assert [m.role for m in messages[:6]] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert (len(messages), messages[2].tool_calls[0].id, messages[3].tool_call_id) == (57, "call-0", "call-0")
    assert 90_000 < sum(tokens for *_, tokens in miniature(LESSON).before) < 110_000


def test_a_summary_is_drawn() -> None:
    """The lesson's rule pins the system message and the newest four: 52 go, one summary goes after the system message."""
    picture = miniature(LESSON)
    assert fates(picture) == "p" + "g" * 52 + "s" * 4
    assert [(role, kind) for role, kind, _ in picture.after[:3]] == [
        ("system", "kept"),
        ("system", "summary"),
        ("user", "kept"),
    ]
    assert picture.places == (0, -1, 53, 54, 55, 56)
    assert picture.caption == (
        "Summarizes 52 messages, keeps 5 unchanged. The summary, a system message, goes after the system message."
    )


def test_a_reply_to_the_summary_is_named() -> None:
    """The minimal agent's summary stands in the user's role, and the model is made to answer it."""
    picture = miniature(policy("minimal_agent.rolling"))
    assert [kind for _, kind, _ in picture.after[:3]] == ["kept", "summary", "ack"]
    assert picture.caption.endswith("The summary, a user message, goes after the system message, with a reply to it.")


def test_clearing_is_drawn_in_place() -> None:
    """Results in front of the newest four messages are cleared in place: 13 of 14; nothing is added."""
    picture = miniature(like_the_lesson(transform=Clear(text="[gone]"), placement=None))
    assert fates(picture) == "p" + "sses" * 13 + "ssss"
    assert [kind for _, kind, _ in picture.after].count("emptied") == 13
    assert picture.caption == "Clears 13 messages, keeps 44 unchanged."
    assert all(tokens < 10 for _, kind, tokens in picture.after if kind == "emptied")


def test_shortening_is_not_clearing() -> None:
    """A body of which both ends stay is cut, not cleared."""
    picture = miniature(like_the_lesson(transform=Clear(text="…", above=20_000, head=4000, tail=4000), placement=None))
    assert set(fates(picture)) == {"p", "s", "c"}
    assert "shortens" in picture.caption.lower()


def test_a_reply_without_its_thinking_is_told_apart() -> None:
    """The thinking goes, text and call stay: such a message is neither cut nor cleared."""
    picture = miniature(like_the_lesson(transform=Clear(results=False, thinking=True), placement=None))
    assert fates(picture) == "p" + "stss" * 13 + "ssss"
    assert picture.caption == "Removes the thinking from 13 messages, keeps 44 unchanged."


def test_a_digest_is_called_text() -> None:
    """Calls and results that become text are not summarized."""
    assert miniature(policy("agent_framework.context_window")).caption.startswith(
        "Converts 20 messages to text, keeps 37"
    )


def test_dropping_leaves_nothing() -> None:
    """What is dropped has nothing in its place, unless the policy leaves a note."""
    dropped = miniature(like_the_lesson(transform=Drop(), placement=None))
    assert dropped.caption == "Drops 52 messages, keeps 5 unchanged."
    note = Placement(role="user", template="[{k} messages left out]")
    noted = miniature(like_the_lesson(transform=Drop(), placement=note))
    assert [kind for _, kind, _ in noted.after[:2]] == ["kept", "marker"]
    assert noted.caption.endswith("A note, a user message, goes after the system message.")


def test_a_rule_that_does_nothing_says_so() -> None:
    """Where all 57 messages are pinned there is no picture, but a sentence."""
    picture = miniature(like_the_lesson(scope=Scope(tail=Size(unit="messages", value=60))))
    assert (picture.after, set(fates(picture))) == ((), {"s"})
    assert picture.caption == "No change to 57 messages: everything in the window is pinned."


def test_only_named_tools_are_called_by_them() -> None:
    """A policy that empties the results of one tool alone is shown a conversation that calls this tool."""
    picture = miniature(like_the_lesson(transform=Clear(only=("WebFetch",)), placement=None))
    assert "e" in fates(picture)


@pytest.mark.parametrize("rule", policies(), ids=lambda rule: str(rule.name))
def test_every_policy_has_a_picture(rule: Policy) -> None:
    """Every message before has its fate; what stays is in both strips; what it says adds up; it is JSON."""
    picture = miniature(rule)
    rows = as_rows(picture)
    assert len(rows["before"]) == len(picture.before) == len(demo())
    assert picture.caption
    kept = {place for place, (_, kind, _) in zip(picture.places, picture.after, strict=True) if kind == "kept"}
    if picture.after:
        assert kept == {i for i, fate in enumerate(rows["before"]) if fate in "ps"}
    assert json.loads(json.dumps(rows)) == rows


def test_every_policy_is_in_the_catalogue_once() -> None:
    """Grouped by family in order of name, with what the chooser tells; small enough to be sent with the first page."""
    found = catalogue()
    entries = [entry for family in found["families"] for entry in family["policies"]]
    assert sorted(e["name"] for e in entries) == [p.name for p in policies()]
    assert [f["name"] for f in found["families"]] == sorted({family_of(p) for p in policies()}, key=str.casefold)
    assert {e["fidelity"] for e in entries} <= set(FIDELITY)
    wanted = {"name", "title", "about", "rule", "faults", "not_modelled", "fidelity", "source", "parameters", "picture"}
    assert all(set(e) == wanted for e in entries)
    assert len(json.dumps(found)) < 4_000 * len(entries)


def test_parameters_are_told_with_their_defaults() -> None:
    """In the words of the address; "not set" where there is none."""
    entries = {e["name"]: e for family in catalogue()["families"] for e in family["policies"]}
    assert entries["agentkit.memory"]["parameters"] == [["budget", "400"], ["keep_recent", "4"]]
    assert ["summary_prompt", "not set"] in entries["agentlib.summarizing"]["parameters"]


def test_the_card_of_the_chosen_policy() -> None:
    """Name, fidelity, what is not modelled and one line; the recorded run, which is no policy, has its name alone."""
    told, exact = (
        {"not_modelled": [], "about": LESSON.about},
        "agrees with the real code in every case that was compared",
    )
    assert card("agentkit.memory") == {"name": "agentkit.memory", "fidelity": "exact", "fidelity_words": exact, **told}
    assert card("strands.summarizing")["not_modelled"][0] == "pin_first"
    assert card("recorded") == {"name": "recorded", "fidelity": "", "not_modelled": [], "about": ""}


def test_a_default_is_said_as_a_person_would() -> None:
    """Thresholds and sizes are named with their amounts; what is empty is called so."""
    told = {p["name"]: dict(p["parameters"]) for family in catalogue()["families"] for p in family["policies"]}
    assert told["anthropic.clear_tool_uses"]["trigger"] == "input_tokens 100,000"
    assert told["langchain.summarization"]["keep"] == "messages 20"
    assert told["langchain.summarization"]["trigger"] == "not set"
