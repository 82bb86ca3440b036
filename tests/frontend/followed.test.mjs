import assert from "node:assert/strict";
import { test } from "node:test";

import "./dom.mjs";
import { choices } from "../../viewer/frontend/export/followed.js";

const ended = (...states) => ({ lane: states.map((state) => ({ state })) });

test("the texts of a file are in groups by where they are at the end, the lost ones first; two that read alike stand once", () => {
  const long = `${"word ".repeat(20)}`;
  const found = choices({
    "keep the names": ended("before", "verbatim", "summary"),
    "never push": ended("verbatim", "gone"),
    [`${long}one`]: ended("gone"),
    [`${long}two`]: ended("gone"),
    "read a.py": ended("verbatim"),
  });
  assert.deepEqual(found, [
    ["Gone at the end", ["never push", `${long}one`]],
    ["Only in a summary at the end", ["keep the names"]],
    ["In the window at the end", ["read a.py"]],
  ]);
  assert.deepEqual(choices({}), []);
});
