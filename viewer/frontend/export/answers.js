// Answers what the app asks its server, from what the file holds. Most answers were written down when the file was made; messages,
// find, the list of findings and where a text went are worked out here. What the file cannot answer is refused in a plain sentence.
import { Fates } from "./fates.js";
import { pieceOf } from "./pieces.js";
import { holds, snippet, wantedIn } from "./searching.js";
import { problemText } from "../lib/problem.js";
import { askable } from "../why/text.js";
/** @import { Answerer } from "../lib/asking.js" */
/** @import { Held } from "./held.js" */

/** What is asked: the route, whom it is about, what of it. @typedef {{route: string, id: string, rest: string, query: URLSearchParams}} Question */

const OPEN = "open the session in foldline";

/** Why it does not say what would have kept a text, where it does up to another step. */
const ELSEWHERE = `This file does not hold what would have kept this text up to there: ${OPEN} to find out.`;

/** Why a route has no answer here. @type {Record<string, string>} */
const REFUSED = {
  message: `This file holds the beginning of each message alone: ${OPEN} to read it.`,
  snippet: `This file does not hold this match: ${OPEN} to see it.`,
  fixes: `This file does not hold what would have kept this text. Foldline works that out for the losses that the overview lists first: ${OPEN} for any other.`,
  fate: `This file does not hold all messages and summaries of this run, and so follows no other text in it: ${OPEN}.`,
  provenance: `This file does not hold where this summary comes from: ${OPEN} to see it.`,
  compaction: `This file does not hold the card of this compaction: ${OPEN} to see it.`,
  added: `This file does not hold this message, which a compaction added: ${OPEN} to read it.`,
  shadow: `This file does not hold what is left of this message: ${OPEN} to read it.`,
  losses: `This file says what was lost of the settings that it opens with alone: ${OPEN} to see these.`,
  findings: `This file holds the findings of the settings that it opens with alone: ${OPEN} to see these.`,
  compared: `This file does not hold this comparison: ${OPEN} to make it.`,
};

/** @type {Record<string, (held: Held, question: Question) => Promise<any>>} */
const WORKED_OUT = { compaction, message, find, snippet: snippetOf, findings, losses, fate, fixes, added: inPieces, shadow };

/** What is sent as bytes: a view as it was packed, a store unpacked. @type {Record<string, (held: Held, id: string) => BodyInit | Promise<BodyInit>>} */
const BYTES = { view: (held, id) => held.packed(`view-${id}`), store: (held, id) => held.bytes(`store-${id}`) };

/** What answers in place of a server. What fails is said in its own words: there is no server that did not answer. @param {Held} held @returns {Answerer} */
export const answersFrom = (held) => (path) => telling(answered(held, questionOf(String(path))));

/** An answer, or why there is none. @param {Promise<Response>} answer */
export const telling = (answer) => answer.catch((error) => Response.json({ error: problemText(error) }, { status: 500 }));

/** @param {Held} held @param {Question} question */
async function answered(held, question) {
  if (question.route in BYTES) return new Response(await BYTES[question.route](held, question.id));
  const found = await (WORKED_OUT[question.route] ?? written)(held, question);
  if (Array.isArray(found)) return new Response(found.map((line) => JSON.stringify(line)).join("\n"));
  if (found && !("error" in found)) return Response.json(found);
  return Response.json(found ?? { error: REFUSED[question.route] ?? `This file cannot answer that: ${OPEN}.` }, { status: 404 });
}

/** @param {string} path @returns {Question} */
export function questionOf(path) {
  const [place, query = ""] = path.split("?");
  const [, route = "", id = "", ...rest] = place.split("/");
  return { route, id: decodeURIComponent(id), rest: rest.join("/"), query: new URLSearchParams(query) };
}

/** An answer that was written down. @param {Held} held @param {Question} question */
const written = async (held, { route, id, rest }) => (await held.json(`${route}-${id}`))?.[rest];

