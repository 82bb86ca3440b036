"""Traces to findings: what deserves a person's attention, with its evidence."""

from core.analyse.findings import Finding, findings

__all__ = ["Finding", "findings"]
