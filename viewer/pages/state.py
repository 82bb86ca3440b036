"""The one user of `st.session_state`: what a person chose, what is on the page, and the last error."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core import FoldlineError, policies
from core.model.agent_windows import MAIN, AgentWindow
from core.model.session import Session
from viewer.pages.address import OVERVIEW, SHOW, Choice, Settings, from_address, lanes_from_address
from viewer.sessions.sources import Loaded, Sample, Source, sample_named
from viewer.settings.lanes import LETTERS, NONE, RECORDED, Lane, lanes_for

NOT_OPENED, ADDRESS_IGNORED = "Could not open the transcript.", "Part of the address was ignored."

T = TypeVar("T")


@dataclass(frozen=True)
class Failure:
    """Something that did not work: a fixed heading, and the error, whose text may come from a transcript.

    `path` is the one that was to be opened, if it was one.
    """

    heading: str
    error: FoldlineError
    path: str = ""

    @property
    def not_opened(self) -> bool:
        """Whether a transcript did not open."""
        return self.heading == NOT_OPENED


def begin(names_choice: bool = True) -> None:
    """Fill the state once in a browser session, from the address where that `names_choice`, as the Debug page's does.

    After that the address counts only where Back or Forward has led to it from another page.
    """
    query = dict(st.query_params) if names_choice else {}
    if "choice" in st.session_state:
        if _led_back():
            _return_to(query)
        return
    st.session_state.choice, ignored = from_address(query)
    _begin_lanes(query)
    st.session_state.start_step, st.session_state.start_front = query.get("step", ""), query.get(SHOW, "")
    if ignored:
        st.session_state.failure = Failure(ADDRESS_IGNORED, ignored)
    st.session_state.failures, st.session_state.kept = 0, {}
    st.session_state.shown, st.session_state.opened = None, 0


def turn_to(page: str) -> None:
    """Note which page is drawn from now on, and whether it was another one until now."""
    st.session_state.turned, st.session_state.page = _get("page", page) != page, page


def _led_back() -> bool:
    """Whether Back or Forward has led here from another page. Within a page the browser says what it asks for."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation and _get("turned", False)


def _return_to(query: Mapping[str, str]) -> None:
    """Show what the address of a page says: its run; or its session, with its settings, else with those it last had."""
    st.session_state.start_step, st.session_state.start_front = query.get("step", ""), query.get(SHOW, "")
    choose_run(query.get("run", ""))
    if not query.get("source"):
        return
    _choose_by(query)
    if not query.get("policy"):
        st.session_state.choice = st.session_state.kept.get(choice().place, choice())
    lanes, _ = lanes_from_address(query)
    if lanes:
        _pass_lanes(lanes)
        st.session_state.compare_start = _compare_start(query)


def _choose_by(query: Mapping[str, str]) -> None:
    """Choose what an address says."""
    _keep()
    st.session_state.choice, ignored = from_address(query)
    st.session_state.failure = Failure(ADDRESS_IGNORED, ignored) if ignored else None
    st.session_state.arrival, st.session_state.shown = "", None
    st.session_state.undone = (_sent("view", "settings") or {}).get("nth")


def _get(key: str, default: T) -> T:
    value: T = st.session_state.get(key, default)
    return value


def _sent(component: str, key: str) -> Any:
    """What a component of the page sent under this key; None if nothing."""
    return (st.session_state.get(component) or {}).get(key)


def widget_value(key: str) -> Any:
    """The value of the widget with this key, or None."""
    return st.session_state.get(key)


# What is chosen.


def choice() -> Choice:
    """What is chosen now."""
    chosen: Choice = st.session_state.choice
    return chosen


def update_choice(**changes: Any) -> None:
    """Change the meter, the summaries or the parameters."""
    st.session_state.choice = replace(choice(), **changes)


def choose_source(source: Source, session: str = "", lane: str = "") -> None:
    """Open something else, with the settings it had when it was last open."""
    _keep()
    st.session_state.opened = opened() + 1
    wanted = Choice(source, session=session, lane=lane)
    st.session_state.failure, st.session_state.arrival, st.session_state.from_library = None, "", False
    st.session_state.choice = st.session_state.kept.get(wanted.place, wanted)
    st.session_state.start_step = ""


def opened() -> int:
    """How many times something was opened by hand, up to what is on the page: to open it again is to begin anew."""
    return _get("opened", 0)


def choose_session(address: str) -> None:
    """Open another session of the same file or folder."""
    choose_source(choice().source, address)


def choose_lane(name: str) -> None:
    """Show another agent's window of the same session."""
    choose_source(choice().source, choice().session, name)


def go_to_parent(lane: AgentWindow) -> None:
    """Show the window that a sub-agent was started from, at the message that started it."""
    choose_lane("" if lane.parent == MAIN else lane.parent)
    st.session_state.arrival = lane.message


