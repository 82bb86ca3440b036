"""The cost of a live run, from a local server through the real SDK into its file."""

from pathlib import Path

from pytest_httpserver import HTTPServer

from core import load, replay
from core.cli.show import ZeroMeter, summary
from core.drive import Store, reopen, start
from core.trace.events import RunSettings
from tests.llm.replies import CHAT, events, streaming

PRICES = (0.25, None, 0.5)


def reply(cost: float | None) -> list[str]:
    """A reply in a stream, as OpenRouter and LiteLLM send it; None is a server that reports no cost."""
    known = {"id": "gen-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    said = {**known, "choices": [{"index": 0, "delta": {"content": "Yes."}, "finish_reason": "stop"}]}
    usage = {"prompt_tokens": 100, "completion_tokens": 3, "total_tokens": 103} | ({"cost": cost} if cost else {})
    return [*events(said, {**known, "choices": [], "usage": usage}), "data: [DONE]\n\n"]


def test_the_cost_that_a_server_reports_is_recorded_with_each_call_and_summed(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    """In the state of the run, in its file once it is reopened, in the list of runs, and in the file as a transcript."""
    for cost in PRICES:
        httpserver.expect_ordered_request(CHAT.path).respond_with_handler(streaming(reply(cost)))
    address = httpserver.url_for("/v1")
    store = Store(tmp_path)
    settings = RunSettings(provider="openai-compatible", model="m", base_url=address, summaries="structural")
    drive = start(settings, store, key="k")
    for k in range(3):
        drive.send(f"Question {k}")
        assert drive.wait(180) == "ended"
    assert (drive.state.totals.prompt, drive.state.totals.cost) == (300, 0.75)
    drive.close()

    again = reopen(drive.id, store, key="k")
    assert again.state.totals == drive.state.totals
    again.close()

    (info,) = store.runs()
    assert (info.facts.calls, info.facts.priced, info.facts.usage.cost) == (3, 2, 0.75)
    session = load(store.path(drive.id))
    costs = [message.usage.cost for message in session.messages if message.usage]
    assert costs == [0.25, None, 0.5]
    shown = summary(replay(session, meter=ZeroMeter()))
    assert (shown["cost"], list(shown["usage"])) == (0.75, ["input_uncached", "cache_read", "cache_write", "output"])
