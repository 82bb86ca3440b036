"""The reference of the command line, in Markdown, from the parser itself."""

import argparse
import os
from unittest.mock import patch

from core.cli import parser


def commands() -> str:
    """Every command with its help."""
    actions = parser()._actions
    found = next(action for action in actions if isinstance(action, argparse._SubParsersAction)).choices
    with patch.dict(os.environ, {"COLUMNS": "82"}):  # the width of argparse's lines
        return "\n".join(f"## {name}\n\n```\n{one.format_help()}```\n" for name, one in found.items())
