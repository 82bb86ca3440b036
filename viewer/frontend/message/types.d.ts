import type { Server } from "../lib/api.js";

/** Who asks for a message, and tells what went wrong. */
export interface Asking extends Server {
  message(text: string): void;
}

/** What `api/message`, `api/added` and `api/shadow` answer. */
export interface Message {
  role: string;
  content: string;
  total: number;
  thinking?: string;
  thinking_total?: number;
  tool_calls?: ToolCall[];
  usage?: { input_uncached?: number; cache_read?: number; cache_write?: number; output?: number; cost?: number } | null;
  model?: string;
  timestamp?: string;
  line?: number;
  injected?: string;
  is_error?: boolean;
  images?: { media_type?: string; width: number; height: number }[];
  pairs?: number[];
  lanes?: [number: number, name: string, messages: number][];
}

export interface ToolCall {
  name: string;
  id?: string;
  arguments?: string;
  arguments_total?: number;
  raw?: string;
}
