"""OpenAI chat: lists, requests, responses, logs of both, runs."""

import json
from typing import Any

import pytest

from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.session import Session, Usage


def session(value: Any) -> Session:
    """What load makes of the value."""
    return load(name="x.json", data=json.dumps(value).encode())


def call(arguments: Any, id: str = "c1") -> dict[str, Any]:
    """A call of `add`."""
    return {"id": id, "type": "function", "function": {"name": "add", "arguments": arguments}}


def test_roles_and_tool_pairs():
    """A developer is a system message, a function result a tool message; arguments are decoded, results named."""
    found = session(
        [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "add"}, {"type": "text", "text": "these"}]},
            {"role": "assistant", "content": None, "tool_calls": [call('{"a": 1}')], "reasoning_content": "so"},
            {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "1"}]},
            {"role": "function", "name": "old", "content": "2"},
        ]
    )
    assert [m.role for m in found.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert [m.content for m in found.messages] == ["Be brief.", "add\nthese", "", "1", "2"]
    assert (found.messages[2].tool_calls[0].arguments, found.messages[2].thinking) == ({"a": 1}, "so")
    assert [m.name for m in found.messages[3:]] == ["add", "old"]
    assert (found.format, found.title, found.turns) == ("openai-chat", "add", 1)


def test_arguments_that_do_not_decode_stay_text():
    """Invalid JSON is kept as it was; an object that was never a string is taken as it is."""
    calls = [call("{broken"), call({"b": 2}, "c2"), call("[1]", "c3")]
    found = session([{"role": "assistant", "content": "", "tool_calls": calls}]).messages[0].tool_calls
    assert [(c.arguments, c.raw) for c in found] == [({}, "{broken"), ({"b": 2}, None), ({}, "[1]")]


def test_a_log_of_request_and_response():
    """The reply comes last, with its usage; cached tokens are taken out of the prompt's."""
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 60}}
    response = {
        "id": "r1",
        "model": "gpt-x",
        "choices": [{"message": {"role": "assistant", "content": "hi"}}],
        "usage": usage,
    }
    found = session({"messages": [{"role": "user", "content": "hello"}], "response": response, "cost": 0.1})
    assert [m.content for m in found.messages] == ["hello", "hi"]
    assert found.usage == found.messages[1].usage == Usage(input_uncached=40, cache_read=60, output=7)
    assert (found.messages[1].reply_id, found.model) == ("r1", "gpt-x")


def test_a_response_alone():
    """A chat completion is a session of one message; further choices are said."""
    choices = [{"message": {"role": "assistant", "content": c}} for c in ("one", "two")]
    found = session({"object": "chat.completion", "model": "gpt-x", "choices": choices})
    assert ([m.content for m in found.messages], found.notes) == (
        ["one"],
        ("the reply has 2 choices; this is the first",),
    )


def sessions(*records: Any) -> list[Session]:
    """What load_all makes of the records, one a line."""
    return list(load_all(name="x.jsonl", data="\n".join(map(json.dumps, records))))


def user(content: Any = "hi", **fields: Any) -> dict[str, Any]:
    """A message of the user's."""
    return {"role": "user", "content": content, **fields}


def reply(content: Any = "yes", **fields: Any) -> dict[str, Any]:
    """A message of the model's."""
    return {"role": "assistant", "content": content, **fields}


def log(*sent: Any, answer: Any = None, prompt: int = 0, **fields: Any) -> dict[str, Any]:
    """A call as LiteLLM logs it."""
    usage = {"prompt_tokens": prompt, "completion_tokens": 1}
    response = {"id": f"r{prompt}", "model": "gpt-x", "choices": [{"message": answer}], "usage": usage}
    return {"messages": list(sent), "response": response if answer else None, **fields}


def test_every_run_is_a_session() -> None:
    """tau-bench keeps many in a file: each is told by its task, its trial and its reward; empty ones are counted."""
    runs = [{"task_id": i, "trial": 0, "reward": i / 2, "traj": [user(f"run {i}")], "info": {}} for i in range(3)]
    runs[1]["traj"] = []
    for found in (list(load_all(name="x", data=json.dumps(runs))), sessions(*runs)):
        assert [(s.id, s.title) for s in found] == [
            ("task-0-0", "task 0, trial 0, reward 0.0"),
            ("task-2-0", "task 2, trial 0, reward 1.0"),
        ]
        assert [s.messages[0].content for s in found] == ["run 0", "run 2"]
        assert found[1].notes == ("1 run before this one skipped: no messages in it",)
    assert session({"task_id": 7, "traj": [user()]}).title == "task 7"


