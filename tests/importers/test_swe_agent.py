"""SWE-agent: the history read, what was emptied told by the queries, demonstrations, attempts and other agents apart."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Session, Usage

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "swe-agent" / "last-boat.traj"
CONFIG = {"problem_statement": {"id": "i-1"}, "agent": {"model": {"name": "m1"}}}


def message(role: str, content: Any = "x", agent: str = "main", **more: Any) -> dict[str, Any]:
    """A message of the history."""
    return {"role": role, "content": content, "agent": agent, **more}


def run(*history: Any, steps: Any = (), info: Any = None, **more: Any) -> dict[str, Any]:
    """A run, with what it begins with."""
    begun = [message("system", "S"), message("user", "T")]
    return {"trajectory": list(steps), "history": [*begun, *history], "info": info or {}, **more}


def session(*history: Any, **more: Any) -> Session:
    """What load makes of a run."""
    return load(name="s.traj", data=json.dumps(run(*history, **more)))


def emptied(text: str) -> str:
    """What stands in the place of an old observation."""
    return f"Old environment output: ({len(text.splitlines())} lines omitted)"


def test_old_runs_have_text_only():
    """0.x: the first user message is the task; demonstrations before it and observations behind it are no turns."""
    found = load(
        name="x",
        data=json.dumps(
            {
                "trajectory": [{"state": '{"working_dir": "/repo"}'}],
                "info": {"exit_status": "submitted", "model_stats": {"tokens_sent": 120, "tokens_received": 7}},
                "history": [
                    message("system", "S"),
                    message("user", "how it goes", is_demo=True),
                    message("assistant", "so", is_demo=True),
                    message("user", "We solve this:\nISSUE:\nThe door squeaks\n\nINSTRUCTIONS:\n…"),
                    message("assistant", "look\n```\nls\n```", thought="look", action="ls"),
                    message("user", "a.py"),
                ],
            }
        ),
    )
    assert [m.injected for m in found.messages] == ["", "demo", "demo", "", "", "observation"]
    assert (found.title, found.project, found.turns) == ("The door squeaks", "/repo", 1)
    assert (found.usage, found.notes, found.messages[4].content) == (
        Usage(input_uncached=120, output=7),
        (),
        "look\n```\nls\n```",
    )


def test_new_runs_have_calls_and_results():
    """1.x: a tool message answers the call it names; what was started is in the replay config, as JSON or as an object."""
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    blocks = [{"type": "thinking", "thinking": "hm", "signature": "…"}]
    asked = message("assistant", "look", tool_calls=[call], thinking_blocks=blocks)
    for config in (CONFIG, json.dumps(CONFIG)):
        found = session(asked, message("tool", "a.py", tool_call_ids=["c1"]), replay_config=config)
        reply, result = found.messages[2:]
        assert (reply.tool_calls[0].arguments, reply.thinking) == ({"command": "ls"}, "hm")
        assert (result.tool_call_id, result.name, result.content) == ("c1", "bash", "a.py")
        assert (found.id, found.title, found.model) == ("i-1", "i-1", "m1")


def test_what_a_history_processor_emptied():
    """It is whole in the history; the query of the step says that the model no longer saw it. Each is told once."""
    first, second = "one\ntwo", "three"
    history = [
        message("assistant"),
        message("user", first),
        message("assistant"),
        message("user", second),
        message("assistant"),
    ]
    begun = [message("system", "S"), message("user", "T")]
    third = [
        *begun,
        message("assistant"),
        message("user", emptied(first)),
        message("assistant"),
        message("user", second),
    ]
    fourth = [*third[:5], message("user", emptied(second)), message("assistant")]
    found = session(*history, steps=[{"query": begun}, {}, {"query": third}, {"query": fourth}])
    small, later = found.compactions
    assert (small.kind, small.at, small.cleared, small.fidelity) == ("microcompaction", 6, ("message-4",), "inferred")
    assert (later.at, later.cleared, later.line) == (7, ("message-6",), 4)
    after = {m.id: m.content for m in replay(found).compactions[0].after}
    assert (after["message-4"], after["message-6"], found.notes) == ("[cleared]", "three", ())


@pytest.mark.parametrize(
    "text", ["Old output omitted (2 lines)", [{"type": "text", "text": "Old environment output: (2 lines omitted)"}]]
)
def test_how_versions_say_that_it_was_emptied(text):
    """0.x in other words; 1.x also as a block with a mark for the cache."""
    found = session(
        message("user", "a\nb"),
        steps=[{"query": [message("system", "S"), message("user", "T"), message("user", text)]}],
    )
    assert [c.cleared for c in found.compactions] == [("message-3",)]


@pytest.mark.parametrize("lines", [1, 9])
def test_a_number_of_lines_that_does_not_fit_is_not_taken(lines):
    """The message at this place is another one then."""
    query = [
        message("system", "S"),
        message("user", "T"),
        message("user", f"Old environment output: ({lines} lines omitted)"),
    ]
    assert session(message("user", "a\nb"), steps=[{"query": query}]).compactions == ()


def test_what_was_sent_in_other_words_is_said():
    """Of a window onto a file that was opened again only the newest is sent whole."""
    query = [message("system", "S"), message("user", "T"), message("user", "a Outdated window with 9 lines omitted...")]
    assert session(message("user", "a\nb"), steps=[{"query": query}]).notes == (
        "1 message was sent to the model reworded; the history's text is shown",
    )


def test_several_attempts_are_several_sessions():
    """The chosen one stands in the file twice, and is given once."""
    one, two = run(message("assistant", "a")), run(message("assistant", "b"))
    data = two | {"attempts": [one, two], "info": {"best_attempt_idx": 1}, "replay_config": CONFIG}
    found = list(load_all(name="x", data=json.dumps(data)))
    assert [(s.id, s.messages[2].content) for s in found] == [("i-1-attempt-0", "a"), ("i-1-attempt-1", "b")]
    assert [s.notes for s in found] == [(), ("this attempt was chosen",)]
    assert len(list(load_all(name="x", data=json.dumps({"attempts": [one, two]})))) == 2


def test_another_agent_is_a_session_of_its_own():
    """Its messages stand among the others', and the main agent never saw them."""
    found = session(
        message("assistant", "help me"),
        message("system", "S2", "reviewer"),
        message("user", "T2", "reviewer"),
        message("assistant", "fine", "reviewer"),
        message("user", "fine"),
    )
    (child,) = found.children
    assert [m.id for m in found.messages] == ["message-1", "message-2", "message-3", "message-7"]
    assert (child.name, child.message, child.session.turns, found.subagents) == ("reviewer", "message-3", 1, 1)
    assert [m.content for m in child.session.messages] == ["S2", "T2", "fine"]


