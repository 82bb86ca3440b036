// The words of the project and what they mean: for the help dialog, and for each word where it stands.

/** The regions of a window: id, name, meaning. @type {[string, string, string][]} */
export const REGIONS = [
  ["system", "system", "Pinned: never compacted. P: pinned for another reason, such as content that the policy cannot clear."],
  ["summary", "summary", "Written by an earlier compaction in place of the messages it removed."],
  [
    "compactable",
    "compactable",
    "What the next compaction may remove or clear. In a recorded run, looking back (hindsight): what the next recorded one did remove or clear.",
  ],
  [
    "recent",
    "recent",
    "The newest messages, kept unchanged. May stay: a further pass of the compaction, or the policy's fallback, may take them. In a recorded run, looking back (hindsight): what the next recorded compaction did keep.",
  ],
  ["cleared", "cleared", "Still in the window, its content removed or shortened; the original is struck through."],
  ["message", "message", "In the window of a recorded run: no later compaction is recorded, or the record does not say what it removed."],
  ["ghost", "ghost", "No longer in the window: summarized or dropped."],
];

/** The other words, one for each thing. @type {[string, string][]} */
export const WORDS = [
  ["Transcript", "The file: Claude Code JSONL, an OpenAI message list, and so on."],
  ["Session", "The transcript once loaded; the same shape for every format."],
  ["Message", "One entry of a session: system, user, assistant or tool. One API reply is one message."],
  ["Turn", "From one typed user message up to the next."],
  ["Tool pair", "An assistant's tool call and the tool message that answers it."],
  ["Window", "The messages a model call would be sent at one point."],
  ["Compaction", "One event that removed, shortened or summarized messages of the window. Recorded, or simulated."],
  [
    "Hindsight",
    "Looking back from later. Before a recorded compaction its messages are already marked by what it was going to take or keep; at that moment nobody knew.",
  ],
  ["Inferred", "Of what a compaction took or kept: the record does not say it, so foldline concludes it."],
  ["Put back", "What the agent sends again after a compaction, such as files that it had read, the tools and the to-do list."],
  ["Partial", "Of a recorded compaction: the transcript says that it happened, but not everything, such as which messages stayed."],
  ["Source", "A message that shares its words with a sentence of a summary. Words are compared: it is a match, not a proof."],
  ["Ledger", "What was said in the messages that a compaction took, whether its summary still says it, and when it was needed later."],
  ["Ghosts", "Messages that have left the window, shown where they stood: Show removed."],
  ["Splice", "The last phase of a compaction: what it put in takes the place of what it took, and the window closes up."],
  ["Follow", "Stay at the newest message while a run goes on or its file is being written."],
  [
    "Needed",
    "The model or the user later says a text, a name in it or its rare words, while the window does not say it. Words are compared, nothing is understood.",
  ],
  ["Content words", "The words of a text without those that stand in any text, such as “the” and “is”."],
  ["Budget", "The policy's limit in tokens. How much stays unchanged at the end is set beside it: keep_recent."],
  ["keep_recent", "How many of the newest messages, or how many tokens of them, a compaction leaves unchanged."],
  ["Pinned", "Stays in the window through every compaction."],
  ["Orphaned", "A tool result whose call has left the window, or a call whose result has. Real APIs reject such a window."],
  ["Meter", "What counts tokens. ~ marks an estimate: the meter is not the model's own, so the parts and rows are estimates too."],
  ["Calibrated", "The meter o200k_base times a scale learned from earlier model calls; how far it is off is a share of the recorded prompts."],
  [
    "Not in this file",
    "What a recorded prompt held beyond the messages: system prompt, tools, what the agent added, earlier messages where the file begins midway; also what the meter counts too low, less what it counts too high, so it changes from prompt to prompt. Hatched.",
  ],
  ["Policy", "The rule that compacts: trigger, scope, transform, placement, loop."],
  ["Region", "What the policy does with a message; the colors above."],
  ["Step", "One stop of the cursor: a message arrived, or a compaction happened. Messages count from 1."],
  ["Trace", "Every step and compaction of a run, as it was recorded or under a policy."],
  ["Finding", "Something worth attention, with its evidence."],
  ["Lane", "A followed text along the timeline: solid in a message of the window, thin in a summary only, dashed in other words, hatched nowhere."],
];

/** What a region is, in a sentence or two; "" for what is no region. @param {string} region */
export const meaningOf = (region) => REGIONS.find(([id]) => id === region)?.[2] ?? "";

/** What another word means, in a sentence; "" for one that is not there. @param {string} word */
export const wordMeans = (word) => WORDS.find(([name]) => name === word)?.[1] ?? "";
