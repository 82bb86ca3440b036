"""The routes of Share: secrets are listed and never told, a file is made without them, and fetched as an attachment."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import FoldlineError, Message, Session, meter, policy, replay, save, simulate
from core.demo import provider as demo
from core.drive import Store
from core.secrets.found import Found, Tell, find_secrets
from core.trace.events import RunSettings
from core.trace.trace import as_session
from tests.serving import PATIENCE
from tests.support import awaited
from tests.viewer.export.reading import block_of, everything_in
from viewer.api import looking, share
from viewer.api.share import ROUTES, making_lines
from viewer.api.share_lessons import ROUTES as OF_LESSONS
from viewer.export.jobs import LessonFile
from viewer.export.lesson import OF_CONTROLS
from viewer.export.making import STARTING, WAITING, Making
from viewer.sessions import runs as open_runs
from viewer.sessions.registry import TRACES, RecentCache

PASSWORD = "tr0ub4dor-and-3"
SAID = [f"Log in with password={PASSWORD}.", "Done.", "Now the tests.", "They pass.", "Thank you."]
SESSION = as_session(
    [Message(id=f"m{i}", role=("user", "assistant")[i % 2], content=text) for i, text in enumerate(SAID)],
    title="Log in <first>",
)


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A server that has the session open, as recorded and under a policy."""
    counter = meter("agentkit")
    TRACES.put("share-recorded", replay(SESSION, meter=counter))
    rule = policy("agentkit.memory", budget=20, keep_recent=1)
    TRACES.put("share-simulated", simulate(SESSION, rule, meter=counter))
    with TestClient(Starlette(routes=[*OF_LESSONS, *ROUTES])) as made:
        yield made


def prepared(client: TestClient, tid: str = "share-simulated", **asked: Any) -> dict[str, Any]:
    """A file that was made ready."""
    return dict(lines(client, f"/api/share/{tid}", **asked)[-1]["ready"])


def lines(client: TestClient, path: str, **asked: Any) -> list[dict[str, Any]]:
    """What is said while a file is made, and at last of the file."""
    answer = client.post(path, json=asked)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def test_secrets_are_listed_and_not_told(client: TestClient) -> None:
    """A row each: its kind, how often, and its beginning."""
    listed = lines(client, "/api/share/share-simulated/secrets")[-1]
    row = {"number": 1, "kind": "secret field", "preview": "tr0… (16 characters)", "times": 1, "masked": True}
    assert listed["found"] == [row]
    assert PASSWORD not in json.dumps(listed)


def test_a_search_for_secrets_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line has the texts read so far of all, then comes what was found."""
    arrived = threading.Semaphore(0)

    def find(session: Session, tell: Tell) -> list[Found]:
        for read in (0, 64, 70):
            tell(read, 70)
            assert arrived.acquire(timeout=PATIENCE)
        return [Found(PASSWORD, "secret field", 1)]

    async def hear() -> list[dict[str, Any]]:
        heard = []
        async for line in looking.looking_lines("seventy texts", SESSION):
            heard.append(line)
            arrived.release()
        return heard

    searching_by(find, monkeypatch)
    *far, last = awaited(hear)
    assert far == [{"read": read, "of": 70} for read in (0, 64, 70)]
    assert [row["kind"] for row in last["found"]] == ["secret field"]


def test_a_session_is_searched_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that is made masks what the list showed: the search is not made again for it."""
    searched: list[str] = []

    def find(session: Session, tell: Tell) -> list[Found]:
        searched.append(session.title)
        return find_secrets(session, tell=tell)

    searching_by(find, monkeypatch)
    assert lines(client, "/api/share/share-simulated/secrets")[-1]["found"]
    assert prepared(client, form="session")["masked"] == 1
    assert searched == [SESSION.title]


