"""What a summary still says of a text: the one answer that the overview, findings, Why and the ledger give."""

from pathlib import Path

import pytest

from core import load, replay
from core.origins import sense
from core.origins.remains import Kept, Remains, remains_in
from core.origins.sense import Part, contrary
from scripts.forgotten_rule import SAMPLE
from tests.analyse.events import summary

RULE = "Do not change the public API: the dashboard and the mailer import it, see docs/stability.md."


def kept(text: str, said: str) -> Kept:
    """What a summary that says something has of a text."""
    return remains_in(summary(said)).of(text)


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (f"Two rules. {RULE}", "verbatim"),
        ("The public API must stay: the dashboard and the mailer import it, see docs/stability.md.", "reworded"),
        ("The public API must stay as it is (docs/stability.md).", "partly"),
        ("The exporter was mended. All tests pass.", "gone"),
        ("It is public.\n- one\n- two\n- three\n- The import works.\n- four\n- five\n- See the dashboard.", "gone"),
    ],
)
def test_a_rule_in_a_summary(said: str, verdict: str) -> None:
    """Word for word, in other words, a good part of its words near one another; scattered words are none."""
    assert kept(RULE, said).verdict == verdict


@pytest.mark.parametrize(
    ("text", "said", "verdict"),
    [
        ("Use tabs.", "The user said: use tabs.", "verbatim"),
        ("Use tabs.", "Use tabs, always.", "verbatim"),
        ("Use tabs", "USE   TABS!", "verbatim"),
        ("Don\u2019t push.", "He said: don't push", "verbatim"),
        ("Use `tabs`.", "use tabs", "verbatim"),
        ("保持简短", "请保持简短。", "verbatim"),
        ("Use tabs.", "They use spaces.", "gone"),
        ("Tabs.", "The stabs are gone.", "gone"),
        ("MAX_TOKENS", "max_tokens", "gone"),
        ("README.md", "readme.md", "gone"),
    ],
)
def test_a_text_of_one_or_two_words(text: str, said: str, verdict: str) -> None:
    """Its words stand in the summary one behind the other, whatever case and marks; a name is as it is written."""
    assert kept(text, said).verdict == verdict


@pytest.mark.parametrize(
    ("asked", "said", "verdict"),
    [
        (
            "let's keep it in the index, can you give a full example of your better layout?",
            "- Kept in `index.json`.",
            "partly",
        ),
        (
            "let's keep it in the index, can you give a full example of your better layout?",
            "- Kept in the log.",
            "gone",
        ),
        ("ok, create a branch refactor", "## Branch\n`refactor` in `~/pi`\n\n## Goal\nLess code.", "reworded"),
        ("ok, create a branch refactor", "## Goal\nLess code.\n\n`refactor` in `~/pi`", "gone"),
        ("ok, create a branch refactor", "## Branch\n`main` in `~/pi`\n- refactor the reader", "gone"),
    ],
)
def test_a_first_clause_is_a_part_and_a_heading_says_what_is_below_it(asked: str, said: str, verdict: str) -> None:
    """A sentence with all the words of the first clause has a part of a request; a heading is read with what follows it."""
    assert kept(asked, f"{said}\n- The exporter was mended.\n- All tests pass.").verdict == verdict


def test_a_request_whose_beginning_is_quoted_is_kept_in_part() -> None:
    """As harnesses list what the user asked: its words are counted, and it is not left out."""
    asked = (
        "The attribution silently fails if any step returns an error in the chain. Please log which reference, commit, tree or "
        "branch is missing, so that somebody who debugs metadata sees why numbers look odd."
    )
    found = kept(asked, 'All of it: "The attribution silently fails if any step returns an error..."')
    assert (found.verdict, found.kept, found.words) == ("partly", 6, 21)


