"""Tokens of messages: meters, each with how its number was got, and a tokenizer that needs no network."""

import gc
import os
import shutil
import subprocess
import sys
import weakref
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Thread, current_thread

import pytest
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st

from core import Message, Session, ToolCall, Usage, meter, meters, policy, replay, simulate
from core.meters import bound, measured, notes_of, tokenizer
from core.meters.base import tally
from core.meters.pictures import pictures_of
from core.model.errors import FoldlineError, ParameterError, UnknownNameError
from core.model.session import Image, RecordedCompaction
from core.trace.trace import as_session
from tests.serving import PATIENCE

ROOT = Path(__file__).parents[2]


def test_the_meters_say_how_they_count() -> None:
    """Every meter names itself and says whether its numbers are counted, estimated or recorded."""
    assert [(m.name, m.how) for m in meters()] == [
        ("agentkit", "estimated"),
        ("agentlib", "estimated"),
        ("calibrated", "calibrated"),
        ("o200k_base", "counted"),
        ("reported", "recorded"),
    ]
    assert all(m.about and m.source for m in meters())


def test_an_unknown_meter_lists_the_known() -> None:
    """An unknown name is an error that lists the known ones."""
    with pytest.raises(UnknownNameError) as error:
        meter("cl100k")
    assert error.value.hint == "known: agentkit, agentlib, calibrated, o200k_base, reported"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello world", 2), ("tiktoken is great!", 6), ("お誕生日おめでとう", 8), ("a\n\n\nb", 3)],
)
def test_o200k_counts_what_is_published(text: str, tokens: int) -> None:
    """o200k_base counts text as OpenAI's cookbook prints it for gpt-4o."""
    assert tokenizer.count_text(text) == (tokens, True)


def test_o200k_counts_all_parts_of_a_message() -> None:
    """A message costs content, thinking and tool calls (name and compact JSON), and 4 for its frame."""
    call = ToolCall(name="add", arguments={"a": 1, "b": [2, 3]})
    message = Message(role="assistant", content="hello world", thinking="hello world", tool_calls=(call,))
    assert len(tokenizer.encoding().encode('{"a":1,"b":[2,3]}')) == 11
    assert meter("o200k_base").count(message) == 2 + 2 + 1 + 11 + 4


def test_undecodable_arguments_are_counted_as_written() -> None:
    """Where the arguments did not decode, the text of them is counted."""
    call = ToolCall(name="add", raw="hello world")
    assert meter("o200k_base").count(Message(role="assistant", tool_calls=(call,))) == 1 + 2 + 4


@pytest.mark.parametrize(
    ("width", "height", "tokens"), [(750, 1, 1), (200, 200, 54), (1000, 1000, 1334), (4000, 4000, 1600), (0, 0, 1600)]
)
def test_a_picture_is_counted_by_its_size(width: int, height: int, tokens: int) -> None:
    """A picture costs width * height / 750 rounded up, at most 1,600, and 1,600 where the size is unknown."""
    message = Message(role="user", images=(Image(width=width, height=height, source="A" * 9999),))
    assert meter("o200k_base").count(message) == tokens + 4


