"""mini-swe-agent: who said what in text runs and in runs with tools, usage of both APIs, bare lists told from any other."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.importers import claimed_by, load
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Session, Usage

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "mini-swe-agent" / "moon-phase.traj.json"
TASK = "Fix it. To finish: `echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT`"
SEEN = "<returncode>0</returncode>\n<output>\na.py\n</output>"


def message(role: str, content: Any, **extra: Any) -> dict[str, Any]:
    """A message; what is more goes into its extra."""
    return {"role": role, "content": content} | ({"extra": extra} if extra else {})


def session(*messages: Any, **info: Any) -> Session:
    """What load makes of a trajectory."""
    value = {"info": info, "messages": [message("system", "S"), message("user", TASK), *messages]}
    return load(name="s.json", data=json.dumps(value | {"trajectory_format": "mini-swe-agent-1", "instance_id": "i-1"}))


def claims(value: Any) -> list[str]:
    """Who claims a file with this value."""
    return claimed_by(head_of(Source("s.json", data=json.dumps(value).encode())))


def test_a_text_run_has_one_turn():
    """Commands stand in the replies; what came of them, and what was submitted, no person typed."""
    done = "done\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```"
    found = session(
        message("assistant", "look\n```bash\nls\n```"),
        message("user", SEEN),
        message("assistant", "oh"),
        message("user", "Please always provide EXACTLY ONE action in triple backticks, found 0 actions."),
        message("assistant", done),
        message("user", "diff --git a/a.py b/a.py"),
    )
    assert [m.injected for m in found.messages] == ["", "", "", "observation", "", "error", "", "submission"]
    assert [(m.id, m.line) for m in found.messages][:2] == [("message-1", 1), ("message-2", 2)]
    assert (found.turns, found.id, found.title, found.format) == (1, "i-1", "i-1", "mini-swe-agent")


@pytest.mark.parametrize(
    "typed",
    [
        "Interrupted by user: use pytest",
        "Command not executed. The user rejected your command with the following message: no",
        "Commands not executed. The user rejected your commands with the following message: no",
        "The user added a new task: and the docs",
        "User command: \n```bash\nls\n```",
    ],
)
def test_what_a_person_typed_while_it_ran(typed):
    """It starts a turn, whether the file marks it or not."""
    assert session(message("assistant", "a"), message("user", typed)).turns == 2
    assert session(message("assistant", "a"), message("user", "x", interrupt_type="UserRejection")).turns == 2


def test_usage_of_chat_completions():
    """Prompt tokens include what was cached; reply, model and time come from the recorded response."""
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}}
    response = {"id": "gen-1", "model": "m1", "created": 1767254400, "usage": usage}
    reply = session(message("assistant", "a", response=response)).messages[2]
    assert reply.usage == Usage(input_uncached=40, cache_read=60, output=7)
    assert (reply.reply_id, reply.model, reply.timestamp) == ("gen-1", "m1", "2026-01-01T08:00:00.000Z")


def test_calls_and_results():
    """Version 2: a result answers its call and has its tool's name; the message that ends the run was sent to nobody."""
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    asked = message("assistant", None) | {"tool_calls": [call], "reasoning_content": "hm"}
    result = message("tool", SEEN, exception_info="timed out") | {"tool_call_id": "c1"}
    found = session(asked, result, message("exit", "diff", exit_status="Submitted"))
    reply, seen = found.messages[2:]
    assert (reply.tool_calls[0].arguments, reply.thinking) == ({"command": "ls"}, "hm")
    assert (seen.role, seen.tool_call_id, seen.name, seen.is_error) == ("tool", "c1", "bash", True)
    assert found.other == {"exit": 1}


def test_items_of_the_responses_api():
    """A whole response is one reply; its output is an item of its own."""
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "xyz"},
        {"type": "message", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": "{oops"},
    ]
    usage = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 25}, "output_tokens": 40}
    response = {"object": "response", "id": "r1", "model": "m1", "created_at": 1767254400, "usage": usage}
    found = session(response | {"output": output}, {"type": "function_call_output", "call_id": "c1", "output": SEEN})
    reply, seen = found.messages[2:]
    assert (reply.content, reply.thinking, reply.reply_id) == ("I look.", "hm", "r1")
    assert (reply.tool_calls[0].raw, reply.tool_calls[0].name) == ("{oops", "bash")
    assert (reply.usage, reply.timestamp) == (
        Usage(input_uncached=75, cache_read=25, output=40),
        "2026-01-01T08:00:00.000Z",
    )
    assert (seen.role, seen.content, seen.tool_call_id) == ("tool", SEEN, "c1")


