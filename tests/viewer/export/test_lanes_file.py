"""The file of lanes answers what the server answers of each, opens as they were compared, and holds nothing that is masked."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import FoldlineError, Message, Session, Trace, load, meter, policy, replay, simulate
from core.cli import main
from core.engine.unbounded import unbounded
from core.model.session import RecordedCompaction
from core.secrets.found import find_secrets
from core.secrets.redact import redacted
from tests.viewer.export.reading import block_of, everything_in
from tests.viewer.export.test_export import HOSTILE, SAMPLE, answered
from viewer.api.compare import ROUTES
from viewer.export.exported import Exported
from viewer.export.lanes import export_lanes
from viewer.export.sharing import handed_lanes
from viewer.sessions.registry import TRACES
from viewer.wire.fate import fate_body

RULE = "No new dependency, not even a small one"
SETTINGS = {"budget": 8000, "keep_recent": 4}


def lanes_of(session: Session, **settings: Any) -> list[Trace]:
    """The session as recorded, under agentkit.memory, and without any compaction."""
    counter = meter("agentkit")
    recorded = replay(session, meter=counter)
    return [
        recorded,
        simulate(session, policy("agentkit.memory", **settings), meter=counter),
        unbounded(recorded),
    ]


def head_of(made: Exported) -> dict[str, Any]:
    """What the file says of itself."""
    return dict(json.loads(block_of(text_of(made), "head")))


def text_of(made: Exported) -> str:
    """The whole file."""
    return b"".join(made.pieces()).decode()


def test_each_lane_answers_as_the_server_does(tmp_path: Path, node: str) -> None:
    """The figures of its whole run, and where each followed text is; a text that is not followed is refused in a sentence."""
    lanes = lanes_of(load(SAMPLE), **SETTINGS)
    export_lanes(lanes, lanes[0], [RULE]).write(tmp_path / "out.html")
    client = TestClient(Starlette(routes=ROUTES))
    for letter, trace in zip("abc", lanes, strict=True):
        TRACES.put(f"lane-{letter}", trace)
        figures, where, other = answered(
            tmp_path / "out.html",
            node,
            [
                f"api/totals/lane-{letter}",
                f"api/fate/lane-{letter}?{urlencode({'text': RULE})}",
                f"api/fate/lane-{letter}?text=never+said",
            ],
        )
        theirs = client.get(f"/api/totals/lane-{letter}").text.splitlines()
        assert figures == [json.loads(line) for line in theirs]
        assert where["lane"] == fate_body(trace, RULE)["lane"]
        assert other["error"].startswith("This file does not hold all messages and summaries of this run")


def test_all_lanes_follow_the_same_texts(tmp_path: Path) -> None:
    """Those that were asked about first, then what the ledgers of the lanes list, no more than 24."""
    lanes = lanes_of(load(SAMPLE), **SETTINGS)
    made = export_lanes(lanes, lanes[0], [RULE, "UTC"])
    texts = [list(json.loads(block_of(text_of(made), f"fate-lane-{letter}"))) for letter in "abc"]
    assert texts[0] == texts[1] == texts[2]
    assert texts[0][:2] == [RULE, "UTC"]
    assert len(texts[0]) == 24


def test_the_file_opens_as_the_lanes_were_compared() -> None:
    """At the message, against the baseline, with the texts; each lane by its name, of a policy with its settings."""
    lanes = lanes_of(load(SAMPLE), **SETTINGS)
    head = head_of(export_lanes(lanes, lanes[0], [RULE], base=1, message=63))
    assert (head["base"], head["message"], head["why"]) == (1, 63, [RULE])
    assert [lane["name"] for lane in head["lanes"]] == ["recorded", "agentkit.memory", "none"]
    values = {row["name"]: row["value"] for row in head["lanes"][1]["panel"]["params"]}
    assert values == {"budget": 8000, "keep_recent": 4, "summaries": "structural"}
    assert head["notes"] == ["Not in this file: more of each message than its beginning."]


@pytest.mark.parametrize("count", [1, 5])
def test_there_are_two_to_four_lanes(count: int) -> None:
    """One has nothing beside it, five have no room."""
    recorded = lanes_of(load(SAMPLE))[0]
    with pytest.raises(FoldlineError, match=f"there are {count} lanes"):
        export_lanes([recorded] * count, recorded)


def test_nothing_of_a_transcript_stands_in_the_page() -> None:
    """Its texts are in compressed blocks; its title is escaped; the page runs two scripts, by the hashes of its policy."""
    said = (Message(id=HOSTILE, role="user", content=HOSTILE), Message(id="2", role="assistant", content=HOSTILE))
    gone = RecordedCompaction(at=2, kept=("2",), fidelity="exact")
    lanes = lanes_of(Session(title=HOSTILE, messages=said, compactions=(gone,)), budget=5, keep_recent=1)
    page = b"".join(export_lanes(lanes, lanes[0], [HOSTILE]).pieces()).decode()
    assert HOSTILE not in page
    blocks = re.findall(r'<script type="text/plain" id="fl-[\w-]+">([^<\0\r]*)</script>', page)
    assert page.count("<script") == page.count("</script>") == len(blocks) + 1
    assert "default-src &#x27;none&#x27;; script-src &#x27;sha256-" in page


def test_no_block_of_the_file_has_what_is_masked() -> None:
    """Neither a message, a summary nor a followed text: one that holds it is left out, which is said."""
    secret = "tr0ub4dor-and-3"
    texts = [f"Log in with password={secret} now", "Done.", "Now the tests.", "They pass.", "Thank you."]
    session = Session(
        messages=tuple(
            Message(id=f"m{i}", role=("user", "assistant")[i % 2], content=text) for i, text in enumerate(texts)
        )
    )
    found = find_secrets(session)
    lanes = lanes_of(redacted(session, found), budget=20, keep_recent=1)
    assert lanes[1].compactions
    made = handed_lanes(lanes, found, [f"password={secret}", "the tests"])
    assert isinstance(made, Exported)
    page = b"".join(made.pieces()).decode()
    blocks = everything_in(page)
    assert {"head", "store-s", "view-lane-b", "fate-lane-b"} <= set(blocks)
    assert [name for name, data in blocks.items() if secret.encode() in data] == []
    head = head_of(made)
    assert head["why"] == ["the tests"]
    assert head["notes"][:2] == [
        "1 entry that looks secret or personal was masked before this file was written.",
        "1 followed text is not in this file: the masked session does not say it.",
    ]


def test_the_command_writes_the_lanes_that_it_is_given(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """As the address of Compare has them, all under one meter; a policy that there is not is an error, one lane wrong usage."""
    out = tmp_path / "out.html"
    lanes = ["--compare", "agentkit.memory,budget=8000,keep_recent=4", "--compare", "none"]
    asked = ["export", str(SAMPLE), "--keep-secrets", "-o", str(out)]
    assert main([*asked, *lanes, "--why", RULE]) == 0
    assert f"{out}: {out.stat().st_size:,} bytes" in capfd.readouterr().out
    head = json.loads(block_of(out.read_text("utf-8"), "head"))
    assert [lane["name"] for lane in head["lanes"]] == ["agentkit.memory", "none"]
    pinned = "agentkit.memory,budget=8000,keep_recent=4,pin=3"
    assert main([*asked, *lanes[:2], "--compare", pinned]) == 0
    head = json.loads(block_of(out.read_text("utf-8"), "head"))
    assert [lane["pinned"] for lane in head["lanes"]] == [[], [2, 3]]  # the call that message 3 answers, too
    capfd.readouterr()
    assert main([*asked, *lanes, "--compare", "nobody.knows"]) == 1
    assert "unknown policy 'nobody.knows'" in capfd.readouterr().err
    unruled = ["--compare", "recorded", "--compare", "none"]
    for wrong, why in (
        (lanes[:2], "--compare is given 1 times"),
        ([*lanes, "--step", "3"], "--compare does not go with --step"),
        ([*lanes, "--set", "budget=3"], "--compare does not go with --set"),
        ([*unruled, "--pin", "0"], "--pin needs a lane with a policy"),
        ([*unruled, "--summaries", "recorded"], "--summaries needs a lane with a policy"),
        ([*unruled, "--summary-tokens", "9"], "--summary-tokens needs a lane with a policy"),
    ):
        assert main([*asked, *wrong]) == 2
        assert capfd.readouterr().err.startswith(f"error: {why}")
