"""What several commands need: the session that the options name, the mark of an estimate, previews of messages."""

import argparse

from core.cli.terminal import preview
from core.importers import load
from core.meters import Meter, approximate, meter_name
from core.model.agent_windows import agent_window
from core.model.own_text import own_text
from core.model.session import Message, Session


def one_session(options: argparse.Namespace) -> Session:
    """The session and lane that --session and --lane name; without --session the first one."""
    return agent_window(load(options.file, session=options.session), options.lane).session


def tilde(counter: Meter, session: Session) -> str:
    """The mark in front of the meter's numbers: "~" if it only estimates the tokens of the session's model."""
    return "~" if approximate(meter_name(counter), session.model) else ""


def message_preview(message: Message) -> str:
    """The beginning of a message's content and of its tool calls, on one line."""
    calls = (f"-> {c.name}({', '.join(f'{k}={v!r}' for k, v in c.arguments.items())})" for c in message.tool_calls)
    text = own_text(message) if message.content.strip() else message.thinking
    return preview(" ".join(part for part in (text[:1000], *calls) if part))
