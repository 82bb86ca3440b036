"""o200k_base, the tokenizer of OpenAI's models since gpt-4o, with the vocabulary that ships with foldline.

tiktoken's own `get_encoding` downloads the vocabulary; here it is read only from `core/meters/tiktoken`. The pattern and the
numbers of the special tokens are those of the encoding's definition:
https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py
"""

import hashlib
import os
import re
from binascii import a2b_base64
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from io import BytesIO
from itertools import accumulate, chain, cycle, islice, pairwise
from pathlib import Path

import tiktoken

from core.model.copies import in_every_copy
from core.model.errors import FoldlineError
from core.model.session import sanitize_json

VOCABULARY = Path(__file__).parent / "tiktoken" / "fb374d419588a4632f3f557e76b4b70aebbca790"
SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
SLICE = 200_000  # characters; tiktoken fails at about a million white-space characters in a row
MOST_THREADS = 8
FEW = 100  # batches of SLICE characters that one thread counts, in less than half a second
SHORT = 4_000  # characters of a text whose count is remembered
REACH = 4_000  # characters before the end of a slice that are searched for a place to cut

_UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
PATTERN = "|".join(
    (
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_ENDING}",
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_ENDING}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)
SPECIAL = {"<|endoftext|>": 199_999, "<|endofprompt|>": 200_018}
_BETWEEN = "<|endoftext|>"  # no token crosses a special token, so texts joined with it are counted separately

# No token crosses these places, so that slices count as the whole.
SEAM = re.compile(r"(?<=\n)(?=[A-Za-z])|(?<=[A-Za-z.,;])(?= [A-Za-z])")

_CROSSES = re.compile(r"[\s/]|\Z")  # behind a line end: what a token may hold together with it, or nothing


@lru_cache(maxsize=1)
def encoding() -> tiktoken.Encoding:
    """The tokenizer, read once a process (some 0.3 s). Raises FoldlineError if its vocabulary is damaged."""
    made = new_encoding()
    _threads()[0].submit(made.encode_ordinary, "first").result()
    return made


def new_encoding() -> tiktoken.Encoding:
    """The tokenizer read anew: it takes the same memory again, and will be fastest in the thread that uses it first."""
    made = tiktoken.Encoding("o200k_base", pat_str=PATTERN, mergeable_ranks=_ranks(), special_tokens=SPECIAL)
    made._mergeable_ranks = {}  # some 25 MB that only pickling it would read: the tokenizer has a copy of its own
    return made


def _ranks() -> dict[bytes, int]:
    """The vocabulary: lines of a base64 token and its rank."""
    try:
        raw = VOCABULARY.read_bytes()
    except OSError as error:
        raise FoldlineError(
            f"the vocabulary of o200k_base cannot be read: {error}", "install foldline again"
        ) from error
    if hashlib.sha256(raw).hexdigest() != SHA256:
        raise FoldlineError(f"the vocabulary of o200k_base is damaged: {VOCABULARY.name}", "install foldline again")
    return {a2b_base64(token): int(rank) for token, rank in map(bytes.split, BytesIO(raw))}


def count_text(text: str) -> tuple[int, bool]:
    """The tokens of a text, and whether they are exact. No text raises an error.

    Not exact are a text with a lone surrogate, a text of more than 200,000 characters that has no good place to cut, and a
    text that the tokenizer fails on, which is estimated at four characters a token.
    """
    if len(text) <= SHORT:
        return _counted_apart(text)
    if len(text) <= SLICE:
        return _count(text)
    total, exact = 0, True
    for part, clean in slices(text):
        tokens, counted = _count(part)
        total, exact = total + tokens, exact and clean and counted
    return total, exact


def count_groups(groups: Iterable[list[str]]) -> Iterator[tuple[int, bool]]:
    """The sum of `count_text` over the texts of each group. The tokenizer counts many at once, which is faster."""
    batches = _batches(groups)
    first, second = next(batches), next(batches, None)
    if second is None:
        return iter(_count_batch(first))
    encoding()  # here: not by several threads at once, and before more batches take room
    few = [first, second, *islice(batches, FEW - 1)]
    return _counted_in_threads(chain(few, batches), _threads()[: 1 if len(few) <= FEW else None])


