"""OpenHands: events of both generations as messages, condensations as the window they leave, runs of an evaluation."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Session, Usage
from tests.serving import share

SAMPLES = Path(__file__).parent.parent.parent / "sample_sessions" / "openhands"
GREENHOUSE, PARCEL = SAMPLES / "greenhouse", SAMPLES / "lost-parcel.json"


def session(*events: Any) -> Session:
    """What load makes of a list of events; they are numbered from 0 where they have no id."""
    found = [{"id": n, "timestamp": f"t{n}", **e} if isinstance(e, dict) else e for n, e in enumerate(events)]
    return load(name="t.json", data=json.dumps(found))


def act(action: str, source: str = "agent", meta: Any = None, **args: Any) -> dict[str, Any]:
    """An action of V0."""
    known = {"tool_call_metadata": meta} if meta else {}
    return {"source": source, "message": "", "action": action, "args": args, **known}


def v0_observation(kind: str, content: str = "", meta: Any = None, cause: Any = None, **extras: Any) -> dict[str, Any]:
    """An observation of V0."""
    known = {"tool_call_metadata": meta} if meta else {}
    return {"source": "agent", "observation": kind, "content": content, "cause": cause, "extras": extras, **known}


def meta(call: str, response: str = "r1", calls: tuple[str, ...] = (), **usage: Any) -> dict[str, Any]:
    """What a call of V0 says of the response it came in."""
    named = [{"id": c, "function": {"name": "sh", "arguments": '{"n": 1}'}} for c in calls or (call,)]
    message = {"role": "assistant", "content": "look", "tool_calls": named, "reasoning_content": "hm"}
    told = {"id": response, "model": "m1", "choices": [{"message": message}], "usage": usage or None}
    return {"tool_call_id": call, "function_name": "sh", "model_response": told}


def typed(words: str = "go") -> dict[str, Any]:
    """A message that a person typed."""
    return act("message", "user", content=words, image_urls=None)


def steps(*numbers: int) -> list[dict[str, Any]]:
    """Calls with their results, two events each."""
    pairs = ((meta(f"c{n}", f"r{n}"), n) for n in numbers)
    return [e for m, n in pairs for e in (act("run", meta=m, command="x"), v0_observation("read", f"out {n}", m))]


def new(kind: str, id: str, source: str = "agent", **fields: Any) -> dict[str, Any]:
    """An event of V1."""
    return {"id": id, "timestamp": "2026-01-01T00:00:00", "source": source, "kind": kind, **fields}


def message(id: str, words: str, role: str = "user", **fields: Any) -> dict[str, Any]:
    """A message of V1."""
    said = {"role": role, "content": [{"type": "text", "text": words}]}
    return new("MessageEvent", id, "user" if role == "user" else "agent", llm_message=said, **fields)


def called(
    id: str, response: str = "r1", arguments: Any = "{}", tool: str = "terminal", **fields: Any
) -> dict[str, Any]:
    """A call of V1."""
    call = {"id": f"c-{id}", "name": tool, "arguments": arguments}
    known = {"tool_name": tool, "tool_call_id": f"c-{id}", "tool_call": call, "llm_response_id": response}
    return new("ActionEvent", id, **{"thought": [], "action": {"kind": "X"}, **known, **fields})


def came(id: str, of: str, words: str = "ok", **observation: Any) -> dict[str, Any]:
    """A result of V1."""
    found = {"kind": "FileEditorObservation", "content": [{"type": "text", "text": words}], **observation}
    known = {"tool_name": "terminal", "tool_call_id": f"c-{of}", "action_id": of}
    return new("ObservationEvent", id, "environment", observation=found, **known)


def forgot(id: str, *gone: str, **fields: Any) -> dict[str, Any]:
    """A condensation of V1."""
    return new("Condensation", id, "environment", forgotten_event_ids=list(gone), llm_response_id="rc", **fields)


def test_a_reply_of_v0_is_what_its_response_says():
    """Text, thought, calls and usage are those of the response; the prompt of LiteLLM includes what was cached."""
    m = meta(
        "c1", "r1", prompt_tokens=100, completion_tokens=7, cache_read_input_tokens=60, cache_creation_input_tokens=30
    )
    found = session(typed(), act("run", meta=m, command="ls"), v0_observation("edit", "done", m))
    said, result = found.messages[1:]
    assert (said.content, said.thinking, said.reply_id, said.model, said.line) == ("look", "hm", "r1", "m1", 2)
    assert [(c.id, c.name, c.arguments) for c in said.tool_calls] == [("c1", "sh", {"n": 1})]
    assert said.usage == found.usage == Usage(input_uncached=10, cache_read=60, cache_write=30, output=7)
    assert (result.role, result.tool_call_id, result.name, result.content) == ("tool", "c1", "sh", "done")
    assert (found.format, found.title, found.model, found.records, found.turns) == ("openhands", "go", "m1", 3, 1)


def test_parallel_calls_are_one_reply_with_one_usage():
    """Events that share a response are one reply, however they are mixed with results."""
    m1, m2 = (meta(c, "r1", ("c1", "c2"), prompt_tokens=10, completion_tokens=1) for c in ("c1", "c2"))
    old = session(
        typed(),
        act("run", meta=m1),
        v0_observation("read", "a", m1),
        act("run", meta=m2),
        v0_observation("read", "b", m2),
    )
    v1 = session(message("u", "go"), called("a"), called("b"), came("x", "a"), came("y", "b"))
    for found in (old, v1):
        assert [m.role for m in found.messages] == ["user", "assistant", "tool", "tool"]
        assert len(found.messages[1].tool_calls) == 2
    assert old.usage == Usage(input_uncached=10, output=1)


def test_actions_without_a_response_are_calls_themselves():
    """Old files name no call: the action is one, and the observation says which event caused it."""
    found = session(
        typed(), act("run", command="ls", thought="look"), v0_observation("run", "a b", cause=1, exit_code=0)
    )
    assert (found.messages[1].content, found.messages[1].tool_calls[0].arguments) == ("look", {"command": "ls"})
    assert (found.messages[2].tool_call_id, found.messages[2].content) == (found.messages[1].tool_calls[0].id, "a b")


def test_who_put_it_in():
    """Only what a person typed is a turn; commands they ran, what was recalled and errors are told apart."""
    recalled = {"recall_type": "knowledge", "microagent_knowledge": [{"name": "k", "content": "know"}]}
    found = session(
        act("system", content="be good", tools=[{}, {}]),
        typed(),
        act("recall", "user", query="go"),
        v0_observation("recall", "Added", **recalled),
        v0_observation("recall", "Added", **recalled),
        act("run", "user", command="ls"),
        v0_observation("run", "a", cause=5, metadata={"exit_code": 0, "working_dir": "/w"}),
        v0_observation("error", "bad"),
        act("message", "environment", content="boo"),
        v0_observation("agent_state_changed"),
        act("run", "environment", command="git config", hidden=True),
    )
    assert [(m.role, m.injected) for m in found.messages] == [
        ("system", ""),
        ("user", ""),
        ("user", "recall"),
        ("user", "command"),
        ("user", "command"),
        ("user", "error"),
        ("user", "environment"),
    ]
    assert [m.content for m in found.messages[2:5]] == [
        "know",
        "User executed the command:\nls",
        "Observed result of command executed by user:\na\n[Current working directory: /w]\n[Command finished with exit code 0]",
    ]
    assert (found.turns, found.project) == (1, "/w")
    assert found.other == {"agent_state_changed": 1, "hidden": 1, "recall": 2, "tool schemas": 2}


def test_results_that_did_not_end_well():
    """Errors, refusals and failed commands are marked; the model is told so in words."""
    pairs = [("error", {}), ("user_rejected", {}), ("run", {"success": False}), ("run", {"success": True})]
    events = [typed()]
    for n, (kind, known) in enumerate(pairs):
        m = meta(f"c{n}", f"r{n}")
        events += [act("run", meta=m), v0_observation(kind, "x", m) | known]
    results = [m for m in session(*events).messages if m.role == "tool"]
    assert [m.is_error for m in results] == [True, True, True, False]
    assert "[Error occurred" in results[0].content
    assert "rejected" in results[1].content
    v1 = session(
        message("u", "go"),
        called("a"),
        came("x", "a", is_error=True),
        called("b", "r2"),
        new("AgentErrorEvent", "y", tool_name="t", tool_call_id="c-b", error="no such tool"),
        called("c", "r3"),
        new("UserRejectObservation", "z", tool_name="t", tool_call_id="c-c", rejection_reason="no"),
    )
    told = [(m.content, m.is_error) for m in v1.messages if m.role == "tool"]
    assert [bad for _, bad in told] == [True, True, True]
    assert [text for text, _ in told][1:] == ["no such tool", "Action rejected: no"]


def test_pictures_are_no_text():
    """Pictures of a message, a notebook cell and a message of V1 are pictures; a cell's own are not shown as text."""
    url = "data:image/gif;base64,R0lGODlhAQACAAAA"
    m = meta("c1")
    cell = v0_observation("run_ipython", "1\n![image](data:image/png;base64,AAAA)", m, image_urls=[url])
    old = session(act("message", "user", content="see", image_urls=[url]), act("run_ipython", meta=m), cell)
    said = {"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image", "image_urls": [url]}]}
    v1 = session(new("MessageEvent", "u", "user", llm_message=said))
    for shown in (old.messages[0], old.messages[2], v1.messages[0]):
        assert [(i.width, i.height, i.source) for i in shown.images] == [(1, 2, "base64")]
        assert "AAAA" not in shown.content


