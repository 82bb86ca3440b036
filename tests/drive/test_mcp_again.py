"""A run that had MCP servers, taken up again: nothing that a file names is started."""

import json
import sys
from pathlib import Path
from typing import Any

from core.drive import Store, reopen, start
from core.drive.start import _note
from core.toolbox.mcp_servers import McpSpec
from core.trace.events import RunSettings

SETTINGS = RunSettings(provider="demo", meter="agentkit", summaries="structural")
SERVER = str(Path(__file__).parent.parent / "data" / "mcp_server.py")


def a_run(store: Store) -> str:
    """The id of a run that somebody said something to."""
    drive = start(SETTINGS, store)
    drive.send("Hello")
    drive.wait(180)
    drive.close()
    return drive.id


def note_of(drive: Any) -> str:
    """What it has to say of being taken up."""
    return str(drive.note)


def test_servers_are_started_again_only_where_they_are_given(tmp_path: Path) -> None:
    """Else the run goes on without them and says so; its file holds neither their arguments nor the path of the command."""
    store, spec = Store(tmp_path), McpSpec(name="files", command=sys.executable, args=(SERVER,))
    drive = start(SETTINGS, store, servers=[spec])
    assert "add" in drive.tools
    drive.send("Hello")
    drive.wait(180)
    drive.close()
    kept = store.path(drive.id).read_text(encoding="utf-8")
    assert SERVER not in kept
    assert json.loads(kept.splitlines()[0])["settings"]["mcp"] == [
        {"name": "files", "program": Path(sys.executable).name, "arguments": 1}
    ]

    again = reopen(drive.id, store)

    assert note_of(again) == "its MCP servers (files) are not restarted: name them in a new run"
    assert "add" not in again.tools
    again.send("Hello once more")
    assert again.wait(180) == "ended"
    again.close()

    given = reopen(drive.id, store, servers=[spec])

    assert "add" in given.tools
    assert note_of(given) == ""
    given.close()


def test_a_run_without_servers_has_nothing_to_say(tmp_path: Path) -> None:
    """The note is empty."""
    store = Store(tmp_path)
    again = reopen(a_run(store), store)
    assert note_of(again) == ""
    again.close()


def test_files_of_before_start_nothing_either(tmp_path: Path) -> None:
    """A file that holds a whole command, as somebody else may have written it, is opened without running it."""
    store, mark = Store(tmp_path), tmp_path / "mark"
    id = a_run(store)
    first, *rest = store.path(id).read_text(encoding="utf-8").splitlines()
    told = json.loads(first)
    told["settings"]["mcp"] = [
        {"name": "files", "command": sys.executable, "args": ["-c", f"open({str(mark)!r}, 'w')"]},
        {"name": "web", "url": "http://a"},
    ]
    store.path(id).write_text("\n".join([json.dumps(told), *rest]) + "\n", encoding="utf-8")
    again = reopen(id, store)
    assert note_of(again) == "its MCP servers (files, web) are not restarted: name them in a new run"
    again.close()
    assert not mark.exists()


def test_the_note_names_those_that_are_missing() -> None:
    """And not those that were given."""
    settings = RunSettings(mcp=({"name": "files"}, {"name": "web"}))
    told = _note(settings, [McpSpec(name="files", command="x")], {})
    assert told == "its MCP servers (web) are not restarted: name them in a new run"


def test_each_server_says_how_it_stands(tmp_path: Path) -> None:
    """Connected with its tools, dead with its last error, not started with why; a dead one's tools are not offered."""
    store, spec = Store(tmp_path), McpSpec(name="files", command=sys.executable, args=(SERVER,))
    drive = start(SETTINGS, store, servers=[spec])
    (server,) = drive.servers.states()
    assert (server.name, server.status, server.problem) == ("files", "connected", "")
    assert ("add", "Add two numbers.", True) in [(t.name, t.description, t.offered) for t in server.tools]
    drive.tools.call("refuse", {})
    assert drive.servers.states()[0].problem.startswith("refuse answered: Error executing tool refuse")
    drive.tools.call("die", {})
    (server,) = drive.servers.states()
    assert server.status == "dead"
    assert "out of memory, said the server" in server.problem
    assert not any(tool.offered for tool in server.tools)
    drive.send("Hello")
    drive.wait(180)
    drive.close()

    again = reopen(drive.id, store)
    (server,) = again.servers.states()
    assert (server.status, server.tools) == ("not started", ())
    assert server.problem == "Commands and addresses are not saved: name it in a new run."
    again.close()

    broken = McpSpec(name="files", command="no-such-command")
    failed = reopen(drive.id, store, servers=[broken])
    (server,) = failed.servers.states()
    assert server.status == "not started"
    assert "there is no command 'no-such-command'" in server.problem
    failed.close()
