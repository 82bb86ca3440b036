"""The text of a message: content and values of arguments, never keys or names."""

from core import Message, ToolCall
from core.entities.texts import texts


def test_content_then_the_values_of_each_call_in_order() -> None:
    """Strings and numbers at any depth count; keys, names of tools, thinking, true, false and null do not."""
    first = ToolCall(name="edit", arguments={"path": "a.py", "edits": [{"line": 12, "by": 0.5}, ["x", None, True]]})
    second = ToolCall(name="bash", arguments={"command": "ls"})
    message = Message(role="assistant", content="Now.", thinking="hm", tool_calls=(first, second))

    assert list(texts(message)) == ["Now.", "a.py", "12", "0.5", "x", "ls"]


def test_arguments_that_did_not_decode_are_one_text() -> None:
    """The model wrote them, whatever they are."""
    message = Message(role="assistant", tool_calls=(ToolCall(name="patch", raw="*** Begin"),))

    assert list(texts(message)) == ["*** Begin"]


def test_odd_values_do_no_harm() -> None:
    """Empty texts are left out, and so are whole numbers that Python refuses to write; depth has no limit."""
    deep: object = "deep"
    for _ in range(5_000):
        deep = [deep]
    arguments = {"empty": "", "huge": 10**5_000, "deep": deep}
    call = ToolCall.model_construct(name="t", arguments=arguments, raw=None)
    message = Message.model_construct(id="m", role="assistant", tool_calls=(call,))

    assert list(texts(message)) == ["deep"]
