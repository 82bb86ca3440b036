// What is known of a session, in words: for the chips of a header and the list of its facts. Pure.
import { pluralize, tokens } from "../lib/format.js";
/** @import { Header } from "./types.js" */

/** What the chips say, and of what, in order of weight: what finds no room is in the list that opens. @param {Header} header */
export function chipTexts(header) {
  const chips = [
    ["format", formatOf(header)],
    ["model", header.model],
    ["messages", messagesOf(header).join(" + ")],
    ["recorded", recordedWords(header, "recorded ")],
    ["tokens", `${tokens(header.total, header.approximate)} tokens by ${meterOf(header)}`],
  ];
  return chips.filter(([, text]) => text);
}

/** The messages that arrived, as the steps count them; and what recorded compactions wrote, if they did. @param {Header} header */
export function messagesOf({ n, messages = n, recordedCompactions: compactions }) {
  const added = messages - n;
  const words = added > compactions ? `${pluralize(added, "message")} of compactions` : pluralize(added, "summary", "summaries");
  return [pluralize(n, "message"), ...(added > 0 ? [words] : [])];
}

/** The meter, with how far it is off where it was learned from the session. @param {Header} header */
export const meterOf = ({ meter, meterText }) => meterText ?? meter;

/** The compactions on record, and those that only emptied results. @param {Header} header @param {string} [lead] */
export function recordedWords({ recordedCompactions: whole, recordedMicrocompactions: micro = 0, recordedEdits: edits = 0 }, lead = "") {
  const said = [
    whole && pluralize(whole, `${lead}compaction`),
    micro && pluralize(micro, `${lead}microcompaction`),
    edits && pluralize(edits, `${lead}edit`),
  ];
  return said.filter(Boolean).join(", ");
}

/** @param {Header} header  the format as people call it */
export const formatOf = (header) => header.formatName ?? header.format;
