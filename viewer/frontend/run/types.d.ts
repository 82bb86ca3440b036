/** What Python packs and the browser unpacks; docs/wire.md says what each field means. */

export type Role = "system" | "user" | "assistant" | "tool";
export type Region = "system" | "summary" | "compactable" | "recent" | "message" | "cleared";
export type Deed = "clear" | "drop" | "digest" | "opaque" | "summarise";
/** Trigger, partition, summarize, splice. */
export type Phase = 1 | 2 | 3 | 4;

export interface Header {
  version: number;
  sid: string;
  session?: string;
  n: number;
  title: string;
  format: string;
  formatName?: string;
  agent?: string;
  model: string;
  meter: string;
  meterText?: string;
  how: string;
  total: number;
  turns: number;
  notes: string[];
  labels: string[];
  messages?: number;
  recordedCompactions: number;
  recordedMicrocompactions?: number;
  recordedEdits?: number;
  recorded: Recorded;
  unseen?: { first: number; typical: number; parts?: UnseenParts } | null;
  approximate: boolean;
  tools?: number;
  startsMidway?: boolean;
  marked?: { summary?: number[]; ack?: number[]; cleared?: number[] };
}

export interface UnseenParts {
  missing: number;
  undercounted: number;
}

export interface Recorded {
  at: number[];
  before: number[];
  after: number[];
  left?: number[];
  edits?: number[];
  micro?: number[];
  typical?: number | null;
  prompts: { at: number[]; tokens: number[]; scaled?: number[] };
  error?: number | null;
  uncertain?: [from: number, to: number][];
  leftOut?: [from: number, to: number, beside: number][];
}

export interface Policy {
  name: string;
  title: string;
  family: string;
  fidelity: string;
  notModelled: string[];
  about: string;
  limit: number | null;
  ceiling: number | null;
  limitName: string;
  counts: "window" | "active" | "spoken" | "history" | "wordless";
  phase: string;
  effect: "replace" | "view";
  kind: Deed;
  tailAsText: boolean;
  mayTakeMore: boolean;
  when: string;
  /** The same in a sentence where a pause moves it, else "". */
  acts: string;
}

/** A message that a compaction added: role, kind, tokens, preview, the message it stands in for (-1: none). */
export type Added = [role: number, injected: string, tokens: number, preview: string, of?: number];

/** One entry for each compaction. */
export interface CompactionColumns {
  at: Int32Array;
  before: number[];
  after: number[];
  folded: number[];
  number: number[];
  summaryTokens: number[];
  removedTokens: number[];
  status: number[];
  recordedBefore: number[];
  recordedAfter: number[];
  micro: number[];
  edit?: number[];
  fidelity?: string[];
  layout: number[][];
  added: Added[][];
  tiers?: string[][];
  emptied?: number[];
  setback?: string[];
  unreadable?: string[];
}

/** What a stage of the policy empties in place. */
export interface Shadow {
  places: Int32Array;
  tokens: number[];
  short: number;
  thinking: number;
}

export interface Failed {
  at: Int32Array;
  status: number[];
  reason: string[];
  times: number[];
}

/** A trace, unpacked. */
export interface View {
  version: number;
  sid: string;
  tid: string;
  stamp: string;
  kind: "simulate" | "replay";
  length: number;
  policy: Policy | null;
  c: CompactionColumns;
  statuses: string[];
  heads: ArrayLike<number>;
  bodies: ArrayLike<number>;
  tails: Int32Array;
  spared: Int32Array;
  pins: { systems: boolean; emptied: Int32Array | null };
  shadows: Shadow[];
  failed: Failed;
  worded?: number[];
  typicalSummary: number;
  /** What wrote the summaries of a simulated run, and whether the transcript has some that can be read. */
  summarizer?: { by: string; recorded: boolean } | null;
  /** What users of this agent can do to keep a rule of theirs, and the page that says so; null where none is known. */
  advice?: [text: string, source: string] | null;
  /** The same of an order for once, with `{words}` for what it says. */
  once?: [text: string, source: string] | null;
  notes?: string[];
  live?: boolean;
  /** Of a live run: the tools whose results come before the next model call, and whether the policy compacts the window before it. */
  awaited?: string[];
  due?: boolean;
  held?: number[];
  eras?: [step: number, limit: number | null, ceiling: number | null, limitName: string, policy: string][];
}

/** A trace as its JSON came in: places are delta-coded, and some columns may be missing. */
export type WireView = Omit<View, "c" | "tails" | "spared" | "pins" | "shadows" | "failed"> & {
  c: Omit<CompactionColumns, "at"> & { at: number[] };
  tails: number[];
  spared?: number[];
  pins?: { systems?: boolean; emptied?: number[] | null };
  shadows?: (Omit<Shadow, "places"> & { places: number[] })[];
  failed?: { at?: number[]; status?: number[]; reason?: string[]; times?: number[] };
};

export type Severity = "error" | "warning" | "info";

/** What a finding is about: core/analyse/finding.py. */
export type Concern = "lost" | "summary" | "record" | "structure" | "cost";

