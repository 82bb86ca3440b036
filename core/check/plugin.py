"""A pytest plugin: the fixture `foldline`, with assertions about what a policy keeps of a session.

It comes with the package; nothing has to be switched on. https://docs.pytest.org/en/stable/how-to/writing_plugins.html
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from core.check.rule import Rule
    from core.model.session import Session
    from core.policy.policy import Policy

    Sessions = Session | str | PathLike[str]
    Policies = Policy | str | None


class Checker:
    """Assertions about a session under a policy. The session may be a path, the policy a name, or None for the run as recorded.

    `meter` and `summaries` are names, as `foldline check` takes them. A failure tells what was lost, and what would have
    kept it.
    """

    def assert_survives(
        self, session: Sessions, policy: Policies, text: str, *, meter: str | None = None, summaries: str = "structural"
    ) -> None:
        """Fail unless the session says the text, and it survives every compaction: word for word, or by a name in a summary."""
        from core.check.keep import Keep

        _assert([Keep(text)], session, policy, meter, summaries)

    def assert_no_findings(
        self, session: Sessions, policy: Policies, *kinds: str, meter: str | None = None, summaries: str = "structural"
    ) -> None:
        """Fail if there is a finding of these kinds; a word such as "orphaned" names several, none given means every kind."""
        from core.analyse import kinds as all_kinds
        from core.check.no_finding import NoFinding

        _assert([NoFinding(kind) for kind in kinds or all_kinds()], session, policy, meter, summaries)

    def assert_misses_below(
        self,
        session: Sessions,
        policy: Policies,
        limit: str | float,
        *,
        meter: str | None = None,
        summaries: str = "structural",
    ) -> None:
        """Fail if more than this share of what the agent used later is missing: "2%" or 0.02; or more misses than "12"."""
        from core.check.max_misses import MaxMisses

        rule = MaxMisses.parse(limit if isinstance(limit, str) else f"{100 * limit:.10f}%")
        _assert([rule], session, policy, meter, summaries)


def _assert(rules: list[Rule], session: Sessions, policy: Policies, meter: str | None, summaries: str) -> None:
    """Fail with every rule that is broken."""
    from core.check.runs import run

    trace = run(session, policy, meter, summaries)
    broken = [found for rule in rules if (found := rule.judge(trace, "")).status != "passed"]
    if broken:
        told = (
            line for found in broken for line in (f"{found.rule}: {found.text}", *(f"  {one}" for one in found.story))
        )
        pytest.fail("\n".join(told), pytrace=False)


@pytest.fixture
def foldline() -> Checker:
    """Assertions about what a policy keeps of a recorded session."""
    return Checker()
