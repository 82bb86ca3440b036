// A title that is cut keeps the end of a file's name, and is told whole where it is pointed at or focused.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { cutWords } from "../../viewer/frontend/lib/format.js";
import { ended, titled } from "../../viewer/frontend/lib/titled.js";

test("what ends with a file, or is one word, keeps its last characters, whole parts where it has some; other text and short names are cut at the end", () => {
  assert.deepEqual(ended("pptx/anthropic-code-execution.pptx-skill.json"), ["pptx/anthropic-code-execution.", "pptx-skill.json"]);
  assert.deepEqual(ended("look at src/statements/northline/parser.py"), ["look at src/statements/nor", "thline/parser.py"]);
  assert.deepEqual(ended("django__django-11099-and-more"), ["django__django-", "11099-and-more"]);
  for (const text of [
    "A day in a small repository",
    "Find out why, and never open a valve…",
    "read notes.md",
    "",
    "What is the current stock price for AAPL?",
  ])
    assert.deepEqual(ended(text), [text, ""]);
});

test("no character outside the basic plane is cut in two", () => {
  const [lead, end] = ended(`${"🜁".repeat(30)}.md`);
  assert.equal(lead + end, `${"🜁".repeat(30)}.md`);
  assert.deepEqual([[...lead].length, [...end].length], [17, 16]);
});

test("a title that opens something is a button with its whole text beside it; a click opens it", () => {
  let opened = 0;
  const { node, show } = titled(() => (opened += 1));
  show("in …/research/git-ai", "in /home/u/research/git-ai", 0.8);
  const face = node.querySelector("button");
  face.click();
  assert.deepEqual(
    [face.textContent, node.querySelector("[role=tooltip]").textContent, opened],
    ["in …/research/git-ai", "in /home/u/research/git-ai", 1],
  );
  assert.equal(face.getAttribute("aria-describedby"), node.querySelector("[role=tooltip]").id);
});

test("a small page writes a title of some words in small letters, a large one only a long title; a file's name has its end instead", () => {
  const { node, show } = titled(null);
  const room = (text) => (show(text, "", 0.8), node.getAttribute("data-long"));
  assert.deepEqual(["The rule it broke", "Alpenbank statements in local time", `${"word ".repeat(9)}end`].map(room), [null, "true", "longer"]);
  assert.equal(room(`read ${"src/".repeat(12)}parser.py`), null);
});

test("one that opens nothing can be focused all the same", () => {
  const { node, show } = titled(null);
  show("A task", "", 0.6);
  assert.deepEqual([node.querySelector("h1").getAttribute("tabindex"), node.querySelector("button")], ["0", null]);
  assert.equal(node.querySelector("[role=tooltip]").textContent, "A task");
});

test("a quote is cut at the end of a word, and marked; what fits, and one long word, are not", () => {
  assert.equal(cutWords("only compare against what was in the book", 30), "only compare against what was…");
  assert.equal(cutWords("only compare, against", 14), "only compare…");
  assert.equal(cutWords("no new dependency", 17), "no new dependency");
  assert.equal(cutWords("a".repeat(40), 10), `${"a".repeat(9)}…`);
  assert.deepEqual(
    [30, 31].map((n) => cutWords("😀".repeat(n), 30)),
    ["😀".repeat(30), `${"😀".repeat(29)}…`],
    "no half of a character",
  );
});
