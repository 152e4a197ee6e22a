// Remembers choices of the user in the browser.

/** Stores a choice. Browsers may forbid it. */
export function remember(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch { /* the choice lasts as long as the page */ }
}

/** Returns a stored choice, or null. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
