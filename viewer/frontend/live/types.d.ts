import type { Added, CompactionColumns, Header, WireView } from "../run/types.js";

export type Status = "ready" | "running" | "pausing" | "paused" | "failed" | "stopped" | "ended";

/** How a live run stands, as the server says; docs/wire.md says what each field means. */
export interface LiveState {
  status: Status;
  doing: string;
  seconds: number;
  /** While the server accepts no more requests: what it asks to wait, 0 where it does not say, and which attempt comes next. */
  next_try?: { wait: number; number: number; of: number } | null;
  why: string;
  /** Model calls that were answered in this turn, and those that were sent in the whole run. */
  calls: number;
  all: number;
  exchanges?: number;
  most: number;
  turn: number;
  more: boolean;
  /** Whether the newest removal by hand can be undone. */
  undo?: boolean;
  tool: string;
  tool_arguments?: string;
  compaction: boolean;
  partial: string;
  next: { messages: number; tokens: number; tools_tokens: number; counted: number | null } | null;
  last: { estimate?: number; counted: number | null; usage: Usage | null; error: number | null } | null;
  totals: Usage | null;
  error: LiveError | null;
  stepping: boolean;
  pace: number;
  breakpoints: Breakpoint[];
  to?: string;
  tools: string[];
  servers?: ServerState[];
  drives: boolean;
  driven: boolean;
  settings: string;
  /** The tokens that are expected of the run. */
  expected: number;
  provider: string;
  model: string;
  goal: string;
  file: string;
  notice?: [number: number, text: string] | null;
}

/** One HTTP request of a model call, in seconds of the call. */
export interface Attempt {
  at: number;
  seconds: number;
  status: number | null;
  error: string;
}

/** A model call that was made; docs/wire.md. */
export interface CallRow {
  number: number;
  purpose: "reply" | "summary";
  at: number;
  time: string;
  seconds: number;
  first: number | null;
  url: string;
  attempts: Attempt[];
  outcome: "answered" | "failed" | "stopped";
  problem: string;
  unkept: string;
}

/** A request and its reply as they were sent; the lengths are those of the whole. */
export interface KeptCall {
  request: string;
  request_length: number;
  reply: string;
  reply_length: number;
}

export interface ServerState {
  name: string;
  target: string;
  status: "connected" | "dead" | "not started";
  problem: string;
  tools: [name: string, description: string, offered: number][];
}

export interface Usage {
  input_uncached: number;
  cache_read: number;
  cache_write: number;
  output: number;
  cost?: number;
}

export interface LiveError {
  kind: string;
  text: string;
  hint: string;
  retry: boolean;
  orphans?: number[];
  policy?: string;
  reply?: string;
  reply_length?: number;
}

export type BreakpointKind = "before_compaction" | "compaction" | "tokens" | "messages" | "tool" | "text" | "finding" | "error";

export interface Breakpoint {
  kind: BreakpointKind;
  value: string | number;
  argument: string;
  pattern: string;
  role: string;
  regex: boolean;
  from_hit: number;
  hits?: number;
  on: boolean;
  id: number;
  words: string;
  hit?: boolean;
}

/** What `api/live/{run}/conditions` answers: the tools with the names of their arguments, and the kinds of finding. */
export interface Conditions {
  tools: Record<string, string[]>;
  findings: string[];
}

/** What `api/live/{run}/tool` answers: the tool call that the run waits before, its arguments and their schema as JSON text. */
export interface WaitingCall {
  id: string;
  name: string;
  arguments: string;
  schema: string | null;
}

/** What `api/live/{run}/news` answers. */
export interface News {
  life: string;
  version: number;
  header: Omit<Header, "labels">;
  view: WireView;
  messages: { from: number; tokens: number[]; roles: number[]; flags: number[]; labels: string[]; previews: string[] };
  c: { from: number; at: number[]; added: Added[][] } & Omit<CompactionColumns, "at" | "added">;
  epochs: { from: number; heads: number[]; bodies: number[] };
  steps: { from: number; tails: number[]; spared: number[] };
  state: LiveState;
}

/** What a command is answered with: the run that takes this one's place, or that it waits for the next model call. */
export interface Answer {
  run?: string;
  later?: boolean;
}
