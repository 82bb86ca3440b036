"""aider: runs and blocks of a Markdown history, whose lines are whose, what aider's own lines tell."""

from pathlib import Path

import pytest

from core.engine.replay import replay
from core.importers import claimed_by, load, load_all
from core.importers._files.source import Source, head_of
from core.model.errors import TranscriptError
from core.model.session import Session, Usage

SAMPLE = Path(__file__).parent.parent.parent / "sample_sessions" / "aider" / "seedbank.md"
HEAD = "# aider chat started at 2026-03-14 09:12:40\n\n"


def run(text: str, head: str = HEAD) -> Session:
    """What load makes of one run."""
    return load(name="s", data=head + text)


def outline(session: Session) -> list[tuple[str, str, str]]:
    """Role, kind and content of each message."""
    return [(m.role, m.injected, m.content) for m in session.messages]


def test_whose_lines_are_whose():
    """The person's, aider's and the model's; lines of a kind that stand together are one message."""
    found = run(
        "> Aider v1  \n> Model: m1 with diff  \n\n#### do it  \n#### now  \n\nFirst.\n\nSecond.\n\n> Applied  \n"
    )
    assert outline(found) == [
        ("user", "", "do it\nnow"),
        ("assistant", "", "First.\n\nSecond."),
        ("user", "aider", "Applied"),
    ]
    assert [(m.id, m.line) for m in found.messages] == [("line-6", 6), ("line-8", 8), ("line-13", 13)]
    assert (found.id, found.title, found.model, found.turns) == ("2026-03-14T09:12:40", "do it", "m1", 1)
    assert [m.timestamp for m in found.messages] == ["2026-03-14T09:12:40", "", ""]


def test_a_blank_line_ends_what_a_person_typed():
    """What follows was typed later; blank lines themselves are nobody's."""
    found = run("#### a  \n\n#### b  \n> \n>  \n\n#### c  \n")
    assert [m.content for m in found.messages] == ["a", "b", "c"]


def test_headings_and_comments_in_a_reply_are_kept():
    """aider's own reader drops every line that begins with a hash."""
    found = run("#### go  \n\n# Plan\n```python\n# why\nx = 1\n```\n")
    assert found.messages[1].content == "# Plan\n```python\n# why\nx = 1\n```"


def test_lines_that_may_be_the_models_are_said():
    """They are taken for the person's or aider's, as aider takes them, though they do not end in two spaces."""
    found = run("#### go  \n\nSteps:\n#### One\ntext\n> quoted\nmore\n")
    assert [m.content for m in found.messages] == ["go", "Steps:", "One", "text", "quoted", "more"]
    assert found.notes == (
        "2 lines, the first one 6, may be part of a reply: it looks like the user's or aider's text, "
        "but does not end as theirs do",
    )
    assert run("#### go\n\nSteps:\n#### One\n").notes == ()


def test_a_failed_edit_is_aiders():
    """Of its message only the first line is quoted; it ends with two spaces."""
    found = run(
        "#### go  \n\nEdit.\n\n> # 1 SEARCH/REPLACE block failed to match!\n\n## Why\n# x\n#### no\n\nEnd.  \n\nSorry.\n"
    )
    assert outline(found)[2:4] == [
        ("user", "aider", "# 1 SEARCH/REPLACE block failed to match!\n\n## Why\n# x"),
        ("user", "", "no"),
    ]
    found = run("#### go  \n\nEdit.\n\n> # 2 SEARCH/REPLACE blocks failed to match!\n\n# x\n\nEnd.  \n\nSorry.\n")
    assert outline(found)[2:] == [
        ("user", "aider", "# 2 SEARCH/REPLACE blocks failed to match!\n\n# x\n\nEnd."),
        ("assistant", "", "Sorry."),
    ]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("/add a.py", "command"),
        ("!ls", "command"),
        ("/ask why?", ""),
        ("/ask", "command"),
        ("/architect plan it", ""),
        ("why?", ""),
    ],
)
def test_only_what_a_person_typed_starts_a_turn(line, kind):
    """Commands are aider's to run, except for those that send what follows."""
    found = run(f"#### first  \n\n#### {line}  \n")
    assert (found.messages[1].injected, found.turns) == (kind, 1 + (not kind))


