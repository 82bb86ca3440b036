"""Data sets of conversations: ShareGPT's turns, Hugging Face's messages, LLaMA-Factory's blocks and columns."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Image, Session

SAMPLE = Path(__file__).parents[2] / "sample_sessions" / "sharegpt" / "harbour-office.jsonl"


def turn(who: str, value: Any = "x") -> dict[str, Any]:
    """A turn of ShareGPT's."""
    return {"from": who, "value": value}


def role(who: str, content: Any = "x", **fields: Any) -> dict[str, Any]:
    """A message of a data set on Hugging Face."""
    return {"role": who, "content": content, **fields}


def sessions(*records: Any, lines: bool = True) -> list[Session]:
    """What load_all makes of the records, one a line, or as one list."""
    data = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    return list(load_all(name="x", data=data))


def one(*turns: Any, **columns: Any) -> Session:
    """The one session of a conversation."""
    (found,) = sessions({"conversations": turns, **columns})
    return found


def called(path: str) -> dict[str, Any]:
    """A turn that reads a file."""
    return turn("function_call", json.dumps({"name": "read", "arguments": {"path": path}}))


PAIR = [turn("human", "a"), turn("gpt", "b")]
ROLES = [role("user", "a"), role("assistant", "b")]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (json.dumps([{"conversations": PAIR}, {"conversations": PAIR}]), 2),
        (json.dumps({"conversations": PAIR}) + "\n" + json.dumps({"conversations": PAIR}), 2),
        (json.dumps({"conversations": PAIR}, indent=1), 1),
        (json.dumps(PAIR), 1),
        (json.dumps([{"messages": ROLES}, {"messages": ROLES}]), 2),
        (json.dumps({"messages": ROLES}) + "\n" + json.dumps({"messages": ROLES}), 2),
        (json.dumps({"conversation_id": "c", "model": "m", "conversation": ROLES}) * 1, 1),
        (json.dumps({"id": 1, "conversations": ROLES, "source": "x"}), 1),
        (json.dumps({"messages": PAIR}), 1),
    ],
)
def test_the_shapes_of_a_data_set(text: str, number: int) -> None:
    """Lists and lines, ShareGPT's names or roles: each conversation is a session."""
    assert claimed_by(head_of(Source("x", data=text.encode()))) == ["sharegpt"]
    found = list(load_all(name="x", data=text))
    assert [[m.content for m in s.messages] for s in found] == [["a", "b"]] * number
    assert {s.format for s in found} == {"sharegpt"}


FINE_TUNING = {"messages": [role("system"), *ROLES], "tools": [{"type": "function"}], "parallel_tool_calls": False}


@pytest.mark.parametrize(
    ("records", "name"),
    [
        ([FINE_TUNING, FINE_TUNING], "sharegpt"),
        ([{"messages": [role("user"), role("assistant", weight=0)]}] * 2, "sharegpt"),
        ([{"model": "gpt-x", "messages": ROLES}] * 2, "openai-chat"),
        ([{"messages": ROLES, "response": {"choices": []}}] * 2, "openai-chat"),
        ([{"custom_id": "1", "body": {"model": "gpt-x", "messages": ROLES}}] * 2, "openai-chat"),
        ([role("user"), role("assistant")], "openai-chat"),
        ([FINE_TUNING], "openai-chat"),
    ],
)
def test_what_is_a_data_set_and_what_a_log(records: list[Any], name: str) -> None:
    """Lines of messages, OpenAI's files for fine-tuning too, are a data set; with a model or a reply they are logs.

    A single object with messages may be a request, and is taken for one.
    """
    data = "\n".join(map(json.dumps, records)).encode()
    assert claimed_by(head_of(Source("x", data=data))) == [name]


