// Streamlit calls a component's function on mount and on every change; one instance is kept for each parent element.
import { leavePage } from "./leaving.js";
import { pageHasCome } from "./pageback.js";
/** @import { Component, Mounted, Python } from "./types.js" */

/**
 * The function that Streamlit calls for a component.
 * @template Data
 * @param {(parent: Component<Data>["parentElement"], python: Python) => Mounted<Data>} make  `python` reaches the newest call's setters
 * @param {string[]} [leading]  the triggers that lead to another page
 * @returns {(component: Component<Data>) => () => void}
 */
export function mounted(make, leading = []) {
  /** @type {WeakMap<object, {instance: Mounted<Data>, component: Component<Data>}>} */
  const all = new WeakMap();
  const mount = (/** @type {Component<Data>} */ component) => {
    const entry = { component, instance: /** @type {Mounted<Data>} */ ({}) };
    const python = {
      state: (/** @type {string} */ name, /** @type {unknown} */ value) => entry.component.setStateValue(name, value),
      trigger: (/** @type {string} */ name, /** @type {unknown} */ value) => {
        if (leading.includes(name)) leavePage();
        entry.component.setTriggerValue(name, value);
      },
    };
    entry.instance = make(component.parentElement, python);
    all.set(component.parentElement, entry);
    pageHasCome();
    return entry;
  };
  return (component) => {
    const { parentElement } = component;
    const entry = all.get(parentElement) ?? mount(component);
    entry.component = component;
    entry.instance.update(component.data);
    return () => {
      // Streamlit also runs the clean-up of a call that a newer one has overtaken
      const host = "host" in parentElement ? parentElement.host : parentElement;
      if (host.isConnected || !all.delete(parentElement)) return;
      entry.instance.destroy();
    };
  };
}