# Worked examples of the providers: Claude's from its guide to vision and to coordinates, OpenAI's from its guide to images,
# Google's from its guide to image understanding. The last of each group are as the rules say, where no example is given.
PICTURES = [
    ("claude-sonnet-4-5-20250929", 200, 200, "", 64),
    ("claude-3-5-sonnet-20241022", 1000, 1000, "", 1296),
    ("anthropic/claude-opus-4.6", 1092, 1092, "", 1521),
    ("claude-haiku-4-5", 3840, 2160, "", 1560),  # becomes 1456 by 819
    ("claude-sonnet-4-20250514", 1075, 1520, "", 1551),  # becomes 924 by 1307
    ("claude-opus-4-7", 1920, 1080, "", 2691),
    ("claude-fable-5", 3840, 2160, "", 4784),  # becomes 2576 by 1449
    ("claude-sonnet-4-5", 0, 0, "", 1369),
    ("gpt-4o-2024-08-06", 1024, 1024, "high", 765),
    ("gpt-4o", 2048, 4096, "", 1105),
    ("azure/gpt-4.1", 4096, 8192, "low", 85),
    ("gpt-4o", 150, 150, "auto", 255),
    ("gpt-5.1", 1024, 1024, "", 630),
    ("o3", 1024, 1024, "low", 75),
    ("gpt-4o-mini", 512, 512, "", 8500),
    ("gpt-4.1-mini", 1024, 1024, "", 1659),  # 1,024 patches
    ("o4-mini", 1800, 2400, "", 2498),  # becomes 1056 by 1408: 1,452 patches
    ("gpt-5-nano", 1024, 1024, "low", 630),  # 512 by 512: 256 patches
    ("gpt-5.4", 2560, 1440, "", 2765),  # becomes 2048 by 1152: 2,304 patches
    ("gpt-5.5", 2560, 1440, "", 4320),
    ("gpt-5.5", 1024, 1024, "high", 1229),
    ("gpt-5.6-sol", 4032, 3024, "", 14364),
    ("gemini-2.5-flash", 384, 384, "", 258),
    ("gemini-2.0-flash", 960, 540, "", 1548),  # 3 by 2 tiles
    ("gemini-1.5-pro", 3072, 3072, "", 4128),  # 4 by 4 tiles
    ("google/gemini-3-pro-preview", 200, 5000, "", 1120),
    ("gemini-3.5-flash", 200, 200, "MEDIA_RESOLUTION_LOW", 280),
    ("llama-4", 1000, 1000, "low", 1334),
    ("", 0, 0, "", 1600),
]


@pytest.mark.parametrize(("model", "width", "height", "detail", "tokens"), PICTURES)
def test_a_picture_is_counted_as_its_model_sees_it(
    model: str, width: int, height: int, detail: str, tokens: int
) -> None:
    """By the rule that the provider of the session's model gives for it."""
    picture = Image(width=width, height=height, detail=detail)
    session = Session(model=model, messages=(Message(id="m", role="user", images=(picture,)),))
    assert list(measured(session, meter("o200k_base")).tokens) == [tokens + 4]
    assert bound(meter("o200k_base"), session).count(session.messages[0]) == tokens + 4
    assert replay(session).tokens == (tokens + 4,)


@pytest.mark.parametrize("model", ["claude-opus-4-7", "gpt-4o", "gpt-5.4", "gpt-5.6", "gemini-2.5-pro", "gemini-3"])
@pytest.mark.parametrize("size", [(1, 1), (1, 100_000), (100_000, 1), (2**31, 2**31), (0, 5), (-1, 7)])
def test_pictures_of_any_size_are_counted(model: str, size: tuple[int, int]) -> None:
    """Also lines, specks and what no picture is."""
    picture = Image(width=size[0], height=size[1])
    assert pictures_of(model).tokens(picture) >= 1


def test_what_is_no_picture_costs_the_most() -> None:
    """Nothing is known of how long a sound or a document is."""
    for model, kind in (("gpt-4o", "application/pdf"), ("claude-opus-5", "input_audio"), ("", "audio/wav")):
        assert pictures_of(model).tokens(Image(media_type=kind, width=10, height=10)) == 1600


def test_a_note_says_by_whose_rule_pictures_are_counted() -> None:
    """Where the model is known."""
    session = Session(model="claude-opus-4-7", messages=(Message(role="user", images=(Image(), Image())),))
    expected = ("2 pictures counted by size as Anthropic describes it, not by o200k_base",)
    assert notes_of(session, meter("o200k_base")) == expected


def test_agentlib_counts_utf16_units_of_content_alone() -> None:
    """agentlib measures a text as JavaScript does, and leaves tool calls out."""
    message = Message(role="assistant", content="😀😀x", tool_calls=(ToolCall(name="long" * 99),))
    assert meter("agentlib").count(message) == 2 + 4


PIECES = ("a", "Word", " word", "'s", "7", "...", "/", ",", "\n", "\n\n\n", "\r\n", " ", "   ", "\t", "é", "漢", "😀")


