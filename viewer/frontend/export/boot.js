// The first script of an exported file: unpacks the program and runs it. The file's policy allows both by their hashes.
import { blockText, bytesOf, unpacked } from "./unpack.js";

void unpacked(bytesOf(blockText("program") ?? "")).then((bytes) => {
  const program = Object.assign(document.createElement("script"), { type: "module" });
  program.textContent = new TextDecoder().decode(bytes);
  document.body.append(program);
});
