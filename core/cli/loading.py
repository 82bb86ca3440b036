"""What several commands need: the session that the options name, its meter, previews of messages."""

import argparse

from core.cli.terminal import preview
from core.engine.default_meter import PLAIN, default_meter
from core.importers import load
from core.meters import Meter, approximate, bound, meter, meter_name
from core.model.agent_windows import agent_window
from core.model.session import Message, Session
from core.policy.policy import Policy


def one_session(options: argparse.Namespace) -> Session:
    """The session and lane that --session and --lane name; without --session the first one."""
    return agent_window(load(options.file, session=options.session), options.lane).session


def session_meter(name: str | None, session: Session, rule: Policy | None = None) -> Meter:
    """The meter of this name; else the heuristic that the policy comes with, if it does; else the session's default."""
    own = rule.meter if rule and rule.meter != PLAIN else None
    return bound(meter(name or own or default_meter(session)), session)


def tilde(counter: Meter, session: Session) -> str:
    """The mark in front of the meter's numbers: "~" if it only estimates the tokens of the session's model."""
    return "~" if approximate(meter_name(counter), session.model) else ""


def message_preview(message: Message) -> str:
    """The beginning of a message's content and of its tool calls, on one line."""
    calls = (f"-> {c.name}({', '.join(f'{k}={v!r}' for k, v in c.arguments.items())})" for c in message.tool_calls)
    text = message.content if message.content.strip() else message.thinking
    return preview(" ".join(part for part in (text[:1000], *calls) if part))
