// What happened in a session, in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  afterLast,
  clock,
  clocks,
  lastedWords,
  ownSums,
  stepsOf,
  sumWords,
  turnAt,
  unmarked,
  when,
} from "../../viewer/frontend/run/overviewwords.js";
import { namesApart } from "../../viewer/frontend/run/filenames.js";
import { askedOf, turnParts, workBetween, workOf } from "../../viewer/frontend/run/turnparts.js";
import { writtenBy, writtenInLanes } from "../../viewer/frontend/run/writtenby.js";
import { titleWords } from "../../viewer/frontend/lib/titlewords.js";
import { UNTOLD } from "../../viewer/frontend/run/unlisted.js";
import { lossTable } from "../../viewer/frontend/run/losstable.js";
import { lossGroups, lossNote, lostResults, askedAgain, nothingLost, requestsGoneHere, typedWords } from "../../viewer/frontend/run/losswords.js";
import { shownAs } from "../../viewer/frontend/run/shownas.js";
import { compactionMeans, shownWords } from "../../viewer/frontend/debugger/openingwords.js";
import { smallRun } from "./small_run.mjs";
import { sumsOf } from "./sums.mjs";
import { forgottenRule, momentsOf, takenNote } from "../../viewer/frontend/run/rulestory.js";
import { keeperName } from "../../viewer/frontend/why/fixwords.js";
import { CLEARED, POLICY, run } from "./packed.mjs";

/** Every line of the table of losses, behind its label. */
const table = (rows, { about = true, hidden = false, unlisted = UNTOLD } = {}) =>
  Object.fromEntries(lossTable(rows, { about, hidden, unlisted }).map(({ label, words }) => [label, words]));

const sums = (told) => sumWords(sumsOf(told));

const TURN = { at: 0, asked: "go", typed: true, pictures: 0, calls: [], errors: [], files: [], wrote: [] };

test("the sums leave out what there is none of", () => {
  assert.equal(sums({ typed: 42, calls: 206, files: 12, errors: 1 }), "42 turns · 206 tool calls · 12 files written · 1 tool error");
  assert.equal(sums({ calls: 9, shell: 2, commits: 1 }), "1 turn · 9 tool calls · 2 shell commands · 1 commit");
  const wrote = { files: 2, commits: 0 };
  assert.equal(sums({ ...wrote, shell: 61 }), "1 turn · 2 files written · 61 shell commands, none of them a commit");
  assert.equal(sums({ ...wrote, shell: 1 }), "1 turn · 2 files written · 1 shell command, no commit");
  assert.equal(sums({}), "1 turn");
  assert.equal(sums({ commands: 100 }), "1 turn · 100 commands in replies");
});

test("a call that never ran is no tool error: who refused, blocked or cancelled it is said, in the sums and in its turn", () => {
  const unrun = { cancelled: 3, refused: 1, blocked: 2 };
  assert.match(sums({ calls: 9, errors: 4, unrun }), / · 4 tool errors · 1 call refused by the user · 2 calls blocked · 3 calls cancelled$/);
  const turn = {
    ...TURN,
    calls: [1, 3, 5, 7],
    errors: [2],
    unrun: [
      [4, "refused"],
      [6, "refused"],
      [8, "cancelled"],
    ],
  };
  assert.equal(workOf(turn), "4 calls · 1 error · 2 calls refused by the user · 1 call cancelled");
  assert.equal(workOf(workBetween(turn, 5, 9)), "2 calls · 1 call refused by the user · 1 call cancelled");
});

test("commands in replies that failed, and replies that were rejected, are told beside them", () => {
  const found = { commands: 100, errors: 18, empty_searches: 1, unrun: { rejected: 15 } };
  const failed = "18 failed commands (1 is a search that found nothing)";
  assert.equal(sums(found), `1 turn · 100 commands in replies · ${failed} · 15 replies rejected`);
  assert.equal(workOf({ ...TURN, commands: [1, 3], errors: [2], unrun: [[5, "rejected"]] }), "2 commands · 1 failed command · 1 reply rejected");
});

test("of errors it is said how many are searches that found nothing, in the sums and in a turn's part", () => {
  const told = (errors, empty) => sums({ errors, empty_searches: empty });
  assert.equal(told(17, 2), "1 turn · 17 tool errors (2 are searches that found nothing)");
  assert.equal(told(17, 1), "1 turn · 17 tool errors (1 is a search that found nothing)");
  assert.equal(told(2, 2), "1 turn · 2 tool errors (searches that found nothing)");
  assert.equal(told(0, 0), "1 turn");
  const turn = { ...TURN, calls: [1, 3], errors: [2, 4], empty_searches: [4] };
  assert.equal(workOf(turn), "2 calls · 2 errors (1 is a search that found nothing)");
  const commits = { ...turn, commits: [1, 1, 3], errors: [], empty_searches: [] };
  assert.deepEqual([workOf(commits), workOf(workBetween(commits, 2, 9))], ["2 calls · 3 commits", "1 call · 1 commit"]);
  assert.equal(workOf(workBetween(turn, 3, 5)), "1 call · 1 error (a search that found nothing)");
  assert.equal(workOf(workBetween(turn, 1, 3)), "1 call · 1 error");
});

test("without a request there is no turn, and what a session has a copy of is not its own", () => {
  assert.equal(sums({ typed: 0, calls: 2 }), "2 tool calls");
  const [whole, own] = [sumsOf({ calls: 9 }), sumsOf({ calls: 2 })];
  assert.equal(ownSums({ sums: whole }), whole);
  assert.equal(ownSums({ sums: whole, copied: { messages: 5, own } }), own);
});

test("of the last request is said that only words to go on follow, where turns follow", () => {
  assert.equal(afterLast({ turn: 4, of: 4 }), "");
  assert.equal(afterLast({ turn: 10, of: 11 }), "Only short replies, such as “yes” or “go on”, come after it.");
});

