"""The settings of a run of the demo agent, which needs no key."""

from core.demo import provider as demo
from core.trace.events import RunSettings

DEMO_POLICY = {"policy": demo.POLICY, "parameters": {"budget": demo.BUDGET, "keep_recent": demo.KEEP_RECENT}}

DEMO = RunSettings(
    provider=demo.PROVIDER.name,
    model=demo.PROVIDER.model,
    system=demo.SYSTEM,
    tools=demo.FAMILIES,
    folder=str(demo.FOLDER),
    max_calls=demo.MAX_TURNS,
    **DEMO_POLICY,
    meter=demo.METER,
    summaries="structural",
)
"""What the Live page opens with, and what a fork of a transcript is made with where no run is open."""
