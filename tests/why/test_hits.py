"""Which messages have a text."""

from core import Message, Session, policy, simulate
from core.why.fate import fate


def test_case_is_left_aside_where_a_message_writes_it_otherwise_than_its_summary() -> None:
    """The user wrote the rule within a sentence, the summary with a capital letter: both have it."""
    said = ("Fix it, and no new dependency, please.", "Fixed.", "Go on.", "Done.", "Thanks.")
    roles = ("user", "assistant", "user", "assistant", "user")
    messages = tuple(
        Message.model_validate({"id": f"m{k}", "role": r, "content": c})
        for k, (r, c) in enumerate(zip(roles, said, strict=True))
    )
    rule = policy("agentkit.memory", budget=20, keep_recent=1)
    trace = simulate(Session(messages=messages), rule, summarizer=lambda *_: "Rule: No new dependency.")
    found = fate(trace, "No new dependency")

    assert (found.match, list(found.places)) == ("case", [0])
    assert [stretch.state for stretch in found.lane][:1] == ["verbatim"]
    assert found.lane[-1].state == "summary"


def test_the_first_letter_of_a_summary_may_have_another_case() -> None:
    """What the user wrote within a sentence, as it was selected there, begins one in the summary; other letters count."""
    messages = tuple(
        Message.model_validate({"id": f"m{k}", "role": ("user", "assistant")[k % 2], "content": content})
        for k, content in enumerate(("Fix it, and no new dependency, please.", "Fixed.", "Go on.", "Done.", "Thanks."))
    )
    rule = policy("agentkit.memory", budget=20, keep_recent=1)
    for summary, state in (("Rule: No new dependency.", "summary"), ("Rule: NO NEW dependency.", "gone")):
        found = fate(
            simulate(Session(messages=messages), rule, summarizer=lambda *_, text=summary: text), "no new dependency"
        )

        assert (found.match, found.lane[-1].state) == ("exact", state)
    trace = simulate(Session(messages=messages), rule, summarizer=lambda *_: "New dependency: none.")

    assert fate(trace, "new dependency").lane[-1].state == "gone"  # two words may be a name