test("files of one name have as much of their folders as tells them apart", () => {
  const paths = ["pi/skills/SKILL.md", "pi/other/SKILL.md", "docs\\a.md", "x/pi/skills/SKILL.md", "SKILL.md", "docs/a.md"];
  assert.deepEqual(namesApart(paths), ["pi/skills/SKILL.md", "other/SKILL.md", "a.md", "x/pi/skills/SKILL.md", "SKILL.md", "a.md"]);
  assert.equal(
    workOf({
      ...TURN,
      files: ["a/x.js", "b/x.js"],
      wrote: [
        [1, 0],
        [2, 1],
      ],
    }),
    "wrote a/x.js, b/x.js",
  );
});

test("a turn names the files that its shell commands wrote, each once, apart from those of tools", () => {
  const redirected = (...names) => workOf({ ...TURN, redirected: names.map((name, at) => [at, name]) });
  assert.equal(redirected("docs/color.md", "docs/color.md"), "written by shell commands: docs/color.md");
  assert.equal(redirected("a", "b", "c"), "written by shell commands: a, b and 1 more");
  assert.equal(redirected("", ""), "2 files written by shell commands");
  assert.equal(redirected(), "");
  assert.deepEqual(
    workBetween(
      {
        ...TURN,
        redirected: [
          [1, "a"],
          [4, "b"],
        ],
      },
      2,
      9,
    ).redirected,
    [[4, "b"]],
  );
});

test("the time from the first to the last record, in UTC; nothing where none is recorded or it runs backwards", () => {
  const morning = "2026-01-23T14:21:43.537Z";
  assert.equal(when(morning, "2026-01-23T17:51:39Z"), "2026-01-23 14:21 to 17:51 UTC, 3 h 30 min");
  assert.equal(when(morning, "2026-01-24T14:21:43Z"), "2026-01-23 14:21 to 2026-01-24 14:21 UTC, 24 h 0 min");
  assert.equal(when(morning, "2026-01-27T14:21:43Z"), "2026-01-23 14:21 to 2026-01-27 14:21 UTC, 4 days");
  assert.equal(when(morning, "2026-01-23T14:21:50Z"), "2026-01-23 14:21 UTC");
  assert.equal(when(morning, "2026-01-23T14:22:08Z"), "2026-01-23 14:21 to 14:22 UTC, 24 s");
  assert.equal(when(morning, "2026-01-23T14:23:08Z"), "2026-01-23 14:21 to 14:23 UTC, 2 min", "as the times beside it say");
  assert.equal(
    when(morning, "2026-01-25T09:34:43Z", 4930),
    "2026-01-23 14:21 to 2026-01-25 09:34 UTC, 43 h 13 min, some 1 h 22 min of it active (a pause counts 5 min at most)",
  );
  assert.equal(when(morning, "2026-01-23T17:51:39Z", 12000), "2026-01-23 14:21 to 17:51 UTC, 3 h 30 min", "hardly any pauses");
  assert.equal(lastedWords({ began: morning, ended: "2026-01-23T14:51:43Z", active: 12 }), "30 min, less than a minute of it active");
  assert.deepEqual([when("", ""), when("soon", morning), when(morning, "2026-01-22T00:00:00Z")], ["", "", ""]);
});

test("the time of a compaction, with the date where it is not that of the one before", () => {
  assert.equal(clock("2026-01-23T15:42:39.681Z"), "2026-01-23 15:42 UTC");
  assert.equal(clock("2026-01-23T16:17:59Z", "2026-01-23T15:42:39Z"), "16:17 UTC");
  assert.equal(clock("2026-01-24T00:17:59Z", "2026-01-23T15:42:39Z"), "2026-01-24 00:17 UTC");
  assert.deepEqual([clock(""), clock("soon", "2026-01-23T15:42:39Z")], ["", ""]);
});

test("the time of several compactions is from the first to the last", () => {
  const [first, last] = ["2026-02-28T05:07:46Z", "2026-02-28T05:37:51Z"];
  assert.equal(clocks(first, last), "2026-02-28 05:07 to 05:37 UTC");
  assert.equal(clocks(first, last, "2026-02-28T01:00:00Z"), "05:07 to 05:37 UTC");
  assert.equal(clocks(first, "2026-03-01T00:10:00Z"), "2026-02-28 05:07 to 2026-03-01 00:10 UTC");
  assert.deepEqual(
    [clocks(first, first), clocks(first, "2026-02-28T05:07:59Z"), clocks(first, ""), clocks("", "")].map((said) => said.slice(11)),
    ["05:07 UTC", "05:07 UTC", "05:07 UTC", ""],
  );
});

test("a title names a long path by its last part behind a sign, and leaves addresses and short paths alone", () => {
  assert.equal(titleWords("in /Users/soph/Work/entire/research/git-ai is a repo"), "in …/git-ai is a repo");
  assert.equal(titleWords("C:\\work\\a\\b\\c.txt fails"), "…/c.txt fails");
  for (const title of ["see https://a.example/b/c/d", "read /etc/hosts", "and/or", "@packages/a/b/c.ts"]) assert.equal(titleWords(title), title);
});

test("a title that was cut has no half of a word, and one ellipsis behind its last whole one", () => {
  assert.equal(titleWords("in /Users/soph/Work/git-ai is a repo that does attr…"), "in …/git-ai is a repo that does…");
  assert.equal(titleWords("should be closed. also check every …"), "should be closed. also check every…");
  assert.equal(titleWords("kinda similar with https://github.com/anthropi…"), "kinda similar with…");
  assert.equal(titleWords("Supercalifragilistic…"), "Supercalifragilistic…", "of a single word the beginning is left");
});

test("a quote has no marks of Markdown around its words; what only looks like them stays", () => {
  assert.equal(unmarked("## Done 1. **New step 5** - call `a()` and `__all__`"), "Done 1. New step 5 - call a() and __all__");
  assert.equal(unmarked("Submit. ```bash rm a.py && echo `date` ``` Done"), "Submit. rm a.py && echo date Done");
  assert.equal(unmarked("2 ** 3 ** 4, a lone ` and **open"), "2 ** 3 ** 4, a lone ` and **open");
});