STATE = """
- The tests of the reader pass, 20 of 20.
- Second failure: the metadata directory was counted.
- Metadata files show up in the status.
- Attribution is stored with each commit.
- The attribution of a commit counts lines.
- Lines of an agent and lines of a human are told apart in each commit.
- src/app/writer/store.py writes, src/app/writer/read.py reads.
"""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("those tests are just testing that writing the metadata works...", "gone"),
        ("I think by commit is too much", "gone"),
        ("how about including the commit sha? Do we have it at this point?", "gone"),
        ("you have not read src/app/writer/store.py in full", "gone"),
        ("tell lines of an agent and of a human apart, please", "reworded"),
        ("how do we count the lines of a commit for the attribution?", "reworded"),
        (
            "Ok, something else: could we take the diff and tell apart the lines of a human and the agent, maybe by date?",
            "partly",
        ),
    ],
)
def test_one_sentence_carries_the_sense(text: str, verdict: str) -> None:
    """Words that many sentences have, and those of a path, are there by chance; the ones of several sentences make no sense."""
    assert kept(text, STATE).verdict == verdict


@pytest.mark.parametrize(
    ("text", "said", "verdict"),
    [
        ("No new dependency, not even a small one.", "Added a new dependency, a small one for time zones.", "gone"),
        (
            "No new dependency, not even a small one.",
            "A new dependency is forbidden, even a small one: none, ever.",
            "reworded",
        ),
        ("Never delete an original in photos.", "Deleted every original in photos.", "gone"),
        (
            "Never delete an original in photos.",
            "The original of each of the photos stays, delete nothing.",
            "reworded",
        ),
        ("Commit every original in photos.", "Do not commit any original in photos.", "gone"),
        ("Can't we delete each original in photos?", "The user asks to delete each original in photos.", "reworded"),
        ("Keep the month of a booking as it is.", "The month of a booking stays.", "reworded"),
    ],
)
def test_who_denies_it_does_not_say_it(text: str, said: str, verdict: str) -> None:
    """A sentence that says the contrary has the same words; a question denies nothing, and what stays is kept."""
    assert kept(text, said).verdict == verdict


@pytest.mark.parametrize(
    ("text", "said", "verdict"),
    [
        (
            "Never touch main\n- The CI deploys every push to production automatically.",
            "- The CI deploys every push to production automatically.",
            "partly",
        ),
        (
            "不要修改数据库结构\n- 表 orders 由另一个团队维护",
            "- 表 orders 由另一个团队维护",
            "partly",
        ),
        ("Please use the SQLite database for storage.", "Use SQLite database storage\n- it is small", "reworded"),
    ],
)
def test_a_rule_over_a_list_is_looked_for_and_found(text: str, said: str, verdict: str) -> None:
    """In the request and in the summary: a title says as much as another line."""
    assert kept(text, said).verdict == verdict


@pytest.mark.parametrize(
    ("text", "said", "verdict"),
    [
        ("Do not push commits to the main branch.", "Kept pushing commits to the main branch.", "gone"),
        ("Do not push commits to the main branch.", "Instead pushed commits to the main branch.", "gone"),
        ("Do not push commits to the main branch.", "Pushed only commits to the main branch.", "gone"),
        ("Do not push commits to the main branch.", "Stopped pushing commits to the main branch.", "reworded"),
        ("Do not push commits to the main branch.", "Push commits to the main branch only when asked.", "reworded"),
        (
            "Do not leave the debug logging in the release build.",
            "Left the debug logging in the release build.",
            "gone",
        ),
        (
            "Do not leave the debug logging in the release build.",
            "The debug logging stays in the release build.",
            "gone",
        ),
        (
            "Do not put the debug logging in the release build.",
            "Left the debug logging out of the release build.",
            "reworded",
        ),
        (
            "Do not run the database migration on production servers.",
            "Same database migration was run on production servers.",
            "gone",
        ),
        ("Do not stop the production database server.", "Stopped the production database server.", "gone"),
        ("Do not add a new dependency for time zones.", "Kept the new dependency for time zones.", "gone"),
        ("Do not change the columns of the orders table.", "Kept changing the columns of the orders table.", "gone"),
        ("Do not change the columns of the orders table.", "Kept the columns of the orders table.", "reworded"),
        ("Do not format the columns of the orders table.", "Left the columns of the orders table alone.", "reworded"),
    ],
)
def test_a_word_that_may_hold_something_back_must_do_so(text: str, said: str, verdict: str) -> None:
    """Left as it is, left out, stopped: it is not done. Who keeps doing it, or left what should not be left, did it."""
    assert kept(text, said).verdict == verdict


