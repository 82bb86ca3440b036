"""The model calls of a run as they were sent: request, reply, times, every attempt; kept with the run."""

import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from core.drive import Drive, Store, call_files, reopen, start
from core.drive.call_files import CallFiles, KeptCall, kept_call
from core.llm.exchange import NextTry
from core.model.errors import RunError
from core.trace.events import Exchanged, RunSettings
from tests.drive.parts import Scripted, asks, driven, says

CHUNK = {"id": "r1", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def streamed(text: str) -> Response:
    """A reply as a stream of two pieces."""
    pieces = [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": text}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    lines = [f"data: {json.dumps(CHUNK | piece)}\n\n" for piece in pieces]
    return Response("".join([*lines, "data: [DONE]\n\n"]), content_type="text/event-stream")


def refused(status: int, said: str) -> Response:
    """An error of the server that may be tried again at once."""
    return Response(
        json.dumps({"error": {"message": said}}),
        status=status,
        content_type="application/json",
        headers={"retry-after-ms": "1"},
    )


def answering(httpserver: HTTPServer, *answers: Response) -> list[Request]:
    """A server that gives one answer after the other; the requests it gets."""
    asked: list[Request] = []

    def answer(request: Request) -> Response:
        request.get_data()
        asked.append(request)
        return answers[min(len(asked), len(answers)) - 1]

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    return asked


def served(httpserver: HTTPServer, folder: Path) -> Drive:
    """A run whose model is at this server."""
    url = httpserver.url_for("/v1")
    told = RunSettings(provider="openai-compatible", model="m", base_url=url, meter="agentkit", summaries="structural")
    return start(told, Store(folder))


def test_a_run_says_when_it_is_rate_limited_and_which_attempt_comes_next(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    """Once the server has answered 429, with the wait that it asks for; the last attempt has none after it."""
    answering(httpserver, refused(429, "too many"), refused(429, "still"), refused(429, "no"), streamed("Done."))
    drive = served(httpserver, tmp_path)
    seen: list[NextTry | None] = []

    def listen() -> None:
        if drive.state.next_try not in seen[-1:]:
            seen.append(drive.state.next_try)

    with drive.status.listening(listen):
        drive.send("Do it.")
        assert drive.wait(180) == "failed"
    assert seen == [None, NextTry(0.001, 2, 3), NextTry(0.001, 3, 3), None]


def test_a_call_that_is_accepted_at_last_is_rate_limited_no_more(tmp_path: Path, httpserver: HTTPServer) -> None:
    """From the response on, before any text of it: what the run does is said again, also of a summary's call."""
    answering(httpserver, refused(429, "too many"), streamed("Done."))
    drive = served(httpserver, tmp_path)
    seen: list[tuple[bool, str]] = []

    def listen() -> None:
        now = (drive.state.next_try is not None, drive.state.activity)
        if now not in seen[-1:]:
            seen.append(now)

    with drive.status.listening(listen):
        drive.send("Do it.")
        assert drive.wait(180) == "ended"
    limited = seen.index((True, "waiting for the model"))
    assert seen[limited + 1] == (False, "waiting for the model")


def test_a_retried_call_lists_its_attempts(tmp_path: Path, httpserver: HTTPServer) -> None:
    """With the status and the text of what was answered; the request is kept as the server got it, the reply as it came."""
    asked = answering(httpserver, refused(429, "too many"), refused(503, "busy"), streamed("Done."))
    drive = served(httpserver, tmp_path)
    drive.send("Do it.")
    assert drive.wait(180) == "ended"
    (call,) = drive.exchanges
    assert [attempt.status for attempt in call.attempts] == [429, 503, 200]
    assert "too many" in call.attempts[0].error
    assert "busy" in call.attempts[1].error
    assert call.attempts[2].error == ""
    assert 0 <= call.attempts[0].at <= call.attempts[1].at <= call.attempts[2].at <= call.seconds
    assert call.first is not None
    assert call.attempts[2].at <= call.first <= call.seconds
    assert (call.number, call.purpose, call.outcome, call.url) == (1, "reply", "answered", f"POST {asked[0].url}")
    assert drive.context.base.messages[call.at].content == "Done."
    kept = drive.kept_call(1)
    assert json.loads(kept.request) == json.loads(asked[-1].get_data()) == json.loads(asked[0].get_data())
    assert json.loads(kept.reply)["choices"][0]["message"]["content"] == "Done."
    drive.close()


def test_a_failed_call_is_kept_too(tmp_path: Path, httpserver: HTTPServer) -> None:
    """With why it failed, and all after the run is opened again from its file; nobody else can read any of it."""
    answering(httpserver, refused(400, "no such field"))
    drive = served(httpserver, tmp_path)
    drive.send("Do it.")
    assert drive.wait(180) == "failed"
    drive.close()
    again = reopen(drive.id, Store(tmp_path))
    (call,) = again.exchanges
    assert call == drive.exchanges[0].model_copy(update={"seq": call.seq, "time": call.time})
    assert (call.outcome, [a.status for a in call.attempts]) == ("failed", [400])
    assert "no such field" in call.problem
    assert json.loads(again.kept_call(1).request)["messages"][-1]["content"] == "Do it."
    again.close()
    files = [*tmp_path.rglob("*.call*")]
    assert len(files) == 2
    assert not [path for path in files if path.stat().st_mode & 0o077]
    Store(tmp_path).delete(drive.id)
    assert not [*tmp_path.rglob("*.call*")]


def test_no_connection_is_an_attempt_in_words(tmp_path: Path) -> None:
    """Each of three, and none is told as the bare name of an exception."""
    told = RunSettings(provider="openai-compatible", model="m", base_url="http://127.0.0.1:9/v1", meter="agentkit")
    drive = start(told, Store(tmp_path))
    drive.send("Do it.")
    assert drive.wait(180) == "failed"
    (call,) = drive.exchanges
    assert [attempt.status for attempt in call.attempts] == [None, None, None]
    assert all(attempt.error.startswith("no connection") for attempt in call.attempts)
    drive.close()


def test_a_summary_by_the_model_is_a_call_of_its_own(tmp_path: Path) -> None:
    """In front of the call that is sent what it left."""
    drive = driven(tmp_path, Scripted([*(asks(k) for k in range(9)), says("Done.")]), summaries="model")
    drive.send("Look.")
    assert drive.wait(180) == "ended"
    found = [call for call in drive.exchanges if call.purpose == "summary"]
    assert found
    assert [call.number for call in drive.exchanges] == list(range(1, len(drive.exchanges) + 1))
    compacted = [c.at for c in drive.context.compactions]
    assert [call.at for call in found] == compacted
    with pytest.raises(RunError, match="does not keep its requests"):  # it was started without a place for them
        drive.kept_call(1)
    drive.close()


def test_a_long_request_is_cut_and_says_how_long_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """The beginning of it is kept."""
    monkeypatch.setattr(call_files, "MOST_CHARS", 30)
    kept = kept_call({"text": "x" * 100}, None)
    assert (len(kept.request), kept.request_length, kept.reply, kept.reply_length) == (30, 116, "", 0)


def test_the_oldest_calls_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest stays however large it is; a call that is gone says why."""
    files = CallFiles(tmp_path / "r.calls")
    monkeypatch.setattr(call_files, "MOST_BYTES", 300)
    for number in range(1, 9):
        files.write(number, KeptCall(request=f"{number}" * 50))
    assert files.read(8).request == "8" * 50
    with pytest.raises(RunError, match="model call 1 was not kept"):
        files.read(1)
    (tmp_path / "r.calls" / "000008.call").write_bytes(b"no gzip")
    with pytest.raises(RunError, match="cannot be read"):
        files.read(8)


def test_a_full_disk_costs_the_request_and_not_the_run(tmp_path: Path, httpserver: HTTPServer) -> None:
    """The run goes on, and the call says why its request is not there."""
    answering(httpserver, streamed("Done."))
    drive = served(httpserver, tmp_path)
    drive._calls.folder.write_text("a file where the folder should be")  # type: ignore[union-attr]
    drive.send("Do it.")
    assert drive.wait(180) == "ended"
    (call,) = drive.exchanges
    assert isinstance(call, Exchanged)
    assert call.unkept.startswith("the request could not be written: ")
    drive.close()
