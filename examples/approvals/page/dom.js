// Elements. All text goes in as text: what tools give and people write never becomes markup.

/** An element with properties, and with children, which are elements or texts. */
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A value as somebody reads it: texts as they are written in code, everything else as JSON. */
export function written(value) {
  return visible(JSON.stringify(value, null, typeof value === "object" ? 1 : undefined)?.replace(/\n\s*/g, " ") ?? "");
}

/** A text in which nothing is unseen: what turns the direction of writing, or has no width, could make it look like another. */
export function visible(text) {
  return text.replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
}

/** How long something took. */
export function duration(seconds) {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

/** Code with its lines numbered. */
export function code(text) {
  const lines = visible(text).trimEnd().split("\n").map((line) => make("span", { className: "line" }, line + "\n"));
  return make("pre", { className: "code", tabIndex: 0, role: "region", "aria-label": "Code" }, ...lines);
}
