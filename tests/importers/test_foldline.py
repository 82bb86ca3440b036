"""foldline's own files: a session, a trace, and what is too new."""

import json

import pytest

from core.engine.simulate import simulate
from core.importers import _sessions, given_source, load
from core.importers._files import source as source_module
from core.importers._files import text as text_module
from core.importers.foldline import save
from core.model.errors import TranscriptError
from core.model.saved_messages import with_messages
from core.model.session import Image, Message, Session, SubAgent, ToolCall, Usage
from core.policies import policy

SESSION = Session(title="t", format="claude-code", messages=(Message(role="user", content="hi"),), records=1)


def test_a_trace_opens_as_its_session(tmp_path):
    """Saved or dumped, a trace gives back the session it was made of."""
    trace = simulate(SESSION, policy("agentkit.memory"))
    save(trace, tmp_path / "trace.json")
    assert load(tmp_path / "trace.json") == SESSION
    assert load(name="dump", data=trace.model_dump_json()) == SESSION


def test_a_session_dumped_without_the_mark():
    """What the model itself writes is recognised by its keys."""
    assert load(name="dump", data=SESSION.model_dump_json()) == SESSION


def test_messages_that_are_not_as_saved_are_read_too():
    """What was written by hand, or by an older version, is filled in: no id, nulls, arguments as text."""
    saved = Message(id="a", role="user", content="hi").model_dump()
    calls = [{"id": None, "name": "read", "arguments": '{"path": "a.py"}'}, {"name": "run", "arguments": "ls"}]
    others = [{"role": "assistant", "content": None, "tool_calls": calls}, {**saved, "id": ""}, {**saved, "id": "a"}]
    found = load(name="x", data=json.dumps({"foldline": "session", "messages": [saved, *others]})).messages
    assert [m.id for m in found] == ["a", "m-3aaf57b2bb8a", "m-987ab67474b5", "a~2"]
    assert [m.content for m in found] == ["hi", "", "hi", "hi"]
    assert [(c.id, c.arguments, c.raw) for c in found[1].tool_calls] == [("", {"path": "a.py"}, None), ("", {}, "ls")]


def test_a_saved_message_without_an_id_is_given_one():
    """Its other fields being as they are saved changes nothing."""
    saved = Message(id="a", role="user", content="hi").model_dump() | {"id": ""}
    found = load(name="x", data=json.dumps({"foldline": "session", "messages": [saved]})).messages
    assert [m.id for m in found] == ["m-987ab67474b5"]


def test_messages_as_saved_are_those_of_the_session():
    """Every field comes back, of the session's messages and of those of the sessions below it."""
    call = ToolCall(id="c", name="read", arguments={"path": ["a.py", None, 1.5]})
    full = Message(
        id="a", role="assistant", content="\u00e9 \u2603", tool_calls=(call, ToolCall(name="f", raw="x")), reply_id="r",
        thinking="hm", images=(Image(media_type="image/png", width=3),), usage=Usage(output=7), model="m", line=4,
    )  # fmt: skip
    below = SubAgent(id="k", message="a", session=Session(messages=(full, Message(id="b", role="tool", is_error=True))))
    session = Session(format="x", messages=(full,), children=(below,))
    values = with_messages(json.loads(session.model_dump_json()))
    assert (values["messages"], values["children"][0]["session"]["messages"]) == ((full,), below.session.messages)
    assert load(name="x", data=session.model_dump_json()) == session


def test_the_parsed_file_is_let_go_once_its_session_is_made():
    """It is larger than the session, and nobody reads it again."""
    source = given_source(None, "x", SESSION.model_dump_json(), None)
    assert next(_sessions(source)) == SESSION
    assert source.value is None


@pytest.fixture
def small_limits(monkeypatch):
    """Other files may hold 100 bytes, foldline's own 8,000."""
    for module in (text_module, source_module):
        monkeypatch.setattr(module, "LIMIT", 100)
    monkeypatch.setattr(source_module, "OWN_LIMIT", 8000)


