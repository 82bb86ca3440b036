"""The components of the page. All load the same ES modules, so what one publishes the others see.

Streamlit runs the inline text below; it fetches the modules from the app's own static route, where relative imports work.
The styles are fetched as well: given to the component, their text would travel with every message.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

_BOOT = """
export default async (component) => {{
  const module = await import(new URL("viewer-assets/main.js", document.baseURI));
  await module.styled(component.parentElement);
  return module.{name}(component);
}};
"""


def store(sid: str, packed: bytes) -> None:
    """Send a session's messages to the browser: once, as long as they stay the same."""
    component = st.components.v2.component("foldline_store", js=_BOOT.format(name="store"))
    component(key=f"store-{sid}", data=packed)


def view(data: dict[str, Any], lane: Callable[[], None], dropped: Callable[[], None]) -> None:
    """The debugger itself. What its sliders say comes back as `st.session_state["view"]["settings"]`.

    A lane that is asked for comes back as the trigger `lane`, files that were dropped on the page as `dropped`: their source.
    """
    component = st.components.v2.component("foldline_view", js=_BOOT.format(name="view"))
    component(
        key="view",
        data=data,
        on_settings_change=_rerun_is_enough,
        on_lane_change=lane,
        on_dropped_change=dropped,
    )


def sessions(data: dict[str, Any], chosen: Callable[[], None]) -> None:
    """Which session of a file of many is open, and the dialog to choose another. What is picked comes back as a trigger."""
    component = st.components.v2.component("foldline_sessions", js=_BOOT.format(name="sessions"))
    component(key="sessions", data=data, on_session_change=chosen)


def panel(data: dict[str, Any]) -> None:
    """The sliders in the sidebar; they speak to the view, which speaks to Python."""
    component = st.components.v2.component("foldline_panel", js=_BOOT.format(name="panel"))
    component(key="panel", data=data)


def catalogue(data: dict[str, Any]) -> None:
    """Every policy, for the chooser's dialog: invisible, and sent once, as it never changes."""
    component = st.components.v2.component("foldline_catalogue", js=_BOOT.format(name="catalogue"))
    component(key="catalogue", data=data)


def chooser(data: dict[str, Any], chosen: Callable[[], None]) -> None:
    """The card of the policy that is chosen, which opens the dialog. What is picked comes back as a trigger."""
    component = st.components.v2.component("foldline_chooser", js=_BOOT.format(name="chooser"))
    component(key="chooser", data=data, on_policy_change=chosen)


def library(places: list[str], opened: Callable[[], None], dropped: Callable[[], None]) -> None:
    """The list of the sessions on this machine, asked for anew when `places` change.

    What is picked comes back as a trigger: its path, and its number there; what is dropped on it as another: its source.
    """
    component = st.components.v2.component("foldline_library", js=_BOOT.format(name="library"))
    component(key="library", data={"places": places}, on_open_change=opened, on_dropped_change=dropped)


def live(data: dict[str, Any], another: Callable[[], None]) -> None:
    """The debugger on a live run, which it asks the server about by itself. What its sliders say comes back as `settings`.

    Where a run is begun anew, its id comes back as the trigger `run`. `tab` is what the tab is called, once that is known.
    """
    component = st.components.v2.component("foldline_live", js=_BOOT.format(name="live"))
    component(
        key="live",
        data=data,
        on_settings_change=_rerun_is_enough,
        on_run_change=another,
        on_tab_change=_rerun_is_enough,
    )


def _rerun_is_enough() -> None:
    """Nothing to do: the fragment reads the new settings when it runs again."""
