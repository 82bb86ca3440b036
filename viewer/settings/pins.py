"""Pinned messages as an address names them: by id, or by number. Numbers count from 0 there, as in links that people keep."""

from functools import partial

from core.engine import pins as named

pins = partial(named.pins, first=0)
pins_text = partial(named.pins_text, first=0)