def test_few_of_many_sentences_are_asked_whether_they_deny_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A summary of thousands of lines that all deny a text answers as fast as one that does not: the nearest are asked."""
    asked = list[str]()

    def counted(one: Part, other: Part) -> bool:
        asked.append(other.text)
        return contrary(one, other)

    monkeypatch.setattr(sense, "contrary", counted)
    said = "\n".join(f"- Do not change the modules alpha, beta and gamma in release N{k}." for k in range(1000))
    assert kept("Change modules alpha, gamma and beta.", said).verdict == "gone"
    assert 0 < len(asked) <= 100  # twenty each for the sentence, its head and the whole


ASKED = "drop all listeners once a reader calls reset, or we switch to a folder nobody opened yet? Fold them back in, please."


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Consider simplifying this to call pureRemoved directly, or write a new test for the scenario.", "partly"),
        ("Consider simplifying this to call addedLines at once, or write a new test for the scenario.", "gone"),
        (
            f"Why does closeAll {ASKED}",
            "partly",
        ),
        (f"Why does openAll {ASKED}", "gone"),
        ("Do not change pureRemoved, ever, without the consent of both maintainers of the reader.", "gone"),
        ("Look at src/app/count.py, and at src/app/writer/close.py, for how the two differ in style.", "gone"),
    ],
)
def test_what_is_said_of_a_code_name_is_a_part(text: str, verdict: str) -> None:
    """A sentence has the name and most of a clause, or two near each other three words that tell of it; a path's are none."""
    said = """
- The count in src/app/count.py: simplified to call `pureRemoved` directly.
- `pureRemoved` was changed to read the lines once.
- `closeAll` ends a session of src/app/writer/close.py.
- Listeners survive a reset and a switch.
- The order is kept.
- `openAll` begins one.
- The style is checked.
"""
    assert kept(text, said).verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("also remember the @web/docs/refactor.md file btw. could read it now to refresh you rmind", "partly"),
        ("also remember the @web/notes/refactor.md file btw", "gone"),
        ("never read web/docs/refactor.md", "gone"),
        ("read web/docs/refactor.md and send the letter to the owner", "gone"),
    ],
)
def test_who_names_a_file_says_what_only_points_to_it(text: str, verdict: str) -> None:
    """A sentence that tells nothing but which file to remember is there where the file is; one that wants more of it is not."""
    assert kept(text, "All is done.\n- Plan: `/home/ada/web/docs/refactor.md`").verdict == verdict


@pytest.mark.parametrize(
    ("text", "said", "verdict"),
    [
        ("Please read README.md", "We wrote OLD_README.md and left.", "gone"),
        ("also remember docs/plan.md btw", "Removed mydocs/plan.md.bak", "gone"),
        ("also remember docs/plan.md btw", "It is in mydocs/plan.md now.", "gone"),
        ("Please see app.py", "myapp.pyc was deleted.", "gone"),
        ("Please see app.py", "app.py.bak was deleted.", "gone"),
        ("Please see app.py", "test.app.py was written; old-app.py and app.py~ left.", "gone"),
        ("Please see app.py", "myapp.py runs; the start is in (src/app.py:12).", "partly"),
        ("Please see app.py", "All is in app.py.", "partly"),
        ("also remember docs/plan.md btw", "Kept: @docs/plan.md, **web/docs/plan.md**", "partly"),
    ],
)
def test_a_file_is_named_by_its_whole_name(text: str, said: str, verdict: str) -> None:
    """A name that only has it in it, in front or behind, is another file's."""
    assert kept(text, f"All is done.\n- {said}").verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("the skill creator writes skills to the pi.dev folder by default", "reworded"),
        ("haha lol the ksill creator writes skills to the pi.dev folder by default becaue damn", "reworded"),
        ("haha lol fuck becaue damn hmm please publish the newsletter on friday", "gone"),
    ],
)
def test_slips_and_exclamations_are_not_missed_in_a_summary(text: str, verdict: str) -> None:
    """A mistyped word is the one that is meant, and "haha" says nothing: neither is something the summary left out."""
    said = "Decisions.\n- By default the skill creator writes its skills to the folder `pi.dev`.\n- Commits are small."
    assert kept(text, said).verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("yeah it should tailor fit to work with pi so it's kind pi-skill-creator", "partly"),
        ("wait give me the prompt again to use the skill?", "reworded"),
        ("okay do a 3pass crituqe check", "reworded"),
        ("okay do a 4pass crituqe check", "gone"),
        ("okay do a 3pass antiqeu check", "gone"),
    ],
)
def test_a_word_is_known_by_its_forms_and_spellings(text: str, verdict: str) -> None:
    """ "Tailored" and "tailor", "using" and "use", "3-pass" and "3pass", a letter left out and two swapped: one word each."""
    said = """
- A meta skill creator inspired by another `skill-creator`, tailored for pi, named `pi-skill-creator`.
- Prompt previously suggested for using the skill with an external repo.
- Clean up the checklist, based on the 3-pass critique.
- Commits follow a convention.
- Secrets are never read.
- The newest commit is pushed.
- Docs were renamed.
"""
    assert kept(text, said).verdict == verdict


