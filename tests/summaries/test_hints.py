"""Hints: words and stems, one of which stands in whatever a pattern finds, so that most texts need no search."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.summaries import cues, outcomes, phrases
from core.summaries.hints import OTHER, AnyOf, Hinted, words_of
from tests.serving import EXAMPLES


def hinted() -> dict[str, Hinted]:
    """Every pattern with hints, by its name and its place."""
    found: dict[str, Hinted] = {}
    for name, value in {**vars(cues), **vars(phrases)}.items():
        if isinstance(value, Hinted):
            found[name] = value
        elif isinstance(value, AnyOf):
            found |= {f"{name}-{i}": one for i, one in enumerate(value.hinted)}
    return found


HINTED = hinted()


@pytest.mark.parametrize("name", HINTED)
@settings(max_examples=5 * EXAMPLES)
@given(st.data())
def test_no_match_is_without_a_hint(name: str, data: st.DataObject) -> None:
    """A text in which the pattern finds something is never passed over: whatever stands around it, in either case."""
    one = HINTED[name]
    part = data.draw(st.sampled_from(one.parts))
    text = data.draw(
        st.from_regex(re.compile(part.replace("'", "['’]"), re.IGNORECASE), fullmatch=data.draw(st.booleans()))
    )
    assert one.may_hold(text)


@pytest.mark.parametrize("name", [name for name in vars(cues) if isinstance(getattr(cues, name), AnyOf)])
@settings(max_examples=10 * EXAMPLES)
@given(st.data())
def test_several_patterns_find_what_each_finds(name: str, data: st.DataObject) -> None:
    """Of several patterns together none is forgotten."""
    every: AnyOf = getattr(cues, name)
    one = data.draw(st.sampled_from(every.hinted))
    assert every.search(data.draw(st.from_regex(one.pattern, fullmatch=True)))


@given(st.text(st.sampled_from("aZ_9 '’-—.\n\x00éſKİıя不…")))
def test_words_are_separated_as_in_a_pattern(text: str) -> None:
    r"""Between two `\b` stands a whole word."""
    for word in re.findall(r"\w+", text):
        plain = word.replace("ſ", "s").replace("K", "k").replace("İ", "i").replace("ı", "i").lower()
        assert plain in words_of(text)
        assert plain.isascii() or OTHER in words_of(text)


@pytest.mark.parametrize("letter", "abcdefghijklmnopqrstuvwxyz0123456789_")
def test_a_letter_is_known_in_all_its_cases(letter: str) -> None:
    """Every character that a pattern takes for a letter of plain ASCII is that letter in a hint: ſ, K, İ and ı as well."""
    alike = [c for c in map(chr, range(0x3000)) if re.match(letter, c, re.IGNORECASE)]
    assert [c for c in alike if words_of(c) != {letter}] == []


def test_a_text_without_hints_is_passed_over() -> None:
    """Also one that was cut, or has words in another script that no hint is for."""
    assert not phrases.FAILS.may_hold("It passes — all is well…")
    assert not phrases.DENIES.may_hold("Всё в порядке, it’s done")
    assert phrases.FAILS.may_hold("Der Test läuft.")
    assert phrases.FAILS.may_hold("It doesn’t work")
    assert not cues.RULE.may_hold("Please look at the parser and tell me about it.")


@given(st.from_regex(outcomes._EXIT))
def test_an_exit_code_is_never_passed_over(text: str) -> None:
    """Only what holds no word of an exit code is not searched for one."""
    if "xit" in text or "eturn" in text:
        assert outcomes.exit_code(text[:799]) == next(iter(map(int, outcomes._EXIT.findall(text[:799]))), None)
