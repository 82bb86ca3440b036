// Answers what Learn asks its server, from what the file of a lesson holds: every place that a control can be set to was worked out
// when it was made, and a choice on the board is scored here.
import { answersFrom, OPEN, questionOf } from "./answers.js";
import { scored } from "./scoring.js";
/** @import { Answerer } from "../lib/asking.js" */
/** @import { Question } from "./answers.js" */
/** @import { Held } from "./held.js" */
/** @import { LessonHead } from "./types.js" */

const ELSEWHERE = `This file holds a lesson at the places of its own controls: ${OPEN} for any other.`;

/** What answers in place of a server. @param {Held} held @param {LessonHead} head @returns {Answerer} */
export function lessonAnswers(held, head) {
  const others = answersFrom(held);
  return async (path, how) => {
    const question = questionOf(String(path));
    const { route, query } = question;
    if (route === "scene") return told(head.scenes[sceneKey(query)]);
    if (route === "lessons") return told(await lesson(held, head, question));
    return others(path, how);
  };
}

/** @param {any} answer */
const told = (answer) => (answer ? Response.json(answer) : Response.json({ error: ELSEWHERE }, { status: 404 }));

/** @param {Held} held @param {LessonHead} head @param {Question} question @returns {Promise<any>} */
async function lesson(held, head, { id, rest, query }) {
  if (!id) return { lessons: [head.lesson], alone: true };
  const [step, what = ""] = rest.split("/");
  if (what === "solution") return held.json(`solution-${step}`);
  if (what !== "check") return head.steps[step];
  const sheet = await held.json(`sheet-${step}`);
  return sheet ? scored(sheet, query.get("keep") ?? "") : (await held.json(`check-${step}`))?.[attemptKey(query)];
}

/** A number as it was written down, whatever steps led there: 0.1 + 0.2 is 0.3. @param {unknown} value */
const written = (value) => (value !== "" && Number.isFinite(Number(value)) ? String(Number(Number(value).toPrecision(6))) : String(value));

/** An attempt by its controls, as viewer/export/lesson.py has it. @param {URLSearchParams} query */
export function attemptKey(query) {
  const controls = [...query].filter(([name]) => name !== "source" && name !== "session");
  return controls
    .map(([name, value]) => `${name}=${written(value)}`)
    .sort()
    .join("&");
}

/** A scene, as viewer/export/lesson.py has it. @param {URLSearchParams} query */
export function sceneKey(query) {
  const settings = Object.entries(JSON.parse(query.get("settings") ?? "{}")).map(([name, value]) => `${name}=${written(value)}`);
  return [...["source", "policy", "meter", "summaries"].map((name) => query.get(name) ?? ""), ...settings.sort()].join(" ");
}
