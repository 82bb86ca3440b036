"""A session or its trace in another form, to be handed on: JSON, tables, messages of an API, a compaction as Markdown."""