def test_messages_of_v1():
    """What a skill added stands apart; what another agent sent was not typed; a thought is told once."""
    item = {"reasoning_content": "hm", "thinking_blocks": [{"thinking": "hm"}], "arguments": "{oops"}
    found = session(
        new(
            "SystemPromptEvent", "s", system_prompt={"text": "be good"}, dynamic_context={"text": "on mars"}, tools=[{}]
        ),
        message("u", "go", extended_content=[{"type": "text", "text": "know"}]),
        message("v", "and you", sender="planner"),
        called("a", **item),
        new("PauseEvent", "p", "user"),
        new("ConversationErrorEvent", "e", detail="out of money"),
    )
    assert [(m.id, m.role, m.content, m.injected) for m in found.messages] == [
        ("s", "system", "be good\non mars", ""),
        ("u", "user", "go", ""),
        ("u-context", "user", "know", "context"),
        ("v", "user", "and you", "agent"),
        ("a", "assistant", "", ""),
    ]
    assert (found.messages[4].thinking, found.messages[4].tool_calls[0].arguments) == ("hm", {})
    raw = session(message("u", "go"), called("a", arguments="{oops")).messages[1].tool_calls[0]
    assert (raw.arguments, raw.raw) == ({}, "{oops")
    assert found.other == {"ConversationErrorEvent": 1, "PauseEvent": 1, "tool schemas": 1}
    assert (found.ended_with, found.notes) == ("out of money", ())


