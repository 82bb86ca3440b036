"""The demo agent: it works its way through the sample folder by itself, and is honest about what it can see."""

import random
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from itertools import pairwise

import pytest

from core.agents.agent import RunResult, run_agent
from core.agents.memory import Memory, summary_request
from core.demo import provider as demo
from core.demo.script import FIND, OWED, PATCH
from core.demo.window_reading import RULES
from core.engine.simulate import simulate
from core.llm import LLM, Counts, Shows, Streams, provider
from core.llm import connect as by_provider
from core.meters import meter
from core.model.errors import RunCancelledError
from core.model.session import Message
from core.policies import policy
from core.toolbox import families, make_tools
from core.toolbox.tools import ToolRegistry
from core.trace.trace import as_session
from tests.support import assistant, calls, result, system, user

VERDICT = "\n\nVERDICT: daysBetween in src/dates.js"


def toolbox(messages: Sequence[Message] = ()) -> ToolRegistry:
    """The tools the demo needs, over its folder, as these messages left them."""
    return make_tools(demo.FAMILIES, demo.FOLDER, [call for m in messages for call in m.tool_calls])


def finished_turn(messages: Sequence[Message], llm: demo.DemoLLM | None = None) -> list[Message]:
    """The messages after which the model ends a turn that begins with these; without any policy."""
    llm, tools, held = llm or demo.connect(delay=0), toolbox(messages), list(messages)
    for _ in range(demo.MAX_TURNS):
        reply = llm.complete(held, tools.specs())
        held.append(reply)
        if not reply.tool_calls:
            return held
        held += map(tools.answer, reply.tool_calls)
    raise AssertionError("it does not end")


@cache
def whole() -> tuple[Message, ...]:
    """The first task from its goal to its answer."""
    return tuple(finished_turn([system(demo.SYSTEM), user(demo.GOAL)]))


def run(budget: int, keep_recent: int) -> tuple[RunResult, list[list[Message]]]:
    """A run within a budget, and every window that was sent with tools."""
    windows, llm = list[list[Message]](), demo.connect(delay=0)

    class Watched:
        def complete(self, messages: Sequence[Message], tools: Sequence[dict[str, object]]) -> Message:
            if tools:
                windows.append(list(messages))
            return llm.complete(messages, tools)

    memory = Memory(budget=budget, keep_recent=keep_recent)
    ended = run_agent(demo.GOAL, Watched(), toolbox(), system=demo.SYSTEM, max_turns=demo.MAX_TURNS, memory=memory)
    return ended, windows


def test_it_is_a_provider_without_a_key() -> None:
    """Found beside the others; it streams, counts and shows its request."""
    found = provider("demo")
    assert (found.label, found.needs_key, found.model) == ("Demo agent, offline", False, "demo")
    llm = by_provider("demo", delay=0, timeout=5)
    assert isinstance(llm, LLM)
    assert isinstance(llm, Streams)
    assert isinstance(llm, Counts)
    assert isinstance(llm, Shows)


def test_the_investigation_is_a_task_of_some_forty_calls() -> None:
    """44 replies, the last an answer; several call more than one tool; some 18,000 tokens in all."""
    replies = [m for m in whole() if m.role == "assistant"]
    assert (len(replies), len(replies[-1].tool_calls)) == (len(FIND), 0) == (44, 0)
    assert sum(len(reply.tool_calls) > 1 for reply in replies) > 15
    assert all(reply.content for reply in replies)
    assert 15_000 < sum(map(meter("o200k_base").count, whole())) < 30_000


def test_one_call_is_wrong_on_purpose_and_put_right() -> None:
    """Every tool result of all three tasks is good but one: a call with bad arguments, which the next reply corrects."""
    held = [*whole()]
    for text in demo.FOLLOW_UPS:
        held = finished_turn([*held, user(text)])
    wrong = [i for i, m in enumerate(held) if m.is_error]
    assert [held[i].content[:40] for i in wrong] == ["error: read_file: 'path' is missing; 'li"]
    assert held[wrong[0] + 1].content.startswith("That call was wrong")
    empty = [m.tool_call_id for m in held if m.content in ("nothing found", "there are no notes yet")]
    assert empty == ["find-15b", "find-29b"]


