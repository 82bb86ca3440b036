"""The components of the page. All load the same ES module, so that they share what one of them has received.

Streamlit runs the inline text below; it fetches the module from a route of the app.
The styles are fetched as well: given to the component, their text would travel with every message.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from viewer.pages import state

_BOOT = """
export default async (component) => {{
  const module = await import(new URL("viewer-assets/joined.js", document.baseURI));
  await module.styled(component.parentElement);
  return module.{name}(component);
}};
"""


def _mount(name: str, data: Any, key: str = "", **callbacks: Any) -> None:
    component = st.components.v2.component(f"foldline_{name}", js=_BOOT.format(name=name))
    component(key=key or name, data=data, **callbacks)


def _nothing() -> None:
    """A callback for a value that the page reads when it runs again."""


def store(sid: str, packed: bytes) -> None:
    """Send a session's messages to the browser: once, as long as they stay the same."""
    _mount("store", packed, key=f"store-{sid}")


def view(data: dict[str, Any]) -> None:
    """The debugger. It returns slider values as the state `settings`.

    It triggers `lane` with the name of a sub-agent's window, `dropped` with the source of files dropped on the page, `address`
    with the query of an address that Back or Forward led to, `forked` with the id of a run that was forked here, `compare` with
    the number of messages to compare at and the query of what was set before, and `opened` when an opening has ended, or the
    server has closed the session.
    """
    callbacks = {
        "on_lane_change": state.on_lane,
        "on_dropped_change": state.on_dropped_files,
        "on_address_change": state.on_address,
        "on_forked_change": state.on_forked,
        "on_compare_change": state.on_compare,
        "on_opened_change": state.request_redraw,
    }
    _mount("view", data, "", on_settings_change=_nothing, **callbacks)


def follow(data: dict[str, Any]) -> None:
    """Look at an open file from time to time: invisible. It triggers `changed` with a new stamp of the file."""
    _mount("follow", data, on_changed_change=state.on_file_change)


def sessions(data: dict[str, Any], chosen: Callable[[], None]) -> None:
    """The open session of a file of many, and the dialog to choose another, which triggers `session`."""
    _mount("sessions", data, on_session_change=chosen)


def panel(data: dict[str, Any]) -> None:
    """The sliders in the sidebar; they send their values to the view, which sends them to Python."""
    _mount("panel", data)


def catalogue(data: dict[str, Any]) -> None:
    """Every policy, for the dialog of policies: invisible, and sent once, as it never changes."""
    _mount("catalogue", data)


def chooser(data: dict[str, Any], chosen: Callable[[], None]) -> None:
    """The card of the policy in use, which opens the dialog of policies. A choice triggers `policy`."""
    _mount("chooser", data, on_policy_change=chosen)


def library(places: list[str], lesson: str, opened: Callable[[], None], dropped: Callable[[], None]) -> None:
    """The sessions on this machine, loaded again when `places`, the folders that there are, change.

    `lesson` is the one that a session is to be chosen for, or "".
    It triggers `open` with the path and number of a session, and `dropped` with the source of files dropped on the page.
    """
    _mount("library", {"places": places, "lesson": lesson}, on_open_change=opened, on_dropped_change=dropped)


def runs(opened: Callable[[], None], debug: Callable[[], None]) -> None:
    """The runs on this machine. It triggers `open` with the id of a run and whether to resume it, and `debug` with an id."""
    _mount("runs", {}, on_open_change=opened, on_debug_change=debug)


def live(
    data: dict[str, Any], another: Callable[[], None], elsewhere: Callable[[], None], debug: Callable[[], None]
) -> None:
    """The debugger on a live run, which the component loads from the server by itself. It returns slider values as `settings`.

    It triggers `run` with the id of a run that was started again, `elsewhere` when another tab has changed the settings of
    the run, and `debug` to open it on the Debug page. The state `tab` is the name of the browser's tab.
    """
    callbacks = {"on_run_change": another, "on_elsewhere_change": elsewhere, "on_debug_change": debug}
    _mount("live", data, "", on_settings_change=_nothing, on_tab_change=_nothing, **callbacks)


def compare(data: dict[str, Any], debug: Callable[[], None], quotes: Callable[[], None]) -> None:
    """The lanes beside one another. The state `lanes` is what a person made of them.

    It triggers `debug` with a lane to open on the Debug page, by its number from 0, and `quotes` to have the summaries quoted
    instead of taken from the transcript.
    """
    _mount("compare", data, on_lanes_change=_nothing, on_debug_change=debug, on_quotes_change=quotes)


def lanes() -> None:
    """The lanes in the sidebar, with the sliders of the chosen one; what they hold comes from `compare`."""
    _mount("lanes", {})


def tune(data: dict[str, Any]) -> None:
    """The Tune page, which asks `api/tune` for everything else."""
    _mount("tune", data)


def tunepanel() -> None:
    """Its sidebar."""
    _mount("tunepanel", {})


def learn(data: dict[str, Any], to_library: Callable[[], None]) -> None:
    """The Learn page, which asks `api/lessons` for everything else.

    It triggers `library` with a step whose session is to be chosen there.
    """
    _mount("learn", data, on_library_change=to_library)


def lesson() -> None:
    """Its sidebar."""
    _mount("lesson", {})
