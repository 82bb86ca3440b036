"""What users state is recognized and quoted: rules, preferences and facts, in other languages by place and by quoting."""

import pytest

from core.summaries.facts import facts_of, ruled_out
from core.summaries.standing import lasts
from core.summaries.statements import kind_of
from core.summaries.summarizers import structural
from tests.support import assistant, user, with_ids

RULES = [
    "Leave the fixtures untouched.",
    "Write comments in English.",
    "Explain it like I'm five.",
    "Never touch the generated files.",
    "Budget cap $500.",
    "The budget cap is $500 in total.",
    "Use bun, not npm.",
    "We use bun instead of npm here.",
    "Strict TDD.",
    "I want strict TDD from now on.",
    "In future, put tests next to the code.",
    "Instead of writing Agent and User, use the agent's name.",
    "Instead of inventing a title, name the chapter it is from.",
    "No new dependencies.",
    "no external network calls, please",
    "Do not push until I have read it.",
    "All times must be in UTC.",
    "Keep responses under 200 words.",
    "If a test fails, stop and tell me.",
    "Ask me before you delete anything.",
    "I prefer small commits.",
    "I'd rather have one function than three.",
    "Answer in German.",
    "Concise answers, please.",
    "The deadline is 2027-03-01.",
    "Ship it by Friday.",
    "Every endpoint needs to be documented.",
    "Only Python 3.11.",
    "Nunca borres los datos de prueba.",
    "Bitte niemals direkt auf main pushen.",
    "不要修改测试文件，直到我确认。",
    "テストは必ず先に書くこと、お願いします。",
]
FACTS = [
    "The production database is Postgres 15 in us-west-2.",
    "Our staging server lives at https://staging.example.com/v2.",
    "The feature flag is called parse_v2.",
    "Ada Lovelace owns the release this week.",
    "Remember that the importer runs twice.",
    "NOTE: the importer runs twice.",
    "The next step is the token refresh.",
]
NEITHER = [
    "I don't know why it fails.",
    "Why must it be JSON?",
    "Port the importer to the new API.",
    "It never worked on my machine.",
    "Users do not see the dialog.",
    "No problem, take your time.",
    "No files matching the criteria were found",
    "Keep going until all is done.",
    "The build fails with error TS2304.",
    "Add a test for week 53.",
    "Write the docs of the parser as well",
    "Write the results in another file",
    "Explain it in more detail",
    "Respond as soon as it runs.",
    "Keep the changes and write a test",
    "leave a comment in the PR",
    "Only the last test fails now",
    "no remove this again, the risk someone assumes it's a stable link is too big",
    "once more, don't mark it as high risk this time",
    "can we invert the warning and keep a functionality that warns as it does today",
    "I think we should also keep the lines at each prompt start",
    "Alternatively we write to SVG instead of a separate section that is never used",
    "Files of the challenge: No files included in this challenge.",
    'Create a file called hello.txt with "Hello" as the content.',
    "Imagine that there is a function that accepts both bytes and a Pretty Printer.",
]
FOR_ONCE = [
    "Run the tests by Friday",
    "Keep the old name for now",
    "Write the notes in German.",
    "Only rename the class",
]


@pytest.mark.parametrize("said", RULES)
def test_a_rule_is_recognized(said: str) -> None:
    """What forbids, limits or demands for good, and what the user prefers."""
    assert kind_of(said) == "rule"


@pytest.mark.parametrize("said", FACTS)
def test_a_fact_is_recognized(said: str) -> None:
    """What a thing is called, where it is, whose it is, and what the user wants remembered."""
    assert kind_of(said) == "told"


@pytest.mark.parametrize("said", NEITHER)
def test_a_request_or_a_report_is_neither(said: str) -> None:
    """What is to be done now, or how it went, is no rule."""
    assert kind_of(said) == ""


@pytest.mark.parametrize("said", FOR_ONCE)
def test_an_order_that_may_be_for_this_once_is_asked_for_as_well(said: str) -> None:
    """By its verb or its day it is a rule and just as well a request: it stands in both places, here with its answer."""
    chat = [
        user("Port the importer."),
        assistant("It is ported."),
        user(said),
        assistant("I saw to that."),
        user("Go on."),
    ]
    lines = structural(with_ids([*chat, assistant("x" * 2000)])).split("\n")
    assert f"Constraints: {said} [m3]" in lines
    assert f"Asked since: {said} [m3] → I saw to that. [m4]" in lines


def test_what_is_stated_is_told_with_its_message() -> None:
    """Rules and facts have sections of their own, and are not told again as requests."""
    chat = [
        user("Port the importer."),
        assistant("It is ported."),
        user("Budget cap is $500. Never exceed it without asking."),
        assistant("Noted."),
        user("The staging server is https://staging.example.com/v2."),
        assistant("Noted."),
    ]
    assert structural(with_ids([*chat, assistant("x" * 2000)])).startswith(
        "Task: Port the importer. [m1] → It is ported. [m2]\n"
        "Constraints: Budget cap is $500. Never exceed it without asking. [m3]\n"
        "Told by the user: The staging server is https://staging.example.com/v2. [m5]\n"
    )