@pytest.mark.parametrize("dumped", [False, True])
def test_what_was_saved_opens_whatever_its_size(tmp_path, small_limits, dumped):
    """The limit for other people's files does not hold for a session or a trace that foldline wrote."""
    for what in (SESSION, simulate(SESSION, policy("agentkit.memory"))):
        save(what, tmp_path / "large.json")
        text = what.model_dump_json() if dumped else (tmp_path / "large.json").read_text(encoding="utf-8")
        assert len(text) > 200
        assert load(name="large", data=text) == SESSION


def test_what_was_saved_has_a_limit_too(tmp_path, small_limits):
    """It is larger, and the error names it."""
    save(SESSION.model_copy(update={"title": "t" * 8000}), tmp_path / "large.json")
    with pytest.raises(TranscriptError, match="longer than 0 MB"):
        load(tmp_path / "large.json")


def test_a_version_from_the_future_is_refused():
    """The error names the version and what can be read."""
    with pytest.raises(TranscriptError, match="version 9; this one reads up to 1"):
        load(name="x", data=json.dumps({"foldline": "session", "version": 9, "messages": []}))


def test_values_that_cannot_be_are_named_by_place():
    """A role that does not exist is an error that says where it stands."""
    with pytest.raises(TranscriptError, match=r"messages\.0\.role"):
        load(name="x", data=json.dumps({"foldline": "session", "messages": [{"role": "king"}]}))


def test_unknown_keys_are_ignored():
    """A file of a later foldline with more to say still opens."""
    value = {"foldline": "session", "later": 1, "messages": [{"role": "user", "content": "hi", "mood": "good"}]}
    assert load(name="x", data=json.dumps(value)).messages[0].content == "hi"


def test_a_version_that_is_no_number_is_refused():
    """The error is short, whatever stands there."""
    with pytest.raises(TranscriptError, match="whose version is not a number"):
        load(name="x", data=json.dumps({"foldline": "session", "version": {"a": "b" * 500}, "messages": []}))


TALK = [{"id": name, "role": "user", "content": name} for name in "ab"]
MISFITS = [
    ({"compactions": [{"at": 3}]}, "compactions.0: happened outside of its 2 messages"),
    ({"compactions": [{"at": -1}]}, "compactions.0: happened outside of its 2 messages"),
    ({"compactions": [{"at": 1}, {"at": 1, "kept": ["c"]}]}, "compactions.1: names messages that do not exist"),
    ({"compactions": [{"at": 1, "summary": "c"}]}, "compactions.0: names messages that do not exist"),
    ({"compactions": [{"at": 1, "summary": "b"}] * 2}, "compactions.1: names the summary of another compaction"),
    ({"children": [{"id": "x", "message": "c", "session": {}}]}, "children.0: names a message that does not exist"),
    (
        {"children": [{"id": "x", "session": {"compactions": [{"at": 1}]}}]},
        "children.0: compactions.0: happened outside of its 0 messages",
    ),
]


@pytest.mark.parametrize(("more", "said"), MISFITS)
def test_what_names_messages_that_are_not_there_is_refused(more, said):
    """Replay would have nothing to show for it."""
    with pytest.raises(TranscriptError, match=said):
        load(name="x", data=json.dumps({"foldline": "session", "messages": TALK, **more}))


def test_what_was_saved_without_compactions_has_none_when_opened():
    """They are worked out where the transcript is read, and not again."""
    talk = [{"role": "assistant", "content": "x", "usage": {"cache_read": tokens}} for tokens in (90_000, 20, 30)]
    assert load(name="x", data=json.dumps({"foldline": "session", "messages": talk})).compactions == ()


@pytest.mark.parametrize("number", [10**400, -(10**400)])
def test_a_recorded_number_that_no_float_holds_is_refused(number):
    """The error names the field; what reckons with recorded numbers need not expect any."""
    usage = {"role": "assistant", "usage": {"input_uncached": number}}
    with pytest.raises(TranscriptError, match=r"messages\.0\.usage\.input_uncached"):
        load(name="x", data=json.dumps({"foldline": "session", "messages": [usage]}))