@given(st.lists(st.sampled_from(PIECES), min_size=30, max_size=150).map("".join))
def test_slicing_a_long_text_changes_no_count(text: str) -> None:
    """A text cut at seams counts the same as the whole; any other cut is said not to be exact."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizer, "SHORT", 0)
        patch.setattr(tokenizer, "SLICE", 40)
        patch.setattr(tokenizer, "REACH", 30)
        tokens, exact = tokenizer.count_text(text)
        assert "".join(part for part, _ in tokenizer.slices(text)) == text
    if exact:
        assert tokens == len(tokenizer.encoding().encode_ordinary(text))


@example(";\n/")  # one token
@example("a\n\nb")
@given(st.lists(st.sampled_from((*PIECES, "]\n[", "\x85", "\u2028")), max_size=9).map("".join))
def test_a_first_line_counted_apart_changes_no_count(text: str) -> None:
    """Of a short text the first line is counted apart, where no token may hold its end and what follows."""
    assert tokenizer.count_text(text) == (len(tokenizer.encoding().encode_ordinary(text)), True)


TEXTS = st.lists(st.sampled_from((*PIECES, "<|endoftext|>", "<|endofprompt|>", "\ud800")), max_size=9).map("".join)


@given(st.lists(st.lists(TEXTS | st.just("Word\n" * 20), max_size=4), max_size=12))
def test_texts_counted_together_count_as_alone(groups: list[list[str]]) -> None:
    """Groups of texts handed to the tokenizer at once have the counts that their texts have one by one, exact or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizer, "SLICE", 80)
        assert list(tokenizer.count_groups(groups)) == list(map(tokenizer.count_group, groups))


def test_a_long_session_is_counted_on_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two batches of a session with more than a few are at the tokenizer at once, and their counts come in order."""
    together, count_batch = Barrier(2, timeout=PATIENCE), tokenizer._count_batch

    def both(groups: list[list[str]]) -> list[tuple[int, bool]]:
        together.wait()  # fails where one is counted after the other
        return count_batch(groups)

    monkeypatch.setattr(tokenizer, "_count_batch", both)
    monkeypatch.setattr(tokenizer, "SLICE", 10)
    monkeypatch.setattr(tokenizer, "FEW", 3)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    tokenizer._threads.cache_clear()
    assert list(tokenizer.count_groups([["one"], ["two words"], ["and three words"], ["x"]])) == [
        (1, True),
        (2, True),
        (3, True),
        (1, True),
    ]


def test_one_thread_counts_a_few_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same one for every session, whichever thread asks: the one that used the tokenizer first, where it is fastest."""
    used, count_batch = set[Thread](), tokenizer._count_batch

    def noted(groups: list[list[str]]) -> list[tuple[int, bool]]:
        used.add(current_thread())
        return count_batch(groups)

    monkeypatch.setattr(tokenizer, "_count_batch", noted)
    monkeypatch.setattr(tokenizer, "SLICE", 10)
    tokenizer.encoding()
    first = tokenizer._threads()[0].submit(current_thread).result()
    assert list(tokenizer.count_groups([["one"], ["two words"]])) == [(1, True), (2, True)]
    with ThreadPoolExecutor(1) as other:
        other.submit(lambda: list(tokenizer.count_groups([["one"], ["two words"]]))).result()
    assert used == {first}


def test_the_tokenizer_is_used_first_by_a_thread_that_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for it: the pattern is fastest in that thread for good."""
    users = list[Thread]()

    class Noting(tiktoken.Encoding):
        def encode_ordinary(self, text: str) -> list[int]:
            users.append(current_thread())
            return super().encode_ordinary(text)

    monkeypatch.setattr(tokenizer.tiktoken, "Encoding", Noting)
    monkeypatch.setattr(tokenizer, "_ranks", lambda: {bytes([i]): i for i in range(256)})
    tokenizer.encoding.__wrapped__()
    assert users == [tokenizer._threads()[0].submit(current_thread).result()]


def test_the_collector_rests_while_messages_are_counted() -> None:
    """Counting makes many small objects and no cycles among them: nothing is to be collected meanwhile."""
    seen: list[bool] = []

    class Noting:
        def count(self, message: Message) -> int:
            seen.append(gc.isenabled())
            return 1

    assert measured(as_session([Message(role="user", content="hi")]), Noting()).tokens == [1]
    assert (seen, gc.isenabled()) == ([False], True)


@pytest.mark.parametrize(
    ("text", "about", "exact"),
    [
        (" " * 1_000_000, 7_815, False),
        ("one line of some words\n" * 200_000, 1_200_000, True),
        ("Zm9sZGxpbmU" * 400_000, 2_200_000, False),
        ("a\ud800b", 3, False),
        ("<|endoftext|>", 7, True),
        ("\x00" * 300_000, 75_000, False),
    ],
    ids=["a million spaces", "4 MB of lines", "4 MB in a row", "a lone surrogate", "a special token", "zeros"],
)
def test_no_text_is_too_much(text: str, about: int, exact: bool) -> None:
    """A million spaces, 4 MB, lone surrogates and special tokens are counted or estimated, and do not crash."""
    tokens, counted = tokenizer.count_text(text)
    assert counted is exact
    assert about / 2 <= tokens <= about * 2


def test_a_tokenizer_that_panics_is_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the tokenizer gives up, even by a panic that is no Exception, four characters are taken for a token."""

    class Panic(BaseException):
        pass

    class Broken:
        def encode_to_numpy(self, text: str, **_: object) -> None:
            raise Panic

    monkeypatch.setattr(tokenizer, "encoding", Broken)
    assert tokenizer.count_text("x" * 401) == (101, False)
    assert list(tokenizer.count_groups([["xxxx"], ["x" * 401]])) == [(1, False), (101, False)]


