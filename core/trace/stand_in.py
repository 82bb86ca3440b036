"""Whether quotes from the messages stand in for the summaries that a model would write."""

from core.trace.trace import Trace

KEPT_BY_QUOTE = "Only a quote that stands in for a summary keeps it: a summary that a model writes may leave it out."


def quotes_only(trace: Trace) -> bool:
    """Whether a simulation's summaries only quote: that they say something does not mean that a model's would."""
    return trace.kind == "simulate" and trace.summarizer == "structural"
