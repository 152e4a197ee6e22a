// Requests to the server: questions, answers, events and the access token.

import { find } from "./page.js";

// Messages for refused requests, by the key in the server's answer.
const SENTENCES = {
  move: (found) => found
    ? `“${found}” is not a legal move here. Type a move such as Nf3 or e2e4, or drag a piece.`
    : "Type a move such as Nf3 or e2e4, or drag a piece.",
  position: (found, error) => {
    const [, why] = /is illegal: (.*)\)$/.exec(error ?? "") ?? [];
    if (why) return `This position cannot be played: ${why}.`;
    return `This is not a position: “${found}”. Paste a complete FEN, or leave the field empty.`;
  },
  pgn: (found, error) => {
    const [, why] = /\(allowed: (.*)\)$/s.exec(error ?? "") ?? [];
    if (!why || why.startsWith("a game")) return "There is no game with moves in this text. Paste one game in PGN.";
    return `This game cannot be read: ${why}.`;
  },
  level: (found) => `There is no opponent of level ${found}. Choose another one.`,
  seconds: () => "This time is not possible. Choose from 10 seconds to 3 hours.",
  increment: () => "Choose from 0 to 60 seconds per move.",
  moves: () => "The moves of this game do not fit its position. Begin a new game.",
  profile: () => "The server does not have this profile. Choose another one.",
};

// Returns a refusal as a sentence for the user.
function sentence(status, { error, key, found }) {
  if (status === 429 && error?.startsWith("Authorization")) return "Too many wrong tokens from your address. Wait a few seconds and try again.";
  if (status === 429) return "Too many games are open from your address. Close some of their tabs and try again.";
  if (status === 503) return "The server is busy. Try again in a few seconds.";
  if (status === 404) return "This game is no longer on the server. Reload the page to continue.";
  if (status === 409) return error;
  const known = Object.hasOwn(SENTENCES, key ?? "") && SENTENCES[key];
  return known ? known(found, error) : "The server did not accept this. Reload the page and try again.";
}

// The error of a refused request. Its message is written for the user.
export class Refused extends Error {
  constructor(status, text, key) {
    super(text);
    Object.assign(this, { status, key });
  }
}

let token = sessionStorage.getItem("token") ?? "";
const given = /^#token=(.+)$/.exec(location.hash);
if (given) {
  token = decodeURIComponent(given[1]);
  sessionStorage.setItem("token", token);
  history.replaceState(null, "", location.pathname);
}

export async function ask(path, body, options = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(`/api/${path}`, {
    method: body ? "POST" : "GET", body: body && JSON.stringify(body), headers, ...options,
  });
  if (response.status === 401) {
    await unlock();
    return ask(path, body, options);
  }
  if (response.ok) return response;
  const refusal = await response.json().catch(() => ({}));
  throw new Refused(response.status, sentence(response.status, refusal), refusal.key);
}

// Asks the user for the token. Concurrent callers share one dialog.
let unlocking = null;
function unlock() {
  unlocking ??= new Promise((resolve) => {
    const dialog = find("locked");
    dialog.showModal();
    dialog.addEventListener("close", () => {
      token = find("token").value.trim();
      sessionStorage.setItem("token", token);
      unlocking = null;
      resolve();
    }, { once: true });
  });
  return unlocking;
}

// Saves data as a file of the user.
export function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Passes the events at `path()` to `handle` until `signal` aborts, and reconnects after a break.
// Disconnects while the page is hidden, because a browser has few connections per server.
export async function listen(path, handle, lost, signal) {
  while (!signal.aborted) {
    if (document.hidden) {
      await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
      continue;
    }
    const here = new AbortController();
    const leave = () => { if (signal.aborted || document.hidden) here.abort(); };
    document.addEventListener("visibilitychange", leave);
    signal.addEventListener("abort", leave);
    try {
      const response = await ask(await path(), null, { signal: here.signal });
      await readEvents(response.body, handle);
    } catch (error) {
      if (!here.signal.aborted) await lost(error);
    } finally {
      document.removeEventListener("visibilitychange", leave);
      signal.removeEventListener("abort", leave);
    }
    if (!here.signal.aborted) await pause(700);
  }
}

// Returns the value of an event's field. Only line feeds end a line: text may contain other breaks.
function field(event, name) {
  const start = `${name}: `;
  return event.split("\n").find((line) => line.startsWith(start))?.slice(start.length);
}

async function readEvents(body, handle) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const name = field(event, "event");
      const data = field(event, "data");
      if (name && data) handle(name, JSON.parse(data));
    }
  }
}
