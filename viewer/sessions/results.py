"""Results that `foldline tune --parquet` has kept, open for the Tune page: settings laid out as maps, and their sums."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from core import FoldlineError, Policy, policy
from core.importers._naming import located
from core.model.paths import check_place
from core.tune.columns import settings_json
from core.tune.parts import parts
from core.tune.proposals import swept_first
from core.tune.results import Figure, Percentiles, results_in
from core.tune.row import Row
from core.tune.task import Setting
from core.tune.totals import Totals
from viewer.sessions.registry import RecentCache

_kept: RecentCache["KeptResult"] = RecentCache(4)


class Sum(NamedTuple):
    """What one setting comes to over all sessions: sums, the cost at the prices of the rows, how the miss rates differ."""

    totals: Totals
    cost: float | None
    spread: Percentiles | None


@dataclass(frozen=True)
class KeptGrid:
    """A map of kept settings: `label` tells it from other maps; of the axes the values of the first change first."""

    label: str
    policy: str
    fixed: Mapping[str, str]
    axes: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class KeptResult:
    """A folder of rows, as it was when it was opened. `settings` are numbered through all grids; `sums` has those there are."""

    id: str
    folder: Path
    sessions: int
    meter: str
    summaries: str
    grids: tuple[KeptGrid, ...]
    settings: tuple[Setting, ...]
    sums: Mapping[int, Sum]

    def worst(self, k: int, figure: Figure, most: int) -> list[Row]:
        """The sessions with the highest figure under a setting. Raises FoldlineError."""
        with results_in(self.folder) as found:
            return found.worst(self.settings[k], figure, most)


def open_result(path: str) -> KeptResult:
    """The result in a folder, or the one that a `rows.parquet` belongs to. Raises FoldlineError."""
    check_place(path)
    folder = Path(path).expanduser()
    folder = folder.parent if folder.is_file() else folder
    id = _id(folder)
    return _kept.get_or_make(id, lambda: _opened(id, folder))


def result_named(id: str) -> KeptResult:
    """The result with this id, while it is kept. Raises FoldlineError."""
    found = _kept.get(id)
    if found is None:
        raise FoldlineError("this result is no longer open", "open it again")
    return found


def _id(folder: Path) -> str:
    """Another one when a file of it has changed."""
    stats = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in parts(folder)]
    return hashlib.blake2b(repr((str(folder), stats)).encode("utf-8", "replace"), digest_size=9).hexdigest()


def _opened(id: str, folder: Path) -> KeptResult:
    with results_in(folder) as found:
        spread = {_key(setting): one for setting, one in found.percentiles("miss_rate")}
        sums = {
            _key(setting): Sum(totals, cost, spread.get(_key(setting)))
            for (setting, totals), cost in zip(found.totals(), found.costs(), strict=True)
        }
        listed = [setting for setting, _ in found.totals()]
        meters, sessions, terms = found.meters(), found.sessions(), found.terms.get("terms", {})
    laid = [one for name in dict.fromkeys(s.policy for s in listed) for one in _grids(name, listed)]
    settings = [setting for _, every in laid for setting in every]
    return KeptResult(
        id=id,
        folder=folder,
        sessions=sessions,
        meter=meters[0] if len(meters) == 1 else "",
        summaries=str(terms.get("summaries") or "structural"),
        grids=tuple(grid for grid, _ in laid),
        settings=tuple(settings),
        sums={k: sums[_key(one)] for k, one in enumerate(settings) if _key(one) in sums},
    )


def _key(setting: Setting) -> tuple[str, str]:
    return setting.policy, settings_json(setting.settings)


def _grids(name: str, listed: Sequence[Setting]) -> Iterator[tuple[KeptGrid, list[Setting]]]:
    """The maps of one policy: over the two parameters that are swept first, one for each combination of the others."""
    rule, own = policy(name), [one.settings for one in listed if one.policy == name]
    values = {p.name: _values(p.name, own, rule) for p in rule.parameters}
    varied = [name for name, found in values.items() if len(found) > 1]
    axes = [*(one for one in swept_first(rule) if one in varied), *varied]
    across = list(dict.fromkeys(axes))[:2]
    others = [one for one in varied if one not in across]
    for chosen in product(*(values[one] for one in others)):
        rest = dict(zip(others, chosen, strict=True))
        fixed = {one: found[0] for one, found in values.items() if found and one not in varied} | rest
        cells = product(*(values[one] for one in reversed(across)))
        settings = [_setting(rule, {**fixed, **dict(zip(reversed(across), cell, strict=True))}) for cell in cells]
        texts = {
            p.name: p.to_text(value) for p in rule.parameters if (value := fixed.get(p.name, p.default)) != p.default
        }
        lines = {p.name: tuple(p.to_text(value) for value in values[p.name]) for p in rule.parameters}
        label = ", ".join([name, *(f"{one} {texts.get(one, rest[one])}" for one in others)])
        yield KeptGrid(label, name, texts, tuple((one, lines[one]) for one in across)), settings


def _setting(rule: Policy, values: Mapping[str, Any]) -> Setting:
    """A setting with its values in the order of the policy's parameters."""
    return Setting(rule.name, {p.name: values[p.name] for p in rule.parameters if p.name in values})


def _values(name: str, own: Sequence[Mapping[str, Any]], rule: Policy) -> list[Any]:
    """The values that a parameter has, each once: numbers by size, others as they come."""
    found = {repr(one[name]): one[name] for one in own if name in one}.values()
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in found)
    return sorted(found) if numbers else list(found)


def place_of(name: str) -> tuple[str, str]:
    """Where the session of a row is: the path of its file, and its address in that; ("", "") for one that is not here."""
    found = located(name)
    if found is None:
        return "", ""
    file, inside, id = found
    return str(file.absolute()), f"./{inside}#{id}".removesuffix("#") if inside else id
