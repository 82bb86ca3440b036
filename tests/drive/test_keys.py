"""A key lives in memory: it is in no file, no event, nothing that is printed, no error."""

import gzip
import json
import traceback
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from core.drive import Store, reopen, start
from core.llm.endpoint import without_secrets
from core.trace.events import RunSettings

KEY = "sk-live-Zq7h2VxN0pD4mW9c"
REPLY = {
    "id": "r1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": f"Done with {KEY}."}}
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
}


@pytest.mark.parametrize("path", ["/v1", f"/{KEY}/v1"])
@pytest.mark.parametrize("status", [200, 401, 500])
def test_a_key_is_nowhere_but_in_the_request(
    tmp_path: Path, httpserver: HTTPServer, status: int, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Driven with a key, whether the provider takes it or repeats it in its error or reply, nothing of ours holds its text.

    Also not where the key stands in the path or the query of the address.
    """
    seen: list[str] = []

    def answer(request: Request) -> Response:
        seen.append(request.headers.get("Authorization", ""))
        said = REPLY if status == 200 else {"error": {"message": f"the key {KEY} is wrong", "code": "invalid_api_key"}}
        return Response(json.dumps(said), status=status, content_type="application/json")

    httpserver.expect_request(f"{path}/chat/completions").respond_with_handler(answer)
    url = httpserver.url_for(path).replace("http://", f"http://user:{KEY}@") + f"?key={KEY}"
    told = RunSettings(provider="openai-compatible", model="m", base_url=url, meter="agentkit", summaries="structural")
    store = Store(tmp_path)
    drive = start(told, store, key=KEY)
    drive.send("Do it.")
    drive.wait(180)
    shown = [
        repr(drive),
        repr(drive.settings),
        repr(drive.state),
        repr(drive.context.trace()),
        str(drive.next_request()),
    ]
    problem = drive.state.problem
    shown += [repr(problem), repr(vars(drive)), *(repr(event) for event in store.events(drive.id))]
    drive.close()
    again = reopen(drive.id, store, key=KEY)
    shown += [repr(again.state), repr(again.settings), *map(repr, again.exchanges)]
    shown += [again.kept_call(call.number).model_dump_json() for call in again.exchanges]
    again.close()
    assert again.exchanges[0].url.endswith(f"{path.replace(KEY, '[key]')}/chat/completions?key=[key]")
    assert any(seen)
    assert not [text for text in shown if KEY in text]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if KEY.encode() in contents(path) or KEY in path.name]
    assert [path for path in files if path.suffix == ".call"]
    assert not [found for found in caplog.records if found.name != "werkzeug" and KEY in found.getMessage()]


def contents(path: Path) -> bytes:
    """What is in a file, unpacked."""
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".call" else data


def test_an_error_at_the_start_does_not_say_the_key(tmp_path: Path) -> None:
    """A provider that is none, or an address that is none, is refused without it."""
    for provider, url in (("nobody", ""), ("openai-compatible", f"http://user:{KEY}@[bad")):
        with pytest.raises(Exception, match=r".") as caught:
            start(RunSettings(provider=provider, model="m", base_url=url), Store(tmp_path), key=KEY)
        told = "".join(traceback.format_exception_only(caught.value)) + getattr(caught.value, "hint", "")
        assert KEY not in told


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://me:pw@api.example:8443/openai/v1?key=k#x", "https://api.example:8443/openai/v1"),
        ("https://api.example/compatible-mode/v1beta", "https://api.example/compatible-mode/v1beta"),
        ("http://localhost:11434/v1/", "http://localhost:11434/v1/"),
        (f"https://api.example/{KEY}/v1", "https://api.example"),
        ("https://api.example/v1/acme-gateway", "https://api.example"),
        ("https://api.example", "https://api.example"),
        ("", ""),
    ],
)
def test_of_an_address_what_cannot_be_secret_is_kept(url: str, kept: str) -> None:
    """Scheme, host and port, and a path of words that many APIs use."""
    assert without_secrets(url) == kept