test("a turn's work: calls, the names of files without their folders, errors", () => {
  assert.equal(workOf(TURN), "");
  const files = ["/w/src/a.go", "C:\\w\\b.go", "/w/c.go"];
  const wrote = [
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 0],
    [5, 3],
  ];
  const turn = { ...TURN, calls: [1, 2, 3, 4, 5], files, wrote, errors: [6, 8] };
  assert.equal(workOf(turn), "5 calls · wrote a.go, b.go and 2 more · 2 errors");
  assert.equal(workOf(workBetween(turn, 0, 3)), "2 calls · wrote a.go, b.go");
  assert.equal(workOf(workBetween(turn, 3, 7)), "3 calls · wrote c.go, a.go and 1 more · 1 error");
  assert.equal(workOf(workBetween(turn, 5, 6)), "1 call · wrote 1 file", "one of many that has no name here");
  const removed = [
    [2, "rm photos/*.jpg"],
    [5, "mv a b"],
  ];
  assert.equal(workOf({ ...turn, removed, wrote: [], errors: [] }), "5 calls · removed or moved: rm photos/*.jpg and 1 more");
  assert.equal(workOf(workBetween({ ...turn, removed }, 3, 6)), "3 calls · wrote c.go, a.go and 1 more · removed or moved: mv a b");
  const many = Array.from({ length: 30 }, (_, k) => [k, k < 24 ? `rm ${k}` : ""]);
  assert.equal(workOf({ ...TURN, removed: many }), "removed or moved: rm 0 and 29 more");
  assert.equal(workOf(workBetween({ ...TURN, removed: many }, 24, 30)), "removed or moved by 6 commands", "that have no text here");
});

test("a turn is parted at its compaction: what came after it is not told before it", () => {
  const run = smallRun(); // its compaction stands behind message 9
  const wrote = [[9, 0]];
  const turn = { ...TURN, calls: [2, 9, 11], files: ["/w/a.go"], wrote, errors: [8] };
  const { work, lines } = turnParts(run, turn, 0, 13);
  assert.equal(work, "before compaction 1: 1 call · 1 error");
  assert.deepEqual(
    lines.map(({ step, text }) => [step, text.split(",")[0]]),
    [
      [9, "Compaction 1: 90 to 47 tokens"],
      [-1, "after compaction 1: 2 calls · wrote a.go"],
    ],
  );
  assert.deepEqual(turnParts(run, { ...turn, calls: [2, 3], wrote: [], errors: [] }, 0, 13).lines.length, 1, "nothing came after");
  assert.equal(turnParts(run, { ...turn, calls: [9], errors: [] }, 0, 13).work, "", "nothing came before");
  assert.deepEqual(turnParts(run, { ...turn, calls: [2], wrote: [], errors: [] }, 0, 9), { work: "1 call", lines: [] });
});

test("many compactions of a turn are one line, with what was done before, between and after them", () => {
  const steps = [3, 5, 7, 9];
  const run = { steps, view: { c: { micro: [1, 1, 1, 1] } }, step: (/** @type {number} */ step) => ({ messages: step - steps.indexOf(step) }) };
  const { work, lines } = turnParts(run, { ...TURN, calls: [1, 3, 4, 8, 9] }, 0, 12);
  assert.equal(work, "before microcompaction 1: 1 call");
  assert.deepEqual(
    lines.map(({ text }) => text),
    ["Microcompactions 1 to 4", "between them: 2 calls", "after microcompaction 4: 2 calls"],
  );
});

test("a turn is called by its request; a picture is one too, and only what nobody asked for came before the first", () => {
  assert.equal(askedOf(TURN), "go");
  assert.equal(askedOf({ ...TURN, asked: "", pictures: 2 }), "2 pictures without text");
  assert.equal(askedOf({ ...TURN, asked: "" }), "A request without text");
  assert.equal(askedOf({ ...TURN, asked: "", typed: false }), "Before the first request");
});

test("recorded, simulated and live are named everywhere in the same words", () => {
  const header = { recordedCompactions: 3 };
  const run = (view) => ({ view: { c: { micro: [] }, ...view }, compactions: 0, n: 187, store: { header } });
  const policy = { name: "agentkit.memory" };
  assert.equal(shownAs(run({ kind: "replay" })).short, "As recorded");
  assert.equal(shownAs(run({ kind: "replay" })).long, "The transcript records no compaction: at its end the window holds all 187 messages.");
  const simulated = shownAs(run({ kind: "simulate", policy }));
  assert.equal(simulated.short, "Simulated: agentkit.memory");
  assert.match(
    simulated.long,
    /^This is a simulation: what agentkit\.memory would have done with these messages, no compaction\. The transcript itself records 3\.$/,
  );
  header.recordedCompactions = 0;
  const none = "This transcript has no recorded compaction. What is shown is a simulation: what agentkit.memory would have done with these messages,";
  assert.equal(shownAs(run({ kind: "simulate", policy })).long, `${none} no compaction.`);
  assert.equal(shownAs(run({ kind: "simulate", policy, live: {} })).short, "Live: agentkit.memory");
});

