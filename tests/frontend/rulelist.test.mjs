// Which of the user's rules went: some quoted, the others opened in place.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { el } from "../../viewer/frontend/lib/dom.js";
import { RuleList } from "../../viewer/frontend/debugger/rulelist.js";
import { quotedRules } from "../../viewer/frontend/run/quotedrules.js";

const [SAID, RULE, USED] = [
  { kind: "said", rank: 5, text: "plain words" },
  { kind: "rule", rank: 1, text: "never print" },
  { kind: "said", rank: 0, text: "keep the names" },
];
const ROWS = [
  { step: 4, unreadable: "", rules: [2, 0], told: [{ kind: "first", rank: 0, text: "the task" }, SAID, RULE] },
  { step: 8, unreadable: "", rules: [1, 1], told: [USED] },
];

test("the rules that are quoted first are those of most consequence, by their rank; one that is told already is none of them", () => {
  const { first, others, more, note } = quotedRules(ROWS);
  assert.deepEqual(
    first.map(({ loss, step }) => [loss.text, step]),
    [
      ["keep the names", 8],
      ["never print", 4],
    ],
  );
  assert.deepEqual([others.map(({ loss }) => loss.text), more, note], [["plain words"], "2 of 3 shown", ""]);
  const told = quotedRules(ROWS, USED);
  assert.deepEqual([told.first.map(({ loss }) => loss.text), told.more, told.note], [["never print", "plain words"], "", "1 of them is told above."]);
  assert.equal(quotedRules(ROWS.slice(1), USED).note, "It is told above.", "the only one");
});

test("what a compaction does not name is counted", () => {
  const rows = [{ ...ROWS[0], rules: [9, 0] }, ROWS[1]];
  assert.deepEqual([quotedRules(rows).more, quotedRules(rows).note], ["2 of 10 shown", "7 more are not quoted."]);
});

test("“2 of 3 shown” opens the others in place, and puts them away", () => {
  const list = new RuleList((loss, step) => el("li", { text: `${loss.text} ${step}` }));
  const box = el("div", {}, ...list.nodes(ROWS));
  const state = () => [list.more.textContent, list.more.getAttribute("aria-expanded"), list.others.hidden];
  assert.deepEqual(
    [...box.querySelectorAll("li")].map((item) => item.textContent),
    ["keep the names 8", "never print 4", "plain words 4"],
  );
  assert.deepEqual(state(), ["2 of 3 shown: show all", "false", true]);
  list.more.click();
  assert.deepEqual(state(), ["Show fewer", "true", false]);
  list.nodes(ROWS);
  assert.deepEqual(state(), ["Show fewer", "true", false], "they stay open for the next run");
  list.more.click();
  assert.deepEqual(state(), ["2 of 3 shown: show all", "false", true]);
});

test("where all are quoted nothing is to be opened", () => {
  const list = new RuleList((loss) => el("li", { text: loss.text }));
  assert.equal(list.nodes([ROWS[1]]).length, 1);
  assert.equal(list.nodes([{ ...ROWS[1], told: [], rules: [0, 0] }]).length, 0);
});
