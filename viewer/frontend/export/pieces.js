// A message in pieces, as the server sends it. Pure.
/** @import { Message } from "../message/types.js" */

/** Characters of a text in one answer, as viewer/wire/present.py has it. */
const PIECE = 200_000;

/** A whole message with so much of it as one answer has. @param {Message} body @param {number} from  a character of its content */
export function pieceOf(body, from) {
  const start = Math.max(0, Math.min(from, body.total));
  const calls = body.tool_calls?.map((call) => ({ ...call, arguments: cut(call.arguments ?? "", 0), raw: call.raw && cut(call.raw, 0) }));
  return { ...body, from: start, content: cut(body.content, start), thinking: cut(body.thinking ?? "", 0), tool_calls: calls };
}

/** A piece of a text; an astral character is one. @param {string} text @param {number} start */
export function cut(text, start) {
  if (!start && text.length <= PIECE) return text;
  return /[\ud800-\udfff]/.test(text) ? [...text].slice(start, start + PIECE).join("") : text.slice(start, start + PIECE);
}