def arrival_message() -> str:
    """The id of the message that a newly opened window first shows; empty for none."""
    return _get("arrival", "")


def choose_policy(name: str) -> None:
    """Use another policy for the same source, with the settings it last had here."""
    _keep()
    kept: Settings = st.session_state.kept.get((choice().place, name), ())
    st.session_state.failure = None
    st.session_state.choice = replace(choice(), policy=name, settings=kept)


def _keep() -> None:
    chosen = choice()
    st.session_state.kept[chosen.place] = chosen
    if chosen.policy:
        st.session_state.kept[(chosen.place, chosen.policy)] = chosen.settings


def session_undecided() -> bool:
    """Whether one session of the file still has to be chosen: neither the address nor the library names it."""
    return not choice().session and not _get("from_library", False)


def start_step() -> str:
    """The step that the address asked for."""
    return _get("start_step", "")


def starts_at_overview() -> bool:
    """Whether the address asked for the overview, or for no step."""
    return not start_step() or _get("start_front", "") == OVERVIEW


def sample_of(source: Source) -> Sample | None:
    """The sample that a source names, with its settings; None for anything else."""
    return sample_named(source.name) if source.kind == "sample" else None


# What the components of the page send.


def on_session() -> None:
    """Open the session that was chosen in the dialog."""
    address = str(_sent("sessions", "session") or "")
    if address.isdecimal() or address.startswith("./"):
        choose_session(address)


def on_lane() -> None:
    """Show the sub-agent's window that was chosen in the debugger."""
    name = _sent("view", "lane")
    if isinstance(name, str) and name:
        choose_lane("" if name == MAIN else name)


def on_address() -> None:
    """Show what an address says that Back or Forward led to, or that the debugger asks for."""
    asked = _sent("view", "address") or {}
    _choose_by(dict(parse_qsl(str(asked.get("query", "")), keep_blank_values=True)))
    st.session_state.returns = int(asked.get("nth", 0))
    request_redraw()


def returns() -> int:
    """The number of the address that the browser last asked for, 0 for none; it tells the answer from what came before.

    A widget with this number in its key takes its value anew.
    """
    return _get("returns", 0)


def on_library_row() -> None:
    """Open the session that was chosen in the library: its path, and its number in a file of many."""
    row = _sent("library", "open") or {}
    path, number = str(row.get("path", "")), str(row.get("number", ""))
    if path:
        choose_source(Source("path", path), number if number != "0" else "")
        st.session_state.from_library = True
        _leave_library()


def _leave_library() -> None:
    """To the lesson that a session was to be chosen for, else to Debug."""
    lesson = lesson_chosen_for()
    st.session_state.to_debug, st.session_state.to_lesson = lesson is None, lesson


def on_lesson_library() -> None:
    """Show the Library, to choose the session for a step of a lesson: `lesson.step`."""
    lesson, _, step = str(_sent("learn", "library") or "").partition(".")
    if lesson.isdecimal() and step.isdecimal():
        st.session_state.chosen_for, st.session_state.to_library = {"lesson": lesson, "step": step}, True


def lesson_chosen_for() -> dict[str, str] | None:
    """The lesson, and its step, that a session is to be chosen for in the Library; None for none."""
    return _get("chosen_for", None)


def forget_lesson() -> None:
    """What is picked in the Library opens on the Debug page again."""
    st.session_state.pop("chosen_for", None)


def library_page_requested() -> bool:
    """Whether to switch to the Library now; asking resets it."""
    return bool(st.session_state.pop("to_library", False))


def lesson_requested() -> dict[str, str] | None:
    """The lesson and step to switch to now, or None; asking resets it."""
    found: dict[str, str] | None = st.session_state.pop("to_lesson", None)
    return found


def on_dropped_files() -> None:
    """Open the files that were dropped on the page; the component has uploaded them and sends their source."""
    elsewhere = _sent("library", "dropped")
    source = Source.parse(str(_sent("view", "dropped") or elsewhere or ""))
    if source is not None and source.kind == "upload":
        choose_source(source)
        if elsewhere:  # from Debug to Debug it would be an entry of the history
            _leave_library()


def picked_policy() -> str:
    """The policy that was chosen in the dialog of policies; empty if none."""
    name = _sent("chooser", "policy") or ""
    return name if name in {p.name for p in policies()} else ""


def on_policy() -> None:
    """Use the policy, or show the recorded run, as chosen in the dialog of policies."""
    name = RECORDED if _sent("chooser", "policy") == RECORDED else picked_policy()
    if name:
        choose_policy(name)


def panel_settings(scope: str, component: str = "view") -> dict[str, Any]:
    """The slider values that a component sent, if they belong to this policy and session and Back has not undone them."""
    settings = _sent(component, "settings") or {}
    if settings and settings.get("nth") == _get("undone", 0):
        return {}
    return dict(settings.get("values") or {}) if settings.get("policy") == scope else {}


