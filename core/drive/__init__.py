"""Drive a live agent: `start(settings, store)` gives a run, `resume(id, store)` takes one up again."""

from core.drive.breakpoints import Breakpoint
from core.drive.drive import Drive
from core.drive.start import resume, start
from core.drive.state import Problem, Sized, State
from core.drive.store import RunInfo, Store

__all__ = ["Breakpoint", "Drive", "Problem", "RunInfo", "Sized", "State", "Store", "resume", "start"]
