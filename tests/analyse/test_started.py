"""How a recorded compaction was started."""

import pytest

from core.analyse.occasion import started
from core.trace.compaction import CompactionRecord


@pytest.mark.parametrize(
    ("trigger", "said"),
    [("manual", "on request"), ("auto", "automatic"), ("threshold", "automatic"), ("extension", ""), ("", "")],
)
def test_how_it_was_started_is_told_as_the_record_says(trigger: str, said: str) -> None:
    """A word that says neither is not interpreted."""
    assert started(CompactionRecord.model_construct(trigger=trigger)) == said
