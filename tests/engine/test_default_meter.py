"""The meter that counts a session where nobody has chosen one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import FoldlineError, Message, Session, Usage, load_all, meter, replay
from core.engine.counts import counts
from core.engine.default_meter import default_meter, meter_error
from core.engine.meter_text import meter_text
from core.engine.unseen_parts import unseen_parts
from core.meters import meters, meters_for
from core.trace.prompt_overhead import unseen
from tests.support import scaled_session as session

SHARED = Path(os.environ.get("FOLDLINE_SHARED") or "/nowhere") / "transcripts"


OPENAIS = (
    "openrouter/openai/gpt-5.4",
    "gpt-4",
    "gpt-3.5-turbo",
    "gpt-oss-120b",
    "openai:gpt-5",
    "azure.gpt-5.1",
    "us.openai.gpt-5.2",
    "ft:gpt-4o:x",
    "GPT-5.1-Codex",
    "codex-mini",
    "o3",
)


def test_a_stable_scale_is_used() -> None:
    """o200k_base is off by a twelfth at the median, calibrated by one in forty; that is shown."""
    found = session(1.25)
    assert default_meter(found) == "calibrated"
    assert meter_text("calibrated", found) == "calibrated (±2.4 % of the prompt, 11 calls)"
    plain = meter_error(found, "o200k_base")
    assert plain is not None
    assert round(plain.typical, 3) == 0.08


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("no usage", Session(messages=(Message(role="user", content="hello"),))),
        ("too few calls", session(1.25, calls=8)),
        ("nothing to correct", session(1.0)),
        ("the model's own tokenizer", session(1.25, model="gpt-5.4")),
        *((f"OpenAI's model {name}", session(1.25, model=name)) for name in OPENAIS),
        ("a model without a name", session(1.25, model="")),
    ],
)
def test_elsewhere_o200k_base_counts(reason: str, found: Session) -> None:
    """As ever."""
    assert default_meter(found) == "o200k_base"
    assert meter_text(default_meter(found), found) == "o200k_base"


def test_a_chosen_calibrated_meter_says_what_would_be_better() -> None:
    """Where it is not the default its error stands beside that of o200k_base; where none can be measured, that is said."""
    assert meter_text("calibrated", session(1.25, calls=8)) == "calibrated (±2.5 % of the prompt, o200k_base ±6.2 %)"
    assert meter_text("calibrated", session(1.25, calls=1)) == "calibrated (error not known)"


def test_a_scale_that_jumps_about_is_not_used() -> None:
    """Prompts that grow by anything: o200k_base is far off, and calibrated no better."""
    grown = [500, 4000, 300, 2500, 800, 3900, 200, 5000, 400, 3000, 100]
    sizes = [10_000 + sum(grown[:k]) for k in range(12)]
    messages = [
        m if m.usage is None else m.model_copy(update={"usage": Usage(input_uncached=sizes[k // 2])})
        for k, m in enumerate(session(1.25).messages)
    ]
    assert default_meter(Session(messages=tuple(messages), model="claude-x")) == "o200k_base"


@given(st.lists(st.integers(1, 60_000), min_size=2, max_size=14))
def test_calibrated_is_never_the_default_where_it_is_worse(prompts: list[int]) -> None:
    """Whatever prompts are recorded: the default is the meter with the smaller error."""
    said = session(1.25, calls=len(prompts)).messages
    messages = [
        m if m.usage is None else m.model_copy(update={"usage": Usage(input_uncached=prompts[k // 2])})
        for k, m in enumerate(said)
    ]
    found = Session(messages=tuple(messages), model="claude-x")
    if default_meter(found) == "calibrated":
        plain, better = meter_error(found, "o200k_base"), meter_error(found, "calibrated")
        assert plain is not None
        assert better is not None
        assert (better.typical < plain.typical, better.growth < plain.growth) == (True, True)


def test_the_counts_of_a_session_are_by_its_default_meter() -> None:
    """In header, choosers, Library and command line alike; by another meter where one is named."""
    found = session(1.25)
    assert counts(found).tokens == sum(replay(found, meter=meter("calibrated")).tokens)
    assert counts(found, meter("o200k_base")).tokens == 12_000


def test_what_is_unseen_is_split_where_the_scale_is_known() -> None:
    """10,000 tokens are hidden. The rest is what o200k_base counts too little; most of it is found."""
    trace = replay(session(1.25), meter=meter("o200k_base"))
    parts = unseen_parts(trace)
    assert parts is not None
    assert unseen(trace).typical == 11_623
    assert (parts.not_in_transcript, parts.undercounted) == (10_135, 1_488)
    assert parts.scaled[:3] == (994, 2_326, 3_593)  # of 994, 1,994 and 2,994: times 1, 7/6 and 6/5


def test_the_same_is_not_in_the_transcript_by_any_meter() -> None:
    """What another counts too little is its own; the parts add up to what is unseen by it."""
    for name in ("calibrated", "agentkit", "reported"):
        trace = replay(session(1.25), meter=meter(name))
        parts = unseen_parts(trace)
        assert parts is not None
        assert parts.not_in_transcript == 10_135
        assert parts.not_in_transcript + parts.undercounted == unseen(trace).typical


def test_no_prompt_is_said_to_miss_less_than_nothing() -> None:
    """Where the scale makes the messages larger than the prompts that held them, all of what is unseen is undercounted."""
    trace = replay(session(1.25, hidden=-300), meter=meter("calibrated"))
    parts = unseen_parts(trace)
    assert parts is not None
    assert (parts.not_in_transcript, parts.undercounted) == (0, 406)
    assert unseen(trace).typical == 406


def test_where_no_scale_can_be_trusted_unseen_is_not_split() -> None:
    """Nobody can tell the parts apart."""
    for found in (session(1.0), session(1.25, model="gpt-5.4"), session(1.25, calls=3)):
        assert unseen_parts(replay(found, meter=meter("o200k_base"))) is None


def transcripts() -> Iterator[Session]:
    """Every session of every shared transcript that opens."""
    for path in sorted(SHARED.rglob("*")):
        try:
            yield from load_all(path) if path.is_file() else ()
        except FoldlineError:
            continue


@pytest.mark.skipif(not SHARED.is_dir(), reason="FOLDLINE_SHARED does not point at the shared material")
def test_real_sessions_of_gpt_and_codex_stay_as_they_are() -> None:
    """And of those of Claude with a hundred calls and more, most are calibrated: the two meters are never mixed up."""
    defaults: dict[str, list[str]] = {"gpt": [], "claude": []}
    for found in transcripts():
        family = next((name for name in defaults if name in found.model), "")
        error = meter_error(found, "o200k_base")
        if family == "gpt" or (family and error and error.calls >= 100):
            defaults[family].append(default_meter(found))
    assert set(defaults["gpt"]) == {"o200k_base"}
    assert defaults["claude"] == ["calibrated"] * 5


def test_calibrated_does_not_count_openais_models() -> None:
    """Chosen by hand it says why not; beside another model's calls theirs keep the scale of 1."""
    with pytest.raises(FoldlineError, match=r"calibrated is not for gpt-5\.4"):
        replay(session(1.25, model="gpt-5.4"), meter=meter("calibrated"))
    plain = session(2.0, calls=12, model="claude-x").messages
    more = [m.model_copy(update={"id": f"{m.id}-b", "model": "gpt-5.4" if m.model else ""}) for m in plain]
    both = Session(messages=(*plain, *more), model="claude-x")
    tokens = {name: replay(both, meter=meter(name)).tokens for name in ("calibrated", "o200k_base")}
    first = next(k for k, m in enumerate(both.messages) if m.model == "gpt-5.4")
    assert tokens["calibrated"][first + 1 :] == tokens["o200k_base"][first + 1 :]
    assert sum(tokens["calibrated"][:first]) > 1.5 * sum(tokens["o200k_base"][:first])


