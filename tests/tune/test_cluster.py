"""Sweeps on a Dask cluster: a real scheduler and two real workers, each a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.model.errors import FoldlineError
from core.tune.cluster import sweep_on
from core.tune.files import file_at
from core.tune.store import opened
from core.tune.sweep import sweep
from core.tune.task import Result, Setting, Task, Terms
from tests.serving import ROOT, free_port
from tests.tune.test_sweep import until, write_act

SAMPLES = sorted(ROOT.glob("sample_sessions/openai-chat/*.json"))
TERMS = Terms(meter="agentkit")
TASKS = [
    Task(file_at(str(path)), (Setting("agentkit.memory", {"budget": budget}),), terms=TERMS)
    for path in SAMPLES
    for budget in (4000, 8000, 16000)
]
SCHEDULER = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
WORKER = ("distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")


@contextmanager
def cluster(folder: Path, act: str = "pass") -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """The address of a scheduler, and its two workers, which do this before each task."""
    write_act(folder, act, WORKER[0])
    found = folder / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}

    def started(module: str, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", module, "--scheduler-file", str(found), *arguments]
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    processes = [started(*SCHEDULER)]
    try:
        until(lambda: found.exists() and bool(found.read_text()))
        processes += [started(*WORKER), started(*WORKER)]
        yield json.loads(found.read_text())["address"], processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def kept(folder: Path, results: Iterable[Result]) -> bytes:
    """The rows as they are kept: in order, to the last bit."""
    with opened(folder, TERMS) as store:
        for result in results:
            assert not result.failures
            store.add(result)
    return (folder / "rows.parquet").read_bytes()


def test_a_cluster_finds_what_the_pool_does_though_a_worker_is_killed(tmp_path: Path) -> None:
    """Its task is done by the other one; the rows are the same, byte for byte."""
    act = (
        "if budget == 8000 and not (mark := begun.with_name('killed')).exists(): mark.touch(); os.kill(os.getpid(), 9)"
    )
    with cluster(tmp_path, act) as (address, workers):
        found = kept(tmp_path / "cluster", sweep_on(address, TASKS))
        assert sorted(process.poll() or 0 for process in workers) == [-9, 0]
    assert found == kept(tmp_path / "pool", sweep(TASKS, workers=2))
    assert len((tmp_path / "begun").read_text().split()) > len(TASKS)  # what had not left the worker is done again, too


def test_a_cluster_for_as_long_as_the_sweep_takes(tmp_path: Path) -> None:
    """`local:2`, with the same rows."""
    assert kept(tmp_path / "one", sweep_on("local:2", TASKS)) == kept(tmp_path / "two", sweep(TASKS, workers=0))


def test_where_there_is_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address that says nothing, and one where nobody answers."""
    monkeypatch.setattr("core.tune.cluster.WAIT", 0.5)
    with pytest.raises(FoldlineError, match="'here' is no cluster"):
        next(sweep_on("here", TASKS))
    with pytest.raises(FoldlineError, match="tcp://127"):
        next(sweep_on(f"tcp://127.0.0.1:{free_port()}", TASKS))


def test_without_dask_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the package that is missing."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(FoldlineError, match="--cluster local:2 needs the package distributed") as caught:
        next(sweep_on("local:2", TASKS))
    assert caught.value.hint == "pip install 'foldline[cluster]'"