def _counted_in_threads(
    batches: Iterable[list[list[str]]], threads: Sequence[ThreadPoolExecutor]
) -> Iterator[tuple[int, bool]]:
    """The counts of batches, in order. The tokenizer works outside of Python's lock, so each core takes one."""
    waiting = deque[Future[list[tuple[int, bool]]]]()
    for batch, thread in zip(batches, cycle(threads)):
        waiting.append(thread.submit(_count_batch, batch))
        if len(waiting) > 2 * len(threads):
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


@lru_cache(maxsize=1)
def _threads() -> tuple[ThreadPoolExecutor, ...]:
    """The threads that count, one for each core. The first that ever uses the tokenizer is the fastest.

    The pattern keeps its working memory at hand for the thread that used it first, and any other has to ask for some under a
    lock at every match, which takes two fifths longer: so that one is kept, and the others help only with much text.
    """
    count = min(os.cpu_count() or 1, MOST_THREADS)
    return tuple(ThreadPoolExecutor(1, f"tokenizer-{k}") for k in range(count))


in_every_copy(_threads.cache_clear)


def _batches(groups: Iterable[list[str]]) -> Iterator[list[list[str]]]:
    """The groups in order, some 200,000 characters together; a group that is longer is alone."""
    batch, size = list[list[str]](), 0
    for texts in groups:
        length = sum(map(len, texts))
        if batch and size + length > SLICE:
            yield batch
            batch, size = [], 0
        batch.append(texts)
        size += length
    yield batch


def count_group(texts: list[str]) -> tuple[int, bool]:
    """The sum of the tokens of some texts, and whether all are exact."""
    counted = [count_text(text) for text in texts]
    return sum(tokens for tokens, _ in counted), all(exact for _, exact in counted)


def _count_batch(groups: list[list[str]]) -> list[tuple[int, bool]]:
    """The tokens of each group; one by one if a text holds the separator, or for a single group, which may be too long."""
    whole, places = _BETWEEN.join(chain.from_iterable(groups)), [*accumulate(map(len, groups), initial=0)]
    if len(groups) < 2 or whole.count(_BETWEEN) >= places[-1]:
        return list(map(count_group, groups))
    try:
        tokens = encoding().encode_to_numpy(whole, allowed_special={_BETWEEN}, disallowed_special=())
    except (KeyboardInterrupt, SystemExit, FoldlineError, MemoryError):
        raise
    except BaseException:  # a panic of the tokenizer is not an Exception
        return list(map(count_group, groups))
    ends = [-1, *(tokens == SPECIAL[_BETWEEN]).nonzero()[0].tolist(), len(tokens)]
    return [(ends[b] - ends[a] - (b - a), True) for a, b in pairwise(places)]


def _counted_apart(text: str) -> tuple[int, bool]:
    """The same for a short text, its first line apart: often that counts up, "[summary #4 of 12 …]", above what stays."""
    end = text.find("\n") + 1
    if not end or _CROSSES.match(text, end):
        return _remembered(text)
    (first, clean), (rest, exact) = _remembered(text[:end]), _remembered(text[end:])
    return first + rest, clean and exact


@lru_cache(maxsize=2_048)
def _remembered(text: str) -> tuple[int, bool]:
    """The same for a short text: what simulations put into windows is counted again and again. They take some 8 MB."""
    return _count(text)


def _count(text: str) -> tuple[int, bool]:
    try:
        return int(encoding().encode_to_numpy(text, disallowed_special=()).size), True
    except UnicodeError:
        return _count(sanitize_json(text))[0], False
    except (KeyboardInterrupt, SystemExit, FoldlineError, MemoryError):
        raise
    except BaseException:  # a panic of the tokenizer is not an Exception
        return -(-len(text) // 4), False


def slices(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces of at most 200,000 characters, each with whether the cut after it is exact."""
    start = 0
    while start + SLICE < len(text):
        end = _seam(text, start + SLICE)
        yield text[start : end or start + SLICE], end is not None
        start = end or start + SLICE
    yield text[start:], True


def _seam(text: str, end: int) -> int | None:
    """The last place near `end` where a cut does not change the count, or None."""
    found = [match.start() for match in SEAM.finditer(text, end - REACH, end + 1)]
    return found[-1] if found else None
