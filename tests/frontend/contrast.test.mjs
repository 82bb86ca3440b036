// Contrast of the colors, in both themes, those of the canvas too, which no tool that reads the page can see.
// https://www.w3.org/TR/WCAG22/#contrast-minimum and #non-text-contrast
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../viewer/frontend/lib/base.css", import.meta.url), "utf8");
const themes = [...css.matchAll(/\{[^}]*--fl-card: #[^}]*\}/g)].map(([rule]) =>
  Object.fromEntries([...rule.matchAll(/--fl-([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, color]) => [name, color])),
);

/** Relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const REGIONS = ["system", "summary", "compactable", "recent", "cleared", "over"];
const PAPER = ["bg", "card", "soft"];
const pairs = (inks, papers) => inks.flatMap((ink) => papers.map((paper) => [ink, paper]));

/** Which color is written or drawn on which, and the least contrast there. */
const TEXT = [
  ...pairs(["text", "mute", "accent", "over", "summary-ink"], PAPER),
  ...pairs(["text", "mute"], ["select", "summary-soft", "over-soft"]),
  ["over", "over-soft"],
  ["summary-ink", "summary-soft"],
  ["on-accent", "accent"],
  ["on-pill", "pill"],
  ["text", "line"], // the pill under the pointer
];
const DRAWN = [...pairs([...REGIONS, "accent", "focus", "faint", "pill"], PAPER)];

test("both themes are found, with the same colors", () => {
  assert.equal(themes.length, 2);
  assert.deepEqual(Object.keys(themes[0]).sort(), Object.keys(themes[1]).sort());
});

for (const [k, name] of ["light", "dark"].entries()) {
  test(`text of the ${name} theme has a contrast of 4.5, what is drawn one of 3`, () => {
    const weak = (list, least) => list.filter(([ink, paper]) => !(contrast(themes[k][ink], themes[k][paper]) >= least));
    assert.deepEqual(weak(TEXT, 4.5), []);
    assert.deepEqual(weak(DRAWN, 3), []);
  });
}
