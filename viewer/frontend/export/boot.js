// The first script of an exported file: unpacks the program and runs it. The file's policy allows both by their hashes.
import { inflated } from "../lib/inflate.js";
import { blockText, bytesOf } from "./unpack.js";

inflated(bytesOf(blockText("program") ?? "")).then(
  (bytes) => {
    const program = Object.assign(document.createElement("script"), { type: "module" });
    program.textContent = new TextDecoder().decode(bytes);
    document.body.append(program);
  },
  () => {
    const place = /** @type {HTMLElement} */ (document.getElementById("foldline"));
    place.textContent = "This file is damaged: its program cannot be read. Copy or download the file again.";
  },
);
