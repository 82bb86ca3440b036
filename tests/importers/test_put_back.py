"""What Claude Code puts into the window with a compaction, beside its summary."""

from typing import Any

import pytest

from core import Session, fate, meter, policy, replay, simulate
from core.analyse.losses import losses
from core.why.words import line
from tests.importers.test_claude_code import boundary, reply, result, session, summary, text, use, user

BODY = "".join(f"const shade{k} = '#1f6fd{k}';\n" for k in range(9))


def attached(uuid: str, kind: str, content: str, **more: Any) -> dict[str, Any]:
    """The record of an attachment."""
    return {"type": "attachment", "uuid": uuid, "attachment": {"type": kind, "content": content, **more}}


def compacted(*behind: dict[str, Any]) -> Session:
    """A session in which a file was read, and everything became a summary with some records behind it."""
    return session(
        user("u1", "Restyle the site."),
        reply("a1", use("t1", file_path="custom.css")),
        user("r1", [result("t1", BODY)]),
        boundary("b", trigger="manual", preTokens=90),
        summary(),
        *behind,
    )


FILE, SKILL = attached("f", "file", BODY), attached("s", "invoked_skills", "Use shade3 for links.")
COMMAND = user("c", "<command-name>/compact</command-name>")
GO_ON = [user("u2", "Go on."), attached("h", "hook_additional_context", "Be terse."), reply("a2", text("Yes."), "m2")]


def test_what_comes_with_a_compaction_is_in_the_window_that_it_leaves() -> None:
    """The records of /compact stand between; what is attached to the next message came later, as a text from the queue did."""
    found = compacted(COMMAND, FILE, SKILL, *GO_ON)
    (one,) = found.compactions
    assert (one.at, one.summary, one.added) == (3, "sum", ("f", "s"))
    trace = replay(found, meter=meter("agentkit"))
    (event,) = trace.compactions
    assert [m.id for m in event.after] == ["sum", "f", "s"]
    assert event.window_after == sum(event.added_tokens) > meter("agentkit").count(event.added[1])
    assert ([m.id for m in event.put_back], event.summary_tokens) == (["f", "s"], event.added_tokens[0])
    assert [m.id for m in trace.messages] == ["u1", "a1", "r1", "c", "u2", "h", "a2"]
    assert [m.id for m in trace.window(len(trace) - 1)] == ["sum", "f", "s", "c", "u2", "h", "a2"]


@pytest.mark.parametrize(
    "behind",
    [
        [*GO_ON, FILE],
        [reply("a2", text("Yes."), "m2"), FILE],
        [attached("q", "queued_command", "", prompt="And the print style."), FILE],
    ],
    ids=["behind a message", "behind a reply", "behind a text from the queue"],
)
def test_what_is_attached_later_arrives_by_itself(behind: list[dict[str, Any]]) -> None:
    """A message, a reply, and a text that was typed meanwhile stand in front of it."""
    assert compacted(*behind).compactions[0].added == ()


def test_a_text_that_was_put_back_is_not_gone() -> None:
    """Why tells who put it back; a second read of the file asks for nothing that was gone."""
    again = [reply("a2", use("t2", file_path="custom.css"), "m2"), user("r2", [result("t2", BODY)])]
    for put, calls in (([], 1), ([FILE], 0)):
        trace = replay(compacted(*put, user("u2", "Go on."), *again), meter=meter("agentkit"))
        assert len(losses(trace, 0).again) == calls
        found = fate(trace, "shade7")
        assert found.lane[-1].state == "verbatim"
        assert [line(found, event) for event in found.events if event.step == 3] == [
            "Compaction 1 summarized what said it",
            "Summary #1 left it out" if put else "Gone: summary #1 left it out",
            *(["Put back by Claude Code"] if put else []),
        ]


def test_another_policy_has_not_put_it_back() -> None:
    """What the recorded compaction put in is no message of the conversation."""
    trace = simulate(compacted(FILE, *GO_ON), policy("agentkit.memory", budget=10_000), meter=meter("agentkit"))
    assert [m.id for m in trace.messages] == ["u1", "a1", "r1", "u2", "h", "a2"]
