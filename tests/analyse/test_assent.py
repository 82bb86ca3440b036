"""What only agrees, thanks or says to go on is no request; what names anything to be done or told is one."""

import pytest

from core.analyse.assent import only_goes_on
from core.analyse.requests import requests
from tests.analyse.test_requests import TALK, trace
from tests.support import assistant, user


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "ok",
        "okay do it",
        "go on",
        "ok, just keep going until done",
        "ok, let's implement this",
        "yes, let's do that",
        "go ahead with phase 1",
        "okay do 2 first",
        "ok, do 1+2 next",
        "Implement 1,2 and 3.",
        "ok, this looks amazing, start implementing",
        "proceed with all recommendations",
        "thank you",
        "Hello!",
    ],
)
def test_a_word_to_go_on_is_no_request(text: str) -> None:
    """Also where it chooses by number what the agent offered."""
    assert only_goes_on(text)


@pytest.mark.parametrize(
    "text",
    [
        "what's next",
        "alright, where were we?",
        "are we done?",
        "push",
        "ok saved, please commit this",
        "ok, create a branch refactor",
        "okay do a 3pass critique check",
        "yes, add instrumentation",
        "continue, network should be better now",
        "Remove the svgs",
        "Release version 0.0.2",
        "The limit is 4500",
        "推送",
        "/init",
        "yes " * 30,
        "do not proceed",
        "Please don't",
        "No, don't implement this",
        "that is not correct",
        "yes.\nwhy?",
        "ok\nwhat is next",
    ],
)
def test_what_says_more_is_a_request(text: str) -> None:
    """A question, a verb of its own, a name, a number that chooses nothing."""
    assert not only_goes_on(text)


def test_a_word_to_go_on_is_not_counted_as_a_request_that_is_gone() -> None:
    """However many words it has."""
    talk = [user("ok, this looks amazing, start implementing"), assistant("I do."), *TALK[2:]]
    assert requests(trace("We worked on pages.", messages=talk), 0).asked == (2,)