/** A card, with its summary from among what the compaction added. @param {Held} held @param {Question} question */
async function compaction(held, question) {
  const card = await written(held, question);
  if (card?.summary_in === undefined) return card;
  const { summary_in: place, ...rest } = card;
  const summary = await written(held, { ...question, route: "added", rest: `${question.rest}/${place}` });
  return { ...rest, summary: summary.content };
}

/** @param {Question} question */
const fromOf = ({ query }) => Number(query.get("from") ?? 0);

/** @param {Held} held @param {Question} question */
async function message(held, question) {
  const body = await held.body(question.id, Number(question.rest));
  return body && pieceOf(body, fromOf(question));
}

/** @param {Held} held @param {Question} question */
async function inPieces(held, question) {
  const body = await written(held, question);
  return body && pieceOf(body, fromOf(question));
}

/** @param {Held} held @param {Question} question */
async function shadow(held, question) {
  const body = (await held.left(question.id))[question.rest];
  return body && pieceOf(body, fromOf(question));
}

/** @param {Held} held @param {Question} question */
async function find(held, { id, query }) {
  const q = query.get("q") ?? "";
  const wanted = wantedIn(q);
  const hits = [];
  for await (const bodies of held.bodies(id)) for (const body of bodies) if (holds(body, wanted)) hits.push(body.index);
  const added = Object.entries((await held.json(`added-${query.get("tid")}`)) ?? {});
  const places = added.filter(([, body]) => holds(body, wanted)).map(([place]) => place.split("/").map(Number));
  return { q, total: hits.length, hits, added: places };
}

/** @param {Held} held @param {Question} question */
async function snippetOf(held, { id, query }) {
  const at = query.get("at") ?? "";
  const body = at.includes("/") ? (await held.json(`added-${query.get("tid")}`))?.[at] : await held.body(id, Number(at));
  return body && snippet(body, wantedIn(query.get("q") ?? ""));
}

/** @param {Held} held @param {Question} question */
async function fate(held, { id, query }) {
  const wanted = query.get("text") ?? "";
  if (!wanted.trim()) return undefined;
  const worked = fates.get(held) ?? new Fates(held);
  fates.set(held, worked);
  const listed = followed(await held.json(`fate-${id}`), query);
  if (!listed) return worked.of(id, wanted);
  const cures = followed(await held.json(`fixes-${id}`), query);
  return cures ? { ...listed, cured: Object.keys(cures).map(Number) } : listed;
}

/** What works out the fates of a file's texts. @type {WeakMap<Held, Fates>} */
const fates = new WeakMap();

/** What would have kept a text, line by line. @param {Held} held @param {Question} question */
async function fixes(held, { id, query }) {
  const cures = followed(await held.json(`fixes-${id}`), query);
  return cures && (cures[query.get("step") ?? ""] ?? { error: ELSEWHERE });
}

/** What a block holds of the text that is asked about, as it is sent. @param {Record<string, any> | null} block @param {URLSearchParams} query */
function followed(block, query) {
  const wanted = query.get("text") ?? "";
  const text = Object.keys(block ?? {}).find((one) => askable(one) === wanted);
  return text === undefined ? undefined : block?.[text];
}

/** Rows in one answer, as viewer/wire/findings.py has it. */
const PAGE = 200;

/** @param {Held} held @param {Question} question */
async function findings(held, question) {
  const all = await written(held, { ...question, rest: "" });
  if (!all) return undefined;
  const kind = question.query.get("kind") ?? "";
  const from = fromOf(question);
  const rows = all.findings.filter((/** @type {{kind: string}} */ row) => !kind || row.kind === kind);
  const matching = Object.fromEntries(
    Object.keys(all.matching).map((concern) => [concern, rows.filter((/** @type {{concern: string}} */ row) => row.concern === concern).length]),
  );
  return { ...all, kind, from, matching, findings: rows.slice(from, from + PAGE), marks: kind || from ? null : all.marks };
}

/** Compactions in one answer, as viewer/wire/losses.py has it. */
const LOSSES = 8;

/** @param {Held} held @param {Question} question */
async function losses(held, question) {
  const all = await written(held, { ...question, rest: "" });
  const from = fromOf(question);
  return all && { ...all, from, rows: all.rows.slice(from, from + LOSSES) };
}
