// Writes what the pictures of packed traces' compactions add up to: `node print_columns.mjs STORE VIEW [STORE VIEW]…` writes a line for each
// pair, a list with an entry for each compaction: null where it has no picture, else the tokens of both columns without what was only sent.
import { readFileSync } from "node:fs";
import { decodeStore, decodeView } from "../../viewer/frontend/run/decode.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { columnsOf } from "../../viewer/frontend/run/scaleparts.js";

const sum = (parts) => parts.reduce((all, { deed, tokens }) => all + (deed === "hidden" ? 0 : tokens), 0);

function sums(run, k) {
  const columns = columnsOf(run, k);
  return columns && [sum(columns.before), sum(columns.after)];
}

const paths = process.argv.slice(2);
for (let i = 0; i < paths.length; i += 2) {
  const store = decodeStore(new Uint8Array(readFileSync(paths[i])));
  const run = new Run(store, await decodeView(readFileSync(paths[i + 1], "utf8")));
  process.stdout.write(`${JSON.stringify(Array.from({ length: run.compactions }, (_, k) => sums(run, k)))}\n`);
}