def sliders_changed(scope: str, values: Mapping[str, Any]) -> bool:
    """Whether the slider values differ from those of the last call, so that a change is applied once."""
    now = (scope, repr(sorted(values.items())))
    changed = st.session_state.get("sliders") != now
    st.session_state.sliders = now
    return changed and bool(values)


# The lanes of Compare.


def _begin_lanes(query: Mapping[str, str]) -> None:
    """The lanes that the address names, and where it begins; the default ones are chosen by the page."""
    lanes, ignored = lanes_from_address(query)
    st.session_state.lanes_by_place = {choice().place: lanes} if lanes else {}
    st.session_state.compare_start = _compare_start(query)
    st.session_state.failure = Failure(ADDRESS_IGNORED, ignored) if ignored else None


def _compare_start(query: Mapping[str, str]) -> dict[str, str]:
    return {"message": query.get("message", ""), "base": query.get("base", "")}


def _pass_lanes(lanes: tuple[Lane, ...]) -> None:
    """Lanes for what is chosen, whatever the browser has sent until now."""
    st.session_state.lanes_by_place[choice().place] = lanes
    st.session_state.lanes_passed = (_sent("compare", "lanes") or {}).get("nth")


def compared_lanes(place: str) -> tuple[Lane, ...]:
    """The lanes that were chosen for this session and window; none where nobody has chosen yet."""
    sent = _sent("compare", "lanes") or {}
    if sent.get("place") == place and sent.get("nth") != _get("lanes_passed", None):
        st.session_state.lanes_by_place[place] = _lanes_in(sent.get("lanes"))
    found: tuple[Lane, ...] = st.session_state.lanes_by_place.get(place, ())
    return found


def unpin_lane(place: str, number: int) -> None:
    """Nothing is pinned in a lane of this session and window any more: its pins were of another one."""
    lanes = st.session_state.lanes_by_place.get(place, ())
    kept = (lane._replace(pin="") if k == number else lane for k, lane in enumerate(lanes))
    st.session_state.lanes_by_place[place] = tuple(kept)


def lanes_sent() -> int:
    """The number of the last change of lanes that the browser sent."""
    return int((_sent("compare", "lanes") or {}).get("nth") or 0)


def _lanes_in(rows: Any) -> tuple[Lane, ...]:
    """The lanes as the browser sends them: those whose policy is known."""
    known = {RECORDED, NONE, *(p.name for p in policies())}
    named = [row for row in rows or [] if isinstance(row, dict) and row.get("name") in known]
    return tuple(_lane_in(row) for row in named[: len(LETTERS)])


def _lane_in(row: Mapping[str, Any]) -> Lane:
    return Lane(row["name"], tuple(dict(row.get("values") or {}).items()), str(row.get("pin") or ""))


def compare_start() -> dict[str, str]:
    """Where Compare begins: the number of messages that have arrived, and the letter of the baseline; empty where not said."""
    return _get("compare_start", {})


def on_compare() -> None:
    """Compare what the Debug page shows, at the same message, with what was set there before."""
    chosen, sent = choice(), _sent("view", "compare") or {}
    before, _ = from_address(dict(parse_qsl(str(sent.get("before", "")), keep_blank_values=True)))
    there: tuple[Lane, ...] = st.session_state.lanes_by_place.get(chosen.place, ())
    lanes = lanes_for(_lane_of(chosen), _lane_of(before), there)
    if lanes != there or not lanes:
        _pass_lanes(lanes)
    st.session_state.compare_start = {"message": str(sent.get("message", ""))}
    st.session_state.to_compare = True
    request_redraw()


def _lane_of(choice: Choice) -> Lane:
    """What a choice shows, as a lane; the run as recorded where no policy was chosen."""
    name = choice.policy or RECORDED
    return Lane(name, choice.settings, "" if name == RECORDED else choice.pin)


def compare_page_requested() -> bool:
    """Whether to switch to the Compare page now; asking resets it."""
    return bool(st.session_state.pop("to_compare", False))


def lane_to_debug() -> int | None:
    """The lane that was opened in Debug, by its number from 0."""
    lane = (_sent("compare", "debug") or {}).get("lane")
    return lane if isinstance(lane, int) else None


def show_in_debug(lane: Lane, summaries: str) -> None:
    """Switch to the Debug page with the policy of a lane, its pins and what wrote its summaries; the browser knows the step."""
    update_choice(policy=lane.name, settings=lane.settings, pin=lane.pin)
    if lane.simulated:
        update_choice(summaries=summaries)
    st.session_state.arrival = ""
    request_debug_page()
    request_redraw()


# What is shown.


def request_debug_page() -> None:
    """Switch to the Debug page when the page is next drawn."""
    st.session_state.to_debug = True


