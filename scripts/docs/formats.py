"""The reference of every format, in Markdown."""

import inspect

from core.importers import importers


def formats() -> str:
    """Every format in order of its label: what its importer says of it, what is covered, and where it is described."""
    found = sorted(importers().items(), key=lambda item: item[1].LABEL.casefold())
    return "\n".join(_section(name, module) for name, module in found)


def _section(name: str, module: object) -> str:
    covers = getattr(module, "COVERS", "")
    records = "Its recorded compactions are read." if getattr(module, "RECORDS_COMPACTIONS", False) else ""
    docs = str(getattr(module, "DOCS", ""))
    facts = [f"`{name}`", covers, f"[described here]({docs})" if "://" in docs else ""]
    title = f"### {getattr(module, 'LABEL', name)}"
    return "\n\n".join(filter(None, [title, " · ".join(filter(None, facts)), inspect.getdoc(module), records])) + "\n"
