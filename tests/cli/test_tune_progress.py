"""How far a sweep is, as people read it."""

import pytest

from core.cli.tune_progress import clock


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0:00"), (6.6, "0:07"), (59.6, "1:00"), (750, "12:30"), (3900, "1:05:00")]
)
def test_a_duration_is_a_clocks(seconds: float, said: str) -> None:
    """Minutes and seconds, and hours where there are any."""
    assert clock(seconds) == said