@pytest.mark.parametrize(
    ("tokens", "usage", "rounded"),
    [
        ("812 sent, 96 received.", Usage(input_uncached=812, output=96), False),
        ("9.7k sent, 85 received. Cost: $0.01 message, $1.20 session.", Usage(input_uncached=9700, output=85), True),
        (
            "12k sent, 1.5k cache write, 8.0k cache hit, 2.3k received.",
            Usage(input_uncached=2500, cache_read=8000, cache_write=1500, output=2300),
            True,
        ),
        ("1,234 sent, 1,000 cached, 5 received.", Usage(input_uncached=234, cache_read=1000, output=5), False),
    ],
)
def test_tokens_belong_to_the_reply_before(tokens, usage, rounded):
    """They are as aider printed them, and it rounds."""
    found = run(f"#### go  \n\nok\n\n> Tokens: {tokens}  \n")
    assert (found.messages[1].usage, found.usage, len(found.notes)) == (usage, usage, int(rounded))


def test_tokens_without_a_reply_are_left_out():
    """Nothing was answered, or the reply has its tokens already."""
    found = run(
        "#### go  \n> Tokens: 5 sent, 1 received.  \n\nok\n\n> Tokens: 6 sent, 2 received.  \n> Tokens: 7 sent  \n"
    )
    assert [m.usage.output for m in found.messages if m.usage] == [2]
    assert found.other == {"aider/tokens": 3, "tokens of no reply": 2}


def test_the_model_may_change():
    """Each reply has the one that was announced last; the folder is the one of the repository."""
    found = run(
        "> Main model: m1 with diff edit format  \n> Weak model: w  \n> Git working dir: C:\\my work  \n"
        "#### a  \n\nA\n\n> Models: m2 with whole, weak model w  \n\nB\n\nC\n"
    )
    assert [m.model for m in found.messages if m.role == "assistant"] == ["m1", "m2"]
    assert found.project == "C:\\my work"


def test_thoughts_are_told_apart():
    """They stand in a tag at the beginning of a reply."""
    found = run("#### go  \n\n<thinking-content-7bbeb8>\nhm\n</thinking-content-7bbeb8>\n\nok\n")
    assert (found.messages[1].thinking, found.messages[1].content) == ("hm", "ok")
    assert run("#### go  \n\n<thinking-content-7bbeb8>\nhm\n").messages[1].content == "<thinking-content-7bbeb8>\nhm"


def aider_texts(text: str) -> list[str]:
    """What stays of what aider printed behind a reply."""
    return [c for _, kind, c in outline(run(f"#### go  \n\nok\n\n{text}")) if kind == "aider"]


def test_what_the_model_was_not_sent_is_no_message():
    """Its start, costs, what it did, failed calls, questions with their answers: counted, not shown."""
    found = run(
        "> /usr/bin/aider  \n> Aider v1  \n> Added a.md to the chat (read-only).  \n\n#### go  \n"
        "> litellm.RateLimitError: slow down  \n> Retrying in 0.2 seconds...  \n\nok\n\n> Tokens: 5 sent, 1 received.  \n"
        "> Applied edit to a.py  \n> Create new file? (Y)es/(N)o [Yes]: y  \n>  \n> ^C again to exit  \n\n"
        "#### Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all [Yes]: all  \n\n#### on  \n"
    )
    assert [m.content for m in found.messages] == ["go", "ok", "on"]
    counts = {"answer": 1, "done": 2, "error": 2, "question": 1, "start": 3, "tokens": 1}
    assert found.other == {f"aider/{kind}": count for kind, count in counts.items()}


def test_what_aider_may_have_sent_stays():
    """A commit and a file in the chat, a linter's errors; the message begins at the first line of them."""
    assert aider_texts("> Tokens: 5 sent  \n> Commit 91be07d feat: x  \n") == ["Commit 91be07d feat: x"]
    assert aider_texts("> Added a.py to the chat  \n") == ["Added a.py to the chat"]
    lint = "> # Fix any errors below, if possible.  \n>  \n> a.py:1: E1  \n"
    lint += "> Attempt to fix lint errors? (Y)es/(N)o [Yes]: y  \n"
    assert aider_texts(lint) == ["# Fix any errors below, if possible.\n\na.py:1: E1"]
    assert outline(run(lint + "\n#### x  \n"))[0][1] == "aider"
    found = run("#### go  \n\nok\n\n> Tokens: 5 sent  \n> Commit 91be07d x  \n")
    assert (found.messages[2].id, found.messages[2].line) == ("line-8", 8)