def test_thinking_that_was_not_sent_again_is_counted():
    """It is no part of the message, and of no later prompt."""
    response = {"choices": [{"message": {"content": "a", "reasoning": "long"}}]}
    found = session(message("assistant", "a", response=response))
    assert (found.messages[2].thinking, found.other) == ("", {"reasoning, not sent again": 1})


def test_the_run_says_what_it_was_configured_with():
    """The model where no reply names one, the folder, and how it ended where the agent did not end it."""
    config = {"model": {"model_name": "m2"}, "environment": {"cwd": "/testbed"}}
    found = session(message("assistant", "a"), config=config, exit_status="LimitsExceeded")
    assert (found.model, found.project, found.ended_with) == ("m2", "/testbed", "LimitsExceeded")


def test_a_bare_list():
    """The oldest form: known by how it begins and goes on. Its title is that of the issue."""
    task = f"Please solve this issue: The door squeaks\n\nOften.\n\n{TASK}"
    items = [message("system", "S"), message("user", task), message("assistant", "a\n```mswea_bash_command\nls\n```")]
    assert claims(items) == claims(items[:2]) == ["mini-swe-agent"]
    assert load(name="x", data=json.dumps(items)).title == "The door squeaks"


@pytest.mark.parametrize(
    "value",
    [
        [message("system", "S"), message("user", "how do I list files?"), message("assistant", "```bash\nls\n```")],
        [message("user", "what does <returncode>0</returncode> mean?"), message("assistant", "success")],
        [message("user", "hello"), message("assistant", TASK)],
        {"messages": [message("user", TASK)], "model": "m"},
    ],
)
def test_other_lists_are_not_claimed(value):
    """A fence, an observation or the closing word alone make no run of mini-swe-agent."""
    assert claims(value) == ["openai-chat"]


def test_what_is_left_out_is_said():
    """Items that are none, roles unknown here, results without a call."""
    found = session(5, None, message("narrator", "x"), {"type": "function_call_output", "call_id": "c9", "output": "o"})
    assert (len(found.messages), found.records, found.malformed_lines) == (3, 6, 3)
    assert found.notes == (
        "3 messages skipped: unknown role",
        "1 tool result without a call in the file, the first in message 6",
    )


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [None], {"usage": [5]}])
def test_values_of_the_wrong_kind_are_no_crash(value):
    """Whatever stands where something else belongs."""
    keys = ("content", "tool_calls", "extra", "tool_call_id", "call_id", "output", "reasoning_content", "usage", "id")
    odd = [
        dict.fromkeys(keys, value) | {"role": role} for role in ("system", "user", "assistant", "tool", "exit", value)
    ]
    odd += [dict.fromkeys(keys, value) | {"object": "response", "output": [value, {"type": "message"}]}]
    odd += [
        message("assistant", value, response=value, timestamp=value),
        {"type": "function_call_output", "output": value},
    ]
    odd += [message("assistant", value, response={"usage": value, "choices": value, "created": value, "model": value})]
    assert session(*odd, value, config=value, exit_status=value).model_dump_json()
    for info in ({"info": value}, {"info": {"mini_version": value}}):
        try:
            load(name="x", data=json.dumps(info | {"messages": [value], "trajectory_format": "mini-swe-agent-1"}))
        except TranscriptError:
            continue


def test_the_sample():
    """A run with tools: parallel calls, a reply without one, a command that timed out."""
    found = load(SAMPLE)
    assert (len(found.messages), found.turns, found.title) == (12, 1, "tides__tides-214")
    assert [m.injected for m in found.messages if m.injected] == ["error"]
    assert [m.line for m in found.messages if m.is_error] == [11]
    assert found.usage == Usage(input_uncached=902, cache_read=2220, output=301)
