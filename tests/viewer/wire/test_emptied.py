"""What the page is sent of policies that empty messages where they stand, act in tiers or fail."""

from random import Random
from typing import Any

from starlette.applications import Starlette
from starlette.testclient import TestClient

from core import Trace, meter, policy, simulate
from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Condition, Opaque, Placement, Scope, Size, Source, Stage, Summarize, Trigger
from core.trace.trace import as_session
from core.window.ranges import ADDED
from tests.support import assistant, calls, result, terse, user
from tests.viewer.wire.test_pack import viewed
from viewer.api.debugger import ROUTES
from viewer.sessions.registry import TRACES
from viewer.wire import present
from viewer.wire.card import compaction_card
from viewer.wire.pack import view_payload
from viewer.wire.view import thinking_alone

BODY = "line of a file\n" * 20


def session() -> Any:
    """Three questions to tools, each answered with 300 characters, then a word."""
    turns = [[assistant("", calls(f"c{k}", "read", path=f"{k}.py")), result(f"c{k}", BODY)] for k in range(3)]
    return as_session([user("look"), *turns[0], *turns[1], *turns[2], assistant("done")])


def cleared(**settings: Any) -> Trace:
    """Run under LangChain's rule: above 100 tokens all results but the newest are emptied."""
    rule = policy("langchain.clear_tool_uses", trigger=100, keep=1, **settings)
    return simulate(session(), rule, meter=meter("agentkit"))


def tiered(**changes: Any) -> Policy:
    """Results emptied above 100 tokens, and above 110 all but the newest message folded."""
    first = Stage(
        name="clear_results",
        when=((Condition(value=100),),),
        scope=Scope(head="none", tail=Size(unit="results", value=1)),
        transform=Clear(text="[gone]"),
    )
    known: dict[str, Any] = {
        "name": "tiers",
        "title": "Tiers",
        "about": "",
        "source": Source(url=""),
        "fidelity": "modelled",
        "meter": "agentkit",
        "trigger": Trigger(phase="before_call", any_of=((Condition(value=110, at_least=True),),)),
        "tiers": (first,),
        "scope": Scope(tail=Size(unit="messages", value=1), cut_boundary="off_results"),
        "placement": Placement(role="user", template="{text}"),
    }
    return Policy(**(known | changes))


def test_what_is_left_of_an_emptied_message_is_told() -> None:
    """Message 2, a result of 300 characters, is left as the placeholder; the message itself is whole all the same."""
    trace = cleared()

    left = present.shadow_of(trace, 0, 2)
    assert left is not None
    assert (left["index"], left["content"], left["injected"]) == (2, "[cleared]", "cleared")
    assert left["tokens"] == trace.cleared_copies[0].tokens[2] < trace.tokens[2]
    assert present.message_of(trace.measured, 2)["content"] == BODY


def test_what_was_never_emptied_has_nothing_left_of_it() -> None:
    """Neither a message that no stage empties, nor one of a stage or a place that there is not, is told of."""
    trace = cleared()
    found = [present.shadow_of(trace, s, i) for s, i in ((0, 0), (0, 6), (1, 2), (-1, 2), (0, 99))]
    assert found == [None] * 5


def test_the_route_answers_what_is_left() -> None:
    """`api/shadow/{tid}/{s}/{i}` gives the body that the model is still sent; 404 in words for what is not there."""
    TRACES.put("emptied", cleared())
    client = TestClient(Starlette(routes=ROUTES))
    assert client.get("/api/shadow/emptied/0/2").json()["content"] == "[cleared]"
    assert client.get("/api/shadow/emptied/0/2?from=4").json()["content"] == "ared]"
    for path in ("emptied/0/0", "emptied/7/2", "nowhere/0/2"):
        answer = client.get(f"/api/shadow/{path}")
        assert (answer.status_code, answer.json()["hint"]) == (404, "reload the page")


def test_a_card_tells_what_was_emptied_apart_from_what_left() -> None:
    """Emptied messages are neither removed nor kept, and without tiers there is none to name."""
    card = compaction_card(cleared(), 0)
    assert (card["cleared"], card["removed"]) == ([[2, 3]], [])
    assert (card["tiers"], card["unread"]) == ([], 0)


def test_a_shortened_message_has_not_left() -> None:
    """A result of which the ends are kept is told as emptied, and the view says its shadow is only short."""
    rule = tiered(
        tiers=(), scope=Scope(head="none"), transform=Clear(text="…", above=100, head=10, tail=10), placement=None
    )
    trace = simulate(session(), rule, meter=meter("agentkit"))
    assert compaction_card(trace, 0)["removed"] == []
    assert viewed(view_payload("s", "t", trace, {}))["shadows"][0]["short"] == 1


def test_thinking_alone_is_told_from_what_is_emptied() -> None:
    """A rule that leaves out thinking and nothing else says so; one that empties results too does not."""
    assert thinking_alone(Clear(results=False, thinking=True))
    assert not thinking_alone(Clear(thinking=True))
    assert not thinking_alone(Clear(results=False, inputs=True, thinking=True))


def test_a_card_names_the_tiers_that_acted() -> None:
    """The first compaction only clears, what is still too large is folded as well; the last stage is told by what it does."""
    trace = simulate(session(), tiered(), meter=meter("agentkit"), summarizer=terse)
    named = [compaction_card(trace, j)["tiers"] for j in range(len(trace.compactions))]
    assert named == [["clear results"], ["clear results", "summarize"]]


