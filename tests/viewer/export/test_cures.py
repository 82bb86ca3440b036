"""What would have kept the losses that a file's overview names: in the file as in the app."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import Trace, load, meter, policy, replay, simulate
from core.model.session import Message, Session
from core.secrets.found import find_secrets
from core.secrets.redact import redacted
from tests.serving import ROOT
from tests.viewer.export.reading import everything_in
from tests.viewer.export.test_export import answered
from viewer.api.debugger import ROUTES as DEBUGGER
from viewer.api.fixes import ROUTES as FIXES
from viewer.api.why import ROUTES as WHY
from viewer.export import cures
from viewer.export.file import export
from viewer.export.lost import losses_named
from viewer.export.sharing import handed
from viewer.sessions.registry import TRACES

SAMPLES = ROOT / "sample_sessions"
REFUSED = (
    "This file does not hold what would have kept this text. Foldline works that out for the losses that the overview lists "
    "first: open the session in foldline for any other."
)


def recorded_sample() -> Trace:
    """The sample that opens first, as recorded: a rule of it is lost and broken."""
    return replay(load(SAMPLES / "foldline" / "broken-rule.json"))


def simulated_sample() -> Trace:
    """The sample whose model's summaries lose a rule, at the settings it opens with."""
    session = load(SAMPLES / "foldline" / "forgotten-rule.json")
    return simulate(session, policy("agentkit.memory", budget=16_000, keep_recent=8), meter("o200k_base"))


def as_recorded(trace: Trace) -> Trace:
    """The same session as recorded."""
    return replay(trace.session, meter=meter(trace.meter))


class App:
    """What the app answers of a run."""

    def __init__(self, trace: Trace) -> None:
        TRACES.put("opened", trace)
        self._client = TestClient(Starlette(routes=[*DEBUGGER, *FIXES, *WHY]))

    def rows(self) -> list[dict[str, Any]]:
        """The losses of all compactions."""
        found: list[dict[str, Any]] = self._client.get("/api/losses/opened").json()["rows"]
        return found

    def fate(self, text: str) -> dict[str, Any]:
        """Where a text went."""
        found: dict[str, Any] = self._client.get(f"/api/fate/opened?{urlencode({'text': text})}").json()
        return found

    def fixes(self, text: str, step: int) -> list[dict[str, Any]]:
        """What would have kept it, but for how far the search had come."""
        lines = self._client.get(f"/{fixes_of(text, step)}").text.splitlines()
        return [found for line in lines if "progress" not in (found := json.loads(line))]


def fixes_of(text: str, step: int) -> str:
    """The question what would have kept a text."""
    return f"api/fixes/opened?{urlencode({'text': text, 'step': step})}"


@pytest.mark.parametrize("made", [recorded_sample, simulated_sample])
def test_each_listed_loss_has_the_changes_that_the_app_finds(made: Any, tmp_path: Path, node: str) -> None:
    """Rows, prices and notes, up to where it went, was needed, and the end; and where it was, as the engine says it."""
    trace = made()
    export(trace, as_recorded(trace)).write(tmp_path / "out.html")
    app = App(trace)
    lost = losses_named(app.rows())
    assert len(lost) >= 2
    fates = answered(tmp_path / "out.html", node, [f"api/fate/opened?{urlencode({'text': text})}" for text in lost])
    assert [{**found, "cured": None} for found in fates] == [{**app.fate(text), "cured": None} for text in lost]
    asked = [(text, step) for text, found in zip(lost, fates, strict=True) for step in found["cured"]]
    assert len(asked) > len(lost)
    assert answered(tmp_path / "out.html", node, [fixes_of(*one) for one in asked]) == [
        app.fixes(*one) for one in asked
    ]


def test_the_steps_are_those_that_why_asks_about(tmp_path: Path, node: str) -> None:
    """Of the rule of the first sample: message 38, where it was needed, its compaction, and the end."""
    trace = recorded_sample()
    export(trace, trace).write(tmp_path / "out.html")
    (row,) = App(trace).rows()
    (rule,) = (one for one in row["told"] if one["kind"] == "rule")
    (found,) = answered(tmp_path / "out.html", node, [f"api/fate/opened?{urlencode({'text': rule['followed']})}"])
    assert (row["step"], rule["used_at"], len(trace) - 1) == (28, 37, 45)
    assert found["cured"] == [28, 37, 45]


def test_what_counts_most_comes_first_and_what_does_not_fit_is_said(
    tmp_path: Path, node: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rule that was needed is answered; of another loss, as of any typed text, the file says in a line why not."""
    monkeypatch.setattr(cures, "MOST", 1)
    trace = recorded_sample()
    made = export(trace, trace)
    made.write(tmp_path / "out.html")
    rule, *others = losses_named(App(trace).rows())
    assert rule.startswith("Never delete an original in photos/")
    assert made.left_out == [
        f"what would have kept {len(others)} of the {len(others) + 1} losses that the overview lists."
    ]
    ask = [fixes_of(rule, 45), fixes_of(rule, 40), fixes_of(others[0], 45), fixes_of("the printed catalogue", 45)]
    kept, elsewhere, other, typed = answered(tmp_path / "out.html", node, ask)
    assert kept[-1]["done"]
    assert elsewhere["error"].startswith("This file does not hold what would have kept this text up to there")
    assert [other["error"], typed["error"]] == [REFUSED, REFUSED]


def test_a_loss_that_is_followed_too_is_not_counted_as_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the first losses a text that one follows in the file is answered all the same."""
    monkeypatch.setattr(cures, "MOST", 1)
    trace = simulated_sample()
    _, *others = losses_named(App(trace).rows())
    assert len(others) >= 2
    made = export(trace, as_recorded(trace), texts=others[-1:])
    assert made.left_out[0] == (
        f"agentkit.memory: what would have kept {len(others) - 1} of the {len(others) + 1} losses"
        " that the overview lists."
    )
    told = export(trace, as_recorded(trace), texts=others).left_out
    assert not [said for said in told if said.startswith("agentkit.memory")]


def test_of_a_long_session_fewer_losses_are_answered_and_of_a_very_long_one_none() -> None:
    """So that the file is there in seconds: forty, eight of 2,500 messages, of two runs half as many; then none."""
    told = {
        count: [cures.most_of(replay(_session(count), meter=meter("agentkit")), runs) for runs in (1, 2)]
        for count in (0, 100, 1_250, 2_500, 2_501)
    }
    assert told == {0: [40, 40], 100: [40, 40], 1_250: [16, 8], 2_500: [8, 0], 2_501: [0, 0]}


def _session(count: int) -> Session:
    return Session(messages=tuple(Message(id=f"m{i}", role="user", content="Go on.") for i in range(count)))


def test_a_secret_in_a_rule_is_masked_in_what_would_have_kept_it() -> None:
    """The texts that changes are found for are those of the masked session."""
    key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    rule = f"Never print the token {key} in a log."
    said = [
        Message(id=f"m{i}", role=("user", "assistant")[i % 2], content=f"Line {i} of many. " * 9) for i in range(16)
    ]
    said[0] = Message(id="m0", role="user", content=f"Mend the report. {rule}")
    session = Session(messages=tuple(said))
    found = find_secrets(session)
    trace = simulate(
        redacted(session, found),
        policy("agentkit.memory", budget=120, keep_recent=1),
        meter("agentkit"),
        lambda *_: "Done.",
    )
    blocks = everything_in(b"".join(handed(trace, masked=found).pieces()).decode())
    assert b"Never print the token" in blocks["fixes-opened"]
    assert not [name for name, data in blocks.items() if key.encode() in data]
