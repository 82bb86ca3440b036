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
