"""Shapes that several formats share: content blocks, chat lists, Responses items, spans, prompts."""