def test_call_ids_are_never_used_twice() -> None:
    """Over three tasks, one of them asked twice."""
    held = [*whole()]
    for text in (*demo.FOLLOW_UPS, demo.FOLLOW_UPS[0]):
        held = finished_turn([*held, user(text)])
    ids = [call.id for m in held for call in m.tool_calls]
    assert len(ids) == len(set(ids))


def test_what_the_script_says_is_what_the_tools_said() -> None:
    """The numbers in its sentences are read off the results: 5.958… days, the floor of which is 5."""
    texts = [m.content for m in whole() if m.role == "assistant"]
    assert "5.958333333333333 days, and the floor of that is five." in texts
    assert "5: rounding to the nearest" not in "".join(texts)
    assert any(text.startswith("6: rounding to the nearest is right in both.") for text in texts)
    assert "1.5 in all." in texts


def test_with_everything_in_view_it_answers_fully() -> None:
    """All three rules are seen in the user's message, and the last line is the one asked for."""
    answer = whole()[-1].content
    assert answer.count(": I see it in your message; ") == 3
    assert answer.splitlines()[-1].startswith("VERDICT: ")


BUDGETS = [(100, 0), (300, 1), (1_500, 2), (3_000, 4), (6_000, 6), (9_000, 12), (12_000, 3), (40_000, 6)]


@pytest.mark.parametrize(("budget", "keep_recent"), BUDGETS)
def test_it_says_what_it_can_see_whatever_the_budget(budget: int, keep_recent: int) -> None:
    """The run ends by itself after the same replies, and the answer names as seen just what stands in its last window."""
    ended, windows = run(budget, keep_recent)
    assert (ended.stopped, ended.turns) == ("answered", len(FIND))
    text = " ".join(" ".join(m.content for m in windows[-1]).lower().split())
    for rule in RULES:
        line = next(line for line in ended.answer.splitlines() if line.startswith(f"- {rule.name}: "))
        assert ("I see it in" in line) == (rule.words.lower() in text)
        assert ("no longer in my window" in line) != (rule.words.lower() in text)
    assert (VERDICT in ended.answer) == (RULES[2].words.lower() in text)


def test_the_defaults_show_a_loss_and_a_large_budget_none() -> None:
    """Within 6,000 tokens its summaries carry the goal and lose what stood beside it; within 40,000 nothing is lost."""
    small, _ = run(demo.BUDGET, demo.KEEP_RECENT)
    large, _ = run(40_000, demo.KEEP_RECENT)
    assert small.summaries > 0
    assert [small.answer.count(words) for words in ("I see it in a summary", "no longer in my window")] == [1, 2]
    assert (large.summaries, VERDICT in large.answer, VERDICT in small.answer) == (0, True, False)


def test_the_defaults_compact_three_to_five_times() -> None:
    """Counted by o200k_base, with the recommended policy, budget and keep_recent."""
    rules = policy(demo.POLICY, budget=demo.BUDGET, keep_recent=demo.KEEP_RECENT)
    assert 3 <= len(simulate(as_session(whole()), rules, meter=meter(demo.METER)).compactions) <= 5


@pytest.mark.parametrize("end", range(2, 105, 7))
def test_a_run_cut_anywhere_goes_on_where_it_was(end: int) -> None:
    """A new model, given the messages so far, makes the calls that were left, and comes to the same answer."""
    held = finished_turn(whole()[:end])
    assert [m.tool_calls for m in held if m.role == "assistant"] == [
        m.tool_calls for m in whole() if m.role == "assistant"
    ]
    assert held[-1].content.splitlines()[0] == whole()[-1].content.splitlines()[0]