def windows(found: Session) -> list[list[str]]:
    """The ids in the window behind each compaction."""
    return [[m.id for m in step.after] for step in replay(found).compactions]


def test_a_condensation_of_v0():
    """A range, or ids; the summary stands behind as many events of the window as it says, those without a message too."""
    gone = {"forgotten_events_start_id": 4, "forgotten_events_end_id": 7}
    named = {"forgotten_event_ids": [4, 5, 6, 7]}
    for which in (gone, named):
        found = session(
            act("system", content="s"),
            typed(),
            act("recall", "user"),
            v0_observation("recall", date="today"),
            *steps(1, 2, 3),
            act("condensation", summary="S", summary_offset=4, **which),
            *steps(4),
        )
        (cut,) = found.compactions
        assert (cut.at, cut.summary, cut.kept, cut.lead) == (9, "10-summary", ("1", "3", "8", "9"), 2)
        assert (cut.fidelity, cut.edit, cut.trigger, cut.line) == ("exact", "summarised", "auto", 11)
        assert windows(found) == [["0", "1", "3", "10-summary", "8", "9"]]


def test_a_range_has_both_of_its_ends():
    """The first and the last event of it go as well."""
    cut = act("condensation", forgotten_events_start_id=1, forgotten_events_end_id=2)
    assert session(typed("a"), typed("b"), typed("c"), typed("d"), cut).compactions[0].kept == ("0", "3")


