"""Drive a live agent: `start(settings, store)` starts a run, `reopen(id, store)` continues one from its file."""

from core.drive.breakpoints import Breakpoint
from core.drive.drive import Drive
from core.drive.start import reopen, start
from core.drive.state import Problem, PromptSize, State
from core.drive.store import RunInfo, Store

__all__ = ["Breakpoint", "Drive", "Problem", "PromptSize", "RunInfo", "State", "Store", "reopen", "start"]
