"""What the browser is sent: the bytes of a store, the text of a view, labels and previews."""

import base64
import json
import struct
import zlib
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Message, Session, Trace, meter, policy, replay, simulate
from core.model.session import Image, RecordedCompaction, Usage
from core.trace.trace import as_session
from core.window.ranges import ADDED
from tests.support import assistant, calls, lesson_session, result, scaled_session, system, user
from tests.trace.test_prompt_falls import replayed
from viewer.wire.header import trace_header
from viewer.wire.pack import store_bytes, view_payload
from viewer.wire.preview import label, one_line, preview


def unpacked(data: bytes) -> dict[str, Any]:
    """A store taken apart by the layout in docs/wire.md."""
    size = struct.unpack_from("<I", data)[0]
    header, at, columns = json.loads(data[4 : 4 + size]), 4 + size, {}
    n = header["n"]
    for name, code, count in (("tokens", "I", n), ("offset", "I", n + 1), ("label", "H", n + n % 2), ("role", "B", n)):
        columns[name] = struct.unpack_from(f"<{count}{code}", data, at)
        at += struct.calcsize(f"<{count}{code}")
    columns["flags"], texts = data[at : at + n], data[at + n :]
    cuts = columns["offset"]
    columns["previews"] = [texts[a:b].decode() for a, b in pairwise(cuts)]
    return {"header": header, **columns}