def test_a_run_resumed_without_any_call_in_view_goes_on_by_the_number_of_replies() -> None:
    """`made` says how many there were: the summary alone does not."""
    window = [system(demo.SYSTEM), system("[summary #9 of 80 earlier messages]\nnothing of use")]
    reply = demo.connect(delay=0, made=20).complete(window, toolbox().specs())
    assert [(c.id, c.name) for c in reply.tool_calls] == [
        (f"find-21{'abc'[i] if i else ''}", name) for i, (name, _) in enumerate(FIND[20].calls)
    ]
    assert demo.connect(delay=0).complete(window, toolbox().specs()).content == demo.LOST


@pytest.mark.parametrize("seed", range(5))
def test_dropped_messages_do_not_stop_it(seed: int) -> None:
    """Whatever a person drops before a call, it ends; what it lost of its newest work, it does again."""
    chance, tools, llm = random.Random(seed), toolbox(), demo.connect(delay=0)
    held = [system(demo.SYSTEM), user(demo.GOAL)]
    for _ in range(300):
        reply = llm.complete(held, tools.specs())
        held.append(reply)
        if not reply.tool_calls:
            break
        held += map(tools.answer, reply.tool_calls)
        held = [m for m in held if m.role == "user" or chance.random() > 0.1]
    assert not held[-1].tool_calls


def test_go_on_goes_on() -> None:
    """A word in the middle of the task does not begin another one."""
    held = finished_turn([*whole()[:40], user("Please go on.")])
    assert held[-1].content.splitlines()[0] == whole()[-1].content.splitlines()[0]


def test_further_questions_have_scripts_of_their_own() -> None:
    """A patch after eight replies, the loans after four; each keeps to the form that was asked for."""
    patched = finished_turn([*whole(), user(demo.FOLLOW_UPS[0])])
    owed = finished_turn([*patched, user(demo.FOLLOW_UPS[1])])
    made = [sum(m.role == "assistant" for m in held) for held in (whole(), patched, owed)]
    assert [b - a for a, b in pairwise(made)] == [len(PATCH), len(OWED)] == [8, 4]
    assert "+  return Math.max(0, Math.round((to - from) / DAY_MS));" in patched[-1].content
    assert "M-163 0.25 (L-2041)" in owed[-1].content
    assert all(VERDICT in held[-1].content for held in (patched, owed))


def test_to_anything_else_it_says_that_it_is_a_script() -> None:
    """And what it can be asked."""
    reply = demo.connect(delay=0).complete([system(demo.SYSTEM), user("Write me a poem.")], toolbox().specs())
    assert reply.content == demo.HELP
    assert reply.content.startswith("I am a script, not a model")
    assert all(text in reply.content for text in demo.FOLLOW_UPS)


def test_without_its_tools_it_says_which_it_needs() -> None:
    """It calls nothing that it was not offered."""
    reply = demo.connect(delay=0).complete([user(demo.GOAL)], make_tools(["calculator"]).specs())
    assert reply.content == (
        "I am a script and need the tools list_files for this: give me the families calculator, files, notes."
    )


def test_a_summary_says_what_the_request_names_and_no_more() -> None:
    """Goal, results from its notes, what comes next, in that order; the rules beside the goal are not asked for."""
    text = demo.connect(delay=0).complete([user(summary_request(whole()[:40]))], []).content
    assert text.startswith("The goal: The lending desk in this folder has charged some borrowers one day too little")
    assert RULES[0].words in text
    assert "20.00" not in text
    assert " Results so far: docs/fines.md: every calendar day" in text
    again = (
        demo.connect(delay=0)
        .complete(
            [user(summary_request([system(f"[summary #1 of 38 earlier messages]\n{text}"), *whole()[40:60]]))], []
        )
        .content
    )
    assert again.startswith(text.partition(" Results so far: ")[0])
    assert "L-2041, due 27 March" in again


