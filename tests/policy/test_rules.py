"""Rules that are functions of a policy's file: how a policy refers to one, and how JSON names it."""

import json
import pickle
from pathlib import Path

import pytest
from pydantic import ValidationError

from core import Policy, Trace, policy
from core.model.cached import cached
from core.policies import letta_sliding, pi_compaction_2025
from core.policy.vocabulary import Scope

OLD = sorted((Path(__file__).parent.parent / "data" / "old_traces").glob("*.json"))


def test_json_names_a_rule_by_its_file_and_function() -> None:
    """What is written is a name, and what is read back is the very function."""
    scope = Scope(cut=letta_sliding.first_that_fits, cut_boundary=pi_compaction_2025.asked)
    written = json.loads(scope.model_dump_json())
    assert (written["cut"], written["cut_boundary"]) == ("letta_sliding:first_that_fits", "pi_compaction_2025:asked")
    read = Scope.model_validate(written)
    assert read == scope
    assert read.cut is letta_sliding.first_that_fits
    assert pickle.loads(pickle.dumps(scope)) == scope


@pytest.mark.parametrize(
    "name",
    [
        "letta_sliding:_cut_at",
        "letta_sliding:POLICY",
        "letta_sliding:none",
        "letta_sliding",
        "nowhere:cut",
        "..window.tails:settled",
        "os:system",
        "pi_compaction_2025:asked",
        "",
        7,
    ],
)
def test_no_other_name_is_a_cut(name: object) -> None:
    """Only a rule of this kind in a policy's file can be named: no plain function, no other module, no other kind."""
    with pytest.raises(ValidationError):
        Scope.model_validate({"cut": name})


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_a_trace_of_an_older_version_opens(path: Path) -> None:
    """Its policy is in words that have since moved into the policies' files; every region is what it was then."""
    old = json.loads(path.read_text(encoding="utf-8"))
    assert "snap" in old["trace"]["policy"]["scope"]
    trace = Trace.model_validate(old["trace"])
    regions = [[f"{id} {region}" for id, region in trace.regions(i).items()] for i in range(0, len(trace), 2)]
    assert regions == old["regions"]
    assert trace.policy is not None
    assert trace.policy.scope == policy(path.stem).scope
    assert Trace.model_validate_json(trace.model_dump_json()) == trace


def test_pinned_messages_of_an_older_trace_are_read() -> None:
    """They were called `held` then, and are written as `pinned` now."""
    old = json.loads(next(path for path in OLD if path.stem == "agentkit.memory").read_text(encoding="utf-8"))["trace"]
    assert old["held"] == [3]
    trace = Trace.model_validate(old)
    assert trace.pinned == (3,)
    assert json.loads(trace.model_dump_json())["pinned"] == [3]


def test_an_older_policy_of_an_unknown_name_is_read_as_far_as_its_words_go() -> None:
    """Words that are still there keep their meaning under their old keys."""
    data = policy("agentkit.memory").model_dump(mode="json") | {"name": "mine.own"}
    data["scope"] = {
        "snap": "pairs",
        "tail": {"unit": "messages", "value": 3},
        "spare": {"size": {"unit": "tokens", "value": 9}},
    }
    read = Policy.model_validate(data)
    assert read.scope.cut_boundary == "pairs"
    assert read.scope.protect is not None


def test_what_is_worked_out_is_kept_with_its_owner_alone() -> None:
    """It is made once for each key; a copy of the owner starts with nothing."""
    made: list[str] = []
    owner = policy("agentkit.memory")
    for _ in range(2):
        assert cached(owner, "a", lambda owner: made.append("a") or 1) == 1
    copy = owner.model_copy(update={"name": "copy"})
    assert cached(copy, "a", lambda owner: made.append("b") or 2) == 2
    assert (made, cached(owner, "a", lambda owner: 3)) == (["a", "b"], 1)
    assert owner == policy("agentkit.memory")
