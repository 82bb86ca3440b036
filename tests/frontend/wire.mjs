// A store and a view cut into the answers a live run would give, as docs/wire.md lays them out.
const deltas = (values) => Array.from(values, (value, k) => value - (k ? values[k - 1] : 0));

/** How many compactions and steps there were once so many messages had arrived. */
export function reached(view, n) {
  const done = view.c.at.filter((at) => at <= n).length;
  return { compactions: done, steps: n + done };
}

/**
 * The answer to a page that holds `held` (messages, compactions, steps) of a run of `n` messages so far.
 * @param store  of the whole run @param view  of the whole run, opened
 */
export function newsOf(store, view, n, held, { life = "a", version = n, back = 0, more = {} } = {}) {
  const { compactions, steps } = reached(view, n);
  const { at, layout, ...c } = view.c;
  const from = held.compactions;
  const part = (list) => (list?.length ? list.slice(from, compactions) : []);
  const slice = (values) => [...values].slice(held.messages, n);
  const epoch = Math.max(0, from - 1);
  const step = Math.max(0, held.steps - back);
  const { tails, spared, heads, bodies, c: _, ...rest } = view;
  const failed = { ...view.failed, at: deltas(view.failed.at) };
  const pins = { ...view.pins, emptied: view.pins.emptied && deltas(view.pins.emptied) };
  const shadows = view.shadows.map((s) => ({ ...s, places: deltas(s.places) }));
  return {
    run: "r",
    life,
    version,
    header: { ...store.header, labels: undefined, n },
    messages: {
      from: held.messages,
      tokens: slice(store.tokens),
      roles: slice(store.role),
      flags: slice(store.flags),
      labels: slice(store.label).map((k) => store.header.labels[k]),
      previews: Array.from({ length: n - held.messages }, (_, k) => store.preview(held.messages + k)),
    },
    view: { ...rest, length: steps, failed, pins, shadows, ...more },
    c: { from, at: part([...at]), layout: part(layout), ...Object.fromEntries(Object.entries(c).map(([name, list]) => [name, part(list)])) },
    epochs: { from: epoch, heads: heads.slice(epoch, compactions + 1), bodies: bodies.slice(epoch, compactions + 1) },
    steps: { from: step, tails: [...tails].slice(step, steps), spared: [...spared].slice(step, steps) },
    state: {},
  };
}
