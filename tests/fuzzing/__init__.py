"""Transcripts damaged on purpose: what opens them gives sessions that hold together, or a TranscriptError.

`make fuzz` runs it at length, `tests/fuzzing/test_fuzzing.py` a little of it. An input is made from its seed, format and number
alone, so that what failed once can be made again: `make fuzz ARGS="--format atif --seed 1 --only 1234"`.
"""
