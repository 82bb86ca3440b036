// Unpacks what bzip2 has packed, as an exported file does: node unbzip.mjs < PACKED > PLAIN.
import { readFileSync, writeSync } from "node:fs";
import { unbzipped } from "../../viewer/frontend/export/unbzip.js";

const plain = unbzipped(new Uint8Array(readFileSync(0)));
for (let at = 0; at < plain.length; ) at += writeSync(1, plain, at);
