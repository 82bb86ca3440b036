// The Tune page: shades and their contrast, places in the grid, keys, words, links, the address, the scales of the plot.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readLines } from "../../viewer/frontend/lib/lines.js";
import { begun, chosenIn, queryOf } from "../../viewer/frontend/tune/addressed.js";
import { alongLine, labelOnLine, placedLabels } from "../../viewer/frontend/tune/labels.js";
import { expectedSeconds } from "../../viewer/frontend/tune/estimate.js";
import { keepLeft, leftBy } from "../../viewer/frontend/tune/left.js";
import { commandOf, commandTerms, compareLink, debugLink, laneOf, quoted, simulateCommand } from "../../viewer/frontend/tune/links.js";
import {
  changesNothing,
  longName,
  movedIn,
  namesApart,
  placeOf,
  settingAt,
  settingOf,
  shortName,
  spreadOver,
  wholeName,
} from "../../viewer/frontend/tune/places.js";
import { pricedBy, pricedText } from "../../viewer/frontend/tune/priced.js";
import { costRange, rateTicks, ticks } from "../../viewer/frontend/tune/scale.js";
import { SHADES, shadeOf } from "../../viewer/frontend/tune/shades.js";
import {
  allTitle,
  bestName,
  brief,
  cellName,
  cellText,
  change,
  countedBy,
  duration,
  faultOf,
  figuresText,
  money,
  rate,
  sumOver,
  unbroken,
} from "../../viewer/frontend/tune/words.js";

const GRIDS = [
  {
    policy: "agentkit.memory",
    own: false,
    fixed: {},
    axes: [
      { name: "budget", values: ["20000", "60000", "80000"] },
      { name: "keep_recent", values: ["4", "12"] },
    ],
  },
  {
    policy: "langchain.summarization",
    own: true,
    fixed: { keep: "messages:8", "!odd": "a;b,%" },
    axes: [{ name: "trigger", values: ["tokens:20000", "tokens:80000"] }],
  },
];

