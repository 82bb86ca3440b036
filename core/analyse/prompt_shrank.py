"""Prompts that shrank though no compaction is on record: the window shown may not be the one that was sent."""

from collections.abc import Iterator

from core.analyse.finding import Finding
from core.trace.left_out import LeftOut, left_out
from core.trace.model_calls import ModelCall
from core.trace.prompt_falls import PromptFall, prompt_falls
from core.trace.trace import Trace

KINDS = ("prompt_shrank",)

_LEFT = "<command-name>/exit</command-name>"
"""How Claude Code records that a person left a session."""


def check_calls(trace: Trace) -> Iterator[tuple[int, Finding]]:
    """The model calls of a recorded run whose prompt left out what earlier ones held, each with the step of its reply."""
    for fall in prompt_falls(trace).falls:
        yield trace.message_step(fall.call.at), _finding(trace, fall, _short_of(fall))
    for found in left_out(trace).calls:
        yield trace.message_step(found.call.at), _finding(trace, found, _unknown(trace, found))


def _finding(trace: Trace, fall: PromptFall | LeftOut, text: str) -> Finding:
    before, call = fall.before, fall.call
    return Finding(
        kind="prompt_shrank",
        concern="record",
        severity="warning",
        title="Prompt shrank without a recorded compaction",
        text=f"The recorded prompt fell from {before.prompt:,} to {call.prompt:,} tokens{text}",
        messages=tuple(trace.messages[of.at].id for of in (call, before)),
        numbers={"before": before.prompt, "prompt": call.prompt, "window": call.seen},
    )


def _short_of(fall: PromptFall) -> str:
    """Of a prompt too small for the window."""
    return (
        f", and the messages in the window are {fall.call.seen:,} by the meter. "
        "Some of them were not sent, and the transcript does not say which."
    )


def _unknown(trace: Trace, found: LeftOut) -> str:
    """Of a prompt that may have held the whole window, or what stood beside it, but not both."""
    by = found.before.prompt - found.call.prompt
    return (
        f", by {by:,}{_gone_on(trace, found.before, found.call)}. The transcript does not say what left: "
        "messages of the window, or system prompt, tools and what the agent had added."
    )


def _gone_on(trace: Trace, before: ModelCall, call: ModelCall) -> str:
    """That the user had left the session between the two calls; "" where nothing says so."""
    between = trace.messages[before.at + 1 : call.at]
    left = any(message.injected == "command" and _LEFT in message.content for message in between)
    return ", when the session went on after /exit" if left else ""
