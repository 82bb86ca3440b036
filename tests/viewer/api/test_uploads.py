"""Files dropped on the page."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient

from tests.support import awaited
from viewer.api import uploads
from viewer.sessions.sources import Source, open_source

HOST = "127.0.0.1:8501"
CHAT = json.dumps([{"role": "user", "content": "hello"}, {"role": "assistant", "content": "good day"}]).encode()


def body(files: Mapping[str, bytes], header: Any = None) -> bytes:
    """What the page sends for these files; `header` instead of the true one."""
    listed = [{"name": name, "size": len(data)} for name, data in files.items()] if header is None else header
    text = json.dumps(listed).encode()
    return len(text).to_bytes(4, "little") + text + b"".join(files.values())


def sent(data: bytes) -> tuple[int, dict[str, str]]:
    """What the server answers to this body."""
    client = TestClient(Starlette(routes=uploads.ROUTES), base_url=f"http://{HOST}")
    answer = client.post("/api/drop", content=data)
    return answer.status_code, answer.json()


def test_a_file_that_is_dropped_can_be_opened() -> None:
    """The answer names the source that opens it, whatever the name of the file."""
    status, said = sent(body({"chät 🙂\n.json": CHAT}))
    assert status == 200
    source = Source.parse(said["source"])
    assert source is not None
    assert [m.content for m in open_source(source, local=False).session.messages] == ["hello", "good day"]


def test_several_files_are_a_folder() -> None:
    """They open as the sessions of one folder, under its name."""
    other = CHAT.replace(b"hello", b"good evening")
    _, said = sent(body({"runs/a.json": CHAT, "runs/deep/b.json": other, "runs/notes.txt": b"not one"}))
    source = Source.parse(said["source"])
    assert source is not None
    loaded = open_source(source, local=False)
    assert loaded.shown == "runs"
    assert [open_source(source, local=False, session=n).session.messages[0].content for n in "01"] == [
        "hello",
        "good evening",
    ]


class Pieces:
    """A request whose body comes in pieces, endlessly; counts those that were taken."""

    def __init__(self, piece: bytes, breaks_off: bool = False) -> None:
        self.piece, self.breaks_off, self.taken = piece, breaks_off, 0

    async def stream(self) -> Any:
        """The pieces."""
        while True:
            self.taken += 1
            yield self.piece
            if self.breaks_off:
                raise ClientDisconnect


def answered(request: Any) -> tuple[int, dict[str, str]]:
    """What is answered to a request of ours."""
    answer = awaited(uploads.drop, request)
    return answer.status_code, json.loads(bytes(answer.body))


def test_what_is_too_large_is_refused_without_reading_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as it is more than may be held; the answer says what to do instead."""
    monkeypatch.setattr(uploads, "MOST_BYTES", 5 << 20)
    request = Pieces(b"x" * (2 << 20))
    status, said = answered(request)
    assert (status, request.taken) == (413, 3)
    assert said == {
        "error": "more than 5 MB were dropped",
        "hint": "open the file by its path, which has no limit",
    }


def test_an_upload_that_breaks_off_is_said() -> None:
    """It is an answer, not an error of the server."""
    assert answered(Pieces(b"x", breaks_off=True)) == (
        400,
        {"error": "the upload was interrupted", "hint": "drop it again"},
    )


def nested(depth: int) -> bytes:
    """A header of nothing but brackets."""
    text = b"[" * depth + b"]" * depth
    return len(text).to_bytes(4, "little") + text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x02",
        b"\xff\xff\xff\xff[]",
        body({}),
        body({"a": CHAT})[:-1],
        body({"a": CHAT}) + b"more",
        body({"a": CHAT}, header={"name": "a", "size": 1}),
        body({"a": CHAT}, header=[{"name": "a"}]),
        body({"a": CHAT}, header=[{"name": "a", "size": "many"}]),
        body({"a": CHAT}, header=[{"name": "a", "size": 1e400}]),
        body({"a": CHAT}, header=[7]),
        (5).to_bytes(4, "little") + b"\xff\xfe{}[",
        nested(100_000),
    ],
)
def test_a_damaged_body_is_refused(data: bytes) -> None:
    """Cut short, too long, or with a header that lies: nothing is held."""
    assert sent(data) == (400, {"error": "the upload is incomplete", "hint": "drop it again"})


def test_too_many_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do instead; so is a size below nothing."""
    monkeypatch.setattr(uploads, "MOST_FILES", 2)
    assert sent(body({"a": b"1", "b": b"2"}))[0] == 200
    status, said = sent(body({"a": b"1", "b": b"2", "c": b"3"}))
    assert (status, said["error"]) == (400, "more than 2 files were dropped")
    assert sent(body({"a": b"1"}, header=[{"name": "a", "size": -1}, {"name": "b", "size": 2}]))[0] == 400


def test_only_a_page_that_sends_is_answered() -> None:
    """There is nothing to be read there."""
    client = TestClient(Starlette(routes=uploads.ROUTES), base_url=f"http://{HOST}")
    assert client.get("/api/drop").status_code == 405
