"""The dialog that sets up a new run: who answers, with what tools, for how long. A key stays in memory."""

import os
import shlex
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core import FoldlineError, meters
from core.context_windows import limits_of
from core.errors import ParameterError
from core.events import RunSettings
from core.llm import demo
from core.llm.directory import provider, providers
from core.llm.provider import Provider
from core.mcp_servers import McpSpec
from core.summarizers import summarizers
from core.toolbox import families
from viewer import state
from viewer.runs import runs

SYSTEM = "You are a careful assistant. Use the tools to look things up before you answer, and say what you found where."
COUNTING = [m.name for m in meters() if m.name != "reported"]
DEMO_POLICY = {"policy": demo.POLICY, "parameters": {"budget": demo.BUDGET, "keep_recent": demo.KEEP_RECENT}}
OFFLINE = ("structural", "fixed size")


def new_run_button() -> None:
    """Opens the dialog."""
    if st.button("New run…", width="stretch", key="new-run"):
        _dialog()


def key_for(run: str) -> str:
    """The key that was typed for a run which needs one again."""
    return str(state.widget(f"key-of-{run}") or "")


def ask_key(run: str) -> None:
    """A field for the key of a run that cannot be opened without."""
    with st.sidebar:
        st.text_input("Key for the run", type="password", key=f"key-of-{run}", help="Kept in memory only.")


@st.dialog("New run", width="large")
def _dialog() -> None:
    chosen = _provider()
    left, right = st.columns(2)
    with left:
        model = _model(chosen)
        key, base_url = _access(chosen)
        system = st.text_area(
            "System prompt",
            demo.SYSTEM if chosen.name == "demo" else SYSTEM,
            height=120,
            key="setup-system-demo" if chosen.name == "demo" else "setup-system",
        )
    with right:
        tools, folder = _tools(chosen)
        most = st.number_input("Model calls a message may cost, at most", 1, 1000, 60, key="setup-most")
        summaries, meter = _counting(chosen)
    servers, first = _more(chosen)
    if st.button("Set up the run", type="primary", key="setup-go", disabled=servers is None) and servers is not None:
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
            count_first=first,
            **_governed(chosen, model),
        )
        _start(settings, key, servers)


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
            placeholder="Type the model's name",
            disabled=chosen.name == "demo",
            key=f"setup-model-{chosen.name}",
        )
        or ""
    )


def _access(chosen: Provider) -> tuple[str, str]:
    """The key and the address, where the provider has such."""
    if chosen.name == "demo":
        return "", ""
    there = next((name for name in chosen.key_variables if os.environ.get(name)), "")
    hint = (
        f"taken from {there}"
        if there
        else f"or set {' or '.join(chosen.key_variables)}"
        if chosen.key_variables
        else ""
    )
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
        "Folder the tools may read",
        fallback,
        placeholder="/path/to/project",
        key=f"setup-folder-{chosen.name}",
        help="They cannot leave it, write to it, or run anything in it.",
    )
    return tools, folder.strip()


def _counting(chosen: Provider) -> tuple[str, str]:
    offline = [info.name for info in summarizers() if info.name in OFFLINE]
    ways = offline if chosen.name == "demo" else ["model", *offline]
    ways = [*ways, "model"] if chosen.name == "demo" else ways
    summaries = st.selectbox(
        "Summaries",
        ways,
        format_func=lambda n: "by the model" if n == "model" else f"{n}, offline",
        key=f"setup-sums-{chosen.name}",
    )
    meter = st.selectbox("Meter", COUNTING, index=COUNTING.index("o200k_base"), key="setup-meter")
    return str(summaries), str(meter)


def _more(chosen: Provider) -> tuple[list[McpSpec] | None, bool]:
    """The MCP servers, None where they cannot be read; and whether to count first."""
    with st.expander("More: MCP servers, counting by the provider"):
        first = st.checkbox(
            "Have the provider count every prompt before it is sent (one more request each)", key="setup-count"
        )
        said = st.text_area(
            "MCP servers, one a line",
            placeholder="files = npx -y some-mcp-server /path\nsearch = https://example.org/mcp",
            height=70,
            key="setup-mcp",
            help="Off unless you name one. A command runs on this machine, as you. Arguments and paths may hold secrets and "
            "are not written down: a run that is opened again goes on without its servers.",
        )
    return ([] if not said.strip() else _said_servers(said)), first


def _said_servers(said: str) -> list[McpSpec] | None:
    """The servers of a text, one a line. What cannot be read is told where the dialog is."""
    try:
        return mcp_servers(said)
    except FoldlineError as error:
        st.error("The MCP servers cannot be read.")
        st.text(f"{error}\n{error.hint}")
        return None


def mcp_servers(said: str) -> list[McpSpec]:
    """`name = command arguments` or `name = https://address`, one a line.

    Raises ParameterError for anything else; it names the line, and does not repeat what may hold a secret.
    """
    return [_server(line, number) for number, line in enumerate(said.splitlines(), 1) if line.strip()]


def _server(line: str, number: int) -> McpSpec:
    name, sign, way = (part.strip() for part in line.partition("="))
    if not sign or not name or not way:
        raise ParameterError(f"line {number} names no MCP server", "write: name = command, or name = https://address")
    if way.lower().startswith(("http://", "https://")):
        return McpSpec(name=name, url=way)
    try:
        command, *args = shlex.split(way)
    except ValueError as error:
        raise ParameterError(f"line {number} holds no command: {error}", "close the quotes") from None
    return McpSpec(name=name, command=command, args=tuple(args))


ROOM = 0.7
"""The share of a model's context window at which a run is compacted, if nobody says otherwise."""


def sound(model: str) -> dict[str, Any]:
    """A policy for a real provider: it keeps tool pairs, the system prompt and the task, and is held to the real code."""
    limits = limits_of(model) if model else None
    tokens = int(ROOM * limits.window) if limits else 100_000
    return {"policy": "openhands.llm_summarizing", "parameters": {"max_tokens": tokens, "keep_first": 2}}


def _governed(chosen: Provider, model: str) -> dict[str, Any]:
    """The policy of the run that is shown goes on with the new one, if both are the demo's or neither is."""
    live = runs().get(state.run())
    before = live.drive.settings if live else RunSettings()
    if (before.provider == demo.PROVIDER.name) != (chosen.name == demo.PROVIDER.name):
        return DEMO_POLICY if chosen.name == demo.PROVIDER.name else sound(model)
    return {"policy": before.policy, "parameters": dict(before.parameters)}


def _start(settings: RunSettings, key: str, servers: Sequence[McpSpec]) -> None:
    try:
        live = runs().new(settings, key, servers=servers)
    except FoldlineError as error:
        st.error("The run could not be set up.")
        st.text(f"{error}\n{error.hint}".strip())
        return
    state.choose_run(live.drive.id)
    state.dismiss()
    st.rerun()
