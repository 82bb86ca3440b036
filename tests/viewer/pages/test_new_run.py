"""The dialog of a new run: the MCP servers that somebody types, and the policy a real provider begins with."""

import pytest

from core import policy, simulate
from core.llm import broken_pairs
from core.model.errors import ParameterError
from core.toolbox.mcp_servers import McpSpec
from core.trace.trace import as_session
from tests.engine.test_chains import parallel
from tests.support import system
from viewer.pages import new_run
from viewer.pages.mcp_lines import commands, mcp_servers


def test_servers_are_typed_one_a_line() -> None:
    """A name, and a command as a shell would split it or an address; empty lines are none."""
    said = "files = npx -y server '/my files'\n\n web=HTTPS://tools.example/mcp?key=a=b \n"
    assert mcp_servers(said) == [
        McpSpec(name="files", command="npx", args=("-y", "server", "/my files")),
        McpSpec(name="web", url="HTTPS://tools.example/mcp?key=a=b"),
    ]


def test_commands_are_shown_in_full() -> None:
    """Quoted, so that one argument cannot pass for two; an address starts nothing."""
    said = "files = npx -y server '/my files' '; rm x'\nweb = https://tools.example/mcp\nmore = serve"
    assert commands(mcp_servers(said)) == "npx -y server '/my files' '; rm x'\nserve"
    assert commands(mcp_servers("a = npx '\u202eevil\u200b' \x1b[0m")) == "npx '\\u202eevil\\u200b' '\\x1b[0m'"
    assert commands([]) == ""


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("npx --token hunter2", "line 2 is not an MCP server"),
        ("= npx hunter2", "line 2 is not an MCP server"),
        ("files = npx 'hunter2", "line 2 is not a command: No closing quotation"),
        ("files = https://me:hunter2@", "the address of MCP server 'files' is not an http(s) address"),
        ("files = https://me:hunter2@[a", "the address of MCP server 'files' is not an http(s) address"),
    ],
)
def test_what_is_no_server_is_refused(line: str, error: str) -> None:
    """The line is named and not repeated: it may hold a secret."""
    with pytest.raises(ParameterError) as caught:
        mcp_servers(f"web = https://tools.example/mcp\n{line}")
    assert str(caught.value) == error
    assert "hunter2" not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize(
    ("model", "tokens"), [("claude-sonnet-4-5", 140_000), ("nobody-knows", 100_000), ("", 100_000)]
)
def test_a_real_provider_begins_with_a_policy_that_keeps_pairs(model: str, tokens: int) -> None:
    """It acts at a share of the model's window, never parts a tool pair, and keeps the system prompt and the task."""
    said = new_run.default_policy(model)
    assert said["parameters"]["max_tokens"] == tokens
    tight = policy(said["policy"], max_tokens=300, keep_first=2)
    trace = simulate(as_session([system("Be careful."), *parallel()]), tight)
    assert len(trace.compactions) > 5
    for call in trace.measured.calls:
        window = trace.window(call - 1 + sum(c.at <= call for c in trace.compactions))
        assert broken_pairs(window) == []
        assert window[0].content == "Be careful."