def test_an_estimate_is_noted() -> None:
    """A trace says which messages could only be estimated, and that pictures were counted by size."""
    odd = Message(id="odd", role="user", content=" " * 1_000_000, images=(Image(),))
    session = Session(messages=(Message(id="fine", role="user", content="hi"), odd))
    expected = (
        "o200k_base could not count these exactly and estimated them: odd (1,000,000 characters)",
        "1 picture counted by size, not by o200k_base",
    )
    assert replay(session).notes == expected
    assert notes_of(session, meter("o200k_base")) == expected


def test_the_vocabulary_is_the_one_tiktoken_expects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vocabulary, pattern and special tokens are tiktoken's own o200k_base."""
    from tiktoken_ext import openai_public

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, expected_hash: {"hash": expected_hash})
    theirs = openai_public.o200k_base()
    assert theirs["mergeable_ranks"] == {"hash": tokenizer.SHA256}
    assert (theirs["pat_str"], theirs["special_tokens"]) == (tokenizer.PATTERN, tokenizer.SPECIAL)
    assert tokenizer.encoding().n_vocab == 200_019
    assert isinstance(tokenizer.encoding(), tiktoken.Encoding)


def test_a_damaged_vocabulary_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary that is cut short or missing is an error with a way out, not a download."""
    cut = tmp_path / "o200k"
    cut.write_bytes(tokenizer.VOCABULARY.read_bytes()[:-1])
    for place, says in ((cut, "damaged"), (tmp_path / "none", "cannot be read")):
        monkeypatch.setattr(tokenizer, "VOCABULARY", place)
        with pytest.raises(FoldlineError, match=says) as error:
            tokenizer._ranks()
        assert error.value.hint == "install foldline again"


OFFLINE = """
import socket, sys
def refuse(*a, **k): raise AssertionError("a socket was opened")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from core import Message, meter
print(meter("o200k_base").count(Message(role="user", content="hello world")), sys.modules["core"].__file__)
"""


def test_counting_opens_no_socket_and_writes_nothing(tmp_path: Path) -> None:
    """In a read-only copy, with an empty home and sockets refused, o200k_base counts."""
    package = tmp_path / "package"
    shutil.copytree(ROOT / "core", package / "core")
    for path in sorted(package.rglob("*"), reverse=True):
        path.chmod(0o555 if path.is_dir() else 0o444)
    environment = {"PYTHONPATH": str(package), "HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "none")}
    environment |= {"TIKTOKEN_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", OFFLINE], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.stdout.strip(), ran.stderr) == (f"6 {package / 'core' / '__init__.py'}", "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["package"]


class Counting:
    """A meter that counts how often it is asked."""

    asked = 0

    def count(self, message: Message) -> int:
        """Ten, whatever the message."""
        self.asked += 1
        return 10


def chat(*usages: Usage | None, **more: object) -> Session:
    """A session of questions and replies in turn; the replies have these usages."""
    messages = []
    for i, usage in enumerate(usages):
        messages.append(Message(id=f"q{i}", role="user", content="hello world " * (i + 1)))
        messages.append(Message(id=f"a{i}", role="assistant", content="yes", usage=usage))
    return Session(messages=tuple(messages), **more)


def test_many_messages_count_as_each_does_alone() -> None:
    """Messages counted together have the counts each has alone, in their order, however many calls they make."""
    calls = tuple(ToolCall(name=f"tool{i}", arguments={"path": "a/b.py" * i}) for i in range(4))
    messages = [Message(role="assistant", content="word " * i, thinking="x", tool_calls=calls[:i]) for i in range(6)]
    assert tally(messages, meter("o200k_base")).tokens == [meter("o200k_base").count(m) for m in messages]


def test_a_session_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another budget, another policy and another meter object count nothing again."""
    asked: list[str] = []

    def counts(groups: Iterable[list[str]]) -> Iterator[tuple[int, bool]]:
        return ((asked.extend(texts) or 1, True) for texts in groups)

    monkeypatch.setattr(sys.modules["core.meters.counted"], "count_groups", counts)
    session = chat(None, None)
    for name, budget in (("agentkit.memory", 10), ("agentkit.memory", 99_999), ("agentlib.summarizing", None)):
        settings = {"budget": budget} if budget else {}
        simulate(session, policy(name, **settings), meter=meter("o200k_base"), summarizer=lambda *_: "")
    assert asked.count("hello world ") == 1
    assert measured(session, meter("o200k_base")) is measured(session, meter("o200k_base"))


