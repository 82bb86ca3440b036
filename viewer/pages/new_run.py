"""The dialog that creates a run: provider, model, tools, limits. A key stays in memory."""

import os
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core import FoldlineError, meters
from core.demo import provider as demo
from core.llm.directory import provider, providers
from core.llm.provider import Provider
from core.meters import NEED_USAGE
from core.meters.context_windows import limits_of
from core.summaries.summarizers import summarizers
from core.toolbox import families
from core.toolbox.mcp_servers import McpSpec
from core.trace.events import RunSettings
from viewer.pages import state
from viewer.pages.mcp_lines import commands, mcp_servers
from viewer.pages.widgets import show_error
from viewer.sessions.demo_run import DEMO_POLICY
from viewer.sessions.runs import runs

SYSTEM = "You are a careful assistant. Use the tools to look things up before you answer, and say what you found where."
COUNTING = [m.name for m in meters() if m.how not in NEED_USAGE]
OFFLINE = ("structural", "fixed size")


def new_run_button() -> None:
    """A button that opens the dialog."""
    if st.button("New run…", width="stretch", key="new-run"):
        _dialog()


def key_for(run: str) -> str:
    """The key that was typed for a saved run."""
    return str(state.widget_value(f"key-of-{run}") or "")


def ask_key(run: str) -> None:
    """A field for the key of a saved run that needs one."""
    with st.sidebar:
        st.text_input("Key for the run", type="password", key=f"key-of-{run}", help="Kept in memory only.")


@st.dialog("New run", width="large")
def _dialog() -> None:
    chosen = _provider()
    left, right = st.columns(2)
    with left:
        model = _model(chosen)
        key, base_url = _access(chosen)
        system = _system_prompt(chosen)
    with right:
        tools, folder = _tools(chosen)
        most = st.number_input("Max model calls per turn", 1, 1000, 60, key="setup-most")
        summaries, meter = _counting(chosen)
    servers, count_first = _more()
    allowed = servers is not None and _allowed(servers)
    with st.container(key="setup-foot"):  # in sight however long the dialog is
        problem = st.container()  # above the button: below it nobody would look
        go = st.button("Create run", type="primary", key="setup-go", disabled=not allowed)
    if go and allowed and servers is not None:
        settings = RunSettings(
            provider=chosen.name,
            model=model,
            base_url=base_url,
            system=system,
            tools=tuple(tools),
            folder=folder,
            max_calls=int(most),
            meter=meter,
            summaries=summaries,
            count_first=count_first,
            **_initial_policy(chosen, model),
        )
        with problem:
            _create(settings, key, servers)


def _system_prompt(chosen: Provider) -> str:
    """The demo agent has a system prompt of its own."""
    is_demo = chosen.name == "demo"
    key = "setup-system-demo" if is_demo else "setup-system"
    return st.text_area("System prompt", demo.SYSTEM if is_demo else SYSTEM, height=272 if is_demo else 120, key=key)


def _provider() -> Provider:
    known = providers()
    order = sorted(known, key=lambda one: (one.name != "demo", one.label))
    name = st.selectbox(
        "Agent", [one.name for one in order], format_func=lambda n: provider(n).label, key="setup-provider"
    )
    found = provider(name)
    if found.about:
        st.caption(found.about)
    return found


def _model(chosen: Provider) -> str:
    return str(
        st.selectbox(
            "Model",
            list(chosen.models),
            index=0 if chosen.models else None,
            accept_new_options=True,
            placeholder="Type a model name",
            disabled=chosen.name == "demo",
            key=f"setup-model-{chosen.name}",
        )
        or ""
    )


def _access(chosen: Provider) -> tuple[str, str]:
    """The key and the base URL, where the provider takes them."""
    if chosen.name == "demo":
        return "", ""
    variables = chosen.key_variables
    present = next((name for name in variables if os.environ.get(name)), "")
    hint = f"taken from {present}" if present else f"or set {' or '.join(variables)}" if variables else ""
    key = st.text_input(
        "Key", type="password", placeholder=hint, key=f"setup-key-{chosen.name}", help="Kept in memory only."
    )
    base_url = st.text_input(
        "Base URL", placeholder=chosen.base_url or "http://localhost:11434/v1", key=f"setup-url-{chosen.name}"
    )
    return key, base_url.strip()


