"""foldline's compaction engine: sessions in, traces out. `core/README.md` draws the whole."""

from core.compact import compact
from core.errors import FoldlineError, TranscriptError
from core.importers import load
from core.meters import estimate_tokens, message_tokens, meter, meters
from core.model import Message, Session, ToolCall, Usage
from core.policies import policies, policy
from core.policy import Policy
from core.replay import replay
from core.simulate import simulate
from core.trace import Compaction, Trace

__all__ = [
    "Compaction",
    "FoldlineError",
    "Message",
    "Policy",
    "Session",
    "ToolCall",
    "Trace",
    "TranscriptError",
    "Usage",
    "compact",
    "estimate_tokens",
    "load",
    "message_tokens",
    "meter",
    "meters",
    "policies",
    "policy",
    "replay",
    "simulate",
]
