"""Traces to findings: what deserves a person's attention, with its evidence."""

from core.analyse.finding import Finding
from core.analyse.findings import findings, findings_at, kinds, trace_findings

__all__ = ["Finding", "findings", "findings_at", "kinds", "trace_findings"]
