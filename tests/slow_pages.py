"""A slow machine, on demand: FOLDLINE_SLOW=6 divides the speed of every page, FOLDLINE_LATE=300 delays answers and frames.

The tests that Node runs are late with what they inflate.

Neither is set as a rule. A test that is green only without them acts before the page is ready for it, or the page has a race.
"""

import os
from typing import Any

SLOW = float(os.environ.get("FOLDLINE_SLOW", "1"))  # how many times slower a page's scripts, styles and layout are
LATE = float(
    os.environ.get("FOLDLINE_LATE", "0")
)  # milliseconds an answer, a message or a frame is late at most, at random;
# a frame never more than 300

DELAY = """
(() => {
  const later = setTimeout.bind(window);
  const some = () => new Promise((done) => later(done, Math.random() * LATE));
  const ask = window.fetch.bind(window);
  window.fetch = async (what, ...rest) => {
    const answer = await ask(what, ...rest);
    if (String(what?.url ?? what).includes('api/')) await some();
    return answer;
  };
  const frame = window.requestAnimationFrame.bind(window);
  let [due, next, asked] = [new Map(), new Map(), 0];
  const run = (time) => {
    [due, next] = [next, new Map()];
    for (const [, callback] of due) callback(time);
  };
  window.requestAnimationFrame = (callback) => {
    if (!next.size) later(() => frame(run), Math.random() * Math.min(LATE, 300));
    next.set(++asked, callback);
    return asked;
  };
  window.cancelAnimationFrame = (id) => [due, next].forEach((some) => some.delete(id));
  // Messages of a socket keep their order.
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...how) {
      super(...how);
      let last = Promise.resolve();
      const again = new WeakSet();
      this.addEventListener('message', (event) => {
        if (again.has(event)) return;
        event.stopImmediatePropagation();
        const copy = new MessageEvent('message', { data: event.data, origin: event.origin });
        again.add(copy);
        const due = some();
        last = last.then(() => due).then(() => this.dispatchEvent(copy));
      });
    }
  };
})();
"""


def slowed(page: Any) -> Any:
    """The page, as slow as the environment asks for."""
    if SLOW > 1:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
    if LATE:
        page.add_init_script(DELAY.replace("LATE", str(LATE)))
    return page