def searching_by(find: Callable[[Session, Tell], list[Found]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Search for secrets by this function, and know none from before."""
    monkeypatch.setattr(looking, "find_secrets", find)
    monkeypatch.setattr(looking, "_FOUND", RecentCache(1))


@pytest.mark.parametrize(
    ("tid", "form"),
    [("share-recorded", "trace")]
    + [("share-simulated", form) for form in ("trace", "session", "openai", "anthropic", "messages.csv")],
)
def test_a_file_has_no_secret(client: TestClient, tid: str, form: str) -> None:
    """Not in a message, nor in a summary that quotes it. What comes has the size that was told."""
    ready = prepared(client, tid, form=form)
    answer = client.get(f"/{ready['file']}")
    assert PASSWORD not in answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="{ready["name"]}"'
    assert ready["name"].startswith("log-in-first")
    assert len(answer.content) == ready["bytes"]
    assert ready["masked"] == 1


def test_an_entry_is_kept(client: TestClient) -> None:
    """By its number in the list that was looked through: of another list no number counts."""
    listed = lines(client, "/api/share/share-simulated/secrets")[-1]["list"]
    ready = prepared(client, form="session", keep=[1], list=listed)
    assert PASSWORD in client.get(f"/{ready['file']}").text
    assert ready["masked"] == 0
    for other in ({}, {"list": "another"}):
        answer = client.post("/api/share/share-simulated", json={"form": "session", "keep": [1]} | other)
        assert (answer.status_code, answer.json()["hint"]) == (409, "look through the list again")


def test_a_live_run_is_shared(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What its file says, as Debug would open it: its messages, its compactions, and the policy it was driven with."""
    made = open_runs.Runs(Store(tmp_path / "sessions"))
    for module in (share, open_runs):
        monkeypatch.setattr(module, "runs", lambda: made)
    monkeypatch.setattr(demo, "DELAY", 0)
    monkeypatch.setattr(demo.connect, "__kwdefaults__", {"made": 0, "delay": 0})
    settings = {"budget": 6000, "keep_recent": 6}
    drive = made.new(
        RunSettings(
            system=demo.SYSTEM,
            tools=demo.FAMILIES,
            folder=str(demo.FOLDER),
            parameters=settings,
            summaries="structural",
        )
    ).drive
    drive.send(demo.GOAL)
    assert drive.wait() == "ended"
    trace = json.loads(client.get(f"/{prepared(client, f'live-{drive.id}', form='trace')['file']}").text)
    shown = open_runs.trace_of(drive)
    assert (trace["tokens"], trace["meter"]) == (list(shown.tokens), shown.meter)
    assert [c["at"] for c in trace["compactions"]] == [c.at for c in shown.compactions]
    assert trace["policy"]["name"] == drive.settings.policy
    made.close(drive.id)


def test_lanes_come_along_although_the_session_was_read_again(client: TestClient) -> None:
    """Each run of the same messages is in the file; one of another session is not."""
    rule = policy("agentkit.memory", budget=30, keep_recent=2)
    for name, session in (("again", SESSION.model_copy(deep=True)), ("foreign", as_session(SESSION.messages[:4]))):
        TRACES.put(f"share-{name}", simulate(session, rule, meter=meter("agentkit")))
    alone = prepared(client, form="html")["bytes"]
    assert prepared(client, form="html", others=["share-again"])["bytes"] > alone
    assert prepared(client, form="html", others=["share-foreign"])["bytes"] == alone


def test_lanes_are_shared_beside_each_other(client: TestClient) -> None:
    """In one file, without what is masked; a lane that is no longer open is not left out in silence."""
    ready = prepared(client, "share-recorded", form="compare", others=["share-simulated"], base=1, message=3)
    assert (ready["name"], ready["masked"]) == ("log-in-first-compare.html", 1)
    answer = client.get(f"/{ready['file']}")
    assert answer.headers["content-type"].startswith("text/html")
    blocks = everything_in(answer.text)
    assert sum(name.startswith("view-lane-") for name in blocks) == 2
    assert any(b"Now the tests" in data for data in blocks.values())
    assert [name for name, data in blocks.items() if PASSWORD.encode() in data] == []
    asked = {"form": "compare", "others": ["share-simulated", "share-gone"]}
    refused = client.post("/api/share/share-recorded", json=asked)
    assert (refused.status_code, refused.json()["hint"]) == (409, "reload the page")


def test_masking_changes_no_number(client: TestClient) -> None:
    """The trace of the masked session has the tokens, steps and compactions of the one on screen."""
    shown = TRACES.get("share-simulated")
    assert shown is not None
    made = json.loads(client.get(f"/{prepared(client, form='trace')['file']}").text)
    assert made["tokens"] == list(shown.tokens)
    assert [(c["at"], c["window_before"], c["folded"]) for c in made["compactions"]] == [
        (c.at, c.window_before, c.folded) for c in shown.compactions
    ]


def test_what_cannot_be_looked_through_says_why(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for secrets that does not run is told with its way out; nothing is written instead."""

    def broken(session: Session, tell: Tell) -> list[Found]:
        raise FoldlineError("kingfisher did not run", "install it again")

    searching_by(broken, monkeypatch)
    said = lines(client, "/api/share/share-simulated/secrets")
    assert said == [{"failed": "kingfisher did not run", "hint": "install it again"}]


def test_a_lesson_is_made_ready(client: TestClient) -> None:
    """What is done now is said, not a wait that there is not, then where the file is; a lesson that there is not is refused."""
    *doing, last = lines(client, "/api/share/lesson/2")
    assert doing[0] == {"doing": STARTING}
    assert {"doing": WAITING} not in doing
    assert last["ready"]["name"] == "lesson-2.html"
    assert client.get(f"/{last['ready']['file']}").text.startswith("<!doctype html>")
    assert client.post("/api/share/lesson/9", json={}).status_code == 404


def test_ones_own_session_is_looked_through_for_a_lesson(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks secret is listed, and masked in the file unless it is kept; the file says so in its last step."""
    monkeypatch.setattr("viewer.api.share_lessons.local", lambda: True)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))  # where paths that were opened are kept
    save(SESSION, tmp_path / "s.json")
    named = {"source": f"path:{tmp_path / 's.json'}"}
    answer = lines(client, "/api/share/lesson/secrets", **named)[-1]
    assert [row["kind"] for row in answer["found"]] == ["secret field"]
    ready = lines(client, "/api/share/lesson/2", **named)[-1]["ready"]
    assert (ready["name"], ready["masked"]) == ("lesson-2.html", 1)
    assert ready["left_out"] == [OF_CONTROLS]
    head = json.loads(block_of(client.get(f"/{ready['file']}").text, "head"))
    assert head["own"] == "own"
    assert head["notes"] == [
        "1 entry that looks secret or personal was masked before this file was written.",
        f"Not in this file: {OF_CONTROLS}",
    ]
    kept = lines(client, "/api/share/lesson/2", **named, keep=[1], list=answer["list"])[-1]["ready"]
    assert kept["masked"] == 0
    for body, status in (({"source": "nothing"}, 400), ({"source": f"path:{tmp_path / 'none.json'}"}, 409)):
        assert client.post("/api/share/lesson/secrets", json=body).status_code == status


def test_whoever_goes_away_ends_the_work() -> None:
    """The process is gone as soon as the lines are closed, in the middle of what it does."""
    started: list[Making] = []

    def start() -> Making:
        started.append(Making(LessonFile(5)))
        return started[0]

    async def first_line() -> None:
        found = making_lines(start)
        await anext(found)
        await found.aclose()

    awaited(first_line)
    (making,) = started
    assert making.over.wait(PATIENCE)
    assert making.made is None
    assert making.failed is None or "has ended" in making.failed[0]


def test_a_file_waits_for_others_and_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two are made at a time; one that waits starts no process, and ends when it is stopped."""
    monkeypatch.setattr("viewer.export.making.AT_ONCE", threading.BoundedSemaphore(1))
    first = Making(LessonFile(1))
    second = Making(LessonFile(2))
    while second.now != WAITING and not first.over.is_set():
        time.sleep(0.01)
    second.stop()
    assert second.over.wait(PATIENCE)
    assert (second.now, second.made, second.failed) == (WAITING, None, None)
    assert first.over.wait(PATIENCE)
    assert first.made is not None
    assert first.made.name == "lesson-1.html"


def test_what_is_not_there_is_said(client: TestClient) -> None:
    """A run that is closed, a form that does not exist, a compaction where there is none, a body that is none."""
    assert client.post("/api/share/gone", json={}).status_code == 404
    assert client.get("/api/shared/gone").status_code == 404
    assert (
        client.post("/api/share/share-simulated", json={"form": "exe"}).json()["hint"].startswith("the forms are html")
    )
    failed = lines(client, "/api/share/share-recorded", form="compaction")[-1]
    assert failed["failed"] == "there is no compaction in this run"
    for body in (b"[]", b"{", b"[" * 60_000, b"1", b"", b"{" + b" " * 1_100_000 + b"}"):
        assert client.post("/api/share/share-simulated", content=body).status_code == 400
    for odd in ({"step": True, "keep": "all", "texts": 3}, {"step": 10**9, "keep": [None, "1"], "texts": [1]}):
        assert prepared(client, form="session", **odd)["masked"] == 1