def test_who_says_what() -> None:
    """The names that data sets have for the three roles, in any case; turns of other names are counted."""
    names = ("human", "User", "prompter", "gpt", "chatgpt", "bard", "model", "system", "narrator")
    found = one(*(turn(name) for name in names))
    assert [m.role for m in found.messages] == ["user"] * 3 + ["assistant"] * 4 + ["system"]
    assert (found.records, found.malformed_lines) == (9, 1)
    assert found.notes == ("1 item of the list skipped: not messages",)


def test_calls_and_observations() -> None:
    """A call is a message of the model's, with a call for each in a list; observations answer them in turn."""
    two = [{"name": "a", "arguments": {"x": 1}}, {"name": "b", "parameters": {"y": 2}}]
    found = one(
        turn("human"), turn("function_call", json.dumps(two)), turn("observation", "1"), turn("tool", "2"), turn("gpt")
    )
    call, first, second = found.messages[1:4]
    assert [(c.name, c.arguments) for c in call.tool_calls] == [("a", {"x": 1}), ("b", {"y": 2})]
    assert [(m.name, m.tool_call_id) for m in (first, second)] == [
        ("a", call.tool_calls[0].id),
        ("b", call.tool_calls[1].id),
    ]
    assert (call.content, first.content, found.notes) == ("", "1", ())


def test_calls_that_are_no_json_stay_text() -> None:
    """A call without a name keeps what was written; an observation without a call is said."""
    found = one(turn("observation"), turn("function_call", "search(x)"), turn("observation"))
    assert [(c.name, c.raw) for c in found.messages[1].tool_calls] == [("", "search(x)")]
    assert [m.tool_call_id is None for m in found.messages] == [True, True, False]
    assert found.notes == ("1 tool result without a call in the file",)


def test_calls_in_the_shape_of_openai() -> None:
    """Messages of roles may hold them so, with ids or without."""
    calls = [{"type": "function", "function": {"name": "a", "arguments": {"x": 1}}}]
    (found,) = sessions(
        {"messages": [role("user"), role("assistant", "", tool_calls=calls), role("tool", "r", name="a")]}, lines=False
    )
    assert found.messages[1].tool_calls[0].arguments == {"x": 1}
    assert found.messages[2].tool_call_id == found.messages[1].tool_calls[0].id


def test_typed_blocks() -> None:
    """LLaMA-Factory's: text, a thought, a call, a picture."""
    blocks = [
        {"type": "reasoning", "value": "hm"},
        {"type": "text", "value": "so"},
        {"type": "tool_call", "value": '{"name": "a", "arguments": {"x": 1}}'},
    ]
    asked = [{"type": "image_url", "value": "a.png"}, {"type": "text", "value": "look"}]
    found = one(
        role("user", asked), role("assistant", blocks, loss_weight=1.0), role("tool", [{"type": "text", "value": "r"}])
    )
    user, reply, result = found.messages
    assert (user.content, user.images, user.typed) == ("look", (Image(source="a.png"),), True)
    assert (reply.content, reply.thinking, reply.tool_calls[0].arguments) == ("so", "hm", {"x": 1})
    assert (result.content, result.tool_call_id) == ("r", reply.tool_calls[0].id)


def test_the_columns() -> None:
    """The system's is the first message, pictures go to the turns that speak of them; other columns are counted."""
    found = one(
        turn("human", "<image>\n<image>two"),
        turn("gpt"),
        turn("human", "<image> one"),
        system="S",
        images=["1", "2", "3"],
        tools='[{"name": "a"}]',
        rejected=turn("gpt"),
        id=7,
        model="m",
    )
    assert [(m.role, m.content) for m in found.messages][:2] == [("system", "S"), ("user", "two")]
    assert [[i.source for i in m.images] for m in found.messages] == [[], ["1", "2"], [], ["3"]]
    assert (found.other, found.id, found.model, found.usage) == ({"rejected": 1, "tools": 1}, "7", "m", None)