TRACE = '> Traceback (most recent call last):  \n> File "{}", line 3, in f  \n> x()  \n> TypeError: no  \n> no  \n> behind  \n'


def test_a_traceback_of_aiders_own_is_not_sent():
    """One of the person's program is; so is what looks like aider's in the output of a command."""
    assert aider_texts(TRACE.format("/lib/aider/coders/base_coder.py")) == ["behind"]
    assert aider_texts(TRACE.format("/home/me/x.py"))[0].startswith("Traceback")
    assert aider_texts("#### /test  \n" + TRACE.format("/lib/aider/io.py"))[0].startswith("Traceback")


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        (
            "#### /run ls  \n> a.py  \n> Add 0.1k tokens of command output to the chat? (Y)es/(N)o [Yes]: y  \n",
            ["a.py"],
        ),
        ("#### /run ls  \n> a.py  \n> Add 0.1k tokens of command output to the chat? (Y)es/(N)o [Yes]: n  \n", []),
        ("#### /tokens  \n> $ 0.01 812 system messages  \n", []),
        ("#### !cat log  \n> Applied edit to x  \n", ["Applied edit to x"]),
    ],
)
def test_the_output_of_a_command_is_sent_if_it_was_added(text, stays):
    """Some commands only show; in the output of one that is run anything may stand."""
    assert aider_texts(text) == stays


def test_clearing_drops_all_that_was_said():
    """A person did it; nothing was written in its place."""
    found = run("#### a  \n\nA\n\n#### /reset  \n> All files dropped and chat history cleared.  \n\n#### b  \n")
    (cut,) = found.compactions
    assert (cut.at, cut.edit, cut.kept, cut.trigger, cut.fidelity, cut.line) == (3, "dropped", (), "manual", "exact", 7)
    assert replay(found).compactions[0].after == []


def test_a_conversation_is_cleared_though_aider_prints_nothing_of_it():
    """Older versions do not; where nothing had been said, or all is gone already, nothing is dropped."""
    found = run("#### /clear  \n\n#### a  \n\nA\n\n#### /clear  \n\n#### /reset  \n\n#### b  \n\nB\n")
    assert [(cut.at, cut.edit, cut.trigger) for cut in found.compactions] == [(4, "dropped", "manual")]
    assert run("#### a  \n\nA\n\n#### /clear all of it  \n\n#### b  \n").compactions == ()


def test_failed_calls_are_said():
    """The error is what aider printed; one that nothing follows ended the run."""
    failed = "#### a  \n> litellm.RateLimitError: slow down  \n> Retrying in 0.2 seconds...  \n"
    found, went_on = run(failed), run(f"{failed}\nDone.\n")
    assert (found.ended_with, found.notes) == ("litellm.RateLimitError: slow down", ())
    assert found.all_notes == ("the run ended with litellm.RateLimitError: slow down",)
    assert went_on.ended_with == ""
    assert went_on.notes == ("1 model call failed, the first one: litellm.RateLimitError: slow down",)


def test_every_run_is_a_session():
    """Those in which nobody said anything are counted in the notes of the next, or of the last."""
    heads = [f"# aider chat started at 2026-03-14 09:0{n}:00\n\n" for n in range(5)]
    texts = ["> Aider v1  \n\n", "#### a  \n\n", "", "#### b  \n\n", "> Aider v1  \n"]
    one, two = load_all(name="s", data="".join(h + t for h, t in zip(heads, texts, strict=True)))
    assert [(s.id, s.title) for s in (one, two)] == [("2026-03-14T09:01:00", "a"), ("2026-03-14T09:03:00", "b")]
    assert one.notes == ("1 run before this one skipped: only output of aider",)
    assert two.notes == ("1 run after this one skipped: only output of aider",)


def test_runs_that_began_in_the_same_second_have_ids_of_their_own():
    """What stands before the first header is a run, too."""
    found = list(load_all(name="s", data=f"#### x  \n> Aider v1  \n{HEAD}#### a  \n{HEAD}#### b  \n"))
    assert [s.id for s in found] == ["start", "2026-03-14T09:12:40", "2026-03-14T09:12:40-2"]


