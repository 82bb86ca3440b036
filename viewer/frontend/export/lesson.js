// What an exported lesson runs.
import { problemText } from "../lib/problem.js";
import { openLesson } from "./classroom.js";
import { Held } from "./held.js";
import { blockText } from "./unpack.js";

const place = /** @type {HTMLElement} */ (document.getElementById("foldline"));
const held = new Held(blockText);
openLesson(place, held).catch((error) => (place.textContent = problemText(error)));