def test_a_summary_further_back_than_the_window_stands_at_its_end():
    """However large the number is."""
    cut = act("condensation", forgotten_event_ids=[1], summary="S", summary_offset=10**19)
    assert windows(session(typed("a"), typed("b"), typed("c"), cut)) == [["0", "2", "3-summary"]]


def test_the_newest_summary_of_v0_stands_alone():
    """Each new one takes the place of the one before; where nothing is written, the older one stays."""
    start = [act("system", content="s"), typed(), *steps(1, 2, 3, 4)]
    first = act("condensation", forgotten_event_ids=[2, 3], summary="S", summary_offset=2)
    more = act("condensation", forgotten_event_ids=[4, 5], summary="T", summary_offset=2)
    drop = act("condensation", forgotten_event_ids=[6, 7])
    found = session(*start, first, more, drop)
    assert windows(found) == [
        ["0", "1", "10-summary", "4", "5", "6", "7", "8", "9"],
        ["0", "1", "11-summary", "6", "7", "8", "9"],
        ["0", "1", "11-summary", "8", "9"],
    ]
    assert [c.edit for c in found.compactions] == ["summarised", "summarised", "dropped"]


def test_v0_puts_the_first_message_of_the_user_back():
    """Where the window does not begin with it, OpenHands sends it all the same."""
    cut = act("condensation", forgotten_event_ids=[1, 2, 3], summary="S", summary_offset=1)
    found = session(act("system", content="s"), typed(), *steps(1, 2), cut)
    assert windows(found) == [["0", "1", "6-summary", "4", "5"]]


def test_what_lost_its_call_or_result_is_not_sent():
    """A result without its call goes; so does a call without any of its results."""
    cut = act("condensation", forgotten_event_ids=[2, 5])
    found = session(act("system", content="s"), typed(), *steps(1, 2, 3), cut)
    assert found.compactions[0].kept == ("1", "6", "7")


def test_a_condensation_of_v1():
    """Summaries have ids of their own: one that a later condensation does not name stays."""
    events = [message("u", "go")]
    for n in "abcd":
        events += [called(n, f"r{n}"), came(f"o{n}", n)]
    first = forgot("k1", "a", "oa", summary="S", summary_offset=1)
    stays, names = (
        forgot("k2", *ids, summary="T", summary_offset=1) for ids in (["b", "ob"], ["k1-summary", "b", "ob"])
    )
    assert windows(session(*events, first, stays))[1] == ["u", "k2-summary", "k1-summary", "c", "oc", "d", "od"]
    assert windows(session(*events, first, names))[1] == ["u", "k2-summary", "c", "oc", "d", "od"]
    unknown = forgot("k2", "b", "ob", "an-id-written-nowhere", summary="T", summary_offset=1)
    assert windows(session(*events, first, unknown))[1] == ["u", "k2-summary", "c", "oc", "d", "od"]
    bare = session(
        *events, new("CondensationRequest", "q", "environment", reason="context_limit"), forgot("k", "a", "oa")
    )
    (cut,) = bare.compactions
    assert (cut.summary, cut.edit, cut.trigger) == (None, "dropped", "context_limit")


