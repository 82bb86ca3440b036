// The style sheet that the components of a page share.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { styled } from "../../viewer/frontend/lib/styles.js";

globalThis.CSSStyleSheet = class extends document.defaultView.CSSStyleSheet {
  async replace(text) {
    return Object.assign(this, { text });
  }
};

/** The root of a component without its style. */
function root() {
  const shadow = document.createElement("div").attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = [];
  return shadow;
}

test("a style sheet that could not be had is asked for again; one that came is fetched once and shared", async () => {
  let asked = 0;
  const answers = [null, { ok: false, status: 503, text: async () => "<h1>Busy</h1>" }, { ok: true, text: async () => ".fl-app {}" }];
  globalThis.fetch = async () => answers[asked++] ?? Promise.reject(new TypeError("Failed to fetch"));
  const [first, second] = [root(), root()];
  await assert.rejects(styled(first), /Failed to fetch/);
  await assert.rejects(styled(first), /503/);
  assert.equal(first.adoptedStyleSheets.length, 0);
  await Promise.all([styled(first), styled(second)]);
  await styled(root());
  assert.deepEqual([asked, first.adoptedStyleSheets[0].text], [3, ".fl-app {}"]);
  assert.equal(second.adoptedStyleSheets[0], first.adoptedStyleSheets[0]);
});