test("a newcomer is told what compactions do, of a run with microcompactions alone what those do, of one without any where to see one", () => {
  const header = { recordedCompactions: 1 };
  const recorded = (micro) => ({ view: { c: { micro }, kind: "replay" }, pool: { added: [] }, compactions: micro.length, n: 9, store: { header } });
  const cleared = run({ ...CLEARED, policy: { ...POLICY, kind: "clear" } });
  assert.match(compactionMeans(cleared), /A compaction of this policy .*: it clears old content, .* where it stands, and writes no summary\.$/);
  assert.match(compactionMeans(run({ policy: { ...POLICY, kind: "clear" } })), /: mostly a summary/, "its last stage writes one");
  assert.match(compactionMeans(recorded([0, 1])), /: mostly a summary takes the place of earlier messages\./);
  assert.match(
    compactionMeans(recorded([1, 1])),
    /A microcompaction .*: it clears old content, mostly tool results, where it stands, and writes no summary\.$/,
  );
  assert.equal(shownWords({ run: recorded([0, 1]) }), "", "the page shows that");
  assert.equal(compactionMeans(recorded([])), "");
  assert.match(shownWords({ run: recorded([]) }), /holds all 9 messages\. What a policy would have taken from it, the policies at the left show\.$/);
  assert.match(shownWords({ run: recorded([]), alone: true }), /holds all 9 messages\.$/, "a file has no policies to choose");
});

test("a simulated run says who wrote its summaries, and Compare which lanes have others than Debug", () => {
  const by = (name, recorded = true) => run({ summarizer: { by: name, recorded } });
  const quotes = "Its summaries quote the messages: no model wrote them.";
  const elsewhere = " Compare takes those of the transcript, so its figures may differ.";
  assert.match(shownWords({ run: by("structural") }), new RegExp(`${quotes}${elsewhere}$`));
  assert.match(shownWords({ run: by("structural"), alone: true }), new RegExp(`${quotes}$`));
  assert.match(shownWords({ run: by("structural", false) }), new RegExp(`${quotes}$`));
  assert.match(shownWords({ run: by("recorded") }), /Its summaries are those that the transcript has\.$/);
  const ofSample = shownWords({ run: by("structural"), query: { source: "sample:a.json" } });
  assert.ok(!ofSample.includes(quotes), "of a sample a line below says so");
  assert.equal(writtenBy(run({ ...CLEARED, summarizer: { by: "structural", recorded: true } })), "", "it writes none");
  const lanes = [run({ kind: "replay", policy: null }), by("recorded"), by("structural"), by("recorded")];
  assert.match(writtenInLanes(lanes, ["A", "B", "C", "D"]), /^The summaries of B and D are those that the transcript has\. In Debug quotes/);
  assert.equal(writtenInLanes([by("structural")], ["A"]), "");
});

const LOST = {
  names: [],
  taken: 9,
  told_total: 0,
  names_total: 0,
  results: 0,
  result_tokens: 0,
  again: 0,
  again_steps: [],
  again_tokens: 0,
  unseen: 0,
  unseen_more: 0,
  unreadable: "",
  told: [],
  typed: [0, 2],
  requests: { of: 0, gone: 0, open: 0, answered: 0, stopped: 0, here: [0, 0, 0, 0], reworded: 0, at: -1, text: "", listed: [] },
  rules: [0, 0],
};

test("what all compactions lost is a table, the rules first; it leaves out what there is none of", () => {
  const rows = [
    { ...LOST, names_total: 1, results: 2, rules: [1, 1], again: 3, again_tokens: 12146 },
    { ...LOST, results: 198, rules: [1, 0] },
  ];
  const lines = lossTable(rows, { about: true, hidden: false, unlisted: UNTOLD });
  assert.deepEqual(lines, [
    { label: "Rules", words: "2 of the user's rules or statements are gone; 1 of them was needed later." },
    { label: "Tool results", words: "The text of 200 results is gone. 3 later calls asked again for what was gone: ~12,146 tokens." },
    { label: "Names", words: "The model used 1 name that was no longer in its window." },
  ]);
  const none = { Rules: "No rule of the user's is known to be lost." };
  assert.deepEqual(table([LOST]), none);
  assert.deepEqual(table([{ ...LOST, results: 1 }]), {
    ...none,
    "Tool results": "The text of 1 result is gone. No later call reads mostly that again.",
  });
  const again = { "Tool results": "1 later call asked again for what was gone: 40 tokens." };
  assert.deepEqual(table([{ ...LOST, taken: 0, again: 1, again_tokens: 40 }], { about: false }), again);
  const sealed = { ...LOST, taken: 0, unreadable: "encrypted", again: 1, again_tokens: 40 };
  assert.equal(table([sealed])["Tool results"], "1 later call read tool output again that had left the window: ~40 tokens.");
  const among = "Part of the text that left may be among them.";
  const back = `The next prompt after the compaction held ~63,524 tokens that are not in this file, and an early prompt only ~42,403. ${among}`;
  const unseen = { ...LOST, results: 2, again: 1, again_tokens: 40, unseen: 63_524 };
  const left = "The text of 2 results left the window. 1 later call read some of it again: ~40 tokens.";
  assert.equal(table([{ ...unseen, unseen_more: 21_121 }])["Tool results"], `${left} ${back}`);
  assert.equal(table([unseen])["Tool results"], left, "what was there from the start was not put back");
  const grown = (more, ...others) => table([{ ...unseen, unseen_more: more }, ...others])["Tool results"].split(": ~40 tokens. ")[1];
  assert.equal(grown(21_121, LOST), back.replace("the compaction", "1 of the 2 compactions"));
  assert.equal(grown(63_524), `The next prompt after the compaction held ~63,524 tokens that are not in this file. ${among}`);
  const often = grown(9, { ...unseen, unseen_more: 21_121, again: 0, again_tokens: 0 });
  assert.equal(often, back.replace("the compaction", "each of the 2 compactions").replace("~63", "up to ~63"));
  const names = { ...none, Names: "The model used 2 names that were not in what this file shows of the window." };
  assert.deepEqual(table([{ ...LOST, names_total: 2 }], { hidden: true }), names);
  const words = (...rules) => table([{ ...LOST, rules }]).Rules;
  assert.equal(words(1, 0), "1 of the user's rules or statements is gone.");
  assert.equal(words(1, 1), "1 of the user's rules or statements is gone; it was needed later.");
  const told = (...kinds) =>
    Object.values(table([{ ...LOST, rules: [2, 2], told: kinds.map((kind) => ({ kind })) }]))[0].replace(/ (is|are) gone.*/, "");
  assert.deepEqual(
    [told("said", "newest", "said"), told("rule", "rule"), told("rule", "said"), told("said")],
    ["statements", "rules", "rules or statements", "rules or statements"].map((kind) => `2 of the user's ${kind}`),
  );
  assert.equal(words(3, 0), "3 of the user's rules or statements are gone.");
});

