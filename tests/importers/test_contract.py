"""What every importer owes: content decides, one claims, nothing crashes, and what is saved opens the same."""

import contextlib
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.importers import claimed_by, formats, importers, load
from core.importers._files.source import Source, head_of, opened
from core.importers.foldline import save
from core.model.errors import TranscriptError
from core.policies import policies, policy

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
FILES = sorted(p for p in SAMPLES.glob("*/*") if not p.name.startswith("__"))
SHOWN = json.loads((SAMPLES / "samples.json").read_text(encoding="utf-8"))
JSONL = (SAMPLES / "claude-code" / "recorded-compaction.jsonl").read_bytes()
DAMAGED = ["", " \n", "5", "null", "{}", "[1]", '[{"role": 1}]', "hello", "{{{", "[" * 100_000, '{"a":' * 100_000]

KEYS = ["role", "content", "type", "uuid", "message", "messages", "tool_calls", "parentUuid", "usage", "isSidechain"]

every_sample = pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.name}")


@every_sample
def test_one_importer_claims_it(path):
    """The importer of the folder's name claims a sample, and no other does."""
    assert claimed_by(head_of(opened(Source(path.name, path=path)))) == [path.parent.name]


@every_sample
def test_the_name_does_not_matter(path):
    """The same bytes under another name, from memory, give the same session."""
    assert outline(_under_another_name(path)) == outline(load(path))


def _under_another_name(path):
    """The sample from memory; of a folder, its files."""
    if path.is_dir():
        inside = (p for p in sorted(path.rglob("*")) if p.is_file())
        return load(name="unknown", files={p.relative_to(path).as_posix(): p.read_bytes() for p in inside})
    return load(name="unknown", data=path.read_bytes())


def outline(session):
    """All of a session but its sub-agents, which lie in files beside it."""
    return session.model_copy(update={"children": (), "notes": (), "subagents": 0})


@every_sample
def test_saved_and_opened_again(path, tmp_path):
    """What save writes opens as an equal session, and saving that writes the same bytes."""
    session, copy, again = load(path), tmp_path / "copy.json", tmp_path / "again.json"
    save(session, copy)
    save(load(copy), again)
    assert load(copy) == session
    assert again.read_bytes() == copy.read_bytes()


@every_sample
def test_a_session_holds_together(path):
    """Ids are unique, every tool message answers a call made before it, nothing was damaged."""
    session = load(path)
    calls: set[str] = set()
    for message in session.messages:
        assert message.role != "tool" or message.tool_call_id in calls
        calls |= {call.id for call in message.tool_calls}
    assert len({m.id for m in session.messages}) == len(session.messages)
    assert (session.malformed_lines, session.notes) == (0, ())


@every_sample
def test_the_source_of_a_number_is_in_words(path):
    """Names of fields stand in backticks alone: what is left reads as a sentence does."""
    session = load(path)
    texts = [text for c in session.compactions for text in (c.before_from, c.after_from, c.unreadable)]
    words = " ".join(re.sub(r"`[^`]*`", "", text) for text in texts)
    assert set(re.findall(r"\w*[a-z][A-Z]\w*|\w+[_.]\w+", words)) <= {"o200k_base"}  # a meter, by its name


@pytest.mark.parametrize("name", sorted(importers()))
def test_every_format_has_a_sample_and_a_test(name):
    """An importer comes with a sample in a folder of its name, and a test file."""
    tests = Path(__file__).parents[1] / "importers" / f"test_{name.replace('-', '_')}.py"
    assert any(f.parent.name == name for f in FILES)
    assert tests.is_file()


def test_formats_say_what_they_are():
    """Each format has a name, a label and where it is described."""
    assert {"claude-code", "foldline", "openai-chat"} <= {info.name for info in formats()}
    assert all(info.label and info.docs for info in formats())


def test_the_samples_in_the_picker():
    """samples.json names samples there are, the broken rule first, with a policy and parameters that exist."""
    assert {s["path"] for s in SHOWN} <= {str(f.relative_to(SAMPLES)) for f in FILES}
    assert SHOWN[0]["path"] == "foldline/broken-rule.json"
    known = {p.name for p in policies()}
    for shown in SHOWN:
        assert not shown["policy"] or (shown["policy"] in known and policy(shown["policy"], **shown["parameters"]))


@settings(deadline=None, max_examples=60)
@given(st.integers(min_value=0, max_value=len(JSONL)))
def test_every_beginning_of_a_file_opens_or_says_why_not(end):
    """A file that is still being written gives a session or a TranscriptError, whatever byte it ends at."""
    with contextlib.suppress(TranscriptError):
        assert load(name="half.jsonl", data=JSONL[:end]).messages


@settings(deadline=None, max_examples=150)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(KEYS),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_any_json_opens_or_is_refused(value):
    """JSON of the wrong shape is never a crash."""
    for data in (
        json.dumps(value),
        json.dumps([value]),
        json.dumps({"messages": [value]}),
        json.dumps({"parentUuid": 1, "type": "user", "message": value}),
    ):
        with contextlib.suppress(TranscriptError):
            load(name="x", data=data.encode())


@pytest.mark.parametrize("text", DAMAGED, ids=lambda t: t[:10] or "empty")
def test_what_is_no_transcript_is_refused_in_one_line(text):
    """The error names the file, is one line and short."""
    with pytest.raises(TranscriptError) as caught:
        load(name="broken.json", data=text.encode())
    assert str(caught.value).startswith("broken.json: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200
