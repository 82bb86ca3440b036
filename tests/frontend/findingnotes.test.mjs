// The findings of a compaction, in its card.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { findingNotes } from "../../viewer/frontend/debugger/findingnotes.js";
import { shapeAt } from "../../viewer/frontend/run/findingwords.js";

test("a finding in the card has the sign of its severity, the one that the list and the timeline give it", () => {
  const app = { run: { pool: { added: [] } } };
  const severities = ["error", "warning", "info"];
  const notes = findingNotes(
    app,
    severities.map((severity) => ({ severity, title: "Gone", text: "It is gone.", messages: [] })),
  );
  const signs = notes.map((note) => note.querySelector(".fl-sign"));
  assert.deepEqual(
    signs.map((sign) => [sign.getAttribute("aria-label"), sign.querySelector("path").getAttribute("d")]),
    severities.map((severity) => [severity, shapeAt(severity, 0, 0)]),
  );
});