def whole(data: bytes) -> list[int]:
    """Whole numbers out of bytes: seven bits a byte, the lowest first, the sign last."""
    numbers, value, shift = list[int](), 0, 0
    for byte in data:
        value, shift = value | (byte & 127) << shift, shift + 7
        if byte < 128:
            numbers.append(-(value + 1) // 2 if value & 1 else value // 2)
            value = shift = 0
    return numbers


def viewed(payload: dict[str, Any]) -> dict[str, Any]:
    """What `z` holds."""
    data = zlib.decompress(base64.b64decode(payload["z"]))
    first, second = (int.from_bytes(data[i : i + 4], "little") for i in (0, 4))
    found: dict[str, Any] = json.loads(data[8 + first + second :])
    found["tails"], found["spared"] = whole(data[8 : 8 + first]), whole(data[8 + first : 8 + first + second])
    return found


def packed(session: Session) -> dict[str, Any]:
    """A session packed under agentkit's meter and taken apart again."""
    return unpacked(store_bytes("sid", replay(session, meter=meter("agentkit"))))


def test_a_store_holds_the_session_column_by_column() -> None:
    """Tokens, roles, flags, labels and previews of the lesson's run come out as they went in."""
    found = packed(lesson_session())
    assert found["header"]["n"] == 11
    assert found["header"]["total"] == sum(found["tokens"]) == 126
    assert found["role"] == (0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 2)
    assert list(found["flags"]) == [0, 1, 194, 0, 194, 0, 194, 0, 194, 0, 64]
    assert [found["header"]["labels"][i] for i in found["label"][:4]] == ["", "", "→ add", ""]
    assert found["previews"][3] == "3"


def test_the_header_says_what_the_transcript_recorded() -> None:
    """Recorded compactions and prompt sizes come with -1 for what is not known, and the notes as lines."""
    messages = (user("hi"), assistant("yes").model_copy(update={"usage": Usage(input_uncached=7, cache_read=5)}))
    compaction = RecordedCompaction(at=1, tokens_before=900)
    header = packed(Session(messages=messages, compactions=(compaction,), notes=("one\ntwo",)))["header"]
    prompts = {"at": [1], "tokens": [12]}
    recorded = {
        "at": [1],
        "before": [900],
        "after": [-1],
        "left": [0],
        "edits": [],
        "micro": [],
        "prompts": prompts,
        "error": None,
        "typical": None,
        "uncertain": [],
        "leftOut": [],
    }
    assert header["recorded"] == recorded
    assert header["notes"] == ["one two"]


def sent(prompt: int) -> Message:
    """A reply of 14 tokens, to a prompt of so many."""
    return assistant("y" * 40).model_copy(update={"usage": Usage(input_uncached=prompt)})


def test_the_header_says_what_each_compaction_left_and_what_is_unseen() -> None:
    """`left` is by our meter; unseen is what no message accounts for: 100, 158, and 152 once the window was compacted."""
    said = [
        m.model_copy(update={"id": f"m{i}"})
        for i, m in enumerate([user("x" * 40), sent(114), user("x" * 40), sent(200)])
    ]
    summary = Message(id="s", role="user", content="z" * 24, injected="summary")
    more = [m.model_copy(update={"id": f"n{i}"}) for i, m in enumerate([user("x" * 40), sent(190)])]
    event = RecordedCompaction(at=4, summary="s", kept=("m3",))
    header = packed(Session(messages=(*said, summary, *more), compactions=(event,)))["header"]

    assert header["recorded"]["left"] == [14 + 10]
    assert header["recorded"]["prompts"] == {"at": [1, 3, 5], "tokens": [114, 200, 190]}
    assert header["unseen"] == {"first": 100, "typical": 152}
    assert header["recorded"]["error"] == pytest.approx(28 / 86 - 1)


def test_the_header_says_where_the_window_is_uncertain() -> None:
    """From the reply whose prompt shrank on; what is unseen is measured before."""
    said = [user("x" * 40), sent(20), user("x" * 40), sent(48), user("x" * 40), sent(25), user("x" * 40), sent(50)]
    header = packed(as_session([m.model_copy(update={"id": f"m{i}"}) for i, m in enumerate(said)]))["header"]
    assert header["recorded"]["uncertain"] == [[5, 8]]
    assert header["unseen"] == {"first": 6, "typical": 6}


def test_the_header_says_where_a_prompt_left_something_out() -> None:
    """From the third reply on, of whose prompt 500 tokens are beside the window, up to the end: earlier ones held 1,000."""
    header = trace_header("s", replayed(1_100, 1_300, 1_000, 1_200))
    assert header["recorded"]["leftOut"] == [[5, 8, 1_000]]


def test_the_meters_error_is_measured_where_prompts_follow_one_another() -> None:
    """Counting 28 tokens where the prompt grew by 35 is a fifth too little; without usage nothing is unseen."""
    found = packed(as_session([user("x" * 40), sent(20), user("x" * 40), sent(55)]))["header"]
    assert found["recorded"]["error"] == pytest.approx(-0.2)
    assert found["recorded"]["typical"] == pytest.approx(7 / 55), (
        "a prompt, told from the one before and what arrived since"
    )
    silent = packed(as_session([user("x"), assistant("y")]))["header"]
    assert (silent["unseen"], silent["recorded"]["error"]) == (None, None)


def test_the_header_says_whether_the_file_begins_in_the_middle_of_its_session() -> None:
    """So that what is said of its first messages is true."""
    session = as_session([user("x")])
    midway = session.model_copy(update={"starts_midway": True})
    assert [packed(one)["header"]["startsMidway"] for one in (session, midway)] == [False, True]


def test_the_header_names_the_format_as_people_do() -> None:
    """By its label, and its agent; a format nobody knows here by its name."""
    names = [packed(as_session([user("x")]).model_copy(update={"format": name}))["header"] for name in ("pi", "odd")]
    assert [(h["format"], h["formatName"], h["agent"]) for h in names] == [("pi", "pi", "pi"), ("odd", "odd", "")]
    assert packed(as_session([user("x")]).model_copy(update={"format": "openai-chat"}))["header"]["formatName"] == (
        "OpenAI chat messages"
    )


@pytest.mark.parametrize(
    ("name", "model", "guess"),
    [
        ("agentkit", "gpt-5", True),
        ("o200k_base", "gpt-4o-mini", False),
        ("o200k_base", "claude-sonnet-5", True),
        ("o200k_base", "", True),
    ],
)
def test_a_meter_is_a_guess_unless_it_is_the_models_own(name: str, model: str, guess: bool) -> None:
    """Numbers carry `~` where the meter estimates, or counts with the tokenizer of other models."""
    session = as_session([user("hello")], model=model)
    assert unpacked(store_bytes("s", replay(session, meter=meter(name))))["header"]["approximate"] is guess


def test_flags() -> None:
    """Errors, injected text, thinking and images are flagged, and injected text is labelled with its kind."""
    odd = Message(role="user", content="x", injected="meta", is_error=True, thinking="t", images=(Image(),))
    found = packed(as_session([odd]))
    assert list(found["flags"]) == [4 + 8 + 16 + 32]
    assert found["header"]["labels"] == ["", "meta"]


def test_marked_messages_are_listed() -> None:
    """Summaries, replies to them and emptied messages of the transcript itself are named in the header."""
    kinds = ("summary", "ack", "cleared", "meta")
    session = as_session([Message(role="user", content=k, injected=k) for k in kinds])
    assert packed(session)["header"]["marked"] == {"summary": [0], "ack": [1], "cleared": [2]}


def lesson_trace() -> Trace:
    """The lesson's run under agentkit's memory: budget 100, the newest three kept."""
    rule = policy("agentkit.memory", budget=100, keep_recent=3)
    return simulate(lesson_session(), rule, meter=meter("agentkit"), summarizer=lambda m, p: "short")


def lesson_view() -> dict[str, Any]:
    """The same, as the browser gets it."""
    trace = lesson_trace()
    return viewed(view_payload("sid", "tid", trace, {"query": {}}, ["a note"]))


def test_a_view_tells_of_the_compactions() -> None:
    """One compaction at budget 100: where, what it folded, what it put in, and the layout it left."""
    view, trace = lesson_view(), lesson_trace()
    columns = view["c"]
    assert (view["length"], columns["at"], columns["folded"]) == (12, [10], [6])
    assert columns["layout"] == [[0, 1, ADDED, ADDED + 1, 7, 10]]
    assert columns["removedTokens"] == [columns["before"][0] - columns["after"][0] + columns["summaryTokens"][0]]
    assert columns["removedTokens"] == [trace.compactions[0].removed_tokens]
    assert columns["added"][0][0][:2] == [0, "summary"]
    assert columns["added"][0][0][3] == "[summary #1 of 6 earlier messages] short"
    assert view["statuses"][columns["status"][0]] == "compacted"
    assert view["notes"] == ["a note"]


def test_a_view_tells_the_rule() -> None:
    """The policy's limit and what it keeps come under the names its user knows."""
    found = lesson_view()["policy"]
    assert (found["name"], found["limit"], found["limitName"], found["phase"]) == (
        "agentkit.memory",
        100,
        "budget",
        "before_call",
    )
    assert (found["ceiling"], found["kind"], found["effect"]) == (100, "summarise", "replace")


def test_a_replay_has_no_policy() -> None:
    """A recorded run comes as kind replay, without a policy."""
    view = viewed(view_payload("s", "t", replay(lesson_session(), meter=meter("agentkit")), {}))
    assert (view["kind"], view["policy"], view["heads"]) == ("replay", None, [1])


def test_messages_in_a_policys_own_words_are_listed() -> None:
    """A message that reads like a summary of this policy is named, in its role alone."""
    words = "[summary #2 of 5 earlier messages]\nold"
    session = as_session([system("hello"), system(words), user(words)])
    trace = simulate(session, policy("agentkit.memory"), meter=meter("agentkit"))
    assert viewed(view_payload("s", "t", trace, {}))["worded"] == [1]


def test_an_emptied_message_says_which_it_stands_for() -> None:
    """What a recorded microcompaction emptied carries the place of the message it was."""
    asked, answer = assistant("", calls("c", "read", path="a.py")), result("c", "long " * 50)
    recorded = RecordedCompaction(at=2, kind="microcompaction", cleared=(answer.id,))
    trace = replay(Session(messages=(asked, answer, user("go on")), compactions=(recorded,)), meter=meter("agentkit"))
    view = viewed(view_payload("s", "t", trace, {}))
    assert view["c"]["micro"] == [1]
    assert view["c"]["added"][0][0][1] == "cleared"
    assert view["c"]["added"][0][0][4] == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  two\n lines\t here ", "two lines here"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\u202egnp.exe\u2066b\u200b", "agnp.exeb"),
        ("bell\x07 and nul\x00", "bell␇ and nul␀"),
        ("lone \ud800 half", "lone \ufffd half"),
        ("x" * 96, "x" * 96),
        ("x" * 97, "x" * 95 + "…"),
        ("\n" * 5000 + "late", "late…"),
    ],
)
def test_a_preview_is_one_short_safe_line(text: str, shown: str) -> None:
    """White space is joined, what hides or turns text is dropped or shown, and a cut is marked."""
    assert one_line(text) == shown


