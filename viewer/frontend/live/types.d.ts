import type { Added, CompactionColumns, Header, WireView } from "../run/types.js";

export type Status = "ready" | "running" | "pausing" | "paused" | "failed" | "stopped" | "ended";

/** How a live run stands, as the server says; docs/wire.md says what each field means. */
export interface LiveState {
  status: Status;
  doing: string;
  seconds: number;
  why: string;
  calls: number;
  most: number;
  turn: number;
  more: boolean;
  tool: string;
  partial: string;
  next: { messages: number; tokens: number; tools_tokens: number; counted: number | null } | null;
  last: { estimate?: number; counted: number | null; usage: Usage | null; error: number | null } | null;
  totals: Usage | null;
  error: LiveError | null;
  stepping: boolean;
  pace: number;
  breakpoints: Breakpoint[];
  tools: string[];
  drives: boolean;
  driven: boolean;
  settings: string;
  provider: string;
  model: string;
  goal: string;
  file: string;
  notice?: [number: number, text: string] | null;
}

export interface Usage {
  input_uncached: number;
  cache_read: number;
  cache_write: number;
  output: number;
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

export type BreakpointKind = "compaction" | "tokens" | "tool" | "text";

export interface Breakpoint {
  kind: BreakpointKind;
  value: string | number;
  on: boolean;
  id: number;
  hit?: boolean;
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
