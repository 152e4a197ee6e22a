// Asks the server. Its answers depend on the request alone, because the page keeps the game.

/** Sends a request and returns the answer. An error has the server's message. */
export async function ask(path, body) {
  const headers = body ? { "Content-Type": "application/json" } : {};
  const options = { method: body ? "POST" : "GET", body: body && JSON.stringify(body), headers };
  const response = await fetch(`/api/${path}`, options).catch(() => {
    throw new Error("The server does not answer. Start it again and reload the page.");
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}