def test_a_batch_of_v1_goes_as_a_whole():
    """A reply of which one call was forgotten is not sent any more, nor are its other results."""
    events = [
        message("u", "go"),
        called("a"),
        called("b"),
        came("oa", "a"),
        came("ob", "b"),
        called("c", "r2"),
        came("oc", "c"),
    ]
    assert session(*events, forgot("k", "a", "oa")).compactions[0].kept == ("u", "c", "oc")
    assert session(*events, forgot("k", "a")).compactions[0].kept == ("u", "c", "oc")


def test_a_condensation_of_nothing_is_counted():
    """Some runs ask again and again, and nothing goes."""
    found = session(typed(), *steps(1), *[act("condensation", forgotten_event_ids=[])] * 1)
    assert (found.compactions, found.other) == ((), {"condensation of nothing": 1})


def test_the_sizes_of_the_prompts_around_a_condensation():
    """They are those of the replies before and after; where another condensation came between, they are not its own."""
    found = load(PARCEL)
    (cut,) = found.compactions
    assert (cut.tokens_before, cut.before_from) == (1610, "prompt of the model call before")
    assert (cut.tokens_after, cut.after_from) == (1500, "prompt of the model call after")
    cuts = (act("condensation", forgotten_event_ids=[n], summary="S", summary_offset=0) for n in (1, 2))
    m = meta("c1", prompt_tokens=5, completion_tokens=1)
    end = act("run", meta=meta("c2", "r2", prompt_tokens=3, completion_tokens=1))
    two = session(typed(), act("run", meta=m), v0_observation("read", "a", m), *cuts, end).compactions
    assert [(c.tokens_before, c.tokens_after) for c in two] == [(5, None), (None, 3)]


def test_a_delegate_is_a_child():
    """The events between a delegation and its report are the delegate's; its first message is the task."""
    m = meta("c1")
    found = session(
        typed(),
        act("delegate", meta=m, agent="BrowsingAgent", inputs={"task": "look it up"}),
        act("message", "user", content="TASK: look it up"),
        *steps(7),
        v0_observation("delegate", "", m, outputs={"content": "it is 3"}),
        act("message", content="3"),
    )
    (child,) = found.children
    assert [m.content for m in found.messages] == ["go", "look", "it is 3", "3"]
    assert (child.name, child.message, child.call, child.session.title) == ("BrowsingAgent", "1", "c1", "look it up")
    assert [(m.role, m.injected) for m in child.session.messages] == [("user", "task"), ("assistant", ""), ("tool", "")]
    assert (found.subagents, found.notes) == (1, ())


def test_a_delegate_whose_events_are_elsewhere_is_counted():
    """An evaluation keeps the delegation and its report only."""
    found = session(typed(), act("delegate", agent="A", inputs={}), v0_observation("delegate", "done", cause=1))
    assert (found.subagents, found.children) == (1, ())
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def test_copies_strangers_and_orphans_are_noted():
    """A copy is left out, another event of the same id is not; a result without a call is shown."""
    found = session(
        typed(),
        typed() | {"id": 0, "timestamp": "t0"},
        typed("two") | {"id": 0},
        5,
        v0_observation("read", "x", meta("c9")),
    )
    assert [(m.id, m.content) for m in found.messages] == [("0", "go"), ("0~2", "two"), ("4", "x")]
    assert found.notes == (
        "1 tool result without a call in the file",
        "1 event skipped: copies of earlier ones (event 2)",
        "1 record skipped: not events of OpenHands (event 4)",
    )
    assert found.malformed_lines == 1


