// What the browser's model makes of a run, one entry a step: for the tests that hold it against what core says.
import { windowSections } from "../../viewer/frontend/run/sections.js";

/** @param {import("../../viewer/frontend/run/model.js").Run} run */
export const stepRows = (run) =>
  Array.from({ length: run.length }, (_, i) => {
    const { kind, messages, tokens, counted, regions } = run.step(i);
    const window = run.window(i);
    const rows = Array.from({ length: window.size }, (_, k) => window.row(k));
    const gone = run.ghosts(i).flatMap(([a, b]) => Array.from({ length: b - a }, (_, k) => a + k));
    const found = rows.every((row, k) => run.indexInWindow(i, row.pool) === k);
    const headings = windowSections(run, i).map(({ title, note, count }) => [title, note ?? "", count]);
    return {
      kind,
      messages,
      tokens,
      counted,
      regions,
      rows: rows.map((r) => [r.pool, r.region, r.tokens]),
      gone,
      found,
      plan: run.plan(i),
      headings,
    };
  });
