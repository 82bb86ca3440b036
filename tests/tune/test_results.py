"""Questions to the rows of many sessions, against the same worked out from the rows themselves."""

from pathlib import Path

import pytest

from core.model.errors import FoldlineError, ParameterError
from core.tune.choice import percentile
from core.tune.results import results_in
from core.tune.row import Row
from core.tune.store import opened
from core.tune.task import Result, Setting, Task, Terms, run_task
from core.tune.totals import totals
from tests.tune.test_cluster import TASKS, TERMS

SETTINGS = [Setting("agentkit.memory", {"budget": budget}) for budget in (16000, 4000, 8000)]


@pytest.fixture(scope="module")
def rows() -> list[tuple[Task, Row]]:
    """The rows of some sessions under three settings."""
    return [(task, row) for task in TASKS for row in run_task(task).rows]


@pytest.fixture(scope="module")
def folder(rows: list[tuple[Task, Row]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, kept."""
    made = tmp_path_factory.mktemp("rows")
    with opened(made, TERMS) as store:
        for task, row in rows:
            store.add(Result(task, (row,), task.settings))
    return made


def under(rows: list[tuple[Task, Row]], setting: Setting) -> list[Row]:
    """The rows of one setting, by session."""
    return sorted((row for task, row in rows if task.settings == (setting,)), key=lambda row: row.session)


def test_the_sums_of_each_setting(folder: Path, rows: list[tuple[Task, Row]]) -> None:
    """As the rows add up, in order of the settings' text."""
    with results_in(folder) as found:
        assert found.totals() == [(setting, totals(under(rows, setting))) for setting in SETTINGS]
        assert found.sessions() == len({row.session for _, row in rows})


def test_how_sessions_differ(folder: Path, rows: list[tuple[Task, Row]]) -> None:
    """Percentiles lie between two sessions on a straight line; who has no figure does not count."""
    with results_in(folder) as found:
        for figure in ("miss_rate", "tokens_sent"):
            for setting, spread in found.percentiles(figure):
                values = [v for row in under(rows, setting) if (v := getattr(row, figure)) is not None]
                assert spread.sessions == len(values)
                assert spread[1:] == pytest.approx([percentile(values, part) for part in (0.1, 0.5, 0.9)])
        assert [setting for setting, _ in found.percentiles("miss_rate")] == SETTINGS
        assert found.percentiles("cost") == []


def test_who_loses_most(folder: Path, rows: list[tuple[Task, Row]]) -> None:
    """Whole rows, the worst first."""
    with results_in(folder) as found:
        for setting in SETTINGS:
            expected = sorted(under(rows, setting), key=lambda row: -row.misses)
            assert found.worst(setting) == expected
            assert found.worst(setting, most=1) == expected[:1]
        assert found.worst(SETTINGS[1])[0].misses > 0
        assert found.worst(Setting("agentkit.memory", {"budget": 1})) == []


def test_all_settings_of_one_session(folder: Path, rows: list[tuple[Task, Row]]) -> None:
    """In order of the settings' text."""
    session = rows[0][1].session
    with results_in(folder) as found:
        assert found.of_session(session) == [row for s in SETTINGS for row in under(rows, s) if row.session == session]
        assert found.of_session("'; DROP VIEW found; --") == []


def test_what_is_no_result(tmp_path: Path, folder: Path) -> None:
    """A folder without rows, one that is damaged, and a figure that nobody knows."""
    with pytest.raises(FoldlineError, match="has no rows of a sweep"), results_in(tmp_path):
        pass
    with opened(tmp_path, Terms()):
        (tmp_path / "part-000001.parquet").write_bytes(b"PAR1 and no more PAR1")
        with pytest.raises(FoldlineError, match="cannot be read"), results_in(tmp_path) as found:
            found.totals()
        (tmp_path / "part-000001.parquet").unlink()
    with results_in(folder) as found, pytest.raises(ParameterError, match="'session' is no figure"):
        found.percentiles("session")  # type: ignore[arg-type]
