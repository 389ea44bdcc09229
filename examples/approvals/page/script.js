// A script: its code, and its calls as they happen.

import { code, duration, make, written } from "./dom.js";

const STATUS = {
  running: ["…", "running"],
  finished: ["✓", "done"],
  failed: ["✗", "failed"],
  waiting: ["?", "waits for you"],
  unknown: ["–", "not known how it ended"],
};
const STATE = {
  writing: "being written",
  running: "running",
  waiting: "waits for your decision",
  finished: "done",
  failed: "failed",
  stopped: "stopped",
};

export class Script {
  /** A card for a `run_code` call. */
  constructor(id, number) {
    this.id = id;
    this.arguments = "";
    /** The arguments, as far as they are written. */
    this.given = {};
    this.calls = new Map();
    this.state = make("span", { className: "state" });
    this.count = make("span", { className: "count" });
    this.marks = make("span", { className: "marks" });
    this.code = make("details", { className: "source" }, make("summary", {}, "Code"), code(""));
    this.list = make("ol", { className: "calls", "aria-label": "Calls of the script" });
    this.stdout = make("pre", { className: "stdout", hidden: true, role: "group", "aria-label": "Printed by the script" });
    this.result = make("div", {});
    const title = make("h2", {}, "Script ", this.state, this.marks, this.count);
    this.element = make("section", { className: "script", "aria-label": `Script ${number}` });
    this.element.append(title, this.code, this.list, this.stdout, this.result);
    this.becomes("writing");
  }

  /** A piece of the arguments, which are JSON. */
  writes(delta) {
    this.arguments += delta;
    for (const end of ["", '"}']) {
      try {
        this.given = JSON.parse(this.arguments + end);
        this.shows(this.given.code ?? "");
        return;
      } catch {
        // Half of an escape: the next piece has the other half.
      }
    }
  }

  /** The code, as the model wrote it or as somebody changed it. */
  shows(text) {
    this.code.lastElementChild.replaceWith(code(text));
  }

  becomes(state) {
    this.element.dataset.state = state;
    this.state.textContent = STATE[state];
  }

  /** A call begins, perhaps not for the first time: then it waited. */
  begins(call) {
    this.becomes("running");
    const row = this.calls.get(call.call_id) ?? this.#row(call);
    row.arguments.textContent = written_arguments(call.arguments);
    this.#status(row, "running");
  }

  /** A call has ended, or waits. */
  ends(result) {
    const row = this.calls.get(result.call_id);
    if (!row) return;
    this.#status(row, result.status === "running" ? "unknown" : result.status);
    row.time.textContent = result.status === "waiting" || result.reused ? "" : duration(result.seconds);
    if (result.reused) mark(row, "reused", "It ran before and was not run again");
    if (result.speculative) mark(row, "speculative", "It started while the script was still being written");
    if (result.status === "waiting") return;
    const shown = result.error ?? (typeof result.result === "string" ? result.result : written(result.result));
    row.result.textContent = shown;
  }

  prints(text) {
    this.stdout.hidden = false;
    this.stdout.textContent += text;
  }

  /** What somebody decided about a call, or about the script as a whole. */
  decided(id, answer) {
    const word = !answer.approved ? "denied" : answer.editedArgs ? "changed" : "approved";
    const title = answer.reason ? `By you: ${answer.reason}` : "By you";
    if (id !== this.id) {
      const row = this.calls.get(id);
      if (row) mark(row, word, title);
      return;
    }
    this.becomes("running");
    if (answer.editedArgs) this.shows(answer.editedArgs.code);
    mark(this, `${word} by you`, title);
  }

  /** It has ended, and the model reads this. */
  returns(content) {
    this.becomes("finished");
    const text = make("pre", {}, content);
    this.result.replaceChildren(make("details", {}, make("summary", {}, "What the model reads"), text));
  }

  /** It will not continue by itself. */
  stops(state) {
    if (["finished", "failed"].includes(this.element.dataset.state)) return;
    this.becomes(state);
    for (const row of this.calls.values()) {
      if (row.element.dataset.status === "running") this.#status(row, "unknown");
    }
  }

  #row(call) {
    const row = {
      icon: make("span", { className: "icon", "aria-hidden": "true" }),
      status: make("span", { className: "unseen" }),
      arguments: make("span", { className: "arguments" }),
      marks: make("span", { className: "marks" }),
      time: make("span", { className: "time" }),
      result: make("pre", { role: "group", "aria-label": "Result" }),
    };
    const name = make("span", { className: "name" }, call.tool_name);
    const text = make("code", {}, name, row.arguments);
    const head = make("summary", { className: "call" }, row.icon, text, row.status, row.marks, row.time);
    row.element = make("li", {}, make("details", {}, head, row.result));
    if (call.line) head.title = `Line ${call.line}`;
    this.calls.set(call.call_id, row);
    this.list.append(row.element);
    return row;
  }

  #status(row, status) {
    [row.icon.textContent, row.status.textContent] = STATUS[status];
    row.element.dataset.status = status;
    const done = [...this.calls.values()].filter((one) => one.element.dataset.status === "finished").length;
    this.count.textContent = `${done} of ${this.calls.size} calls done`;
  }
}

function written_arguments(given) {
  const texts = Object.entries(given).map(([name, value]) => `${name}=${written(value)}`);
  return `(${texts.join(", ")})`;
}

function mark(row, word, title) {
  const known = [...row.marks.children].some((one) => one.textContent === word);
  if (!known) row.marks.append(make("span", { className: "mark", title, "data-mark": word.split(" ")[0] }, word));
}