@given(st.text(st.characters(), max_size=700))
def test_any_text_makes_a_preview(text: str) -> None:
    """At most 96 characters, one line, and bytes that decode again."""
    line = one_line(text)
    assert len(line) <= 96
    assert not any(ord(c) < 32 or 0x202A <= ord(c) <= 0x202E for c in line)
    assert line.encode().decode() == line


@pytest.mark.parametrize(
    ("message", "name", "shown"),
    [
        (assistant("I will fix it", calls("a", "Edit", file_path="x.py")), "→ Edit", "I will fix it"),
        (assistant("", calls("a", "Bash", description="run", command="pytest -q")), "→ Bash", "pytest -q"),
        (assistant("", *(calls(str(k), "Read", path=f"{k}.py") for k in range(3))), "→ Read +2", "0.py · 1.py · 2.py"),
        (assistant("", calls("a", "Read", path="/home/ada/shop/src/orders/totals.py")), "→ Read", "…/orders/totals.py"),
        (
            assistant("", calls("a", "Read", path=r"C:\Users\ada\shop\src\orders\totals.py")),
            "→ Read",
            r"…/orders\totals.py",
        ),
        (
            assistant("", calls("a", "Bash", command="/usr/local/bin/python3 -m pytest -q tests")),
            "→ Bash",
            "/usr/local/bin/python3 -m pytest -q tests",
        ),
        (assistant("", calls("a", "add", a=1, b=2)), "→ add", '{"a": 1, "b": 2}'),
        (Message(role="tool", content="ok", name="Edit"), "Edit", "ok"),
        (result("c", "Exit code: 0\nWall time: 0.1 seconds\nOutput:\n3 passed"), "", "3 passed"),
        (
            result("c", "Exit code: 2\nWall time: 0 seconds\nOutput:\nTotal output lines: 9\n\nno such file"),
            "",
            "exit 2: no such file",
        ),
        (
            result("c", "Command: ls\nChunk ID: a0\nWall time: 0 seconds\nProcess exited with code 0\nOutput:\n"),
            "",
            "(no output)",
        ),
        (
            result("c", "Chunk ID: a0\nWall time: 0 seconds\nProcess exited with code 1\nOutput:\n"),
            "",
            "exit 1: (no output)",
        ),
        (result("c", '{"output":"Updated:\\nM a.py","metadata":{"exit_code":0}}'), "", "Updated: M a.py"),
        (result("c", '{"output":"a \\x"}'), "", '{"output":"a \\x"}'),
        (user("Wall time: 3 seconds\nOutput:\nnone"), "", "Wall time: 3 seconds Output: none"),
        (Message(role="assistant", thinking="hmm"), "", "hmm"),
        (Message(role="user", images=(Image(), Image())), "", "(2 images)"),
        (Message(role="user", content="be brief", injected="meta"), "meta", "be brief"),
        (user(""), "", "(empty)"),
        (result("c", " \n "), "", "(empty)"),
    ],
)
def test_labels_and_previews(message: Message, name: str, shown: str) -> None:
    """The label tells the tool, the preview what was said, or else what it was called with."""
    assert (label(message), preview(message)) == (name, shown)


def test_the_header_names_a_calibrated_meter_with_its_error_and_splits_what_is_unseen() -> None:
    """The parts add up to what is unseen by the meter in use; the messages of each prompt are told as they came to."""
    session = scaled_session(1.25)
    found = {
        name: trace_header("s", replay(session, meter=meter(name))) for name in ("calibrated", "o200k_base", "agentkit")
    }
    assert [found[name]["meterText"] for name in found] == [
        "calibrated (±2.4 % of the prompt, 11 calls)",
        "o200k_base",
        "agentkit",
    ]
    assert (found["calibrated"]["how"], found["calibrated"]["approximate"]) == ("calibrated", True)
    assert found["o200k_base"]["unseen"] == {
        "first": 10_248,
        "typical": 11_623,
        "parts": {"missing": 10_135, "undercounted": 1_488},
    }
    assert found["calibrated"]["unseen"] == {
        "first": 10_248,
        "typical": 10_706,
        "parts": {"missing": 10_135, "undercounted": 571},
    }
    for header in found.values():
        assert header["recorded"]["prompts"]["scaled"][:3] == [994, 2_326, 3_593]
