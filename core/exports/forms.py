"""The forms that a trace can be written in, by name."""

from core.exports import answer, markdown, saved, tables
from core.exports.form import Form

FORMS: dict[str, Form] = {form.name: form for form in (*markdown.FORMS, *answer.FORMS, *saved.FORMS, *tables.FORMS)}
