// What all compactions took out of the model's sight, in a few sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { overviewHeadline as sentences } from "../../viewer/frontend/run/overviewheadline.js";

/** The headline as it is read. @param {Parameters<typeof sentences>} what */
const overviewHeadline = (...what) => sentences(...what).join(" ");

/** A run of so many compactions. */
const run = (n, kind = "replay", header = {}) => ({ compactions: n, store: { header }, view: { kind, c: { micro: Array(n).fill(0) } } });

/** What a compaction lost. */
const row = (changes = {}) => ({
  taken: 4,
  told: [],
  told_total: 0,
  names: [],
  names_total: 0,
  results: 0,
  again: 0,
  unseen: 0,
  unseen_more: 0,
  unreadable: "",
  rules: [0, 0],
  typed: [0, 3],
  requests: { of: 3, gone: 0, reworded: 0 },
  ...changes,
});

/** Requests as a compaction left them: those that are gone were answered but for `open` ones. */
const requests = (of, gone, open = 0, reworded = 0) => ({ of, gone, open, answered: gone - open, stopped: 0, reworded });

const ANSWERED = "4 of the 9 requests that the user made before it, all of them already answered.";

test("of what is read again it says how many messages of the user send the agent back to what had left it", () => {
  const asked = [
    [7, "read it again"],
    [9, "look at a.go"],
  ];
  assert.match(
    overviewHeadline(run(1), [row({ again: 3, sent_back: asked })]),
    / left the window\. 2 messages of the user send the agent back to what had left it\.$/,
  );
  assert.match(
    overviewHeadline(run(1), [row({ again: 3, sent_back: [asked[0]] })]),
    / 1 message of the user sends the agent back to what had left it\.$/,
  );
  assert.match(overviewHeadline(run(1), [row({ again: 3, sent_back: [] })]), / left the window\.$/);
});

test("a message of the user that sends the agent back to what went is a need, though no call follows it", () => {
  const asked = [row({ results: 2, rules: [1, 0], sent_back: [[7, "read it again"]] })];
  assert.equal(
    overviewHeadline(run(1), asked),
    "1 compaction took 1 of the user's rules or statements and the text of 2 tool results out of the model's sight. " +
      "Judging by the words alone, nothing later needed this rule or statement. " +
      "1 message of the user sends the agent back to what had left the window.",
  );
  const results = overviewHeadline(run(1), [row({ results: 2, requests: requests(9, 4), sent_back: [[7, "read it again"]] })]);
  assert.doesNotMatch(results, /needed any of it/);
});

test("a message that sends the agent back to what two compactions took is one message", () => {
  const rows = [0, 1].map((k) => row({ again: 1, sent_back: [[3, `look at ${k}.go`]] }));
  assert.match(overviewHeadline(run(2), rows), / 1 message of the user sends the agent back to what had left it\.$/);
});

test("it names requests that the agent was working on, rules and tool results that are gone", () => {
  const rows = [row({ rules: [1, 0], results: 2 }), row({ rules: [1, 1], results: 3, requests: requests(9, 4, 2, 1) })];
  const said =
    "2 requests that the agent was working on, 2 of the user's rules or statements and the text of 5 tool results out of the model's sight.";
  const answered = "take 2 of the 9 requests that the user made before the last compaction, all of them already answered.";
  assert.equal(overviewHeadline(run(2), rows), `2 compactions took ${said} The compactions also ${answered.replace("take", "took")}`);
  const unneeded = "Judging by the words alone, nothing later needed this rule or statement.";
  const open = [row({ rules: [1, 0], requests: requests(9, 1, 1, 1) })];
  assert.ok(overviewHeadline(run(1), open).includes(`out of the model's sight. ${unneeded}`), "also beside a request that is missed");
  assert.equal(overviewHeadline(run(2, "simulate"), rows), `2 compactions would take ${said} The compactions would also ${answered}`);
});

test("requests that were answered are told apart, before tool output: nobody looks whether they were needed", () => {
  const rows = [row({ results: 3, requests: requests(9, 4) })];
  const none = "1 compaction took no known rule and no request that the agent was working on. Judging by the words alone, it took";
  const results = "It also took the text of 3 tool results out of the model's sight. Nothing later needed any of it.";
  assert.equal(overviewHeadline(run(1), rows), `${none} ${ANSWERED} ${results}`);
  assert.equal(overviewHeadline(run(1), [row({ requests: requests(9, 4) })]), `${none} ${ANSWERED}`);
  const only = "Judging by the words alone, it would take the request that the user made before it, already answered.";
  const would = overviewHeadline(run(1, "simulate"), [row({ requests: requests(1, 1) })]);
  assert.equal(would, `1 compaction would take no known rule and no request that the agent was working on. ${only}`);
});

test("a request at which the user stopped the agent is not called answered", () => {
  const asked = { ...requests(39, 22), answered: 20, stopped: 2 };
  const said = overviewHeadline(run(1), [row({ results: 3, requests: asked })]);
  assert.match(
    said,
    / it took 22 of the 39 requests that the user made before it, 20 of them already answered and 2 stopped by the user\. It also took /,
  );
});