def test_a_view_says_when_its_policy_acts() -> None:
    """All conditions in words, tiers first; always where nothing is asked for; nothing where it must be asked."""

    def when(**changes: Any) -> str:
        trace = simulate(as_session([user("hello")]), tiered(**changes), meter=meter("agentkit"), summarizer=terse)
        found: str = viewed(view_payload("s", "t", trace, {}))["policy"]["when"]
        return found

    assert when() == "tokens > 100 (clear results), then tokens ≥ 110"
    either = ((Condition(of="messages", value=40),), (Condition(value=160_000, at_least=True),))
    assert when(tiers=(), trigger=Trigger(phase="before_call", any_of=either)) == "messages > 40 or tokens ≥ 160,000"
    assert when(tiers=(), trigger=Trigger(phase="before_call", any_of=((),))) == "always"
    assert when(tiers=(), trigger=Trigger(phase="manual")) == ""


def test_what_a_fallback_acted_for_is_sent() -> None:
    """Where no summary was written and the policy made room in another way, the page is told why; else nothing is."""

    def broken(messages: Any, prior: Any) -> str:
        raise RuntimeError("boom")

    rule = policy("aider", max_chat_history_tokens=60)
    messages = as_session([user("look " * 60), assistant("done " * 60), user("again " * 60), assistant("yes " * 60)])
    failed, written = (
        viewed(view_payload("s", "t", simulate(messages, rule, meter=meter("agentkit"), summarizer=write), {}))
        for write in (broken, None)
    )
    assert "boom" in failed["c"]["setback"][0]
    assert written["c"]["setback"] == []


def test_a_pass_that_failed_is_listed() -> None:
    """Where the summarizer fails, the view names the place and the reason, and a note tells it to a reader."""

    def broken(*_: Any) -> str:
        raise RuntimeError("boom")

    rule = tiered(tiers=(), transform=Summarize())
    trace = simulate(session(), rule, meter=meter("agentkit"), summarizer=broken)
    view = viewed(view_payload("s", "t", trace, {}))
    assert view["failed"]["at"][0] == 5
    assert "boom" in view["failed"]["reason"][0]
    assert [note for note in view["notes"] if "boom" in note] == [trace.notes[-1]]  # said once


def test_a_slider_move_is_small() -> None:
    """A tail in tokens moves by another number of messages at every step; each costs little more than half a byte."""
    sizes = Random(7)
    texts = ["x" * int(sizes.lognormvariate(5, 1.3)) for _ in range(6000)]
    messages = [user(t) if k % 9 == 0 else assistant(t) for k, t in enumerate(texts)]
    rule = tiered(
        tiers=(),
        trigger=Trigger(phase="turn_start", any_of=((Condition(value=40_000),),)),
        scope=Scope(tail=Size(unit="tokens", value=8_000)),
    )
    trace = simulate(as_session(messages), rule, meter=meter("agentkit"), summarizer=terse)
    assert len(trace.compactions) > 5
    assert len(view_payload("s", "t", trace, {})["z"]) < 0.55 * len(trace) + 1500


def test_ranges_of_a_layout_lie_in_one_part_of_the_pool() -> None:
    """A summary that is put behind the session's last message begins a range of its own."""
    rule = tiered(
        tiers=(),
        trigger=Trigger(phase="turn_end", any_of=((Condition(value=50),),)),
        transform=Opaque(tokens=5, text="[item]"),
        placement=Placement(role="assistant", template="{text}", where="end"),
    )
    trace = simulate(session(), rule, meter=meter("agentkit"))
    n = len(trace.messages)
    layout = viewed(view_payload("s", "t", trace, {}))["c"]["layout"][0]
    assert trace.compactions[0].layout_after == ((n - 1, n), (ADDED, ADDED + 1))
    assert layout == [n - 1, n, ADDED, ADDED + 1]


def test_a_condition_that_is_never_met_or_never_first_is_not_said() -> None:
    """Of limits in tokens only the lowest is said; neither a tier that is not set nor the name of one that is alone."""

    def when(name: str, **settings: Any) -> str:
        trace = simulate(as_session([user("a")]), policy(name, **settings), meter=meter("agentkit"), summarizer=terse)
        found: str = viewed(view_payload("s", "t", trace, {}))["policy"]["when"]
        return found

    assert when("codex.local", model_auto_compact_token_limit=8000) == "tokens ≥ 8,000"
    assert when("openhands.llm_summarizing", max_size=40, max_tokens=9000) == "messages > 40 or tokens > 9,000"
    assert when("strands.summarizing") == "tokens > 200,000"
    assert when("strands.sliding_window") == "messages > 40 (window size), then tokens > 200,000 (oldest result)"


def test_a_limit_is_named_after_the_parameter_that_sets_it() -> None:
    """Where the parameter is not set, or another limit is lower, the number is not its."""

    def name(**settings: Any) -> str:
        trace = simulate(
            as_session([user("a")]), policy("codex.local", **settings), meter=meter("agentkit"), summarizer=terse
        )
        found: str = viewed(view_payload("s", "t", trace, {}))["policy"]["limitName"]
        return found

    assert name(model_auto_compact_token_limit=8000) == "model_auto_compact_token_limit"
    assert (name(), name(model_auto_compact_token_limit=190_000)) == ("the limit", "the limit")
