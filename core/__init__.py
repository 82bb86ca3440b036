"""foldline's compaction engine: sessions in, traces out. `core/README.md` draws the whole."""

from core.agents.agent import RunResult, run_agent
from core.agents.chat_agent import ChatAgent
from core.agents.memory import Memory
from core.agents.summarizing_memory import SummarizingMemory
from core.engine.compaction import compact
from core.engine.live_context import LiveContext
from core.engine.replay import replay
from core.engine.simulate import simulate
from core.importers import formats, load, load_all
from core.importers.foldline import save
from core.llm import LLM, MockLLM
from core.meters import estimate_tokens, message_tokens, meter, meters
from core.model.errors import FoldlineError, TranscriptError
from core.model.session import Message, Session, ToolCall, Usage
from core.notebook import show
from core.origins.provenance import provenance
from core.policies import policies, policy
from core.policy.policy import Policy
from core.toolbox.tools import Tool, ToolRegistry, tool
from core.trace.compaction import Compaction
from core.trace.trace import Trace
from core.why.fate import Fate, fate

__all__ = [
    "LLM",
    "ChatAgent",
    "Compaction",
    "Fate",
    "FoldlineError",
    "LiveContext",
    "Memory",
    "Message",
    "MockLLM",
    "Policy",
    "RunResult",
    "Session",
    "SummarizingMemory",
    "Tool",
    "ToolCall",
    "ToolRegistry",
    "Trace",
    "TranscriptError",
    "Usage",
    "compact",
    "estimate_tokens",
    "fate",
    "formats",
    "load",
    "load_all",
    "message_tokens",
    "meter",
    "meters",
    "policies",
    "policy",
    "provenance",
    "replay",
    "run_agent",
    "save",
    "show",
    "simulate",
    "tool",
]
