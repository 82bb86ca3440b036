// Files and folders dropped anywhere on the page, or chosen in the browser's dialog: sent to the server in one piece, which opens them.
import { problemText } from "./problem.js";
import { el } from "./dom.js";
import { fetchJson } from "./json.js";
/** @import { DropTarget } from "./types.js" */

/** What is never a transcript, and may be large. */
const ASIDE = /(^|\/)(\.git|node_modules|__pycache__|\.venv)\//;
const MOST = 5000;

/** Watch the whole page. @param {DropTarget} app @param {AbortSignal} signal */
export function watchDrops(app, signal) {
  const veil = el(
    "div",
    { class: "fl-drop", hidden: true },
    el("div", { class: "fl-drop-words", text: "Drop a transcript, a folder or an archive" }),
  );
  app.root.append(veil);
  let depth = 0;
  const carries = (/** @type {DragEvent} */ event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const show = (/** @type {boolean} */ on) => (veil.hidden = !on);
  const listen = (/** @type {string} */ name, /** @type {(event: DragEvent) => void} */ act) =>
    document.addEventListener(name, (event) => carries(/** @type {DragEvent} */ (event)) && act(/** @type {DragEvent} */ (event)), { signal });
  listen("dragenter", () => show(++depth > 0));
  listen("dragleave", () => show(--depth > 0));
  listen("dragover", (event) => event.preventDefault());
  listen("drop", (event) => {
    depth = 0;
    show(false);
    if (event.defaultPrevented) return; // the uploader in the sidebar took it
    event.preventDefault();
    void take(app, event.dataTransfer);
  });
}

/** @param {DropTarget} app @param {DataTransfer | null} data */
async function take(app, data) {
  const entries = [...(data?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile()).filter((entry) => entry !== null); // a file without an entry, as a script makes it
  await send(app, entries, "No files in what was dropped");
}

/** Ask for files, and open them. @param {DropTarget} app */
export function chooseFiles(app) {
  const chooser = el("input", { type: "file", multiple: true });
  chooser.addEventListener("change", () => void send(app, [...(chooser.files ?? [])], "No file was chosen"));
  chooser.click();
}

/** @param {DropTarget} app @param {(File | FileSystemEntry)[]} entries @param {string} none  what is said where there is no file among them */
async function send(app, entries, none) {
  try {
    const files = (await Promise.all(entries.map((entry) => filesOf(entry, "")))).flat();
    const wanted = (files.length > 1 ? files.filter(({ name }) => !ASIDE.test(name)) : files).slice(0, MOST);
    if (!wanted.length) return app.message(none);
    app.message(`Reading ${wanted.length === 1 ? wanted[0].name : `${wanted.length} files`}…`);
    app.tell("dropped", (await fetchJson("api/drop", { method: "POST", body: packed(wanted) })).source);
  } catch (error) {
    app.message(problemText(error));
  }
}

/**
 * The files of an entry, a folder's with their paths.
 * @param {File | FileSystemEntry} entry @param {string} above
 * @returns {Promise<{name: string, file: File}[]>}
 */
async function filesOf(entry, above) {
  const name = `${above}${entry.name}`;
  if (entry instanceof File) return [{ name, file: entry }];
  if (entry.isFile) return [{ name, file: await new Promise((done, fail) => /** @type {FileSystemFileEntry} */ (entry).file(done, fail)) }];
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {FileSystemEntry[]} */ const inside = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, fail) => reader.readEntries(done, fail)); // gives a hundred at a time
    if (!some.length || inside.length >= MOST) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map((one) => filesOf(one, `${name}/`)))).flat();
}

/** @param {{name: string, file: File}[]} files */
export function packed(files) {
  const header = new TextEncoder().encode(JSON.stringify(files.map(({ name, file }) => ({ name, size: file.size }))));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, header.length, true);
  return new Blob([length, header, ...files.map(({ file }) => file)]);
}
