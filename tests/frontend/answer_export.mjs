// Answers questions from an exported file, as the page in it does: node answer_export.mjs FILE < paths as JSON.
import { readFileSync } from "node:fs";
import { answersFrom } from "../../viewer/frontend/export/answers.js";
import { lessonAnswers } from "../../viewer/frontend/export/lessonanswers.js";
import { Held } from "../../viewer/frontend/export/held.js";

const file = readFileSync(process.argv[2], "utf8");
const held = new Held((name) => new RegExp(`<script type="text/plain" id="fl-${name}">([^<]*)</script>`).exec(file)?.[1] ?? null);
const head = await held.json("head");
held.starts = head.starts;
const answer = head.lesson ? lessonAnswers(held, head) : answersFrom(held);
const paths = JSON.parse(readFileSync(0, "utf8"));
const said = [];
const read = (text) => (/^\{.*\}\n\{/.test(text) ? text.split("\n").map((line) => JSON.parse(line)) : JSON.parse(text)); // JSON, or lines of it
for (const path of paths) said.push(read(await (await answer(path, {})).text()));
console.log(JSON.stringify(said).replaceAll(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`));
