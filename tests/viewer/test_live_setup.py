"""The MCP servers that somebody types into the dialog of a new run."""

import pytest

from core.errors import ParameterError
from core.mcp_servers import McpSpec
from viewer.live_setup import mcp_servers


def test_servers_are_typed_one_a_line() -> None:
    """A name, and a command as a shell would split it or an address; empty lines are none."""
    said = "files = npx -y server '/my files'\n\n web=HTTPS://tools.example/mcp?key=a=b \n"
    assert mcp_servers(said) == [
        McpSpec(name="files", command="npx", args=("-y", "server", "/my files")),
        McpSpec(name="web", url="HTTPS://tools.example/mcp?key=a=b"),
    ]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("npx --token hunter2", "line 2 names no MCP server"),
        ("= npx hunter2", "line 2 names no MCP server"),
        ("files = npx 'hunter2", "line 2 holds no command: No closing quotation"),
        ("files = https://me:hunter2@", "the address of MCP server 'files' is none"),
        ("files = https://me:hunter2@[a", "the address of MCP server 'files' is none"),
    ],
)
def test_what_is_no_server_is_refused(line: str, error: str) -> None:
    """The line is named and not repeated: it may hold a secret."""
    with pytest.raises(ParameterError) as caught:
        mcp_servers(f"web = https://tools.example/mcp\n{line}")
    assert str(caught.value) == error
    assert "hunter2" not in f"{caught.value} {caught.value.hint}"