def test_logs_of_one_run_are_put_together() -> None:
    """Each log repeats the one before: what it adds arrives, replies have their usage, and nothing comes twice."""
    calls = reply(None, tool_calls=[call("{}")])
    result = {"role": "tool", "tool_call_id": "c1", "content": "1"}
    first = log(user(), answer=calls, prompt=10)
    second = log(user(), calls, result, answer=reply("done"), prompt=20)
    for found in (sessions(first, second), list(load_all(name="x", data=json.dumps([first, second])))):
        (run,) = found
        assert [(m.role, m.content, m.line) for m in run.messages] == [
            ("user", "hi", 1), ("assistant", "", 1), ("tool", "1", 2), ("assistant", "done", 2),
        ]  # fmt: skip
        assert run.usage == Usage(input_uncached=30, output=2)
        assert (run.records, run.model, run.compactions, run.notes) == (2, "gpt-x", (), ())


def test_a_call_without_an_id_is_the_same_call_in_the_next_prompt() -> None:
    """It is given one by its place among the messages, not by the line of the log."""
    made = reply(None, function_call={"name": "add", "arguments": "{}"})
    result = {"role": "function", "name": "add", "content": "1"}
    (run,) = sessions(log(user(), answer=made), log(user(), made, result, answer=reply("end")))
    assert [m.content for m in run.messages] == ["hi", "", "1", "end"]
    assert (run.messages[2].tool_call_id, run.notes) == ("call-2-1", ())


def test_logs_of_several_runs_are_told_apart() -> None:
    """By how they begin, by what was said, and, where the same was asked anew, by the order."""
    found = sessions(
        log(user("a"), answer=reply("1")),
        log(user("b"), answer=reply("2")),
        log(user("a"), reply("1"), user("on"), answer=reply("3")),
        log(user("b"), answer=reply("4")),
        log(user("a"), answer=reply("5"), metadata={"session_id": "other"}),
    )
    assert [[m.content for m in s.messages] for s in found] == [
        ["a", "1", "on", "3"],
        ["b", "2"],
        ["b", "4"],
        ["a", "5"],
    ]
    assert found[3].id == "other"


def test_a_prompt_that_was_compacted() -> None:
    """It goes on with a run it knows a reply of; what is gone had been summarized."""
    start = [user("a"), reply("1"), user("b")]
    found = sessions(
        log(*start[:1], answer=reply("1"), prompt=10),
        log(*start, answer=reply("2"), prompt=30),
        log(user("summary of a"), user("b"), reply("2"), user("c"), answer=reply("3"), prompt=15),
    )
    (run,) = found
    (cut,) = run.compactions
    assert ([m.content for m in run.messages if m.id == cut.summary], cut.fidelity) == (["summary of a"], "inferred")
    assert (cut.tokens_before, cut.tokens_after, len(cut.kept)) == (30, 15, 2)


def test_a_call_that_failed_and_was_tried_again() -> None:
    """The prompt is the same: one run, with the error in a note."""
    (run,) = sessions(log(user(), error={"message": "overloaded"}, model="m"), log(user(), answer=reply()))
    assert [m.content for m in run.messages] == ["hi", "yes"]
    assert run.notes == ("1 reply failed: overloaded",)


def test_requests_wrapped_by_batches_and_proxies() -> None:
    """A body in a batch, a request beside its response, a response in a body."""
    request = {"model": "gpt-x", "messages": [user()]}
    answer = {"choices": [{"message": reply()}]}
    assert [
        len(s.messages) for s in sessions({"custom_id": "1", "body": request}, {"custom_id": "2", "body": request})
    ] == [1]
    (both,) = sessions(*[{"request": request, "response": answer}])
    (batch,) = sessions({"custom_id": "1", "response": {"status_code": 200, "body": answer}}, {"custom_id": "2"})
    assert [m.content for m in both.messages] == ["hi", "yes"]
    assert ([m.content for m in batch.messages], batch.notes) == (["yes"], ("1 line skipped: not a model call",))