def test_a_strangers_meter_is_asked_each_time() -> None:
    """Counts are kept for the meters of foldline only: any other may answer otherwise the next time."""
    session, own = chat(None), Counting()
    assert measured(session, own).tokens == measured(session, own).tokens == [10, 10]
    assert own.asked == 4
    assert notes_of(session, own) == ()
    assert own.asked == 4


def test_counts_go_with_their_session() -> None:
    """What was counted is forgotten when the session is: opening files for a day does not fill the memory."""
    session = chat(Usage(output=5))
    simulate(session, policy("agentkit.memory"), meter=meter("reported"))
    counts = weakref.ref(measured(session, meter("o200k_base")))
    del session
    gc.collect()
    assert counts() is None


def test_reported_reads_outputs_and_growth() -> None:
    """A reply costs its recorded output; what came between two replies, the growth of the prompt."""
    session = chat(Usage(input_uncached=100, output=7), Usage(input_uncached=20, cache_read=110, output=9))
    own = bound(meter("reported"), session)
    assert tally(session.messages, own).tokens == [7, 7, 23, 9]  # q0 by o200k_base: 3 + 4; q1 = 130 - 100 - 7
    assert notes_of(session, own) == ("1 of 4 messages have no recorded tokens: counted by o200k_base",)
    assert simulate(session, policy("agentkit.memory"), meter=meter("reported")).tokens == (7, 7, 23, 9)


def test_reported_shares_growth_in_proportion() -> None:
    """Messages that arrived together share the growth by their o200k_base counts, to the last token."""
    results = [Message(id=f"t{i}", role="tool", content="hello world " * n) for i, n in enumerate((1, 3, 10))]
    first = Message(id="a", role="assistant", usage=Usage(input_uncached=10, output=2))
    last = Message(id="b", role="assistant", usage=Usage(input_uncached=112, output=3))
    session = Session(messages=(first, *results, last))
    assert measured(session, meter("o200k_base")).tokens[1:4] == [7, 11, 25]
    own = measured(session, bound(meter("reported"), session)).tokens
    assert list(own) == [2, 16, 25, 59, 3]
    assert sum(own[1:4]) == 112 - 10 - 2


@pytest.mark.parametrize("compacted", [False, True])
def test_reported_falls_back_where_nothing_is_told(compacted: bool) -> None:
    """A prompt that shrank, and one that a compaction rewrote, say nothing of single messages: o200k_base counts."""
    after = Usage(input_uncached=900 if compacted else 50, output=9)
    more = {"compactions": (RecordedCompaction(at=3),)} if compacted else {}
    session = chat(Usage(input_uncached=100, output=7), after, **more)
    assert list(measured(session, bound(meter("reported"), session)).tokens) == [7, 7, 9, 9]


def test_reported_counts_a_new_message_by_tokenizer() -> None:
    """A summary, or a message whose body was emptied, is not what was recorded: o200k_base counts it."""
    session = chat(Usage(output=500))
    own = bound(meter("reported"), session)
    reply = session.messages[1]
    assert own.count(reply) == 500
    assert own.count(reply.model_copy(update={"content": "hello world"})) == 6
    assert own.count(Message(role="user", content="hello world")) == 6


def test_reported_needs_usage() -> None:
    """A transcript that records no usage, and a message on its own, get an error that names the other meter."""
    for ask in (lambda: bound(meter("reported"), chat(None)), lambda: meter("reported").count(Message(role="user"))):
        with pytest.raises(ParameterError) as error:
            ask()
        assert "o200k_base" in error.value.hint