test("where the transcript lists nothing that went, the table says how much can be told", () => {
  const empty = { ...LOST, taken: 0 };
  const told = (rows, unshrunk) => table(rows, { unlisted: { ...UNTOLD, of: rows.length, unshrunk } }).Forgotten;
  assert.equal(told([empty], 0), "This is not known: the transcript does not say what was removed.");
  assert.equal(
    told([empty], 1),
    "Probably nothing: the transcript does not say what was removed, but the next prompt was no smaller than the one before.",
  );
  assert.equal(
    told(Array(9).fill(empty), 8),
    "This is not known: the transcript does not say what was removed, but 8 of 9 times the next prompt was no smaller than the one before.",
  );
  assert.equal(
    nothingLost(empty, { ...UNTOLD, unshrunk: 1 }),
    "The transcript does not say what was removed, but the next prompt was no smaller than the one before.",
  );
  const all = { ...UNTOLD, of: 9, unshrunk: 9 };
  assert.equal(nothingLost(empty, all), "The transcript does not say what was removed, but the next prompt was never smaller than the one before.");
});

test("where the file says how much each saved, the table and the list say that and what the prompts show, and never a sum or that probably nothing was", () => {
  const empty = { ...LOST, taken: 0 };
  const nine = { of: 9, saved: [...Array(5).fill(2000), ...Array(4).fill(4000)], unshrunk: 8 };
  const said =
    "he file says that 5 saved 2,000 tokens each and 4 saved 4,000 each, but not what they cleared. 8 of 9 times the next prompt was no smaller than the one before.";
  assert.equal(table(Array(9).fill(empty), { unlisted: nine }).Forgotten, `This is not known: t${said}`);
  assert.equal(nothingLost(empty, nine), `T${said}`);
  const saying = (/** @type {number[]} */ saved, of = 9) => nothingLost(empty, { of, saved, unshrunk: of });
  const next = "The next prompt was never smaller than the one before.";
  assert.equal(saying([3000]), `The file says that one saved 3,000 tokens, but not what they cleared. ${next}`);
  const one = "The file says that it saved 3,000 tokens, but not what it cleared. The next prompt was no smaller than the one before.";
  assert.equal(saying([3000], 1), one);
  assert.match(saying([4000, 100, 300, 200]), /^The file says that 4 saved 100 to 4,000 tokens each, but /);
  assert.equal(table([empty], { unlisted: { of: 1, saved: [3000], unshrunk: 1 } }).Forgotten, `This is not known: t${one.slice(1)}`);
});

test("commands that the model ran again stand beside the names, by kinds as in the Ledger", () => {
  const command = { ...LOST, names_total: 1, others: [{ kind: "command" }, { kind: "command" }] };
  assert.equal(
    table([command], { hidden: true })["Used later"],
    "The model used 1 name and 2 commands that were not in what this file shows of the window.",
  );
  assert.equal(nothingLost({ ...LOST, others: [{ kind: "command" }] }), "");
});

test("of summaries that nobody can read it says that what was forgotten cannot be known", () => {
  const encrypted = { ...LOST, results: 48, unreadable: "encrypted" };
  const went = "96 tool results left the window.";
  assert.equal(table([encrypted, encrypted]).Summaries, `What was forgotten cannot be known: the summaries are encrypted. ${went}`);
  assert.equal(
    table([{ ...LOST, unreadable: "not recorded" }]).Summaries,
    "What was forgotten cannot be known: the summary is not in the transcript.",
  );
  assert.equal(table([LOST, { ...encrypted, results: 0 }]).Summaries, "What else was forgotten cannot be known: 1 summary is encrypted.");
  const kept = { ...encrypted, typed: [10, 10] };
  const known = "The user's 10 messages stayed in the window, word for word.";
  assert.equal(
    table([{ ...kept, typed: [7, 7] }, kept]).Summaries,
    `${known} What was forgotten of what the model and its tools said cannot be known: the summaries are encrypted. ${went}`,
    "as the last one left them",
  );
  assert.equal(nothingLost(kept), `${known} The summary of what the model and its tools said is encrypted: nobody can tell what it kept.`);
  assert.equal(typedWords({ typed: [1, 1] }), "The user's message stayed in the window, word for word.");
  assert.equal(typedWords({ typed: [3, 10] }), "3 of the user's 10 messages stayed in the window, word for word.");
});

test("statements that are no rules stand under a label of their own", () => {
  const lines = (...kinds) => Object.keys(table([{ ...LOST, rules: [2, 0], told: kinds.map((kind) => ({ kind })) }]));
  assert.deepEqual([lines("said", "said"), lines("rule", "said")], [["Statements"], ["Rules"]]);
});

test("of summaries that nobody can read it names the replies that stayed, too", () => {
  const kept = { ...LOST, results: 155, unreadable: "absent", typed: [12, 12, 11] };
  const known = "The user's 12 messages and 11 replies stayed in the window, word for word.";
  assert.equal(
    table([kept]).Summaries,
    `${known} What was forgotten of the rest cannot be known: the summary is not in the transcript. 155 tool results left the window.`,
  );
  assert.equal(nothingLost(kept), `${known} Its summary is not in the transcript: nobody can tell what it kept.`);
  assert.equal(typedWords({ typed: [0, 2, 1] }), "1 reply stayed in the window, word for word.");
  assert.equal(typedWords({ typed: [0, 2, 0] }), "");
});

