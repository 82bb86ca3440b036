import type { FindingRow, Severity, WireMarks } from "../run/types.js";
import type { Run } from "../run/model.js";
import type { Query } from "../lib/address.js";
import type { App } from "./app.js";

/** What is different since a part was last drawn; `from` is the step before. */
export interface Change {
  run?: boolean;
  step?: boolean;
  playing?: boolean;
  speed?: boolean;
  selected?: boolean;
  ghosts?: boolean;
  findQuery?: boolean;
  open?: boolean;
  follow?: boolean;
  /** Whether an agent is at work. */
  busy?: boolean;
  theme?: boolean;
  why?: boolean;
  overview?: boolean;
  /** What is compared with a setting before. */
  earlier?: boolean;
  /** Whether it is shown to a room. */
  present?: boolean;
  /** What is covered. */
  veil?: boolean;
  animate?: boolean;
  from?: number;
  /** Whether the next step may follow at once. */
  scrubbed?: boolean;
}

export interface Part {
  update(app: App, change: Change): unknown;
  stop?(): void;
  /** Choose the row so many rows below the one that is shown. */
  walk?(by: number): void;
  /** Close, and return to where it was opened. */
  leave?(): void;
  /** Go to the first match of what is looked for. */
  seek?(): void;
  /** What a key does while the part has all of them. */
  commandOf?(event: KeyboardEvent): Command | undefined;
}

/** Keys with what they do, and whether they are all there are: the debugger's own do nothing. */
export interface KeysHere {
  keys: [names: string[], text: string][];
  alone: boolean;
}

export type MakePart = (root: HTMLElement, app: App) => Part;

/** The address as Python sends it: what is in the query, where to begin, what recorded compactions are compared with. */
export interface AddressData {
  query?: Query;
  start?: string;
  arrive?: number;
  /** The how many-th session that was opened here this is; the same one counts each time. */
  opened?: number;
  rival?: { policy?: string } & Record<string, string>;
  /** The address that Python was last asked for: 0 where it was asked for none. */
  nth?: number;
}

/** What `view` is sent while a transcript is opened. */
export interface OpeningData {
  id: string;
  name: string;
  size: number;
  rows: [role: string, label: string, preview: string][];
  first: string;
}

/** What `api/opening` answers: `read` in bytes, `messages` once all are read. */
export interface OpeningState {
  stage: "reading" | "counting" | "done";
  read: number;
  messages: number;
}

export type { Query };

export type Command = (app: App) => unknown;

/** What a live run adds to the debugger. */
export interface LiveExtension {
  /** Open the run in Debug, at the step of the cursor. */
  debug(app: App): void;
  /** The cursor is at this step. */
  stood(step: number): void;
  bar: MakePart;
  keys: [names: string[], text: string][];
  commandOf(event: KeyboardEvent): Command | undefined;
  actions(app: App): { node: HTMLElement; show(pool: number): void };
  /** Pin a message, as its button does. */
  pin(app: App, pool: number): void;
  follower(app: App): { arrive(make: () => Run, same: boolean, anew?: boolean): void; hold(time: number): void; stop(): void };
}

/** What `api/findings` answers. */
export interface FindingsPage {
  /** What is not looked for in so long a session, in sentences. */
  limits?: string[];
  total: number;
  counts: Record<Severity, number>;
  kinds: { kind: string; severity: Severity | null; total: number }[];
  matching: Record<string, number>;
  findings: FindingRow[];
  marks: WireMarks;
}

/** What `api/compared` answers. */
export interface Compared {
  policy: string;
  settings: Record<string, string>;
  about: string;
  fitted: string[];
  hidden: number | null;
  automatic: boolean;
  why: string;
  status: string;
  reason: string;
  recorded: ComparedSide;
  made: ComparedSide;
  both: number;
  recorded_alone: { total: number; first: number[] };
  policy_alone: { total: number; first: number[] };
  policies: string[];
}

export interface ComparedSide {
  before: number;
  after: number;
  removed: number;
  cleared: number;
  kept: number;
  summary: number | null;
  unreadable?: string;
}

/** What a fork of a transcript would be made of; docs/wire.md. */
export interface ForkPlan {
  agent: string;
  model: string;
  like: string;
  tools: string[];
  missing: string[];
  folder: string;
  policy: string;
  settings: Record<string, string>;
  simulated: boolean;
  governed: boolean;
  meter: string;
  recounted: boolean;
}
