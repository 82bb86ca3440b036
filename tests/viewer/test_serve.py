"""Starting the app."""

import socket
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from viewer.serve import OPTIONS, free_port, is_free


def test_a_taken_port_is_passed_over() -> None:
    """The next free port is taken when somebody listens on the first."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        assert not is_free(taken.getsockname()[1])
    port = free_port()
    assert port is not None
    assert is_free(port)


def test_both_ways_of_starting_agree() -> None:
    """An installed app has the options that `.streamlit/config.toml` gives a checkout."""
    config = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text())

    assert dict(flat(config)) == OPTIONS


def flat(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of nested tables under their dotted names."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        else:
            yield before + key, value
