// The chat: events come in and become what is seen; messages and answers go out.

import { Approval } from "./approval.js";
import { make } from "./dom.js";
import { Plan } from "./plan.js";
import { Script } from "./script.js";
import { id, load, Refused, send } from "./stream.js";
import { undoing } from "./undo.js";

const JOBS = [
  "Refund a fifth of every late order.",
  "Delete the customers who never ordered.",
  "Tell every customer how late we are.",
  "Credit everyone for the days they waited.",
];
const page = Object.fromEntries(["log", "status", "suggestions", "say", "text", "new"].map((name) => [name, document.getElementById(name)]));

/** What is seen of a chat. */
class Chat {
  constructor(chat) {
    this.id = chat;
    /** Whether the server still replays earlier events; the last of them says what can be done. */
    this.replays = true;
    this.messages = new Map();
    this.scripts = new Map();
    this.returned = new Map();
    this.interrupts = [];
    this.asked = null;
    page.log.replaceChildren();
  }

  /** One event of AG-UI. A reader at the end keeps seeing it. */
  takes(event) {
    const end = sees_end();
    this.#takes(event);
    if (end && this.asked) this.asked.element.scrollIntoView({ block: fits(this.asked.element) ? "end" : "start" });
    else if (end) window.scrollTo(0, document.body.scrollHeight);
  }

  #takes(event) {
    switch (event.type) {
      case "RUN_STARTED":
        return this.works();
      case "TEXT_MESSAGE_CONTENT":
        return this.says(event.messageId, event.delta);
      case "TOOL_CALL_START":
        this.scripts.set(event.toolCallId, new Script(event.toolCallId, this.scripts.size + 1));
        return this.adds(this.scripts.get(event.toolCallId).element);
      case "TOOL_CALL_ARGS":
        return this.scripts.get(event.toolCallId)?.writes(event.delta);
      case "TOOL_CALL_END":
        return this.scripts.get(event.toolCallId)?.becomes("running");
      case "TOOL_CALL_RESULT":
        this.returned.set(event.messageId, event.toolCallId);
        return this.scripts.get(event.toolCallId)?.returns(event.content);
      case "REASONING_ENCRYPTED_VALUE":
        return this.failed(event);
      case "CUSTOM":
        return this.hears(event.name, event.value);
      case "RUN_FINISHED":
        this.interrupts = event.outcome?.interrupts ?? [];
        return this.replays ? null : this.asks();
      case "RUN_ERROR":
        for (const script of this.scripts.values()) script.stops("stopped");
        return this.adds(make("p", { className: "error" }, event.message));
    }
  }

  /** What scripts do, and what people did. */
  hears(name, value) {
    const script = this.scripts.get(value.run_code_id);
    if (name === "toolscript.call") script?.begins(value);
    if (name === "toolscript.result") script?.ends(value);
    if (name === "toolscript.print") script?.prints(value.text);
    if (name === "toolscript.pause") script?.becomes("waiting");
    if (name === "chat.state") {
      this.replays = false;
      this.can(value.next);
    }
    if (name !== "chat.heard") return;
    if (value.text) this.adds(make("p", { className: "message mine" }, value.text));
    for (const [call, answer] of Object.entries(value.answers)) {
      for (const one of this.scripts.values()) {
        if (call === one.id || one.calls.has(call)) one.decided(call, answer);
      }
    }
  }

  says(message, delta) {
    if (!this.messages.has(message)) {
      this.messages.set(message, make("p", { className: "message" }));
      this.adds(this.messages.get(message));
    }
    this.messages.get(message).textContent += delta;
  }

  /** Reads whether a script failed: this is beside its result, not in it. */
  failed(event) {
    const script = this.scripts.get(this.returned.get(event.entityId));
    const outcome = JSON.parse(event.encryptedValue).pydantic_ai?.outcome;
    if (script && outcome && outcome !== "success") script.becomes(outcome === "denied" ? "stopped" : "failed");
  }

  works() {
    this.asked?.element.remove();
    this.asked = null;
    page.log.querySelectorAll(".go-on, .undo").forEach((button) => button.remove());
    enable(false);
    tell("At work");
  }

  /** Ask for what the last run waits for. */
  asks() {
    this.asked?.element.remove();
    if (!this.interrupts.length) return this.can("say");
    const [interrupt] = this.interrupts;
    const script = this.scripts.get(interrupt.toolCallId);
    const inside = interrupt.metadata?.toolscript_calls ?? [];
    const whole = { tool_call_id: interrupt.toolCallId, tool_name: "run_code", args: script?.given ?? {} };
    const calls = inside.length ? inside : [whole];
    const answer = (answers) => answered(this, interrupt, answers);
    const planned = inside.length && inside.every((call) => call.row && call.kind === "approval");
    this.asked = planned ? new Plan(calls, answer) : new Approval(calls, !inside.length, answer);
    script?.becomes("waiting");
    if (!inside.length && script) script.code.open = true;
    (script?.element ?? page.log).append(this.asked.element);
    enable(false, true);
    tell(calls.length > 1 ? `${calls.length} calls wait for your decision` : "Waits for your decision");
    if (document.activeElement === document.body) this.asked.heading.focus({ preventScroll: true });
  }

  /** What can be done next: `say`, `answer`, or `continue` with a run that was broken off. */
  can(next) {
    enable(next === "say");
    if (next === "say") {
      if (this.scripts.size) this.adds(undoing(this.id));
      tell("");
      focus();
    }
    if (next === "answer") this.asks();
    if (next !== "continue") return;
    tell("The last run was broken off.");
    const button = make("button", { type: "button", className: "main go-on" }, "Continue");
    button.addEventListener("click", () => turn(this, {}));
    this.adds(button);
  }

  adds(element) {
    page.log.append(element);
  }
}