test("a request that states something, too, is told to be counted twice", () => {
  const asked = [
    { at: 1, kind: "answered", text: "no, can we add tests?", followed: "no, can we add tests?" },
    { at: 4, kind: "answered", text: "go on", followed: "go on" },
  ];
  const loss = { kind: "said", text: "no", followed: "no", at: 1, used_at: null };
  const requests = { of: 9, gone: 2, open: 0, answered: 2, stopped: 0, reworded: 0, listed: asked, took: asked, at: 4 };
  const row = { ...LOST, index: 0, step: 5, told: [loss], told_total: 1, rules: [1, 0], requests };
  const [line] = lossTable([row], { about: true, hidden: false, unlisted: UNTOLD }).filter(({ label }) => label === "Requests");
  assert.match(line.quiet, /^2 of the 9 requests .* all of them already answered\. 1 of these 2 requests contains the statement\.$/);
});

test("what only the quotes of a stand-in keep is no credit to the settings", () => {
  const quoted = { ...LOST, quoted: [2, 1], requests: { ...LOST.requests, of: 3 } };
  const words = (gone, ...of) => table([{ ...quoted, rules: [gone, 0], quoted: of }]);
  const only = "kept only by quotes that stand in for a summary: one that a model writes may leave";
  assert.deepEqual(words(0, 2, 1), {
    Rules: `No rule of the user's is known to be lost, but 1 rule or statement is ${only} it out.`,
    Requests: `All 3 requests that the user made before the compaction are still in the window or a summary, but 2 requests are ${only} them out.`,
  });
  assert.equal(words(2, 0, 3).Rules, `2 of the user's rules or statements are gone. Of the others, 3 rules or statements are ${only} them out.`);
  assert.equal(words(1, 0, 0).Rules, "1 of the user's rules or statements is gone.");
  assert.equal(
    nothingLost(quoted),
    "Nothing that was used again later is known to be missing. Quotes stand in for the summary here: a summary that a model writes may leave out what they keep.",
  );
  assert.equal(nothingLost({ ...quoted, quoted: [0, 0] }), "Nothing that was used again later is known to be missing.");
});

/** A row whose compaction left `gone` of `of` requests unsaid, `open` of them while the agent was working on them. */
const asked = (of, gone, { open = 0, stopped = 0, answered = gone - open - stopped, reworded = 0, here = [gone, open, answered, stopped] } = {}) => ({
  ...LOST,
  told_total: 1,
  typed: [0, of],
  requests: { of, gone, open, answered, stopped, here, reworded, at: 0, text: "go", listed: [] },
});

/** What the table says of the requests, and, in its quiet line, of those that were answered. */
const requestsIn = (rows, within = "") => {
  const line = lossTable(rows, { about: false, hidden: false, unlisted: UNTOLD, within }).find(({ label }) => label === "Requests");
  return [line.words, line.quiet ?? ""];
};

test("a request that the agent was working on leads, and those that were answered are a quiet line, as the last compaction left them", () => {
  const none = "No request that the agent was working on is gone.";
  const rows = [asked(23, 9), { ...asked(40, 14, { reworded: 8 }), results: 2, rules: [1, 0] }, LOST];
  const gone = "are not found in the window or a summary";
  assert.deepEqual(requestsIn(rows), [
    none,
    `14 of the 40 requests that the user made before the last compaction whose summary can be read ${gone}, all of them already answered.`,
  ]);
  assert.deepEqual(requestsIn([asked(40, 14, { answered: 9 })]), [
    none,
    `14 of the 40 requests that the user made before the compaction ${gone}, 9 of them already answered.`,
  ]);
  assert.deepEqual(requestsIn([asked(40, 14, { answered: 0 })]), [none, `14 of the 40 requests that the user made before the compaction ${gone}.`]);
  const one = "1 of the 2 requests that the user made before the compaction is not found in the window or a summary, already answered.";
  assert.deepEqual(requestsIn([asked(2, 1)]), [none, one]);
  const open = "A request that the agent was working on is not found in the window or a summary.";
  assert.deepEqual(requestsIn([asked(1, 1, { open: 1 })]), [open, ""]);
  assert.deepEqual(requestsIn([asked(3, 2, { open: 1 })]), [
    open,
    "1 of the 3 requests that the user made before the compaction is not found in the window or a summary, already answered.",
  ]);
  const many = "2 requests that the agent was working on are not found in the window or a summary.";
  assert.deepEqual(requestsIn([asked(3, 2, { open: 2 })]), [many, ""]);
});

test("behind the count of requests stands which messages of the user are none", () => {
  const row = asked(34, 18, { stopped: 3 });
  const quiet = (uncounted) => requestsIn([{ ...row, requests: { ...row.requests, uncounted } }])[1];
  const gone =
    "18 of the 34 requests that the user made before the compaction are not found in the window or a summary, 15 of them already answered and 3 stopped by the user.";
  assert.equal(
    quiet({ goes_on: 2, stated: 5 }),
    `${gone} 7 other messages of the user are not counted as requests: 2 ask for nothing new and 5 only state something.`,
  );
  assert.equal(quiet({ stated: 1 }), `${gone} 1 other message of the user is not counted as a request: it only states something.`);
  assert.equal(
    quiet({ command: 1, short: 2, goes_on: 1, wordless: 2 }),
    `${gone} 6 other messages of the user are not counted as requests: 1 asks for nothing new, 2 have too few words to be looked for, 1 is a slash command alone and 2 have no words.`,
  );
  assert.equal(quiet({ stated: 6 }), `${gone} 6 other messages of the user are not counted as requests: they only state something.`);
  assert.equal(quiet({}), gone);
  const all = asked(3, 0);
  const there = requestsIn([{ ...all, requests: { ...all.requests, uncounted: { short: 1 } } }]);
  assert.deepEqual(there, [
    "All 3 requests that the user made before the compaction are still in the window or a summary. 1 other message of the user is not counted as a request: it has too few words to be looked for.",
    "",
  ]);
});

