// What an exported file of lanes runs.
import { problemText } from "../lib/problem.js";
import { openLanes } from "./comparing.js";
import { Held } from "./held.js";
import { blockText } from "./unpack.js";

const place = /** @type {HTMLElement} */ (document.getElementById("foldline"));
const held = new Held(blockText);
openLanes(place, held).catch((error) => (place.textContent = problemText(error)));
