"""The sample that the app opens on: a rule that the user set, a summary that leaves it out, an agent that breaks it."""

from core import Trace, fate, load, meter, policy, replay, simulate
from core.analyse.losses import losses
from core.why.fixes import Fix, Fixes
from scripts.broken_rule import RULE, SAMPLE, broken_rule
from viewer.wire.fate import fate_body
from viewer.wire.losses import loss_list


def recorded() -> Trace:
    """The sample as it was recorded."""
    return replay(load(SAMPLE))


def test_the_file_is_what_the_script_writes() -> None:
    """Nobody edits it by hand."""
    assert load(SAMPLE) == broken_rule()


def test_the_rule_is_said_forgotten_and_broken() -> None:
    """At step 15, 28 and 37, where the agent deletes the originals; nothing in the window says the rule then."""
    found = fate(recorded(), RULE)
    assert [(part.start, part.end, part.state) for part in found.lane] == [
        (0, 14, "before"),
        (15, 27, "verbatim"),
        (28, 45, "gone"),
    ]
    needed = [event for event in found.events if event.kind == "needed"]
    assert [(event.step, event.evidence) for event in needed] == [(37, "originals")]
    assert recorded().messages[needed[0].place].tool_calls[0].arguments == {"command": "rm photos/*.jpg"}


def test_the_overview_has_the_story() -> None:
    """The one loss is the rule; it is needed at step 37, and the user says it again at step 42."""
    (loss,) = losses(recorded(), 0).texts
    assert (loss.kind, loss.text, loss.place) == ("rule", RULE, 15)
    assert (loss.used_at, loss.said_again_at) == (37, 42)
    (row,) = loss_list(recorded())["rows"]
    told = row["told"][0]
    assert told["used"] == "Nothing on the site links to the large ones any more, so I delete the originals."
    assert told["said_again"].endswith("I told you: never delete an original.")


def test_small_changes_would_have_kept_it_word_for_word() -> None:
    """To the end, of the run's own policy; no quote stands in for the summary that a model wrote."""
    found = [row for row in Fixes(recorded(), RULE) if isinstance(row, Fix) and not row.now and not row.other]
    assert sorted(row.text for row in found if row.kept and not row.in_summary) == [
        "Pin message 16 (~61 tokens)",
        "budget 1,600 → 2,065",
        "keep_recent 6 → 29",
    ]


def test_with_the_rule_pinned_the_breach_is_no_use_of_it() -> None:
    """The recorded reply at step 37, made without the rule, goes against it; that the user says it again at step 42 is told."""
    rule = policy("agentkit.memory", budget=1600, keep_recent=6)
    body = fate_body(simulate(load(SAMPLE), rule, meter=meter(recorded().meter), pinned=(15,)), RULE)
    assert [row["state"] for row in body["lane"]] == ["before", "verbatim"]
    assert [(one["step"], one["words"]) for one in body["uses"]] == [
        (37, "The recorded reply may go against it, by a word match: “originals”, “delete”")
    ]
    assert (42, "Said again by the user in other words") in [(one["step"], one["words"]) for one in body["events"]]
