// The words of a slide. Run by test_frontend.py with node.
import assert from "node:assert/strict";
import { test } from "node:test";

await import("./dom.mjs");
const { large } = await import("../../viewer/frontend/debugger/slidecard.js");

/** The text of a node with "|" where it may be broken, and [] around what has a line of its own where it has room there. */
const broken = (text) => [...large(text).childNodes].map(partOf).join("");
const partOf = (node) => {
  if (node.tagName?.toLowerCase() === "wbr") return "|";
  return node.tagName ? `[${[...node.childNodes].map(partOf).join("")}]` : node.textContent;
};

test("a path may be broken behind its folders, a name that is longer than a line behind its marks, a number nowhere", () => {
  assert.equal(
    broken("The model calls Read: …/strategy/manual_commit_condensation.go"),
    "The model calls Read: […/strategy/|[manual_|commit_|condensation.go]]",
  );
  assert.equal(
    broken("edited pocketbook/__init__.py, tests/test_report.py::test_midnight"),
    "edited [pocketbook/|__init__.py,] [tests/|[test_|report.py::test_|midnight]]",
  );
  assert.equal(broken("“monthly_report”, used"), "[“monthly_|report”,] used");
  assert.equal(broken("from 156,699 to 2.19 and 10/12, e.g. 2026-01-23"), "from 156,699 to 2.19 and 10/12, e.g. 2026-01-23");
  assert.equal(large("in src/core/session.py").textContent, "in src/core/session.py", "it is copied and read aloud as it is");
});