def test_a_rule_said_again_with_another_amount_replaces_the_first() -> None:
    """The later cap counts; two rules that differ in more than an amount both stay."""
    text = structural(
        with_ids(
            [
                user("Plan the trip."),
                user("Budget cap is $500 in total."),
                user("Travel must cost less than $90."),
                user("Budget cap is $700 in total."),
                assistant("x" * 2000),
            ]
        )
    )
    assert "- Budget cap is $700 in total. [m4]\n- Travel must cost less than $90. [m3]" in text
    assert "$500" not in text


def test_short_messages_of_any_language_are_quoted_whole() -> None:
    """Where no word is known, the first message is the task and short ones behind it stand as they were written."""
    rule = "Älä koskaan muuta testejä ennen kuin olen hyväksynyt ne, ja vastaa aina suomeksi, vaikka kysyisin muuta."
    text = structural(with_ids([user("Korjaa jäsennin ja päivitä ohje."), user(rule), assistant("x" * 2000)]))
    assert text.startswith(f"Task: Korjaa jäsennin ja päivitä ohje. [m1]\nAsked since: {rule} [m2]")


def test_of_a_long_text_only_plain_orders_are_rules() -> None:
    """A pasted review says "never" of what is; an order in it is still one."""
    review = "The reader is never closed. No mutex protects it. " * 14
    text = structural(with_ids([user("Review it."), user(f"{review}\nNever merge without a second review.")]))
    assert "Constraints: Never merge without a second review. [m2]" in text


def test_a_rule_is_left_out_rather_than_cut() -> None:
    """Its end may be what it turns on; that one is missing is said, and what forbids is kept first."""
    wishes = [user(f"I prefer the color number {i} of the palette for {'very ' * 20}nice buttons.") for i in range(20)]
    text = structural(with_ids([user("Paint."), *wishes, user("Never use red."), assistant("x" * 1200)]))
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    assert "- Never use red. [m22]" in lines
    assert all(line.endswith(("]", "more")) and "…" not in line[:-8] for line in lines if "palette" in line)


def test_what_the_user_turns_down_is_a_decision() -> None:
    """Where it says what is to be instead or undone; a mere "no", a judgement and a report decide nothing."""
    down = "no remove this again, the risk someone assumes it's a stable link is to big"
    want = "No, we want to put it in the container, and move it to the chat later."
    for said in (down, want, "nope, use trailers for it, notes get lost"):
        assert [text for _, text in facts_of(user(said)).decisions] == [said]
    for none in (
        "no, that's horrible.",
        "no, remove it",
        "No make target is defined for docs.",
        "No move is needed here.",
        "No drop in latency was seen.",
        "No leave days are shown in the calendar.",
        "No keep-alive header arrives at the proxy.",
        "There is no use of it left, remove the import.",
        "Is that so? No, keep it?",
    ):
        assert facts_of(user(none)).decisions == (), none


def test_what_is_to_hold_from_now_on_lasts_in_some_other_languages_too() -> None:
    """By the few words of German, Spanish and French that only an order has; a report that something never ends is none."""
    for said in (
        "From now on use pnpm for everything.",
        "Use pnpm from now on.",
        "In future, put tests next to the code.",
        "Bitte niemals auf main pushen.",
        "Nunca hagas push a main.",
        "Ne modifie jamais le schéma.",
    ):
        assert lasts(said), said
    for none in (
        "In the future we may need more of it.",
        "In future versions of the library this API will change.",
        "In future work we may look at caching.",
        "In the future releases are cut monthly by CI.",
        "In future Python 3.14 will be the default.",
        "From now on the build is green on my machine.",
        "Ich habe das niemals gesagt.",
        "Das Feature war ausschließlich für den Test.",
        "El test nunca termina.",
        "Der Test wird nie fertig.",
    ):
        assert not (kind_of(none) and lasts(none)), none


@pytest.mark.parametrize(
    ("said", "decision"),
    [
        ("I think by file is to much", "I think by file is to much"),
        ("when someone amends it later it's not really feasible to update again", ""),
        ("Updating it after a rebase isn't worth the trouble.", ""),
        ("ok, do nothing, can we add some tests?", "ok, do nothing"),
        ("then keep it, maybe say so in the readme", "then keep it"),
        ("No need to run it. Write the page.", "No need to run it."),
    ],
)
def test_a_short_reply_that_rules_something_out_decides(said: str, decision: str) -> None:
    """The sentence that does, or the words that let it be; what is asked behind them is no part of it."""
    assert [text for _, text in facts_of(user(said)).decisions] == [decision or said]


@pytest.mark.parametrize(
    "said",
    [
        "I think that's too much",
        "Is it not worth the trouble to update it again?",
        "Keep it. Now a feature: a report, for the dashboard.",
        "The status segment is too small for a gradient.",
        "Leave it to the reader to fill in the rest of the page.",
        "do nothing to the tests, but mend the reader",
        f"I think by file is too much. {'The log follows. ' * 20}",
    ],
)
def test_what_rules_nothing_out_decides_nothing(said: str) -> None:
    """What names nothing, a question, a report, an order with more behind it, and a sentence of a long text."""
    assert facts_of(user(said)).decisions == ()


def test_what_begins_like_a_decision_again_and_again_is_read_in_no_time() -> None:
    """Each word in one way only: in two ways it would take 2 ** 30 steps, which no test waits for."""
    assert ruled_out(f"{'we can ' * 30}keep on going with it") == ""
