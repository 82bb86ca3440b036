"""The sample to try Why on: a coding session whose second summary leaves out a rule that is needed at the end."""

from collections.abc import Callable

import pytest

from core import Trace, fate, load, meter, policy, replay, simulate
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
