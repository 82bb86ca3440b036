// Writes what the browser's model makes of packed sessions and traces: `node print_model.mjs STORE VIEW [STORE VIEW]…` writes a line for
// each pair, a list with one entry a step.
import { readFileSync } from "node:fs";
import { decodeStore, decodeView } from "../../viewer/frontend/run/decode.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { stepRows } from "./model_rows.mjs";

const paths = process.argv.slice(2);
for (let i = 0; i < paths.length; i += 2) {
  const store = decodeStore(new Uint8Array(readFileSync(paths[i])));
  const run = new Run(store, await decodeView(readFileSync(paths[i + 1], "utf8")));
  process.stdout.write(`${JSON.stringify(stepRows(run))}\n`);
}
