"""The fate of a text in words."""

from core import fate, meter, policy, simulate
from core.trace.trace import Trace, as_session
from core.why.words import text, title
from tests.support import assistant, system, user, with_ids


def _trace(*summaries: str) -> Trace:
    """A rule, and talk behind it that is compacted once for each of these summaries."""
    said = iter(summaries)
    turns = [message for i in range(len(summaries) + 1) for message in (user(f"{i} " + "x " * 60), assistant("ok"))]
    messages = with_ids([system("You are a coder."), user("Use tabs, never spaces."), *turns])
    rule = policy("agentkit.memory", budget=70, keep_recent=1)
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda messages, prior: next(said))
    assert len(trace.compactions) == len(summaries)
    return trace


def _last(trace: Trace, wanted: str) -> tuple[str, str]:
    found = fate(trace, wanted)
    return title(found, found.lane[-1]), text(found, found.lane[-1])


def test_the_summaries_that_kept_it_are_named() -> None:
    """One, several, and a row of many."""
    kept = "Use tabs, never spaces."
    assert _last(_trace(kept), kept)[0] == "Kept: summary #1 says it word for word."
    assert _last(_trace(kept, kept), kept)[0] == "Kept: summaries #1 and #2 say it word for word."
    assert _last(_trace(*[kept] * 6), kept)[0] == "Kept: the summaries from #1 to #6 say it word for word."


def test_what_nothing_says_has_been_looked_for_everywhere() -> None:
    """The answer says what was searched."""
    trace = _trace("They talked.")
    assert _last(trace, "pandas") == (
        "Never said in this session.",
        "None of the 6 messages and 1 summary has it; case and line breaks do not matter.",
    )


def test_what_is_still_there_says_who_said_it() -> None:
    """At the beginning of its lane."""
    found = fate(_trace("They talked."), "Use tabs, never spaces.")
    assert text(found, found.lane[1]) == "Said by the user, message 2."


def test_a_need_that_words_tell_is_perhaps_one() -> None:
    """A text that the model writes again, or a name in it, is needed; words of it may be about something else."""
    asked = [user(f"{i} " + "x " * 60) for i in range(2)]
    rule = policy("agentkit.memory", budget=70, keep_recent=1)
    for reply, told in (
        (
            "Dependencies on packages beyond our control?",
            "Needed at message 5, by a word match: the model used words of it, and nothing in the window said it. "
            "Read there what it did without it.",
        ),
        ("No dependencies on packages, ever!", "Needed at message 5, when nothing in the window said it."),
    ):
        messages = with_ids([user("No dependencies on packages, ever!"), assistant("ok"), *asked, assistant(reply)])
        trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda *_: "They talked.")
        assert _last_gone(trace) == told


def test_what_is_gone_and_not_needed_says_so() -> None:
    """For good, or until it is said again: that it was forgotten does not mean that anything came of it."""
    rule = policy("agentkit.memory", budget=70, keep_recent=1)
    start = [
        user("No dependencies on packages, ever!"),
        assistant("ok"),
        *(user(f"{i} " + "x " * 60) for i in range(2)),
    ]
    for end, told in (
        ([assistant("Done.")], "It was not needed again, judging by the model's words alone."),
        (
            [assistant("Done."), user("No dependencies on packages, ever!")],
            "Not needed before it was said again at message 6.",
        ),
    ):
        messages = with_ids([*start, *end])
        trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda *_: "They talked.")
        assert _last_gone(trace) == told


def test_a_need_before_it_went_again_is_told() -> None:
    """The newest loss has no need behind it; "never" would deny the one before."""
    rule = policy("agentkit.memory", budget=70, keep_recent=1)
    asked = [user(f"{i} " + "x " * 60) for i in range(4)]
    rule_said = user("No dependencies on packages, ever!")
    messages = with_ids(
        [rule_said, assistant("ok"), *asked[:2], assistant(rule_said.content), *asked[2:], assistant("ok")]
    )
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=lambda *_: "They talked.")
    found = fate(trace, rule_said.content)
    told = [text(found, stretch) for stretch in found.lane if stretch.state == "gone"]
    needed = next(event.place + 1 for event in found.events if event.kind == "needed")
    assert told[-1] == f"Needed at message {needed}, and not since, judging by the model's words alone."


def _last_gone(trace: Trace) -> str:
    found = fate(trace, "No dependencies on packages, ever!")
    return next(text(found, stretch) for stretch in found.lane if stretch.state == "gone")