export interface Finding {
  kind: string;
  concern: Concern;
  severity: Severity;
  title: string;
  text: string;
  messages?: number[];
  /** The text it is about, which can be asked about; else "". */
  subject?: string;
}

/** A row of the list of findings: one finding, or what compactions in a row all have. */
export interface FindingRow extends Finding {
  failed: boolean;
  call?: boolean;
  first: number;
  last: number;
  times: number;
  step: number;
  last_step: number;
  messages_total?: number;
}

/** Where findings are along the timeline; `at` is delta-coded, `first` are places in `titles`. */
export interface WireMarks {
  titles: [severity: number, text: string][];
  at: number[];
  first: number[][];
  count: number[];
  calls?: { at: number[]; first: number[][] };
}

/** What `api/compaction` answers. */
export interface CompactionCard {
  recorded: boolean;
  fidelity: string;
  reason: string;
  trigger: string;
  occasion: string;
  rule?: string[];
  before_from: string;
  after_from: string;
  duration_ms: number | null;
  timestamp?: string;
  instructions?: string;
  unreadable: string;
  /** Of a summary that nobody can read: the user's messages so far that stayed as they were, and all of them. */
  typed?: [stayed: number, of: number];
  summary: string | null;
  /** Of a recorded summary in a simulated run: how many messages had arrived when it was written, where that is more than here. */
  written_later?: number | null;
  tiers?: string[];
  unread?: number;
  /** null where they are not known: an exported file has them of the settings that it opens with alone. */
  findings: Finding[] | null;
}

/** Why a call never ran: the user refused it, a guard blocked it, or it was cancelled with others. */
export type Unrun = "refused" | "blocked" | "cancelled" | "rejected";

/** A turn of a session's overview. */
export interface OverviewTurn {
  at: number;
  /** The request as one line, cut with "…". */
  asked: string;
  /** How the model's last words in it begin; "" where it only calls tools. */
  said?: string;
  /** Whether it ends where the user stopped the agent. */
  stopped?: boolean;
  /** Whether it was sent while the agent worked on the turn before, whose work goes on in it. */
  meanwhile?: boolean;
  /** Whether a person began it: not so before the first request. */
  typed: boolean;
  pictures: number;
  /** The places of the tool calls, and of the results that are errors. */
  calls: number[];
  errors: number[];
  /** The places of results of calls that never ran, with why. */
  /** Those of the errors that say that a search found nothing. */
  empty_searches?: number[];
  unrun?: [at: number, why: Unrun][];
  /** The places of replies whose text held a command that was run. */
  commands?: number[];
  /** The places of calls and replies that committed, once for each commit. */
  commits?: number[];
  /** The files that were written, each once; `wrote` has the place of each write, and which file by its number. */
  files: string[];
  wrote: [at: number, file: number][];
  /** The parts of shell commands that remove or move something, with the place of each call; behind the first 24 the text is "". */
  removed?: [at: number, part: string][];
  /** The files that shell commands plainly wrote, likewise. */
  redirected?: [at: number, name: string][];
}

/** A text that no message of the window says any more: core/analyse/losses.py. */
export interface Loss {
  kind: "newest" | "first" | "rule" | "said" | "name" | "command" | "error" | "task";
  /** Whether it states a rule for good. */
  standing?: boolean;
  text: string;
  /** The text as its message has it, by which Why can follow it; "" where it cannot. */
  followed: string;
  at: number;
  used_at: number;
  /** The step at which the user says a rule again, or -1. */
  said_again_at: number;
  /** The step of an earlier compaction that took its message, and whose summary still said it, or -1. */
  carried_at: number;
  /** What the messages of these two steps say, up to the end of a sentence; "" of none. */
  used: string;
  said_again: string;
  /** The question before a statement that answers it; "" of none. */
  answers?: string;
  kept: number;
  words: number;
  /** How much it matters, 0 the most: core/analyse/consequence.py. */
  rank: number;
}

/** Why a message of the user is not counted as a request. */
export type NoRequest = "goes_on" | "short" | "command" | "wordless" | "stated";

/** A request that a compaction left out, or only in other words or in part: how it begins, and whether Why can follow that. */
export interface AskedOf {
  at: number;
  kind: "open" | "gone" | "answered" | "stopped" | "partly" | "reworded" | "kept" | NoRequest;
  text: string;
  followed: boolean;
  /** The step of the first message that needed it while nothing said it, where there is one. */
  needed_at?: number;
}

/** A message with a call that brings back what others showed, and how often its file was written since. */
export type BroughtBack = [at: number, shown: number[], edits: number];

