// Writes what the browser says is unseen around each recorded compaction: `node print_unseen.mjs STORE VIEW [STORE VIEW]…` writes a
// line for each pair, a list with what the steps right before and at a compaction say, and what its card says.
import { readFileSync } from "node:fs";
import { reading } from "../../viewer/frontend/debugger/gauge.js";
import { decodeStore, decodeView } from "../../viewer/frontend/run/decode.js";
import { figures } from "../../viewer/frontend/run/compactionfigures.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { unseenAt } from "../../viewer/frontend/run/recorded.js";
import { asRecorded, sidesOf } from "../../viewer/frontend/run/recordedsums.js";

const at = (run, i) => {
  const { messages, epoch } = i < 0 ? { messages: 0, epoch: 0 } : run.step(i);
  return { unseen: unseenAt(run, messages, epoch, i)?.unseen ?? null, note: i < 0 ? "" : reading(run, run.step(i)).note };
};

const paths = process.argv.slice(2);
for (let i = 0; i < paths.length; i += 2) {
  const store = decodeStore(new Uint8Array(readFileSync(paths[i])));
  const run = new Run(store, await decodeView(readFileSync(paths[i + 1], "utf8")));
  const steps = Array.from({ length: run.length }, (_, step) => at(run, step).unseen);
  const around = Array.from({ length: run.compactions }, (_, k) => {
    const told = figures(run, k);
    const sides = sidesOf(run, k, told).map((side) => ({ ...side, shown: asRecorded(side) ?? side.unseen }));
    return { steps: [at(run, told.step - 1), at(run, told.step)], sides };
  });
  process.stdout.write(`${JSON.stringify({ steps, around })}\n`);
}