def _tools(chosen: Provider) -> tuple[list[str], str]:
    known = {family.name: family for family in families()}
    default = list(demo.FAMILIES) if chosen.name == "demo" else ["calculator", "notes"]
    tools = st.multiselect(
        "Tools", list(known), default, format_func=lambda n: known[n].label, key=f"setup-tools-{chosen.name}"
    )
    if not any(known[name].needs_folder for name in tools):
        return tools, ""
    fallback = str(demo.FOLDER) if chosen.name == "demo" else ""
    folder = st.text_input(
        "Folder the tools can read",
        fallback,
        placeholder="/path/to/project",
        key=f"setup-folder-{chosen.name}",
        help="Tools cannot read outside this folder, write to it, or run anything.",
    )
    return tools, folder.strip()


def _counting(chosen: Provider) -> tuple[str, str]:
    offline = {info.name: info.label for info in summarizers() if info.name in OFFLINE}
    ways = [*offline, "model"] if chosen.name == "demo" else ["model", *offline]
    summaries = st.selectbox(
        "Summaries",
        ways,
        format_func=lambda n: offline.get(n, "By the model"),
        key=f"setup-sums-{chosen.name}",
    )
    meter = st.selectbox("Meter", COUNTING, index=COUNTING.index("o200k_base"), key="setup-meter")
    return str(summaries), str(meter)


def _more() -> tuple[list[McpSpec] | None, bool]:
    """The MCP servers, None if they cannot be parsed; and whether the provider counts each prompt first."""
    with st.expander("More: MCP servers, token counts by the provider"):
        count_first = st.checkbox(
            "Have the provider count each prompt before it is sent (one extra request per call)", key="setup-count"
        )
        text = st.text_area(
            "MCP servers, one per line",
            placeholder="files = npx -y some-mcp-server /path\nsearch = https://example.org/mcp",
            height=70,
            key="setup-mcp",
            help="A command runs on this machine under your account. Commands and addresses can hold secrets, so they are "
            "not saved: after foldline restarts, a run continues without its servers.",
        )
    try:
        return mcp_servers(text), count_first
    except FoldlineError as error:
        show_error("Could not read the MCP servers.", error)
        return None, count_first


def _allowed(servers: Sequence[McpSpec]) -> bool:
    """Show the commands that would be run, in full; whether there are none, or the user agrees to these."""
    shown = commands(servers)
    if not shown:
        return True
    st.caption("Creating the run starts these commands on this machine, with all your rights:")
    st.code(shown, language=None, wrap_lines=True)
    return st.checkbox("Run these commands", key=f"setup-allow-{shown}")  # anew where one of them changes


COMPACT_AT = 0.7
"""The share of a model's context window at which a new run is compacted."""


def default_policy(model: str) -> dict[str, Any]:
    """The policy of a new run with a real provider: one that keeps tool pairs, the system prompt and the task."""
    limits = limits_of(model) if model else None
    tokens = int(COMPACT_AT * limits.window) if limits else 100_000
    return {"policy": "openhands.llm_summarizing", "parameters": {"max_tokens": tokens, "keep_first": 2}}


def _initial_policy(chosen: Provider, model: str) -> dict[str, Any]:
    """The policy of the run that is shown, if both runs are of the demo or neither is; else the default one."""
    live = runs().get(state.run_id())
    before = live.drive.settings if live else RunSettings()
    if (before.provider == demo.PROVIDER.name) != (chosen.name == demo.PROVIDER.name):
        return DEMO_POLICY if chosen.name == demo.PROVIDER.name else default_policy(model)
    return {"policy": before.policy, "parameters": dict(before.parameters)}


def _create(settings: RunSettings, key: str, servers: Sequence[McpSpec]) -> None:
    told = st.empty()
    if servers:
        told.caption("Connecting to the MCP servers…")  # a spinner would keep back for half a second
    try:
        live = runs().new(settings, key, servers=servers)
    except FoldlineError as error:
        told.empty()
        show_error("Could not create the run.", error)
        return
    state.choose_run(live.drive.id)
    state.dismiss()
    st.rerun()