/** Where nothing has the focus, the next thing to be done gets it; not on a phone, whose keyboard would come up. */
function focus() {
  if (document.activeElement === document.body && !matchMedia("(pointer: coarse)").matches) page.text.focus({ preventScroll: true });
}

function sees_end() {
  return window.innerHeight + window.scrollY > document.body.scrollHeight - 80;
}

function fits(element) {
  return element.offsetHeight < window.innerHeight - page.say.parentElement.offsetHeight;
}

function tell(text) {
  page.status.textContent = text;
}

function enable(on, asked = false) {
  page.say.hidden = asked;
  for (const part of [...page.say.elements, ...page.suggestions.children]) part.disabled = !on;
}

/** Send something, and see what comes of it. */
async function turn(chat, body) {
  enable(false);
  try {
    let last;
    for await (last of send({ threadId: chat.id, ...body })) {
      if (chat !== current) return;
      chat.takes(last);
    }
    if (last?.type === "RUN_FINISHED") return;
    await open(chat.id);
  } catch (error) {
    if (chat !== current) return;
    await open(chat.id, error instanceof Refused ? error.message : "");
  }
}

/** Show a chat from its start; if the server is away, as soon as it is back. */
async function open(chatId, note = "") {
  for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
    const chat = (current = new Chat(chatId));
    try {
      for await (const event of load(chatId)) {
        if (chat !== current) return;
        chat.takes(event);
      }
      if (note) chat.adds(make("p", { className: "error" }, note));
      return;
    } catch (error) {
      if (chat !== current) return;
      if (error instanceof Refused) return tell(error.message);
      tell("The server is away. Trying again.");
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

function say(text) {
  turn(current, { messages: [{ id: id(), role: "user", content: text }] });
}

function answered(chat, interrupt, answers) {
  const [[call, answer], ...others] = Object.entries(answers);
  const payload = !others.length && call === interrupt.toolCallId ? answer : { approved: true, calls: answers };
  turn(chat, { resume: [{ interruptId: interrupt.id, status: "resolved", payload }] });
}

let current;
page.say.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = page.text.value.trim();
  page.text.value = "";
  if (text) say(text);
});
page.text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  page.say.requestSubmit();
});
for (const job of JOBS) {
  const button = make("button", { type: "button" }, job);
  button.addEventListener("click", () => say(job));
  page.suggestions.append(button);
}
page.new.addEventListener("click", () => (location.hash = id()));
window.addEventListener("hashchange", () => open(location.hash.slice(1)));
if (location.hash.length > 1) open(location.hash.slice(1));
else location.replace(`#${id()}`);
