// What a live run adds to the debugger: its bar, its keys, its actions on a message, and following its newest step.
import { part } from "./bar.js";
import { Follower } from "./follower.js";
import { leaveFor, stoodAt } from "../run/liveplaces.js";
import { LIVE_KEYS, liveCommandOf } from "./keys.js";
import { MessageActions } from "./messageactions.js";
/** @import { LiveExtension } from "../debugger/types.js" */
/** @import { LiveRun } from "./liverun.js" */

/** @param {LiveRun} drive @returns {LiveExtension} */
export const liveExtension = (drive) => ({
  debug: (app) => {
    leaveFor(drive.id, app.why.query);
    app.tell("debug", drive.id);
  },
  stood: (step) => stoodAt(drive.id, step),
  bar: (root, app) => part(root, app, drive),
  keys: LIVE_KEYS,
  commandOf: (event) => liveCommandOf(event, drive),
  pin: (app, pool) => {
    app.select(app.run.pool.row(pool).key);
    drive.ask("pin");
  },
  actions: (app) => new MessageActions(app, drive),
  follower: (app) => new Follower(app),
});
