/** What Streamlit calls a component with. */
export interface Component<Data> {
  parentElement: HTMLElement | ShadowRoot;
  data: Data;
  setStateValue(name: string, value: unknown): void;
  setTriggerValue(name: string, value: unknown): void;
}

/** How a mounted component reaches Python. */
export interface Python {
  state(name: string, value: unknown): void;
  trigger(name: string, value: unknown): void;
}

/** One mounted component. */
export interface Mounted<Data> {
  update(data: Data): void;
  destroy(): void;
}

/** What takes dropped files: `tell` sends the source to Python, `message` shows a text. */
export interface DropTarget {
  root: HTMLElement;
  tell(trigger: string, value: string): void;
  message(text: string): void;
}

/** A stretch of a text: from, to (exclusive). */
export type Span = [number, number];

/** A block of Markdown. Its text is named by spans of the source; what no span covers is markup. */
export type Block =
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "heading"; level: number; spans: Span[] }
  | { kind: "code"; info: Span | null; spans: Span[] }
  | { kind: "rule" }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; mark: string; items: Item[] }
  | { kind: "table"; rows: Span[][]; aligns: ("left" | "center" | "right" | "")[] };

/** An item of a list. `number` is null with a bullet; `done` is null where the item is no task. */
export interface Item {
  kind: "item";
  number: number | null;
  done: boolean | null;
  blocks: Block[];
  indent: number;
}

/** A stretch of a paragraph in one style. `kind` "tag" is `<name …>`, "address" the `(…)` of a link. */
export interface TextRun {
  from: number;
  to: number;
  kind: "text" | "code" | "tag" | "address";
  bold: boolean;
  italic: boolean;
  struck: boolean;
  link: boolean;
}
