// Whether a text stands in so many messages that following it tells nothing. Pure; core/why/fate.py has the rule, and core/entities
// what a name is: a short text that is one is followed.

/** Messages, below which no text is too common. */
const MANY = 60;
const WORDS = /[\p{L}\p{N}_]+/gu;

/** @param {string} text @param {number} hits  messages that arrive with it @param {number} messages  of the session */
export function isCommon(text, hits, messages) {
  const many = messages >= MANY && 3 * hits > messages;
  return many && (text.match(WORDS)?.length ?? 0) < 3 && !hasName(text);
}

const QUOTED = [/"([^"\n]+)"/g, /`([^`\n]+)`/g, /“([^“”\n]+)”/g, /«([^«»\n]+)»/g, /「([^「」\n]+)」/g, /『([^『』\n]+)』/g];
const COMMAND = /^[ \t]*\$ (.+)$/m;
/** Characters of a command, or between quotation marks. */
const SHORTEST = 8;
const LONGEST = 80;

/** Whether a short text holds a name: a command, a quotation, an address, a path, a hash, a number or an identifier. @param {string} text */
export function hasName(text) {
  const plain = text.normalize("NFKC");
  const command = COMMAND.exec(plain)?.[1].trim() ?? "";
  const quotes = QUOTED.flatMap((mark) => [...plain.matchAll(mark)].map(([, quote]) => quote));
  return command.length >= SHORTEST || quotes.some(isQuotation) || plain.split(/\s+/).some((word) => hasPath(word) || isNamed(word));
}

/** @param {string} quote */
function isQuotation(quote) {
  const long = quote.trim().length >= SHORTEST && quote.length <= LONGEST;
  return long && /[ \t]|[^\0-\x7f]/.test(quote) && /[\p{L}\p{N}]/u.test(quote);
}

const ENDINGS =
  "py|pyi|ipynb|js|jsx|ts|tsx|mjs|cjs|vue|svelte|go|rs|rb|php|java|kt|kts|scala|c|cc|cpp|cxx|h|hh|hpp|cs|fs|swift|m|mm|r|jl|lua|pl|sh" +
  "|bash|zsh|fish|ps1|bat|sql|html|htm|css|scss|sass|less|xml|svg|json|jsonl|json5|yaml|yml|toml|ini|cfg|conf|env|lock|md|mdx|rst|txt" +
  "|csv|tsv|parquet|log|proto|graphql|tf|gradle|diff|patch|pdf|png|jpg|jpeg|gif|webp|docx|xlsx|pptx|zip|tar|gz|whl|db|sqlite";
const URL_OR_WINDOWS = /https?:\/\/[^\s/?:]*[\p{L}\p{N}]|(?<![\p{L}\p{N}_])[A-Za-z]:[\\/]+[\w.@+~-]+/u;
const FILE = new RegExp(
  `(?<![\\p{L}\\p{N}_./\\\\@-])[\\p{L}\\p{N}_][\\p{L}\\p{N}_-]*(?:\\.[\\p{L}\\p{N}_-]+)*\\.(?:${ENDINGS})(?![\\p{L}\\p{N}_-])`,
  "u",
);
const RUN = /[\p{L}\p{N}_.@+~/-]+/gu;

/** @param {string} word */
function hasPath(word) {
  return URL_OR_WINDOWS.test(word) || FILE.test(word) || (word.includes("/") && (word.match(RUN) ?? []).some(isPath));
}

/** Whether a run of the letters that paths are made of is one: three segments, two behind an anchor, or one with an ending. @param {string} run */
function isPath(run) {
  const named = run.replace(/[./]+$/, "");
  const segments = named.split("/").filter((part) => !["", ".", "..", "~"].includes(part));
  if (!run.includes("/") || run.startsWith("//") || !segments.length || !/\p{L}/u.test(named)) return false;
  return segments.length >= (/^(\/|~\/|\.\.?\/)/.test(run) ? 2 : 3) || /.\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(named);
}

const HASH =
  /(?<![\w-])(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?=[0-9a-fA-F]*\d)(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{7,64})(?![\w-])/;
const TICKET = /(?<!\w)[A-Z](?=[0-9]*[A-Z])[A-Z0-9]+-\d{2,}(?!\w)/g;
const NUMBER = /(?<![\w.,])(?:\d{1,3}(?:[,_]\d{3})+|\d{4,})(?:\.\d+)?(?!\w)(?!\.\d)/g;
/** Names that everybody uses, and that tell nothing. */
const STOPPED = new Set(
  `JavaScript TypeScript GitHub GitLab OpenAI ChatGPT YouTube LinkedIn PostgreSQL MySQL MongoDB DevOps macOS iPhone
  node_modules file_path old_string new_string old_str new_str tool_use tool_result sha256 sha512 base64 utf16 utf32 int16
  int32 int64 uint32 uint64 float32 float64 x86_64 amd64 arm64 win32 SHA-256 SHA-512 AES-256 UTF-16 ISO-8601 SHA256 SHA512`.split(/\s+/),
);

/** Whether a word holds a hash, a ticket, a number or an identifier. @param {string} word */
function isNamed(word) {
  if (HASH.test(word)) return true;
  const counts = (word.match(TICKET) ?? []).some((ticket) => !STOPPED.has(ticket)) || (word.replace(TICKET, " ").match(NUMBER) ?? []).some(isRare);
  return counts || (word.replace(TICKET, " ").replace(NUMBER, " ").match(WORDS) ?? []).some(isIdentifier);
}

/** A number of four digits or more that is neither a year nor round. @param {string} written */
function isRare(written) {
  const [whole, part = ""] = written.replace(/[,_]/g, "").split(".");
  const year = whole.length === 4 && ((Number(whole) >= 1900 && Number(whole) <= 2100) || [1024, 2048, 4096, 8192].includes(Number(whole)));
  return whole.length >= 4 && (part !== "" || !(year || /^.0*$/.test(whole)));
}

/** snake_case, camelCase, letters with digits. @param {string} word */
function isIdentifier(word) {
  if (word.length < 4 || word.length > LONGEST || STOPPED.has(word)) return false;
  return word.replace(/^_+|_+$/g, "").includes("_") || /[a-z0-9][A-Z]/.test(word) || (/^\p{L}/u.test(word) && (word.match(/\d/g)?.length ?? 0) >= 2);
}
