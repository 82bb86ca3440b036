"""Drive a live agent: `start(settings, store)` starts a run, `reopen(id, store)` continues one from its file.

`fork(id, step, store)` starts a run with the window that another had at a step.
"""

from core.drive.drive import Drive
from core.drive.start import fork, reopen, start
from core.drive.state import Problem, PromptSize, State
from core.drive.store import RunInfo, Store
from core.trace.breakpoint import Breakpoint

__all__ = ["Breakpoint", "Drive", "Problem", "PromptSize", "RunInfo", "State", "Store", "fork", "reopen", "start"]
