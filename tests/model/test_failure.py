"""What a result says of its call: it failed, in the words of the harness, not of what a command printed or a file held."""

import re

import pytest

from core.model.failure import is_failure
from core.model.session import Message


def fails(text: str, tool: str = "str_replace_editor") -> bool:
    """Whether a result of a tool, that the transcript marks as no error, is one."""
    return is_failure(Message(role="tool", content=text, name=tool))


@pytest.mark.parametrize(
    "text",
    [
        "Ran into [Errno 2] No such file or directory: '/w/hello.py' while trying to write to /w/hello.py",
        "Invalid `path` parameter: hello.py. The path should be an absolute path, starting with `/`.",
        "ERROR:\nNo replacement was performed, old_str `a` did not appear verbatim in /w/a.py.",
        "ERROR:\nParameter `old_str` is required for command: str_replace.",
        "No replacement was performed. Multiple occurrences of old_str `a` in lines [3, 9].",
        "Your proposed edit has introduced new syntax error(s). Please read this error message carefully",
        "Error: no such key\n    at read (a.js:3)",
        "Error executing tool: timed out",
        "MCP error -32602: Invalid arguments",
        "web_serch is not a valid tool, try one of [web_search].",
        "The arguments provided to the tool are invalid: Invalid input for tool bash",
        "<tool_use_error>String to replace not found",
    ],
)
def test_a_result_in_the_words_of_a_harness_for_a_failure_is_one(text: str) -> None:
    """Where the format has no flag for it, or the flag is not set."""
    assert fails(text)


@pytest.mark.parametrize(
    "text",
    [
        "ls: cannot access 'lib'\n[The command completed with exit code 2.]\n[Current working directory: /w]\n"
        "[Python interpreter: /usr/bin/python]\n[Command finished with exit code 2]",
        ".entire/.gitignore\n<shellId: 50 completed with exit code 1>",
        "Exit code 1\nmake: *** [all] Error 2",
    ],
)
def test_a_command_failed_by_the_exit_code_that_its_harness_puts_around_what_it_printed(text: str) -> None:
    """As OpenHands, Copilot CLI and Claude Code do; code 0 is none."""
    assert fails(text, "bash")
    assert not fails(re.sub(r"code \d+", "code 0", text), "bash")


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("execute_bash", "ERROR: pip's dependency resolver found conflicts\nSuccessfully installed a"),
        ("exec_command", "error: this is what the log says"),
        ("bash", "echo '[Command finished with exit code 1]'\n[Command finished with exit code 1]\n3 passed"),
        ("runInTerminal", "Traceback (most recent call last):\n  in a log"),
        ("read_file", "ERROR: 12:00 disk full\nERROR: 12:01 disk full"),
        ("Grep", "src/a.py:3: raise ValueError('Error: no')"),
        ("Task", "Error handling in this module is sound."),
        ("WebFetch", "Errors and how to read them"),
        ("todo", "1. Fix the failed test"),
    ],
)
def test_what_a_command_printed_or_a_file_holds_may_begin_with_the_word_error(tool: str, text: str) -> None:
    """That is no failed call."""
    assert not fails(text, tool)


def test_a_tool_that_reads_a_file_failed_with_one_line() -> None:
    """More may be what the file holds."""
    assert fails("Error: File not found: a.py", "read_file")


def test_only_what_answers_a_call_or_a_command_says_so() -> None:
    """A reply or a request may quote an error; what is marked as one, and what refuses a reply, is one."""
    said = "Error: no such key"
    assert not is_failure(Message(role="assistant", content=said))
    assert not is_failure(Message(role="user", content=said))
    assert is_failure(Message(role="user", content="Please always provide EXACTLY ONE action", injected="error"))
    assert is_failure(Message(role="tool", content="", is_error=True))
    assert is_failure(Message(role="user", content="<returncode>2</returncode>\n<output>", injected="observation"))
    assert not is_failure(Message(role="user", content="<returncode>0</returncode>\n<output>", injected="observation"))
