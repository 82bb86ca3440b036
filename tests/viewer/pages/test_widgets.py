"""Small parts that several pages draw."""

from pathlib import Path

import pytest

from viewer.pages.widgets import below_home


def test_a_folder_is_named_from_the_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """One elsewhere by its whole path, also where only its name begins like that of the home."""
    monkeypatch.setenv("HOME", "/home/ada")
    folders = ("/home/ada/runs/a", "/home/ada", "/home/adam/runs", "/srv")
    assert [below_home(Path(folder)) for folder in folders] == ["~/runs/a", "~", "/home/adam/runs", "/srv"]
