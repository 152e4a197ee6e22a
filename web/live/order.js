// A game that the user can order: opponent, temperament, colour, time and start position.

import { recall, remember } from "./memory.js";
import { pasted } from "./paste.js";

/** The opponents. Level 0 is full strength. */
export const LEVELS = [
  { level: 1000, name: "Beginner" },
  { level: 1200, name: "Casual player" },
  { level: 1400, name: "Club player" },
  { level: 1600, name: "Strong club player" },
  { level: 1800, name: "Tournament player" },
  { level: 2000, name: "Expert" },
  { level: 0, name: "Full strength", note: "about 3500 among engines" },
];
export const SIDES = [["white", "White"], ["black", "Black"], ["random", "Random"]];
/** Times as minutes and seconds per move. */
export const TIMES = ["none", "3+2", "5+0", "10+5", "15+10", "custom"];
const FIRST = { level: 1400, profile: "standard", side: "white", time: "none", position: "" };
// Nodes per move without a clock, at full strength. A person needs none.
const NODES = 1_000_000;

export function levelName(level) {
  const known = LEVELS.find((one) => one.level === (level ?? 0));
  return known?.name ?? "Player";
}

export function timeName(time) {
  return time === "none" ? "no clock" : time;
}

// Returns a time such as "5+0", or null for other text.
function readTime(text) {
  const found = /^(\d+(?:\.\d+)?)[+ ](\d+)$/.exec(text ?? "");
  return found ? `${found[1]}+${found[2]}` : text === "none" ? text : null;
}

/** Returns the order that was played last, or the first one. */
export function lastOrder() {
  return { ...FIRST, ...JSON.parse(recall("order") ?? "{}") };
}

export function rememberOrder({ level, profile, side, time }) {
  remember("order", JSON.stringify({ level, profile, side, time }));
}

/** Returns the order in the query of an address, or null if there is none. */
export function fromQuery(query) {
  const given = new URLSearchParams(query);
  if (!["level", "profile", "side", "time", "position"].some((key) => given.has(key))) return null;
  const level = given.get("level");
  return {
    ...FIRST,
    ...(level && { level: level === "full" ? 0 : Number(level) }),
    ...(given.has("profile") && { profile: given.get("profile") }),
    ...(SIDES.some(([side]) => side === given.get("side")) && { side: given.get("side") }),
    time: readTime(given.get("time")) ?? FIRST.time,
    position: given.get("position") ?? "",
    ...(given.has("nodes") && { nodes: Number(given.get("nodes")) }),
  };
}

/** Returns the address that starts this game. */
export function toLink({ level, profile, side, time, position }) {
  const query = new URLSearchParams({ level: level || "full", profile, side, time, ...(position && { position }) });
  return `${location.origin}/?${query}`;
}

/** The choice of a profile that the user must guess. */
export const BLIND = "blind";

/** Returns the part of a request that names the profile, or asks for a blind game. */
export const profileRequest = (profile) => (profile === BLIND ? { blind: true } : { profile });

/** Returns the body of the request that starts this game. */
export function toRequest({ level, profile, side, time, position, nodes }) {
  const [minutes, increment] = time.split("+").map(Number);
  const pace = time === "none" ? { nodes: nodes ?? NODES } : { seconds: Math.round(60 * minutes), increment };
  const drawn = Math.random() < 0.5 ? "white" : "black";
  return { level, ...profileRequest(profile), side: side === "random" ? drawn : side, ...pace, ...pasted(position) };
}