def test_a_folder_is_one_conversation(tmp_path):
    """The sample: parallel calls, an error, a refusal, what one condensation left; usage and project from the state."""
    found = load(GREENHOUSE)
    assert (found.id, found.model) == ("5d0c5f1e-8a40-4a86-9a0f-3c1b9c7f2e11", "claude-sonnet-4-5")
    assert (found.project, found.records, found.turns) == ("/home/mara/greenhouse", 21, 2)
    assert found.usage == Usage(input_uncached=1280, cache_read=16_420, cache_write=3120, output=690)
    assert found.messages[3].usage == Usage(input_uncached=10, cache_write=2090, output=140)
    (cut,) = found.compactions
    assert (cut.at, len(cut.kept), cut.lead, cut.trigger) == (10, 4, 2, "manual")
    assert (cut.tokens_before, cut.tokens_after) == (2520, 2300)
    one = next((GREENHOUSE / "events").glob("event-00003-*.json"))
    assert [m.id for m in load(one).messages] == [m.id for m in found.messages]


def test_one_event_alone_says_so(tmp_path):
    """Without the others beside it, the event is shown, and where the rest is."""
    event = next((GREENHOUSE / "events").glob("event-00001-*.json")).read_bytes()
    found = load(name="x", data=event)
    assert [m.injected for m in found.messages] == ["", "context"]
    assert found.notes == ("this is one event; open its folder for the whole conversation",)


def files(*events: dict[str, Any], home: str = "") -> dict[str, bytes]:
    """The files of a conversation of V1."""
    named = ((f"{home}events/event-{n:05d}-{e['id']}.json", e) for n, e in enumerate(events))
    return {name: json.dumps(e).encode() for name, e in named}


def test_several_conversations_in_a_folder():
    """Each is a session, with its own state; its events are not listed again."""
    given = files(message("u", "one"), home="a/") | files(message("u", "two"), message("v", "three"), home="b/")
    given["b/base_state.json"] = json.dumps({"id": "B", "workspace": {"working_dir": "/b"}}).encode()
    found = list(load_all(name="all", files=given))
    assert [(s.id, s.project, len(s.messages)) for s in found] == [("", "", 1), ("B", "/b", 2)]


def test_sub_agents_of_a_folder():
    """They lie below; each is linked to the call whose prompt is its task."""
    start = called("t", arguments=json.dumps({"prompt": "dig", "subagent_type": "mole"}), tool="task")
    given = files(message("u", "go"), start) | files(message("w", "dig"), home="subagents/abc/")
    found = load(name="x", files=given)
    (child,) = found.children
    assert (child.name, child.message, child.call) == ("mole", "t", "c-t")
    assert (child.session.messages[0].injected, found.subagents, found.notes) == ("task", 1, ())


def test_other_files_in_the_folder_are_noted():
    """What OpenHands keeps beside the events is known; what may be another transcript is said to be left out."""
    kept = {"TASKS.json": b"[]", "observations/x.txt": b"x", "event_cache/0-25.json": b"[]", "chat.json": b"[]"}
    found = load(name="x", files=files(message("u", "go")) | kept)
    assert found.notes == ("1 file beside the events not read, the first one: chat.json",)


def test_sub_agents_that_are_elsewhere_too():
    """Those at hand are children; of the others it is said that they ran."""
    start = [called(n, f"r{n}", json.dumps({"prompt": n}), "task") for n in "ab"]
    given = files(message("u", "go"), *start) | files(message("w", "b"), home="subagents/b/")
    found = load(name="x", files=given)
    assert ([c.call for c in found.children], found.subagents) == (["c-b"], 2)
    assert found.notes == ("1 sub-agent ran in a window of its own; its records are in other files",)


def test_a_file_that_cannot_be_read_is_noted():
    """The other events are read all the same."""
    found = load(name="x", files=files(message("u", "go")) | {"events/event-00001-x.json": b'{"id": '})
    assert (len(found.messages), found.malformed_lines) == (1, 1)
    assert found.notes[0].startswith("a file could not be read and was skipped: x/events/event-00001-x.json: line 1")