test("what the user said leads, whether or not it was needed; what calls read again comes last", () => {
  const rule = "1 compaction took 1 of the user's rules or statements out of the model's sight.";
  const seen = { rules: [1, 0], results: 2, unseen: 900 };
  assert.equal(overviewHeadline(run(1), [row(seen)]), `${rule} Judging by the words alone, nothing later needed any of it.`);
  const again = "13 later calls read tool output again that had left the window.";
  const unneeded = "Judging by the words alone, nothing later needed this rule or statement.";
  assert.equal(overviewHeadline(run(1), [row({ ...seen, again: 13 })]), `${rule} ${unneeded} ${again}`);
  const went = row({ ...seen, again: 13, requests: requests(9, 4) });
  assert.equal(overviewHeadline(run(1), [went]), `${rule} ${unneeded} The compaction also took ${ANSWERED} ${again}`);
  const used = [row({ ...seen, again: 13, rules: [2, 1] })];
  const two = "1 compaction took 2 of the user's rules or statements out of the model's sight.";
  assert.equal(overviewHeadline(run(1), used), `${two} ${again}`, "one of them was needed");
});

test("where all the user said is there, that leads, and tool output comes behind it", () => {
  const kept = "1 compaction kept all 3 requests that the user made before it.";
  assert.equal(overviewHeadline(run(1), [row({ again: 1, unseen: 900 })]), `${kept} 1 later call read tool output again that had left the window.`);
  const none =
    /^2 compactions took no known rule .*\. Judging by the words alone, they took 4 of .*\. They also took the text of 3 tool results out of the model's sight\.$/;
  assert.match(overviewHeadline(run(2), [row({ results: 3, names_total: 2, requests: requests(9, 4) })]), none, "names were used");
  assert.match(overviewHeadline(run(1), [row({ results: 2, requests: requests(0, 0) })]), /^1 compaction took the text of 2 tool results /);
});

test("where a summary is unreadable nobody can tell whether what went was needed", () => {
  const rows = [row({ rules: [2, 0], requests: requests(9, 4) }), row({ unreadable: "encrypted" })];
  const took = "2 compactions took 2 of the user's rules or statements out of the model's sight.";
  const last = ANSWERED.replace("before it", "before the last compaction whose summary can be read");
  assert.equal(overviewHeadline(run(2), rows), `${took} The compactions also took ${last}`);
});

test("where nobody looked when sentences were needed it does not say that nothing needed them", () => {
  const rows = [row({ rules: [1, 0], results: 2 })];
  const took = "1 compaction took 1 of the user's rules or statements and the text of 2 tool results out of the model's sight.";
  assert.equal(overviewHeadline(run(1), rows, true), took);
});

test("results that prompts may have held again are not named", () => {
  const rows = [row({ results: 2, unseen: 900, requests: requests(1, 1, 1) })];
  assert.equal(overviewHeadline(run(1), rows), "1 compaction took a request that the agent was working on out of the model's sight.");
});

test("where nothing is gone it says so, and what is there only in part", () => {
  const said = (of, reworded = 0) => overviewHeadline(run(1), [row({ requests: { of, gone: 0, reworded } })]);
  assert.equal(said(3), "1 compaction kept all 3 requests that the user made before it.");
  assert.equal(said(3, 2), "1 compaction kept all 3 requests that the user made before it: 1 word for word, 2 only in other words or in part.");
  assert.equal(said(2, 2), "1 compaction kept both requests that the user made before it, but only in other words or in part.");
  assert.equal(said(1, 1), "1 compaction kept the request that the user made before it, but only in other words or in part.");
});

test("of a file that begins in the middle of a session it says that of the requests in the file", () => {
  const said = "1 compaction kept all 3 requests that the user made before it in this file.";
  assert.equal(overviewHeadline(run(1, "replay", { startsMidway: true }), [row()]), said);
});

test("a rule is called a rule, and a statement a statement, where all that are gone are known", () => {
  const said = (kind) => overviewHeadline(run(1), [row({ rules: [1, 0], told: [{ kind }] })]).replace(/ out of the model's sight.*/, "");
  assert.deepEqual([said("rule"), said("said")], ["1 compaction took 1 of the user's rules", "1 compaction took 1 of the user's statements"]);
});

test("of summaries that nobody can read it says what stayed, and what calls read again", () => {
  const unread = row({ unreadable: "encrypted", typed: [3, 3] });
  assert.equal(
    overviewHeadline(run(2), [unread, unread]),
    "2 compactions kept the user's 3 messages, word for word. What was forgotten of what the model and its tools said cannot be known: the summaries are encrypted.",
  );
  assert.equal(
    overviewHeadline(run(1), [row({ unreadable: "absent", typed: [12, 12, 11] })]),
    "1 compaction kept the user's 12 messages and 11 replies, word for word. What was forgotten of the rest cannot be known: the summary is not in the transcript.",
  );
  assert.equal(
    overviewHeadline(run(1), [row({ unreadable: "absent" })]),
    "What was forgotten cannot be known: the summary is not in the transcript.",
  );
  assert.match(
    overviewHeadline(run(1), [row({ unreadable: "absent", again: 2 })]),
    /\. 2 later calls read tool output again that had left the window\.$/,
  );
});