def test_a_file_without_a_history():
    """The steps hold the replies and what came of them."""
    steps = [{"action": "ls", "response": "look", "observation": "a.py", "thought": "look"}]
    found = load(name="x", data=json.dumps({"trajectory": steps, "info": {}}))
    assert [(m.role, m.content, m.injected) for m in found.messages] == [
        ("assistant", "look", ""),
        ("user", "a.py", "observation"),
    ]
    assert found.notes[0].startswith("the file has no history")


def test_what_the_agent_submitted():
    """It stands apart from the messages; what SWE-agent took at a limit the agent did not submit."""
    done = session(
        message("assistant", "submit"), info={"exit_status": "submitted", "submission": "\ndiff --git a b\n"}
    )
    assert (done.submission, done.ended_with) == ("diff --git a b", "")
    cut = session(info={"exit_status": "submitted (exit_cost)", "submission": "diff --git a b"})
    assert (cut.submission, cut.ended_with) == ("", "submitted (exit_cost)")


def test_what_is_left_out_is_said():
    """Items that are none, roles unknown here, results without a call; a run that the agent did not end."""
    found = session(
        5, message("narrator"), message("tool", "o", tool_call_ids=[]), info={"exit_status": "exit_context"}
    )
    assert (len(found.messages), found.malformed_lines) == (3, 2)
    assert found.ended_with == "exit_context"
    assert found.notes == (
        "2 messages skipped: unknown role",
        "1 tool result without a call in the file, the first in message 5",
    )


@pytest.mark.parametrize(
    "value", [{"history": [message("user")], "instance_id": "x"}, {"trajectory": "text", "info": {}}, {"attempts": [5]}]
)
def test_other_objects_are_not_claimed(value):
    """OpenHands has a history too, others a trajectory."""
    assert "swe-agent" not in claimed_by(head_of(Source("x", data=json.dumps(value).encode())))


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [None], [{"role": "user"}]])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    keys = ("content", "agent", "tool_calls", "tool_call_ids", "is_demo", "thinking_blocks")
    odd = [dict.fromkeys(keys, value) | {"role": role} for role in ("system", "user", "assistant", "tool", value)]
    steps = [value, {"query": value, "state": value}, {"query": [value, {"role": "user", "content": value}] * 3}]
    info = {"model_stats": value, "exit_status": value, "best_attempt_idx": value}
    assert session(*odd, value, steps=steps, info=info, replay_config=value, attempts=value).model_dump_json()
    for given in ({"history": value, "trajectory": [value]}, {"trajectory": value, "history": [message("user")]}):
        try:
            load(name="x", data=json.dumps(given | {"info": value}))
        except TranscriptError:
            continue


def test_the_sample():
    """A demonstration, five steps, two observations emptied one after the other."""
    found = load(SAMPLE)
    assert (found.title, found.project, len(found.messages), found.turns) == ("ferry__ferry-31", "/ferry", 13, 1)
    assert [(c.at, c.cleared) for c in found.compactions] == [(9, ("message-5",)), (11, ("message-7",))]
