"""An MCP server for the tests, made with the mcp package: over its standard input and output, or over HTTP on a port."""

import os
import sys
import time

from mcp.server.mcpserver import Image, MCPServer

server = MCPServer("tests")


@server.tool()
def add(a: int, b: int) -> str:
    """Add two numbers."""
    return str(a + b)


@server.tool()
def variable(name: str) -> str:
    """An environment variable."""
    return os.environ.get(name, "not set")


@server.tool()
def picture() -> Image:
    """A picture."""
    return Image(data=b"\x89PNG" + b"\0" * 26, format="png")


@server.tool()
def refuse() -> str:
    """Fail."""
    raise ValueError("not today")


@server.tool()
def sleep(seconds: float) -> str:
    """Wait."""
    time.sleep(seconds)
    return "awake"


@server.tool()
def flood(characters: int) -> str:
    """Say much."""
    return "x" * characters


@server.tool(name="odd.name")
def odd() -> str:
    """Be called something no provider takes."""
    return "odd"


@server.tool()
def die() -> str:
    """End the process."""
    print("out of memory, said the server", file=sys.stderr, flush=True)
    os._exit(3)


if __name__ == "__main__":
    if sys.argv[1:]:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run()
