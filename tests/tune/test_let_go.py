"""What a sweep is done with goes: the runs of each setting at once, a session's own soon after."""

import gc
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest

from core.engine.simulate import simulate
from core.entities.said import Said
from core.importers import load
from core.measure.prompts import prompts_of
from core.meters import meter
from core.policies import policy
from core.tune import let_go
from core.tune.files import file_at, forget
from core.tune.row import row_of
from core.tune.task import Setting, Task, Terms, run_task
from tests.serving import ROOT

SAMPLE = ROOT / "sample_sessions" / "openai-chat" / "coding-session.json"


@pytest.fixture
def no_collections() -> Iterator[None]:
    """No garbage collection but those that are asked for."""
    forget()
    gc.collect()
    gc.disable()
    yield
    forget()
    gc.enable()


@pytest.mark.usefixtures("no_collections")
def test_a_run_goes_without_a_garbage_collection() -> None:
    """A sweep makes thousands of them, and no collection comes by itself."""
    rule = policy("agentkit.memory", budget=8000, keep_recent=8)
    trace = simulate(load(SAMPLE), rule, meter("agentkit"))
    prompts = prompts_of(trace)
    assert row_of(trace, "one").compactions > 0
    assert prompts_of(trace) is prompts
    gone = ref(prompts)
    del trace, prompts
    assert gone() is None


@pytest.mark.usefixtures("no_collections")
def test_a_session_goes_once_enough_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest one is kept for the next task; of those before it none is left."""
    monkeypatch.setattr(let_go, "MOST", 100_000)
    before = all_said()
    setting = Setting("agentkit.memory", {"budget": 8000, "keep_recent": 8})
    for number in range(4):
        path = tmp_path / f"{number}.json"
        path.write_bytes(SAMPLE.read_bytes())
        run_task(Task(file_at(str(path)), (setting,), None, Terms("agentkit", findings=False)))
    assert len(all_said()) - len(before) <= 2


def all_said() -> list[Said]:
    """All there are in this process; other tests may have left some."""
    return [one for one in gc.get_objects() if isinstance(one, Said)]