def test_a_model_whose_calls_record_nothing_has_no_scale_of_anothers() -> None:
    """Its messages count as o200k_base counts them: no one's scale is known for it."""
    plain = session(2.0, calls=12, model="claude-x").messages
    more = [m.model_copy(update={"id": f"{m.id}-b", "model": m.model and "llama-9", "usage": None}) for m in plain]
    both = Session(messages=(*plain, *more), model="claude-x")
    tokens = {name: replay(both, meter=meter(name)).tokens for name in ("calibrated", "o200k_base")}
    first = next(k for k, m in enumerate(both.messages) if m.model == "llama-9")
    assert tokens["calibrated"][first + 1 :] == tokens["o200k_base"][first + 1 :]


@pytest.mark.parametrize(
    ("found", "absent"),
    [
        (session(1.25), set()),
        (session(1.25, model="gpt-5.4"), {"calibrated"}),
        (Session(messages=(Message(role="user", content="hello"),)), {"calibrated", "reported"}),
    ],
)
def test_the_meters_on_offer_are_those_that_can_count(found: Session, absent: set[str]) -> None:
    """What is left out refuses the session; what is offered counts it."""
    assert {info.name for info in meters()} - {info.name for info in meters_for(found)} == absent
    assert all(replay(found, meter=meter(info.name)).tokens for info in meters_for(found))
    for name in absent:
        with pytest.raises(FoldlineError):
            replay(found, meter=meter(name))
