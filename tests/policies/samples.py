"""A sample that is long enough for policies to act on."""

from pathlib import Path

from core import load

CODING = load(Path(__file__).parents[2] / "sample_sessions" / "openai-chat" / "coding-session.json")
