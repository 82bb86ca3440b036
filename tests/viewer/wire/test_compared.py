"""The comparison of a recorded compaction with a policy, as the page gets it."""

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import FoldlineError, meter, policies, replay
from core.model.session import RecordedCompaction
from tests.engine.test_compare_recorded import recorded
from tests.support import scaled_session
from tests.viewer.settings.test_as_recorded import recorded as recorded_of_agent
from viewer.api import debugger as api
from viewer.sessions.registry import OPENED, Opened
from viewer.wire.compared import DEFAULT_POLICY, chosen_policy, comparison, rival_of


def test_both_sides_are_rows_of_numbers() -> None:
    """Window before and after, messages removed, emptied and kept, the summary; and who kept what, by place."""
    found = comparison(recorded(), 0, "agentkit.memory", {"budget": "20", "keep_recent": "2"})
    assert found["recorded"] == {
        "before": 98,
        "after": 37,
        "removed": 5,
        "cleared": 0,
        "kept": 2,
        "summary": 9,
        "unreadable": "",
    }
    assert (found["made"]["before"], found["made"]["removed"], found["made"]["kept"]) == (98, 4, 3)
    assert (found["both"], found["policy_alone"]) == (2, {"total": 1, "first": [5]})
    assert (found["policy"], found["fidelity"], found["automatic"]) == ("agentkit.memory", "exact", True)
    assert found["settings"] == {"budget": "20", "keep_recent": "2"}
    assert found["policies"] == [p.name for p in policies()]


def test_without_settings_those_that_suit_the_session_are_taken() -> None:
    """Of langchain.trim's usual 4,000 tokens nothing this small would ever be cut."""
    assert comparison(recorded(), 0, "langchain.trim", {})["settings"]["max_tokens"] == "150"


def test_a_run_of_a_known_agent_is_first_compared_with_its_own_policy() -> None:
    """With the settings that come nearest to the record; another run with the default policy."""
    trace = recorded_of_agent(5, 11)
    assert (rival_of(trace), rival_of(recorded())) == ("claude_code.auto", DEFAULT_POLICY)
    found = comparison(trace, 0, "claude_code.auto", {})
    assert (found["settings"]["window"], found["fitted"]) == ("132970", ["window"])
    assert comparison(trace, 0, "claude_code.auto", {"window": "200000"})["fitted"] == []


@pytest.mark.parametrize("name", ["calibrated", "reported"])
def test_a_meter_that_reads_the_sessions_usage_compares_too(name: str) -> None:
    """What the policy puts in is counted by the meter of the session."""
    event = RecordedCompaction(at=8, edit="dropped")
    session = scaled_session(1.25).model_copy(update={"compactions": (event,)})
    found = comparison(replay(session, meter=meter(name)), 0, "agentkit.memory", {"budget": "900", "keep_recent": "2"})
    assert found["made"]["before"] == found["recorded"]["before"] > 4_000


def test_settings_an_address_gets_wrong_are_left_at_their_default() -> None:
    """As on the page itself; an unknown policy is an error."""
    rule = chosen_policy("agentkit.memory", {"budget": "many", "keep_recent": "7", "zest": "1"})
    assert (rule.settings["budget"], rule.settings["keep_recent"]) == (400, 7)
    with pytest.raises(FoldlineError, match="nobodys"):
        chosen_policy("nobodys.policy", {})


def fetched(path: str) -> tuple[int, Any]:
    """What the server answers, with the recorded run held as `sid`."""
    trace = recorded()
    OPENED.put("sid", Opened("sid", trace.session, trace))
    answer = TestClient(Starlette(routes=api.ROUTES)).get(path)
    return answer.status_code, answer.json()


def test_the_page_asks_by_session_and_number() -> None:
    """The policy and its settings are the query; without them a policy of ours is compared with."""
    status, found = fetched("/api/compared/sid/0?policy=langchain.trim&max_tokens=50")
    assert (status, found["policy"], found["settings"]["max_tokens"]) == (200, "langchain.trim", "50")
    assert fetched("/api/compared/sid/0")[1]["policy"] == "agentkit.memory"


@pytest.mark.parametrize(("path", "status"), [("sid/1", 404), ("gone/0", 404), ("sid/0?policy=nope", 400)])
def test_what_there_is_none_of_is_an_answer(path: str, status: int) -> None:
    """A compaction, a session or a policy that is not known; with what to do."""
    found, said = fetched(f"/api/compared/{path}")
    assert found == status
    assert {"error", "hint"} <= set(said)
