"""Verdicts for other programs: JUnit XML for a build server, Markdown for the summary of a step.

JUnit's form has no standard; this is what build servers read: https://github.com/testmoapp/junitxml
"""

import re
from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree

from core.check.verdict import Verdict, counted, failed

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|~:@$])")


def junit(verdicts: Sequence[Verdict]) -> str:
    """The verdicts as JUnit XML: a suite for each session, a case for each rule."""
    top = _element("testsuites", verdicts, name="foldline check")
    for session, some in groupby(verdicts, key=lambda found: found.session):
        cases = list(some)
        suite = _element("testsuite", cases, name=session or "all sessions")
        suite.extend(_case(found) for found in cases)
        top.append(suite)
    ElementTree.indent(top)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(top, encoding="unicode") + "\n"


def _element(tag: str, verdicts: Sequence[Verdict], name: str) -> ElementTree.Element:
    skipped = sum(found.status in ("skipped", "known") for found in verdicts)
    counts = {"tests": len(verdicts), "failures": len(failed(verdicts)), "skipped": skipped}
    return ElementTree.Element(tag, {"name": _xml(name), **{key: str(count) for key, count in counts.items()}})


def _case(found: Verdict) -> ElementTree.Element:
    case = ElementTree.Element("testcase", {"name": _xml(found.rule), "classname": _xml(found.session)})
    if found.status == "failed":
        failure = ElementTree.SubElement(case, "failure", {"message": _xml(found.text)})
        failure.text = _xml("\n".join((found.text, *found.story)))
    elif found.status != "passed":
        why = f"no worse than in the baseline: {found.text}" if found.status == "known" else found.text
        ElementTree.SubElement(case, "skipped", {"message": _xml(why)})
    return case


def _xml(text: str) -> str:
    """The text without the characters that XML has no way to write."""
    return _NOT_XML.sub("\ufffd", text)


def markdown(verdicts: Sequence[Verdict], changed: Sequence[str] = ()) -> str:
    """The verdicts as a Markdown table, what failed first; text of a transcript stands there without any markup.

    Above it stands how the sessions differ from those of the baseline.
    """
    said = [line for sentence in changed for line in (_plain(sentence), "")]
    lines = [f"### foldline check: {counted(verdicts)}", "", *said, "| | session | rule | |", "|---|---|---|---|"]
    for found in sorted(verdicts, key=lambda found: found.status != "failed"):
        told = "<br>".join(map(_plain, (found.text, *found.story)))
        lines.append(f"| {found.status} | {_plain(found.session)} | {_plain(found.rule)} | {told} |")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """The text on one line, with every character escaped that Markdown or HTML would act on."""
    safe = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKUP.sub(r"\\\1", safe)