WHERE = "Pull the newest changes, and then: this is wrong, it sshould be under ~/Code/pi.dev/skills/<category>/<name>/"


@pytest.mark.parametrize(
    ("text", "said", "verdict"),
    [
        (WHERE, "Reusable skills default to `~/Code/pi.dev/skills/<category>/<name>/`.", "partly"),
        (WHERE, "A skill was written to `~/Code/pi.dev/skills/<category>/<name>/draft/`.", "gone"),
        (WHERE, "Reusable skills default to `/home/ada~/Code/pi.dev/skills/<category>/<name>`.", "gone"),
        (
            "Why is ~/Code/pi.dev/skills/<category> empty, was the sync broken by somebody?",
            "See `~/Code/pi.dev/skills/<category>`.",
            "gone",
        ),
        ("Put the numbers in docs/a/b/my-file.py, then stop.", "All tests in `docs/a/b/my` pass.", "gone"),
        ("Nothing may go into ~/Code/pi.dev/skills/old, ever.", "Wrote to `~/Code/pi.dev/skills/old`.", "gone"),
    ],
)
def test_who_names_a_folder_says_what_is_to_be_in_it(text: str, said: str, verdict: str) -> None:
    """A folder of three names or more in which something is to be, itself; one that is only spoken of tells nothing."""
    assert kept(text, f"All is done.\n- {said}\n- The rest is open.").verdict == verdict


def test_code_says_nothing_in_other_words() -> None:
    """A block of code has many words by chance: what is in it is said word for word, or not."""
    code = "```\ndef store_metadata(checkpoint, lines):\n    # human edits, agent lines\n    write(checkpoint)\n```"
    assert (
        kept("Store the metadata of each checkpoint with the lines of the human and the agent.", code).verdict == "gone"
    )
    assert kept("human edits, agent lines", code).verdict == "verbatim"


def test_blanks_make_no_other_words() -> None:
    """In a text of some length; "isable" is no part of "disable"."""
    asked = "Come up with proposals based on the direction we can take.Do some that stick closely to what we have."
    said = asked.replace("take.Do", "take. Do")
    assert kept(asked, f"All user messages: {said}").verdict == "verbatim"
    assert remains_in(summary(asked)).quoted("Come up with proposals based on the direction we can take.") == (1, 1)
    assert remains_in(summary("Disable the cache.")).quoted("Is able.") == (0, 1)


def test_every_sentence_of_a_request_is_looked_for_on_its_own() -> None:
    """Two sentences that stand far from each other in the summary are there."""
    said = "Amounts are whole cents inside.\n- a\n- b\n- c\n- d\n- Write a test with a thousand bookings."
    assert kept("Whole cents inside. Write a test with the thousand bookings.", said).verdict == "reworded"
    assert kept("Floats outside. Ask the bank for a new statement.", said).verdict == "gone"