def test_a_conversation_without_an_id_has_one_of_what_it_says() -> None:
    """Wherever it stands in the file."""
    other = [{"from": "human", "value": "Another?"}, {"from": "gpt", "value": "Yes."}]
    rows = [{"conversations": PAIR}, {"conversations": other}]
    ids = ["conversation-c99a374cab27", "conversation-9e39acd6c77c"]
    assert [s.id for s in sessions(*rows)] == [s.id for s in sessions(*rows[::-1])][::-1] == ids


@pytest.mark.parametrize(
    ("these", "others"),
    [
        ([called("a.py"), turn("observation", "1")], [called("b.py"), turn("observation", "1")]),
        ([called("a.py"), turn("observation", "1")], [called("a.py"), turn("observation", "2")]),
        ([turn("gpt") | {"reasoning_content": "This way."}], [turn("gpt") | {"reasoning_content": "That way."}]),
    ],
    ids=["arguments", "result", "thinking"],
)
def test_what_a_conversation_calls_and_thinks_is_in_its_id(these: list[Any], others: list[Any]) -> None:
    """Two that differ in it alone have different ids; the same one always has the same."""
    rows = [{"conversations": [turn("human", "Read it."), *turns]} for turns in (these, others, these)]
    first, second, again = (found.id for found in sessions(*rows))
    assert first == again != second


def test_conversations_come_one_by_one() -> None:
    """A large file is not read to its end before the first is there."""
    taken = []

    class Watched(Source):
        def records(self):
            for pair in super().records():
                taken.append(pair[0])
                yield pair

    from core.importers import sharegpt

    source = Watched("x", data="\n".join([json.dumps({"conversations": PAIR})] * 100).encode())
    assert next(sharegpt.read(source)).records == 2
    assert taken == [1, 2]


def test_what_is_no_conversation_is_counted() -> None:
    """Damaged lines, and records without turns: the session behind a damaged line tells of it, the last one of the rest."""
    data = "\n".join([json.dumps({"conversations": PAIR}), "{broken", '{"a": 1}', json.dumps({"conversations": PAIR})])
    first, last = load_all(name="x", data=data)
    assert (first.notes, first.malformed_lines, last.malformed_lines) == ((), 0, 2)
    assert last.notes == (
        "line 2 could not be read and was skipped",
        "1 record of the file skipped: not a conversation",
    )


@pytest.mark.parametrize("value", [None, 5, "x", [1], {"a": 1}, 1e300, -1, True, [[]], {}])
def test_values_of_the_wrong_kind_are_no_crash(value: Any) -> None:
    """Whatever stands where something else belongs."""
    names = ("human", "gpt", "function_call", "observation", "system", value)
    blocks = [{"type": k, "value": value} for k in ("text", "reasoning", "tool_call", "image", "audio", value)]
    odd = dict.fromkeys(("tool_calls", "tool_call_id", "name", "reasoning_content", "function_call", "audio"), value)
    turns = [*PAIR, *(turn(n, value) for n in names), *(role(r, value, **odd) for r in ("user", "assistant", "tool"))]
    turns += [role("assistant", blocks), role("user", [value]), turn("function_call", [value, {"name": value}]), value]
    columns = dict.fromkeys(("system", "tools", "images", "id", "model"), value)
    found = one(*turns, **columns)
    assert [m.content for m in found.messages if m.role != "system"][:2] == ["a", "b"]
    assert found.model_dump_json()
    with pytest.raises(TranscriptError):
        load(name="x", data=json.dumps({"conversations": value}))


def test_the_sample() -> None:
    """One conversation: two calls at once, a picture of the column, a thought in a block."""
    found = load(SAMPLE)
    assert [len(m.tool_calls) for m in found.messages] == [0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0]
    assert (found.messages[0].role, found.other, found.id, found.turns) == ("system", {"tools": 1}, "tides-1", 3)
    assert found.messages[10].images == (Image(source="charts/crabstow.png"),)
    assert (found.messages[11].thinking, found.notes) == ("On charts, dots bound what falls dry.", ())
