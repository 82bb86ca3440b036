// First, previous compaction, back, play, forward, next compaction, last; speed; where the cursor is.
import { attribute, button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { icon } from "../lib/icons.js";
import { counted, edited, onlyEmpties, placeOf } from "../run/compactionfigures.js";
import { compaction, onward, step, toLast } from "./keys.js";
import { shown } from "./shownwindow.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const SPEED_WORDS = "Speed: 1× is two messages a second. Up to 1× playback rests at each phase of a compaction";
/** The width of a letter in digits: in proportional type most are narrower. */
const LETTER = 0.94;

/** @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const parts = controls(app);
  const number = el("b");
  const of = el("span");
  const position = el("span", { class: "fl-position" }, number, of);
  const title = app.extension
    ? "Stay at the newest message while the agent runs (t)"
    : "Stay at the newest message while the file is being written (t)";
  const follow = button("Follow", () => app.setFollow(!app.follows), { class: "fl-follow", title });
  root.append(
    el(
      "div",
      { class: "fl-transport", role: "toolbar", "aria-label": app.extension ? "Replay" : "Playback" },
      ...parts.nodes,
      speeds(app),
      position,
      follow,
    ),
  );
  for (const told of [app.highlights, app.show]) told.watch(() => app.run?.length && place(app, number, of, position));
  return {
    update: (/** @type {App} */ _, /** @type {Change} */ change) => {
      const followed = change.run || change.follow || change.selected;
      if (followed) {
        follow.hidden = !app.grows;
        attribute(follow, "aria-pressed", String(app.follows));
      }
      if (app.extension && (followed || change.step)) write(follow, followWords(app));
      if (change.run) widen(position, app.run, app.extension ? 100 : 0);
      if (change.run || change.step) place(app, number, of, position);
      if (followed || change.step || change.playing) parts.update();
    },
  };
}

/** Of a live run: that it is followed, or how many messages there are after the cursor. @param {App} app */
function followWords(app) {
  const newer = app.run.n - app.run.step(app.step).messages;
  return app.follows ? "Following" : newer > 0 ? `${int(newer)} newer` : "Follow";
}

/** @param {App} app */
function controls(app) {
  const last = () => app.run.length - 1;
  const first = tool("first", "First step (g)", () => step(app, 0));
  const previous = tool("previous", "Previous compaction (p)", () => compaction(app, app.run.previousCompaction(app.step), ""), true);
  const back = tool("back", app.hosted ? "Back one step" : "Back one step (←)", () => onward(app, -1));
  const play = tool("play", "Play (Space)", () => (app.playing ? app.pause() : app.play()));
  const forward = tool("forward", app.hosted ? "Forward one step" : "Forward one step (→)", () => onward(app, 1));
  const next = tool("next", "Next compaction (n)", () => compaction(app, app.run.nextCompaction(app.step), ""), true);
  const end = tool("last", "Last step (G)", () => toLast(app));
  play.classList.add("fl-play");
  const update = () => {
    for (const node of [first, back]) off(node, app.step === 0);
    off(forward, app.step === last());
    off(end, app.step === last() && (app.follows || !(app.extension || app.follow))); // it leads from a message that is chosen to the newest
    const what = edited(app.run) ? "compaction or edit" : "compaction";
    name(previous, `Previous ${what} (p)`);
    name(next, `Next ${what} (n)`);
    way(previous, app.run, app.run.previousCompaction(app.step));
    way(next, app.run, app.run.nextCompaction(app.step));
    showPlaying(play, app.playing);
  };
  return { nodes: [first, previous, back, play, forward, next, end], update };
}

/**
 * A button that stays focusable when it has nothing to do, so that the focus is not lost at an end.
 * @param {HTMLElement} node
 * @param {boolean} nothing
 */
function off(node, nothing) {
  attribute(node, "aria-disabled", nothing ? "true" : null);
}

