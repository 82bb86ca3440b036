// The line on which a page hears of a live run: a WebSocket, one question at a time, and none while the tab is hidden.
import { refusalText } from "../lib/json.js";
/** @import { News } from "./types.js" */

/** Milliseconds between an answer and the next question; and after the line broke. */
const PAUSE = 60;
const AGAIN = 2000;

/**
 * @typedef {object} Listener
 * @property {() => Promise<object>} question what the page holds, and so what it asks for
 * @property {(news: News) => void} hear
 * @property {(error: Error & {status?: number}) => void} lose told each time that there is no connection, and why
 */

export class NewsLine {
  /** @param {URL} url @param {Listener} listener */
  constructor(url, listener) {
    this.url = url;
    this.listener = listener;
    /** @type {WebSocket | null} */ this.socket = null;
    this.timer = 0;
    this.stopped = new AbortController();
    document.addEventListener("visibilitychange", () => this.#turn(), { signal: this.stopped.signal });
    this.#turn();
  }

  #turn() {
    if (document.hidden) this.#hangUp();
    else if (!this.socket) this.#dial();
  }

  #dial() {
    clearTimeout(this.timer);
    const address = new URL(this.url);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    let opened = false;
    this.socket = socket;
    socket.onopen = () => ((opened = true), void this.#ask(socket));
    socket.onmessage = ({ data }) => this.#answered(socket, JSON.parse(data));
    socket.onclose = async () => {
      if (this.socket === socket) this.#broken(socket, opened ? new Error(RETRYING) : await this.#refusal());
    };
  }

  /** @param {WebSocket} socket */
  async #ask(socket) {
    const question = JSON.stringify(await this.listener.question());
    if (this.socket === socket) socket.send(question);
  }

  /** @param {WebSocket} socket @param {News | Refusal} said */
  #answered(socket, said) {
    if (this.socket !== socket) return;
    if ("error" in said) return this.#broken(socket, refused(said));
    this.listener.hear(said);
    this.timer = setTimeout(() => this.#ask(socket), PAUSE);
  }

  /** Why the line did not open: a WebSocket does not tell. */
  async #refusal() {
    const answer = await fetch(this.url).catch(() => null);
    const body = answer?.status === 403 ? await answer.json().catch(() => null) : null;
    return body ? refused({ ...body, status: 403 }) : new Error(RETRYING);
  }

  /** @param {WebSocket} socket @param {Error} error */
  #broken(socket, error) {
    if (this.socket !== socket) return;
    this.#hangUp();
    this.listener.lose(error);
    this.timer = setTimeout(() => this.#turn(), AGAIN);
  }

  #hangUp() {
    const { socket } = this;
    clearTimeout(this.timer);
    this.socket = null;
    socket?.close();
  }

  stop() {
    this.stopped.abort();
    this.#hangUp();
  }
}

/** @typedef {{error: string, hint?: string, status: number}} Refusal */

/** What is said while nothing answers. */
export const RETRYING = "The server does not answer. Nothing is lost; retrying.";

/** @param {Refusal} said */
const refused = (said) => Object.assign(new Error(refusalText(said)), { status: said.status });
