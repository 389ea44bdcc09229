// What waits for a decision, and the form that takes it.

import { make, visible, written } from "./dom.js";

let forms = 0;

export class Approval {
  /**
   * A form for the calls of a script, or for the script as a whole.
   *
   * @param calls What waits: `tool_call_id`, `tool_name`, `args`, and `text`, which is null if the call can only be denied.
   * @param whole Whether it is the script itself that waits.
   * @param answer Called with the answers: by id, `approved`, `editedArgs` and `reason`.
   */
  constructor(calls, whole, answer) {
    this.questions = calls.map((call) => new Question(call, whole));
    const many = calls.length > 1;
    const title = whole ? "May this script run?" : many ? `${calls.length} calls need your approval` : "A call needs your approval";
    this.heading = make("h3", { tabIndex: -1 }, title);
    this.hint = make("p", { className: "hint", role: "alert" });
    const buttons = make("div", { className: "buttons" });
    buttons.append(make("button", { className: "main", type: "submit" }, "Continue"));
    if (many) buttons.append(button("Approve all", () => this.questions.forEach((one) => one.choose("approve"))));
    const script = calls[0].script_id;
    if (script) buttons.append(button("Stop the script", () => answer({ [script]: { approved: false } })));
    this.element = make("form", { className: "approval", noValidate: true, "aria-label": title });
    this.element.append(this.heading, ...this.questions.map((one) => one.element), this.hint, buttons);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit(answer);
    });
  }

  #submit(answer) {
    const decided = this.questions.filter((one) => one.choice);
    if (!decided.length) {
      this.hint.textContent = "Decide about at least one call; the others keep waiting.";
      return;
    }
    const wrong = decided.find((one) => one.problem());
    this.hint.textContent = wrong ? wrong.problem() : "";
    if (wrong) return;
    for (const part of this.element.elements) part.disabled = true;
    answer(Object.fromEntries(decided.map((one) => [one.id, one.answer()])));
  }
}

/** All of the arguments, if the text of the call cuts one. */
function wholeArguments(call, lines) {
  if (!lines.some((line) => / … [\d,]+ more \w+$/.test(line))) return "";
  const shown = Object.entries(call.args).map(([name, value]) => make("span", {}, `${visible(name)} = ${written(value)}`));
  return make("details", { open: true }, make("summary", {}, "All of the arguments"), make("pre", {}, ...shown));
}

class Question {
  constructor(call, whole) {
    this.id = call.tool_call_id;
    this.name = `choice-${(forms += 1)}`;
    this.fields = Object.entries(call.args).map(([name, value]) => new Field(name, value, whole));
    this.reason = make("input", { type: "text", id: `${this.name}-reason`, autocomplete: "off" });
    this.changes = make("div", { className: "fields", hidden: true }, ...this.fields.map((field) => field.element));
    this.why = make("div", { className: "fields", hidden: true });
    this.why.append(make("label", { htmlFor: this.reason.id }, "Why not? The script reads the reason."), this.reason);
    const hidden = !whole && call.text === null;
    const [title, ...lines] = whole ? ["run_code"] : hidden ? [visible(call.tool_name)] : call.text.split("\n");
    this.element = make("fieldset", {}, make("legend", {}, make("code", {}, title)));
    if (hidden) this.element.append(make("p", {}, "This call has too many arguments to show them here. It can only be denied."));
    else if (!whole) this.element.append(make("pre", {}, ...lines.map((line) => make("span", {}, line))), wholeArguments(call, lines));
    const choices = hidden
      ? [this.#choice("deny", "Deny")]
      : [
          this.#choice("approve", "Approve"),
          this.#choice("change", whole ? "Change the code" : "Change the arguments"),
          this.#choice("deny", "Deny"),
        ];
    this.element.append(make("div", { className: "choices" }, ...choices), this.changes, this.why);
  }

  get choice() {
    return this.element.querySelector("input[type=radio]:checked")?.value ?? null;
  }

  choose(choice) {
    const radio = this.element.querySelector(`input[value=${choice}]`);
    if (radio) radio.checked = true;
    this.#unfold();
  }

  /** What is wrong with the changed arguments, in words. */
  problem() {
    return this.choice === "change" ? (this.fields.map((field) => field.problem()).find(Boolean) ?? null) : null;
  }

  answer() {
    if (this.choice === "deny") return { approved: false, reason: this.reason.value || undefined };
    if (this.choice === "approve") return { approved: true };
    return { approved: true, editedArgs: Object.fromEntries(this.fields.map((field) => [field.name, field.value()])) };
  }

  #choice(value, text) {
    const radio = make("input", { type: "radio", name: this.name, value });
    radio.addEventListener("change", () => this.#unfold());
    return make("label", {}, radio, ` ${text}`);
  }

  #unfold() {
    this.changes.hidden = this.choice !== "change";
    this.why.hidden = this.choice !== "deny";
  }
}

class Field {
  constructor(name, value, whole) {
    this.name = name;
    this.text = typeof value === "string";
    const id = `field-${(forms += 1)}`;
    const rows = whole && this.text ? Math.min(value.split("\n").length + 1, 20) : 1;
    this.input = make("textarea", { id, rows, spellcheck: !whole, value: this.text ? value : written(value) });
    this.element = make("div", { className: "field" }, make("label", { htmlFor: id }, visible(name)), this.input);
  }

  value() {
    return this.text ? this.input.value : JSON.parse(this.input.value);
  }

  problem() {
    try {
      this.value();
      return null;
    } catch {
      return `${this.name} has to be JSON: a number, true, null, "text", [...] or {...}.`;
    }
  }
}

function button(text, pressed) {
  const made = make("button", { type: "button" }, text);
  made.addEventListener("click", pressed);
  return made;
}
