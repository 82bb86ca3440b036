"""Traces to findings: what deserves attention, with its evidence."""

from core.analyse.finding import Finding
from core.analyse.findings import call_findings, failed_findings, findings, findings_at, kinds, trace_findings

__all__ = ["Finding", "call_findings", "failed_findings", "findings", "findings_at", "kinds", "trace_findings"]
