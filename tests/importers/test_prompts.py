"""A run known by its prompts: what arrived, what was compacted, emptied, asked again, said otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.replay import CLEARED, replay
from core.importers._shapes.prompts import Prompts
from core.importers._shapes.prompts_match import matched
from core.model.session import Message, Session, ToolCall, Usage

SAY = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}


def message(text: str, **more: Any) -> Message:
    """A message whose role is its first letter; `c` is a reply with a call, `t` the result of the call of that number."""
    number = text[1:].split(":")[0]
    known: dict[str, Any] = {"content": text, **more}
    if text[0] == "c":
        return Message(role="assistant", tool_calls=(ToolCall(id=f"call-{number}", name="read"),), **known)
    if text[0] == "t":
        return Message(role="tool", tool_call_id=f"call-{number}", **known)
    return Message(role=SAY[text[0]], **known)


def run(*calls: Sequence[str]) -> Prompts:
    """Model calls, each what was sent and, behind a bar, what was answered."""
    prompts = Prompts()
    for number, call in enumerate(calls, 1):
        sent, _, answer = " ".join(call).partition("|")
        prompts.prompt([message(text) for text in sent.split()], line=number)
        for text in answer.split():
            prompts.reply(message(text, usage=Usage(input_uncached=number * 10, output=1)))
    return prompts


def outline(prompts: Prompts) -> str:
    """What arrived, in order; a summary in brackets."""
    return " ".join(f"[{m.content}]" if m.injected == "summary" else m.content for m in prompts.messages)


def windows(prompts: Prompts) -> list[str]:
    """What stood in the window after each compaction, as replay has it."""
    found = replay(Session(messages=tuple(prompts.messages), compactions=tuple(prompts.compactions)))
    return [" ".join(m.content for m in compaction.after) for compaction in found.compactions]


def test_prompts_that_repeat_the_history_are_one_conversation():
    """What was sent before, and the replies, arrive once."""
    prompts = run(["s1 u1 | c1"], ["s1 u1 c1 t1 | a1"], ["s1 u1 c1 t1 a1 u2 | a2"])
    assert outline(prompts) == "s1 u1 c1 t1 a1 u2 a2"
    assert (prompts.compactions, prompts.arrived, prompts.rewritten) == ([], 7, 0)


def test_what_took_the_place_of_others_is_a_summary():
    """It stands in front of something that stayed."""
    prompts = run(["s1 u1 | c1"], ["s1 u1 c1 t1 | c2"], ["s1 uS c2 t2 | a1"])
    assert outline(prompts) == "s1 u1 c1 t1 c2 [uS] t2 a1"
    (found,) = prompts.compactions
    ids = {m.content: m.id for m in prompts.messages}
    assert (found.at, found.summary, found.kept, found.lead) == (5, ids["uS"], (ids["c2"],), 0)
    assert (found.line, found.fidelity) == (3, "inferred")
    assert windows(prompts) == ["s1 uS c2"]


@pytest.mark.parametrize(
    ("after", "messages", "window"),
    [
        ("s1 u1 uS c2 t2", "s1 u1 c1 t1 c2 [uS] t2", "s1 u1 uS c2"),  # behind what is pinned
        ("s1 uS t2", "s1 u1 c1 t1 c2 [uS] t2", "s1 uS"),  # nothing kept: the first message is the summary
        ("s1 uS aS c2 t2", "s1 u1 c1 t1 c2 [uS\n\naS] t2", "s1 uS\n\naS c2"),  # the summary and what acknowledges it
        ("s1 uS aS u2", "s1 u1 c1 t1 c2 [uS\n\naS] u2", "s1 uS\n\naS"),
        ("s1 sS c2 t2", "s1 u1 c1 t1 c2 [sS] t2", "s1 sS c2"),  # a system message that is none of the first
        ("s1 c2 t2", "s1 u1 c1 t1 c2 t2", "s1 c2"),  # dropped
        ("s1 u1 t2", "s1 u1 c1 t1 c2 t2", "s1 u1"),
    ],
)
def test_where_a_summary_may_stand(after, messages, window):
    """And what it leaves in the window."""
    prompts = run(["s1 u1 | c1"], ["s1 u1 c1 t1 | c2"], [after])
    assert (outline(prompts), windows(prompts)) == (messages, [window])
    assert prompts.compactions[0].edit == ("summarised" if "[" in messages else "dropped")


def test_a_message_alone_where_a_persons_was_due_is_no_summary():
    """Each call without the history: what was there is dropped."""
    prompts = run(["s1 u1 | a1"], ["s1 u2 | a2"])
    assert (outline(prompts), windows(prompts)) == ("s1 u1 a1 u2 a2", ["s1"])
    assert prompts.compactions[0].summary is None


def test_a_summary_is_summarised_again():
    """The second one takes the place of the first, or is put behind it."""
    prompts = run(["s1 u1 | c1"], ["s1 uS c1 t1 | c2"], ["s1 uR c2 t2 | c3"], ["s1 uR uT c3 t3"])
    assert outline(prompts) == "s1 u1 c1 [uS] t1 c2 [uR] t2 c3 [uT] t3"
    assert windows(prompts) == ["s1 uS c1", "s1 uR c2", "s1 uR uT c3"]


def test_a_summary_and_its_acknowledgement_stay_together():
    """Two messages of a prompt that are one of the session: gone together, kept together."""
    prompts = run(["s1 u1 | c1"], ["s1 uS aS c1 t1 | c2"], ["s1 uS aS c2 t2 | c3"], ["s1 uR c3 t3"])
    assert windows(prompts) == ["s1 uS\n\naS c1", "s1 uS\n\naS c2", "s1 uR c3"]


def test_a_result_that_says_less_was_emptied():
    """It is known by its call, also where something else is gone at the same time."""
    prompts = run(["s1 u1 | c1"], ["s1 u1 c1 t1:long | c2"], ["s1 u1 c1 t1 c2 t2:long | c3"], ["s1 uS c2 t2 c3 t3"])
    first, second, third = prompts.compactions
    ids = {m.content: m.id for m in prompts.messages}
    assert (first.kind, first.at, first.cleared) == ("microcompaction", 5, (ids["t1:long"],))
    assert (second.kind, second.cleared) == ("microcompaction", (ids["t2:long"],))
    assert (third.kind, third.kept) == ("compaction", (ids["c2"], ids["t2:long"], ids["c3"]))
    assert windows(prompts)[-1] == f"s1 uS c2 {CLEARED} c3"


def test_results_without_a_call_are_known_by_their_place():
    """Older formats name no call."""
    long, short = (Message(role="tool", content=text) for text in ("a long result", "a"))
    prompts = Prompts()
    prompts.prompt([message("u1"), long])
    prompts.prompt([message("u1"), short, message("u2")])
    assert [c.kind for c in prompts.compactions] == ["microcompaction"]
    assert [m.content for m in prompts.messages] == ["u1", "a long result", "u2"]


def test_a_call_made_again_takes_the_reply_back():
    """The same prompt once more, or another reply in its place: the first was thrown away."""
    prompts = run(["s1 u1 | a1"], ["s1 u1 | a2"], ["s1 u1 a3 u2 | a4"])
    assert (outline(prompts), [m.content for m in prompts.retried]) == ("s1 u1 a2 u2 a4", ["a1"])
    assert (prompts.compactions, prompts.rewritten, prompts.arrived) == ([], 0, 5)


def test_a_reply_that_no_prompt_repeats_was_dropped():
    """The next prompt goes on without it."""
    prompts = run(["u1 | a1"], ["u1 u2 | a2"])
    assert (outline(prompts), windows(prompts)) == ("u1 a1 u2 a2", ["u1"])


def test_a_reply_may_come_back_with_what_was_not_recorded_of_it():
    """A trace that holds the text of a reply alone: its calls are in the next prompt."""
    prompts = Prompts()
    prompts.prompt([message("u1")])
    prompts.reply(Message(id="r", role="assistant", content="I look", usage=Usage(output=3)))
    prompts.prompt([message("u1"), message("c1"), message("t1")])
    _, reply, _ = prompts.messages
    assert (reply.id, reply.content, reply.usage, reply.tool_calls[0].id) == ("r", "I look", Usage(output=3), "call-1")
    assert (prompts.compactions, prompts.rewritten) == ([], 0)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("fix it <reminder>be brief</reminder>", "fix it"),
        ("fix it", "<date>today</date> fix it"),
        ("how many beds are there in the shop?", "how many beds are there in the cellar?"),
    ],
)
def test_a_message_said_a_little_otherwise_is_the_same(was, now):
    """A reminder that moves on is no compaction; the message stays as it was first, and is counted."""
    prompts = Prompts()
    prompts.prompt([Message(role="user", content=was)])
    prompts.reply(message("a1"))
    prompts.prompt([Message(role="user", content=now), message("a1"), message("u2")])
    assert [m.content for m in prompts.messages] == [was, "a1", "u2"]
    assert (prompts.compactions, prompts.rewritten) == ([], 1)


def test_system_messages_stay_as_they_were_first():
    """One that says the time changes with every call; one that is left out later was there all the same."""
    prompts = run(["s1 s2 u1 | a1"], ["s3 s4 u1 a1 u2 | a2"], ["s5 u1 a1 u2 a2 u3"])
    assert (outline(prompts), prompts.compactions) == ("s1 s2 u1 a1 u2 a2 u3", [])


def test_what_comes_in_between_is_no_compaction():
    """Nothing is gone: it arrived."""
    prompts = run(["u1 | a1"], ["uM u1 a1 u2 | a2"], ["uM u1 a1 u2 a2 u3"])
    assert (outline(prompts), prompts.compactions) == ("u1 a1 uM u2 a2 u3", [])


def test_messages_that_say_the_same_are_told_apart_by_their_neighbours():
    """Of three times "go on" the newest stayed, and one more came."""
    prompts = run(["u1 | a1"], ["u1 a1 ugo | a2"], ["u1 a1 ugo a2 ugo | a3"], ["uS ugo a3 ugo"])
    assert (outline(prompts), windows(prompts)) == ("u1 a1 ugo a2 ugo a3 [uS] ugo", ["uS ugo a3"])
    assert prompts.compactions[0].kept == tuple(m.id for m in prompts.messages[4:6])


def test_the_like_of_an_old_message_behind_a_new_result_is_new():
    """What is new comes last, so nothing behind a new result was kept."""
    prompts = run(["u1 ugo | c1"], ["t1 ugo"])
    assert (outline(prompts), windows(prompts)) == ("u1 ugo c1 t1 ugo", [""])


def test_what_stands_in_both_is_in_order_of_both():
    """The longest row of what is in each once, and what is the same next to it."""
    found = [matched(one, other) for one, other in (("abcd", "cda"), ("axxb", "bxxa"), ("abc", ""), ("xxa", "sxxa"))]
    assert found == [[(2, 0), (3, 1)], [(3, 0)], [], [(0, 1), (1, 2), (2, 3)]]


def test_an_empty_prompt_says_nothing():
    """A call whose input was not recorded."""
    prompts = run(["| a0"], ["u1 | a1"], ["| a2"], ["u1 a1 a2 u3"])
    assert (outline(prompts), len(prompts.compactions)) == ("a0 u1 a1 a2 u3", 1)


def test_prompts_that_hold_only_what_is_new():
    """`more` compares nothing."""
    prompts = run(["u1 | a1"])
    prompts.more([message("u1")])
    assert (outline(prompts), prompts.compactions) == ("u1 a1 u1", [])


def test_ids_are_made_unique():
    """Every message has one, and compactions name them."""
    prompts = Prompts()
    for text in ("x", "y", "z"):
        prompts.prompt([Message(id="m", role="user", content=text), Message(id="m", role="user", content=text * 2)])
    assert len({m.id for m in prompts.messages}) == len(prompts.messages)


def test_how_much_a_prompt_shares_with_the_window():
    """To find the conversation it belongs to: system messages do not count, order does not matter."""
    prompts = run(["s1 u1 | c1"], ["s1 u1 c1 t1 | a1"])
    shared = [
        prompts.shared([message(text) for text in sent.split()]) for sent in ("s1 u1 c1 t1 a1 u2", "s1 uS a1", "s1")
    ]
    assert shared == [4, 1, 0]
    assert Prompts().shared([message("u1")]) == 0


@dataclass
class Agent:
    """One that keeps a list of messages, and now and then makes it shorter. `seen` is what each call was sent."""

    prompts: Prompts = field(default_factory=Prompts)
    window: list[Message] = field(default_factory=list)
    seen: list[tuple[int, list[str]]] = field(default_factory=list)
    answers: set[str] = field(default_factory=set)
    made: int = 0

    def new(self, kind: str) -> Message:
        """A message never seen before."""
        self.made += 1
        return message(f"{kind}{self.made:05d}")

    def type(self) -> None:
        """A person says something."""
        self.window.append(self.new("u"))

    def call(self, answer: str) -> None:
        """Ask the model; a result follows a call."""
        self.prompts.prompt([m.model_copy() for m in self.window])
        step = self.prompts.arrived + len(self.prompts.compactions) - 1
        self.seen.append((step, [m.content for m in self.window]))
        reply = self.new(answer)
        self.prompts.reply(reply)
        self.window.append(reply)
        if answer == "c":
            self.window.append(message(f"t{self.made:05d}:{'result ' * 9}"))

    def fold(self, pinned: int, tail: int, put: int) -> None:
        """Put a summary, with or without an answer to it, or nothing, in the place of what is neither pinned nor tail.

        A summary and its answer are never parted: here they are one message.
        """
        head = self._whole(1 + pinned)
        kept = self._whole(max(head, len(self.window) - tail))
        if kept - head > put:
            self.window[head:kept] = [self.new(kind) for kind in ("u", "a")[:put]]
            self.answers |= {m.content for m in self.window[head + 1 : head + put]}

    def _whole(self, place: int) -> int:
        return place + (place < len(self.window) and self.window[place].content in self.answers)

    def clear(self, count: int) -> None:
        """Empty the oldest results."""
        spots = [i for i, m in enumerate(self.window) if m.role == "tool"][:count]
        for i in spots:
            self.window[i] = self.window[i].model_copy(update={"content": CLEARED})


ACTS = st.one_of(
    st.tuples(st.just("call"), st.sampled_from("caac")),
    st.tuples(st.just("fold"), st.integers(0, 2), st.integers(0, 6), st.integers(0, 2)),
    st.tuples(st.just("clear"), st.integers(1, 3)),
    st.tuples(st.just("type")),
)


@given(st.lists(ACTS, max_size=40))
def test_replay_gives_the_windows_that_the_prompts_were(acts):
    """Whatever an agent does to its list, replaying what was worked out from its prompts gives each of them again."""
    agent = Agent(window=[message("s1"), message("u1")])
    for name, *how in acts:
        getattr(agent, name)(*how)
    agent.call("a")
    trace = replay(Session(messages=tuple(agent.prompts.messages), compactions=tuple(agent.prompts.compactions)))
    for step, sent in agent.seen:
        shown = "\n\n".join(m.content for m in trace.window(step))
        assert shown == "\n\n".join(sent)


def test_a_long_run_is_compared_cheaply():
    """2,000 prompts of up to 4,000 messages: messages known at sight are not looked into."""
    prompts, history = Prompts(), [message("s1")]
    for number in range(2000):
        history.append(message(f"c{number}"))
        history.append(message(f"t{number}"))
        prompts.prompt(history)
    assert (len(prompts.messages), prompts.compactions) == (4001, [])
