"""The files of the frontend."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.responses import FileResponse
from starlette.routing import Mount
from starlette.testclient import TestClient

from viewer.api.assets import Assets


def test_a_file_is_answered_whole_and_once(tmp_path: Path) -> None:
    """It comes as one response from memory, with its type; who has it already is told so; a changed file comes anew."""
    path = tmp_path / "main.js"
    path.write_text("export const a = 1;")
    client = TestClient(Starlette(routes=[Mount("/files", Assets(directory=tmp_path))]))

    found = client.get("/files/main.js")
    again = client.get("/files/main.js", headers={"if-none-match": found.headers["etag"]})
    path.write_text("export const a = 22;")

    assert (found.text, found.headers["content-type"]) == ("export const a = 1;", "text/javascript; charset=utf-8")
    assert (again.status_code, again.text) == (304, "")
    assert client.get("/files/main.js").text == "export const a = 22;"
    assert client.get("/files/../test_assets.py").status_code == 404


def test_no_thread_is_asked_to_read_it(tmp_path: Path) -> None:
    """A response that opens its file itself would do so in threads, four times."""
    (tmp_path / "main.js").write_text("a")
    scope = {"type": "http", "method": "GET", "headers": []}
    found = Assets(directory=tmp_path).file_response(tmp_path / "main.js", (tmp_path / "main.js").stat(), scope)
    assert not isinstance(found, FileResponse)
