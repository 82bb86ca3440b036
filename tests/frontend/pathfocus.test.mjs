// A path that does not open: whose focus it takes, and what Escape does then.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { press, settled } from "./dom.mjs";
import { watchFailures } from "../../viewer/frontend/lib/pathfocus.js";

const FIELD = '<input type="text" value="/no/such/file.jsonl">';
const FAILURE = '<div class="st-key-not-opened-notice"><button>Dismiss</button></div>';

const page = () => document.querySelector('[data-testid="stApp"]');
const field = () => document.querySelector("input");

/** Streamlit draws the field anew, and the main part. */
async function drawn(main = "") {
  page().dataset.testScriptState = "running";
  document.querySelector('[data-testid="stForm"]').innerHTML = FIELD;
  document.querySelector("main").innerHTML = main;
  await settled();
  page().dataset.testScriptState = "notRunning";
  await settled();
}

watchFailures();

beforeEach(async () => {
  document.body.innerHTML =
    '<div data-testid="stApp" data-test-script-state="notRunning"><main></main>' +
    `<section data-testid="stSidebar"><div data-testid="stForm">${FIELD}</div></section></div>`;
  await settled();
  press(field(), "Enter");
});

test("the field of a path that does not open has the focus again, however often it is drawn", async () => {
  await drawn(FAILURE);
  assert.equal(document.activeElement, field());
  await drawn(FAILURE);
  assert.equal(document.activeElement, field());
});

test("once a path has opened, no later failure takes the focus to the field", async () => {
  await drawn();
  await drawn(FAILURE);
  assert.notEqual(document.activeElement, field());
});

test("whoever has left the field by Tab keeps the focus", async () => {
  const next = document.createElement("button");
  document.body.append(next);
  press(field(), "Tab");
  next.focus();
  await drawn(FAILURE);
  assert.equal(document.activeElement, next);
});

test("Escape dismisses what is said of the path, and nothing else acts on it; elsewhere it does not", async () => {
  await drawn(FAILURE);
  let dismissed = 0;
  document.querySelector("button").addEventListener("click", () => (dismissed += 1));
  assert.deepEqual([press(page(), "Escape").defaultPrevented, dismissed], [false, 0]);
  assert.deepEqual([press(field(), "Escape").defaultPrevented, dismissed], [true, 1]);
});

test("Escape dismisses it as soon as its button is drawn, once", async () => {
  await drawn(FAILURE.replace(/<button.*button>/, ""));
  assert.equal(press(field(), "Escape").defaultPrevented, true);
  const button = document.createElement("button");
  let dismissed = 0;
  button.addEventListener("click", () => (dismissed += 1));
  document.querySelector("main > div").append(button);
  await settled();
  document.querySelector("main").append("");
  await settled();
  assert.equal(dismissed, 1);
});
