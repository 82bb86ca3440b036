// The words of a slide. Run by test_frontend.py with node.
import assert from "node:assert/strict";
import { test } from "node:test";

await import("./dom.mjs");
const { large } = await import("../../viewer/frontend/debugger/slidecard.js");

/** The text of a node with "|" where it may be broken. */
const broken = (text) => [...large(text).childNodes].map((node) => (node.tagName?.toLowerCase() === "wbr" ? "|" : node.textContent)).join("");

test("a long name may be broken behind its marks, a number nowhere", () => {
  assert.equal(
    broken("The model calls Read: …/strategy/manual_commit_condensation.go"),
    "The model calls Read: …/strategy/|manual_|commit_|condensation.go",
  );
  assert.equal(
    broken("edited pocketbook/__init__.py, tests/test_report.py::test_midnight"),
    "edited pocketbook/|__init__.py, tests/|test_|report.py::test_|midnight",
  );
  assert.equal(broken("from 156,699 to 2.19 and 10/12, e.g. 2026-01-23"), "from 156,699 to 2.19 and 10/12, e.g. 2026-01-23");
  assert.equal(large("in src/core/session.py").textContent, "in src/core/session.py", "it is copied and read aloud as it is");
});
