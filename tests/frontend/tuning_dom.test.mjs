// A sweep of the Tune page as the answers come: it is done once the page has the picture of the whole of it.
import "./dom.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Tuning } from "../../viewer/frontend/tune/tuning.js";
import { until } from "./until.mjs";

const ONE = {
  id: "a",
  title: "",
  agent: "",
  model: "",
  meter: "agentkit",
  messages: 9,
  tokens: 900,
  seconds: 0,
  limited: true,
  name: "a",
  source: "path:/a",
  session: "",
};
const PICTURE = { sessions: 1, said: [], cells: [], best: null };

/** A server that knows one session and runs one setting; it answers for a picture when `answer` is called. */
function serve() {
  history.replaceState(null, "", "/tune"); // an earlier test may have chosen other sessions
  sessionStorage.clear();
  const waiting = [];
  const lines = (...all) => new Response(all.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const begun = { sweep: "s", sessions: ["a"], runs: 1, done: 0 };
  const answers = {
    sessions: () => lines({ found: { set: "f", meter: "agentkit", sessions: [ONE], failures: [], models: [] } }),
    run: ({ look }) => (look ? lines(begun) : lines(begun, { done: 1, runs: 1, part: 1, left: 0 }, { finished: true })),
    proposals: () => Response.json({ policy: "agentkit.memory", parameters: [], defaults: {}, window: "" }),
    prices: () => Response.json({ prices: [], list: "" }),
    picture: ({ running }) => new Promise((answer) => waiting.push({ running, answer: () => answer(Response.json({ ...PICTURE, running })) })),
  };
  globalThis.fetch = async (url, { body }) => answers[new URL(url, "http://localhost").pathname.split("/").pop()](JSON.parse(body));
  return waiting;
}

test("a run is over once its last picture is there: until then a picture of the runs so far is shown as such", async () => {
  const waiting = serve();
  const tuning = new Tuning();
  tuning.start({ source: "path:/a", session: "", now: {}, meter: "agentkit", folder: "", workers: 1 });
  tuning.chosen.grids = [{ policy: "agentkit.memory", axes: [{ name: "budget", values: ["8000"] }], own: true, fixed: {} }];
  await until(() => tuning.found && !tuning.preparing);
  const run = tuning.run();
  await until(() => waiting.at(-1)?.running === false);
  for (const early of waiting.slice(0, -1)) early.answer();
  await until(() => waiting.length > 1);
  assert.equal(tuning.running, true);
  assert.equal(tuning.picture, null, "a picture that was asked for earlier is put aside");
  waiting.at(-1).answer();
  await run;
  assert.deepEqual([tuning.running, tuning.picture.running], [false, false]);
  tuning.destroy();
});

test("the map begins with the policy that was shown, else with that of the session's agent", () => {
  serve();
  const first = (now, own) => {
    const tuning = new Tuning();
    tuning.start({ source: `path:/${now.policy}${own}`, session: "", now, own, meter: "agentkit", folder: "", workers: 1 });
    tuning.destroy();
    return tuning.chosen.grids.map(({ policy }) => policy);
  };
  assert.deepEqual(first({ policy: "pi.compaction" }, "claude_code.auto"), ["pi.compaction"]);
  assert.deepEqual(first({}, "claude_code.auto"), ["claude_code.auto"]);
  assert.deepEqual(first({}, ""), ["agentkit.memory"]);
});

test("the values that were proposed for other sessions are gone while new ones are read; those a person chose stay", async () => {
  serve();
  const tuning = new Tuning();
  tuning.start({ source: "path:/a", session: "", now: {}, meter: "", folder: "", workers: 1 });
  await until(() => tuning.found && !tuning.preparing);
  const axes = [{ name: "budget", values: ["8000"] }];
  tuning.chosen.grids = [
    { policy: "a", axes, own: false, fixed: {} },
    { policy: "b", axes, own: true, fixed: {} },
  ];
  tuning.choosing({ kind: "library" });
  assert.deepEqual([tuning.reading, tuning.grids.map(({ policy }) => policy)], [[0, 0], ["b"]]);
  tuning.destroy();
});

test("sessions without a chosen meter go by their own, and links name none", async () => {
  serve();
  const tuning = new Tuning();
  tuning.start({ source: "path:/a", session: "", now: {}, meter: "", folder: "", workers: 1 });
  await until(() => tuning.found && !tuning.preparing);
  assert.deepEqual([tuning.chosen.meter, tuning.sameMeter, tuning.linkMeter], ["", "agentkit", ""]);
  tuning.data.source = "sample:a.json";
  assert.equal(tuning.linkMeter, "agentkit", "a sample has a meter that its file does not say");
  tuning.found = { ...tuning.found, sessions: [ONE, { ...ONE, id: "b", meter: "calibrated" }] };
  assert.equal(tuning.sameMeter, "");
  tuning.destroy();
});

test("each session's own meter stays chosen over Back, Forward and a reload, where Debug has another", async () => {
  serve();
  const data = { source: "path:/a", session: "", now: {}, meter: "o200k_base", folder: "", workers: 1 };
  const tuning = new Tuning();
  tuning.start(data);
  assert.equal(tuning.chosen.meter, "o200k_base");
  tuning.choosing({ meter: "" });
  const own = location.search;
  tuning.choosing({ meter: "agentkit" });
  for (const [search, meter] of [
    [own, ""],
    ["", "o200k_base"],
    ["?meter=agentkit", "agentkit"],
  ]) {
    history.replaceState(null, "", `${location.pathname}${search}`);
    dispatchEvent(new Event("popstate"));
    const again = new Tuning();
    again.start(data);
    assert.deepEqual([tuning.chosen.meter, again.chosen.meter], [meter, meter]);
    again.destroy();
  }
  tuning.destroy();
});

test("a page of thousands of sessions asks which are swept, and at which prices, as often as it likes", async () => {
  serve();
  const tuning = new Tuning();
  tuning.start({ source: "path:/a", session: "", now: {}, meter: "", folder: "", workers: 1 });
  await until(() => tuning.found && !tuning.preparing);
  let read = 0;
  const counted = (id) => ({
    ...ONE,
    id,
    model: "m",
    get tokens() {
      return ++read && 900;
    },
  });
  tuning.found = { ...tuning.found, sessions: Array.from({ length: 2000 }, (_, k) => counted(String(k))) };
  assert.deepEqual([tuning.sessions.length, tuning.own.without, tuning.prices], [2000, 2000, null]);
  const once = read;
  for (let k = 0; k < 9; k += 1) void tuning.prices;
  assert.ok(once < 9000 && read - once <= 9 * 2000, `${once} and ${read}`);
  tuning.rates.set("m", [1, 1, 1, 1]);
  tuning.chosen.without = ["0"];
  assert.deepEqual([tuning.sessions.length, tuning.own.priced[0].sessions, tuning.prices], [1999, 1999, "own"]);
  tuning.destroy();
});

test("the page opened without an address is as it was left in this tab, with the setting that Debug has now", async () => {
  serve();
  const data = { source: "path:/a", session: "", now: { policy: "p", x: "1" }, meter: "", folder: "/f", workers: 1 };
  const left = new Tuning();
  left.start(data);
  left.choosing({ kind: "library", words: "plums" });
  left.set({ limit: 8 });
  left.destroy();
  history.replaceState(null, "", location.pathname);
  const again = new Tuning();
  again.start({ ...data, source: "path:/b", now: { policy: "p", x: "2" } });
  assert.deepEqual([again.chosen.kind, again.chosen.words, again.chosen.limit], ["library", "plums", 8]);
  assert.equal(new URLSearchParams(location.search).get("now"), "policy=p&x=2");
  assert.equal(new URLSearchParams(location.search).get("source"), "path:/b");
  again.destroy();
});
