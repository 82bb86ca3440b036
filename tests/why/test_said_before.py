"""What users said before, found among few candidates."""

import random
from unittest.mock import patch

from core import Message, replay
from core.why import said_before
from core.why.said_before import SaidBefore, says_again, words_of
from tests.support import as_session, user

WORDS = [f"w{n}" for n in range(14)]


def measured_of(texts: list[str]) -> SaidBefore:
    """The sentences of a session in which a user typed these messages."""
    typed: list[Message] = [user(text) for text in texts]
    return SaidBefore(replay(as_session(typed)).measured)


def sentence(r: random.Random) -> str:
    """Some of a few words, so that many sentences say another again."""
    return " ".join(r.sample(WORDS, r.randint(6, 13)))


def test_the_few_that_are_compared_are_all_that_can_match() -> None:
    """Of sentences that share most of their words it finds the same as a comparison with each of them, in order."""
    r = random.Random(8)
    texts = [sentence(r) for _ in range(300)]
    said, found = measured_of(texts), 0
    for text in [sentence(r) for _ in range(100)]:
        words = words_of(text)
        expected = [i for i in range(200) if says_again(words, words_of(texts[i]))]
        assert list(dict.fromkeys(one.place for one in said.before(200, words))) == expected
        found += len(expected)
    assert found > 100


def test_the_lines_of_a_pasted_log_are_not_compared_with_each_other() -> None:
    """Each has words of its own; what all have in common makes no line a candidate for another."""
    lines = [f"INFO worker {n % 9} handled request r{n} for the shop" for n in range(400)]
    said = measured_of(["\n".join(lines[n : n + 40]) for n in range(0, 400, 40)])
    with patch.object(said_before, "says_again", wraps=says_again) as compared:
        for line in lines:
            assert [one.text for one in said.before(10, words_of(line))] == [line]
    assert compared.call_count < 2 * len(lines)
