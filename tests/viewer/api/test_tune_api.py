"""The Tune page's routes: sessions are found, a sweep streams and stops, and its numbers are those of the command line."""

import io
import json
import subprocess
import threading
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import pyarrow.parquet as pq
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import load, replay, save
from core.cli import main
from core.engine.counts import counts
from core.engine.default_meter import session_meter
from core.tune.row import Row
from tests.measure.worked import session
from tests.support import awaited, scaled_session
from viewer.api import tuned
from viewer.sessions import results, sweeps
from viewer.sessions.sweeps import Running
from viewer.wire.totals import total_lines

SAMPLE = "sample:openai-chat/coding-session.json"
SAMPLE_PATH = Path(__file__).parents[3] / "sample_sessions" / "openai-chat" / "coding-session.json"
GRID = {"policy": "agentkit.memory", "axes": [["budget", ["8000", "16000"]], ["keep_recent", ["4", "8"]]]}
PRICES = [5, 0.5, 6.25, 25]


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server for the machine's own user, whose sweeps work in this process; it keeps no list of recent paths."""
    monkeypatch.setattr(tuned, "local", lambda: True)
    monkeypatch.setattr(sweeps, "cores", lambda: 1)
    monkeypatch.setattr(sweeps, "workers", lambda: 0)
    monkeypatch.setattr("viewer.sessions.sources.remember", lambda path: None)


@pytest.fixture(scope="module")
def client() -> TestClient:
    """A client of the routes alone."""
    return TestClient(Starlette(routes=tuned.ROUTES))