function luminance(color) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((s) => (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("the cheapest setting is the best of all but one or two sessions, and of none that are known", () => {
  assert.deepEqual([0, 1, 2, 3].map(bestName), ["best", "cheapest within the limit of misses", "cheapest within the limit of misses", "best"]);
});

test("text stands out from each of the nine shades by 5 : 1 or more, in both themes, and each shade is its own", () => {
  const css = readFileSync(new URL("../../viewer/frontend/tune/tune.css", import.meta.url), "utf8");
  const themes = [...css.matchAll(/\{[^}]*--fl-shade-0[^}]*\}/g)]
    .slice(0, 2)
    .map(([rule]) =>
      Object.fromEntries([...rule.matchAll(/--fl-(shade-[\w-]+): (#[0-9a-f]{6})/g)].map(([, name, color]) => [name, luminance(color)])),
    );
  assert.equal(themes.length, 2);
  for (const [n, theme] of themes.entries()) {
    const steps = Array.from({ length: SHADES }, (_, k) => theme[`shade-${k}`]);
    for (const [k, step] of steps.entries()) {
      const ink = theme[k > 5 ? "shade-ink-strong" : "shade-ink"];
      const [light, dark] = [Math.max(step, ink), Math.min(step, ink)];
      assert.ok((light + 0.05) / (dark + 0.05) >= 5, `theme ${n}, shade ${k}: ${((light + 0.05) / (dark + 0.05)).toFixed(2)}`);
      if (k) assert.ok(n ? step > steps[k - 1] : step < steps[k - 1], `theme ${n}, shade ${k} is no step from the one before`);
    }
  }
});

test("shades are spaced by square roots: a quarter of the range is half of the shades", () => {
  assert.deepEqual(
    [0, 0.01, 0.25, 0.5, 1].map((value) => shadeOf(value, 0, 1)),
    [0, 0, 4, 6, 8],
  );
  assert.equal(shadeOf(3, 3, 3), 0);
});

test("settings are numbered as the server does: the first parameter changes first, one policy after the other", () => {
  assert.deepEqual(placeOf(GRIDS, 4), { g: 0, x: 1, y: 1 });
  assert.deepEqual(placeOf(GRIDS, 7), { g: 1, x: 1, y: 0 });
  assert.equal(placeOf(GRIDS, 8), null);
  for (let k = 0; k < 8; k++) {
    const { g, x, y } = placeOf(GRIDS, k);
    assert.equal(settingAt(GRIDS, g, x, y), k);
  }
  assert.equal(settingOf(GRIDS, { policy: "agentkit.memory", budget: "60000", keep_recent: "12" }), 4);
  assert.equal(settingOf(GRIDS, { policy: "agentkit.memory", budget: "61000", keep_recent: "12" }), null);
  assert.equal(settingOf(GRIDS, {}), null);
  const now = { policy: "agentkit.memory", budget: "60000", keep_recent: "12", role: "user" };
  const defaults = { budget: "400", keep_recent: "4", role: "system" };
  assert.equal(settingOf(GRIDS, now, defaults), null, "the grid has the default of what the debugger has set");
  assert.equal(settingOf([{ ...GRIDS[0], fixed: { role: "user", budget: "1" } }], now, defaults), 4, "a swept parameter is never fixed");
  assert.equal(settingOf([{ ...GRIDS[0], fixed: { role: "system" } }], { ...now, role: "system" }, defaults), 4);
});

test("a parameter changes nothing where all its values come to the same, whatever the other is", () => {
  const cells = [1, 2, 3, 1, 2, 3, 4, 5].map((cost) => [1, 0.1, cost, 1, 9, false, 0]);
  const picture = { cells, sessions: 1 };
  const flat = (n, of = picture) => changesNothing(GRIDS, 0, n, of);
  assert.deepEqual([flat(0), flat(1), changesNothing(GRIDS, 1, 0, picture), changesNothing(GRIDS, 1, 1, picture)], [false, true, false, false]);
  assert.equal(flat(1, null), false);
  assert.equal(flat(1, { cells, sessions: 2 }), false, "not before all sessions have run");
  assert.equal(flat(1, { cells: [...cells.slice(0, 5), cells[6]], sessions: 1 }), false, "one value differs for one of the other's");
  const across = [1, 1, 1, 4, 4, 4].map((cost) => [1, 0.1, cost, 1, 9, false, 0]);
  assert.deepEqual([flat(0, { cells: across, sessions: 1 }), flat(1, { cells: across, sessions: 1 })], [true, false]);
});

test("settings have a short and a long name", () => {
  assert.deepEqual([shortName(GRIDS, 5), longName(GRIDS, 5)], ["80k/12", "budget 80,000, keep_recent 12"]);
  assert.deepEqual([shortName(GRIDS, 7), longName(GRIDS, 7)], ["80k", "trigger 80,000"]);
  assert.deepEqual([shortName(GRIDS, 99), longName(GRIDS, 99)], ["", ""]);
});

test("arrows lead to the next cell, up to the larger value, and never out of the map", () => {
  const to = (key, x, y) => movedIn(GRIDS[0], x, y, key);
  assert.deepEqual(to("ArrowUp", 1, 0), { x: 1, y: 1 });
  assert.equal(to("ArrowUp", 1, 1), null);
  assert.deepEqual(to("ArrowRight", 1, 0), { x: 2, y: 0 });
  assert.equal(to("ArrowRight", 2, 0), null);
  assert.deepEqual(
    [to("Home", 2, 1), to("End", 0, 1)],
    [
      { x: 0, y: 1 },
      { x: 2, y: 1 },
    ],
  );
  assert.equal(to("x", 0, 0), null);
});

test("values are spread as the server spreads them", () => {
  assert.deepEqual(spreadOver(0, 10, 8), [0, 1, 3, 4, 6, 7, 9, 10]);
  assert.deepEqual(spreadOver(2, 4, 8), [2, 3, 4]);
});

test("numbers and changes in words", () => {
  assert.deepEqual([rate(0.0492), rate(0), rate(null)], ["4.9 %", "0.0 %", "–"]);
  assert.deepEqual([money(97.05), money(1234.5), money(0.0123), money(null)], ["$97.05", "$1,234.50", "$0.0123", "–"]);
  assert.deepEqual([brief(2_790_000), brief(161_400), brief(940)], ["2.79M", "161k", "940"]);
  assert.deepEqual(change(97.05, 133.3), { text: "−27 %", tone: "better", part: (97.05 - 133.3) / 133.3 });
  assert.deepEqual([change(6, 5).text, change(6, 5).tone, change(5.001, 5).text, change(1, null).text], ["+20 %", "worse", "0 %", "–"]);
  assert.deepEqual([duration(0.4), duration(46), duration(180), duration(9000)], ["under a second", "46\u00a0s", "3\u00a0min", "2.5\u00a0h"]);
  assert.deepEqual(
    [cellText("misses", 0.049), cellText("cost", 97.05), cellText("compactions", 32), cellText("sent", 161_400)],
    ["4.9", "$97.0", "32", "161k"],
  );
});

test("a miss rate just over the limit has the digits that say so, on the map and beside what is pointed at", () => {
  assert.deepEqual(
    [0.0502, 0.05, 0.0499, 0.05003, 0.051].map((missed) => cellText("misses", missed, 0.05)),
    ["5.02", "5.0", "5.0", "5.003", "5.1"],
  );
  assert.equal(figuresText([1, 0.0502, 18.65, 1, 7_440_000, true, 9], 0.05), "$18.65, misses 5.02 %, just over 5 %, 1 compaction, 7.44M tokens sent");
  assert.equal(figuresText([1, 0.051, null, 2, 940, false, 0], 0.05), "misses 5.1 %, 2 compactions, 940 tokens sent");
  assert.equal(figuresText([1, null, null, 2, 940, false, 0], 0.05), "misses –, 2 compactions, 940 tokens sent");
});

test("no label lies over the line: it has points every six pixels between its marks", () => {
  const along = alongLine([
    { x: 0, y: 0 },
    { x: 24, y: 0 },
    { x: 24, y: 5 },
  ]);
  assert.deepEqual(
    along.map(({ x, y }) => [x, y]),
    [
      [6, 0],
      [12, 0],
      [18, 0],
    ],
  );
  const above = placedLabels([{ x: 100, y: 100, width: 40 }], [{ x: 120, y: 90 }], { left: 0, right: 200 });
  assert.deepEqual([above[0].x, above[0].y], [51, 118], "a point in the first place leads to the next");
});

test("no number of the advice is parted from its per cent sign", () => {
  assert.equal(unbroken("misses 3.1 % (median 3.9 %, p10–p90 1.6–11.3 %) "), "misses 3.1\u00a0% (median 3.9\u00a0%, p10–p90 1.6–11.3\u00a0%) ");
});

test("settings of one name have their policy with it, others do not", () => {
  const grids = ["claude_code.auto", "agentkit.memory"].map((policy) => ({
    policy,
    own: true,
    fixed: {},
    axes: [{ name: "size", values: ["80000", "90000"] }],
  }));
  assert.deepEqual(namesApart(grids, [0, 2, 3]), ["claude_code.auto 80k", "agentkit.memory 80k", "90k"]);
});

test("why a setting is never called best is a sentence: it gives up, which comes first, or it thrashes", () => {
  const cell = (compactions, thrashes, givenUp, calls) => [8, 0.03, 97, compactions, 9, thrashes, 9, givenUp, calls];
  assert.equal(
    faultOf(cell(32, true, 1012, 1050)),
    "Compacts 32 times, then gives up: 1,012 of 1,050 calls go past its limit, nothing is compacted, so little is missed.",
  );
  assert.match(faultOf(cell(1, false, 1, 5)), /^Compacts once, then gives up: 1 of 5 calls goes past /);
  assert.match(faultOf(cell(0, false, 4, 5)), /^Compacts never, then gives up: /);
  assert.match(faultOf(cell(32, true, 0, 1050)), /^Thrashes: /);
  assert.equal(faultOf(cell(32, false, 0, 1050)), "");
  const about = { sessions: 8, best: false, near: false, now: false, chosen: false };
  assert.match(cellName("a", cell(32, true, 1012, 1050), about), /, gives up$/);
});

test("a setting's whole name has its policy, once", () => {
  assert.equal(wholeName(GRIDS, 5), "agentkit.memory, budget 80,000, keep_recent 12");
  assert.equal(wholeName([{ policy: "plain", own: true, fixed: {}, axes: [] }], 0), "plain, its defaults");
});

test("a screen reader hears a cell's figures and what it is", () => {
  const about = { sessions: 15, best: true, near: false, now: false, chosen: false };
  assert.equal(
    cellName("budget 80,000, keep_recent 12", [15, 0.049, 97.05, 32, 9, false, 100], about),
    "budget 80,000, keep_recent 12: misses 4.9 %, cost $97.05, 32 compactions, best",
  );
  assert.equal(
    cellName("a", [1, 0.1, 1, 1, 1, false, 1], { ...about, sessions: 1 }),
    "a: misses 10.0 %, cost $1.00, 1 compaction, cheapest within the limit of misses",
  );
  assert.equal(cellName("a", [7, 0.1, 1, 1, 1, true, 1], about), "a: 7 of 15 sessions so far");
  assert.equal(cellName("a", [0, null, null, 0, 0, false, 0], about), "a: not run yet");
  assert.equal(
    cellName("a", [15, 0.2, null, 1, 2000, true, 9], { ...about, best: false, now: true }),
    "a: misses 20.0 %, 2k tokens sent, 1 compaction, the setting now, thrashes",
  );
});

test("links open a setting in Debug and in Compare, and the command asks for the same", () => {
  const place = { source: "path:/logs/a.jsonl", session: "2" };
  const session = { ...place, name: "/logs/a.jsonl#2" };
  const other = { source: "path:/logs/it's.jsonl", session: "", name: "/logs/it's.jsonl" };
  const terms = { meter: "o200k_base", summaries: "structural", prices: [5, 0.5, 6.25, 25] };
  const setting = { policy: "agentkit.memory", budget: "60000", keep_recent: "12" };
  assert.equal(
    debugLink(place, setting, terms),
    "./?source=path:/logs/a.jsonl&session=2&policy=agentkit.memory&budget=60000&keep_recent=12&meter=o200k_base&summaries=structural",
  );
  assert.equal(
    compareLink(place, null, setting, terms),
    "compare?source=path:/logs/a.jsonl&session=2&a=recorded&b=agentkit.memory,budget=60000,keep_recent=12&meter=o200k_base&summaries=structural",
  );
  assert.equal(laneOf({ policy: "recorded" }), "recorded");
  assert.equal(
    commandOf([session, session, other], [session, other], GRIDS[0], terms),
    "foldline tune '/logs/a.jsonl#2' '/logs/it'\\''s.jsonl' --policy agentkit.memory --grid keep_recent=4,12 budget=20000,60000,80000 --meter o200k_base --summaries structural --prices 5,0.5,6.25,25 --no-findings",
  );
  assert.equal(
    commandOf([session], [session], { ...GRIDS[0], axes: [], fixed: { role: "a user" } }, { ...terms, prices: null, window: 32000 }),
    "foldline tune '/logs/a.jsonl#2' --policy agentkit.memory --set 'role=a user' --meter o200k_base --summaries structural --window 32000 --no-findings",
  );
  assert.equal(commandOf([{ source: "" }], [{ source: "" }], GRIDS[0], terms), "");
  assert.equal(quoted("$(rm -rf ~)"), "'$(rm -rf ~)'");
});

test("the command is given the prices that fill a gap, or says that it leaves it; where meters differ each session has its own", () => {
  const [dear, cheap] = [
    [5, 0.5, 6.25, 25],
    [1, 0.1, 1.25, 5],
  ];
  const said = (sessions, { sameMeter = "agentkit", prices = "own", samePrices = null } = {}) =>
    commandTerms({
      sameMeter,
      prices,
      samePrices,
      own: pricedBy(
        sessions,
        new Map([
          ["a", dear],
          ["b", cheap],
        ]),
      ),
    });
  const [a, b, none] = ["a", "b", "x"].map((model) => ({ model }));
  assert.deepEqual(said([a, a], { samePrices: dear }), { meter: "agentkit", prices: null, differs: [] });
  assert.deepEqual(said([a, none], { samePrices: dear }).prices, dear);
  assert.deepEqual(said([a, b, none], { prices: cheap }), { meter: "agentkit", prices: cheap, differs: [] });
  assert.deepEqual(said([none], { prices: null }), { meter: "agentkit", prices: null, differs: [] });
  assert.deepEqual(said([a, a, b, none], { sameMeter: "" }), {
    meter: "own",
    prices: null,
    differs: ["The command gives no cost where a model has no known price; the page takes that of a."],
  });
});

test("the command names the chosen sessions of an archive or a file of many; all of them by the file", () => {
  const inside = (/** @type {string} */ name) => ({ source: "path:/x/all.zip", session: `./${name}`, name: `/x/all.zip/${name}` });
  const many = ["", "1", "2"].map((session) => ({ source: "path:/x/many.jsonl", session, name: `/x/many.jsonl${session && "#"}${session}` }));
  const archive = [inside("a.json"), inside("b.json")];
  const terms = { meter: "m", summaries: "s" };
  const paths = (/** @type {object[]} */ some) => commandOf(some, [...archive, ...many], GRIDS[0], terms).match(/tune (.*) --policy/)?.[1];
  assert.equal(paths([...archive, ...many]), "/x/all.zip /x/many.jsonl");
  assert.equal(paths([archive[1], many[0], many[2]]), "/x/all.zip/b.json '/x/many.jsonl#0' '/x/many.jsonl#2'");
  const alone = { source: "path:/x/few.jsonl", session: "", name: "/x/few.jsonl", others: true };
  assert.equal(commandOf([alone], [alone], GRIDS[0], terms).match(/tune (.*) --policy/)?.[1], "'/x/few.jsonl#0'");
});

test("the address holds what was chosen, and gives it back", () => {
  const chosen = {
    ...begun(),
    kind: "folder",
    folder: "/logs/of an agent",
    least: 70000,
    without: ["a1", "b2"],
    limit: 8,
    window: 32000,
    prices: [5, 0.5, 6.25, 25],
    measure: "cost",
    cell: 4,
    grids: [{ ...GRIDS[0], axes: [] }, GRIDS[1]],
  };
  const query = queryOf(chosen, { source: "path:/a" });
  assert.deepEqual(chosenIn(`?${query}`), chosen);
  assert.ok(query.startsWith("source=path:/a&sessions=folder&folder=/logs/of+an+agent"), query);
  assert.equal(queryOf(begun(), {}), "");
  assert.deepEqual(chosenIn("?sessions=all&least=-4&limit=many&prices=1,2&grid=&cell=x&grid=a;b;c=1"), {
    ...begun(),
    grids: [{ policy: "a", axes: [], own: false, fixed: null }],
  });
});

test("what was left is of the session that is open, or of several sessions whatever is open", () => {
  const store = new Map();
  globalThis.sessionStorage = { getItem: (key) => store.get(key) ?? null, setItem: (key, text) => store.set(key, text) };
  const [a, b] = ["path:/a.jsonl", "path:/b.jsonl"].map((source) => ({ source, session: "" }));
  assert.equal(leftBy(a), "");
  keepLeft("source=path:/a.jsonl&limit=10");
  assert.equal(leftBy(a), "source=path:/a.jsonl&limit=10");
  assert.equal(leftBy(b), "");
  assert.equal(leftBy({ ...a, session: "2" }), "");
  keepLeft("source=path:/a.jsonl&sessions=folder&folder=/x");
  assert.equal(leftBy(b), "source=path:/a.jsonl&sessions=folder&folder=/x");
});

test("a long sweep is foretold from what reading took, the first session apart", () => {
  const of = (seconds) => ({ tokens: 100_000, seconds });
  const few = expectedSeconds([of(0.6), of(0.04), of(0.04)], 56, 1);
  assert.ok(few > 2 && few < 5, String(few));
  assert.ok(expectedSeconds([of(0.04), of(0.04)], 112, 1) > 1.8 * expectedSeconds([of(0.04)], 112, 1) - 3);
  assert.ok(expectedSeconds([], 56, 1) < 2);
  const start = expectedSeconds([], 56, 1);
  const shared = expectedSeconds([of(0.04), of(0.04)], 112, 4) - start;
  assert.ok(Math.abs(4 * shared - (expectedSeconds([of(0.04), of(0.04)], 112, 1) - start)) < 1e-9, "four processes share the work");
});

test("the plot shows what is compared, and counts the rest as beyond", () => {
  const { low, high } = costRange([60, 80, 100, 300], [60, 100, 133]);
  assert.ok(low < 60 && low > 50 && high > 133 && high < 145);
  assert.deepEqual(ticks(58, 142, 5), [60, 80, 100, 120, 140]);
  assert.deepEqual(rateTicks(0.17, 230), [0, 0.01, 0.02, 0.05, 0.1, 0.15]);
  assert.deepEqual(rateTicks(0.17, 60), [0, 0.02, 0.1]);
});

test("a label keeps off the line of the limit and off the ring of a mark", () => {
  const one = { x: 100, y: 100, width: 40 };
  const at = (marks, sides, taken) => placedLabels([one], marks, { left: 0, right: 400, ...sides }, taken).map(({ x, y }) => [x, y]);
  assert.deepEqual(at([one], { limit: 88 }), [[51, 118]], "the line goes through the place above");
  assert.deepEqual(at([{ x: 160, y: 88, room: 12 }], {}), [[51, 118]], "a ring reaches further than a mark");
  assert.deepEqual(at([{ x: 160, y: 88 }], {}), [[109, 91]]);
  assert.deepEqual(at([one], {}, [{ x: 130, y: 88, width: 20 }]), [[51, 118]], "what stands already stays");
});

test("the label of the limit stands on its line, at the right, or further left where nothing is", () => {
  const sides = { left: 0, right: 400 };
  const at = (marks, labels = []) => labelOnLine(200, 100, marks, labels, sides);
  assert.deepEqual(at([]), { x: 300, y: 195, width: 100 });
  assert.deepEqual(at([{ x: 350, y: 190 }]), { x: 300, y: 214, width: 100 }, "below, as a mark is above");
  assert.deepEqual(at([{ x: 390, y: 200, room: 10 }]), { x: 276, y: 195, width: 100 }, "further left, as the best is on the line");
  assert.deepEqual(
    at(
      [],
      [
        { x: 310, y: 195, width: 90 },
        { x: 310, y: 214, width: 90 },
      ],
    ),
    { x: 210, y: 195, width: 100 },
  );
  assert.equal(at(Array.from({ length: 40 }, (_, k) => ({ x: 10 * k, y: 200, room: 8 }))), null, "nowhere, where marks are all along it");
});

test("a label of the plot stands beside its mark, over no other mark and no label", () => {
  const sides = { left: 0, right: 400 };
  const placed = (named, marks, within = sides) => placedLabels(named, [...named, ...marks], within).map(({ x, y }) => [x, y]);
  const one = { x: 100, y: 100, width: 40 };
  assert.deepEqual(placed([one], []), [[109, 91]], "at the upper right");
  assert.deepEqual(placed([one], [{ x: 130, y: 88 }]), [[51, 118]], "at the lower left, as another mark is there");
  assert.deepEqual(
    placed([one, { x: 104, y: 102, width: 40 }], []),
    [
      [109, 91],
      [55, 120],
    ],
    "each its own place",
  );
  assert.deepEqual(placed([one], [], { left: 0, right: 140 }), [[51, 118]], "within the plot");
  assert.deepEqual(placed([one], [], { left: 0, right: 140, bottom: 105 }), [[51, 91]], "and above the numbers of its axis");
  const around = Array.from({ length: 12 * 8 }, (_, k) => ({ x: 45 + 10 * (k % 12), y: 65 + 10 * Math.floor(k / 12) }));
  assert.deepEqual(placed([one], around), [], "left out where there is no room");
  assert.equal(placed([{ ...one, must: true }], around).length, 1, "unless it must be there");
});

test("lines that come in pieces are read as they end", async () => {
  const parts = ['{"read": [0', ', 2]}\n{"fo', 'und": 1}\n'].map((text) => ({ done: false, value: new TextEncoder().encode(text) }));
  const seen = [];
  await readLines({ read: async () => parts.shift() ?? { done: true } }, (line) => seen.push(line));
  assert.deepEqual(seen, [{ read: [0, 2] }, { found: 1 }]);
});

test("the line of all sessions has no figure of some of them, and says how many have run", () => {
  const one = [1, 0.024, 0.99, 3, 500, false, 9];
  const all = [20, 0.05, 80, 31, 9000, false, 90];
  const part = { sessions: 20, recorded: one, cells: [one, all] };
  assert.equal(allTitle(20, part), "All 20 sessions, 1 of 20 run");
  assert.deepEqual(
    [sumOver(part, part.recorded), sumOver(part, all), sumOver(part, undefined)],
    [
      [null, null, null, null],
      [80, 0.05, 31, 9000],
      [null, null, null, null],
    ],
  );
  assert.deepEqual([allTitle(20, { ...part, recorded: all }), allTitle(20, null)], ["All 20 sessions", "All 20 sessions"]);
});

test("each session is priced by its own model, and by the commonest where that has no price", () => {
  const rates = new Map([
    ["opus", [5, 0.5, 6.25, 25]],
    ["mini", [0.15, 0.07, 0.15, 0.6]],
    ["nobody", null],
  ]);
  const own = pricedBy(
    ["mini", "nobody", "opus", "opus", ""].map((model) => ({ model })),
    rates,
  );
  assert.deepEqual(
    [own.priced.map(({ model, sessions }) => [model, sessions]), own.without],
    [
      [
        ["opus", 2],
        ["mini", 1],
      ],
      2,
    ],
  );
  assert.equal(pricedText(own), "2 by opus · 1 by mini · 2 sessions without a known price by opus, the commonest");
  const many = [..."abcde"].map((model) => ({ model, sessions: 1, prices: [1, 1, 1, 1] }));
  assert.equal(pricedText({ priced: many, without: 0 }), "1 by a · 1 by b · 1 by c · 2 by 2 other models");
});

test("the meter that counts is named: one for all, or how many sessions each counts", () => {
  const by = (...meters) => meters.map((meter) => ({ meter }));
  assert.equal(countedBy("agentkit", by("agentkit")), "~ estimated by agentkit");
  assert.equal(countedBy("", by("calibrated", "calibrated")), "~ estimated by calibrated");
  const each = "~ estimated by each session's own meter";
  assert.equal(countedBy("", by("calibrated", "o200k_base", "o200k_base")), `${each}: 2 o200k_base, 1 calibrated`);
  assert.equal(countedBy("", []), each);
});

test("one session under one setting is a command, too: of a file of many by its number, and none without a path", () => {
  const setting = { policy: "agentkit.memory", budget: "60000", keep_recent: "12" };
  const one = { source: "path:/home/me/my runs/a.jsonl", session: "2", meter: "o200k_base" };
  assert.equal(
    simulateCommand(one, setting, "fixed size"),
    "foldline simulate '/home/me/my runs/a.jsonl' --session 2 --policy agentkit.memory --set budget=60000 --set keep_recent=12 --meter o200k_base --summaries 'fixed size'",
  );
  assert.match(simulateCommand({ ...one, session: "" }, setting, "structural"), / --session 0 --policy .* --summaries structural$/);
  assert.equal(simulateCommand({ ...one, source: "" }, setting, "structural"), "");
});
