import assert from "node:assert/strict";
import { test } from "node:test";
import {
  atNotch,
  clausesSaid,
  leastOf,
  notchOf,
  NOTCHES,
  numberOf,
  partOf,
  ruleOf,
  numberText,
  within,
} from "../../viewer/frontend/settings/numbers.js";

const whole = { unit: "tokens", min: 500, max: 20_000, step: 1, at_least: 1 };
const share = { unit: "", min: 0, max: 1, step: 0.01, whole: false, at_least: 0, at_most: 1 };
const decades = { unit: "tokens", min: 1000, max: 1_000_000, step: 1, scale: "log", at_least: 1 };

test("whole numbers are taken with their thousands marked, and nothing else", () => {
  assert.deepEqual(
    ["12,345", "1 000", "7"].map((text) => numberOf(text, whole)),
    [12_345, 1000, 7],
  );
  for (const text of ["0", "-3", "1.5", "many", "", "1e3"]) assert.ok(Number.isNaN(numberOf(text, whole)), text);
});

test("fractions are taken up to the most the policy takes", () => {
  assert.deepEqual(
    ["0.85", ".5", "1", "0."].map((text) => numberOf(text, share)),
    [0.85, 0.5, 1, 0],
  );
  for (const text of ["1.01", "-0.1", "0,5", "half"]) assert.ok(Number.isNaN(numberOf(text, share)), text);
});

test("the rule says what is taken", () => {
  assert.equal(ruleOf(whole), "A whole number, 1 or more");
  assert.equal(ruleOf(share), "A number from 0 to 1");
});

test("numbers are said as people write them", () => {
  assert.deepEqual([numberText(12_345, whole), numberText(0.1 + 0.2, share)], ["12,345", "0.3"]);
});

test("what goes beyond what is taken is held there", () => {
  assert.deepEqual([within(0, whole), within(1.004, share), within(0.1 + 0.2, share)], [1, 1, 0.3]);
});

test("a scale of decades holds its ends and gives round numbers between", () => {
  assert.deepEqual([atNotch(0, decades), atNotch(NOTCHES, decades)], [1000, 1_000_000]);
  assert.equal(atNotch(NOTCHES / 3, decades), 10_000);
  assert.equal(notchOf(10_000, decades), Math.round(NOTCHES / 3));
  for (let notch = 0; notch <= NOTCHES; notch += 7) {
    const value = atNotch(notch, decades);
    assert.ok(value >= 1000 && value <= 1_000_000 && Number.isInteger(value));
    assert.ok(Math.abs(notchOf(value, decades) - notch) <= 3, `${notch}`);
  }
});

test("how far along the track a number stands", () => {
  assert.equal(partOf(10_250, { ...whole }), 50);
  assert.equal(Math.round(partOf(10_000, decades)), 33);
  assert.equal(partOf(5, { unit: "", min: 5, max: 5, step: 1 }), 0);
});

test("the least is the policy's, else the slider's, 1 for tokens", () => {
  assert.deepEqual(
    [leastOf(whole), leastOf({ unit: "tokens", min: 50, max: 60, step: 1 }), leastOf({ unit: "", min: 3, max: 60, step: 1 })],
    [1, 1, 0],
  );
});

test("clauses in words", () => {
  assert.equal(clausesSaid([{ messages: 8, tokens: 60 }, { fraction: 0.8 }]), "messages 8 and tokens 60; or fraction 0.8");
});

test("thresholds are said with their thousands parted", () => {
  assert.equal(clausesSaid([{ input_tokens: 100_000 }]), "input_tokens 100,000");
});