def test_events_of_v0_on_disk(tmp_path):
    """One file for each event, named by its number."""
    for n, event in enumerate([typed("a"), *steps(1), typed("b")]):
        (tmp_path / f"{n}.json").write_text(json.dumps({"id": n, "timestamp": "t", **event}), encoding="utf-8")
    assert [m.role for m in load(tmp_path / "3.json").messages] == ["user", "assistant", "tool", "user"]
    assert [m.id for m in load(tmp_path).messages] == ["0", "1", "2", "3"]


def run(name: str, *events: Any, **more: Any) -> str:
    """One line of an evaluation's output."""
    return json.dumps({"instance_id": name, "history": list(events), "metadata": {}, **more})


def test_each_run_of_an_evaluation_is_a_session():
    """Events stand in pairs in old ones; what the file's damage was is said with the last run."""
    used = {"accumulated_token_usage": {"prompt_tokens": 9, "cache_read_tokens": 4, "completion_tokens": 2}}
    config = {"llm_config": {"model": "m2"}}
    lines = [
        run("one", typed(), metrics=used, metadata=config),
        run("two", [typed(), v0_observation("null")], error="Boom\nat line 3"),
        run("three"),
        "{oops",
        '{"x": 1}',
    ]
    one, two = load_all(name="output.jsonl", data="\n".join(lines) + "\n")
    assert (one.id, one.title, one.model, one.usage) == (
        "one",
        "one",
        "m2",
        Usage(input_uncached=5, cache_read=4, output=2),
    )
    assert (one.notes, [m.content for m in two.messages], two.malformed_lines) == ((), ["go"], 2)
    assert (one.ended_with, two.ended_with) == ("", "Boom")
    assert two.notes == (
        "line 4 could not be read and was skipped",
        "1 run skipped: without events",
        "1 record skipped: neither a run nor an event (line 5)",
    )


@pytest.mark.parametrize("indent", [None, 1])
def test_other_envelopes(indent):
    """A single run, a trajectory in an object, and events line by line are read too."""
    event = {"id": 0, **typed()}
    for value in (json.loads(run("one", event)), {"trajectory": [event]}, [json.loads(run("one", event))], event):
        assert load(name="x", data=json.dumps(value, indent=indent)).messages[0].content == "go"
    assert len(load(name="x", data=f"{json.dumps(event)}\n{json.dumps(event | {'id': 1})}\n").messages) == 2


def test_told_state_of_the_conversation():
    """Where no file holds the state, the last event that tells of it does."""
    stats = {"usage_to_metrics": {"agent": {"accumulated_token_usage": {"prompt_tokens": 8, "completion_tokens": 1}}}}
    whole = {"id": "C", "agent": {"llm": {"model": "m3"}}, "workspace": {"working_dir": "/c"}}
    updates = [("full_state", whole), ("stats", stats), ("execution_status", "idle")]
    told = [
        new("ConversationStateUpdateEvent", f"s{n}", "environment", key=k, value=v) for n, (k, v) in enumerate(updates)
    ]
    found = session(message("u", "go"), *told)
    assert (found.id, found.model, found.project, found.usage) == ("C", "m3", "/c", Usage(input_uncached=8, output=1))


@pytest.mark.parametrize("odd", share([None, 5, "x", [1], {"a": {"b": 1}}, True, [{"type": "text", "text": 7}]]))
def test_wrong_types_are_no_crash(odd):
    """Every field may hold anything."""
    samples = json.loads(PARCEL.read_bytes()), [json.loads(p.read_bytes()) for p in sorted(GREENHOUSE.glob("events/*"))]
    for events in samples:
        for event in events:
            for key in event:
                rest = [e | {key: odd} if e is event else e for e in events]
                assert session(*rest).messages
            for inner in ("args", "extras", "tool_call_metadata", "llm_message", "observation", "tool_call"):
                held = event.get(inner)
                for key in held if isinstance(held, dict) else ():
                    assert session(*[e | {inner: held | {key: odd}} if e is event else e for e in events]).messages


