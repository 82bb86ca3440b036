// What a pen that writes SVG writes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SvgPen } from "../../viewer/frontend/run/svgpen.js";

const pen = () => new SvgPen(100, 50, (text) => 6 * text.length);
const body = (made) => made.text("#fff", "t");

test("paths, boxes and texts stand where a canvas has them", () => {
  const made = pen();
  made.fillStyle = "#123456";
  made.fillRect(1, 2, 3, 4);
  made.beginPath();
  made.moveTo(0, 0);
  made.lineTo(10.005, 20);
  made.strokeStyle = "red";
  made.setLineDash([2, 3]);
  made.stroke();
  made.textAlign = "right";
  made.fillText("12k", 40, 10);
  const text = body(made);
  assert.match(text, /<rect x="1" y="2" width="3" height="4" fill="#123456"\/>/);
  assert.match(text, /<path d="M0 0L10.01 20" fill="none" stroke="red" stroke-width="1" stroke-linejoin="miter" stroke-dasharray="2 3"\/>/);
  assert.match(text, /<text x="40" y="10" text-anchor="end"[^>]*>12k<\/text>/);
  assert.equal(made.measureText("abc").width, 18);
});

test("what a text says is no markup", () => {
  const made = pen();
  made.fillText('</text><script>run()</script>"&', 0, 0);
  const text = body(made);
  assert.doesNotMatch(text, /<script/);
  assert.match(text, /&lt;\/text&gt;&lt;script&gt;run\(\)&lt;\/script&gt;&quot;&amp;/);
});

test("restore takes back alpha, dash and clip", () => {
  const made = pen();
  made.save();
  made.globalAlpha = 0.5;
  made.beginPath();
  made.rect(0, 0, 5, 5);
  made.clip();
  made.fillRect(0, 0, 9, 9);
  made.restore();
  made.fillRect(0, 0, 8, 8);
  const lines = body(made).split("\n");
  assert.ok(lines.some((line) => line.startsWith('<g clip-path="url(#c0)">') && line.includes('opacity="0.5"')));
  assert.ok(lines.includes('<rect x="0" y="0" width="8" height="8" fill="#000"/>'));
});

test("a hatched fill is a pattern of the file", () => {
  const made = pen();
  made.fillStyle = made.hatch("#f00", 1);
  made.fillRect(0, 0, 9, 9);
  assert.match(body(made), /<pattern id="h0"[^>]*>.*<\/pattern>/);
  assert.match(body(made), /fill="url\(#h0\)"/);
});
