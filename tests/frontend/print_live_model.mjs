// Tells what the browser's model makes of a live run that came in pieces: `node tell_live.mjs NEWS` reads a list of answers of
// `api/live/…/news` in order, as JSON, and writes a list, one entry a step of the last, as tell.mjs does.
import { readFileSync } from "node:fs";
import { Feed } from "../../viewer/frontend/livefeed.js";
import { told } from "./told.mjs";

const feed = new Feed();
for (const news of JSON.parse(readFileSync(process.argv[2], "utf8"))) feed.take(news);
process.stdout.write(JSON.stringify(told(feed.run())));