def test_a_folder_of_logs() -> None:
    """One call a file, in the order of time: the runs they add up to; a file of another kind is said."""
    first, second = log(user(), answer=reply()), log(user(), reply(), user("on"), answer=reply("end"))
    files = {"b.json": {**first, "timestamp": 1.5}, "a.json": {**second, "timestamp": 2.5}}
    data = {name: json.dumps(value).encode() for name, value in files.items()}
    (found,) = load_all(name="x", files=data)
    assert [m.content for m in found.messages] == ["hi", "yes", "on", "end"]
    many = {f"{n:02}.json": json.dumps({**first, "timestamp": n}).encode() for n in range(1, 30)}
    found, *_ = load_all(name="x", files=many | {"07.json": b'{"readme": 1}'})
    assert found.notes == ("1 file of the folder skipped: not a log of a model call",)


def test_a_folder_of_other_files_is_not_one_of_logs() -> None:
    """Requests alone, and lists of messages, are sessions of their own."""
    data = json.dumps([user()]).encode()
    assert len(list(load_all(name="x", files={"a.json": data, "b.json": data}))) == 2
    lonely = json.dumps({"model": "m", "messages": [user()]}).encode()
    assert len(list(load_all(name="x", files={"a.json": lonely, "b.json": lonely}))) == 2


def test_messages_one_a_line() -> None:
    """They are one session; a damaged line is said."""
    data = "\n".join([json.dumps(user()), "{broken", json.dumps(reply())])
    found = load(name="x.jsonl", data=data)
    assert ([m.content for m in found.messages], found.malformed_lines) == (["hi", "yes"], 1)
    assert found.notes == ("line 2 could not be read and was skipped",)


def test_no_line_is_lost() -> None:
    """However many there are: messages, or calls that were all asked the same."""
    (found,) = sessions(*(user(f"{n}") for n in range(200)))
    assert [m.content for m in found.messages] == [f"{n}" for n in range(200)]
    assert len(sessions(*[log(user(), answer=reply())] * 200)) == 200


def test_items_that_are_no_messages_are_counted() -> None:
    """Among messages, a few of them do not keep a list from opening."""
    found = session([user(), 5, {"role": "critic", "content": "x"}, reply(), reply()])
    assert (len(found.messages), found.records, found.malformed_lines) == (3, 5, 2)
    assert found.notes == ("2 items of the list skipped: not messages",)


def test_functions_of_old_are_calls() -> None:
    """They had no ids: a call is given one, and the result that comes next answers it."""
    found = session(
        [
            reply(None, function_call={"name": "add", "arguments": "{}"}),
            {"role": "function", "name": "add", "content": "1"},
        ]
    )
    (made,) = found.messages[0].tool_calls
    assert (made.name, found.messages[1].tool_call_id, found.messages[1].name) == ("add", made.id, "add")
    assert (made.id, found.notes) == ("call-1-1", ())


def test_results_without_an_id_answer_in_order() -> None:
    """The calls that wait for one; what answers none is said."""
    calls = reply("", tool_calls=[call("{}", "c1"), call("{}", "c2")])
    results = [{"role": "tool", "content": text} for text in "23"]
    found = session([calls, {"role": "tool", "tool_call_id": "c1", "content": "1"}, *results])
    assert [m.tool_call_id for m in found.messages[1:]] == ["c1", "c2", None]
    assert found.notes == ("1 tool result without a call in the file",)


def test_thinking_and_what_stands_in_for_text() -> None:
    """Thoughts in the ways of several providers; a refusal and what was spoken are text, the sound is none."""
    found = session(
        [
            reply("a", reasoning_content="1"),
            reply("a", reasoning="2"),
            reply(
                "a",
                reasoning_details=[
                    {"type": "reasoning.text", "text": "3"},
                    {"type": "reasoning.encrypted", "data": "x"},
                ],
            ),
            reply("a", thinking_blocks=[{"type": "thinking", "thinking": "4", "signature": "x"}]),
            reply(None, refusal="no"),
            reply(None, audio={"id": "a", "data": "UklGRg==", "transcript": "hello"}),
            reply([{"type": "refusal", "refusal": "never"}]),
        ]
    )
    assert [m.thinking for m in found.messages] == ["1", "2", "3", "4", "", "", ""]
    assert [m.content for m in found.messages[4:]] == ["no", "hello", "never"]


