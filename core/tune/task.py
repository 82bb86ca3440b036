"""The unit of a sweep: a file and some settings, about a second's work. `run_task(task)` gives a row for each of its runs.

A task says everything that its rows depend on, so that any process can do it, here or on another machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.engine.default_meter import default_meter, session_meter
from core.engine.pins import pins
from core.engine.replay import replay
from core.engine.simulate import simulate
from core.measure.cost import Prices
from core.measure.prices import prices_of
from core.meters import Meter
from core.meters.context_windows import limits_of
from core.model.session import Session
from core.policies import policy
from core.policy.policy import Policy
from core.summaries.summarizers import summarizer
from core.trace.trace import Trace
from core.tune.files import Failure, File, failure, sessions_of
from core.tune.row import Row, row_of

RECORDED = "recorded"
"""In place of a policy: the session as it was recorded."""

OWN = "own"
"""In place of a meter: each session is counted by its default, whichever meter the policy comes with."""


@dataclass(frozen=True)
class Setting:
    """A policy by its name, with the values that are not its defaults. The name `recorded` stands for the session as it was."""

    policy: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Terms:
    """What all runs of a sweep have in common.

    Without a meter, each session has the policy's own, else its default; with `OWN` its default. `summary_tokens` is the size
    of a summary of fixed size; `pin` names messages as `pins` reads them. Without prices, those of each session's model. To
    look for findings takes longer than all other figures. `window` is the context window, in tokens, of models whose own is
    not known.
    """

    meter: str | None = None
    summaries: str = "structural"
    summary_tokens: int = 300
    pin: str = ""
    prices: Prices | None = None
    findings: bool = True
    window: int | None = None


@dataclass(frozen=True)
class Task:
    """Some settings over one session of a file, or over each session in it where `number` is None. It can be pickled."""

    file: File
    settings: tuple[Setting, ...]
    number: int | None = None
    terms: Terms = Terms()


@dataclass(frozen=True)
class Result:
    """What came of a task: rows by session and then by setting, and what failed.

    `asked` has the setting of each row: the row's own may have more values, such as the context window of the session's model.
    """

    task: Task
    rows: tuple[Row, ...] = ()
    asked: tuple[Setting, ...] = ()
    failures: tuple[Failure, ...] = ()


def run_task(task: Task) -> Result:
    """Simulate and measure every setting of a task. Never raises: what fails is in the result, and the rest is still done.

    The session is kept for the next task of this process, which most often is over the same one.
    """
    rows: list[Row] = []
    asked: list[Setting] = []
    failures: dict[Failure, None] = {}  # each once, whatever the number of settings that it is true of
    try:
        for name, session in sessions_of(task.file, task.number):
            for setting in task.settings:
                try:
                    rows.append(_row(task.terms, setting, name, session))
                    asked.append(setting)
                except Exception as error:
                    failures[replace(failure(name, error), policy=setting.policy)] = None
    except Exception as error:
        failures[failure(task.file.name, error)] = None
    return Result(task, tuple(rows), tuple(asked), tuple(failures))


def _row(terms: Terms, setting: Setting, name: str, session: Session) -> Row:
    trace, prices = _trace(session, setting, terms), terms.prices or prices_of(session.model)
    return row_of(trace, name, prices=prices, findings=terms.findings)


def _trace(session: Session, setting: Setting, terms: Terms) -> Trace:
    if setting.policy == RECORDED:
        return replay(session, meter=_meter(terms, session))
    rule = _with_window(policy(setting.policy, **setting.settings), session, terms.window)
    write = summarizer(terms.summaries, tokens=terms.summary_tokens, session=session)
    return simulate(session, rule, _meter(terms, session, rule), write, pins(session, terms.pin))


def _meter(terms: Terms, session: Session, rule: Policy | None = None) -> Meter:
    return session_meter(default_meter(session) if terms.meter == OWN else terms.meter, session, rule)


def _with_window(rule: Policy, session: Session, window: int | None) -> Policy:
    """The policy with the context window that was given for models whose own is not known."""
    return rule if window is None or limits_of(session.model) else rule.for_model(window, None)


def settings_of(rules: list[Policy]) -> tuple[Setting, ...]:
    """Policies as tasks carry them."""
    return tuple(Setting(rule.name, dict(rule.settings)) for rule in rules)