def test_the_words_of_a_text_are_counted_in_the_sentences_nearest_to_it() -> None:
    """Each once, and each sentence counts, however short; one that the text itself has not that near counts nothing."""
    wanted = "Write a parser for the files. Never print from it. Then test it."
    assert kept(wanted, "Write it.\n- Print was forbidden.\n- Tests ran, and a test more.") == Kept("gone", 3, 6)
    assert kept(wanted, "The parser is new. The files are old.") == Kept("gone", 1, 6)


@pytest.mark.parametrize("text", ["Use tabs.", "Do it now.", "store/entries.py", "OK"])
def test_of_a_name_or_a_text_of_one_or_two_words_none_are_counted(text: str) -> None:
    """So no count speaks of one word."""
    assert kept(text, "Now the tabs of store/entries.py are in use.").words == 0


def test_the_sample_keeps_one_rule_and_loses_the_other() -> None:
    """The API is in all three summaries, in fewer words each time; the dependency in the first alone."""
    one = replay(load(SAMPLE))
    api = (
        "Do not change the public API: the dashboard, the tax exporter and the mailer import it, see docs/stability.md."
    )
    rule = "No new dependency, not even a small one"

    def verdicts(text: str) -> list[str]:
        return [remains_in(c.summary).of(text).verdict for c in one.compactions if c.summary]

    assert verdicts(api) == ["verbatim", "reworded", "partly"]
    assert verdicts(rule) == ["verbatim", "gone", "gone"]


def test_a_few_words_of_a_message_that_stayed_are_there_by_chance() -> None:
    """Hundreds of messages stay: one of them has three ordinary words. Five of one sentence, or all of it, are no chance."""
    stayed = [
        summary("wait, can you look at the skill? I know it is short"),
        summary("Names of skills: purpose, reader, verb, in short words"),
    ]
    remains = Remains([], stayed)
    asked = (
        "wait what if the skill knows it",
        "I know it is short",
        "name skills by purpose, reader and verb, please",
    )
    assert [remains.of(text).verdict for text in asked] == ["gone", "verbatim", "reworded"]


def test_short_requests_of_a_real_session_that_its_summary_says(shared: Path) -> None:
    """Four that it says in other words, one by the folder it names; and three of which it says nothing."""
    path = shared / "transcripts/pi/2026-04-24T06-07-34_019dbe19-ca83-74b3-b3ca-230160eb3875.jsonl"
    one = replay(load(path))
    said = remains_in(one.compactions[0].put_in[0])
    assert [said.of(one.messages[place].content).verdict for place in (49, 118, 128, 154)] == ["partly"] * 4
    assert [said.of(one.messages[place].content).verdict for place in (36, 38, 85)] == ["gone"] * 3


def test_what_a_message_cannot_say_is_not_looked_for_in_its_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words that it has at all decide; where they are enough, or each of a short sentence is, its sentences do."""
    said = summary("Name skills by purpose, reader and verb. It is short.\nRead it.")
    asked = ("Name skills by purpose, reader, verb and author.", "It is short. Name skills by verb, purpose, reader.")
    other = "Rewrite the exporter so that amounts are whole cents and the reader is told."
    looked = list[str]()

    def best(of: sense.Sense, wanted: Part) -> frozenset[str]:
        looked.append(wanted.text)
        return found(of, wanted)

    found = sense.Sense.best
    monkeypatch.setattr(sense.Sense, "best", best)
    assert [remains_in(said).tells(text) for text in (*asked, other)] == [True, True, False]
    assert looked == [asked[0], "Name skills by verb, purpose, reader."]


def test_requests_of_a_real_session(shared: Path) -> None:
    """Two that the third summary does not say, and two that it does; the second of its summaries quotes the first of them."""
    one = replay(load(shared / "transcripts/claude-code/6113e919-67d3-417b-b525-c63700228d19.jsonl"))
    last = remains_in(one.compactions[2].put_in[0])
    asked = [one.messages[place].content for place in (171, 53, 294, 307)]
    assert asked[0].startswith("those tests are just testing that writing the metadata works")
    assert [last.of(text).verdict for text in asked] == ["gone", "gone", "reworded", "partly"]
    advice = one.messages[467].content[one.messages[467].content.index("Consider simplifying") :]
    assert last.of(advice).verdict == "partly"
