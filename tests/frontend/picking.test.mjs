import assert from "node:assert/strict";
import { test } from "node:test";
import { bars, matching, legend, moved, recordedEntry } from "../../viewer/frontend/settings/picking.js";

const policy = (name, about, fidelity = "exact") => ({ ...recordedEntry(name), title: name, about, fidelity });
const FAMILIES = [
  { name: "LangChain", policies: [policy("langchain.trim", "drops the oldest"), policy("langchain.summarization", "summarizes all but the newest")] },
  { name: "pi", policies: [policy("pi.compaction", "summarizes what is old", "modelled")] },
];
const names = (families) => families.flatMap(({ policies }) => policies.map(({ name }) => name));

test("without a search every family is there", () => {
  assert.deepEqual(names(matching(FAMILIES, "  ")), ["langchain.trim", "langchain.summarization", "pi.compaction"]);
});

test("every word must be found, in name, line, family or fidelity, case aside", () => {
  assert.deepEqual(names(matching(FAMILIES, "SUMMARIZES lang")), ["langchain.summarization"]);
  assert.deepEqual(names(matching(FAMILIES, "modelled")), ["pi.compaction"]);
  assert.deepEqual(matching(FAMILIES, "nothing like it"), []);
});

test("a family without a hit is left out", () => {
  assert.deepEqual(
    matching(FAMILIES, "pi.").map(({ name }) => name),
    ["pi"],
  );
});

test("arrows move by one and stop at the ends", () => {
  const list = ["a", "b", "c"];
  assert.deepEqual([moved(list, "a", "ArrowDown"), moved(list, "c", "ArrowDown"), moved(list, "a", "ArrowUp")], ["b", "c", "a"]);
  assert.deepEqual([moved(list, "b", "End"), moved(list, "b", "Home"), moved(list, "a", "PageDown")], ["c", "a", "c"]);
});

test("what is no longer in the list gives way to its first, an empty list to nothing", () => {
  assert.equal(moved(["a", "b"], "gone", "ArrowDown"), "a");
  assert.equal(moved([], "gone", "ArrowDown"), "");
});

test("bars carry role, tokens and what becomes of each message", () => {
  const demo = [
    ["system", 100],
    ["user", 20],
    ["tool", 900],
    ["assistant", 30],
  ];
  const { before, after } = bars({ before: "pges", after: [0, ["summary", "user", 50], ["emptied", "tool", 3], 3], caption: "" }, demo);
  assert.deepEqual(
    before.map(({ kind, tokens }) => [kind, tokens]),
    [
      ["pinned", 100],
      ["goes", 20],
      ["emptied", 900],
      ["stays", 30],
    ],
  );
  assert.deepEqual(
    after.map(({ kind, role, tokens }) => [kind, role, tokens]),
    [
      ["pinned", "system", 100],
      ["summary", "user", 50],
      ["emptied", "tool", 3],
      ["stays", "assistant", 30],
    ],
  );
  assert.deepEqual(
    legend([...before, ...after]).map(([kind]) => kind),
    ["pinned", "goes", "emptied", "stays", "summary"],
  );
});