def lines(client: TestClient, path: str, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of a stream."""
    answer = client.post(path, json=asked)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson"), answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def found(client: TestClient, **asked: Any) -> dict[str, Any]:
    """The sessions that are found."""
    *_, last = lines(client, "/api/tune/sessions", {"kind": "this", "meter": "agentkit", "source": SAMPLE, **asked})
    sessions: dict[str, Any] = last["found"]
    return sessions


def ran(client: TestClient, sessions: dict[str, Any], **asked: Any) -> str:
    """The sweep of one grid, once it has run."""
    first, *_, last = lines(client, "/api/tune/run", {"set": sessions["set"], "grids": [GRID], **asked})
    assert last == {"finished": True}
    return str(first["sweep"])


def test_a_sample_is_found_with_its_size_and_its_ranges(client: TestClient) -> None:
    """The numbers are those of the session; the ranges come with a reason."""
    sessions = found(client)
    (one,) = sessions["sessions"]
    assert (one["messages"], one["agent"]) == (187, "OpenAI chat messages")
    answer = client.post("/api/tune/proposals", json={"set": sessions["set"], "policy": "agentkit.memory"}).json()
    budget, keep = answer["parameters"]
    assert (budget["parameter"], keep["parameter"], budget["default"]) == ("budget", "keep_recent", "400")
    assert "an eighth of the session (" in budget["why"]


def test_the_numbers_are_those_of_the_command_line(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    """Every figure of each cell: miss rate, cost, compactions, tokens sent; and every row of the CSV."""
    sweep = ran(client, found(client))
    picture = client.post("/api/tune/picture", json={"sweep": sweep, "prices": PRICES}).json()
    grid = ["budget=8000,16000", "keep_recent=4,8"]
    priced = ["--prices", ",".join(map(str, PRICES)), "--meter", "agentkit", "--json"]
    assert main(["tune", str(SAMPLE_PATH), "--policy", "agentkit.memory", "--grid", *grid, *priced]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    told = {(r["settings"]["budget"], r["settings"]["keep_recent"]): r for r in rows}
    wanted = [told[budget, keep] for keep in (4, 8) for budget in (8000, 16000)]
    figures = [[1, r["miss_rate"], r["cost"], r["compactions"], r["tokens_sent"]] for r in wanted]
    assert [cell[:5] for cell in picture["cells"]] == [pytest.approx(row) for row in figures]
    text = client.get("/api/tune/rows.csv", params={"sweep": sweep, "prices": ",".join(map(str, PRICES))}).text
    head, recorded, *listed = text.splitlines()
    assert head.split(",") == list(Row.model_fields)
    assert len(listed) == 4
    assert ",recorded," in recorded
    at = {"sweep": sweep, "prices": ",".join(map(str, PRICES))}
    _, *as_json = client.get("/api/tune/rows.json", params=at).json()
    assert [(row["settings"], row["cost"]) for row in as_json] == [
        (row["settings"], pytest.approx(row["cost"]))
        for row in sorted(rows, key=lambda row: _place(row["settings"]))
        if row["settings"]
    ]
    _, *as_parquet = pq.read_table(io.BytesIO(client.get("/api/tune/rows.parquet", params=at).content)).to_pylist()
    assert [json.loads(row["settings"]) | {"cost": row["cost"]} for row in as_parquet] == [
        row["settings"] | {"cost": row["cost"]} for row in as_json
    ]


def _place(settings: dict[str, int]) -> tuple[int, int]:
    """Where the page lists a setting: the first parameter changes first."""
    return settings.get("keep_recent", 0), settings.get("budget", 0)


def test_the_open_session_of_a_file_of_many_is_known_as_one_of_them(client: TestClient, tmp_path: Path) -> None:
    """The first, too: its file alone would name all of them."""
    rows = [{"conversations": [{"from": "human", "value": f"{k}"}, {"from": "gpt", "value": "yes"}]} for k in range(3)]
    many, alone = tmp_path / "many.jsonl", tmp_path / "alone.jsonl"
    many.write_text("\n".join(map(json.dumps, rows)))
    alone.write_text(json.dumps(rows[0]))
    asked = [(many, ""), (many, "2"), (alone, "")]
    facts = [found(client, source=f"path:{path}", session=session)["sessions"] for path, session in asked]
    assert [(one["name"], one["session"], one["others"]) for (one,) in facts] == [
        (f"{many}#conversation-877003f012a1", "", True),
        (f"{many}#conversation-3d51573975c4", "2", True),
        (str(alone), "", False),
    ]


def test_the_open_session_of_an_archive_is_the_one_that_is_swept(client: TestClient, tmp_path: Path) -> None:
    """Not the first of the archive."""
    messages = json.loads(SAMPLE_PATH.read_text(encoding="utf-8"))["messages"]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, count in (("a.json", 30), ("b#1.json", 20)):
            archive.writestr(name, json.dumps(messages[:count]))
    source = f"path:{tmp_path / 'all.zip'}"
    (one,) = found(client, source=source, session="./b#1.json")["sessions"]
    assert (one["messages"], one["name"], one["session"]) == (20, str(tmp_path / "all.zip" / "b#1.json"), "./b#1.json")


def priced_logs(folder: Path, models: Sequence[str]) -> str:
    """A folder with the sample's beginning once for each model, which its replies name."""
    folder.mkdir()
    messages = json.loads(SAMPLE_PATH.read_text(encoding="utf-8"))["messages"]
    for k, model in enumerate(models):
        body = {"model": model, "messages": messages[: 80 + k]}
        (folder / f"{k}.json").write_text(json.dumps(body))
    return str(folder)


def test_each_session_costs_what_its_own_model_does(client: TestClient, tmp_path: Path) -> None:
    """As Compare says of it; one whose model has no price costs what the commonest does. The rows say the same."""
    models = ["claude-opus-4-5", "gpt-4o-mini", "nobody-knows", "claude-opus-4-5"]
    sessions = found(client, kind="folder", folder=priced_logs(tmp_path / "logs", models))
    assert [one["model"] for one in sessions["sessions"]] == models
    sweep = ran(client, sessions)
    table = client.post("/api/tune/picture", json={"sweep": sweep, "prices": "own"}).json()
    named = client.post("/api/tune/prices", json={"models": ["claude-opus-4-5", "gpt-4o-mini", "nobody-knows"]}).json()
    opus, mini, nobody = named["prices"]
    assert (opus, nobody) == ([5, 0.5, 6.25, 25], None)

    def at(prices: list[float]) -> list[float]:
        asked = {"sweep": sweep, "prices": prices}
        return [line[1] for line in client.post("/api/tune/picture", json=asked).json()["table"]]

    wanted = [at(opus)[0], at(mini)[1], at(opus)[2], at(opus)[3]]
    assert [line[1] for line in table["table"]] == [pytest.approx(one) for one in wanted]
    assert table["recorded"][2] == pytest.approx(sum(wanted))
    rows = client.get("/api/tune/rows.json", params={"sweep": sweep, "prices": "own"}).json()
    assert [row["cost"] for row in rows[:4]] == [pytest.approx(one) for one in wanted]
    assert [row["repaid"] is None for row in rows[:4]] == [False, False, True, False]


def test_without_a_chosen_meter_each_session_has_the_one_of_the_other_pages(client: TestClient, tmp_path: Path) -> None:
    """Also under a policy that comes with a meter of its own; so size and cost are those of Compare."""
    path = tmp_path / "calibrated.json"
    save(scaled_session(1.25, model="claude-opus-4-5"), path)
    (one,) = (sessions := found(client, meter="", source=f"path:{path}"))["sessions"]
    session = load(path)
    assert (one["meter"], one["tokens"]) == ("calibrated", counts(session).tokens)
    sweep = ran(client, sessions, grids=[{"policy": "agentkit.memory", "axes": [["budget", ["400"]]]}])
    rows = client.get("/api/tune/rows.json", params={"sweep": sweep, "prices": "own"}).json()
    assert [row["meter"] for row in rows] == ["calibrated", "calibrated"]
    compared = json.loads(next(total_lines(replay(session, meter=session_meter(None, session)))))
    assert (rows[0]["cost"], rows[0]["tokens_sent"]) == (compared["cost"], compared["tokens_sent"])
    assert rows[0]["cost"] > 0


def test_other_prices_and_limits_need_no_run(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture is drawn anew from the rows; without prices there is no cost."""
    sweep = ran(client, found(client))
    monkeypatch.setattr(sweeps, "sweep", None)
    ask = {"sweep": sweep, "prices": PRICES}
    once = client.post("/api/tune/picture", json=ask).json()
    twice = client.post("/api/tune/picture", json={**ask, "prices": [2 * one for one in PRICES]}).json()
    assert [cell[2] for cell in twice["cells"]] == [pytest.approx(2 * cell[2]) for cell in once["cells"]]
    assert {cell[2] for cell in client.post("/api/tune/picture", json={"sweep": sweep}).json()["cells"]} == {None}
    assert client.post("/api/tune/picture", json={**ask, "limit": 1}).json()["best"] is not None
    assert "".join(text for text, _ in once["said"]).startswith("One session is no basis for a default.")


def test_a_sweep_that_has_run_is_known_without_a_run(client: TestClient) -> None:
    """After Back, or in another tab; with another policy beside, only that one is run."""
    sessions = found(client)
    sweep = ran(client, sessions)
    asked = {"set": sessions["set"], "grids": [GRID], "look": True}
    assert lines(client, "/api/tune/run", asked) == [
        {"sweep": sweep, "sessions": [sessions["sessions"][0]["id"]], "runs": 4, "done": 4}
    ]
    more = {"policy": "swe_agent.last_n", "axes": [["n", ["5"]]]}
    (known,) = lines(client, "/api/tune/run", {**asked, "grids": [GRID, more]})
    assert (known["runs"], known["done"]) == (5, 4)


def folder_of(path: Path, count: int) -> Path:
    """Some copies of the worked session, and a file that is none."""
    path.mkdir()
    for k in range(count):
        rows = [{"role": m.role, "content": f"{k} {m.content}"} for m in session().messages]
        (path / f"{k}.json").write_text(json.dumps(rows))
    (path / "odd.jsonl").write_text('{"type": "session", \x00\n' * 5)
    return path


def test_a_folder_with_a_hostile_file(client: TestClient, tmp_path: Path) -> None:
    """Its sessions are swept; what no importer can read is said, and does not end the others."""
    folder = folder_of(tmp_path / "kept", 3)
    (folder / "bad.json").write_text('[{"role": "user", "content": "<script>alert(1)</script>"}, {"role": []}')
    sessions = found(client, kind="folder", folder=str(folder))
    assert len(sessions["sessions"]) >= 3
    sweep = ran(client, sessions, least=100)
    picture = client.post("/api/tune/picture", json={"sweep": sweep, "prices": PRICES}).json()
    assert picture["sessions"] == 3
    assert "over 3 sessions; misses more in 0" in "".join(text for text, _ in picture["said"])


@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "folder", "folder": "/tmp"},
        {"kind": "library"},
        {"kind": "this", "source": f"path:{SAMPLE_PATH}"},
    ],
)
def test_a_server_for_others_opens_no_paths(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, asked: dict[str, Any]
) -> None:
    """A sample is all it sweeps."""
    monkeypatch.setattr(tuned, "local", lambda: False)
    (line,) = lines(client, "/api/tune/sessions", {"meter": "agentkit", **asked})
    assert "only when foldline listens on 127.0.0.1" in line["failed"]
    assert found(client)["sessions"]


def test_a_folder_is_never_a_url(client: TestClient) -> None:
    """What is typed here is a path: nothing is fetched."""
    *_, last = lines(client, "/api/tune/sessions", {"kind": "folder", "meter": "agentkit", "folder": "https://h/x"})
    assert not last.get("found", {}).get("sessions")


@pytest.mark.parametrize(
    ("path", "asked", "why"),
    [
        ("sessions", {"kind": "other"}, "which sessions?"),
        ("run", {"set": "none"}, "no longer open"),
        ("picture", {"sweep": "none"}, "no longer there"),
        ("proposals", {"set": "none"}, "no longer open"),
    ],
)
def test_what_cannot_be_answered_is_refused(client: TestClient, path: str, asked: dict[str, Any], why: str) -> None:
    """With the reason and the way out."""
    answer = client.post(f"/api/tune/{path}", json=asked)
    assert answer.status_code == 400
    assert why in answer.json()["error"]
    assert answer.json()["hint"]


@pytest.mark.parametrize(
    "grids",
    [
        [{"policy": "nobody", "axes": [["budget", ["1"]]]}],
        [{"policy": "agentkit.memory", "axes": [["budget", ["many"]]]}],
        [{"policy": "agentkit.memory", "axes": [["budget", []]]}],
        [{"policy": "agentkit.memory", "axes": [["budget", [str(n) for n in range(1, 2500)]]]}],
        [{"policy": "agentkit.memory"}],
        [[]],
        7,
        [],
    ],
)
def test_a_grid_that_makes_no_settings_is_refused(client: TestClient, grids: Any) -> None:
    """Nothing begins."""
    assert client.post("/api/tune/run", json={"set": found(client)["set"], "grids": grids}).status_code == 400


@pytest.mark.parametrize("prices", [[1, 2], [1, 2, 3, -4], "dear", [1, 2, 3, "x"]])
def test_prices_that_are_none_are_refused(client: TestClient, prices: Any) -> None:
    """Four amounts of 0 or more."""
    sweep = ran(client, found(client))
    assert client.post("/api/tune/picture", json={"sweep": sweep, "prices": prices}).status_code == 400


class Slow:
    """The work of a sweep that has come half of its way, and goes no further until it is closed."""

    def __init__(self) -> None:
        self.closed, self.done, self.runs = threading.Event(), 1, 2

    def __iter__(self) -> Iterator[float]:
        yield 0.5
        self.closed.wait(60)

    def close(self) -> None:
        """End it."""
        self.closed.set()


def test_a_sweep_ends_when_its_page_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream is cancelled, as it is when the connection is closed: the work is closed in the middle of a task."""
    slow = Slow()
    monkeypatch.setattr(sweeps, "Work", lambda found: found)

    async def looked_at() -> None:
        with anyio.move_on_after(30) as scope:
            async for line in tuned.run_lines(lambda: Running(slow), {"sweep": "x"}):  # type: ignore[arg-type]
                if line.get("part") == 0.5:
                    scope.cancel()

    awaited(looked_at)
    assert slow.closed.is_set()


def test_stopping_ends_the_processes(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, in the middle of a task; what is done stays, nothing else is begun, and no process is left."""
    monkeypatch.setattr(sweeps, "workers", lambda: 1)
    begun: list[subprocess.Popen[bytes]] = []
    started = subprocess.Popen

    def noted(*given: Any, **how: Any) -> subprocess.Popen[bytes]:
        begun.append(started(*given, **how))
        return begun[-1]

    monkeypatch.setattr("core.tune.sweep.Popen", noted)
    sessions = found(client, meter="agentlib")
    grid = {**GRID, "axes": [["budget", [str(n) for n in range(9000, 9200, 2)]]]}
    asked = {"set": sessions["set"], "grids": [grid]}
    swept = sweeps.sweep_of(tuned.set_asked(asked), asked)
    running = Running(swept)
    while not swept.done:
        assert not running.over.wait(0.02), running.failure
    running.stop()
    assert running.over.wait(60)
    assert 0 < swept.done < 100
    assert all(process.wait(60) is not None for process in begun)


def unknown(client: TestClient, tmp_path: Path) -> dict[str, Any]:
    """A session whose model nobody knows, and longer than the window that the command line takes for such a model."""
    folder = folder_of(tmp_path / "unknown", 1)
    (folder / "odd.jsonl").unlink()
    return found(client, kind="folder", folder=str(folder))


def test_a_context_window_is_asked_for_and_never_guessed(client: TestClient, tmp_path: Path) -> None:
    """A policy that needs that of a model nobody knows is refused until it is given; then it acts by what was given."""
    sessions = unknown(client, tmp_path)
    asked = {"set": sessions["set"], "policy": "crush"}
    assert client.post("/api/tune/proposals", json=asked).json()["window"] == "context_window"
    assert [one["limited"] for one in sessions["sessions"]] == [False]
    grids = [{"policy": "crush", "axes": []}]
    answer = client.post("/api/tune/run", json={"set": sessions["set"], "grids": grids})
    assert (answer.status_code, answer.json()["hint"]) == (400, "type its context window")
    ran(client, sessions, grids=grids, window=1000)
    ran(client, sessions, grids=[{**grids[0], "fixed": {"context_window": "1000"}}])
    *_, one, two = sweeps._sweeps._values.values()
    assert one.rows[0][0] == two.rows[0][0]
    assert one.rows[0][0].settings["context_window"] == 1000


def test_other_parameters_can_be_fixed(client: TestClient) -> None:
    """A grid takes them along; a swept one is never fixed."""
    fixed = {**GRID, "axes": GRID["axes"][:1], "fixed": {"keep_recent": "8", "budget": "1"}}
    sessions = found(client)
    both, alone = ran(client, sessions), ran(client, sessions, grids=[fixed])
    cells = [client.post("/api/tune/picture", json={"sweep": one}).json()["cells"] for one in (both, alone)]
    assert cells[1] == cells[0][2:]


def test_a_sweep_holds_its_rows_and_takes_a_bounded_number(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the shared cache drops stays in the sweep; too many runs are refused with the way out."""
    monkeypatch.setattr(sweeps, "_rows", sweeps.RecentCache(2))
    sessions = found(client)
    sweep = ran(client, sessions, summaries="fixed size")
    assert [cell[0] for cell in client.post("/api/tune/picture", json={"sweep": sweep}).json()["cells"]] == [1] * 4
    monkeypatch.setattr(sweeps, "MOST_RUNS", 3)
    answer = client.post("/api/tune/run", json={"set": sessions["set"], "grids": [GRID]})
    assert "4 runs are too many" in answer.json()["error"]
    assert "foldline tune --parquet" in answer.json()["hint"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six settings over three sessions, as the command line keeps them."""
    made = tmp_path_factory.mktemp("kept")
    messages = json.loads(SAMPLE_PATH.read_text(encoding="utf-8"))
    messages = messages["messages"] if isinstance(messages, dict) else messages
    (made / "logs").mkdir()
    for count in (187, 150, 60):
        (made / "logs" / f"{count}.json").write_text(json.dumps(messages[:count]))
    grid = ["--grid", "budget=16000,8000,12000", "keep_recent=8,4"]
    asked = ["tune", str(made / "logs"), "--policy", "agentkit.memory", *grid, "--meter", "agentkit", "--no-findings"]
    assert main([*asked, "--prices", "5,0.5,6.25,25", "--workers", "0", "--parquet", str(made / "out")]) == 0
    return made


def test_a_kept_result_is_laid_out_as_a_map(client: TestClient, kept: Path) -> None:
    """Its values in order, whatever order they were given in; the numbers are those of a sweep on the page."""
    told = client.post("/api/tune/result", json={"path": str(kept / "out" / "rows.parquet")}).json()
    (grid,) = told["grids"]
    assert (told["sessions"], told["meter"], told["summaries"]) == (3, "agentkit", "structural")
    axes = [("budget", ["8000", "12000", "16000"]), ("keep_recent", ["4", "8"])]
    assert [(one["name"], one["values"]) for one in grid["axes"]] == axes
    ask = {"sweep": told["result"], "limit": 1}
    picture = client.post("/api/tune/kept", json=ask).json()
    sessions = found(client, kind="folder", folder=str(kept / "logs"))
    sweep = ran(client, sessions, grids=[{"policy": "agentkit.memory", "axes": axes}])
    page = client.post("/api/tune/picture", json={"sweep": sweep, "prices": PRICES, "limit": 1}).json()
    assert picture["priced"]
    assert [cell[:2] + cell[3:] for cell in picture["cells"]] == [cell[:2] + cell[3:] for cell in page["cells"]]
    assert [cell[2] for cell in picture["cells"]] == [pytest.approx(cell[2]) for cell in page["cells"]]
    assert (picture["best"], picture["front"], picture["shown"]) == (page["best"], page["front"], page["best"])
    assert "".join(text for text, _ in picture["said"]).endswith("over 3 sessions.")
    dearer = client.post("/api/tune/kept", json={**ask, "prices": [2 * one for one in PRICES]}).json()
    assert [cell[2] for cell in dearer["cells"]] == [pytest.approx(2 * cell[2]) for cell in picture["cells"]]


def test_the_sessions_of_a_result_that_lose_most(client: TestClient, kept: Path) -> None:
    """The worst first, by the figure that is asked for; each with its file, the setting, the step and its message."""
    told = client.post("/api/tune/result", json={"path": str(kept / "out")}).json()
    ask = {"sweep": told["result"], "chosen": 0}
    worst = client.post("/api/tune/kept", json=ask).json()["worst"]
    assert [one["misses"] for one in worst] == sorted((one["misses"] for one in worst), reverse=True)
    first = worst[0]
    assert (first["source"], first["session"]) == (f"path:{kept / 'logs' / '187.json'}", "")
    assert first["query"] == {"policy": "agentkit.memory", "budget": "8000", "keep_recent": "4"}
    assert first["step"] > first["message"] - 1 > 0  # some compaction was before it
    dearest = client.post("/api/tune/kept", json={**ask, "figure": "cost"}).json()["worst"]
    assert [one["cost"] for one in dearest] == sorted((one["cost"] for one in dearest), reverse=True)
    assert "is no figure" in client.post("/api/tune/kept", json={**ask, "figure": "1; DROP"}).json()["error"]


def test_where_a_session_of_a_result_is(tmp_path: Path) -> None:
    """A file, one of many in it, a file of an archive; nowhere what is not here."""
    (tmp_path / "a#1.jsonl").touch()
    (tmp_path / "b.zip").touch()
    here = str(tmp_path)
    assert results.place_of(f"{here}/a#1.jsonl") == (f"{here}/a#1.jsonl", "")
    assert results.place_of(f"{here}/a#1.jsonl#3") == (f"{here}/a#1.jsonl", "3")
    assert results.place_of(f"{here}/b.zip/x/c.jsonl#2") == (f"{here}/b.zip", "./x/c.jsonl#2")
    assert results.place_of(f"{here}/none.jsonl") == ("", "")
    assert results.place_of("s3://bucket/c.jsonl") == ("", "")


def test_what_is_no_result_is_refused(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the way out; a server for others opens none."""
    answer = client.post("/api/tune/result", json={"path": str(tmp_path)})
    assert (answer.status_code, "--parquet" in answer.json()["hint"]) == (400, True)
    assert client.post("/api/tune/kept", json={"sweep": "none"}).json()["hint"] == "open it again"
    monkeypatch.setattr(tuned, "local", lambda: False)
    assert "127.0.0.1" in client.post("/api/tune/result", json={"path": str(tmp_path)}).json()["error"]


def test_the_coarse_grid_has_every_other_value_and_the_ends() -> None:
    """Of four by one, three come first."""
    grid = sweeps.Grid("agentkit.memory", {}, (("budget", ("1000", "2000", "3000", "4000")),))
    assert [rough for _, rough in grid.settings()] == [True, False, True, True]
