"""The order in which a file answers the losses of its overview."""

from typing import Any

from viewer.export.lost import losses_named


def loss(text: str, rank: int, kind: str = "said", used_at: int = -1) -> dict[str, Any]:
    """A text of a list of losses."""
    return {"kind": kind, "followed": text, "used_at": used_at, "rank": rank}


def row(step: int, told: list[dict[str, Any]], names: list[dict[str, Any]], *listed: tuple[str, str]) -> dict[str, Any]:
    """The row of a compaction."""
    requests = [{"kind": kind, "text": text, "followed": True} for kind, text in listed]
    return {"step": step, "told": told, "names": names, "requests": {"listed": requests}}


def test_losses_are_answered_in_the_one_order_of_all_lists() -> None:
    """Over all compactions: what came up again, as a text said again does, a rule, the rest; then requests, then names."""
    first = row(3, [loss("an aside", 5), loss("a rule", 1, "rule")], [loss("b.py", 3, "name")])
    second = row(
        9,
        [loss("said again", 0), loss("needed", 0, used_at=12)],
        [loss("a.py", 0, "name")],
        *[("reworded", "in other words"), ("answered", "a request…"), ("stopped", "another request")],
    )
    assert losses_named([first, second]) == {
        "said again": [9],
        "needed": [12, 9],
        "a rule": [3],
        "an aside": [3],
        "a request": [9],
        "another request": [9],
        "a.py": [9],
        "b.py": [3],
        "in other words": [9],
    }
    assert list(losses_named([first, second])) == [
        *[
            "said again",
            "needed",
            "a rule",
            "an aside",
            "a request",
            "another request",
            "a.py",
            "b.py",
            "in other words",
        ],
    ]
