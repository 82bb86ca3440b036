// Tells what the browser's model makes of a live run that came in pieces: `node print_live_model.mjs NEWS` reads a list of answers of
// `api/live/…/news` in order, as JSON, and writes a list, one entry a step of the last, as print_model.mjs does.
import { readFileSync } from "node:fs";
import { Feed } from "../../viewer/frontend/live/feed.js";
import { stepRows } from "./model_rows.mjs";

const feed = new Feed();
for (const news of JSON.parse(readFileSync(process.argv[2], "utf8"))) feed.take(news);
process.stdout.write(JSON.stringify(stepRows(feed.run())));
