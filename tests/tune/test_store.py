"""The folder of a sweep: what was done is not done again, whenever it was ended."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.measure.cost import Prices
from core.model.errors import FoldlineError
from core.tune.files import file_at
from core.tune.parts import connect, merge, new_part, parts
from core.tune.store import Store, opened
from core.tune.task import Setting, Task, Terms, run_task
from tests.serving import ROOT

SAMPLE = ROOT / "sample_sessions" / "openai-chat" / "coding-session.json"
SETTINGS = tuple(Setting("agentkit.memory", {"budget": budget, "keep_recent": 8}) for budget in (4000, 8000, 16000))
TERMS = Terms(meter="agentkit")


def task(path: Path = SAMPLE, settings: Sequence[Setting] = SETTINGS) -> Task:
    """All settings over one file."""
    return Task(file_at(str(path)), tuple(settings), terms=TERMS)


def kept(folder: Path, tasks: Iterable[Task]) -> list[Task]:
    """Keep what is missing; returns what that was."""
    done = []
    with opened(folder, TERMS) as store:
        for one in filter(None, map(store.missing, tasks)):
            store.add(run_task(one))
            done.append(one)
    return done


def budgets(folder: Path) -> list[tuple[str, int]]:
    """The name of the session and the budget of each row."""
    with connect(folder) as connection:
        query = "SELECT parse_filename(session), asked->>'budget' FROM found ORDER BY session, asked->>'budget' DESC"
        return [(name, int(budget)) for name, budget in connection.execute(query).fetchall()]


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    """Every figure, to the last digit; integers are integers, and what is missing is missing."""
    kept(tmp_path, [task()])
    rows = {row.settings["budget"]: row for row in run_task(task()).rows}
    table = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    assert [row["policy"] for row in table] == ["agentkit.memory"] * 3
    for found in table:
        row = rows[json.loads(found["settings"])["budget"]]
        figures = row.model_dump(exclude={"settings"})
        assert {name: found[name] for name in figures} == figures
        assert {name: type(found[name]) for name in figures} == {name: type(value) for name, value in figures.items()}


def test_what_is_there_is_not_done_again(tmp_path: Path) -> None:
    """Only other settings and other files are."""
    assert [one.settings for one in kept(tmp_path, [task(settings=SETTINGS[:2])])] == [SETTINGS[:2]]
    assert [one.settings for one in kept(tmp_path, [task()])] == [SETTINGS[2:]]
    assert kept(tmp_path, [task()]) == []
    assert budgets(tmp_path) == [(SAMPLE.name, budget) for budget in (8000, 4000, 16000)]


def test_a_sweep_that_is_killed_goes_on(tmp_path: Path) -> None:
    """Parts without an end are as good as a file with all rows; one half written is no part."""
    store = Store(tmp_path)
    with opened(tmp_path, TERMS):
        pass
    store.add(run_task(task(settings=SETTINGS[:1])))
    store.write()
    (tmp_path / ".part-000002.parquet").write_bytes(b"PAR1 and no more")
    assert [path.name for path in parts(tmp_path)] == ["part-000001.parquet"]
    assert [one.settings for one in kept(tmp_path, [task()])] == [SETTINGS[1:]]
    assert len(budgets(tmp_path)) == 3


def test_the_same_rows_make_the_same_bytes(tmp_path: Path) -> None:
    """In whatever order and in how many parts they came."""
    one, other = tmp_path / "one", tmp_path / "other"
    kept(one, [task()])
    for setting in reversed(SETTINGS):
        kept(other, [task(settings=[setting])])
    assert (one / "rows.parquet").read_bytes() == (other / "rows.parquet").read_bytes()
    assert [path.name for path in parts(other)] == ["rows.parquet"]


def test_a_merge_that_is_killed_counts_nothing_twice(tmp_path: Path) -> None:
    """With the file of all rows there and its parts, too, each row counts once."""
    kept(tmp_path, [task()])
    (tmp_path / "part-000001.parquet").write_bytes((tmp_path / "rows.parquet").read_bytes())
    assert len(budgets(tmp_path)) == 3
    merge(tmp_path)
    assert [path.name for path in parts(tmp_path)] == ["rows.parquet"]
    assert len(budgets(tmp_path)) == 3


def test_a_changed_file_is_done_again(tmp_path: Path) -> None:
    """Its new rows replace the old ones."""
    path = tmp_path / "a.json"
    path.write_bytes(SAMPLE.read_bytes())
    kept(tmp_path / "out", [task(path), task()])
    before = pq.read_table(tmp_path / "out" / "rows.parquet")
    path.write_bytes(SAMPLE.read_bytes() + b"\n")
    assert len(kept(tmp_path / "out", [task(path), task()])) == 1
    after = pq.read_table(tmp_path / "out" / "rows.parquet")
    assert after.num_rows == before.num_rows == 6
    assert after.drop_columns(["key"]) == before.drop_columns(["key"])
    assert after["key"] != before["key"]


def test_rows_of_other_terms_do_not_fit(tmp_path: Path) -> None:
    """Two meters, or two prices, are never in one table."""
    kept(tmp_path, [task()])
    with pytest.raises(FoldlineError, match="meter is 'agentkit'"), opened(tmp_path, Terms(meter="agentlib")):
        pass
    dear = replace(TERMS, prices=Prices(1, 1, 1, 1))
    with pytest.raises(FoldlineError, match="prices is None"), opened(tmp_path, dear):
        pass


def test_two_do_not_write_at_once(tmp_path: Path) -> None:
    """The second says so, and leaves the first alone."""
    with opened(tmp_path, TERMS), pytest.raises(FoldlineError, match="another process writes"), opened(tmp_path, TERMS):
        pass


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """Parquet files that nobody knows are not read as rows."""
    (tmp_path / "rows.parquet").write_bytes(b"")
    with pytest.raises(FoldlineError, match=r"no sweep\.json"), opened(tmp_path, TERMS):
        pass


@pytest.mark.parametrize("name", ["it's", "all [1]", "what?", "a*b", "ü"])
def test_folders_of_any_name(tmp_path: Path, name: str) -> None:
    """Nothing in a name stands for something else."""
    folder = tmp_path / name
    kept(folder, [task(settings=SETTINGS[:1])])
    assert budgets(folder) == [(SAMPLE.name, 4000)]
    assert new_part(folder).name == "part-000001.parquet"


def test_no_text_of_a_transcript_is_kept(tmp_path: Path) -> None:
    """Texts are the name of the session, the policy and its settings; each row takes some hundred bytes."""
    kept(
        tmp_path, [task(settings=[Setting("agentkit.memory", {"budget": budget}) for budget in range(16_000, 16_100)])]
    )
    table = pq.read_table(tmp_path / "rows.parquet")
    texts = {
        name: set(table[name].to_pylist()) for name in table.column_names if table.schema.field(name).type == "string"
    }
    assert set(texts) == {"session", "policy", "settings", "meter", "asked"}
    assert (texts["session"], texts["policy"]) == ({str(SAMPLE)}, {"agentkit.memory"})
    assert all(set(json.loads(one)) <= {"budget", "keep_recent"} for one in texts["settings"] | texts["asked"])
    assert (tmp_path / "rows.parquet").stat().st_size / table.num_rows < 2048
