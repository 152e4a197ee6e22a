// The start from a position or game that the user pastes, and from a random position of Chess960.

/** Returns what a pasted text is: `pgn`, `position`, or an empty string. */
export function kindOf(text) {
  if (text === "") return "";
  const isMoves = /^\s*(?:\[|1\s*\.)/.test(text) || /\n\s*1\s*\./.test(text);
  return isMoves ? "pgn" : "position";
}

/** Returns the keys of a request that begins with the pasted text. */
export function pasted(text) {
  const kind = kindOf(text);
  // comments can be longer than the game, and the server allows 12 KiB
  if (kind === "pgn") return { pgn: text.replace(/\{[^}]*\}/g, " ") };
  return kind ? { position: text.replace(/\s+/g, " ") } : {};
}

/** Returns one of the 960 start positions as a FEN. */
export function randomChess960() {
  const rank = Array(8).fill("");
  const free = () => rank.flatMap((piece, file) => (piece ? [] : [file]));
  const put = (piece, files) => { rank[files[Math.floor(Math.random() * files.length)]] = piece; };
  put("b", [0, 2, 4, 6]);
  put("b", [1, 3, 5, 7]);
  put("q", free());
  put("n", free());
  put("n", free());
  const [first, middle, last] = free();
  [rank[first], rank[middle], rank[last]] = ["r", "k", "r"];
  const black = rank.join("");
  const rights = "abcdefgh"[last] + "abcdefgh"[first];
  return `${black}/pppppppp/8/8/8/8/PPPPPPPP/${black.toUpperCase()} w ${rights.toUpperCase()}${rights} - 0 1`;
}
