"""The sample to try Why on: a coding session whose second summary leaves out a rule that is needed at the end."""

from collections.abc import Callable

import pytest

from core import Trace, fate, load, meter, policy, replay, simulate
from core.origins.provenance import provenance
from core.summaries.summarizers import Recorded
from scripts.forgotten_rule import SAMPLE, forgotten_rule

RULE = "No new dependency, not even a small one"


def recorded() -> Trace:
    """The sample as it was recorded."""
    return replay(load(SAMPLE))


def simulated() -> Trace:
    """The sample under the settings of its entry in samples.json."""
    session = load(SAMPLE)
    rule = policy("agentkit.memory", budget=16_000, keep_recent=8)
    return simulate(session, rule, meter=meter("o200k_base"), summarizer=Recorded(session))


def test_the_file_is_what_the_script_writes() -> None:
    """Its messages are those of the coding session, wherever that changes."""
    assert load(SAMPLE) == forgotten_rule()


@pytest.mark.parametrize("trace", [recorded, simulated])
def test_the_rule_is_lost_where_the_story_says(trace: Callable[[], Trace]) -> None:
    """Recorded and simulated alike: the first summary keeps it, the second leaves it out, step 185 needs it."""
    found = fate(trace(), RULE)
    assert [(part.start, part.end, part.state) for part in found.lane] == [
        (0, 0, "before"),
        (1, 64, "verbatim"),
        (65, 133, "summary"),
        (134, 189, "gone"),
    ]
    assert [event.step for event in found.events if event.kind == "needed"] == [185]


def test_what_the_summaries_only_claim_that_she_asked_for_is_said() -> None:
    """Summary #2 has a wish that the user had turned down, #3 one that nobody ever had; what she did ask for has its source."""
    found = {one.text: one for k in (1, 2) for one in provenance(recorded(), k).sentences}
    wish = "Mira wants it removed before the release"
    one = found[f"tools/make_years.py makes statements to measure with; {wish}."]
    assert (one.verdict, one.note) == ("partly", f"No message of the user asks for this: “{wish}”.")
    one = found["Mira asked to show it as zero."]
    assert (one.verdict, one.note) == (
        "no_source",
        "No message of the user asks for this: “Mira asked to show it as zero”.",
    )
    assert not found["She wants the cause and a measurement before a change."].note