test("a request at which the user stopped the agent is told apart from those that were answered", () => {
  const quiet = (/** @type {object} */ kinds, gone = 14) => requestsIn([asked(40, gone, kinds)])[1].replace(/^.* summary/, "");
  assert.equal(quiet({ stopped: 2 }), ", 12 of them already answered and 2 stopped by the user.");
  assert.equal(quiet({ stopped: 2, answered: 9 }), ", 9 of them already answered and 2 stopped by the user.");
  assert.equal(quiet({ stopped: 2, answered: 0 }), ", 2 of them stopped by the user.");
  assert.equal(quiet({ stopped: 14 }), ", all of them stopped by the user.");
  assert.equal(quiet({ stopped: 1 }, 1), ", stopped by the user before a reply.");
});

test("where every request is still there, it says in which words", () => {
  const all = (of, reworded = 0, within = "") => requestsIn([asked(of, 0, { reworded })], within)[0];
  assert.equal(all(14), "All 14 requests that the user made before the compaction are still in the window or a summary.");
  assert.equal(
    all(14, 2),
    "All 14 requests that the user made before the compaction are still in the window or a summary, 2 only in other words or in part.",
  );
  assert.equal(all(2), "Both requests that the user made before the compaction are still in the window or a summary.");
  assert.equal(
    all(2, 0, " in this file"),
    "Both requests that the user made before the compaction in this file are still in the window or a summary.",
  );
  assert.equal(all(1), "The request that the user made before the compaction is still in the window or a summary.");
  assert.equal(
    all(1, 1),
    "The request that the user made before the compaction is still in the window or a summary, only in other words or in part.",
  );
});

test("of one compaction it says what went there: what the agent was working on last, in front of its text", () => {
  const here = (gone, open, answered, stopped = 0) => requestsGoneHere(asked(40, 14, { here: [gone, open, answered, stopped] }));
  assert.equal(here(0, 0, 0), "", "what went before is told where it went");
  assert.equal(here(5, 0, 5), "5 requests are gone, all of them already answered");
  assert.equal(here(5, 0, 3), "5 requests are gone, 3 of them already answered");
  assert.equal(here(1, 0, 1), "1 request is gone, already answered");
  assert.equal(here(11, 0, 9, 2), "11 requests are gone, 9 of them already answered and 2 stopped by the user");
  assert.equal(here(1, 1, 0), "The request that the agent was working on is gone");
  assert.equal(here(3, 1, 2), "2 earlier requests are gone, all of them already answered. The request that the agent was working on is gone");
});

/** What a step is called behind ten compactions. */
const named = (step) => `message ${(step - 10).toLocaleString("en")}`;

test("a text that is gone says what it was, and when it was used again", () => {
  const loss = { kind: "said", text: "no tabs", at: 1, used_at: -1, kept: 0, words: 0 };
  assert.equal(lossNote(loss, named), "");
  assert.equal(lossNote({ ...loss, answers: "Tabs or spaces here?" }, named), "to: “Tabs or spaces here?”");
  assert.equal(lossNote({ ...loss, kind: "newest" }, named), "the agent was still working on it");
  assert.equal(
    lossNote({ ...loss, kind: "first", kept: 17, words: 49 }, named),
    "the first request; the summary has 17 of its 49 content words in the sentences nearest to it",
  );
  assert.equal(lossNote({ ...loss, kind: "rule", used_at: 1280 }, named), "an instruction, needed again at message 1,270");
  assert.equal(lossNote({ ...loss, kind: "name", used_at: 299 }, named), "used again at message 289");
});

test("results that are gone, calls made again, and what is said where no text is lost", () => {
  assert.equal(lostResults({ ...LOST, results: 48, result_tokens: 98567 }, true), "the text of 48 results left the window, ~98,567 tokens");
  const again = { ...LOST, again: 8, again_steps: [360], again_tokens: 9236 };
  assert.equal(askedAgain(again), "8 later calls asked again for what was gone: ");
  assert.equal(askedAgain({ ...again, unseen: 63_524 }), "8 later calls read some of it again: ");
  assert.equal(askedAgain({ ...LOST, again: 1, unreadable: "encrypted" }), "1 later call read some of it again: ");
  assert.equal(askedAgain({ ...again, again_edited: 8 }), "8 later calls asked again for what was gone, all of them in files edited since: ");
  assert.equal(askedAgain({ ...again, again_edited: 3, unseen: 9 }), "8 later calls read some of it again, 3 of them in files edited since: ");
  assert.equal(askedAgain({ ...LOST, again: 1, again_edited: 1 }), "1 later call asked again for what was gone, in a file edited since: ");
  const edited = { ...LOST, results: 5, result_tokens: 9, again: 2, again_edited: 1, again_tokens: 7 };
  assert.match(
    table([edited, edited], { about: false })["Tool results"],
    /^The text of 10 results is gone\. 4 later calls [^;,]+, 2 of them in files edited since: 14 tokens\.$/,
  );
  assert.equal(nothingLost(again), "", "what was read again is no loss of nothing");
  assert.equal(nothingLost({ ...LOST, sent_back: [[3, "read it again"]] }), "", "nor is what the user asks to read again");
  assert.equal(nothingLost(LOST), "Nothing that was used again later is known to be missing.");
  assert.equal(nothingLost({ ...LOST, taken: 0 }), "The transcript does not say what was removed.");
  assert.equal(nothingLost({ ...LOST, unreadable: "encrypted" }), "Its summary is encrypted: nobody can tell what it kept.");
  assert.equal(nothingLost({ ...LOST, unreadable: "not recorded" }), "Its summary is not in the transcript: nobody can tell what it kept.");
  assert.equal(nothingLost({ ...LOST, names_total: 1 }), "");
  const blank = { ...LOST, taken: 0 };
  assert.equal(lossGroups([blank, { ...blank, sent_back: [[3, "read it again"]] }]).length, 2, "a row with a message of the user stands alone");
  assert.deepEqual(
    lossGroups([blank, blank, LOST, LOST, blank, { ...blank, unreadable: "encrypted" }]).map(({ length }) => length),
    [2, 1, 1, 1, 1],
    "those in a row of which nothing is known stand together",
  );
});

