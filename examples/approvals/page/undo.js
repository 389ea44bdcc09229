// Taking back what the scripts of a chat changed: first the list, then the deed.

import { make, visible } from "./dom.js";
import { undo } from "./stream.js";

/** A button that lists what can be undone, and then undoes it. */
export function undoing(chat) {
  const list = make("ul");
  const button = make("button", { type: "button" }, "Undo changes");
  const element = make("section", { className: "undo", "aria-label": "Undo" }, button, list);
  let commit = false;
  let seen = [];
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const calls = await undo(chat, commit, seen);
      seen = calls.map((call) => call.text);
      list.replaceChildren(...calls.map((call) => make("li", { className: call.status }, visible(call.text))));
      const open = calls.filter((call) => call.status === "can" || call.status === "failed").length;
      if (!calls.length) list.append(make("li", {}, "Nothing was changed."));
      commit = open > 0;
      button.textContent = commit ? `Take back ${open}` : "Undo changes";
    } catch (error) {
      list.replaceChildren(make("li", { className: "error" }, error.message));
    }
    button.disabled = false;
  });
  return element;
}
