"""Which region of its window a message is in."""

from core.model.session import Message
from core.policy.policy import Policy
from core.policy.vocabulary import Clear
from core.trace.hindsight import Hindsight
from core.window.heads import is_summary, leading_systems
from core.window.partition import Partition, partition
from core.window.ranges import SPACE
from core.window.window import Region, Window


class Regions:
    """Which region each message of one window is in: under a policy, or as recorded, with hindsight where there is any."""

    def __init__(self, window: Window, policy: Policy | None, hindsight: Hindsight | None = None) -> None:
        self.window, self.policy, self.hindsight = window, policy, hindsight
        self.place = policy.placement if policy else None
        if policy is None:
            head = hindsight.head(window) if hindsight else leading_systems(window)
            self.parts = Partition(head, head, len(window))
            return
        self.parts = partition(window, policy)
        clears = isinstance(policy.transform, Clear)
        self.cleared = window.pool.cleared_copy_of(policy.main) if clears else None

    def of(self, message: Message, index: int) -> Region:
        """The region of the message at that index."""
        if message.injected == "cleared":
            return "cleared"
        if message.injected in ("summary", "ack") or (self.place and is_summary(message, self.place)):
            return "summary"
        if index < self.parts.head:
            return "system"
        if index >= self.parts.tail:
            return "recent"
        return self._inside(message, index, self.policy) if self.policy else self._recorded(index)

    def _recorded(self, index: int) -> Region:
        """Of a message of a recorded run: whether the next compaction took it; nobody knows where none follows."""
        if self.hindsight is None:
            return "message"
        return "compactable" if self.hindsight.took(self.window.at(index)) else "recent"

    def _inside(self, message: Message, index: int, policy: Policy) -> Region:
        """Of a message in front of the tail: it may go, or it is pinned for what it is."""
        place = self.window.at(index)
        if place % SPACE in self.window.pool.pinned or (policy.scope.keep_systems and message.role == "system"):
            return "system"
        if self.parts.protected is not None and message.typed and place >= self.parts.protected:
            return "recent"
        if self.cleared is not None and not self.cleared.touched(place, place + 1):
            return "system"
        return "compactable"