/** What one compaction lost. */
export interface CompactionLosses {
  index: number;
  step: number;
  taken: number;
  told: Loss[];
  told_total: number;
  names: Loss[];
  names_total: number;
  /** The commands, errors and open tasks that the model used later. */
  others?: Loss[];
  results: number;
  result_tokens: number;
  again: number;
  again_steps: number[];
  again_tokens: number;
  /** Of these calls: the message, the newest messages that showed it before, and how often its file was written since; and of how many it was. */
  again_of?: BroughtBack[];
  again_edited?: number;
  /** The first files that they read, in the words of the finding, and of how many. */
  again_files?: string[];
  again_files_total?: number;
  /** The user's messages that name a file that it took, or ask to read it again, and their words. */
  sent_back?: [at: number, text: string][];
  unseen: number;
  unseen_more: number;
  /** When it happened and how it was started, as recorded, and what a person told it to keep; "" where that is not known. */
  timestamp: string;
  how?: "on request" | "automatic" | "";
  instructions: string;
  /** What had ended the turn by then, "" within it, and how many seconds ago, where that is recorded. */
  ended?: "answered" | "stopped" | "";
  ended_ago?: number | null;
  /** The request of the turn in which its summary ends, where all that came since stays; else -1. */
  ends?: number;
  /** The task and the work at hand in the summary's own words; "" where it does not say. */
  goal: string;
  /** How many items the list has whose first one is the task; 0 where that is no list. */
  points?: number;
  work: string;
  /** Where it says neither: its first sentences that are no boilerplate. */
  opening: string;
  unreadable: string;
  /** The requests so far: how many, how many nothing says any more, how many of these the agent was working on when they went how many of the others were answered by then and at how many the user had stopped the agent, and how many stand only in other words or in part. `here` counts the same of those that this compaction took; the one of these that matters most is quoted. The newest compaction lists them, as `kept` those that are there word for word, and as `others` the messages that are not among them, which are `uncounted` by the reason. */
  requests: {
    of: number;
    uncounted?: Partial<Record<NoRequest, number>>;
    gone: number;
    open: number;
    answered: number;
    stopped: number;
    here: [gone: number, open: number, answered: number, stopped: number];
    reworded: number;
    at: number;
    text: string;
    /** What this compaction took. */
    took?: AskedOf[];
    listed: AskedOf[];
    kept?: AskedOf[];
    others?: AskedOf[];
  };
  /** The user's messages so far that stayed as they were, and all of them; and the model's replies that stayed. */
  typed: [stayed: number, of: number, replies?: number];
  /** What only the quotes of a stand-in keep: requests, rules and statements, and those of these that were needed later. */
  quoted?: [requests: number, rules: number, needed?: number];
  /** Rules and statements of the user that are gone, and how many of them came up again. */
  rules: [gone: number, used: number];
}

/** What `api/losses` answers. */
export interface LossPage {
  total: number;
  from: number;
  rows: CompactionLosses[];
  /** What is not looked for in so long a session, in sentences. */
  limits?: string[];
  /** Whether among this is when a sentence was needed: then "nothing needed it" is not known. */
  unsought?: boolean;
}

/** What a session comes to: messages that a person typed, calls, and so on; `commands` are those in the text of replies. */
export interface OverviewSums {
  typed: number;
  calls: number;
  errors: number;
  empty_searches: number;
  unrun: Partial<Record<Unrun, number>>;
  commands: number;
  files: number;
  shell: number;
  commits: number;
}

/** What the sub-agents of a session come to, those whose messages are `known`, and the windows of the first hundred of these. */
export interface SubAgentsTold {
  started: number;
  known: number;
  sums: OverviewSums;
  windows: [number: number, name: string, messages: number][];
}

/** What `api/overview` answers. */
export interface SessionOverview {
  /** The first request: behind what was copied, where that is. `agent` is whether another agent made it. */
  task: { at: number; text: string; agent?: boolean } | null;
  /** The newest request that is more than a word to go on, where it is another one, and which turn of how many it begins. */
  later?: { at: number; text: string; turn: number; of: number; agent?: boolean } | null;
  /** How many of its first messages are a copy of another session's, and what is behind them. */
  copied?: { messages: number; own: OverviewSums } | null;
  began: string;
  ended: string;
  /** For how many seconds it was worked on in between, a pause counting 5 minutes at most. */
  active?: number;
  turns: OverviewTurn[];
  turns_total: number;
  /** The place of the first turn that is not among them, -1 where all are. */
  turns_end?: number;
  tools: [name: string, times: number][];
  tools_total: number;
  sums: OverviewSums;
  agents?: SubAgentsTold | null;
  /** Of one that was moved, with the name that it had first. */
  files: [name: string, times: number, first?: string][];
  /** The parts of shell commands that remove or move something, with the first places of each. */
  removed?: [part: string, times: number, at: number[]][];
  /** What shell commands committed, pushed or sent to a code host, likewise. */
  published?: [part: string, times: number, at: number[]][];
  published_total?: number;
  /** The files that shell commands plainly wrote, by `>` or `tee`, likewise. */
  redirected?: [name: string, times: number, at: number[]][];
  redirected_total?: number;
  half_written?: string[];
  removed_total?: number;
  /** What ended the run where the agent did not, in the words of the file; "" where it does not say. */
  ended_with?: string;
  last: string;
  /** The message it ends with, where its own words say it best: a request, a command, what was submitted, what is none of the others. */
  newest?: { at: number; text: string } | null;
  closing: { at: number; text: string } | null;
}
