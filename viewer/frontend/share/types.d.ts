/** A run that is handed on: what it is called to the server, where it is looked at, the texts that are followed. */
export interface Subject {
  tid: string;
  step: number;
  texts: string[];
  /** Other runs of the same session that come along, by what the server calls them. */
  others: string[];
  /** Of lanes beside each other: which one the others are measured against, and how many messages have arrived. */
  base?: number;
  message?: number;
}

/** What the server says of the secrets of a run. */
export type Answer = { found: Secret[]; list: string };

/** A line while a file is made: what is done now, or at last the file, or why there is none. */
export interface Line {
  doing?: string;
  ready?: Ready;
  failed?: string;
  hint?: string;
}

/** The page that Share stands on. */
export interface Host {
  subject(): Subject;
  post(path: string, body: object): Promise<Answer>;
  copyLink(): void;
  /** Pictures of what is on screen, made here; null where there are none. */
  pictures: { svg(): Blob; png(): Promise<Blob> } | null;
  /** Whether lanes stand beside each other there. */
  lanes?: true;
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
