"""How long a live run is expected to become: the sliders and what is suggested are of that."""

import pytest

from core import Message
from core.drive import Drive
from core.drive.recorder import Nowhere
from core.toolbox.tools import ToolRegistry
from core.trace.events import RunSettings
from tests.drive.parts import Scripted
from viewer.settings.live_scale import expected, expected_tokens


def run_of(tokens: int, model: str = "") -> Drive:
    """A run with this many tokens in it, by a meter of four characters to a token."""
    drive = Drive(RunSettings(meter="agentkit", model=model), Scripted([]), ToolRegistry(), Nowhere())
    drive.context.append(Message(role="user", content="x" * 4 * (tokens - 10), id="u"))
    return drive


@pytest.mark.parametrize(("tokens", "expects"), [(100, 24_000), (18_584, 24_000), (30_000, 48_000), (50_000, 96_000)])
def test_what_is_expected_of_a_run_stays_until_it_outgrows_it(tokens: int, expects: int) -> None:
    """A run of 18,584 tokens is still one of 24,000, as at its start; a larger one is expected to be twice that."""
    drive = run_of(tokens)
    assert (expected_tokens(drive), expected(drive).running[-1]) == (expects, expects)


def test_a_run_is_expected_to_fill_the_window_of_its_model() -> None:
    """A model with a window of 200,000 tokens: 200,000, and no more before the run has them."""
    assert expected_tokens(run_of(150_000, "claude-sonnet-4-5")) == 200_000
