/** A run that the file holds. */
export interface Listed {
  tid: string;
  name: string;
}

/** The block "head": what the file holds; docs/wire.md. */
export interface Head {
  version: 1;
  sid: string;
  /** The first message of each block of messages. */
  starts: number[];
  runs: Listed[];
  /** The step it opens at, "" for none in particular. */
  start: string;
  /** The policy that recorded compactions are compared with, and its settings. */
  rival: { policy?: string } & Record<string, string>;
}