def resolved(number: int, *history: dict[str, Any], **known: Any) -> dict[str, Any]:
    """One run of the resolver."""
    issue = {"owner": "ada", "repo": "shop", "number": number, "title": f"Issue {number}", "body": "b"}
    return {
        "issue": issue,
        "instruction": "fix it",
        "git_patch": "",
        "history": list(history),
        "success": True,
        **known,
    }


BARE = (
    {"content": "fix it", "images_urls": None, "wait_for_response": False, "action": "message", "security_risk": None},
    {"command": "ls", "thought": "I look", "keep_prompt": True, "action": "run"},
    {"content": "a.py", "command_id": -1, "command": "ls", "exit_code": 0, "observation": "run"},
    {"code": "1", "thought": "", "action": "run_ipython"},
    {"content": "no", "observation": "error"},
    {"content": "Which?", "wait_for_response": True, "action": "message"},
    {"content": "Go on.", "wait_for_response": False, "action": "message"},
    {"outputs": {}, "thought": "Done.", "action": "finish"},
)


@pytest.mark.parametrize("runs", [1, 2])
def test_the_output_of_the_resolver(runs):
    """Its events are bare: who each is from and what it answers follows from their order."""
    data = "".join(json.dumps(resolved(n, *BARE)) + "\n" for n in range(1, runs + 1))
    found = list(load_all(name="output.jsonl", data=data))
    assert [(s.format, s.id, s.title) for s in found] == [
        ("openhands", f"ada/shop#{n}", f"Issue {n}") for n in range(1, runs + 1)
    ]
    said = [(m.role, m.content, [c.name for c in m.tool_calls]) for m in found[0].messages]
    assert said == [
        ("user", "fix it", []),
        ("assistant", "I look", ["run"]),
        ("tool", "a.py", []),
        ("assistant", "", ["run_ipython"]),
        ("tool", "no\n[Error occurred in processing last action]", []),
        ("assistant", "Which?", []),
        ("user", "Go on.", []),
        ("assistant", "Done.", []),
    ]
    results = [m for m in found[0].messages if m.role == "tool"]
    assert [m.tool_call_id for m in results] == [c.id for m in found[0].messages for c in m.tool_calls]
    assert (found[0].turns, [m.is_error for m in results], found[0].notes) == (2, [False, True], ())


def test_other_outputs_of_the_resolver():
    """A review of a pull request, whole events, a run that failed before its first event."""
    review = {"pr_review": {"owner": "a", "repo": "b", "pr_number": 3}, "issue": None}
    whole_events = [{"id": 0, "timestamp": "t", **typed("all of it")}]
    runs = [resolved(1, *BARE, **review), resolved(2, *whole_events), resolved(4, error="it broke")]
    one, two = load_all(name="x", data="".join(json.dumps(run) + "\n" for run in runs))
    assert (one.id, one.title, two.messages[0].content) == ("a/b#3", "a/b#3", "all of it")
    assert two.notes == ("1 run skipped: without events",)


def test_what_is_not_ours():
    """Other lists with actions or kinds are left to others."""
    for value in (
        [{"action": "ls", "observation": "a", "response": "x", "state": "{}"}],
        [{"kind": "request", "parts": []}],
        [{"role": "user", "content": "x", "source": "user"}],
        {"history": [{"role": "user", "content": "x"}], "instance_id": "i"},
        {"history": [{"role": "user", "content": "x", "action": "y"}], "issue": {"number": 1}, "git_patch": ""},
        {"history": [{"action": "ls", "observation": "a"}], "issue": {"number": 1}, "git_patch": ""},
        {"history": list(BARE), "issue": "i"},
    ):
        assert "openhands" not in claimed_by(head_of(Source("x", data=json.dumps(value).encode())))
    with pytest.raises(TranscriptError, match="contains no messages"):
        session(v0_observation("null"))
