// What an exported file runs.
import { problemText } from "../lib/problem.js";
import { Held } from "./held.js";
import { openFile } from "./page.js";
import { blockText } from "./unpack.js";

const place = /** @type {HTMLElement} */ (document.getElementById("foldline"));
const held = new Held(blockText);
openFile(place, held).catch((error) => (place.textContent = problemText(error)));
