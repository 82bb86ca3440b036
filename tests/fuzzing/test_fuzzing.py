"""A little of `make fuzz` for every format: the same inputs every time, the work for each counted instead of timed."""

import pytest

from core.importers import importers
from tests.fuzzing.limits import counted_calls
from tests.fuzzing.making import made
from tests.fuzzing.originals import originals
from tests.fuzzing.running import failing, run, smaller
from tests.serving import EXAMPLES

COUNT = 3 * EXAMPLES
SEED = 0


@pytest.mark.parametrize("format", sorted(importers()))
def test_the_originals_are_sound_and_of_their_format(format: str) -> None:
    """What is damaged is sound itself, as files, as a folder and packed; the importer of its folder reads it."""
    for transcript in originals(format):
        assert failing(transcript, counted_calls) is None
        assert {session.format for session in transcript.opened()} == {format}


@pytest.mark.parametrize("format", sorted(importers()))
def test_damaged_transcripts_open_or_are_refused(format: str) -> None:
    """Whatever comes of a damaged file is sound or a TranscriptError, and does not take far more work than its size."""
    for number in range(COUNT):
        failure = run(format, SEED, number, counted_calls)
        assert failure is None, smaller(failure, counted_calls, tries=100).report()


def test_an_input_is_made_again_from_its_number() -> None:
    """The same seed, format and number give the same bytes; another number others."""
    assert made("pi", 1, 2).files == made("pi", 1, 2).files != made("pi", 1, 3).files