def test_a_summary_of_other_messages_is_one_too() -> None:
    """Also of what it did not write, and where nothing is quoted."""
    llm = demo.connect(delay=0)
    asked = summary_request([user("Add 1 and 2."), assistant("", calls("c1", "add", a=1, b=2)), result("c1", "3")])
    assert llm.complete([user(asked)], []).content == (
        "The goal: Add 1 and 2. Results so far: none yet. Next: go on where the messages end."
    )
    assert llm.complete([user("Please condense the conversation.")], []).content


def streamed(llm: demo.DemoLLM, stops: Iterator[bool]) -> tuple[list[str], Message | None]:
    """What is told while a reply is written, and the reply; None if it was stopped."""
    pieces = list[str]()
    try:
        reply = llm.stream(
            [system(demo.SYSTEM), user(demo.GOAL)], toolbox().specs(), pieces.append, lambda: next(stops)
        )
    except RunCancelledError:
        return pieces, None
    return pieces, reply


def test_it_streams_word_by_word() -> None:
    """The pieces make up the reply, and the reply is the one that `complete` gives."""
    pieces, reply = streamed(demo.connect(delay=0), iter([False] * 99))
    assert reply is not None
    assert (len(pieces), "".join(pieces)) == (10, reply.content)
    assert reply == demo.connect(delay=0).complete([system(demo.SYSTEM), user(demo.GOAL)], toolbox().specs())


def test_a_stopped_reply_was_not_made() -> None:
    """After some words it stops; asked again, it gives the same reply."""
    llm = demo.connect(delay=0)
    assert streamed(llm, iter([False, False, True])) == (["I ", "will "], None)
    assert streamed(llm, iter([False] * 99))[1] is not None


def test_usage_is_what_it_counts() -> None:
    """Input is its own count of messages and tools, output the reply's, by o200k_base; nothing is cached."""
    window, specs, llm = [system(demo.SYSTEM), user(demo.GOAL)], toolbox().specs(), demo.connect(delay=0)
    reply = llm.complete(window, specs)
    assert reply.usage is not None
    assert (reply.usage.input_uncached, reply.usage.output) == (
        llm.count_tokens(window, specs),
        meter("o200k_base").count(reply),
    )
    assert (reply.usage.cache_read, reply.usage.cache_write) == (0, 0)
    assert llm.count_tokens(window, specs) > llm.count_tokens(window, []) == sum(map(meter("o200k_base").count, window))


def test_the_request_is_what_it_looks_at() -> None:
    """Model, messages and tools, as JSON."""
    body = demo.connect(delay=0).request([user("Hello")], [])
    assert body == {"model": "demo", "messages": [{"role": "user", "content": "Hello"}], "tools": []}


def test_no_file_of_the_sample_folder_says_a_rule() -> None:
    """What it sees of a rule can come from the user alone; and every family it needs exists."""
    texts = [path.read_text(encoding="utf-8").lower() for path in demo.FOLDER.rglob("*") if path.is_file()]
    assert 16 <= len(texts) <= 24
    assert not [rule for rule in RULES for text in texts if rule.words.lower() in " ".join(text.split())]
    assert all(rule.words in demo.GOAL for rule in RULES)
    assert set(demo.FAMILIES) <= {family.name for family in families()}


def test_the_fault_is_in_the_data() -> None:
    """Four loans of the export are charged a day too little, 1.50 together: those the script finds."""
    rows = [line.split(",") for line in (demo.FOLDER / "data" / "loans.csv").read_text().splitlines()[1:]]
    short = {row[0]: fine_in_cents(row) - cents(row[6]) for row in rows if fine_in_cents(row) != cents(row[6])}
    assert short == {"L-2041": 25, "L-2044": 25, "L-2050": 50, "L-2052": 50}


def cents(amount: str) -> int:
    """An amount in cents."""
    return int(amount.replace(".", ""))


def fine_in_cents(row: list[str]) -> int:
    """What a loan should cost by docs/fines.md, in cents."""
    late = (date.fromisoformat(row[5]) - date.fromisoformat(row[4])).days - 3 * (row[3] == "staff")
    return min(2_000, max(0, late) * (50 if row[1] == "film" else 25))
