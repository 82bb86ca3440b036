// Tells what the browser's model makes of a packed session and trace: `node tell.mjs STORE VIEW` writes a list, one entry a step.
import { readFileSync } from "node:fs";
import { decodeStore, decodeView } from "../../viewer/frontend/decode.js";
import { Run } from "../../viewer/frontend/model.js";
import { told } from "./told.mjs";

const [, , store, view] = process.argv;
const run = new Run(decodeStore(new Uint8Array(readFileSync(store))), await decodeView(readFileSync(view, "utf8")));
process.stdout.write(JSON.stringify(told(run)));
