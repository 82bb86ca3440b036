"""Prompts that shrank though no compaction is on record: the window shown is not the one that was sent."""

from collections.abc import Iterator

from core.analyse.finding import Finding
from core.trace.prompt_falls import PromptFall, prompt_falls
from core.trace.trace import Trace

KINDS = ("prompt_shrank",)


def check_calls(trace: Trace) -> Iterator[tuple[int, Finding]]:
    """The model calls of a recorded run whose prompt no longer held the window, each with the step of its reply."""
    for fall in prompt_falls(trace).falls:
        yield trace.message_step(fall.call.at), _finding(trace, fall)


def _finding(trace: Trace, fall: PromptFall) -> Finding:
    before, call = fall.before, fall.call
    return Finding(
        kind="prompt_shrank",
        concern="structure",
        severity="warning",
        title="Prompt shrank without a recorded compaction",
        text=f"The recorded prompt fell from {before.prompt:,} to {call.prompt:,} tokens, and the messages in the window are "
        f"{call.seen:,} by the meter. Some of them were not sent, and the transcript does not say which.",
        messages=tuple(trace.messages[of.at].id for of in (call, before)),
        numbers={"before": before.prompt, "prompt": call.prompt, "window": call.seen},
    )
