"""The words that a newcomer may not know, each in one sentence; a step names those that it uses first."""

from collections.abc import Mapping

GLOSSARY: Mapping[str, str] = {
    "API": "what a program sends its requests to; it refuses a request that is not well formed.",
    "budget": "the most tokens that the window may hold before it is compacted.",
    "cache": "a provider keeps the beginning of a request for some minutes, and charges less for it when it comes again.",
    "compaction": "old messages leave the window, and something shorter takes their place.",
    "fresh token": "one that the provider has not kept: it is read at the full price.",
    "group": "a call with its results, or one message by itself.",
    "name": "a file, a function, an option: what is written the same way each time it is used.",
    "partition": "the window is sorted: what stays, and what may go.",
    "pinned": "never taken by a compaction.",
    "policy": "the rule by which an agent keeps its window small.",
    "role": "who a message is from: system, user, assistant or tool.",
    "splice": "the summary is put into the window.",
    "token": "a piece of text, mostly shorter than a word. Limits and prices are counted in tokens.",
    "tool call": "the model asks for a program to be run. What that answers comes back as a message: the result.",
    "window": "the context window: the messages that are sent with one request. How many tokens it may hold is limited.",
}
