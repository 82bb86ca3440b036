// Answers what Learn asks its server, from what the file of a lesson holds: every place that a control can be set to was worked out
// when it was made, and a choice on the board is scored here.
import { answersFrom, questionOf, telling } from "./answers.js";
import { scored } from "./scoring.js";
/** @import { Answerer } from "../lib/asking.js" */
/** @import { Question } from "./answers.js" */
/** @import { Held } from "./held.js" */
/** @import { Settings } from "../learn/types.js" */
/** @import { LessonHead } from "./types.js" */

const ELSEWHERE = "This file answers only for the settings that its controls offer.";

/** What answers in place of a server. @param {Held} held @param {LessonHead} head @returns {Answerer} */
export function lessonAnswers(held, head) {
  const others = answersFrom(held);
  return async (path, how) => {
    const question = questionOf(String(path));
    const { route, query } = question;
    if (route === "scene") return response(sceneAsked(head, query));
    if (route === "lessons") return telling(lesson(held, head, question).then(response));
    return others(path, how);
  };
}

/** @param {any} answer */
const response = (answer) => (answer ? Response.json(answer) : Response.json({ error: ELSEWHERE }, { status: 404 }));

/** @param {Held} held @param {LessonHead} head @param {Question} question @returns {Promise<any>} */
async function lesson(held, head, { id, rest, query }) {
  if (!id) return { lessons: [head.lesson], alone: true };
  const [step, what = ""] = rest.split("/");
  if (what === "solution") return held.json(`solution-${step}`);
  if (what !== "check") return head.steps[step];
  const sheet = await held.json(`sheet-${step}`);
  if (sheet) return scored(sheet, query.get("keep") ?? "");
  const wanted = attemptKey(Object.fromEntries(query));
  const rows = /** @type {{controls: Settings, check: object}[]} */ ((await held.json(`check-${step}`)) ?? []);
  return rows.find(({ controls }) => attemptKey(controls) === wanted)?.check;
}

/** The ids of the scene that is asked for. @param {LessonHead} head @param {URLSearchParams} query */
function sceneAsked({ scenes }, query) {
  const asked = { ...Object.fromEntries(query), settings: JSON.parse(query.get("settings") ?? "{}") };
  const wanted = sceneKey(/** @type {LessonHead["scenes"][0]["scene"]} */ (/** @type {unknown} */ (asked)));
  const found = scenes.find(({ scene }) => sceneKey(scene) === wanted);
  return found && { sid: found.sid, tid: found.tid };
}

/** A value, a number whatever steps led there: 0.1 + 0.2 is 0.3. @param {unknown} value */
const written = (value) => (value !== "" && Number.isFinite(Number(value)) ? String(Number(Number(value).toPrecision(6))) : String(value));

/** What values by their names have in common that are the same. @param {Record<string, unknown>} values */
const keyOf = (values) =>
  Object.entries(values)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}=${written(value)}`)
    .sort()
    .join("&");

/** What tells attempts at a task apart: its controls. @param {Record<string, unknown>} asked */
const attemptKey = ({ source: _source, session: _session, ...controls }) => keyOf(controls);

/** What tells scenes apart. @param {LessonHead["scenes"][0]["scene"]} scene */
const sceneKey = ({ source, policy, meter, summaries, settings }) => `${[source, policy, meter, summaries].join(" ")} ${keyOf(settings)}`;
