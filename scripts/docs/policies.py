"""The reference of every policy, in Markdown."""

from itertools import groupby

from core.policies import policies as known
from core.policy.parameters import Parameter
from core.policy.policy import Policy
from scripts.readme_tables import claim, committed


def policies() -> str:
    """Every policy by family: what it does, its parameters, its faults, what is left out, its source."""
    found = sorted(filter(committed, known()), key=lambda policy: (policy.family.casefold(), policy.name))
    families = groupby(found, key=lambda policy: policy.family)
    return "\n".join(f"## {family}\n\n" + "\n".join(map(_section, members)) for family, members in families)


def _section(policy: Policy) -> str:
    source = policy.source
    parts = [
        f"### {policy.name}\n",
        f"*{claim(policy)}* · {_source(source.url)} {source.version}, license {source.licence}, checked {source.checked}\n",
        f"{policy.about}\n",
        f"{policy.rule}\n",
        _parameters(policy.parameters),
        _listed("Faults of the real system, reproduced and reported as findings", policy.faults),
        _listed("Not modelled", policy.not_modelled),
    ]
    return "\n".join(filter(None, parts))


def _source(url: str) -> str:
    return f"[source]({url})" if "://" in url else url


def _parameters(parameters: tuple[Parameter, ...]) -> str:
    rows = (f"| `{p.name}` | {p.to_text(p.default) or 'none'} | {p.unit} | {p.about} |\n" for p in parameters)
    return "| parameter | default | unit | what it is |\n|---|---|---|---|\n" + "".join(rows) if parameters else ""


def _listed(title: str, entries: tuple[str, ...]) -> str:
    return f"{title}:\n\n" + "".join(f"- {entry}\n" for entry in entries) if entries else ""
