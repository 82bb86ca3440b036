import type { Form } from "./forms.js";

/** A run, a session or a list that is handed on. */
export interface Subject {
  /** Where it is asked for, and what names it there. */
  path: string;
  named: object;
  /** What else a file of it is asked for with. */
  more: More;
  /** What it is called, where the page does not say. */
  title?: string;
}

/** Of a run: where it is looked at, whether its overview is, the texts that are followed. */
export interface More {
  step?: number;
  overview?: boolean;
  texts?: string[];
  /** Other runs of the same session that come along, by what the server calls them. */
  others?: string[];
  /** Of lanes beside each other: which one the others are measured against, and how many messages have arrived. */
  base?: number;
  message?: number;
}

/** What the server says of the secrets of what is handed on. */
export type Answer = { found: Secret[]; list: string };

/** How many of how many texts have been read. */
export interface SearchProgress {
  read: number;
  of: number;
}

/** A line while a file is made: what is done now, or at last the file, or why there is none. */
export interface Line {
  doing?: string;
  ready?: Ready;
  failed?: string;
  hint?: string;
}

/** The page that Share stands on. */
export interface Host {
  /** What is handed on in this form; null where nothing is chosen that has it. */
  subject(form: Form): Subject | null;
  copyLink?(): void;
  /** Pictures of what is on screen, made here; null where there are none. */
  pictures: { svg(): Blob; png(): Promise<Blob> } | null;
  /** Whether lanes stand beside each other there. */
  lanes?: true;
  /** The text that Why is open on, "" for none. */
  text?(): string;
  /** Of a list: what its forms are headed, and what a row of it holds. */
  list?: { label: string; about: string };
}

/** Something that looks secret or personal, as the server lists it. */
export interface Secret {
  number: number;
  kind: string;
  preview: string;
  times: number;
}

/** A file that the server has made ready. */
export interface Ready {
  file: string;
  name: string;
  bytes: number;
  sizes: Record<string, number>;
  left_out: string[];
  masked: number;
}
