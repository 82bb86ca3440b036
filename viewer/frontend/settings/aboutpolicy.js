// The right half of the policy chooser: one policy, who it is, what it does, drawn and in words.
import { claim } from "../lib/claim.js";
import { coded, el } from "../lib/dom.js";
import { capitalized } from "../lib/format.js";
import { drawing } from "./miniature.js";

/**
 * A policy's fidelity in a word or two; pointed at, what it does not model.
 * @param {string} fidelity  "" for none
 * @param {string[]} [notModelled]
 */
export function badge(fidelity, notModelled = []) {
  const title = notModelled.length ? `Not modelled: ${notModelled.join("; ")}` : null;
  return fidelity ? el("span", { class: "fl-fidelity", "data-fidelity": fidelity, text: claim(fidelity, notModelled), title }) : null;
}

/** What a fidelity means, and what the policy does not model. @param {string} words @param {string[]} [notModelled] */
export function trust(words, notModelled = []) {
  return [capitalized(words), notModelled.length ? `Not modelled: ${notModelled.join("; ")}` : ""].filter(Boolean).join(". ");
}

/** @param {import("./picking.js").Entry} entry @param {import("./picking.js").Catalogue} catalogue */
export function aboutPolicy(entry, catalogue) {
  const words = catalogue.fidelity[entry.fidelity];
  return [
    el("h3", { text: entry.title }),
    entry.fidelity && el("p", { class: "fl-pick-trust" }, badge(entry.fidelity, entry.not_modelled), ` ${words ?? ""}`),
    el("p", { class: "fl-pick-line", text: entry.about }),
    entry.picture && drawing(entry.picture, catalogue.demo),
    ...part("Rule", entry.rule && el("p", {}, ...coded(entry.rule))),
    ...part("Known faults, reproduced here", entry.faults.length && listOf(entry.faults)),
    ...part(entry.fidelity === "exact" ? "Exact, except" : "Not modelled", entry.not_modelled.length && listOf(entry.not_modelled)),
    ...part("Parameters of the real system", entry.parameters.length && parameters(entry.parameters)),
    ...part("Source", entry.source.url && source(entry.source)),
  ].filter((node) => node instanceof Node);
}

/** @param {string} name @param {HTMLElement | string | 0} content */
function part(name, content) {
  return content ? [el("h4", { text: name }), content] : [];
}

/** @param {string[]} texts */
function listOf(texts) {
  return el("ul", {}, ...texts.map((text) => el("li", {}, ...coded(text))));
}

/** @param {[string, string][]} rows */
function parameters(rows) {
  const said = rows.flatMap(([name, text]) => [el("dt", { text: name }), el("dd", { text })]);
  return el("dl", { class: "fl-pick-code" }, ...said);
}

/** Text, not a link: nothing here leaves the machine. @param {import("./picking.js").Entry["source"]} from */
function source({ url, version, licence, checked }) {
  const rows = [
    ["address", url],
    ["version", version],
    ["license", licence || "not stated"],
    ["checked", checked],
  ];
  const said = rows.filter(([, text]) => text).flatMap(([name, text]) => [el("dt", { text: name }), el("dd", { text })]);
  return el("dl", {}, ...said);
}
