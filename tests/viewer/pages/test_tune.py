"""What the Tune page is opened with."""

from pathlib import Path

import pytest

from core.model.session import Session
from viewer.pages import tune
from viewer.sessions.sources import Source


@pytest.mark.parametrize(("agent", "name"), [("claude-code", "claude_code.auto"), ("sharegpt", "")])
def test_the_policy_of_the_agent_is_the_one_to_begin_with(agent: str, name: str) -> None:
    """A person can set nothing of another one; none is known of a session that any agent may have written."""
    assert tune.own_policy(Session(id="one", format=agent, messages=())) == name
    assert tune.own_policy(None) == ""


def test_a_folder_that_is_open_is_the_one_that_is_proposed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never its parent. For a file it is the folder that the file is in; for a sample, and on a shared server, none."""
    file = tmp_path / "one.json"
    file.write_text("[]")
    monkeypatch.setattr(tune, "local", lambda: True)
    here = [Source("path", str(tmp_path)), Source("path", str(file)), Source("sample", "a/b.json")]
    assert [tune.proposed_folder(one) for one in here] == [str(tmp_path), str(tmp_path), ""]
    monkeypatch.setattr(tune, "local", lambda: False)
    assert tune.proposed_folder(here[0]) == ""
