"""The fate of texts in real sessions is what a look at the windows finds."""

from random import Random

import pytest

from tests.why.sampling import SAMPLES, files, loaded, look_up, traces_of


@pytest.mark.parametrize("seed", range(3))
def test_texts_of_the_samples(seed: int) -> None:
    """For sampled texts and steps, of sessions as recorded and under policies of every manner: state and messages."""
    rng = Random(seed)
    traces = list(traces_of(loaded(rng.sample(files(SAMPLES, 100_000), 12)), rng))
    assert sum(look_up(rng.choice(traces), rng) for _ in range(25)) > 100
