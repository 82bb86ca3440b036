"""What the address says of a lane of Compare."""

import pytest

from core import FoldlineError, policies, policy
from viewer.pages.address import from_address, lanes_from_address
from viewer.settings.lanes import Lane, lane_text, lanes_for, parse_lane


def test_a_lane_is_recorded_none_or_a_policy_with_settings() -> None:
    """The three forms of the address."""
    assert parse_lane("recorded") == Lane("recorded")
    assert parse_lane("none") == Lane("none")
    assert parse_lane("agentkit.memory") == Lane("agentkit.memory")
    text = "agentkit.memory,budget=60000,keep_recent=12"
    assert parse_lane(text) == Lane("agentkit.memory", (("budget", 60000), ("keep_recent", 12)))


def test_commas_inside_a_value_stay_there() -> None:
    """A list of names ends where the name of another parameter follows."""
    text = "anthropic.clear_tool_uses,exclude_tools=bash,read_file,keep=5"
    settings = dict(parse_lane(text).settings)
    assert (list(settings["exclude_tools"]), settings["keep"]) == (["bash", "read_file"], 5)


@pytest.mark.parametrize("name", [p.name for p in policies()])
def test_the_text_of_any_policy_is_read_back(name: str) -> None:
    """Every setting of every policy survives the address."""
    rule = policy(name)
    unset = {p.name: True for p in rule.parameters if p.kind in ("number", "thresholds")}
    lane = parse_lane(lane_text(rule, unset))
    assert policy(name, **dict(lane.settings)).settings == rule.settings


def test_what_is_wrong_in_a_lane_is_said_with_what_there_is() -> None:
    """An unknown parameter names those that the policy has; the other lanes are used."""
    with pytest.raises(FoldlineError, match="no parameter 'buget'") as error:
        parse_lane("agentkit.memory,buget=1")
    assert "budget" in error.value.hint
    lanes, wrong = lanes_from_address({"a": "recorded", "b": "no.such", "c": "none", "message": "12", "base": "b"})
    assert lanes == (Lane("recorded"), Lane("none"))
    assert "b=no.such" in str(wrong)
    assert str(lanes_from_address({"a": "none", "message": "soon", "base": "x"})[1]) == "unknown: message=soon, base=x"


def test_an_address_of_compare_is_none_of_debugs_settings() -> None:
    """Lanes, message and baseline are no parameters of a policy, and no policy has one of their names."""
    query = {"a": "recorded", "b": "none", "message": "12", "base": "b", "meter": "o200k_base"}
    choice, wrong = from_address(query)
    assert (wrong, choice.settings) == (None, ())
    assert not {p.name for rule in policies() for p in rule.parameters} & {*"abcd", "message", "base"}


def test_a_run_is_seen_beside_what_was_set_before() -> None:
    """Unless nothing was simulated before, nothing has changed, or both are among the lanes that there are."""

    def lane(budget: int, *more: tuple[str, object]) -> Lane:
        return Lane("agentkit.memory", (("budget", budget), *more))

    recorded, small, large = Lane("recorded"), lane(8000), lane(12000)
    arranged = (recorded, lane(8000, ("keep_recent", 4)), Lane("none"))
    assert lanes_for(large, small, ()) == (small, large)
    unset = Lane("agentkit.memory", (("budget", None),))
    assert lanes_for(unset, recorded, (small, recorded)) == ()  # no budget is another one than 8,000
    assert lanes_for(large, small, arranged) == (small, large)
    assert lanes_for(large, small, (*arranged, large)) == (*arranged, large)
    assert lanes_for(small, recorded, arranged) == arranged
    assert lanes_for(small, lane(8000, ("model", None)), arranged) == arranged
    assert lanes_for(large, recorded, arranged) == ()
    assert lanes_for(recorded, small, arranged) == arranged
    assert lanes_for(Lane("letta.sliding", small.settings), small, ()) == (small, Lane("letta.sliding", small.settings))


def test_a_lane_has_pins_of_its_own() -> None:
    """They survive the address beside settings; the same settings with another pin are another run; an older link pins all."""
    rule = policy("agentkit.memory", budget=1600)
    text = lane_text(rule, {}, "pottery-15,pottery-4")
    assert text == "agentkit.memory,budget=1600,keep_recent=4,pin=pottery-15,pottery-4"
    lane = parse_lane(text)
    assert lane == Lane("agentkit.memory", (("budget", 1600), ("keep_recent", 4)), "pottery-15,pottery-4")
    plain = lane._replace(pin="")
    assert lanes_for(lane, plain, (Lane("recorded"), plain)) == (plain, lane)
    assert lanes_for(lane, plain, (plain, lane)) == (plain, lane)
    older, wrong = lanes_from_address({"a": "recorded", "b": "agentkit.memory", "pin": "pottery-15"})
    assert (older, wrong) == ((Lane("recorded"), Lane("agentkit.memory", (), "pottery-15")), None)
