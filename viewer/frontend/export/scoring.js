// What the engine would say of a choice on the board of lesson 6, from the sheet in the file. Pure; core/lessons/be_the_policy.py.
import { int, pluralize } from "../lib/format.js";
/** @import { Check } from "../learn/types.js" */
/** @import { Sheet } from "./types.js" */

/** @param {Sheet} sheet @param {string} keep  ids of groups @returns {Check} */
export function scored(sheet, keep) {
  const { figure, needs, rivals } = sheet;
  const wanted = new Set(keep.split(","));
  const picks = figure.groups.flatMap(({ id }, k) => (wanted.has(String(id)) ? [k] : []));
  const used = picks.reduce((sum, k) => sum + figure.groups[k].tokens, 0);
  const shown = new Set(picks.flatMap((k) => sheet.shows[k]));
  const missed = needs.filter((_, k) => !shown.has(k));
  const mine = missed.length;
  const beaten = rivals.filter((rival) => mine < rival).length;
  const facts = /** @type {Record<string, number | string>} */ ({ ...sheet.facts, used, mine, beaten });
  const holds = [used > 0 && used <= sheet.room, beaten >= Number(facts.beat)];
  const conditions = sheet.conditions.map(([text, said, , scores], k) => ({
    text: filled(text, facts),
    figure: filled(said, facts),
    passed: holds[k],
    scores,
  }));
  const you = {
    name: "You",
    about: `${pluralize(picks.length, "group")} · window ${int(sheet.stays + used)}`,
    window: sheet.stays + used,
    misses: mine,
    you: true,
  };
  const told = figure.scores && { scores: [you, ...figure.scores], missed, seen: needs.filter((_, k) => shown.has(k)) };
  return {
    passed: conditions.every(({ passed }) => passed),
    missing: sheet.conditions.flatMap(([, , missing], k) => (holds[k] ? [] : [filled(missing, facts)])),
    conditions,
    figures: { ...figure, kept: picks.map((k) => figure.groups[k].id), ...told },
    note: "",
  };
}

/** A text with its figures, each whole number as people write it. @param {string} text @param {Record<string, number | string>} facts */
const filled = (text, facts) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name) => (typeof facts[name] === "number" ? int(facts[name]) : String(facts[name])));
