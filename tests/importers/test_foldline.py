"""foldline's own files: a session, a trace, and what is too new."""

import json

import pytest

from core.engine.simulate import simulate
from core.importers import load
from core.importers._files import source as source_module
from core.importers._files import text as text_module
from core.importers.foldline import save
from core.model.errors import TranscriptError
from core.model.session import Message, Session
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
