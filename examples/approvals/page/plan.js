// A plan that waits for a decision: one table with all changes that a script will make.

import { make, visible, written } from "./dom.js";

let plans = 0;

export class Plan {
  /**
   * A form for the rows of a plan.
   *
   * @param calls The rows, as `PendingCall.to_json()` gives them: each has `row`.
   * @param answer Called with the answers: by id, `approved`, and for more calls like it `grant`.
   */
  constructor(calls, answer) {
    this.name = `plan-${(plans += 1)}`;
    const title = `The script will make ${calls.length} ${calls.length === 1 ? "change" : "changes"}`;
    this.heading = make("h3", { tabIndex: -1 }, title);
    this.hint = make("p", { className: "hint", role: "alert" });
    this.rows = calls.map((call) => new Row(call, this.name));
    const head = ["Row", "Call", "Arguments", "Good to know", "Approve"].map((text) => make("th", { scope: "col" }, text));
    const table = make("table", { className: "plan" }, make("caption", { className: "unseen" }, title));
    table.append(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...this.rows.map((row) => row.element)));
    const skipped = calls.flatMap((call) => call.row.skipped ?? []);
    const left = skipped.length ? make("p", {}, `Approved before, and left out by the script: ${visible(skipped.join(", "))}`) : null;
    this.grants = firstOfLines(calls.filter((call) => call.row.asked_before && call.text !== null)).map((call) => new Grant(call, this.name));
    const buttons = make("div", { className: "buttons" });
    buttons.append(make("button", { className: "main", type: "submit" }, "Continue"));
    buttons.append(button("Approve none", () => this.rows.forEach((row) => row.choose(false))));
    buttons.append(button("Stop the script", () => answer({ [calls[0].script_id]: { approved: false } })));
    this.element = make("form", { className: "approval", noValidate: true, "aria-label": title });
    this.element.append(this.heading, table, ...(left ? [left] : []), ...this.grants.map((one) => one.element), this.hint, buttons);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      const wrong = this.grants.map((one) => one.problem()).find(Boolean);
      this.hint.textContent = wrong ?? "";
      if (wrong) return;
      for (const part of this.element.elements) part.disabled = true;
      answer(this.#answers());
    });
  }

  #answers() {
    const answers = Object.fromEntries(this.rows.map((row) => [row.id, { approved: row.box.checked }]));
    for (const grant of this.grants) {
      if (answers[grant.id].approved && grant.count() > 0) answers[grant.id].grant = grant.limits();
    }
    return answers;
  }
}

class Row {
  constructor(call, plan) {
    this.id = call.tool_call_id;
    const { number, line } = call.row;
    const shown = call.text === null ? "too many to be shown" : Object.entries(call.args).map(([name, value]) => `${visible(name)} = ${written(value)}`);
    this.box = make("input", { type: "checkbox", id: `${plan}-${number}`, checked: call.text !== null, disabled: call.text === null });
    const label = make("label", { htmlFor: this.box.id }, make("span", { className: "unseen" }, `Approve row ${number}`));
    const where = line === null ? null : make("span", { className: "where" }, ` line ${line}`);
    this.element = make(
      "tr",
      {},
      make("th", { scope: "row" }, `${number}`),
      cell("Call", make("code", {}, visible(call.tool_name)), where),
      cell("Arguments", ...[shown].flat().map((text) => make("code", {}, text))),
      cell("Good to know", notes(call.row)),
      cell("Approve", this.box, label),
    );
  }

  choose(yes) {
    if (!this.box.disabled) this.box.checked = yes;
  }
}

class Grant {
  constructor(call, plan) {
    this.id = call.tool_call_id;
    this.call = call;
    const id = `${plan}-more-${call.row.number}`;
    this.more = make("input", { type: "number", id, min: 0, step: 1, value: "0", inputMode: "numeric" });
    this.limit = Object.keys(call.args).map((name) => new Limit(name, call, `${id}-${visible(name)}`));
    const where = call.row.line === null ? "" : ` of line ${call.row.line}`;
    this.element = make("details", { className: "grant" }, make("summary", {}, `Approve more calls of ${visible(call.tool_name)}${where} than these`));
    const fields = make("div", { className: "fields" }, make("label", { htmlFor: id }, "How many more?"), this.more);
    this.element.append(fields, ...this.limit.map((one) => one.element));
  }

  count() {
    return Number(this.more.value);
  }

  /** What is wrong with the limits, in words. */
  problem() {
    if (!Number.isInteger(this.count()) || this.count() < 0) return "How many more calls has to be a whole number.";
    return this.count() ? (this.limit.map((one) => one.problem()).find(Boolean) ?? null) : null;
  }

  limits() {
    const equal = this.limit.filter((one) => one.kind.value === "same").map((one) => one.name);
    const maximum = this.limit.filter((one) => one.kind.value === "most").map((one) => [one.name, Number(one.most.value)]);
    return { count: this.count(), equal, maximum: Object.fromEntries(maximum) };
  }
}

class Limit {
  constructor(name, call, id) {
    this.name = name;
    const open = [...call.row.holes.map((hole) => hole.path), ...call.row.computed].some((path) => path[0] === name);
    const kinds = [...(open ? [] : [["same", "the same"]]), ["most", "a number of at most"], ["any", "anything"]];
    this.kind = make("select", { id }, ...kinds.map(([value, text]) => make("option", { value }, text)));
    this.most = make("input", { type: "number", step: "any", "aria-label": `The most for ${visible(name)}` });
    this.element = make("div", { className: "limit" }, make("label", { htmlFor: id }, visible(name)), this.kind, this.most);
    const unfold = () => (this.most.hidden = this.kind.value !== "most");
    this.kind.addEventListener("change", unfold);
    unfold();
  }

  problem() {
    const wrong = this.kind.value === "most" && (this.most.value === "" || Number.isNaN(Number(this.most.value)));
    return wrong ? `The most for ${visible(this.name)} has to be a number.` : null;
  }
}

function notes(row) {
  const paths = (found) => found.map((path) => visible(path.join("."))).join(", ");
  return [
    row.status === "approved" ? "approved before" : "",
    row.only_if === null ? "" : `only if row ${row.only_if} succeeds`,
    row.holes.length ? `${paths(row.holes.map((hole) => hole.path))} from earlier rows` : "",
    row.computed.length ? `${paths(row.computed)} may differ` : "",
    row.asks_again ? "asks again when that is known" : "",
  ]
    .filter(Boolean)
    .join("; ");
}

function firstOfLines(calls) {
  const lines = new Map();
  for (const call of calls) {
    const line = `${call.tool_name} ${call.row.line}`;
    if (!lines.has(line)) lines.set(line, call);
  }
  return [...lines.values()];
}

function cell(name, ...children) {
  return make("td", { "data-name": name }, ...children);
}

function button(text, pressed) {
  const made = make("button", { type: "button" }, text);
  made.addEventListener("click", pressed);
  return made;
}