/** The way to a compaction, in the color of its mark on the timeline; where there is none, at -1, in that of the first. @param {HTMLElement} node @param {App["run"]} run @param {number} to */
function way(node, run, to) {
  off(node, to < 0);
  attribute(node, "data-clears", onlyEmpties(run, to < 0 ? 0 : run.step(to).compaction) ? "true" : null);
}

/** @param {HTMLElement} node @param {string} title  what it does, and its key */
function name(node, title) {
  attribute(node, "title", title);
  attribute(node, "aria-label", title.replace(/ \(.*/, ""));
}

/** @param {HTMLElement} node @param {boolean} playing */
function showPlaying(node, playing) {
  const name = playing ? "pause" : "play";
  if (node.dataset.icon === name) return;
  node.dataset.icon = name;
  node.replaceChildren(icon(name));
  attribute(node, "aria-label", playing ? "Pause" : "Play");
  attribute(node, "title", playing ? "Pause (Space)" : "Play (Space)");
}

/** @param {string} name @param {string} title @param {() => void} act @param {boolean} [mark] */
function tool(name, title, act, mark = false) {
  const label = title.replace(/ \(.*/, "");
  const click = () => node.getAttribute("aria-disabled") || act();
  const node = button("", click, { title, "aria-label": label, "data-tool": name, "data-mark": mark ? "true" : null });
  node.append(icon(name));
  return node;
}

/** @param {App} app */
function speeds(app) {
  const options = SPEEDS.map((s) => el("option", { value: s, text: `${s}×`, selected: s === app.speed }));
  const node = el("select", { "aria-label": "Speed", title: SPEED_WORDS }, ...options);
  node.addEventListener("change", () => app.setSpeed(Number(node.value)));
  return node;
}

/**
 * Room for the largest numbers, so that nothing moves while they grow.
 * @param {HTMLElement} position
 * @param {Run} run
 * @param {number} least  steps to make room for: a live run begins with none
 */
function widen(position, run, least) {
  const all = int(Math.max(least, run.n));
  const turn = ` · turn ${int(run.store.turnStarts.length)}`;
  const between = run.compactions || least ? `${placeOf(run, Math.max(0, run.compactions - 1))} · after message ${all}${turn}` : "";
  const widest = Math.max(`message ${all} of ${all}${turn}`.length, between.length);
  position.style.width = `${Math.ceil(LETTER * widest)}ch`;
}

/** @param {App} app @param {HTMLElement} number @param {HTMLElement} of @param {HTMLElement} position */
function place(app, number, of, position) {
  const { run } = app;
  const { step, moment, k, phase } = shown(app);
  const here = run.step(moment ? step : app.step);
  const { what, rest, why } = placeWords(run, here.i);
  const told = k < 0 ? " · failed attempt" : here.compaction < 0 ? ` · ${placeOf(run, k)}` : "";
  write(number, what);
  write(of, phase ? `${told} · phase ${phase} of 4` : `${rest}${here.turn ? ` · turn ${int(here.turn)}` : ""}`); // a system message stands in front of the first turn
  attribute(position, "title", why);
  position.dataset.kind = here.kind;
}

/** Where the cursor is, on one line. @param {Run} run @param {number} step */
export function positionWords(run, step) {
  const { what, rest } = placeWords(run, step);
  return what + rest;
}

/**
 * Where the cursor is: at a message, or at a compaction behind one.
 * @param {Run} run
 * @param {number} step
 */
export function placeWords(run, step) {
  const { messages, compaction, epoch } = run.step(step);
  const so = `${pluralize(messages, "message")} and ${counted(run, epoch) || "no compaction"} so far`;
  const why = `${so}. The arrow keys stop at each message and at each compaction.`;
  if (compaction < 0) return { what: `message ${int(messages)}`, rest: ` of ${int(run.n)}`, why };
  return { what: placeOf(run, compaction), rest: ` · after message ${int(messages)}`, why };
}
