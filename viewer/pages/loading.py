"""Opens what is chosen, for every page that shows a session, and reads the file again once it has changed."""

from core import FoldlineError, TranscriptError
from viewer.api.access import local
from viewer.pages import components, state
from viewer.pages.address import Choice
from viewer.sessions.followed import follow, pause
from viewer.sessions.opening import Opening, ended_opening, opening
from viewer.sessions.registry import Opened, opened
from viewer.sessions.sources import Loaded, open_source, remember_opened

QUICK = 0.15
"""Seconds that opening a transcript may take without a word about it: from the first request of its page, if that began it."""


def slow_opening() -> Opening | None:
    """The opening of what is chosen, if it takes longer than QUICK; None if it is open, or on the page already."""
    chosen = state.choice()
    if state.shows_choice():
        return None
    found = opening(chosen.source, local(), chosen.session, chosen.lane, meter_name(chosen))
    return None if found.wait(QUICK) else found


def loaded_choice() -> Loaded | None:
    """The chosen session. If it does not open, the error is kept, and what was on the page stays; None if nothing was."""
    try:
        loaded = _open_chosen(state.choice())
    except FoldlineError as error:
        source = state.choice().source
        state.fail(error, path=source.name if source.kind == "path" else "")
        return state.restore_shown()
    remember_opened(state.choice().source)
    state.remember_shown(loaded)
    return loaded


def _open_chosen(chosen: Choice) -> Loaded:
    """The chosen session and lane; the first of the file if it does not have them. Raises FoldlineError."""
    try:
        ended = ended_opening(chosen.source, chosen.session, chosen.lane, meter_name(chosen))
        if ended and ended.error:
            raise ended.error
        return open_source(chosen.source, local(), chosen.session, chosen.lane)
    except FoldlineError as error:
        if not (chosen.session or chosen.lane) or (isinstance(error, TranscriptError) and state.has_shown()):
            raise  # a broken file of a folder: the one before stays on the page
        loaded = open_source(chosen.source, local())
        state.update_choice(session="", lane="")
        state.fail(error, state.ADDRESS_IGNORED)
        return loaded


def meter_name(chosen: Choice) -> str:
    """The meter as chosen, else as the sample has it; "" for the one that counts the session by default."""
    sample = state.sample_of(chosen.source)
    return chosen.meter or (sample.meter if sample else "")


def counted(loaded: Loaded) -> Opened:
    """The session counted by the chosen meter; by the default meter if that one cannot count it."""
    try:
        return opened(loaded.key, loaded.session, meter_name(state.choice()))
    except FoldlineError as error:
        state.fail(error, "This meter cannot count the session.")
        state.update_choice(meter="")
        return opened(loaded.key, loaded.session)


def follow_file(loaded: Loaded) -> None:
    """Have the browser look at an open file from time to time: once it was written to, the page is drawn anew."""
    if name := follow(loaded):
        components.follow({"name": name, "seconds": pause(loaded)})
