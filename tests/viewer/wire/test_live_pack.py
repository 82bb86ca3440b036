"""What a browser is told of a live run, piece by piece, comes to what it would be sent of the whole run at once."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from core import Message, Policy, Session, policy
from core.agents.loop import AT_TURN_END, AT_TURN_START, BEFORE_CALL
from core.drive import Drive
from core.drive.recorder import Nowhere
from core.importers import agent_of
from core.summaries.summarizers import Structural
from core.toolbox.tools import ToolRegistry
from core.trace.events import RunSettings
from core.trace.partition_timeline import partition_timeline
from core.window.ranges import ADDED
from tests.drive.parts import Scripted, driven, pages
from tests.engine.test_chains import left_open, parallel, ruled
from tests.support import tight_over
from viewer.wire.live_pack import Seen, news
from viewer.wire.pack import flag_of
from viewer.wire.view import ROLES, columns


class Browser:
    """Accumulates news as the page does: what comes replaces what there was from its beginning on."""

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.flags: list[int] = []
        self.roles: list[int] = []
        self.tails: list[int] = []
        self.spared: list[int] = []
        self.heads: list[int] = []
        self.bodies: list[int] = []
        self.columns: dict[str, list[Any]] = {}
        self.view: dict[str, Any] = {}

    @property
    def seen(self) -> Seen:
        """What it has."""
        return Seen(len(self.tokens), len(self.columns.get("at", [])), len(self.tails))

    def hear(self, told: dict[str, Any]) -> None:
        """Take one answer in."""
        messages, compactions = told["messages"], told["c"]
        for name in ("tokens", "flags", "roles"):
            setattr(self, name, getattr(self, name)[: messages["from"]] + messages[name])
        first = compactions["from"]
        for name in compactions.keys() - {"from"}:
            self.columns[name] = self.columns.get(name, [])[:first] + compactions[name]
        for name in ("heads", "bodies"):
            setattr(self, name, getattr(self, name)[: told["epochs"]["from"]] + told["epochs"][name])
        for name in ("tails", "spared"):
            setattr(self, name, getattr(self, name)[: told["steps"]["from"]] + told["steps"][name])
        self.view = told["view"]


def silent(rules: Policy) -> Drive:
    """A run under this policy in which nobody drives."""
    settings = RunSettings(policy=rules.name, meter=rules.meter, summaries="structural")
    drive = Drive(settings, Scripted([]), ToolRegistry(), Nowhere())
    drive.context.set_policy(rules)
    drive.context.summarizer = Structural()
    return drive


def followed(drive: Drive, messages: list[Message], every: Callable[[], int]) -> Browser:
    """A browser that asks for news now and then while these messages arrive."""
    browser, wait = Browser(), 0
    for message in messages:
        _before(drive, message)
        drive.context.append(message)
        wait -= 1
        if wait <= 0:
            browser.hear(news(drive, browser.seen))
            wait = every()
    for phase in AT_TURN_END:
        drive.context.maybe_compact(phase)
    browser.hear(news(drive, browser.seen))
    return browser


def _before(drive: Drive, message: Message) -> None:
    typed, replied = message.typed, message.role == "assistant"
    for phase in (*AT_TURN_END, *AT_TURN_START) if typed else BEFORE_CALL if replied else ():
        drive.context.maybe_compact(phase)


@tight_over(parallel, left_open, ruled)
def test_in_pieces_it_is_what_it_is_at_once(rules: Policy, history: Callable[[int], Iterator[Message]]) -> None:
    """Messages, cuts and compactions that came in pieces are those of the whole trace, for every policy.

    The newest cuts alone are compared where a result may come later and move those of a while ago.
    """
    pick = random.Random(rules.name + history.__name__)
    drive = silent(rules)
    browser = followed(drive, list(history(15)), lambda: pick.randrange(1, 12))
    trace = drive.context.trace()
    whole = partition_timeline(trace)

    assert browser.tokens == list(trace.tokens)
    assert browser.roles == [ROLES[m.role] for m in trace.messages]
    assert [flag & ~64 for flag in browser.flags] == [flag_of(m) for m in trace.messages]
    assert len(browser.tails) == len(trace) == browser.view["length"]
    assert browser.heads == list(whole.heads)
    assert browser.bodies == list(whole.bodies)
    recent = 40 if history is left_open else len(trace)
    assert browser.tails[-recent:] == list(whole.tails)[-recent:]
    arrived = [step.messages for step in trace.steps]
    if whole.protected:  # behind all that had arrived is nowhere, whatever came later
        pairs = [[min(a, b) for a, b in zip(cuts, arrived, strict=True)] for cuts in (browser.spared, whole.protected)]
        assert pairs[0][-recent:] == pairs[1][-recent:]
    told = columns(trace.compactions, {m.id: i for i, m in enumerate(trace.messages)})
    assert browser.columns["at"] == [c.at for c in trace.compactions]
    for name in ("before", "after", "folded", "number", "status", "summaryTokens", "removedTokens", "added"):
        assert browser.columns[name] == told[name]


def test_a_live_run_names_its_agent(tmp_path: Path) -> None:
    """While it runs, and when its file is opened: no sentence has to say "the agent"."""
    drive = driven(tmp_path, Scripted(pages(1)))
    drive.send("Look.")
    drive.wait()
    drive.close()
    header = news(drive, Seen())["header"]
    assert [header["formatName"], header["agent"]] == ["foldline's agent"] * 2
    assert agent_of(Session(messages=[], format="foldline-run")) == "foldline's agent"


def test_what_was_added_has_a_place_of_its_own(tmp_path: Path) -> None:
    """In a layout the messages that compactions put in are counted from 50,000,000 on, however many have arrived."""
    drive = driven(tmp_path, Scripted(pages(12)))
    drive.send("Look.")
    drive.wait()
    drive.close()
    layouts = news(drive, Seen())["c"]["layout"]
    placed = [place - ADDED for flat in layouts for place in flat[::2] if ADDED <= place < 2 * ADDED]
    assert placed == list(range(len(layouts)))
    assert len(layouts) > 1


def test_a_policy_that_is_changed_begins_an_era(tmp_path: Path) -> None:
    """The budget of every step is known: from which step on which limit held, and the cuts are those of the policy then."""
    drive = silent(policy("agentkit.memory", budget=100_000, keep_recent=4))
    browser = Browser()
    for message in list(parallel())[:30]:
        drive.context.append(message)
    browser.hear(news(drive, browser.seen))
    drive.context.set_policy(policy("agentkit.memory", budget=300, keep_recent=2))
    for message in list(parallel())[30:40]:
        drive.context.maybe_compact("before_call")
        drive.context.append(message)
    browser.hear(news(drive, browser.seen))
    assert [[step, limit] for step, limit, *_ in browser.view["eras"]] == [[0, 100_000], [29, 300]]
    assert browser.tails[28:30] == [25, 28]
    again = Browser()
    again.hear(news(drive, Seen()))
    assert again.tails == browser.tails
    assert drive.context.compactions[0].limit == 300


def test_a_browser_of_another_run_is_told_everything(tmp_path: Path) -> None:
    """One that claims to have seen more than there is gets all of it."""
    drive = silent(policy("agentkit.memory"))
    drive.context.append(next(parallel()))
    assert news(drive, Seen(messages=900, compactions=3, steps=903))["messages"]["from"] == 0


def test_the_news_say_whether_a_turn_could_be_gone_on_with(tmp_path: Path) -> None:
    """Not where nothing was typed, nor after an answer; but where the calls allowed ran out in the middle."""
    drive = driven(tmp_path, Scripted(pages(12)), max_calls=7)
    assert (news(drive, Seen())["state"]["turn"], news(drive, Seen())["state"]["more"]) == (0, False)
    drive.send("Look.")
    assert drive.wait() == "ended"
    assert news(drive, Seen())["state"]["more"]
    drive.resume()
    assert drive.wait() == "ended"
    drive.close()
    assert not news(drive, Seen())["state"]["more"]
