"""The tables of the README files are those that the code gives."""

from scripts.readme_tables import BLOCK, README, SAMPLES_README, TABLES, with_tables


def test_the_tables_are_current() -> None:
    """Every table is as the generator writes it today. A file that is not yet added to git needs no row."""
    texts = [path.read_text(encoding="utf-8") for path in (README, SAMPLES_README)]
    assert [name for name in TABLES if BLOCK.format(name=name) not in "".join(texts)] == []
    assert [with_tables(text) for text in texts] == texts, "run: .venv/bin/python -m scripts.readme_tables"
