"""A lane of Compare as the address holds it: `recorded`, `none`, or a policy followed by `,parameter=value` parts.

The part `pin` names the messages that no compaction of the lane takes, as `viewer.settings.pins` reads them.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from core import Policy, policy
from core.model.errors import UnknownParameterError
from viewer.settings.query import parse_value, settings_query

RECORDED, NONE = "recorded", "none"
PIN = "pin"
LETTERS = ("a", "b", "c", "d")
"""The parameters of the address, one for each lane."""


class Lane(NamedTuple):
    """What a lane shows: "recorded", "none" for the run without compactions, or a policy with the settings that were chosen.

    `pin` are the messages that the policy takes nowhere.
    """

    name: str
    settings: tuple[tuple[str, Any], ...] = ()
    pin: str = ""

    @property
    def simulated(self) -> bool:
        """Whether a policy is simulated."""
        return self.name not in (RECORDED, NONE)

    def set_values(self) -> dict[str, Any]:
        """The policy, what is set of it by parameter, and what is pinned."""
        return {"policy": self.name, PIN: self.pin} | {n: value for n, value in self.settings if value is not None}

    def holds(self, other: "Lane") -> bool:
        """Whether it shows what the other one does, whatever more is set here; what is not set is as good as None."""
        mine = dict(self.settings)
        same = (self.name, self.pin) == (other.name, other.pin)
        return same and all(mine.get(name) == value for name, value in other.settings)


def parse_lane(text: str) -> Lane:
    """The lane that an address names. Raises FoldlineError for a policy, a parameter or a value that there is not."""
    name, _, rest = text.partition(",")
    if name in (RECORDED, NONE):
        return Lane(name)
    known = {p.name: p for p in policy(name).parameters}
    settings: dict[str, Any] = {}
    pin = ""
    for part in _parts(rest, [*known, PIN]):
        key, _, value = part.partition("=")
        if key == PIN:
            pin = value
            continue
        if key not in known:
            raise UnknownParameterError(name, key, known)
        settings[key] = parse_value(known[key], value)
    return Lane(name, tuple(settings.items()), pin)


def lanes_for(shown: Lane, before: Lane, there: tuple[Lane, ...]) -> tuple[Lane, ...]:
    """The lanes to see a run in: those there are, where they hold it and what was set `before`; else these two.

    None where nothing else was simulated before: then the run stands beside the one as recorded.
    """
    changed = before.simulated and before.set_values() != shown.set_values()
    wanted = (before, shown) if changed else (shown,)
    if not shown.simulated or all(any(lane.holds(one) for lane in there) for one in wanted):
        return there
    return wanted if changed else ()


def _parts(text: str, names: list[str]) -> list[str]:
    """The parts between commas that a parameter's name follows: a list of names has commas of its own."""
    names_pattern = "|".join(map(re.escape, names))
    return re.split(rf",(?=(?:{names_pattern})=)", text) if text else []


def lane_text(rule: Policy, defaults: Mapping[str, Any], pin: str = "") -> str:
    """A policy with all its settings, as `parse_lane` reads it; unset ones are left out unless `defaults` would set them."""
    said = settings_query(rule, defaults) | ({PIN: pin} if pin else {})
    return ",".join([rule.name, *(f"{name}={value}" for name, value in said.items())])
