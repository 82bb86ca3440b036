"""An outcome is told only as long as nothing later contradicts it: a tool, the user in any language, or another reply."""

import pytest

from core import Message
from core.summaries.doubts import denials_of, denied, tells_failure
from core.summaries.summarizers import structural
from tests.support import assistant, calls, system, user, with_ids

DONE = [user("Fix the failing tests of the parser"), assistant("All tests pass now, the parser is fixed.")]
BETWEEN = [user("Where is the cache?"), assistant("In src/cache.py.")]
SLOW = [user("Why is it slow?"), assistant("The root cause is the cache being too small.")]
COMPATIBLE = [user("Can I upgrade?"), assistant("Yes, the API is fully backwards compatible.")]


def summary_text(*messages: Message) -> str:
    """The summary of these messages, which have the ids m1, m2, …, with room for all they say."""
    return structural(with_ids([*messages, *[system("x" * 900)] * 3]))


def used(tool: str, output: str, *, failed: bool = True) -> list[Message]:
    """A call of a tool, and its result."""
    answer = Message(role="tool", tool_call_id="t", content=output, is_error=failed)
    return [assistant("", calls("t", tool, path="tests/test_parse.py")), answer]


@pytest.mark.parametrize("failed", [True, False])
def test_a_success_does_not_outlive_tests_that_fail_in_any_tool(failed: bool) -> None:
    """A test tool need not be a shell command, nor call its result an error."""
    text = summary_text(*DONE, user("Run them."), *used("run_tests", "2 failed, 3 passed", failed=failed))
    assert text.startswith("Task: Fix the failing tests of the parser [m1]\n")
    assert "tests pass" not in text


def test_a_success_is_gone_where_the_failure_is_folded_later() -> None:
    """The claim stands in an earlier summary, the tool fails behind it: even where its call was folded before."""
    prior = summary_text(*DONE)
    call, answer = used("run_tests", "2 failed, 3 passed")
    assert "tests pass" in prior
    assert "tests pass" not in structural(with_ids([user("Run them."), call, answer]), prior)
    assert "tests pass" not in structural(with_ids([answer]), prior)


def test_a_success_outlives_what_is_no_failure() -> None:
    """A file that is not there, or that holds the words of a failure, says nothing about what was reached."""
    for output, failed in (("no such file", True), ("2 failed, 3 passed", False)):
        assert "→ All tests pass now" in summary_text(*DONE, user("Read it."), *used("Read", output, failed=failed))
    assert "→ All tests pass now" in summary_text(*DONE, user("No new dependencies, please."))


@pytest.mark.parametrize(
    "objection",
    [
        "The tests still fail, by the way",
        "Two tests fail on Windows.",
        "No, that is not what I see.",
        "Nein, das stimmt nicht, zwei Tests schlagen fehl",
        "No es verdad, fallan dos tests",
        "Non, ça ne marche pas",
        "Нет, два теста не проходят",
        "不对，还有两个测试失败",
        "いいえ、まだ失敗します",
    ],
)
def test_a_success_does_not_outlive_an_objection(objection: str) -> None:
    """At once or an exchange later, in the commonest languages: what the user contradicts is no outcome."""
    assert "All tests pass" not in summary_text(*DONE, user(objection))
    assert "All tests pass" not in summary_text(*DONE, *BETWEEN, user(objection), assistant("Let me look."))


@pytest.mark.parametrize(
    ("claim", "objection"),
    [
        ("Alle Tests laufen jetzt.", "Zwei Tests schlagen immer noch fehl"),
        ("Todos los tests pasan.", "Los tests siguen fallando"),
        ("所有测试都通过了。", "还是有两个测试失败"),
        ("テストはすべて通りました。", "まだ失敗します"),
    ],
)
def test_a_success_in_another_language_does_not_outlive_an_objection(claim: str, objection: str) -> None:
    """The claim is known as one as well, and gone an exchange later."""
    task = user("Fix the parser")
    assert claim in summary_text(task, assistant(claim), *BETWEEN, user("Show it."))
    assert claim not in summary_text(task, assistant(claim), user(objection))
    assert claim not in summary_text(task, assistant(claim), *BETWEEN, user(objection))


def test_a_reply_that_reports_a_failure_takes_back_a_success() -> None:
    """What is said to fail now was not reached; that something no longer fails takes nothing back."""
    again = user("Check again.")
    assert "All tests pass" not in summary_text(*DONE, *BETWEEN, again, assistant("Two tests fail on Windows."))
    assert "→ All tests pass" in summary_text(*DONE, *BETWEEN, again, assistant("The test that failed before passes."))


def test_a_later_cause_takes_the_place_of_an_earlier_one() -> None:
    """Also of one found turns before, and of the answer that says so; and a cause that is cleared is none."""
    new = "The cache is fine. The problem is the database index."
    text = summary_text(*SLOW, user("Where is the log?"), assistant("In var/log."), user("Look at it."), assistant(new))
    assert "Found: The problem is the database index. [m6]" in text
    assert "too small" not in text
    assert "too small" not in summary_text(*SLOW, *BETWEEN, user("The cache is not the problem, I measured it."))
    assert "too small" in summary_text(*SLOW, *BETWEEN, user("Thanks, is the log written?"))


@pytest.mark.parametrize(
    "later", ["Actually the API is not backwards compatible.", "The API is not backwards compatible after all."]
)
def test_an_answer_does_not_outlive_its_denial(later: str) -> None:
    """By a reply or by the user, turns later; an answer on something else stays."""
    for end in ([user("Check the API."), assistant(later)], [user(later)]):
        text = summary_text(*COMPATIBLE, *BETWEEN, user("Is it typed?"), assistant("It is typed."), *end)
        assert "fully backwards" not in text
        assert "→ In src/cache.py. [m4]" in text


def test_the_second_word_on_a_request_counts() -> None:
    """A reply that takes back the one before it in the same turn is the answer."""
    text = summary_text(*SLOW, assistant("Actually, the problem is the database index."), user("Show me the log."))
    assert "→ Actually, the problem is the database index. [m3]" in text


def test_what_is_denied_is_told_by_shared_words() -> None:
    """Half of the words of the denial must be in the text, and two of them, but for a cause."""
    denials = denials_of("The parser is ready. It does not read dates of long years.")
    assert denied("It reads dates of long years.", denials)
    assert not denied("The parser has a cache for years.", denials)
    assert denied("The root cause is the cache.", denials_of("It is not the cache."))


@pytest.mark.parametrize(
    "said", ["If a test fails, stop.", "0 tests failed.", "It no longer crashes.", "The failing test passes now."]
)
def test_a_failure_that_is_none(said: str) -> None:
    """One only supposed, none at all, or one that is over."""
    assert not tells_failure(said)
