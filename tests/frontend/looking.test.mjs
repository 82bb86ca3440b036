// The search for what looks secret: how far it is, and how it ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { findSecrets, progressWords } from "../../viewer/frontend/share/looking.js";
import { Review } from "../../viewer/frontend/share/review.js";

/** Answer with these lines. */
function answer(...lines) {
  const body = new Blob([lines.map((line) => `${JSON.stringify(line)}\n`).join("")]).stream();
  globalThis.fetch = async () => ({ ok: true, status: 200, body });
}

const search = (report) => findSecrets("api/share/t", {}, report, new AbortController().signal);

test("a search tells how far it is, and gives what it found", async () => {
  const reported = [];
  answer({ read: 0, of: 70 }, { read: 64, of: 70 }, { found: [], list: "l" });
  assert.deepEqual(await search((progress) => reported.push(progress.read)), { found: [], list: "l" });
  assert.deepEqual(reported, [0, 64]);
});

test("a search that does not run says why", async () => {
  answer({ read: 0, of: 70 }, { failed: "kingfisher did not run", hint: "install it again" });
  await assert.rejects(
    search(() => {}),
    /^Error: Kingfisher did not run. Install it again.$/,
  );
  answer({ read: 0, of: 70 });
  await assert.rejects(
    search(() => {}),
    /did not end/,
  );
});

test("a search that is aborted reports no more, and finds nothing", async () => {
  const reported = [];
  const searches = new AbortController();
  const report = ({ read }) => (reported.push(read), searches.abort());
  answer({ read: 0, of: 70 }, { read: 64, of: 70 }, { found: [], list: "l" });
  await assert.rejects(findSecrets("api/share/t", {}, report, searches.signal), { name: "AbortError" });
  assert.deepEqual(reported, [0]);
  answer({ found: [], list: "l" });
  await assert.rejects(findSecrets("api/share/t", {}, report, searches.signal), { name: "AbortError" });
});

test("the review shows how many texts are read, then that the rest takes its time, then what was found", () => {
  const review = new Review(() => {});
  const shown = () => [review.waits.hidden, review.progress.textContent, review.bar.getAttribute("value")];
  assert.equal(review.waits.hidden, true);
  review.wait();
  assert.deepEqual(shown(), [false, "", null]);
  review.wait({ read: 1200, of: 3400 });
  assert.deepEqual(shown().slice(0, 2), [false, "1,200 of 3,400 texts read"]);
  review.wait({ read: 3400, of: 3400 });
  assert.deepEqual(shown(), [false, progressWords({ read: 3400, of: 3400 }), null]);
  assert.equal(review.progress.textContent, "all 3,400 texts read; the search for keys of known makers goes on");
  review.show([], "l");
  assert.equal(review.waits.hidden, true);
});
