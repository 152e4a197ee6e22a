// Creates page elements and formats numbers.

/** Appends an element with attributes and text to `parent` and returns it. */
export function make(parent, tag, attributes, text) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** Formats a number from 0 to 100 as a percentage. */
export const percent = (value) => `${Math.round(value)} %`;
