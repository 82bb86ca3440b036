// The list of the policy chooser: what a search leaves of it, and where a key moves the highlight. Pure.

/**
 * What Python says of a policy (viewer/wire/catalogue.py).
 * @typedef {{name: string, title: string, about: string, rule: string, faults: string[], not_modelled: string[], fidelity: string,
 * source: {url: string, version: string, licence: string, checked: string}, parameters: [string, string][],
 * picture: Picture | null}} Entry
 * @typedef {{before: string, after: (number | [string, string, number])[], caption: string}} Picture
 * @typedef {{name: string, policies: Entry[]}} Family
 * @typedef {{fidelity: {[name: string]: string}, demo: [string, number][], families: Family[]}} Catalogue
 */

const PAGE = 8;

/** What stands on top: no policy, the transcript's own run. @param {string} name @returns {Entry} */
export function recordedEntry(name) {
  return {
    name,
    title: "As recorded",
    about: "Only what the transcript itself recorded: its own compactions, if it has any.",
    rule: "No rule is applied. Choose a policy to see what it would have done with the same messages.",
    faults: [],
    not_modelled: [],
    fidelity: "",
    source: { url: "", version: "", licence: "", checked: "" },
    parameters: [],
    picture: null,
  };
}

/**
 * The families with those policies that hold every word of the search; families left empty are gone.
 * @param {Family[]} families
 * @param {string} query
 */
export function matching(families, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = families.map(({ name, policies }) => ({ name, policies: policies.filter((p) => holds(p, name, words)) }));
  return kept.filter(({ policies }) => policies.length);
}

/** @param {Entry} policy @param {string} family @param {string[]} words */
function holds(policy, family, words) {
  const text = [policy.name, policy.title, policy.about, policy.fidelity, family].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * The name a key moves the highlight to: arrows, Page up and down, the first and last with Control. "" where there is none.
 * @param {string[]} names
 * @param {string} now
 * @param {string} key
 */
export function moved(names, now, key) {
  const last = names.length - 1;
  const at = names.indexOf(now);
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -Infinity, End: Infinity }[key] ?? 0;
  if (at < 0) return names[by < 0 ? last : 0] ?? "";
  return names[Math.max(0, Math.min(last, at + by))] ?? "";
}

/** What one letter of `before` means, and the class of its color. @type {{[letter: string]: string}} */
const FATES = { p: "pinned", g: "goes", e: "emptied", c: "shortened", t: "silent", s: "stays" };

/**
 * The bars of the picture: what becomes of each message, and what is there afterwards, with its tokens.
 * @param {Picture} picture
 * @param {[string, number][]} demo
 */
export function bars({ before, after }, demo) {
  const fates = [...before].map((letter) => FATES[letter] ?? "stays");
  const first = fates.map((kind, i) => ({ kind, role: demo[i][0], tokens: demo[i][1], turn: demo[i][0] === "user" }));
  const second = after.map((one) => {
    if (typeof one === "number") return first[one];
    const [kind, role, tokens] = one;
    return { kind, role, tokens, turn: role === "user" };
  });
  return { before: first, after: second };
}

/** @param {{kind: string}[]} shown  the kinds to explain, in the order a reader meets them */
export function legend(shown) {
  const there = new Set(shown.map((bar) => bar.kind));
  return Object.entries(MEANS).filter(([kind]) => there.has(kind));
}

/** @type {{[kind: string]: string}} */
const MEANS = {
  pinned: "pinned",
  goes: "removed",
  emptied: "cleared in place",
  shortened: "shortened in place",
  silent: "thinking removed",
  stays: "unchanged",
  summary: "summary",
  ack: "reply to the summary",
  marker: "added",
};
