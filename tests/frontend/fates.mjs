// What `api/fate` answers of texts in the run of packed.mjs, for the tests beside this file.

const stretch = (from, to, state, at, title, text = "") => ({ from, to, state, at, title, text });

export const happened = (step, kind, words, more = {}) => ({
  ...{ step, kind, at: -1, k: -1, number: "", role: "user", tokens: 0, quote: "", match: "", lacked_at: step, words },
  ...more,
});

/** Of a text that message 1 says, and that stays. */
export const fate = (changes = {}) => ({
  ...{ text: "do it", steps: 7, match: "exact", places: [1], total: 1, common: false },
  lane: [stretch(0, 0, "before", [], "Not said yet."), stretch(1, 6, "verbatim", [1], "In the window.")],
  events: [happened(1, "said", "Said by the user", { at: 1 })],
  uses: [],
  reasons: [],
  ...changes,
});

/** Of the same where compaction 1, leaves it out, and the model needs it at the last message. */
export const gone = (changes = {}) =>
  fate({
    lane: [
      stretch(0, 0, "before", [], "Not said yet."),
      stretch(1, 3, "verbatim", [1], "In the window."),
      stretch(4, 6, "gone", [], "Gone since compaction 1: summary #1 left it out.", "Needed at message 6, when nothing in the window said it."),
    ],
    events: [
      happened(1, "said", "Said by the user", { at: 1 }),
      happened(4, "taken", "Compaction 1 summarized what had it", { at: 1, k: 0, number: "#1" }),
      happened(4, "left_out", "Gone: left out of summary #1", { k: 0, number: "#1" }),
      happened(6, "needed", "Needed: a word match, “it”; nothing in the window said it", {
        at: 5,
        role: "assistant",
        quote: "and <b>it</b>?",
        match: "words",
      }),
    ],
    reasons: [{ k: 0, text: "agentkit.memory keeps the newest 2 messages; message 2 was 3rd from the end at #1." }],
    ...changes,
  });
