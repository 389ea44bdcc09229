// What the server sends: events in AG-UI's words, one after the other.

/** The server said no, and why. */
export class Refused extends Error {}

/** The events of a turn. */
export async function* send(turn) {
  const body = { state: {}, messages: [], tools: [], context: [], forwardedProps: {}, ...turn };
  yield* events("/ag-ui", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ runId: id(), ...body }),
  });
}

/** All that a chat was sent, what comes while it is at work, and at last what can be done next. */
export async function* load(chat) {
  yield* events(`/chats/${encodeURIComponent(chat)}`);
}

/** What the scripts of a chat changed; with `commit`, taken back, unless it is not what was seen. */
export async function undo(chat, commit, seen) {
  const response = await fetch(`/chats/${encodeURIComponent(chat)}/undo`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ commit, seen }),
  });
  if (!response.ok) throw new Refused(await response.text());
  return await response.json();
}

/** A text that nobody guesses. */
export function id() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function* events(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Refused(await response.text());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (rest + value).split("\n\n");
    rest = frames.pop();
    for (const frame of frames) yield JSON.parse(frame.replace(/^data: /, ""));
  }
}
