"""The routes of a scene: a session under a policy is opened by name, its messages and its trace are sent."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from viewer.api.compare import ROUTES as COMPARE
from viewer.api.scenes import ROUTES
from viewer.sessions.registry import TRACES

CLIENT = TestClient(Starlette(routes=[*ROUTES, *COMPARE]))
CALCULATOR = "sample:foldline/lesson-3-calculator.json"


def test_a_scene_names_a_session_and_a_trace() -> None:
    """The trace is that of the policy with its settings; the store and the view are there under the two ids."""
    asked = {"source": CALCULATOR, "policy": "agentkit.memory", "settings": '{"budget": 100, "keep_recent": 3}'}
    found = CLIENT.get("/api/scene", params=asked | {"meter": "agentkit", "summaries": "recorded"}).json()
    trace = TRACES.get(found["tid"])
    assert trace is not None
    assert [(c.window_before, c.window_after) for c in trace.compactions] == [(108, 82)]
    assert found["sid"].encode() in CLIENT.get(f"/api/store/{found['sid']}").content[:400]
    assert CLIENT.get(f"/api/view/{found['tid']}").status_code == 200
    plain = CLIENT.get("/api/scene", params={"source": CALCULATOR, "policy": "none", "meter": "agentkit"}).json()
    assert plain["sid"] == found["sid"]
    assert TRACES.get(plain["tid"]).compactions == ()  # type: ignore[union-attr]


def test_a_scene_pins_as_an_address_does() -> None:
    """The pinned message stays through the compaction; settings may be texts, too."""
    asked = {"source": "sample:foldline/broken-rule.json", "policy": "agentkit.memory"}
    asked |= {"settings": '{"budget": "1600", "keep_recent": "6"}', "summaries": "recorded"}
    pinned, plain = (
        TRACES.get(CLIENT.get("/api/scene", params=asked | more).json()["tid"]) for more in ({"pin": "pottery-15"}, {})
    )
    assert pinned is not None
    assert plain is not None
    assert (pinned.pinned, plain.pinned) == ((15,), ())
    assert [len(one.compactions[0].removed) for one in (pinned, plain)] == [20, 21]


def test_what_cannot_be_opened_is_said() -> None:
    """No source, an unknown policy, settings that are no object, a session that is not open: an error and a way out."""
    for asked in (
        {"source": "there"},
        {"source": CALCULATOR, "policy": "mine"},
        {"source": CALCULATOR, "policy": "agentkit.memory", "settings": "[]"},
    ):
        answer = CLIENT.get("/api/scene", params=asked)
        assert answer.status_code == 400
        assert answer.json()["error"]
        assert answer.json()["hint"]
    assert CLIENT.get("/api/store/none").status_code == 404