test("the rule that is told is one that the user had to say again, else one that came up again; none that nothing needed", () => {
  const rule = {
    kind: "rule",
    text: "no tabs",
    followed: "no tabs",
    at: 1,
    used_at: 9,
    said_again_at: -1,
    used: "",
    said_again: "",
    kept: 0,
    words: 0,
  };
  const said = { ...rule, kind: "said", text: "blue" };
  const again = { ...rule, text: "no emoji", said_again_at: 12 };
  const told = (...losses) => forgottenRule([{ ...LOST, told: losses }])?.loss.text;
  assert.equal(told(said, rule, again), "no emoji");
  assert.equal(told(said, { ...again, said_again_at: 8 }, rule), "no emoji", "the first rule, said again before it came up");
  assert.equal(told(said), "blue");
  const unused = { ...rule, used_at: -1, rank: 5 };
  assert.equal(told(unused, said), "blue", "one that came up again comes first");
  assert.equal(told(unused, { ...unused, text: "no spaces", rank: 1 }), undefined, "a text that nobody missed is no story");
  assert.equal(told({ ...rule, followed: "" }), undefined, "Why cannot follow it");
  assert.equal(told({ ...rule, kind: "newest" }, { ...rule, kind: "name" }), undefined);
  const moments = momentsOf({ loss: again, row: { ...LOST, step: 5, taken: 3 } }, { said: 1, summary: true });
  assert.deepEqual(
    moments.map(({ step, quote }) => [step, quote]),
    [
      [1, "rule"],
      [5, ""],
      [9, "message"],
      [12, "message"],
    ],
  );
  assert.equal(moments[1].text, "Forgotten: the summary of 3 messages does not say it.");
  const carried = momentsOf({ loss: { ...rule, carried_at: 4 }, row: { ...LOST, step: 5, taken: 3 } }, { said: 1, summary: true });
  assert.deepEqual(
    carried.map(({ step, text }) => [step, text.split(":")[0]]),
    [
      [1, "The user said"],
      [4, "A compaction took this message away; its summary still said it."],
      [5, "Forgotten"],
      [9, "It came up, and the model could not see it any more"],
    ],
    "an earlier compaction took the message, its summary said it still",
  );
  const dropped = momentsOf({ loss: rule, row: { ...LOST, step: 5, taken: 1 } }, { said: 1, summary: false });
  assert.equal(dropped[1].text, "Forgotten: 1 message went, and no other says it.");
  assert.equal(dropped.length, 3);
  const repeated = momentsOf({ loss: { ...unused, said_again_at: 9 }, row: { ...LOST, step: 5, taken: 1 } }, { said: 1, summary: true });
  assert.deepEqual([repeated.length, repeated[2].step, repeated[2].text], [3, 9, "The user had to say it again:"]);
  const only = momentsOf({ loss: { ...rule, said_again_at: 9 }, row: { ...LOST, step: 5, taken: 1 } }, { said: 1, summary: false });
  assert.deepEqual([only.length, only[2].step, only[2].text], [3, 9, "The user had to say it again:"]);
});

test("in front of a room a compaction says what it took: a text that nothing says any more, else how many results", () => {
  const none = { ...LOST, told: [] };
  assert.equal(takenNote(none), "");
  assert.equal(takenNote({ ...none, results: 48 }), "Gone with them: the text of 48 tool results");
  const drawn = { ...none, results: 48, requests: { ...LOST.requests, text: "draw it" } };
  assert.equal(takenNote(drawn), "Nothing in the window says any more: “draw it”");
  assert.equal(takenNote({ ...drawn, told: [{ kind: "rule", text: "no tabs" }] }), "Nothing in the window says any more: “no tabs”");
  assert.equal(takenNote({ ...drawn, unreadable: "encrypted" }), "", "nobody can tell");
});

test("a change that would have kept a text is named within a sentence", () => {
  assert.equal(keeperName({ change: "pin message 16", value: "~61 tokens", text: "Pin message 16 (~61 tokens)" }, {}), "message 16 pinned");
  assert.equal(keeperName({ change: "keep_recent", value: 13, text: "keep_recent 6 → 13" }, {}), "keep_recent 6 → 13");
});

test("a time that is recorded without a zone is shown as it is, in any zone of the browser, and none is claimed", () => {
  const { TZ } = process.env;
  process.env.TZ = "America/New_York";
  assert.equal(when("2025-01-27T22:44:56.900854", "2025-01-27T22:45:18.405685"), "2025-01-27 22:44 to 22:45, 21 s");
  assert.equal(when("2025-06-02T11:49:34", "2025-06-02T11:49:34"), "2025-06-02 11:49");
  assert.equal(clock("2025-01-27T23:44:56", "2025-01-27T22:45:18"), "23:44");
  assert.equal(when("2025-01-27T22:44:56Z", "2025-01-27T22:45:18Z"), "2025-01-27 22:44 to 22:45 UTC, 22 s");
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

test("a step is in the turn that began last, and in none behind those that are told", () => {
  const run = { n: 9, length: 10, stepOfMessage: (at) => at + 1 };
  const turns = [{ at: 0 }, { at: 4 }];
  const all = stepsOf(run, { turns });
  assert.deepEqual(all, [1, 5, 10]);
  assert.deepEqual(
    [0, 1, 4, 5, 9].map((step) => turnAt(all, step)),
    [-1, 0, 0, 1, 1],
  );
  const some = stepsOf(run, { turns, turns_end: 6 });
  assert.deepEqual(
    [6, 7, 9].map((step) => turnAt(some, step)),
    [1, -1, -1],
  );
});
