"""The lanes that `foldline export --compare` names, each as the address of the Compare page has it."""

import argparse

from core.cli.traced import simulator
from core.engine.default_meter import session_meter
from core.engine.pins import pins_text
from core.engine.replay import replay
from core.engine.unbounded import unbounded
from core.meters import meter_name
from core.model.session import Session
from core.policies import policy
from core.trace.trace import Trace, conversation
from viewer.settings.lanes import NONE, RECORDED, Lane, parse_lane
from viewer.settings.pins import pins as address_pins


def lanes_named(session: Session, options: argparse.Namespace) -> list[Trace]:
    """The run of each lane, all under one meter: a policy's own would not compare. Raises FoldlineError."""
    counter = session_meter(options.meter, session)
    options = argparse.Namespace(**vars(options) | {"meter": meter_name(counter)})
    recorded = replay(session, meter=counter)
    others = {RECORDED: lambda: recorded, NONE: lambda: unbounded(recorded)}
    lanes = [parse_lane(text) for text in options.compare]
    return [others[lane.name]() if lane.name in others else _simulated(session, options, lane) for lane in lanes]


def _simulated(session: Session, options: argparse.Namespace, lane: Lane) -> Trace:
    """The run of a policy; what the lane itself pins, as an address does, goes before what is pinned in all of them."""
    own = {"pin": pins_text(conversation(session), address_pins(session, lane.pin))} if lane.pin else {}
    pinned = argparse.Namespace(**vars(options) | own)
    return simulator(session, pinned)(policy(lane.name, **dict(lane.settings)))
