// The list of lessons and what a step draws, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve, settled } from "./dom.mjs";

const { Lessons } = await import("../../viewer/frontend/learn/lessons.js");
const { Cards } = await import("../../viewer/frontend/learn/cards.js");
const { cacheFigure } = await import("../../viewer/frontend/learn/figures/cache.js");

const ROW = { number: 1, key: "bill", title: "The bill", about: "What a run costs.", does: "Guess a sum.", minutes: 4, steps: ["again", "total"] };

test("a card says in sentences what a lesson is about and what one does in it; the names of its steps are for the lesson itself", async () => {
  serve({ "api/lessons": { lessons: [ROW] } });
  const lessons = new Lessons();
  const cards = new Cards(lessons);
  await lessons.start({ source: "", session: "", name: "" });
  await settled();
  cards.draw();
  const card = cards.root.querySelector(".fl-lesson");
  assert.deepEqual(
    [...card.querySelectorAll("p")].map((p) => p.textContent),
    ["What a run costs.", "Guess a sum."],
  );
  assert.equal(card.querySelector("footer").textContent, "2 steps · 4 minStart");
  lessons.destroy();
});

test("beside the bars of a cache stands what warm and cold cost, each with its color", () => {
  const bars = [{ name: "before", warm: 30, cold: 10 }];
  const node = cacheFigure({ kind: "cache", bars }, { covers: () => false });
  const key = node.querySelector(".fl-key");
  assert.deepEqual(
    [...key.querySelectorAll("i")].map((swatch) => [swatch.className, swatch.nextSibling.textContent]),
    [
      ["fl-cache-warm", "warm: in the cache, cheap"],
      ["fl-cache-cold", "cold: new, full price"],
    ],
  );
  assert.deepEqual(
    [...node.querySelectorAll(".fl-cache-bar i")].map(({ className, style }) => [className, style.width]),
    [
      ["fl-cache-warm", "75%"],
      ["fl-cache-cold", "25%"],
    ],
  );
});
