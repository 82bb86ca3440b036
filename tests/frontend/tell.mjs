// Tells what the browser's model makes of a packed session and trace: `node tell.mjs STORE VIEW` writes a list, one entry a step.
import { readFileSync } from "node:fs";
import { decodeStore, decodeView } from "../../viewer/frontend/decode.js";
import { Run } from "../../viewer/frontend/model.js";

const [, , store, view] = process.argv;
const run = new Run(decodeStore(new Uint8Array(readFileSync(store))), await decodeView(readFileSync(view, "utf8")));
const steps = Array.from({ length: run.length }, (_, i) => {
  const { kind, messages, tokens, counted, regions } = run.step(i);
  const window = run.window(i);
  const rows = Array.from({ length: window.size }, (_, k) => window.row(k));
  const gone = run.ghosts(i).flatMap(([a, b]) => Array.from({ length: b - a }, (_, k) => a + k));
  const found = rows.every((row, k) => run.indexInWindow(i, row.pool) === k);
  return { kind, messages, tokens, counted, regions, rows: rows.map((r) => [r.pool, r.region, r.tokens]), gone, found, plan: run.plan(i) };
});
process.stdout.write(JSON.stringify(steps));