def test_front_matter_is_no_message():
    """Unless it never ends: then it is what it looks like."""
    found = run("#### a  \n", head=f"\ufeff---\nparent: x\n---\n\n{HEAD}")
    assert [m.content for m in found.messages] == ["a"]
    (before, _) = load_all(name="s", data=f"---\nnot: closed\n{HEAD}#### a  \n")
    assert outline(before) == [("assistant", "", "---\nnot: closed")]


PUBLISHED = """---
parent: Examples
nav_order: 3
{end}

# A page

What to look for:
- the first edit

<div class="chat-transcript" markdown="1">

> $ aider page.html
> Added page.html to the chat

#### make a page

Here it is.

```html
<div>
</div>
```

> Applied edit to page.html

</div>
<div class="chat-transcript" markdown="1">
#### thanks

You are welcome.

</div>
"""


@pytest.mark.parametrize("end", ["---", "..."])
def test_a_published_chat_opens(end):
    """It stands behind front matter and an introduction, in boxes, and may be without the line that a run begins with."""
    found = load(name=".aider.chat.history.md", data=PUBLISHED.format(end=end))
    assert outline(found) == [
        ("user", "", "make a page"),
        ("assistant", "", "Here it is.\n\n```html\n<div>\n</div>\n```"),
        ("user", "", "thanks"),
        ("assistant", "", "You are welcome."),
    ]
    assert (found.title, found.turns, found.messages[0].line) == ("make a page", 2, 16)


def test_an_introduction_before_the_first_run_is_no_message():
    """Nor is what stands between the front matter and the line that the run begins with."""
    (found,) = load_all(name="s", data=f"---\nparent: x\n---\n\n# A page\n\n{HEAD}Hello.\n\n#### a  \n")
    assert [m.content for m in found.messages] == ["Hello.", "a"]


def test_boxes_of_a_chat_that_was_not_published_are_its_own():
    """A reply may hold them."""
    reply = '<div class="chat-transcript">\n</div>'
    assert run(f"#### a  \n\n{reply}\n").messages[1].content == reply


def test_windows_line_ends_and_bytes_that_are_no_text():
    """The first make no difference; the second are said of the run they are in."""
    assert outline(run("#### a  \r\n\r\nA\r\n> b  \r\n")) == outline(run("#### a  \n\nA\n> b  \n"))
    data = (HEAD + "#### a  \n" + HEAD + "#### b").encode() + b"\xff  \n"
    one, two = load_all(name="s", data=data)
    assert (one.notes, two.messages[0].content) == ((), "b\ufffd")
    assert two.notes == ("line 6 had bytes that are not UTF-8, shown as \ufffd",)


def test_what_it_claims():
    """A text with aider's header, or with lines of aider's and of a person's; not any Markdown, and no JSON."""
    signs = {
        HEAD: ["aider"],
        "#### a\n> Tokens: 5k sent, 1 received.\n": ["aider"],
        "---\na: b\n---\n# aider chat started at 2026-03-14 09:12:40\n": ["aider"],
        "#### a\n> Applied edit to a.py\n": ["aider"],
        "# Aider chat started at 2026-03-14 09:12:40\n": ["aider"],
        "# Notes\n#### a\n> quoted\n": [],
        "---\na: b\n---\n#### a\n> quoted\n": [],
        '{"text": "# aider chat started at 2026-03-14 09:12:40"}': [],
    }
    assert {text: claimed_by(head_of(Source("s", data=text.encode()))) for text in signs} == signs
    with pytest.raises(TranscriptError, match="contains no messages"):
        run("> Aider v1  \n")


def test_the_sample():
    """Three turns, an edit that failed, and what was said before dropped."""
    found = load(SAMPLE)
    (cut,) = found.compactions
    assert (found.turns, len(found.messages), cut.at) == (3, 14, 8)
    assert found.messages[2].content.startswith("Germination is shown")
    assert (found.messages[3].thinking[:9], found.messages[4].content[-9:]) == ("The label", "ings, etc")
    assert found.usage == Usage(input_uncached=2931, cache_read=410, output=313)