def debug_page_requested() -> bool:
    """Whether to switch to the Debug page now; asking resets it."""
    return bool(st.session_state.pop("to_debug", False))


def remember_policy(query: Mapping[str, str]) -> None:
    """Remember the policy that was shown last, as query parameters: recorded compactions are compared with it."""
    st.session_state.last_policy, st.session_state.last_policy_of = dict(query), choice().place


def last_policy() -> dict[str, str]:
    """The policy that was shown last, as query parameters; empty if none was."""
    return _get("last_policy", {})


def last_policy_here() -> dict[str, str]:
    """The same, where it was shown with the chosen session: its settings may suit no other."""
    return last_policy() if _get("last_policy_of", "") == choice().place else {}


def remember_shown(loaded: Loaded) -> None:
    """Remember what is on the page: it stays there when the next file does not open."""
    st.session_state.shown = (choice(), loaded, opened())


def shows_choice() -> bool:
    """Whether the chosen session is the one on the page, by whatever policy and meter."""
    return has_shown() and st.session_state.shown[0].place == choice().place


def shown_session() -> Session | None:
    """The chosen session, where it is the one on the page."""
    return st.session_state.shown[1].session if shows_choice() else None


def has_shown() -> bool:
    """Whether anything was on the page yet."""
    return st.session_state.shown is not None


def restore_shown() -> Loaded | None:
    """Return to what was last on the page, with its settings; None if nothing was."""
    found: tuple[Choice, Loaded, int] | None = st.session_state.shown
    if found is None:
        return None
    st.session_state.choice, loaded, st.session_state.opened = found
    return loaded


def on_file_change() -> None:
    """Forget the error of an open file that was written to: it may open now. The page is drawn anew in any case."""
    if _sent("follow", "changed"):
        dismiss()


# Errors and uploads.


def fail(error: FoldlineError, heading: str = NOT_OPENED, path: str = "") -> None:
    """Keep an error to be shown, and the path that it is about."""
    st.session_state.failure = Failure(heading, error, path)
    st.session_state.failures += 1


def dismiss() -> None:
    """Forget the last error."""
    st.session_state.failure = None


def failure() -> Failure | None:
    """The error to be shown, or None."""
    return _get("failure", None)


def failures() -> int:
    """How many errors there were. A widget with this number in its key starts anew, so the same file can be tried again."""
    return _get("failures", 0)


def uploads() -> int:
    """How many times files were uploaded."""
    return _get("uploads", 0)


def count_upload() -> None:
    """Count an upload."""
    st.session_state.uploads = uploads() + 1


# Live runs.


def run_id() -> str:
    """The id of the live run to show: as chosen, else as the address says."""
    if "run" not in st.session_state:
        st.session_state.run = dict(st.query_params).get("run", "")
    return _get("run", "")


def choose_run(id: str, unasked: bool = False) -> None:
    """Show another live run; `unasked` where nobody named it."""
    if id:
        st.session_state.run = id
        st.session_state.unasked_run = id if unasked else ""


def run_unasked() -> bool:
    """Whether nobody named the run on show: it is the one used last."""
    return bool(run_id()) and _get("unasked_run", "") == run_id()


def opened_run() -> tuple[str, bool]:
    """The id of the run that was opened on the Runs page, "" for none, and whether it is to be resumed."""
    sent = _sent("runs", "open") or {}
    return str(sent.get("id", "")), bool(sent.get("resume"))


def debugged_run() -> str:
    """The id of the run that the Runs page opens in the debugger."""
    return str(_sent("runs", "debug") or "")


def request_live_page(id: str, resume: bool) -> None:
    """Switch to the Live page with this run when the page is next drawn."""
    choose_run(id)
    st.session_state.to_live = True
    st.session_state.resume = id if resume else ""


def on_forked() -> None:
    """Show the run that was forked on the Debug page."""
    if id := str(_sent("view", "forked") or ""):
        request_live_page(id, resume=False)
        request_redraw()


def live_page_requested() -> bool:
    """Whether to switch to the Live page now; asking resets it."""
    return bool(st.session_state.pop("to_live", False))


def resume_requested(id: str) -> bool:
    """Whether this run is to be resumed now that it is open; asking resets it."""
    return bool(id) and st.session_state.pop("resume", "") == id


def restarted_run() -> str:
    """The id of the run that the page has moved to, because the one before was started again."""
    return str(_sent("live", "run") or "")


def request_redraw() -> None:
    """Draw the whole page when its fragment runs next: another tab has changed the settings of the run."""
    st.session_state.redraw = True


def redraw_requested() -> bool:
    """Whether that was requested since it was last asked."""
    return bool(st.session_state.pop("redraw", False))


def tab_id() -> str:
    """The name of the browser's tab on the Live page; empty until the tab has sent it."""
    return str(_sent("live", "tab") or "")
