"""A ban that the user says again in fewer words."""

import pytest

from core import fate, load, replay
from core.origins.restated import says_again
from core.origins.reworded import Reworded, reworded
from core.origins.story import line, story
from scripts.forgotten_rule import SAMPLE
from tests.support import user

RULE = "no new dependency, not even a small one"


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("Check the names, and no dependency.", True),
        ("No new dependencies!", True),
        ("Which dependencies are new?", False),
        ("Add a new dependency.", False),
        ("There is no new dependency?", False),
        ("no other package", False),
    ],
)
def test_a_clause_says_a_ban_again(said: str, again: bool) -> None:
    """It denies, and has no word of its own; a question, an order to do it, and another ban are none."""
    assert says_again(user(said), RULE) is again


@pytest.mark.parametrize("text", [RULE, "no new dependency"])
def test_the_sample_says_it_again_until_the_next_compaction(text: str) -> None:
    """Message 171 stands in the window from step 172 until compaction 3 at step 182."""
    found = fate(replay(load(SAMPLE)), text)
    again = reworded(found)
    assert again == [Reworded(172, 181, (170,))]
    (event,) = (event for event in story(found, again)[0] if event.step == 172)
    assert line(found, event, again) == "Said again by the user in other words"