def test_results_in_blocks_are_messages() -> None:
    """Some proxies keep Anthropic's blocks beside OpenAI's calls: the result answers its call, and is no user's."""
    found = session(
        [
            reply("", tool_calls=[call("{}")]),
            user([{"type": "tool_result", "tool_use_id": "c1", "content": "1", "is_error": True}]),
        ]
    )
    assert [(m.role, m.content, m.name, m.is_error) for m in found.messages[1:]] == [("tool", "1", "add", True)]
    assert found.turns == 0


def test_calls_and_results_in_blocks_that_name_their_tool() -> None:
    """Data sets of runs write them so: both are told by `tool_name`, and a result answers the call of its id."""
    asks = {"type": "tool_call", "id": "c1", "tool_name": "add", "input": {"a": 1}}
    answer = {"type": "tool_response", "id": "c1", "tool_name": "add", "tool_response": "1"}
    found = session([reply([{"type": "text", "text": "so"}, asks]), {"role": "tool", "content": [answer]}])
    said, result = found.messages
    assert (said.content, [(c.id, c.name, c.arguments) for c in said.tool_calls]) == ("so", [("c1", "add", {"a": 1})])
    assert (result.role, result.content, result.tool_call_id, result.name) == ("tool", "1", "c1", "add")
    assert found.notes == ()


def test_when_a_reply_came() -> None:
    """The response tells in seconds since 1970."""
    value = log(user(), answer=reply())
    value["response"]["created"] = 1_757_015_036
    assert session(value).messages[1].timestamp == "2025-09-04T19:43:56Z"


def test_only_what_nobody_else_reads_is_claimed() -> None:
    """A more special importer comes first: keys that others write need no list here."""
    swe = {"trajectory_format": "mini-swe-agent-1", "info": {}, "messages": [user()]}
    assert claimed_by(head_of(Source("x", data=json.dumps(swe).encode()))) == ["mini-swe-agent"]
    assert claimed_by(head_of(Source("x", data=json.dumps({"info": "mine", "messages": [user()]}).encode()))) == [
        "openai-chat"
    ]


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [[]], {}])
def test_values_of_the_wrong_kind_are_no_crash(value: Any) -> None:
    """Whatever stands where something else belongs."""
    keys = ("tool_calls", "function_call", "refusal", "audio", "reasoning", "reasoning_details", "name", "id", "usage")
    odd = dict.fromkeys(keys, value)
    items = [user(), user(value), reply(value, **odd), {"role": "tool", "content": value, "tool_call_id": value}]
    items += [reply("", tool_calls=[value, {"function": value}, {"id": value, "function": {"name": value}}])]
    assert session(items).model_dump_json()
    logged = dict.fromkeys(("metadata", "timestamp", "error", "model", "session_id"), value)
    response = {"choices": [{"message": reply(value, **odd)}, value], "usage": value, "created": value, "id": value}
    (found,) = sessions(
        {"messages": items, "response": response, **logged},
        {"messages": items, "response": value, "kwargs": 1, **logged},
    )
    assert found.messages[0].content == "hi"
    runs = [{"traj": value}, {"traj": [user(), value], "task_id": value, "reward": value}]
    assert [len(s.messages) for s in sessions(*runs)] == [1]


def test_pictures_by_address():
    """A picture keeps its address, and how closely it was to be looked at; it is no text."""
    content = [
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}},
        {"type": "text", "text": "look"},
    ]
    (message,) = session([{"role": "user", "content": content}]).messages
    assert (message.content, message.images[0].source, message.images[0].detail) == (
        "look",
        "https://example.org/a.png",
        "low",
    )


def test_equal_messages_have_ids_of_their_own():
    """Ids are made of the text; a second message that says the same is told apart."""
    first, second = session([{"role": "user", "content": "hi"}] * 2).messages
    assert second.id == f"{first.id}~2"


def test_an_empty_list_is_a_session_of_no_messages() -> None:
    """A window that nothing has been said in yet opens, and says that it is empty."""
    session = load(name="x.json", data=b"[]")

    assert session.messages == ()
    assert session.notes == ("the list contains no messages",)
